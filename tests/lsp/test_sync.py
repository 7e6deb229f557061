"""Incremental changes agree with a reference that walks the text, for every encoding and every odd character."""

import time

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as t

from surefoot.core.text import Units
from surefoot.lsp.sync import changed

ALPHABET = list("ab\n\r\t\x0b\x0c\x1c\x85\u2028\u2029\ufeffé語😀𐐀")
TEXT = st.text(st.sampled_from(ALPHABET), max_size=24)
WIDTHS = {Units.UTF8: "utf-8", Units.UTF16: "utf-16-le", Units.UTF32: "utf-32-le"}
UNIT_BYTES = {Units.UTF8: 1, Units.UTF16: 2, Units.UTF32: 4}


def position(text: str, index: int, units: Units) -> t.Position:
    """The position of an index, by counting; an index between `\\r` and `\\n` is the end of its line."""
    line = start = at = 0
    while at < index:
        end = 2 if text.startswith("\r\n", at) else 1 if text[at] in "\r\n" else 0
        if end and at + end > index:
            break
        at += end or 1
        if end:
            line, start = line + 1, at
    return t.Position(line, len(text[start:at].encode(WIDTHS[units])) // UNIT_BYTES[units])


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, Units, list[tuple[int, int, str]]]:
    text, units = draw(TEXT), draw(st.sampled_from(list(Units)))
    made, now = [], text
    for _ in range(draw(st.integers(1, 4))):
        places = [i for i in range(len(now) + 1) if now[i - 1 : i + 1] != "\r\n"]
        start, end = sorted((draw(st.sampled_from(places)), draw(st.sampled_from(places))))
        made.append((start, end, draw(TEXT)))
        now = now[:start] + made[-1][2] + now[end:]
    return text, units, made


@given(edits())
def test_changes_land_where_the_client_made_them(case: tuple[str, Units, list[tuple[int, int, str]]]) -> None:
    text, units, made = case
    sent: list[t.TextDocumentContentChangeEvent] = []
    expected = text
    for start, end, new in made:
        ends = t.Range(position(expected, start, units), position(expected, end, units))
        sent.append(t.TextDocumentContentChangePartial(range=ends, text=new))
        expected = expected[:start] + new + expected[end:]
    assert changed(text, sent, units) == expected


@given(TEXT, TEXT)
def test_a_whole_text_replaces_what_was_there(before: str, after: str) -> None:
    assert changed(before, [t.TextDocumentContentChangeWholeDocument(text=after)], Units.UTF16) == after


def check_end(line: int, character: int, expected: str) -> None:
    ends = t.Range(t.Position(line, character), t.Position(line, character))
    assert changed("one\r\ntwo", [t.TextDocumentContentChangePartial(range=ends, text="|")], Units.UTF16) == expected


def test_positions_past_an_end_mean_that_end() -> None:
    check_end(0, 99, "one|\r\ntwo")
    check_end(1, 99, "one\r\ntwo|")
    check_end(7, 0, "one\r\ntwo|")


def test_halves_of_a_character_that_arrive_one_by_one_become_the_character() -> None:
    def put(text: str, column: int, new: str) -> str:
        ends = t.Range(t.Position(0, column), t.Position(0, column))
        return changed(text, [t.TextDocumentContentChangePartial(range=ends, text=new)], Units.UTF16)

    assert put(put("ab", 1, "\ud83d"), 2, "\ude00") == "a😀b"


def seconds(text: str, count: int) -> float:
    """What `count` changes in one message take, at best."""
    made = [t.TextDocumentContentChangePartial(range=t.Range(t.Position(i, 0), t.Position(i, 1)), text="y") for i in range(count)]
    taken: list[float] = []
    for _ in range(3):
        began = time.perf_counter()
        assert changed(text, made, Units.UTF16).count("y") == count
        taken.append(time.perf_counter() - began)
    return min(taken)


def test_many_changes_of_a_long_text_cost_little_more_than_one() -> None:
    text = "x = 1\n" * 40_000
    assert seconds(text, 400) < 20 * seconds(text, 1)
