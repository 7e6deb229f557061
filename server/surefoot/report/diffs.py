"""Unified diffs side by side: which lines stand opposite each other, and which words in them differ."""

import difflib
import re
from collections.abc import Iterator, Sequence

from surefoot.core.value import value

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_LONG = 400
"""Characters of a line above which its words are not compared."""
_ALIKE = 0.35
"""Lines that have less than this in common are shown as replaced whole."""

Piece = tuple[str, bool]
"""Some text, and whether it is what differs."""


@value
class Row:
    """A line on either side, with its number (0 for none); `changed` rows differ."""

    left_number: int
    left: tuple[Piece, ...]
    right_number: int
    right: tuple[Piece, ...]
    changed: bool


@value
class Hunk:
    """Rows that stand together."""

    rows: tuple[Row, ...]


@value
class FileDiff:
    """The hunks of one file, and how many lines they add and remove."""

    name: str
    added: int
    removed: int
    hunks: tuple[Hunk, ...]
    notes: tuple[str, ...]


def parsed(diff: str) -> tuple[FileDiff, ...]:
    """The files of a unified diff. The counts of a hunk say where it ends, so that no line of text is taken for a header."""
    files: list[tuple[str, list[list[str]], list[re.Match[str]]]] = []
    left = right = 0
    for line in diff.split("\n"):
        if left > 0 or right > 0 or (line.startswith("\\") and files and files[-1][1]):
            files[-1][1][-1].append(line)
            left -= line[:1] in {" ", "-", ""}
            right -= line[:1] in {" ", "+", ""}
        elif line.startswith("+++ "):
            files.append((line[4:].removeprefix("b/"), [], []))
        elif (header := _HUNK.match(line)) and files:
            files[-1][1].append([])
            files[-1][2].append(header)
            left, right = (int(header[n]) if header[n] else 1 for n in (2, 4))
    return tuple(_file(*file) for file in files)


def _file(name: str, hunks: Sequence[Sequence[str]], headers: Sequence[re.Match[str]]) -> FileDiff:
    lines = [line for hunk in hunks for line in hunk]
    made = tuple(Hunk(tuple(_rows(hunk, int(h[1]), int(h[3])))) for hunk, h in zip(hunks, headers, strict=True))
    notes = ("no newline at the end of the file",) if any(line.startswith("\\") for line in lines) else ()
    return FileDiff(name, sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines), made, notes)


def _rows(lines: Sequence[str], left: int, right: int) -> Iterator[Row]:
    old: list[str] = []
    new: list[str] = []
    for line in lines:
        match line[:1]:
            case "-":
                old.append(line[1:])
            case "+":
                new.append(line[1:])
            case "\\":
                pass
            case _:
                yield from _changed(old, new, left, right)
                left, right = left + len(old), right + len(new)
                old, new = [], []
                yield Row(left, ((line[1:], False),), right, ((line[1:], False),), changed=False)
                left, right = left + 1, right + 1
    yield from _changed(old, new, left, right)


def _changed(old: Sequence[str], new: Sequence[str], left: int, right: int) -> Iterator[Row]:
    """Lines that were replaced, each beside the one in its place."""
    for i in range(max(len(old), len(new))):
        a, b = old[i] if i < len(old) else None, new[i] if i < len(new) else None
        here, there = words_of(a, b) if a is not None and b is not None else (((a or "", False),), ((b or "", False),))
        yield Row(left + i if a is not None else 0, here, right + i if b is not None else 0, there, changed=True)


def words_of(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both lines in pieces, those marked that the other does not have; unmarked when the lines have little in common."""
    if max(len(old), len(new)) > _LONG:
        return ((old, False),), ((new, False),)
    a, b = _WORD.findall(old), _WORD.findall(new)
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return ((old, False),), ((new, False),)
    codes = matcher.get_opcodes()
    here = tuple(("".join(a[i:j]), tag != "equal") for tag, i, j, _, _ in codes if j > i)
    there = tuple(("".join(b[i:j]), tag != "equal") for tag, _, _, i, j in codes if j > i)
    return here, there
