"""Lua: a module is the value that a file returns; what no file declares local is seen by all of them."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.outline import Binding, Outline, ScopeKind
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Refs, certain, unknown

_LIBRARIES = names("bit bit32 coroutine debug ffi io jit math os package string table utf8")
_GLOBALS = _LIBRARIES | names(
    "_VERSION assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring module next pairs pcall"
    " print rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack warn xpcall"
)

_FOLDERS = frozenset({"", "lua", "src", "lib"})
"""Folders that are searched for modules as a rule."""


class LuaLinker(Linker):
    """Lua's modules and tables."""

    indexes = frozenset({"init"})
    same = frozenset({"self"})

    # Modules

    @cached_property
    def _stems(self) -> Mapping[str, tuple[Path, ...]]:
        """Files by the last part of the name that they are required by."""
        return self.resolver.texts.kept("lua stems", lambda _, files: _by_stem(files))

    def find(self, importer: Path, source: str) -> Path | None:
        parts = tuple(source.replace("/", ".").removesuffix(".init").strip(".").split("."))
        fitting = [path for path in self._stems.get(parts[-1], ()) if _name_of(path)[-len(parts) :] == parts]
        # The folder that is searched for modules is not named in them: it is one of the usual ones, or the only one that has the module.
        usual = [path for path in fitting if self._before(path, len(parts)) in _FOLDERS]
        return (usual or fitting)[0] if usual or len(fitting) == 1 else None

    def _before(self, path: Path, count: int) -> str:
        """The folders of this root that stand before the last `count` parts of a module's name."""
        inside = _name_of(path.relative_to(self.resolver.root)) if path.is_relative_to(self.resolver.root) else ("..",)
        return "/".join(inside[:-count])

    def outside(self, importer: Path, source: str) -> bool:
        return source in _LIBRARIES or source.startswith(("table.", "string.", "jit."))

    def words(self, module: Path) -> tuple[bytes, ...]:
        return tuple(part.encode() for part in _name_of(module)[-1:])

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        module = self.find(path, source)
        outline = self.resolver.outline(module) if module is not None else None
        if module is None or outline is None:
            return self.not_found(path, source)
        if name != "*":
            return self.resolver.exported(Module(module), name, depth + 1)
        whole = [self.resolver.name(module, export.name, export.at, depth + 1) for export in outline.exports.get("=", ())]
        return certain(frozenset(ref for refs in whole for ref in refs)) or frozenset({Module(module)})

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        outline = self.resolver.outline(module.path)
        if outline is None:
            return unknown(f"{module.path.name} could not be read")
        for export in outline.exports.get(name, ()):
            return self.resolver.name(module.path, export.name, export.at, depth + 1)
        for index, scope in enumerate(outline.scopes):
            if scope.kind is ScopeKind.OBJECT and (bound := outline.bindings.get((index, name))):
                return self.resolver.follow_all(module.path, bound, depth)
        for export in outline.exports.get("=", ()):
            whole = self.resolver.name(module.path, export.name, export.at, depth + 1)
            if found := certain(self.resolver.members(whole, name, depth + 1)):
                return found
        return unknown(f"{module.path.name} does not offer {name}")

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        if found := frozenset(self._globals(name)):
            return found
        if name in _LIBRARIES and (added := frozenset(self._added(name))):
            return added
        return frozenset({Elsewhere(f"Lua's own {name}")}) if name in _GLOBALS else unknown("nothing in this root binds the name")

    def _added(self, library: str) -> Iterator[Klass]:
        """What files of this root put into a table of Lua's own: `function string.trim(s)`."""
        for path, outline in self.holding((each for each in self.resolver.texts.holding(library).files if each.suffix == ".lua"), library):
            scopes = self.classes_in(path, outline).get(library, ())
            yield from (Klass(path, index) for index in scopes if outline.scopes[index].part)

    def _globals(self, name: str) -> Iterator[Key]:
        """What files set under a name without declaring it local: one variable, however many set it."""
        for path, outline in self.holding((each for each in self.resolver.texts.holding(name).files if each.suffix == ".lua"), name):
            if _is_global(outline.bindings.get((0, name), ())):
                yield Key(path, 0, name)

    # Tables

    def whole(self, held: Klass) -> Klass:
        outline = self.resolver.outline(held.path)
        if outline is None or not outline.scopes[held.scope].part:
            return held
        made = (index for index in self.classes_in(held.path, outline).get(outline.scopes[held.scope].name, ()))
        return Klass(held.path, next((index for index in made if not outline.scopes[index].part), held.scope))

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        outline = self.resolver.outline(held.path)
        if outline is None or not (called := outline.scopes[held.scope].name):
            return
        for index in self.classes_in(held.path, outline).get(called, ()):
            asked = (index, name) in outline.bindings if name else bool(outline.scopes[index].bases)
            if asked and index != held.scope:
                yield Klass(held.path, index)

    def twins(self, key: Key) -> Iterator[Key]:
        """What other places put into the same table, or set for all files, under the same name."""
        if key.scope == 0 and _is_global(self.resolver.bindings_of(key)):
            yield from self._globals(key.name)
        yield from (Key(part.path, part.scope, key.name) for part in self.parts(Klass(key.path, key.scope), key.name))


def _is_global(bindings: Iterable[Binding]) -> bool:
    return bool(bindings) and not any(binding.private or binding.source is not None for binding in bindings)


def _by_stem(files: Iterable[Path]) -> Mapping[str, tuple[Path, ...]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(files):
        if path.suffix == ".lua":
            found.setdefault(_name_of(path)[-1], []).append(path)
    return {name: tuple(held) for name, held in found.items()}


def _name_of(path: Path) -> tuple[str, ...]:
    """The parts of a file's path as a module's name has them: a folder stands for its `init.lua`."""
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] == "init" and len(parts) > 1 else parts
