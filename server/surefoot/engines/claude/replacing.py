"""Exact replacements, made into a change: text that is not there, or there twice, is refused and never guessed at."""

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, cast

from patiencediff import PatienceSequenceMatcher  # pyright: ignore[reportUnknownVariableType]

from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.errors import OverlappingEdits
from surefoot.core.text import TextFile, Texts, digest, relative
from surefoot.engines.claude.asking import constraint, path_in
from surefoot.llm.answers import Replacement
from surefoot.run.outcomes import Failure

if TYPE_CHECKING:
    from surefoot.syntax.declared import Declared

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_ABOVE = (b"@", b"#", b"//", b"/*", b"*")
"""How lines begin that belong to the definition below them: decorators, attributes, comments."""


def change_of(edits: Sequence[Replacement], texts: Texts, declared: "Mapping[Path, Sequence[Declared]]") -> Change | Failure:
    """The change that these replacements make of the texts, or the first reason why there is none. `declared` has the planned files."""
    found: dict[Path, list[TextEdit]] = {}
    for edit in edits:
        path = path_in(texts, edit.path)
        if not isinstance(path, Path) or path not in declared:
            known = relative(texts.root, path) if isinstance(path, Path) else "a file that is not there"
            return constraint("elsewhere", f"{known} may only be edited by a step that lists it among its files")
        held = texts.read(path)
        assert isinstance(held, TextFile), "a path that may be edited is one of a text file"
        made = _edits(edit, held, declared[path], relative(texts.root, path))
        if isinstance(made, Failure):
            return made
        found.setdefault(path, []).extend(made)
    files: list[FileEdit] = []
    for path, made in sorted(found.items()):
        held = texts.read(path)
        edits_there = tuple(sorted(made, key=lambda e: (e.start, e.end)))
        if not isinstance(held, TextFile) or not edits_there:
            continue
        try:
            after = apply_edits(held.data, edits_there)
        except OverlappingEdits:
            return constraint("overlap", f"two replacements in {relative(texts.root, path)} must not overlap")
        files.append(FileEdit(path, held.digest, digest(after), edits_there))
    return Change(tuple(files))


def _edits(edit: Replacement, held: TextFile, declared: "Sequence[Declared]", name: str) -> list[TextEdit] | Failure:
    span = _within(edit.within, held, declared, name)
    if isinstance(span, Failure):
        return span
    start, end = span
    old, new = _as_written(edit.old, held.data), _as_written(edit.new, held.data)
    inside = f"{edit.within} in {name}" if edit.within else name
    at = held.data.find(old, start, end)
    if at < 0:
        return constraint("no match", f"the text to replace has to be copied exactly from {inside}: it does not occur there")
    if held.data.find(old, at + 1, end) >= 0:
        return constraint("two matches", f"the text to replace in {inside} occurs more than once: take more of its lines")
    return _smallest(at, old, new)


def _within(dotted: str, held: TextFile, declared: "Sequence[Declared]", name: str) -> tuple[int, int] | Failure:
    if not dotted:
        return 0, len(held.data)
    wanted = dotted.removesuffix("()")
    spans = {(d.start, d.end) for d in declared if d.name == wanted} or {
        (d.start, d.end) for d in declared if d.name.endswith(f".{wanted}")
    }
    if not spans:
        there = ", ".join(list(dict.fromkeys(d.name for d in declared))[:8])
        return constraint("no such definition", f"`within` has to name what {name} defines: {there}")
    if len(spans) > 1:
        return constraint("several definitions", f"{name} defines several things that `within` may mean: leave it empty, copy more lines")
    start, end = spans.pop()
    return _from_above(start, held.data), end


def _from_above(start: int, data: bytes) -> int:
    """Where the lines begin that belong to a definition and stand before it."""
    for line in reversed(data[:start].splitlines(keepends=True)):
        if not line.strip().startswith(_ABOVE):
            break
        start -= len(line)
    return start


def _as_written(text: str, data: bytes) -> bytes:
    """Text with the line ends of the file that it goes into."""
    plain = text.replace("\r\n", "\n")
    crlf = data.count(b"\r\n")
    return (plain.replace("\n", "\r\n") if crlf and crlf == data.count(b"\n") else plain).encode("utf-8")


def _smallest(at: int, old: bytes, new: bytes) -> list[TextEdit]:
    """The edits of whole words that make the same text: what was copied around a change and stays the same is not edited."""
    a, b = _WORDS.findall(old.decode("utf-8")), _WORDS.findall(new.decode("utf-8"))
    starts = [0, *accumulate(len(word.encode("utf-8")) for word in a)]
    matcher = cast(type[SequenceMatcher[str]], PatienceSequenceMatcher)
    found = matcher(None, a, b).get_opcodes()
    return [TextEdit(at + starts[i1], at + starts[i2], "".join(b[j1:j2])) for tag, i1, i2, j1, j2 in found if tag != "equal"]
