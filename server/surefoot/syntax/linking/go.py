"""Go: a package is all the files of a folder, found by the module path of a go.mod; methods and interfaces meet without saying so."""

import os.path
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.outline import Outline, ScopeKind
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, unknown

_MODULE = re.compile(r'^\s*module\s+"?([^\s"]+)', re.MULTILINE)
_REPLACE = re.compile(r"^\s*(?:replace\s+)?([^\s/]\S*)(?:\s+v\S+)?\s*=>\s*(\.{1,2}(?:/\S*)?)\s*(?://.*)?$", re.MULTILINE)
_VERSION = re.compile(r"^v\d+$")
_ITEM = re.compile(r"\s*(?:\[[^\[\]]*\]|map\[[^\[\]]*\]|(?:<-\s*)?chan\b(?:\s*<-)?)\s*(.+)", re.DOTALL)
_NAMED = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*)?")
_PARAMETER = re.compile(r"(?!(?:chan|func|map|struct|interface)\b)([^\W\d]\w*)\s+(.+)", re.DOTALL)
_NOT_TYPES = frozenset({"chan", "func", "map", "struct", "interface"})
_PREDEFINED = names(
    "bool string int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr byte rune float32 float64 complex64 complex128"
)
_PREDECLARED = _PREDEFINED | names(
    "any comparable error true false iota nil append cap clear close complex copy delete imag len make max min new panic print "
    "println real recover"
)
_LIBRARY = names(
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html "
    "image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs "
    "sync syscall testing text time unicode unique unsafe weak C"
)
"""First elements of the standard library's import paths."""

_ONCE_EACH = frozenset({"init", "_"})
"""Names that several definitions of a package may have without being the same."""


