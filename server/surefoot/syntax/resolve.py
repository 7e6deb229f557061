"""What a name, a member or an expression means, across the files of one root.

Everything is answered from outlines. An answer is a set of `Ref`s: a name may be bound in two ways (`try: import … except: def …`).
What cannot be followed is `Unknown`; only what certainly is something else is `Elsewhere`.
"""

import builtins
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.syntax.expressions import dotted, type_names
from surefoot.syntax.index import Index
from surefoot.syntax.languages import language_of
from surefoot.syntax.modules import Modules
from surefoot.syntax.outline import HIDDEN_SCOPES, MEMBER_SCOPES, Binding, Export, Expression, Outline, ScopeKind

DEEPEST = 24
"""Imports, members and bases followed from one name; beyond it the answer is unknown."""

_PREDEFINED = frozenset({"string", "number", "boolean", "bigint", "symbol"})


@value
class Key:
    """A definition: a name in one scope of one file, however often it is bound there."""

    path: Path
    scope: int
    name: str


@value
class Module:
    """A file, or a folder that is a Python package, as a value."""

    path: Path


@value
class Klass:
    """A class, interface, namespace or object literal, or an instance of it: something that has members."""

    path: Path
    scope: int


@value
class Unknown:
    """It could not be followed, and why."""

    why: str


@value
class Elsewhere:
    """It certainly means something that is not defined in this root."""

    what: str


Ref = Key | Module | Klass | Unknown | Elsewhere
Refs = frozenset[Ref]


