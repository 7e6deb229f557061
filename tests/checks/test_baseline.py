"""Findings are compared through the edit: what moved is not new, what is new is never missed."""

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from surefoot.checks.baseline import Sides, delta, headline
from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place

PATH = Path("/p/a.py")
LINES = st.lists(st.sampled_from(["x = 1", "def f():", "", "# note", "BAD a", "BAD b", "  BAD a"]), max_size=30)


def findings(lines: list[str]) -> tuple[Diagnostic, ...]:
    """A checker that dislikes the word after BAD."""
    data = "\n".join(lines).encode()
    index = LineIndex(data)
    return tuple(
        Diagnostic(
            Place.of(PATH, index.starts[n], index.starts[n] + 3, index), "t", "bad", Severity.ERROR, f"line {n + 1}: {line.split()[-1]}"
        )
        for n, line in enumerate(lines)
        if "BAD" in line
    )


def new_lines(before: list[str], after: list[str], renames: tuple[tuple[str, str], ...] = ()) -> list[int]:
    sides = {PATH: Sides("\n".join(before).encode(), "\n".join(after).encode())}
    return [d.place.line for d in delta(findings(before), findings(after), sides, renames).new]


@given(LINES, st.data())
def test_inserted_good_lines_make_nothing_new(before: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    assert new_lines(before, [*before[:at], "y = 2", "", *before[at:]]) == []


@given(LINES, st.data())
def test_an_inserted_bad_line_is_new_and_is_the_one_named(before: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    assert new_lines(before, [*before[:at], "BAD c", *before[at:]]) == [at + 1]


@given(LINES, st.data())
def test_one_more_of_the_same_is_one_new(before: list[str], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(before)))
    assert len(new_lines(before, [*before[:at], "BAD a", *before[at:]])) == 1


@given(LINES, LINES)
def test_new_and_fixed_account_for_every_finding(before: list[str], after: list[str]) -> None:
    sides = {PATH: Sides("\n".join(before).encode(), "\n".join(after).encode())}
    old, new = findings(before), findings(after)
    got = delta(old, new, sides)
    assert len(new) - len(got.new) == len(old) - len(got.fixed)


@given(LINES, st.data())
def test_a_block_that_moves_takes_its_findings_along(before: list[str], data: st.DataObject) -> None:
    block = ["def moved():", "    first()", "    BAD z", "    second()"]
    rest = [line.replace("BAD", "fine") for line in before]
    at = data.draw(st.integers(0, len(rest)))
    assert new_lines([*block, *rest], [*rest[:at], *block, *rest[at:]]) == []


def test_a_renamed_symbol_in_a_message_is_the_same_finding() -> None:
    before, after = ["x = 1", "BAD old"], ["x = 1", "BAD new"]
    assert new_lines(before, after) == [2]
    assert new_lines(before, after, (("old", "new"),)) == []


def test_a_rename_is_followed_in_one_direction_only() -> None:
    assert new_lines(["BAD new"], ["BAD old"], (("old", "new"),)) == [1]


def test_part_of_a_name_is_no_name() -> None:
    assert new_lines(["BAD older"], ["BAD newer"], (("old", "new"),)) == [1]


def test_codes_that_are_kin_tell_the_same_fact() -> None:
    index = LineIndex(b"x")
    place = Place.of(PATH, 0, 1, index)
    old = Diagnostic(place, "t", "2339", Severity.ERROR, "Property 'x' does not exist on type 'Y'.")
    new = Diagnostic(place, "t", "2551", Severity.ERROR, "Property 'x' does not exist on type 'Y'. Did you mean 'z'?")
    assert delta([old], [new], {PATH: Sides(b"x", b"x")}, (), {"2551": "2339"}).new == ()
    assert delta([old], [new], {PATH: Sides(b"x", b"x")}).new == (new,)


def test_a_headline_has_no_suggestion_no_position_and_one_line() -> None:
    assert (
        headline("Name `a` is not  defined at line 12, see b.py:3:4\n\nhelp: Did you mean `b`?")
        == "Name `a` is not defined at <at>, see b.py<at>"
    )
    assert headline("No member 'fromat'. Did you mean 'format'?") == "No member 'fromat'."


def test_a_long_line_is_compared_in_no_time() -> None:
    old = "z = " + " + ".join(["eta()"] * 3000)
    new = old.replace("eta", "beta")
    began = time.monotonic()
    assert not delta((), (), {PATH: Sides(old.encode(), new.encode())}, (("eta", "beta"),)).new
    assert time.monotonic() - began < 5
