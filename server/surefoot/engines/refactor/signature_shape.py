"""A signature as it is to be: entries in order, each an old parameter or a new one, and how a definition is written with them."""

import re
from collections.abc import Iterable, Sequence

from surefoot.core.value import value
from surefoot.engines.refactor.signature_lists import FileEdits, Put, Span, relist
from surefoot.syntax.arity import Parameter, Signature, Slot
from surefoot.syntax.arity_rules import rules_of
from surefoot.syntax.written import Definition, Written

PLACED = frozenset({Slot.PLACED, Slot.EITHER})
RESTS = frozenset({Slot.REST, Slot.NAMED_REST})
CONSTANT = re.compile(
    r"[-+]?[\d_.]+(?:e[-+]?\d+)?n?|[rbuf]{0,2}'[^'\\\n{]*'|[rbu]{0,2}\"[^\"\\\n]*\"|None|True|False|null|undefined|true|false|\(\)",
    re.IGNORECASE,
)
"""What means the same wherever it is written."""


@value
class Entry:
    """One parameter of the new signature. `was` is its piece in the definition, -1 for a new one; `text` how it is written, None for as it
    stands. `value` is what a call gives that does not give it yet: where it must, or, if it is `forced`, anyway."""

    was: int
    name: str
    slot: Slot
    optional: bool
    text: str | None = None
    value: str = ""
    forced: bool = False
    bound: bool = False


Entries = tuple[Entry, ...]


def entries_of(definition: Definition) -> Entries:
    """The parameters as they are."""
    held = enumerate(definition.pieces)
    return tuple(Entry(i, p.name, p.slot, p.optional, bound=p.bound) for i, p in held if not p.mark)


def index_of(entries: Entries, name: str) -> int:
    """Where a parameter of this name is, -1 for nowhere; what a method is called on is none that could be named."""
    return next((i for i, e in enumerate(entries) if e.name == name and not e.bound and e.slot is not Slot.RECEIVER), -1)


def replaced(entries: Entries, at: int, entry: Entry) -> Entries:
    """With another entry in one place."""
    return (*entries[:at], entry, *entries[at + 1 :])


def signature_now(definition: Definition, language: str) -> Signature:
    """What the definition takes."""
    return _made((Parameter(p.name, p.slot, p.optional) for p in definition.parameters), language)


def signature_then(entries: Entries, language: str) -> Signature:
    """What it will take."""
    return _made((Parameter(e.name, e.slot, e.optional) for e in entries if not e.bound), language)


def _made(parameters: Iterable[Parameter], language: str) -> Signature:
    rules = rules_of(language)
    return Signature(tuple(parameters), rules.lax if rules else False, rules.spare if rules else False)


def fault_of(entries: Entries, python: bool) -> str:
    """Why nobody could write such a signature, "" where one could."""
    optional, named = "", ""
    for entry in entries:
        if entry.slot in PLACED and not entry.bound:
            if named:
                return f"`{entry.name}` is given by place and cannot stand after `{named}`"
            if optional and not entry.optional and python:
                return f"`{entry.name}` has no default and cannot stand after `{optional}`, which has one"
            optional = entry.name if entry.optional else optional
        elif entry.slot in (Slot.NAMED, *RESTS):
            named = entry.name
    return ""


def write(edits: FileEdits, definition: Definition, entries: Entries, *, python: bool) -> bool:
    """Write the new list of parameters in the place of the old one; False where it is there already."""
    put = [*_marked(definition, entries)] if python else [(e.was, e.text) for e in entries]
    span = Span(definition.open, definition.close, definition.pieces)
    if definition.bare and not python:
        if all(index >= 0 and text is None for index, text in put) and len(put) == 1:
            return False
        texts = [text if text is not None else edits.text(*_bytes(definition.pieces[index])) for index, text in put]
        edits.replace(definition.open, definition.close, f"({', '.join(texts)})")
        return True
    return relist(edits, span, put)


def _bytes(piece: Written) -> tuple[int, int]:
    return piece.start, piece.end


def _marked(definition: Definition, entries: Entries) -> Sequence[Put]:
    """The entries with Python's marks: `/` after what is given by place alone, `*` before what is given by name alone."""
    marks = {p.mark: i for i, p in enumerate(definition.pieces) if p.mark}
    last = max((i for i, e in enumerate(entries) if e.slot is Slot.PLACED), default=-1)
    named = next((i for i, e in enumerate(entries) if e.slot is Slot.NAMED), -1)
    starred = any(e.slot is Slot.REST for e in entries)
    put: list[Put] = []
    for i, entry in enumerate(entries):
        if i == named and not starred:
            put.append((marks["*"], None) if "*" in marks else (-1, "*"))
        put.append((entry.was, entry.text))
        if i == last:
            put.append((marks["/"], None) if "/" in marks else (-1, "/"))
    return put


def with_default(text: str, default: str, *, typed: bool, python: bool) -> str:
    """A parameter without a default, given one."""
    return f"{text}={default}" if python and not typed else f"{text} = {default}"


def without_default(data: bytes, piece: Written) -> str:
    """A parameter as it is written before its default."""
    if piece.default is None:
        return data[piece.start : piece.end].decode("utf-8")
    return data[piece.start : piece.default[0]].decode("utf-8").rstrip().removesuffix("=").rstrip()


def localized(primary: Definition, other: Definition, names: Sequence[str]) -> tuple[str, ...] | None:
    """What another definition of the same symbol calls these parameters: the same, or what stands in the same place."""
    theirs = [p.name for p in other.parameters]
    ours = [p.name for p in primary.parameters]
    if all(name in theirs for name in names):
        return tuple(names)
    if len(ours) != len(theirs) or any(name not in ours for name in names):
        return None
    return tuple(theirs[ours.index(name)] for name in names)
