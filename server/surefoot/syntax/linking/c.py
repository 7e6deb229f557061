"""C and C++: names are seen where what declares them is included; declarations and definitions of one name are one symbol."""

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.languages import language_of
from surefoot.syntax.linking.c_types import PREDEFINED, item, last_name, type_names
from surefoot.syntax.linking.linker import Linker
from surefoot.syntax.outline import TAG, TYPED, Binding, ClassNames, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, certain, unknown

_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import|include_next)[ \t]*([\"<])([^\">\n]+)[\">]", re.MULTILINE)
_TYPES = frozenset({SymbolKind.CLASS, SymbolKind.TYPE})
_USING = "namespace"
"""What a file binds where it takes over all of a namespace."""


class CLinker(Linker):
    """Includes, linkage, namespaces and classes. Conditions are not read: what only some builds see counts everywhere."""

    # Includes

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of C and C++ by their own name, without folders."""
        return self.resolver.texts.kept("c files", lambda _, files: _named(files))

    @cached_property
    def _reached(self) -> dict[Path, frozenset[Path]]:
        return {}

    @cached_property
    def _included(self) -> dict[Path, tuple[Path, ...]]:
        return {}

    def includes(self, path: Path) -> tuple[Path, ...]:
        """The files of this root that a file includes. A name that several files could mean stands for all of them."""
        if path not in self._included:
            held = self.resolver.texts.read(path)
            found = _INCLUDE.findall(held.data) if isinstance(held, TextFile) else []
            files = [file for mark, name in found for file in self._meant(path, name.decode("utf-8", "replace"), mark == b'"')]
            self._included[path] = tuple(dict.fromkeys(files))
        return self._included[path]

    def _meant(self, importer: Path, source: str, quoted: bool) -> tuple[Path, ...]:
        beside = Path(os.path.normpath(importer.parent / source))
        if quoted and beside in self.resolver.files:
            return (beside,)
        clean = os.path.normpath(source).lstrip("./")
        return tuple(file for file in self._by_name.get(clean.rpartition("/")[2], ()) if file.as_posix().endswith("/" + clean))

    def closure(self, path: Path) -> frozenset[Path]:
        """A file with all that it includes, near and far."""
        if path not in self._reached:
            found: set[Path] = set()
            todo = [path]
            while todo:
                here = todo.pop()
                if here not in found:
                    found.add(here)
                    todo += [file for file in self.includes(here) if file not in found]
            self._reached[path] = frozenset(found)
        return self._reached[path]

    def find(self, importer: Path, source: str) -> Path | None:
        return next(iter(self._meant(importer, source.strip("<>"), not source.startswith("<"))), None)

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        """`using shop::total`, `using namespace shop`, `namespace s = shop`."""
        space = source.replace(" ", "")
        if name in ("*", _USING):
            return frozenset({Module(path, "c", space)})
        holder = self._space(path, space, depth)
        return self.resolver.members(holder, name, depth + 1)

    def _space(self, path: Path, name: str, depth: int) -> Refs:
        """The namespace or the class that a qualified name means."""
        first, *rest = name.lstrip(":").split("::")
        refs = self.resolver.name(path, first, 0, depth + 1)
        for part in rest:
            refs = self.resolver.members(refs, part, depth + 1)
        return refs

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        if module.name == "std" and not self._is_space("std"):
            return frozenset({Elsewhere(f"{name} of the standard library")})
        found = self._global(module.path, (module.name,), name, frozenset(), depth)
        if found:
            return found
        inner = f"{module.name}::{name}" if module.name else name
        if self._is_space(inner):
            return frozenset({Module(module.path, "c", inner)})
        return unknown(f"nothing that is included declares {name} in {module.name or 'no namespace'}")

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        if name == "::":
            return frozenset({Module(path, "c", "")})
        plain = name.rstrip(TYPED + TAG)
        kinds = frozenset[SymbolKind]() if plain == name else frozenset({SymbolKind.CLASS}) if name.endswith(TAG) else _TYPES
        spaces = self._around(outline, at)
        for wanted in (plain + TAG, plain) if name.endswith(TAG) else (plain, plain + TAG):
            if kinds and (own := self._typed(path, outline, wanted, kinds, at, depth)):
                return own
            if found := self._global(path, spaces, wanted, kinds, depth):
                return found
            for space in self._used(path, outline, at):
                if found := self._global(path, (space, *(f"{around}::{space}" for around in spaces if around)), wanted, kinds, depth):
                    return found
        if name.endswith(TYPED) and outline.classes is ClassNames.OPEN:
            # What stands among the arguments of a template may be a value.
            values = self.resolver.name(path, plain, at, depth + 1)
            return frozenset(ref for ref in values if not isinstance(ref, Key) or not self.resolver.is_local(ref)) or unknown(
                "it is no type"
            )
        for around in (*spaces, *self._used(path, outline, at)):
            if self._is_space(inner := f"{around}::{plain}" if around else plain):
                return frozenset({Module(path, "c", inner)})
        if plain == "std":
            return frozenset({Module(path, "c", "std")})
        if plain in PREDEFINED:
            return frozenset({Elsewhere(f"the language's own {plain}")})
        return unknown("nothing that its file includes declares it")

    def _typed(self, path: Path, outline: Outline, name: str, kinds: frozenset[SymbolKind], at: int, depth: int) -> Refs:
        """A type in the scopes around it, past variables and functions of the same name."""
        for scope in outline.chain(at):
            bound = tuple(b for b in outline.bindings.get((scope, name), ()) if b.kind in kinds or b.source is not None)
            if bound:
                return self.resolver.follow_all(path, bound, depth)
            if outline.scopes[scope].kind is ScopeKind.CLASS and not outline.bindings.get((scope, name)):
                found = self.resolver.member(Klass(path, scope), name, depth + 1)
                if types := frozenset(ref for ref in found if isinstance(ref, Key) and self.resolver.kind(ref) in _TYPES):
                    return types
        return frozenset()

    def _around(self, outline: Outline, at: int) -> tuple[str, ...]:
        """The namespaces around a byte, innermost first, "" for what is in none."""
        name = self._spaced(outline, outline.scope_at(at))
        part = next((i for i in outline.ancestors(outline.scope_at(at)) if outline.scopes[i].part), -1)
        parts = name.split("::") if name else []
        around = ["::".join(parts[:count]) for count in range(len(parts), 0, -1)]
        if part >= 0 and (space := self._part_of(outline, part)):
            around.insert(0, space)
        return (*around, "")

    def _part_of(self, outline: Outline, index: int) -> str:
        """The namespace that `int shop::total()` defines something of, "" where it is a class."""
        scope = outline.scopes[index]
        name = self._spaced(outline, index)
        inner = f"{name}::{scope.name}" if name else scope.name
        return inner if self._is_space(inner) else ""

    def _spaced(self, outline: Outline, index: int) -> str:
        scopes = [outline.scopes[i] for i in outline.ancestors(index) if outline.scopes[i].kind is ScopeKind.NAMESPACE]
        return "::".join("".join(scope.name.split()) for scope in reversed(scopes) if scope.name)

    def _used(self, path: Path, outline: Outline, at: int) -> Iterator[str]:
        """The namespaces that are taken over where byte `at` is."""
        for scope in outline.chain(at):
            yield from (binding.source for binding in outline.bindings.get((scope, _USING), ()) if binding.source)

    def _is_space(self, name: str) -> bool:
        """Whether a namespace of this name is opened anywhere, or one in it."""
        if name not in self._spaces:
            last = name.rpartition("::")[2]
            self._spaces[name] = any(
                held == name or held.startswith(name + "::")
                for path, outline in self.holding(self._sources(last, "namespace"), last, "namespace")
                for held in self._opened(path, outline)
            )
        return self._spaces[name]

    @cached_property
    def _spaces(self) -> dict[str, bool]:
        return {}

    def _sources(self, *wanted: str) -> list[Path]:
        return [path for path in self.resolver.texts.holding(*wanted).files if _is_ours(path)]

    def _global(self, path: Path, spaces: Iterable[str], name: str, kinds: frozenset[SymbolKind], depth: int) -> Refs:
        """What a file and all that it includes declare under a name in the first of the namespaces that has it."""
        reached = self.closure(path)
        files = [file for file in self._sources(word(name)) if file in reached]
        for space in spaces:
            found: set[Ref] = set()
            for file in files:
                for key, bound in self._declared(file, space, name):
                    if not kinds or any(b.kind in kinds for b in bound):
                        found |= self.resolver.follow_all(file, bound, depth + 1) if any(b.source for b in bound) else {key}
            if found:
                return frozenset(found)
        return frozenset()

    def _declared(self, path: Path, space: str, name: str) -> Iterator[tuple[Key, tuple[Binding, ...]]]:
        """The declarations of a name in all scopes of a namespace in one file."""
        outline = self.resolver.outline(path)
        for scope in self._opened(path, outline).get(space, ()) if outline is not None else ():
            if bound := outline.bindings.get((scope, name)) if outline is not None else None:
                yield Key(path, scope, name), bound
        last = space.rpartition("::")[2]
        for scope in self.classes_in(path, outline).get(last, ()) if outline is not None and last else ():
            bound = outline.bindings.get((scope, name)) if outline is not None else None
            if bound and outline is not None and outline.scopes[scope].part and self._part_of(outline, scope) == space:
                yield Key(path, scope, name), bound

    def _opened(self, path: Path, outline: Outline) -> Mapping[str, tuple[int, ...]]:
        """The scopes of a file that are part of a namespace, by its name; "" is no namespace."""
        if path not in self._openings:
            found: dict[str, tuple[int, ...]] = {"": (0,)}
            for index, scope in enumerate(outline.scopes):
                if scope.kind is ScopeKind.NAMESPACE and (name := self._spaced(outline, index)):
                    found[name] = (*found.get(name, ()), index)
            self._openings[path] = found
        return self._openings[path]

    @cached_property
    def _openings(self) -> dict[Path, Mapping[str, tuple[int, ...]]]:
        return {}

    # One symbol in many places

    def twins(self, key: Key) -> Iterable[Key]:
        outline = self.resolver.outline(key.path)
        if outline is None:
            return
        kind = outline.scopes[key.scope].kind
        if kind is ScopeKind.CLASS and outline.scopes[key.scope].part and (space := self._part_of(outline, key.scope)):
            yield from self._linked(key, space) - {key}
        elif kind is ScopeKind.CLASS:
            yield from (Key(part.path, part.scope, key.name) for part in self.parts(Klass(key.path, key.scope), key.name))
        elif kind in (ScopeKind.MODULE, ScopeKind.NAMESPACE) and not self._is_private(key):
            yield from self._linked(key, self._spaced(outline, key.scope)) - {key}

    def _is_private(self, key: Key) -> bool:
        return any(binding.private for binding in self.resolver.bindings_of(key))

    def _linked(self, key: Key, space: str) -> frozenset[Key]:
        """The declarations that are one with a key: of two files, one includes the other; or there is but one definition."""
        keys = [
            k for path in self._sources(word(key.name)) for k, b in self._declared(path, space, key.name) if not any(o.source for o in b)
        ]
        open_keys = {k for k in keys if not self._is_private(k)} | {key}
        groups: list[set[Key]] = []
        for each in sorted(open_keys, key=str):
            near = [group for group in groups if any(self._meet(each, other) for other in group)]
            groups = [group for group in groups if group not in near]
            groups.append({each}.union(*near))
        defining = [group for group in groups if any(self._defines(k) for k in group)]
        if len(defining) == 1:
            # What is declared without its header is what the one definition defines.
            loose = [group for group in groups if group not in defining and all(self._is_function(k) for k in group)]
            groups = [group for group in groups if group not in loose and group not in defining] + [defining[0].union(*loose)]
        return frozenset(next(group for group in groups if key in group))

    def _meet(self, one: Key, other: Key) -> bool:
        return one.path == other.path or one.path in self.closure(other.path) or other.path in self.closure(one.path)

    def _is_function(self, key: Key) -> bool:
        return self.resolver.kind(key) in (SymbolKind.FUNCTION, SymbolKind.METHOD)

    def _defines(self, key: Key) -> bool:
        """Whether a function has its body here."""
        outline, held = self.resolver.outline(key.path), self.resolver.texts.read(key.path)
        if outline is None or not isinstance(held, TextFile) or not self._is_function(key):
            return False
        return any(b.inner >= 0 and held.data[outline.scopes[b.inner].end - 1 :][:1] != b";" for b in self.resolver.bindings_of(key))

    # Classes

    def whole(self, held: Klass) -> Klass:
        if held not in self._wholes:
            self._wholes[held] = held
            outline = self.resolver.outline(held.path)
            if outline is not None and outline.scopes[held.scope].part:
                self._wholes[held] = self._class(held, outline)
        return self._wholes[held]

    @cached_property
    def _wholes(self) -> dict[Klass, Klass]:
        return {}

    def _class(self, held: Klass, outline: Outline) -> Klass:
        """The class that a definition outside of it belongs to: by name, or the only one of that name that is included."""
        scope = outline.scopes[held.scope]
        around = outline.scopes[scope.parent].start if scope.parent > 0 else 0
        refs = self.resolver.name(held.path, scope.name + TYPED, max(around, 0))
        found = {ref for ref in self.resolver.classes(refs) if isinstance(ref, Klass)}
        if not found:
            for path, other in self.holding((p for p in self._sources(scope.name) if p in self.closure(held.path)), scope.name):
                found |= {Klass(path, index) for index in self.classes_in(path, other).get(scope.name, ()) if not other.scopes[index].part}
        return min(found, key=str) if found else held

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        whole = self.whole(held)
        if (whole, name) not in self._parts:
            self._parts[whole, name] = tuple(self._pieces(whole, name))
        return [part for part in self._parts[whole, name] if part != held]

    @cached_property
    def _parts(self) -> dict[tuple[Klass, str], tuple[Klass, ...]]:
        return {}

    def _pieces(self, whole: Klass, name: str) -> Iterator[Klass]:
        outline = self.resolver.outline(whole.path)
        called = outline.scopes[whole.scope].name if outline is not None else ""
        if outline is None or not called or outline.scopes[whole.scope].kind is not ScopeKind.CLASS:
            return
        if not name or (whole.scope, name) in outline.bindings:
            yield whole
        for path, other in self.holding(self._sources(called, name), called, name) if name else ():
            for index in self.classes_in(path, other).get(called, ()):
                if other.scopes[index].part and (index, name) in other.bindings and self.whole(Klass(path, index)) == whole:
                    yield Klass(path, index)

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        """The name of the class itself, and those of its bases: constructors are called by them."""
        outline = self.resolver.outline(held.path)
        if outline is None:
            return frozenset()
        scope = outline.scopes[held.scope]
        if scope.name == name:
            refs = self.resolver.name(held.path, name + TYPED, max(scope.start - 1, 0), depth + 1)
            return frozenset(ref for ref in refs if isinstance(ref, Key))
        if scope.part and (space := self._part_of(outline, held.scope)):
            return certain(self.exported(Module(held.path, "c", space), name, depth + 1))
        for base in scope.bases:
            if last_name(base.name) == name:
                return self.resolver.value(held.path, base, depth + 1)
        return frozenset()

    def beyond(self, key: Key) -> bool:
        return self.resolver.is_member(key) and self._opens(Klass(key.path, key.scope), set())

    def _opens(self, held: Klass, seen: set[Klass]) -> bool:
        """Whether a class has a base, near or far, that is not of this root."""
        if held in seen:
            return False
        seen.add(held)
        return any(not isinstance(base, Klass) or self._opens(base, seen) for base in self.resolver.bases(self.whole(held)))

    def may_be_ours(self, annotation: str) -> bool:
        return True

    def makes(self, name: str) -> bool:
        return False

    # Types

    def predefined(self, name: str) -> bool:
        return name.rstrip(TYPED) in PREDEFINED

    def type_names(self, annotation: str) -> tuple[str, ...]:
        return type_names(annotation)

    def item(self, annotation: str) -> str:
        return item(annotation)


def _is_ours(path: Path) -> bool:
    language = language_of(path)
    return language is not None and language.family == "c"


def _named(files: Iterable[Path]) -> Mapping[str, tuple[Path, ...]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(files):
        if _is_ours(path) or path.suffix in (".def", ".inc", ".h.in", ""):
            found.setdefault(path.name, []).append(path)
    return {name: tuple(held) for name, held in found.items()}