class Resolver:
    """Answers for one view of the text. `stop` are import aliases that count as definitions of their own."""

    def __init__(self, texts: Texts, index: Index, stop: frozenset[Key] = frozenset()) -> None:
        self.texts = texts
        self._index = index
        self._stop = stop
        self.root = texts.root
        self.modules = Modules(texts)
        self._outlines: dict[Path, Outline | None] = {}
        self._exported: dict[tuple[Path, str], Refs] = {}
        self._asking: set[tuple[Path, str]] = set()
        self._circles = 0

    def outline(self, path: Path) -> Outline | None:
        if path not in self._outlines:
            held = self.texts.read(path)
            self._outlines[path] = self._index.outline(held) if isinstance(held, TextFile) else None
        return self._outlines[path]

    # Names

    def name(self, path: Path, name: str, at: int, depth: int = 0) -> Refs:
        """What the bare name at byte `at` means."""
        outline = self.outline(path)
        if outline is None or depth > DEEPEST:
            return _unknown("the chain of names is too long")
        later: tuple[Binding, ...] = ()
        for scope in outline.chain(at):
            if found := outline.bindings.get((scope, name)):
                if outline.scopes[scope].kind is not ScopeKind.CLASS or self._bound_before(path, found, at):
                    return self.follow_all(path, found, depth)
                later = found
        return self.follow_all(path, later, depth) if later else self._unbound(path, outline, name, depth)

    def _bound_before(self, path: Path, found: Iterable[Binding], at: int) -> bool:
        """Whether a class body has bound the name before the line of byte `at`: until then (`total = total`) it means an outer one."""
        held = self.texts.read(path)
        line = held.data.rfind(b"\n", 0, at) + 1 if isinstance(held, TextFile) else at
        return any(binding.start < line or binding.start == at for binding in found)

    def _unbound(self, path: Path, outline: Outline, name: str, depth: int) -> Refs:
        found: set[Ref] = set()
        open_star = False
        if self._is_python(path):
            for source in outline.stars:
                module = self.modules.find(path, source)
                refs = self.exported(module, name, depth + 1) if module is not None else frozenset[Ref]()
                found |= {ref for ref in refs if not isinstance(ref, Unknown)}
                open_star |= module is None and not self.modules.outside(path, source)
            if not found and hasattr(builtins, name) and not open_star:
                return frozenset({Elsewhere(f"the builtin {name}")})
        if open_star or not found:
            found.add(Unknown("it may come from a star import that is not found" if open_star else "nothing in this file binds the name"))
        return frozenset(found)

    def follow_all(self, path: Path, bindings: Iterable[Binding], depth: int = 0) -> Refs:
        found: set[Ref] = set()
        for binding in bindings:
            found |= self.follow(path, binding, depth)
        return frozenset(found)

    def follow(self, path: Path, binding: Binding, depth: int = 0) -> Refs:
        """The definition that a binding makes, or the one that an import takes over."""
        key = Key(path, binding.scope, binding.name)
        if binding.source is None or key in self._stop:
            return frozenset({key})
        return self.imported(path, binding.source, binding.imported, depth)

    def imported(self, path: Path, source: str, name: str, depth: int = 0) -> Refs:
        """What `name` of module `source` means: "*" is the module, "." the first part of its dotted name."""
        if name == ".":
            source, name = source.partition(".")[0], "*"
        module = self.modules.find(path, source)
        if module is None:
            if self._is_python(path) and name != "*":
                inside = self.modules.find(path, source + name if source.endswith(".") else f"{source}.{name}")
                if inside is not None:
                    return frozenset({Module(inside)})
            if self.modules.outside(path, source):
                return frozenset({Elsewhere(f"{source} of the standard library")})
            return _unknown(f"the module {source} is not found here")
        if module == path and self._is_python(path) and (inside := self.modules.submodule(module, name)) is not None:
            # A package that imports from itself (`from . import core`) takes the submodule.
            return frozenset({Module(inside)})
        if name != "*":
            return self.exported(module, name, depth + 1)
        outline = self.outline(module)
        if outline is not None and "=" in outline.exports:
            return frozenset({Module(module), *self._listed(module, outline, outline.exports["="], depth)})
        return frozenset({Module(module)})

    def exported(self, module: Path, name: str, depth: int = 0) -> Refs:
        """What a module offers under `name`."""
        key = (module, name)
        if key in self._exported:
            return self._exported[key]
        if depth > DEEPEST:
            return _unknown("the chain of imports is too long")
        if key in self._asking:
            self._circles += 1
            return _unknown("the imports go in a circle")
        circles = self._circles
        self._asking.add(key)
        found = self._python_export(module, name, depth) if self._is_python(module) else self._ecma_export(module, name, depth)
        self._asking.remove(key)
        # What was found inside of a circle is only part of the answer, unless this question is where the circle began.
        if circles == self._circles or not self._asking:
            self._exported[key] = found
        return found

    def _python_export(self, module: Path, name: str, depth: int) -> Refs:
        outline = self.outline(module)
        if outline is not None and (bound := outline.bindings.get((0, name))):
            return self.follow_all(module, bound, depth)
        if (inside := self.modules.submodule(module, name)) is not None:
            return frozenset({Module(inside)})
        if outline is None:
            return _unknown(f"{module.name} has no {name}")
        found = self._unbound(module, outline, name, depth)
        return _unknown(f"{module.name} does not define {name}") if all(isinstance(ref, Elsewhere) for ref in found) else found

    def _ecma_export(self, module: Path, name: str, depth: int) -> Refs:
        outline = self.outline(module)
        if outline is None:
            return _unknown(f"{module.name} could not be read")
        listed = outline.exports.get(name) or (outline.exports.get("=") if name == "default" else None)
        if listed:
            return self._listed(module, outline, listed, depth)
        if name != "default" and (bound := outline.bindings.get((0, name))):
            return self.follow_all(module, bound, depth)
        found: set[Ref] = set()
        for source in outline.stars if name != "default" else ():
            found |= self.imported(module, source, name, depth)
        certain = {ref for ref in found if not isinstance(ref, Unknown)}
        return frozenset(certain) if certain else _unknown(f"{module.name} does not export {name}")

    def _listed(self, module: Path, outline: Outline, exports: Iterable[Export], depth: int) -> Refs:
        found: set[Ref] = set()
        for export in exports:
            if export.source is not None:
                found |= self.imported(module, export.source, export.name, depth)
            else:
                bound = outline.bindings.get((0, export.name))
                found |= (
                    self.follow_all(module, bound, depth) if bound else _unknown(f"{module.name} exports {export.name} without binding it")
                )
        return frozenset(found)

    # Members and values

    def value(self, path: Path, expression: Expression, depth: int = 0) -> Refs:
        """What an expression stands for."""
        if depth > DEEPEST:
            return _unknown("the chain of values is too long")
        inner = expression.inner
        match expression.kind:
            case "name":
                return self.name(path, expression.name, expression.at, depth + 1)
            case "member" if inner is not None:
                return self.members(self.value(path, inner, depth + 1), expression.name, depth + 1)
            case "call" if inner is not None:
                return self._called(self.value(path, inner, depth + 1), depth + 1)
            case "type":
                return self.types(path, expression.name, expression.at, depth + 1)
            case "module":
                return self.imported(path, expression.name, "*", depth + 1)
            case "self" | "super" | "object":
                return self._instance(path, expression, depth)
            case _:
                return _unknown("the receiver is not a name")

    def _instance(self, path: Path, expression: Expression, depth: int) -> Refs:
        outline = self.outline(path)
        around = outline.class_around(expression.at) if outline is not None else -1
        if outline is None or around < 0:
            return (
                self.name(path, expression.name, expression.at, depth + 1) if expression.name else _unknown("there is no class around it")
            )
        if expression.kind == "super":
            found: set[Ref] = set()
            for base in outline.scopes[around].bases:
                found |= self._as_class(self.value(path, base, depth + 1), depth + 1)
            return frozenset(found) or _unknown("the base class is not known")
        return frozenset({Klass(path, around)})

    def members(self, holders: Refs, name: str, depth: int = 0) -> Refs:
        """What `.name` of any of these means."""
        if depth > DEEPEST:
            return _unknown("the chain of members is too long")
        found: set[Ref] = set()
        for holder in holders:
            match holder:
                case Module():
                    found |= self.exported(holder.path, name, depth + 1)
                case Klass():
                    found |= self.member(holder, name, depth + 1)
                case Key():
                    found |= self.members(self._as_class(frozenset({holder}), depth + 1), name, depth + 1)
                case Unknown() | Elsewhere():
                    found.add(holder)
        return frozenset(found)

    def member(self, held: Klass, name: str, depth: int = 0) -> Refs:
        """The member of a class, its own or the nearest inherited one."""
        outline = self.outline(held.path)
        if outline is None or depth > DEEPEST:
            return _unknown("the chain of bases is too long")
        if bound := outline.bindings.get((held.scope, name)):
            return self.follow_all(held.path, bound, depth)
        scope = outline.scopes[held.scope]
        found: set[Ref] = set()
        for base in self.bases(held, depth):
            found |= (
                self.member(base, name, depth + 1)
                if isinstance(base, Klass)
                else {Unknown(f"a base of {scope.name or 'the class'} is not known")}
            )
        certain = {ref for ref in found if not isinstance(ref, Unknown)}
        return frozenset(certain or found) or _unknown(f"{scope.name or 'the object'} does not define {name}")

    def bases(self, held: Klass, depth: int = 0) -> Refs:
        """The direct bases of a class: classes, and what could not be followed."""
        outline = self.outline(held.path)
        found: set[Ref] = set()
        for base in outline.scopes[held.scope].bases if outline is not None else ():
            found |= self._as_class(self.value(held.path, base, depth + 1), depth + 1)
        return frozenset(found)

    def types(self, path: Path, annotation: str, at: int, depth: int = 0) -> Refs:
        """The classes that an annotation written at byte `at` names."""
        found: set[Ref] = set()
        for name in type_names(annotation):
            if name in _PREDEFINED and not self._is_python(path):
                found.add(Elsewhere(f"a member of {name}"))
            else:
                found |= self._as_class(self.value(path, dotted(name, at), depth + 1), depth + 1)
        return frozenset(found) or _unknown("its type is not a class")

    def bindings_of(self, key: Key) -> tuple[Binding, ...]:
        outline = self.outline(key.path)
        return outline.bindings.get((key.scope, key.name), ()) if outline is not None else ()

    def functions_of(self, refs: Refs, depth: int = 0) -> frozenset[Klass]:
        """The scopes of the functions that a call of these would enter: a class enters its constructor."""
        found: set[Klass] = set()
        for ref in refs:
            for binding in self.bindings_of(ref) if isinstance(ref, Key) else ():
                outline = self.outline(ref.path) if isinstance(ref, Key) else None
                if binding.inner < 0 or outline is None or not isinstance(ref, Key):
                    continue
                if outline.scopes[binding.inner].kind is ScopeKind.FUNCTION:
                    found.add(Klass(ref.path, binding.inner))
                elif depth < DEEPEST:
                    name = "__init__" if self._is_python(ref.path) else "constructor"
                    found |= self.functions_of(self.member(Klass(ref.path, binding.inner), name), depth + 1)
        return frozenset(found)

    def _as_class(self, refs: Refs, depth: int) -> Refs:
        """What has the members of these values: the class of an instance, a class itself, a module."""
        found: set[Ref] = set()
        for ref in refs:
            if not isinstance(ref, Key):
                found.add(ref)
                continue
            for binding in self.bindings_of(ref):
                found |= self._class_of(ref.path, binding, depth + 1)
        return frozenset(found)

    def _class_of(self, path: Path, binding: Binding, depth: int) -> Refs:
        outline = self.outline(path)
        if depth > DEEPEST or outline is None:
            return _unknown("the chain of types is too long")
        if binding.source is not None:
            return self._as_class(self.follow(path, binding, depth), depth + 1)
        if binding.inner >= 0:
            scope = outline.scopes[binding.inner]
            if scope.kind in MEMBER_SCOPES:
                return frozenset({Klass(path, binding.inner)})
            if scope.returns:
                return self.types(path, scope.returns, binding.start, depth + 1)
            return _unknown(f"what {binding.name} returns is not written")
        if binding.annotation:
            whole = self.types(path, binding.annotation, binding.start, depth + 1)
            return self._as_class(self.members(whole, binding.name, depth + 1), depth + 1) if binding.shorthand else whole
        if binding.origin is not None:
            whole = self.value(path, binding.origin, depth + 1)
            return self._as_class(self.members(whole, binding.name, depth + 1) if binding.shorthand else whole, depth + 1)
        return _unknown(f"the type of {binding.name} is not written")

    def _called(self, refs: Refs, depth: int) -> Refs:
        found: set[Ref] = set()
        for ref in refs:
            if isinstance(ref, Module):
                found.add(Unknown("a module is called"))
            else:
                found |= self._as_class(frozenset({ref}), depth)
        return frozenset(found)

    def taken_from(self, path: Path, binding: Binding) -> Refs:
        """The member that a destructured name is taken from."""
        if binding.annotation:
            return self.members(self.types(path, binding.annotation, binding.start), binding.name)
        return (
            self.members(self.value(path, binding.origin), binding.name)
            if binding.origin is not None
            else _unknown("what it is taken from is not known")
        )

    def is_member(self, key: Key) -> bool:
        outline = self.outline(key.path)
        return outline is not None and outline.scopes[key.scope].kind in HIDDEN_SCOPES

    def is_local(self, key: Key) -> bool:
        """Whether the name is seen only inside a function or a block."""
        outline = self.outline(key.path)
        return outline is not None and outline.scopes[key.scope].kind in (ScopeKind.FUNCTION, ScopeKind.BLOCK)

    def kind(self, key: Key) -> SymbolKind:
        bound = self.bindings_of(key)
        kinds = [b.kind for b in bound if b.source is None] or [b.kind for b in bound]
        return next((k for k in kinds if k is not SymbolKind.VARIABLE), kinds[0] if kinds else SymbolKind.VARIABLE)

    def _is_python(self, path: Path) -> bool:
        language = language_of(path)
        return language is None or language.family == "python"


def _unknown(why: str) -> Refs:
    return frozenset({Unknown(why)})
