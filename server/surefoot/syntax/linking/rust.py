"""Rust: crates by their manifests, modules by `mod`, paths that start anywhere, and types whose methods stand in `impl` blocks."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.linking.cargo import Crate, crates
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.linking.rust_types import DOUBT, item, type_names
from surefoot.syntax.outline import CALLED, INSIDE, MACRO, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, certain, unknown

_RELATIVE = names("self super crate $crate")
_STANDARD = names("std core alloc proc_macro test")
_PRELUDE = names(
    "bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 Option Some None Result Ok Err Vec String Box ToString"
    " ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce drop"
    " Iterator IntoIterator Extend DoubleEndedIterator ExactSizeIterator FromIterator"
    " AsRef AsMut Into From TryFrom TryInto Default Eq PartialEq Ord PartialOrd Debug Hash Unpin size_of align_of"
)
_MACROS = names(
    "assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq debug_assert_ne env eprint eprintln"
    " file format format_args include include_bytes include_str line matches module_path option_env panic print println stringify"
    " thread_local todo unimplemented unreachable vec write writeln"
    " allow automatically_derived cfg_attr cold default deny deprecated derive doc expect feature forbid global_allocator ignore inline"
    " link link_name macro_export macro_use must_use no_mangle no_std non_exhaustive path proc_macro proc_macro_attribute"
    " proc_macro_derive repr should_panic target_feature test track_caller warn"
)
"""Macros and attributes of the language."""

_VALUES = frozenset({SymbolKind.VARIABLE, SymbolKind.PARAMETER, SymbolKind.FUNCTION, SymbolKind.METHOD})
"""What no path begins with."""

_FILE_MODULE = re.compile(r"(?:(?P<inside>[\w:]+)/)?mod::(?P<name>\w+)|(?P<file>.+\.rs)::mod::\w+")
_ROOTS = ("lib.rs", "main.rs")


class RustLinker(Linker):
    """Rust's crates, modules and implementations. Conditions of compilation are not read: what only some builds see counts everywhere."""

    parts_apart = True
    same = frozenset({"Self"})
    iterates = names("iter() iter_mut() into_iter() drain() values() values_mut() borrow() borrow_mut()")

    # Crates

    @cached_property
    def _crates(self) -> tuple[Crate, ...]:
        return self.resolver.texts.kept("rust crates", crates)

    def _library(self, importer: Path, name: str) -> Path | None:
        """The file that a crate of this root starts from, by the name that the importer's crate knows it by."""
        own = self._crate(importer)
        name = own.others.get(name, name) if own is not None else name
        return next((crate.library for crate in self._crates if crate.name == name and crate.library in self.resolver.files), None)

    def _crate(self, path: Path) -> Crate | None:
        return max((c for c in self._crates if path.is_relative_to(c.folder)), key=lambda c: len(c.folder.parts), default=None)

    def _roots(self, path: Path) -> tuple[Path, ...]:
        """The files that the crates around a file start from: what is compiled twice belongs to both."""
        crate = self._crate(path)
        folder = crate.folder if crate is not None else self.resolver.root
        inside = path.relative_to(folder).parts if path.is_relative_to(folder) else (path.name,)
        if inside[0] in ("tests", "examples", "benches") or inside[:2] == ("src", "bin"):
            around = folder.joinpath(*inside[: 2 if inside[0] == "src" else 1])
            if path.parent == around or path.name == "main.rs":
                return (path,)
            mains = [path.parent / "main.rs"]
            return tuple(file for file in (*mains, *self._beside(around)) if file in self.resolver.files)
        if crate is not None and path in (crate.library, folder / "build.rs", folder / "src" / "main.rs"):
            return (path,)
        library = (crate.library,) if crate is not None else ()
        found = [file for parent in path.parents for name in _ROOTS if (file := parent / name) in self.resolver.files]
        near = [file for file in found if file.parent == found[0].parent]
        return tuple(dict.fromkeys((*(file for file in library if file in self.resolver.files), *near))) or (path,)

    def _beside(self, folder: Path) -> list[Path]:
        return sorted(path for path in self.resolver.files.below(folder) if path.parent == folder and path.suffix == ".rs")

    # Modules

    def outside(self, importer: Path, source: str) -> bool:
        return source.rpartition(INSIDE)[2].partition("::")[0] in _STANDARD

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        if (declared := _FILE_MODULE.fullmatch(source)) is not None and name == "*":
            return self._file(path, declared)
        inside, _, written = source.rpartition(INSIDE)
        parts = [part for part in written.split("::") if part]
        return self._walk(Module(path, "rust", inside), parts if name == "*" else [*parts, name], depth)

    def _file(self, path: Path, declared: re.Match[str]) -> Refs:
        """The module that `mod name;` stands for."""
        if declared["file"]:
            found = (path.parent / declared["file"],)
        else:
            own = path.parent if path.stem == "mod" or path in self._roots(path) else path.parent / path.stem
            folder = own.joinpath(*(declared["inside"] or "").split("::")) if declared["inside"] else own
            found = (folder / f"{declared['name']}.rs", folder / declared["name"] / "mod.rs")
        here = frozenset(Module(file, "rust") for file in found if file in self.resolver.files)
        return here or unknown(f"the file of the module {declared['name'] or declared['file']} is not found here")

    def _walk(self, start: Module, parts: list[str], depth: int) -> Refs:
        """What a path means in a module."""
        refs: Refs = frozenset({start})
        for index, part in enumerate(parts):
            if part in _RELATIVE:
                refs = self._relative(refs, part)
            else:
                refs = self._first(start, part, depth) if index == 0 else self.resolver.members(refs, part, depth + 1)
            if len(refs) > 1 and certain(refs):
                refs = certain(refs)
        return refs

    def _relative(self, refs: Refs, part: str) -> Refs:
        modules = [ref for ref in refs if isinstance(ref, Module)]
        if part == "self":
            return refs
        if part in ("crate", "$crate"):
            return frozenset(Module(root, "rust") for module in modules for root in self._roots(module.path))
        found = frozenset(parent for module in modules for parent in self._above(module))
        return found or unknown("the module around it is not found")

    def _above(self, module: Module) -> Iterator[Module]:
        """The modules that a module is declared in."""
        if module.name:
            yield Module(module.path, "rust", module.name.rpartition("::")[0])
            return
        path = module.path
        folder, name = (path.parent.parent, path.parent.name) if path.stem == "mod" else (path.parent, path.stem)
        near = ((folder / "mod.rs",), (folder.parent / f"{folder.name}.rs",), tuple(folder / root for root in _ROOTS), self._roots(path))
        for files in near:
            found = [file for file in files if file != path and file in self.resolver.files and self._declares(file, name)]
            yield from (Module(file, "rust") for file in found)
            if found:
                return

    def _declares(self, path: Path, name: str) -> bool:
        held = self.resolver.texts.read(path)
        return isinstance(held, TextFile) and re.search(rb"\bmod\s+" + re.escape(name.encode()) + rb"\s*;", held.data) is not None

    def _first(self, start: Module, part: str, depth: int) -> Refs:
        """The first part of a path: a name of the module, a crate, or, as it once was, a name of the crate's root."""
        own = self.resolver.exported(start, part, depth + 1)
        if certain(own):
            return own
        if (library := self._library(start.path, part)) is not None:
            return frozenset({Module(library, "rust")})
        if part in _STANDARD:
            return frozenset({Elsewhere("Rust's own library")})
        for root in self._roots(start.path):
            if root != start.path and (old := certain(self.resolver.exported(Module(root, "rust"), part, depth + 1))):
                return old
        return unknown(f"{part} is not found here")

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        outline = self.resolver.outline(module.path)
        scope = self._scope(outline, module.name) if outline is not None else -1
        if outline is None or scope < 0:
            return unknown(f"the module {module.name or module.path.name} is not found")
        plain = word(name)
        if plain in _RELATIVE:
            return self._relative(frozenset({module}), plain)
        bound = (*outline.bindings.get((scope, plain), ()), *outline.bindings.get((scope, plain + MACRO), ()))
        if bound:
            return self.resolver.follow_all(module.path, bound, depth)
        taken, vague = self._starred(module.path, outline, scope, plain, depth)
        if taken:
            return taken
        if macros := self._defined_macros(plain):
            return macros
        return unknown(f"{plain} may come from a module that is not found" if vague else f"{module.path.name} does not define {plain}")

    def _scope(self, outline: Outline, inside: str) -> int:
        """The scope of a module within a file, -1 where there is none."""
        scope = 0
        for name in inside.split("::") if inside else ():
            scope = next((b.inner for b in outline.bindings.get((scope, name), ()) if b.inner >= 0), -1)
        return scope

    def _starred(self, path: Path, outline: Outline, scope: int, name: str, depth: int) -> tuple[Refs, bool]:
        """What the star imports of one scope bring, and whether one of them leads nowhere that is known."""
        found: set[Ref] = set()
        vague = False
        for star in outline.bindings.get((scope, "*"), ()):
            refs = self.resolver.follow(path, star, depth + 1)
            taken = self.resolver.members(frozenset(ref for ref in refs if isinstance(ref, Key | Module | Klass)), name, depth + 1)
            found |= frozenset(ref for ref in taken if isinstance(ref, Key | Module))
            vague |= not certain(refs)
        return frozenset(found), vague

    def _defined_macros(self, name: str) -> Refs:
        """Every macro of this name: where they are seen depends on the order of the text, which is not followed."""
        found: set[Ref] = set()
        for path, outline in self.holding(self._sources("macro_rules", name), "macro_rules", name):
            found |= {Key(path, scope, bound) for scope, bound in outline.bindings if bound == name + MACRO}
        return frozenset(found)

    def _sources(self, *wanted: str) -> list[Path]:
        return [path for path in self.resolver.texts.holding(*wanted).files if path.suffix == ".rs"]

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        if name.endswith(CALLED):
            return self.resolver.name(path, word(name), at, depth + 1)
        if name.endswith(DOUBT):
            return self._doubtful(path, name.removesuffix(DOUBT), at, depth)
        if name == "Self":
            around = outline.class_around(at)
            return frozenset({self.whole(Klass(path, around))}) if around >= 0 else unknown("there is no type around it")
        if name.endswith(MACRO):
            return self._macro(word(name))
        here = Module(path, "rust", self._inside(outline, at))
        if name in _RELATIVE:
            return self._relative(frozenset({here}), name)
        vague = False
        for scope in outline.chain(at):
            taken, doubt = self._starred(path, outline, scope, name, depth)
            if taken:
                return taken
            vague |= doubt
        if (library := self._library(path, name)) is not None:
            return frozenset({Module(library, "rust")})
        if name in _PRELUDE or name in _STANDARD:
            return frozenset({Elsewhere(f"Rust's own {name}")})
        return unknown("it may come from a module that is not found" if vague else "nothing in this module binds the name")

    def leading(self, path: Path, name: str, at: int, depth: int) -> Refs:
        """A path begins with a module, a type or what a crate is called: a variable of that name does not hide it."""
        outline = self.resolver.outline(path)
        for scope in outline.chain(at) if outline is not None else ():
            bound = outline.bindings.get((scope, name), ()) if outline is not None else ()
            if named := [b for b in bound if b.source is not None or b.kind not in _VALUES]:
                return self.resolver.follow_all(path, named, depth)
        return self.unbound(path, outline, name, at, depth) if outline is not None else unknown(f"{path.name} could not be read")

    def _doubtful(self, path: Path, name: str, at: int, depth: int) -> Refs:
        refs = self.resolver.name(path, name, at, depth + 1) if name else frozenset[Ref]()
        return frozenset(ref for ref in refs if isinstance(ref, Key | Module)) or unknown("it may lead to what it holds")

    def _macro(self, name: str) -> Refs:
        if found := self._defined_macros(name):
            return found
        return frozenset({Elsewhere(f"Rust's own {name}!")}) if name in _MACROS else unknown("no macro of this name is defined here")

    def _inside(self, outline: Outline, at: int) -> str:
        scopes = [outline.scopes[index] for index in outline.ancestors(outline.scope_at(at))]
        return "::".join(scope.name for scope in reversed(scopes) if scope.kind is ScopeKind.NAMESPACE)

    def spelled(self, path: Path, parts: Iterable[str]) -> Refs:
        refs = self._walk(Module(path, "rust"), list(parts), 0)
        return refs if any(isinstance(ref, Key) for ref in refs) else frozenset()

    # Types

    def whole(self, held: Klass) -> Klass:
        if held not in self._wholes:
            self._wholes[held] = held  # for a question that comes back to it
            outline = self.resolver.outline(held.path)
            if outline is not None and outline.scopes[held.scope].part:
                scope = outline.scopes[held.scope]
                found = self.resolver.classes(self.resolver.name(held.path, scope.name, scope.start))
                self._wholes[held] = min((ref for ref in found if isinstance(ref, Klass)), key=str, default=held)
        return self._wholes[held]

    @cached_property
    def _wholes(self) -> dict[Klass, Klass]:
        return {}

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        whole = self.whole(held)
        if (whole, name) not in self._parts:
            self._parts[whole, name] = tuple(self._implementations(whole, name))
        return [part for part in self._parts[whole, name] if part != held]

    @cached_property
    def _parts(self) -> dict[tuple[Klass, str], tuple[Klass, ...]]:
        return {}

    def _implementations(self, whole: Klass, name: str) -> Iterator[Klass]:
        """The type itself and its `impl` blocks; what it implements for no trait comes before what it does."""
        outline = self.resolver.outline(whole.path)
        called = outline.scopes[whole.scope].name if outline is not None else ""
        if outline is None or not called or outline.scopes[whole.scope].kind is not ScopeKind.CLASS:
            return
        wanted = (called, "impl", word(name)) if name else (called, "impl")
        own: list[Klass] = [whole] if not name or (whole.scope, name) in outline.bindings else []
        traits: list[Klass] = []
        for path, other in self.holding(self._sources(*wanted), *wanted):
            for index in self.classes_in(path, other).get(called, ()):
                scope = other.scopes[index]
                asked = (index, name) in other.bindings if name else bool(scope.bases)
                if scope.part and asked and self.whole(Klass(path, index)) == whole:
                    (traits if scope.bases else own).append(Klass(path, index))
        yield from own
        yield from traits if not own or not name else ()

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        outline = self.resolver.outline(held.path)
        if outline is None:
            return frozenset()
        scope = outline.scopes[held.scope]
        if scope.kind is ScopeKind.NAMESPACE:
            inside = "::".join(outline.scopes[i].name for i in reversed(list(outline.ancestors(held.scope))) if outline.scopes[i].name)
            return certain(self.exported(Module(held.path, "rust", inside), name, depth + 1))
        if name in ("clone()", "to_owned()"):
            return frozenset({held})
        return self._constant(held, outline, word(name)) or self._target(held, name, depth)

    def _constant(self, held: Klass, outline: Outline, name: str) -> Refs:
        """A variant of an enum, or a constant of a type, which paths name just as they name its functions."""
        scope = outline.scopes[held.scope]
        found: set[Ref] = {Key(part.path, part.scope, name) for part in self.parts(held, name) if part != held}
        for binding in outline.bindings.get((held.scope, name), ()):
            if binding.kind is SymbolKind.CLASS or binding.annotation == scope.name or self._is_trait(held):
                found.add(Key(held.path, held.scope, name))
        return frozenset(found)

    def _target(self, held: Klass, name: str, depth: int) -> Refs:
        """A member of what the type can be taken for: `impl Deref`."""
        targets = [Key(part.path, part.scope, "Target") for part in self.parts(held, "Target")] if name != "Target" else []
        classes = self.resolver.classes(frozenset(targets), depth + 1)
        if not targets:
            return frozenset()
        found = self.resolver.members(frozenset(ref for ref in classes if ref != held), name, depth + 1)
        return certain(found) or unknown("it may be a member of what it leads to")

    def _is_trait(self, held: Klass) -> bool:
        outline = self.resolver.outline(held.path)
        if outline is None or outline.scopes[held.scope].part:
            return False
        scope = outline.scopes[held.scope]
        named = (b for i in outline.ancestors(scope.parent) for b in outline.bindings.get((i, scope.name), ()))
        return any(binding.kind is SymbolKind.TYPE and binding.inner == held.scope for binding in named)

    def overrides(self, held: Klass, base: Klass) -> bool:
        """A member of an implementation stands in for that of its trait. Traits that ask for others do not."""
        outline = self.resolver.outline(held.path)
        if outline is None or not outline.scopes[held.scope].bases or self._is_trait(held):
            return False
        return any(base in self.resolver.classes(self.resolver.value(held.path, own)) for own in outline.scopes[held.scope].bases)

    def beyond(self, key: Key) -> bool:
        outline = self.resolver.outline(key.path)
        if outline is None or not self.resolver.is_member(key):
            return True
        held = Klass(key.path, key.scope)
        scope = outline.scopes[key.scope]
        return bool(scope.bases) or self._is_trait(held) or (scope.part and self.whole(held) == held)

    def may_be_ours(self, annotation: str) -> bool:
        return True

    def makes(self, name: str) -> bool:
        return False

    def type_names(self, annotation: str) -> tuple[str, ...]:
        return type_names(annotation)

    def item(self, annotation: str) -> str:
        return item(annotation)
