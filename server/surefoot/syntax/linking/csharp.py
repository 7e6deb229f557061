"""C#: names live in namespaces that any file may add to; classes may be partial, and methods may be added to types from outside."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.csharp_library import LENT, OBJECT, OPEN, PREDEFINED, SEALED, SYSTEM
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.outline import CALLED, HIDDEN_SCOPES, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, Unknown, certain, unknown

_TRANSPARENT = names("Task ValueTask Nullable Lazy WeakReference")
_ALONE = re.compile(rb"\b(?:static|private|const)\b")
_LIBRARY = re.compile(r"(?:global::)?(?:System|Microsoft\.CSharp|Microsoft\.Win32)(?:\.|$)")
_DOTTED = re.compile(r"(?:global\s*::\s*)?(?P<name>[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)*)\s*(?:<(?P<given>.*)>)?\s*\??", re.DOTALL)
_ITEM = re.compile(r"[\w.\s]+<(?P<given>.*)>", re.DOTALL)
_SPACE = re.compile(rb"\bnamespace\s+([A-Za-z_][\w.]*)")
_GLOBAL = re.compile(rb"^\s*global\s+using\s+(?:static\s+)?(?:([\w]+)\s*=\s*)?((?:global::)?[\w.]+)", re.MULTILINE)
_EXTENSION = re.compile(rb"\(\s*(?:\[[^\]]*\]\s*)?this\s+(?:(?:ref|in|scoped|readonly)\s+)*(?P<type>[^,()=]*?)\s*@?\w+\s*[,)=]")
_DEFINES = re.compile(rb"\b(?:class|struct|interface|enum|record)\s+\Z|\bdelegate\s[^;{}()=]*\s\Z")
_PARTIAL = re.compile(rb"\bpartial\s+(?:class|struct|interface|record(?:\s+(?:class|struct))?)\s+\Z")
_NEAR = 120
"""Bytes before a name in which the word is looked for that makes it a type."""


class CSharpLinker(Linker):
    """C#'s namespaces, partial classes and extension methods."""

    overloads = True
    converts = True

    # What is where

    @cached_property
    def _found(self) -> dict[str, tuple[tuple[str, Key], ...]]:
        return {}

    def _defined(self, name: str) -> tuple[tuple[str, Key], ...]:
        """Every type of this name that stands in no other type, with its namespace."""
        if name not in self._found:
            found: list[tuple[str, Key]] = []
            for path, outline in self._saying(name, _DEFINES):
                for scope, bindings in outline.named(name):
                    kinds = {binding.kind for binding in bindings if binding.source is None}
                    if kinds & {SymbolKind.CLASS, SymbolKind.TYPE} and (space := _space(outline, scope)) is not None:
                        found.append((space, Key(path, scope, name)))
            self._found[name] = tuple(found)
        return self._found[name]

    def _saying(self, name: str, before: re.Pattern[bytes]) -> Iterator[tuple[Path, Outline]]:
        """Files in which the name stands after these words somewhere."""
        for path in self.resolver.texts.holding(name).files:
            if path.suffix == ".cs" and self._says(path, name, before) and (outline := self.resolver.outline(path)) is not None:
                yield path, outline

    def _says(self, path: Path, name: str, before: re.Pattern[bytes]) -> bool:
        held = self.resolver.texts.read(path)
        data = held.data if isinstance(held, TextFile) else b""
        places = (found.start() for found in re.finditer(re.escape(name.encode()), data))
        return any(before.search(data, max(0, at - _NEAR), at) for at in places)

    def _type(self, space: str, name: str) -> Refs:
        """The classes of this name in a namespace, empty where there is none."""
        return frozenset(key for where, key in self._defined(name) if where == space)

    def _is_space(self, space: str) -> bool:
        """Whether a file says that it adds to this namespace, or to one below it."""
        return space in self._spaces

    @cached_property
    def _spaces(self) -> frozenset[str]:
        """Every namespace that a file speaks of, with those around it."""
        found: set[str] = set()
        for path in self.resolver.texts.holding("namespace").files:
            held = self.resolver.texts.read(path) if path.suffix == ".cs" else None
            said = {each[1].decode() for each in _SPACE.finditer(held.data)} if isinstance(held, TextFile) else set[str]()
            whole = said if len(said) < 2 else said | {f"{outer}.{inner}" for outer in said for inner in said if outer != inner}
            found.update(around for space in whole for around in _around(space))
        return frozenset(found - {""})

    @cached_property
    def _globals(self) -> tuple[tuple[str, str], ...]:
        """What `global using` says, anywhere: another name or "", and what it means."""
        found: dict[tuple[str, str], None] = {}
        for path in self.resolver.texts.holding("global").files:
            held = self.resolver.texts.read(path) if path.suffix == ".cs" else None
            for said in _GLOBAL.finditer(held.data) if isinstance(held, TextFile) else ():
                found[(said[1] or b"").decode(), said[2].decode().removeprefix("global::")] = None
        return tuple(found)

    # Imports

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        dotted = _plain(source) if name == "*" else f"{_plain(source)}.{name}"
        outline = self.resolver.outline(path)
        found = self._named(dotted, outline.package if outline is not None else "", depth)
        if not found and self._is_space(dotted):
            return frozenset({Module(path, "csharp", dotted)})
        return found or self.not_found(path, dotted)

    def _named(self, dotted: str, package: str, depth: int) -> Refs:
        """The classes that a qualified name means, seen from a namespace; empty where none of ours bears it."""
        parts = dotted.split(".")
        for around in _around(package):
            for count in range(len(parts) - 1, -1, -1):
                space = ".".join((*((around,) if around else ()), *parts[:count]))
                refs = self._type(space, parts[count])
                for part in parts[count + 1 :] if refs else ():
                    refs = certain(self.resolver.members(refs, part, depth + 1))
                if refs:
                    return refs
        return frozenset()

    def outside(self, importer: Path, source: str) -> bool:
        return _LIBRARY.match(source) is not None and not self._is_space(_plain(source))

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        if found := self._type(module.name, name):
            return found
        inside = f"{module.name}.{name}"
        if self._is_space(inside):
            return frozenset({Module(module.path, "csharp", inside)})
        return unknown(f"the namespace {module.name} does not define {name}")

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        spaces = list(self._spaces_at(outline, at))
        for space in spaces:
            if found := self._type(space, name):
                return found
        stars = (*outline.stars, *(source for alias, source in self._globals if not alias))
        aliases = [source for alias, source in self._globals if alias == name]
        if aliases:
            return frozenset(ref for source in aliases for ref in self.imported(path, source, "*", depth))
        taken: set[Ref] = set()
        vague = library = False
        for source in dict.fromkeys(stars):
            refs, doubt = self._starred(path, _plain(source), name, spaces, depth)
            taken |= refs
            vague |= doubt
            library |= _LIBRARY.match(source) is not None
        if taken:
            return frozenset(taken)
        if name in SYSTEM and (library or not outline.stars):
            return frozenset({Elsewhere(f"{name} of the library")})
        for space in spaces:
            if self._is_space(f"{space}.{name}" if space else name):
                return frozenset({Module(path, "csharp", f"{space}.{name}" if space else name)})
        if name in ("System", "nameof"):
            return frozenset({Elsewhere("C#'s own library")})
        if not name.endswith("Attribute") and (attribute := self._attribute(path, outline, name, at, depth)):
            return attribute
        return unknown("it may come from a namespace that is not found" if vague else "nothing in this namespace binds the name")

    def _attribute(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        """The class `NameAttribute`, of which an attribute may leave out the end."""
        longer = f"{name}Attribute"
        if not self._defined(longer):
            return frozenset()
        return frozenset(ref for ref in self.unbound(path, outline, longer, at, depth + 1) if isinstance(ref, Key))

    def _spaces_at(self, outline: Outline, at: int) -> Iterator[str]:
        """The namespaces whose names are seen at a byte, the nearest first."""
        named = [outline.scopes[i].name for i in outline.ancestors(outline.scope_at(at)) if outline.scopes[i].kind is ScopeKind.NAMESPACE]
        yield from _around(".".join(reversed(named)) or outline.package)

    def _starred(self, path: Path, source: str, name: str, spaces: Iterable[str], depth: int) -> tuple[Refs, bool]:
        """What `using source` or `using static source` gives under a name, and whether it might give it without our knowing."""
        for around in dict.fromkeys(("", *spaces)):
            space = f"{around}.{source}" if around else source
            if found := self._type(space, name):
                return found, False
            if not source.startswith("System") and self._is_space(space):
                return frozenset(), False
        if holders := self._named(source, "", depth):
            refs = self.resolver.members(holders, name, depth + 1)
            return frozenset(ref for ref in refs if isinstance(ref, Key)), False
        return frozenset(), not self.outside(path, source)

    # Classes

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        for part in self._all_parts(held):
            outline = self.resolver.outline(part.path)
            if outline is not None and ((part.scope, name) in outline.bindings if name else outline.scopes[part.scope].bases):
                yield part

    def _all_parts(self, held: Klass) -> tuple[Klass, ...]:
        """The other parts of a partial class, none for any other class."""
        if held not in self._parts:
            self._parts[held] = tuple(self._parts_of(held))
        return self._parts[held]

    @cached_property
    def _parts(self) -> dict[Klass, tuple[Klass, ...]]:
        return {}

    def _parts_of(self, held: Klass) -> Iterator[Klass]:
        outline = self.resolver.outline(held.path)
        if outline is None or not (scope := outline.scopes[held.scope]).name or scope.kind is not ScopeKind.CLASS:
            return
        if not self._says(held.path, scope.name, _PARTIAL):
            return
        whole = _whole(outline, held.scope)
        for path, other in self._saying(scope.name, _PARTIAL):
            for index in self.classes_in(path, other).get(scope.name, ()):
                if (path, index) != (held.path, held.scope) and _whole(other, index) == whole:
                    yield Klass(path, index)

    def twins(self, key: Key) -> Iterable[Key]:
        """A class, its parts and its constructors are one symbol; so is what a partial method declares and defines."""
        outline = self.resolver.outline(key.path)
        if outline is None:
            return
        if key.name.endswith(CALLED):
            for scope, bindings in outline.named(word(key.name)):
                if any(b.inner == key.scope and b.kind is SymbolKind.CLASS for b in bindings):
                    own = Key(key.path, scope, word(key.name))
                    yield own
                    yield from (twin for twin in self.twins(own) if twin != key)
            return
        for binding in outline.bindings.get((key.scope, key.name), ()):
            if binding.kind is SymbolKind.CLASS and binding.inner >= 0:
                held = Klass(key.path, binding.inner)
                for part in (held, *self._all_parts(held)):
                    yield from self._bound_by(part, key)
        if outline.scopes[key.scope].kind is ScopeKind.CLASS:
            yield from (Key(part.path, part.scope, key.name) for part in self.parts(Klass(key.path, key.scope), key.name))

    def _bound_by(self, part: Klass, key: Key) -> Iterator[Key]:
        """The names that stand for a part of a class: its own, and those of its constructors."""
        outline = self.resolver.outline(part.path)
        if outline is None:
            return
        if (part.scope, key.name + CALLED) in outline.bindings:
            yield Key(part.path, part.scope, key.name + CALLED)
        for scope, bindings in outline.named(key.name):
            own = Key(part.path, scope, key.name)
            if own != key and any(b.inner == part.scope for b in bindings):
                yield own

    def extended(self, path: Path, holders: Refs, refs: Refs, name: str) -> Refs:
        if any(isinstance(ref, Key) for ref in refs):
            return refs
        found: set[Ref] = set()
        for key, said in self._extensions(name):
            fits = [self._fits(path, held, key, said) for held in self.resolver.classes(holders)]
            if True in fits:
                found.add(key)
            elif None in fits and not any(isinstance(ref, Unknown) and not ref.outside for ref in refs):
                found.add(Unknown(f"it may be the extension method {name}"))
        return frozenset(found) or refs

    def _extensions(self, name: str) -> tuple[tuple[Key, str], ...]:
        """The extension methods of a name, with the type that each is for."""
        if name not in self._added:
            self._added[name] = tuple(self._extensions_of(name))
        return self._added[name]

    @cached_property
    def _added(self) -> dict[str, tuple[tuple[Key, str], ...]]:
        return {}

    def _extensions_of(self, name: str) -> Iterator[tuple[Key, str]]:
        pattern = re.compile(rf"{re.escape(name)}\s*(?:<[^()]*>)?\s*\(\s*(?:\[[^\]]*\]\s*)?this\s".encode())
        for path in self.resolver.texts.holding(name, "this").files:
            held = self.resolver.texts.read(path) if path.suffix == ".cs" else None
            if not isinstance(held, TextFile) or not pattern.search(held.data) or (outline := self.resolver.outline(path)) is None:
                continue
            for scope, bindings in outline.named(name):
                for start in (outline.scopes[binding.inner].start for binding in bindings if binding.inner >= 0):
                    if (said := _EXTENSION.match(held.data, start)) is not None:
                        yield Key(path, scope, name), said["type"].decode("utf-8", "replace").strip()

    def _fits(self, path: Path, held: Ref, key: Key, said: str) -> bool | None:
        """Whether an extension method for the type `said` is one of what `held` has; None where that cannot be told."""
        wanted = self.type_names(said)
        last = wanted[0].rpartition(".")[2] if wanted else ""
        if isinstance(held, Klass):
            binding = next(iter(self.resolver.bindings_of(key)), None)
            types = self.resolver.types(key.path, said, binding.start) if binding is not None else frozenset[Ref]()
            above = set(self._above(held, set()))
            if above & types:
                return True
            opens = any(not isinstance(base, Klass) for base in above)
            return None if opens or not all(isinstance(ref, Klass) for ref in types) else False
        if isinstance(held, Elsewhere) or (isinstance(held, Unknown) and held.outside):
            what = held.what if isinstance(held, Elsewhere) else held.why
            if last and re.search(rf"\b{last}\b", what, re.IGNORECASE):
                return True
            return False if last in SEALED else None
        return None

    def _above(self, held: Ref, seen: set[Ref]) -> Iterator[Ref]:
        """A class and all of its bases."""
        if held in seen:
            return
        seen.add(held)
        yield held
        for base in self.resolver.bases(held) if isinstance(held, Klass) else ():
            yield from self._above(base, seen)

    def alone(self, key: Key) -> bool:
        return all(_ALONE.search(text) and b"partial" not in text for text in self.declared(key))

    def beyond(self, key: Key) -> bool:
        if word(key.name) in OBJECT:
            return True
        if not self.resolver.is_member(key):
            return False
        return not self.alone(key) and self.opens(Klass(key.path, key.scope), key.name, set())

    def may_declare(self, source: str, base: str, member: str) -> bool:
        return member in OBJECT or member in LENT.get(base, (member,))

    # Types

    def constructors(self, name: str) -> tuple[str, ...]:
        return (name + CALLED,)

    def predefined(self, name: str) -> bool:
        return name in PREDEFINED - OPEN

    def type_names(self, annotation: str) -> tuple[str, ...]:
        text = annotation.strip()
        if text[:1] in '"$@':
            return ("string",)
        if text.startswith("typeof"):
            return ("Type",)
        for _ in range(4):  # Task<Cart?>? and the like
            found = _DOTTED.fullmatch(text.removeprefix("ref ").removeprefix("scoped ").strip())
            if found is None:
                return ()
            name = re.sub(r"\s", "", found["name"])
            if name.rpartition(".")[2] not in _TRANSPARENT or not found["given"]:
                return () if name in OPEN else (name,)
            text = found["given"].strip()
        return ()

    def may_be_ours(self, annotation: str) -> bool:
        return not all(name.rpartition(".")[2] in SEALED for name in self.type_names(annotation))

    def makes(self, name: str) -> bool:
        # A method of the library may give anything, `list.First()`; a class gives what it says. Both begin with a capital.
        return name in SYSTEM

    def item(self, annotation: str) -> str:
        text = annotation.strip().removesuffix("?")
        if text.endswith("]"):
            return text[: text.rindex("[")].strip()
        found = _ITEM.fullmatch(text)
        given = alternatives(found["given"], ",") if found is not None else []
        return given[-1].strip() if given else ""


def _plain(source: str) -> str:
    return source.removeprefix("global::")


def _around(space: str) -> Iterator[str]:
    """A namespace and those around it, up to the nameless one."""
    parts = space.split(".") if space else []
    for count in range(len(parts), -1, -1):
        yield ".".join(parts[:count])


def _space(outline: Outline, scope: int) -> str | None:
    """The namespace that a scope is, None inside of a class or a function."""
    around = [outline.scopes[i] for i in outline.ancestors(scope)]
    if any(each.kind in HIDDEN_SCOPES or each.kind is ScopeKind.FUNCTION for each in around):
        return None
    return ".".join(each.name for each in reversed(around) if each.kind is ScopeKind.NAMESPACE) or outline.package


def _whole(outline: Outline, scope: int) -> str:
    """The full name of a class."""
    dotted = outline.dotted(scope)
    return f"{outline.package}.{dotted}" if outline.package else dotted
