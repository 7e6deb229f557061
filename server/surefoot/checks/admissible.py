"""What may stand in place of what a checker rejects: real members, names in sight, the parameters of what is called; from the outlines.

A finding says whose member it missed; the class or module of that name is looked for in the file itself, in what it imports, and, for
languages whose imports are not followed here, in the files of its kind.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from surefoot.checks.closure import Closure
from surefoot.checks.constraints import CALLS, NAMED
from surefoot.checks.facts import Fact, fact_of, shortened
from surefoot.core.findings import Diagnostic
from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile, Texts
from surefoot.syntax.index import Index
from surefoot.syntax.outline import MEMBER_SCOPES, Binding, Outline, word

MOST_NAMES = 4
MOST_FILES = 400
"""Files that are looked through for one owner."""
_BASES = 4
_LONGEST_LIST = 200
_TRIM = re.compile(r"^(?:&|\*|mut\s|dyn\s|type\[|\W)+|[<\[(|].*$|\W+$")
_LAST = re.compile(r"[\w$]+$")
_CALLEE = re.compile(rb"([\w$]+)(?:<[^<>()]*>)?$")
_OWN = frozenset({"self", "this", "cls"})


class Admissible:
    """Looks things up in one set of texts, for findings that were made there."""

    def __init__(self, index: Index, texts: Texts) -> None:
        self._index, self._texts = index, texts
        self._closure = Closure(texts)

    def of(self, found: Diagnostic) -> tuple[str, ...]:
        """At most `MOST_NAMES` names, what the tool suggests first; for a call, its parameters as one text. Empty for what is not known."""
        fact = fact_of(found)
        held = self._texts.read(found.place.path)
        if fact is None or not isinstance(held, TextFile):
            return ()
        if fact.kind in CALLS:
            listed = self._parameters(fact, found, held)
            return (listed,) if listed else ()
        if fact.kind not in NAMED:
            return ()
        names = (fact.field("use"), *self._names(fact, found, held))
        return tuple(dict.fromkeys(name for name in names if name))[:MOST_NAMES]

    def _names(self, fact: Fact, found: Diagnostic, held: TextFile) -> Sequence[str]:
        wrong = fact.field("name")
        if fact.kind == "member" and (owner := fact.field("owner") or self._imported(held, found)):
            members = [name for name in self._members(owner, found) if name != wrong]
            near = get_close_matches(wrong, members, MOST_NAMES, 0.5)
            return (*near, *(name for name in members if name not in near and not name.startswith("_")))
        if fact.kind == "name" and (outline := self._index.outline(held)) is not None:
            return get_close_matches(wrong, sorted(self._in_sight(outline, found.place.start) - {wrong}), MOST_NAMES, 0.7)
        return ()

    @staticmethod
    def _in_sight(outline: Outline, offset: int) -> set[str]:
        scopes = frozenset(outline.chain(offset))
        return {word(name) for scope, name in outline.bindings if scope in scopes}

    def _imported(self, held: TextFile, found: Diagnostic) -> str:
        """The module that an import takes an unknown name from."""
        outline = self._index.outline(held)
        named = outline.imported.get(found.place.start) if outline is not None else None
        return (named.source or "") if named is not None else ""

    def _members(self, owner: str, found: Diagnostic) -> Sequence[str]:
        if (module := self._module(owner, found.place.path)) is not None:
            return self._of_scope(module, 0, foreign=True)
        name = _LAST.search(_TRIM.sub("", owner))
        if name is None:
            return ()
        return tuple(self._of_class(name[0], found.place.path, frozenset())) or tuple(self._of_package(name[0], found.place.path))

    def _module(self, owner: str, path: Path) -> Outline | None:
        home = self._closure.find(path, owner.strip("\"'`"))
        return self._outline(home) if home is not None else None

    def _of_class(self, name: str, path: Path, seen: frozenset[str]) -> Iterator[str]:
        for near, outline in self._outlines(path, name):
            for at, scope in enumerate(outline.scopes):
                if scope.kind in MEMBER_SCOPES and scope.name == name:
                    yield from self._of_scope(outline, at, foreign=near != path)
                    for base in scope.bases:
                        if base.name and base.name not in seen and len(seen) < _BASES:
                            yield from self._of_class(base.name, path, seen | {name, base.name})

    def _of_package(self, name: str, path: Path) -> Iterator[str]:
        """What the files of a folder of this name offer to others: a package, where a folder is one."""
        for near in self._near(path):
            if near != path and near.parent.name == name and (outline := self._outline(near)) is not None:
                yield from self._of_scope(outline, 0, foreign=True)

    @staticmethod
    def _of_scope(outline: Outline, scope: int, *, foreign: bool) -> Sequence[str]:
        named = {word(name): bindings[0] for (at, name), bindings in outline.bindings.items() if at == scope}
        seen = {
            name: b for name, b in named.items() if b.source is None and b.kind is not SymbolKind.PARAMETER and not (foreign and b.private)
        }
        return [name for name in seen if not name.startswith("__") and name not in _OWN]

    def _outlines(self, path: Path, name: str) -> Iterator[tuple[Path, Outline]]:
        """The outlines of those files near `path` that have this word."""
        for near in self._near(path):
            held = self._texts.read(near)
            if isinstance(held, TextFile) and name.encode("utf-8") in held.data and (outline := self._index.outline(held)) is not None:
                yield near, outline

    def _outline(self, path: Path) -> Outline | None:
        held = self._texts.read(path)
        return self._index.outline(held) if isinstance(held, TextFile) else None

    def _near(self, path: Path) -> Sequence[Path]:
        reached = self._closure.of([path], {})
        if not reached:
            reached = frozenset(other for other in self._texts.files() if other.suffix == path.suffix)
        return (path, *sorted(reached - {path}))[:MOST_FILES]

    def _parameters(self, fact: Fact, found: Diagnostic, held: TextFile) -> str:
        """The list of parameters of what is called, as it is written, on one line."""
        callee = _LAST.search(fact.field("callee")) or _LAST.search(_callee_at(held.data, found.place.start))
        if callee is None:
            return ""
        for near in self._near(found.place.path):
            other = self._texts.read(near)
            if isinstance(other, TextFile) and (listed := self._listed(other, callee[0])):
                return shortened(listed, 60)
        return ""

    def _listed(self, file: TextFile, name: str) -> str:
        if name.encode("utf-8") not in file.data or (outline := self._index.outline(file)) is None:
            return ""
        calls = (SymbolKind.FUNCTION, SymbolKind.METHOD)
        defined = [b for _, bindings in outline.named(name) for b in bindings if b.kind in calls and b.source is None]
        return _list_after(file.data, defined[0]) if len(defined) == 1 else ""


def _list_after(data: bytes, binding: Binding) -> str:
    start = data.find(b"(", binding.end, binding.end + _LONGEST_LIST)
    depth = 0
    for at in range(start, min(len(data), start + _LONGEST_LIST)) if start >= 0 else ():
        depth += {b"(": 1, b")": -1}.get(data[at : at + 1], 0)
        if depth == 0:
            return " ".join(data[start : at + 1].decode("utf-8", "replace").split())
    return ""


def _callee_at(data: bytes, offset: int) -> str:
    """What is called at a byte: the word there if a list follows it, else what stands before the list around it."""
    here = re.compile(rb"(?:[\w$]+\.)*([\w$]+)\s*\(").match(data, offset)
    if here is not None:
        return here[1].decode("utf-8", "replace")
    depth = 0
    for at in range(offset - 1, max(-1, offset - _LONGEST_LIST), -1):
        sign = data[at : at + 1]
        depth += {b")": 1, b"(": -1}.get(sign, 0)
        if depth < 0:
            before = _CALLEE.search(data[max(0, at - _LONGEST_LIST) : at])
            return before[1].decode("utf-8", "replace") if before is not None else ""
    return ""
