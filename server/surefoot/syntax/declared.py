"""What a file defines, each definition with all the lines that it takes up: names to read, and ranges for edits to stay in."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.outline import Binding, Outline, word

if TYPE_CHECKING:
    from surefoot.syntax.index import Index, Parsed


@value
class Declared:
    """One definition: its dotted name, and the whole lines that it takes up, as bytes and as numbers from 1, both ends included.

    Decorators and comments before it are not part of it. `line` holds its name, `text` is that line.
    """

    name: str
    kind: SymbolKind
    start: int
    end: int
    first: int
    last: int
    line: int
    text: str


def declared_in(index: "Index", file: TextFile) -> tuple[Declared, ...]:
    """Functions, classes and their members, types and what a module binds, in text order; nothing of a file that is not parsed here."""
    parsed = index.parsed(file)
    if parsed is None:
        return ()
    return tuple(sorted({_declared(parsed, held) for held in _bindings(parsed.outline)}, key=lambda d: (d.start, -d.end, d.name)))


def innermost(declared: Sequence[Declared], start: int, end: int) -> Declared | None:
    """The smallest definition that holds these bytes wholly, None where none does."""
    return min((d for d in declared if d.start <= start and end <= d.end), key=lambda d: d.end - d.start, default=None)


def _bindings(outline: Outline) -> Iterator[Binding]:
    for (scope, _), bound in outline.bindings.items():
        for held in bound:
            if held.source is None and held.kind is not SymbolKind.PARAMETER and (held.inner >= 0 or not outline.dotted(scope)):
                yield held


def _declared(parsed: "Parsed", held: Binding) -> Declared:
    outline, lines = parsed.outline, parsed.lines
    inner = outline.scopes[held.inner] if held.inner >= 0 else None
    at = lines.line_of(held.start)
    first = lines.line_of(min(held.start, inner.start)) if inner is not None else at
    last = lines.line_of(max(held.end, inner.end if inner is not None else 0) - 1)
    start, end = lines.starts[first], lines.starts[last + 1] if last + 1 < len(lines.starts) else len(parsed.file.data)
    name = ".".join(filter(None, (outline.dotted(held.scope), word(held.name))))
    text = lines.line_bytes(at, 200).decode("utf-8", "replace").strip()
    return Declared(name, held.kind, start, end, first + 1, last + 1, at + 1, text)