class GoLinker(Linker):
    """Go's packages, method sets and interfaces. Build constraints are not read: what only one platform sees counts everywhere."""

    # Packages

    def find(self, importer: Path, source: str) -> Path | None:
        vendored = (base / "vendor" / source for base in self._bases(importer))
        return next((folder for folder in (*vendored, *self._candidates(source)) if folder in self._folders), None)

    def _bases(self, importer: Path) -> Iterator[Path]:
        for folder in importer.parents:
            if folder in self._modules.values() or folder == self.resolver.root:
                yield folder

    def _candidates(self, source: str) -> Iterator[Path]:
        """Folders that an import path may mean: below the module with the longest path that begins it."""
        parts = source.split("/")
        for count in range(len(parts), 0, -1):
            for folders in (self._replaced, self._modules):
                if (base := folders.get("/".join(parts[:count]))) is not None:
                    yield base.joinpath(*parts[count:])
        if not self._modules:
            # Without a go.mod the end of the path has to do, as in a workspace of old.
            yield from (
                base.joinpath(*parts[first:]) for first in range(len(parts)) for base in (self.resolver.root / "src", self.resolver.root)
            )

    @cached_property
    def _folders(self) -> Mapping[Path, tuple[Path, ...]]:
        """Folders with their Go files."""
        found: dict[Path, list[Path]] = {}
        for path in sorted(self.resolver.files.ending(".go")):
            found.setdefault(path.parent, []).append(path)
        return {folder: tuple(files) for folder, files in found.items()}

    @cached_property
    def _settings(self) -> tuple[tuple[Path, str], ...]:
        held = [self.resolver.texts.read(path) for path in sorted(self.resolver.files.called("go.mod", "go.work"))]
        return tuple((file.path, file.text) for file in held if isinstance(file, TextFile))

    @cached_property
    def _modules(self) -> Mapping[str, Path]:
        named = [(_MODULE.search(text), path) for path, text in self._settings if path.name == "go.mod"]
        return {found[1]: path.parent for found, path in named if found is not None}

    @cached_property
    def _replaced(self) -> Mapping[str, Path]:
        return {
            found[1]: Path(os.path.normpath(path.parent / found[2])) for path, text in self._settings for found in _REPLACE.finditer(text)
        }

    def outside(self, importer: Path, source: str) -> bool:
        first = source.partition("/")[0]
        inside = any(source == module or source.startswith(module + "/") for module in self._modules)
        return "." not in first and not inside and (first in _LIBRARY or bool(self._modules))

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        folder = self.find(path, source)
        if folder is None:
            return self.not_found(path, source)
        module = Module(folder, "go")
        return frozenset({module}) if name == "*" else self.resolver.exported(module, name, depth + 1)

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        found = self._defined(module.path, None, name)
        return found or unknown(f"the package {module.path.name} does not define {name}")

    def _defined(self, folder: Path, package: str | None, name: str) -> Refs:
        """Definitions at the top of a package's files; without `package` those of what a folder offers to importers."""
        found: set[Ref] = set()
        for path, outline in self._package(folder, package, name):
            if any(binding.source is None for binding in outline.bindings.get((0, name), ())):
                found.add(Key(path, 0, name))
        return frozenset(found)

    def _package(self, folder: Path, package: str | None, *names: str) -> Iterator[tuple[Path, Outline]]:
        for path, outline in self.holding(self._folders.get(folder, ()), *names):
            if outline.package == package or (package is None and not outline.package.endswith("_test")):
                yield path, outline

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        if found := self._defined(path.parent, outline.package, name):
            return found
        if found := self._called(path, outline, name):
            return found
        taken: set[Ref] = set()
        vague = False
        for source in outline.stars:
            folder = self.find(path, source)
            taken |= self._defined(folder, None, name) if folder is not None else frozenset[Ref]()
            vague |= folder is None and not self.outside(path, source)
        if taken:
            return frozenset(taken)
        if name in _PREDECLARED:
            return frozenset({Elsewhere(f"Go's own {name}")})
        return unknown("it may come from a package that is not found" if vague else "nothing in this package binds the name")

    def _called(self, path: Path, outline: Outline, name: str) -> Refs:
        """A package that calls itself otherwise than its folder: `import "shop/go-core"` for `package core`."""
        for bindings in outline.bindings.values():
            for binding in bindings:
                if binding.source is None or binding.imported != "*" or binding.scope:
                    continue
                folder = self.find(path, binding.source)
                if folder is not None and self._name(folder) == name:
                    return frozenset({Module(folder, "go")})
                if folder is None and name in _likely_names(binding.source):
                    return self.not_found(path, binding.source)
        return frozenset()

    def _name(self, folder: Path) -> str:
        return next((outline.package for _, outline in self._package(folder, None)), "")

    # Types

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        outline = self.resolver.outline(held.path)
        if outline is None or not (scope := outline.scopes[held.scope]).name or not self._top(outline, held.scope):
            return
        wanted = (scope.name, name) if name else (scope.name,)
        if not name and not scope.part:
            return
        for path, other in self._package(held.path.parent, outline.package, *wanted):
            for index in self.classes_in(path, other).get(scope.name, ()):
                asked = (index, name) in other.bindings if name else not other.scopes[index].part
                if asked and (path, index) != (held.path, held.scope) and self._top(other, index):
                    yield Klass(path, index)

    def _top(self, outline: Outline, index: int) -> bool:
        """Whether a class is one of the package: nothing but the scope of type parameters may stand around it."""
        around = [outline.scopes[i] for i in outline.ancestors(outline.scopes[index].parent)]
        return all(scope.kind in (ScopeKind.MODULE, ScopeKind.BLOCK) for scope in around)

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        # An embedded type is a field that bears the name of the type: both are one symbol.
        for part in (held, *self.parts(held, "")):
            outline = self.resolver.outline(part.path)
            for base in outline.scopes[part.scope].bases if outline is not None else ():
                if base.name == name:
                    return self.resolver.value(part.path, base, depth)
        return frozenset()

    def overrides(self, held: Klass, base: Klass) -> bool:
        # An embedded struct lends its methods; a method of the same name hides them and stands in for none.
        return self._is_interface(held)

    def _is_interface(self, held: Klass) -> bool:
        outline = self.resolver.outline(held.path)
        if outline is None or outline.scopes[held.scope].part:
            return False
        scope = outline.scopes[held.scope]
        named = (b for i in outline.ancestors(scope.parent) for b in outline.bindings.get((i, scope.name), ()))
        return any(binding.kind is SymbolKind.TYPE and binding.inner == held.scope for binding in named)

    def above(self, key: Key, members: frozenset[Key]) -> Iterable[Key]:
        held = Klass(key.path, key.scope)
        if self.resolver.kind(key) is not SymbolKind.METHOD or self._is_interface(held):
            return
        for other in members:
            face = Klass(other.path, other.scope)
            if self._is_interface(face) and self._implements(held, face):
                yield other

    def _implements(self, held: Klass, face: Klass) -> bool:
        return all(self._has(held, demand, face) for demand in self._demands(face, set()))

    def _has(self, held: Klass, demand: Key, face: Klass) -> bool:
        """Whether a type has the method that an interface demands, with its parameters and results."""
        keys = [ref for ref in self.resolver.member(held, demand.name) if isinstance(ref, Key)]
        if not keys:
            # What it embeds may be unknown, and then may have the method.
            return any(not isinstance(base, Klass) for base in self.resolver.bases(held))
        open_types = self._is_generic(held) or self._is_generic(face)
        asked = self._signatures(demand)
        return any(_fits(has, needs, open_types) for key in keys for has in self._signatures(key) for needs in asked)

    def _signatures(self, key: Key) -> list[tuple[str, str]]:
        """What the methods of one name take and give, as written."""
        outline = self.resolver.outline(key.path)
        inner = [b.inner for b in self.resolver.bindings_of(key) if b.kind is SymbolKind.METHOD and b.inner >= 0]
        return [(outline.scopes[index].takes, outline.scopes[index].returns) for index in inner] if outline is not None else []

    def _is_generic(self, held: Klass) -> bool:
        parts = (held, *self.parts(held, "")) if not self._is_interface(held) else (held,)
        outlines = [(self.resolver.outline(part.path), part.scope) for part in parts]
        return any(o is not None and o.scopes[o.scopes[scope].parent].kind is ScopeKind.BLOCK for o, scope in outlines)

    def _demands(self, face: Klass, seen: set[Klass]) -> Iterator[Key]:
        """The methods of an interface, those of the interfaces that it embeds included."""
        outline = self.resolver.outline(face.path)
        if outline is None or face in seen:
            return
        seen.add(face)
        yield from (Key(face.path, scope, name) for scope, name in outline.bindings if scope == face.scope)
        for base in self.resolver.bases(face):
            if isinstance(base, Klass):
                yield from self._demands(base, seen)

    def twins(self, key: Key) -> Iterable[Key]:
        """The same name in another file of the package: files for different platforms define it once each."""
        outline = self.resolver.outline(key.path)
        if outline is None or key.name in _ONCE_EACH:
            return
        if key.scope == 0:
            yield from (ref for ref in self._defined(key.path.parent, outline.package, key.name) if isinstance(ref, Key) and ref != key)
        elif outline.scopes[key.scope].kind is ScopeKind.CLASS:
            yield from (Key(part.path, part.scope, key.name) for part in self.parts(Klass(key.path, key.scope), key.name))

    def predefined(self, name: str) -> bool:
        return name in _PREDEFINED

    def type_names(self, annotation: str) -> tuple[str, ...]:
        text = _first_result(annotation).lstrip("*& \t")
        found = [_NAMED.match(part.strip().lstrip("*~ ")) for part in text.split("|")]
        names = [re.sub(r"\s", "", name[0]) for name in found if name is not None]
        return tuple(dict.fromkeys(name for name in names if name not in _NOT_TYPES))

    def may_be_ours(self, annotation: str) -> bool:
        # A pointer is never to an interface that has methods.
        return not _first_result(annotation).startswith("*")

    def makes(self, name: str) -> bool:
        # Conversions apart, what is called is a function, and a generic one gives what it is given.
        return name in _PREDEFINED

    def item(self, annotation: str) -> str:
        found = _ITEM.fullmatch(_first_result(annotation).lstrip("*& \t"))
        return found[1] if found is not None else ""


