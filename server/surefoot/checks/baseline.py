"""Which findings are new: those of the candidate that the text before it did not have.

Both sides come from the same tool over the same files. A finding is one that was there before if, in the same file,

1. its line is the line that the old one's has become, with the same code and message; or else
2. the old line is gone and the new line was brought (code that moved), and code, message and the words of the line agree; or else
3. likewise, with code and message only.

A line that stands, or that was rewritten in place, has no part in steps 2 and 3: there a finding is either still in place or fixed, so one
fixed and an equal one somewhere else are one fixed and one new.

Each old finding stands for one new finding at most. Messages are compared by their headline,
without suggestions and positions. For a rename a second pass compares the old side with the new name in place of the old one: the same
finding about a renamed symbol is not new, and only in this direction, so the new side never gets its names swapped.
"""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import patiencediff

from surefoot.core.findings import Diagnostic
from surefoot.core.value import value

_POSITIONS = re.compile(r"\b(lines?|columns?|at)\s+\d+(?:[:,]\d+)?|:\d+(?::\d+)?\b")
_SUGGESTION = re.compile(r"\s*Did you mean .*\?\s*$|, but .* (?:do|does) exist.*$")
_SPACE = re.compile(r"\s+")
_LONG = 2000
"""Characters of two lines from which on they are compared by a bound."""
_ALIKE = 0.5
Renames = Sequence[tuple[str, str]]
Key = Callable[[Diagnostic], Hashable]


@value
class Delta:
    """Findings that the candidate brings, and those it takes away."""

    new: tuple[Diagnostic, ...]
    fixed: tuple[Diagnostic, ...]


@value
class Sides:
    """One file's text before and after the candidate."""

    before: bytes
    after: bytes


def delta(
    old: Sequence[Diagnostic],
    new: Sequence[Diagnostic],
    sides: Mapping[Path, Sides],
    renames: Renames = (),
    kin: Mapping[str, str] | None = None,
) -> Delta:
    """Compare the findings of one tool over the same files."""
    brought: list[Diagnostic] = []
    gone: list[Diagnostic] = []
    for path in dict.fromkeys(d.place.path for d in (*old, *new)):
        side = sides.get(path, Sides(b"", b""))
        pair = _File(side, kin or {}, tuple(renames))
        here, there = ([d for d in found if d.place.path == path] for found in (old, new))
        one = pair.compare(here, there)
        brought += one.new
        gone += one.fixed
    return Delta(tuple(brought), tuple(gone))


class _File:
    def __init__(self, side: Sides, kin: Mapping[str, str], renames: Renames) -> None:
        self._before, self._after = _lines(side.before), _lines(side.after)
        self._kin = kin
        self._swap = _swapper(renames)
        self._becomes = _line_map(self._before, self._after)
        self._kept = frozenset(self._becomes.values())

    def compare(self, old: Sequence[Diagnostic], new: Sequence[Diagnostic]) -> Delta:
        left_old, left_new = list(old), list(new)
        for key_old, key_new in self._passes():
            left_old, left_new = _pair(left_old, left_new, key_old, key_new)
        return Delta(tuple(left_new), tuple(left_old))

    def _passes(self) -> Iterator[tuple[Key, Key]]:
        """Key functions for the old and the new side, strictest first; a key of None pairs with nothing."""
        for swap in (_same, self._swap):

            def fact(found: Diagnostic, swap: Callable[[str], str] = swap) -> tuple[str, str]:
                code, message = self._fact(found)
                return code, swap(message)

            def mapped(found: Diagnostic) -> Hashable:
                line = self._becomes.get(found.place.line)
                return None if line is None else (line, fact(found))

            def moved(found: Diagnostic) -> Hashable:
                return None if found.place.line in self._becomes else (fact(found), self._words(self._before, found))

            def anywhere(found: Diagnostic) -> Hashable:
                return None if found.place.line in self._becomes else fact(found)

            yield mapped, lambda found: (found.place.line, self._fact(found))
            yield moved, lambda found: self._brought(found, (self._fact(found), self._words(self._after, found)))
            yield anywhere, lambda found: self._brought(found, self._fact(found))

    def _fact(self, found: Diagnostic) -> tuple[str, str]:
        return self._kin.get(found.code, found.code), headline(found.message)

    def _brought(self, found: Diagnostic, key: Hashable) -> Hashable:
        return None if found.place.line in self._kept else key

    @staticmethod
    def _words(lines: Sequence[str], found: Diagnostic) -> str:
        line = found.place.line - 1
        return _SPACE.sub(" ", lines[line]).strip() if line < len(lines) else ""


def headline(message: str) -> str:
    """The first line of a message, without a suggestion and without positions that move with the text."""
    first = message.strip().split("\n", 1)[0]
    return _SPACE.sub(" ", _POSITIONS.sub("<at>", _SUGGESTION.sub("", first))).strip()


def _pair(
    old: list[Diagnostic],
    new: list[Diagnostic],
    key_old: Key,
    key_new: Key,
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Take away pairs of equal key; each old finding answers for one new finding."""
    pool: dict[Hashable, list[Diagnostic]] = defaultdict(list)
    for one in old:
        if (key := key_old(one)) is not None:
            pool[key].append(one)
    left: list[Diagnostic] = []
    used: set[int] = set()
    for one in new:
        key = key_new(one)
        waiting = pool.get(key) if key is not None else None
        if waiting:
            used.add(id(waiting.pop(0)))
        else:
            left.append(one)
    return [one for one in old if id(one) not in used], left


def _swapper(renames: Renames) -> Callable[[str], str]:
    if not renames:
        return _same
    names = dict(renames)
    pattern = re.compile(r"(?<![\w$])(?:" + "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) + r")(?![\w$])")
    return lambda message: pattern.sub(lambda found: names[found[0]], message)


def _same(message: str) -> str:
    return message


def _lines(data: bytes) -> list[str]:
    return re.split(r"\r\n|\n|\r", data.decode("utf-8", "replace"))


def _line_map(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Where each old line (from 1) is now, if it stands or was rewritten in place and is still much the same."""
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    becomes = {i + 1: i + 1 for i in range(head)}
    becomes |= {len(before) - i: len(after) - i for i in range(tail)}
    # difflib takes minutes for some long texts with scattered changes; patience takes milliseconds.
    # Its stub leaves the class's type parameter open.
    matcher = cast(type[difflib.SequenceMatcher[str]], patiencediff.PatienceSequenceMatcher)  # pyright: ignore[reportUnknownMemberType]
    middle = matcher(None, before[head : len(before) - tail], after[head : len(after) - tail])
    for tag, i1, i2, j1, j2 in middle.get_opcodes():
        if tag != "equal" and (tag != "replace" or i2 - i1 != j2 - j1):
            continue
        for old, new in zip(range(head + i1, head + i2), range(head + j1, head + j2), strict=True):
            if tag == "equal" or _alike(before[old], after[new]):
                becomes[old + 1] = new + 1
    return becomes


def _alike(old: str, new: str) -> bool:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    # The exact ratio takes minutes for a line of some thousand characters; which characters they have in common says enough there.
    return (matcher.quick_ratio() if len(old) + len(new) > _LONG else matcher.ratio()) >= _ALIKE
