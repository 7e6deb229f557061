"""Lines and columns agree with a reference that walks the text one character at a time."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.errors import OutsideText
from surefoot.core.text import LineIndex, Place, Units

AWKWARD = st.text(st.sampled_from(list("ab\n\r\t\x0b\x0c\x1c\x85\u2028\u2029\ufeffé語😀𐐀")), max_size=24)
UNITS = st.sampled_from(list(Units))


def width(text: str, units: Units) -> int:
    match units:
        case Units.UTF8:
            return len(text.encode())
        case Units.UTF16:
            return len(text.encode("utf-16-le")) // 2
        case Units.UTF32:
            return len(text)


def reference_lines(text: str) -> list[str]:
    """Lines with their ends, by the letter of the protocol: CRLF, LF and CR end a line, nothing else does; the last one may be empty."""
    lines, line, at = [], "", 0
    while at < len(text):
        end = "\r\n" if text.startswith("\r\n", at) else text[at] if text[at] in "\r\n" else ""
        line += end or text[at]
        at += len(end) or 1
        if end:
            lines.append(line)
            line = ""
    return [*lines, line]


@given(AWKWARD, UNITS)
def test_every_offset_of_a_character_has_the_position_that_counting_gives(text: str, units: Units) -> None:
    index, at = LineIndex(text.encode()), 0
    for number, line in enumerate(reference_lines(text)):
        for column in range(len(line) + 1):
            bare = line.rstrip("\r\n")
            offset = at + len(line[:column].encode())
            if column <= len(bare):
                assert index.position(offset, units) == (number, width(line[:column], units))
                assert index.offset(number, width(line[:column], units), units) == offset
        at += len(line.encode())


@given(AWKWARD, UNITS)
def test_a_column_past_the_end_means_the_end_of_the_line(text: str, units: Units) -> None:
    index, at = LineIndex(text.encode()), 0
    for number, line in enumerate(reference_lines(text)):
        assert index.offset(number, 10_000, units) == at + len(line.rstrip("\r\n").encode())
        at += len(line.encode())


@pytest.mark.parametrize("line", [-1, 2, 99])
def test_a_line_that_is_not_there_is_refused(line: int) -> None:
    with pytest.raises(OutsideText):
        LineIndex(b"one\ntwo").offset(line, 0)


@pytest.mark.parametrize("offset", [-1, 8])
def test_an_offset_outside_the_text_is_refused(offset: int) -> None:
    with pytest.raises(OutsideText):
        LineIndex(b"one\ntwo").position(offset)


def test_a_utf16_column_inside_a_pair_means_the_start_of_the_character() -> None:
    assert LineIndex("a😀b".encode()).offset(0, 2, Units.UTF16) == 1


def test_a_place_counts_from_one_in_code_points() -> None:
    data = "x = 1\n'😀'; name".encode()
    place = Place.of(Path("/a.py"), data.index(b"name"), len(data), LineIndex(data))
    assert (place.line, place.column) == (2, 6)


def test_a_line_is_had_from_before_and_from_after_a_byte_no_more_of_it_than_is_wanted() -> None:
    lines = LineIndex("x\r\n🧺 = total(1)\r\ny".encode())
    assert lines.line_around(10, 100) == ("🧺 = ".encode(), b"total(1)")
    assert lines.line_around(10, 3) == (b" = ", b"tot")
    assert lines.line_around(20, 3) == (b"", b"y")
    assert lines.line_around(21, 3) == (b"y", b"")