def _first_result(annotation: str) -> str:
    """The first of several results, without its name: `(cart *Cart, err error)` says `*Cart`."""
    text = annotation.strip()
    if not (text.startswith("(") and text.endswith(")")):
        return text
    first = text[1:-1].split(",")[0].strip()
    name, space, rest = first.partition(" ")
    return rest.strip() if space and name.isidentifier() and name not in _NOT_TYPES else first


def _fits(has: tuple[str, str], needs: tuple[str, str], open_types: bool) -> bool:
    """Whether two methods take and give the same; only as many, where a type parameter may stand for any type."""
    for mine, other in zip(has, needs, strict=True):
        left, right = _types(mine), _types(other)
        if len(left) != len(right) or (left != right and not open_types):
            return False
    return True


def _types(text: str) -> list[str]:
    """The types of a list of parameters or results, without their names and packages."""
    text = text.strip()
    parts = [part.strip() for part in alternatives(text[1:-1], ",") if part.strip()] if text.startswith("(") else [text] if text else []
    split = [_PARAMETER.fullmatch(part) for part in parts]
    if any(found is not None for found in split):
        # Names are given to all of them or to none; `a, b int` says the type once.
        types = [found[2] if found is not None else "" for found in split]
        for index in range(len(types) - 2, -1, -1):
            types[index] = types[index] or types[index + 1]
        parts = types
    return [re.sub(r"\s|\b[^\W\d]\w*\.(?=[^\W\d])", "", part).replace("interface{}", "any") for part in parts]


def _likely_names(source: str) -> Iterator[str]:
    """What a package that is not here may call itself, by its path: `gopkg.in/yaml.v3` is yaml, `example.com/cli/v2` is cli."""
    parts = source.split("/")
    last = parts[-2] if len(parts) > 1 and _VERSION.match(parts[-1]) else parts[-1]
    yield last
    yield last.partition(".")[0]
    yield last.removeprefix("go-")
    yield last.removesuffix("-go").removesuffix(".go")
    yield re.split(r"[-.]", last)[-1]
