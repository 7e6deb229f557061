"""Edits, their inverse, their size: only the edited bytes differ, and the way back restores every byte."""

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.core.change import Change, FileEdit, Size, TextEdit, apply_edits, inverse_edits, size_of, unified_diff
from surefoot.core.errors import OutsideText, OverlappingEdits, TextError
from surefoot.core.text import digest
from surefoot.workspace.snapshot import Snapshot

PIECE = st.text(st.sampled_from(list("ab\n\r\x0c\x85\u2028é😀")), max_size=6)


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, list[TextEdit]]:
    """A text, and edits whose ends lie between its characters."""
    text = draw(st.text(st.sampled_from(list("ab\n\r\ufeffé語😀")), max_size=30))
    ends = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    offsets = [len(text[:end].encode()) for end in ends]
    pairs = list(pairwise(offsets))[::2]
    return text.encode(), [TextEdit(start, end, draw(PIECE)) for start, end in pairs]


@given(edited())
def test_there_and_back_restores_every_byte(case: tuple[bytes, list[TextEdit]]) -> None:
    data, edits = case
    assert apply_edits(apply_edits(data, edits), inverse_edits(data, edits)) == data


@given(edited())
def test_order_does_not_matter_and_bytes_outside_the_edits_stay(case: tuple[bytes, list[TextEdit]]) -> None:
    data, edits = case
    after = apply_edits(data, edits)
    shift, at = 0, 0
    for edit in edits:
        assert after[at + shift : edit.start + shift] == data[at : edit.start]
        shift += len(edit.text.encode()) - (edit.end - edit.start)
        at = edit.end
    assert after[at + shift :] == data[at:]
    distinct = [e for e in edits if e.start < e.end]
    assert apply_edits(data, distinct[::-1]) == apply_edits(data, distinct)


def test_edits_that_claim_the_same_bytes_are_refused() -> None:
    with pytest.raises(OverlappingEdits):
        apply_edits(b"abcdef", [TextEdit(0, 3, ""), TextEdit(2, 4, "")])


@pytest.mark.parametrize("edit", [TextEdit(0, 9, ""), TextEdit(9, 9, "x")])
def test_edits_outside_the_text_are_refused(edit: TextEdit) -> None:
    with pytest.raises(OutsideText):
        apply_edits(b"abc", [edit])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", (1, 1)),
        ("a\n", "a\nb\n", (1, 0)),
        ("a\r\nb\r\n", "a\r\n", (0, 1)),
        ("a", "a\n", (1, 1)),
        ("", "", (0, 0)),
        ("a\x0cb\nc\n", "a\x0cB\nc\n", (1, 1)),
    ],
)
def test_size_counts_as_git_does(before: str, after: str, expected: tuple[int, int], tmp_path: Path) -> None:
    data = before.encode()
    size = size_of(data, (TextEdit(0, len(data), after),))
    assert (size.added, size.removed) == expected
    for name, text in (("old", before), ("new", after)):
        (tmp_path / name).write_bytes(text.encode())
    command = ["git", "-c", "core.autocrlf=false", "diff", "--no-index", "--numstat", "old", "new"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout.split()
    assert tuple(map(int, told[:2] or (0, 0))) == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a", "a\n"),
        ("a\n", "a"),
        ("a\x0cb\nc\n", "a\x0cB\nc\n"),
        ("é\u2028b\nc\n", "é\u2028B\nc\n"),
        ("a\r\nb\r\n", "a\r\nB\r\n"),
    ],
)
def test_git_applies_our_diff(before: str, after: str, tmp_path: Path) -> None:
    (tmp_path / "name.txt").write_bytes(before.encode())
    diff = unified_diff("name.txt", before.encode(), after.encode())
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.encode(), check=True, capture_output=True)
    assert (tmp_path / "name.txt").read_bytes() == after.encode()


def test_a_change_made_for_another_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"old = 1\n")
    with pytest.raises(TextError, match="not the text"):
        Snapshot(tmp_path).with_change(Change((FileEdit(tmp_path / "a.py", digest(b"other"), "", (TextEdit(0, 3, "new"),)),)))


def test_size_is_found_in_long_repetitive_texts_from_the_lines_that_are_touched() -> None:
    data = b"x\ny\n" * 50_000
    edits = tuple(TextEdit(at, at + 1, "z") for at in range(0, len(data), 4000))
    assert size_of(data, edits) == Size(len(edits), len(edits))
    assert size_of(data, (TextEdit(0, 0, "new\n"), TextEdit(2, 4, ""))) == Size(1, 1)
    assert size_of(b"a = f(f(1))\n", (TextEdit(4, 5, "g"), TextEdit(6, 7, "g"))) == Size(1, 1)
