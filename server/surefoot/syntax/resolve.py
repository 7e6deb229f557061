"""What a name, a member or an expression means, across the files of one root.

Everything is answered from outlines; what differs between languages is asked of their linkers. What cannot be followed is `Unknown`; only
what certainly is something else is `Elsewhere`.
"""

from collections.abc import Iterable
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.busy import Busy
from surefoot.syntax.expressions import dotted
from surefoot.syntax.given import entered, functions_in, item
from surefoot.syntax.index import Index
from surefoot.syntax.languages import language_of
from surefoot.syntax.linking import LINKERS
from surefoot.syntax.linking.linker import Linker
from surefoot.syntax.outline import HIDDEN_SCOPES, MEMBER_SCOPES, Binding, ClassNames, Expression, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, Unknown, certain, unknown
from surefoot.syntax.store.files import Files
from surefoot.syntax.store.view import View

DEEPEST = 24
"""Imports, members and bases followed from one name; beyond it the answer is unknown."""


class Resolver:
    """Answers for one view of the text. `stop` are import aliases that count as definitions of their own."""

    def __init__(self, texts: View, index: Index, stop: frozenset[Key] = frozenset()) -> None:
        self.texts = texts
        self._index = index
        self._stop = stop
        self.root = texts.root
        self._linkers: dict[str, Linker] = {}
        self._linked: dict[Path, Linker] = {}
        self._outlines: dict[Path, Outline | None] = {}
        self._exported: dict[tuple[Module, str], Refs] = {}
        self._doubts: dict[Klass, bool] = {}
        self._asking: set[tuple[Module, str]] = set()
        self._circles = 0
        self.busy = Busy()

    @property
    def files(self) -> Files:
        return self.texts.files()

    def linker(self, path: Path) -> Linker:
        """The rules of the file's language; Python's for a file or a folder of none."""
        found = self._linked.get(path)
        if found is None:
            language = language_of(path)
            found = self._linked[path] = self.linker_of(language.family if language is not None else "python")
        return found

    def linker_of(self, family: str) -> Linker:
        if family not in self._linkers:
            self._linkers[family] = LINKERS[family](self)
        return self._linkers[family]

    def holds(self, path: Path, *names: str) -> bool:
        """Whether the text of a file has each of the names somewhere."""
        held = self.texts.read(path)
        return isinstance(held, TextFile) and all(word(name).encode("utf-8") in held.data for name in names)

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
            return unknown("the chain of names is too long")
        later: tuple[Binding, ...] = ()
        doubts: set[Ref] = set()
        for scope in outline.chain(at):
            if found := _seen(outline, scope, name, at):
                if outline.scopes[scope].kind is not ScopeKind.CLASS or self._bound_before(outline, path, found, at):
                    return self.follow_all(path, found, depth) | doubts
                later = found
            elif outline.classes is ClassNames.OPEN and outline.scopes[scope].kind is ScopeKind.CLASS:
                inherited, doubt = self._inherited(Klass(path, scope), name, depth + 1)
                if inherited:
                    return inherited
                doubts |= doubt
        found = self.follow_all(path, later, depth) if later else self.linker(path).unbound(path, outline, name, at, depth)
        return found | doubts

    def _inherited(self, held: Klass, name: str, depth: int) -> tuple[Refs, Refs]:
        """What a bare name means as a member of a class around it; where no base is known to have it, the bases that might."""
        found = self.member(held, name, depth)
        if known := frozenset(ref for ref in found if isinstance(ref, Key)):
            return known, frozenset()
        vague = self._doubtful(held, depth)
        return frozenset(), unknown("it may be inherited from a base that is not known") if vague else frozenset()

    def _doubtful(self, held: Klass, depth: int) -> bool:
        """Whether a class has a base, near or far, that may be one of ours that was not found."""
        if depth > DEEPEST:
            return True
        if held not in self._doubts:
            self._doubts[held] = False  # what goes in a circle adds nothing
            bases = self.bases(held, depth)
            self._doubts[held] = any(
                isinstance(base, Unknown) or (isinstance(base, Klass) and self._doubtful(base, depth + 1)) for base in bases
            )
        return self._doubts[held]

    def _bound_before(self, outline: Outline, path: Path, found: Iterable[Binding], at: int) -> bool:
        """Whether a class body has bound the name before the line of byte `at`: until then (`total = total`) it means an outer one."""
        if outline.classes is not ClassNames.BODY:
            return True
        held = self.texts.read(path)
        line = held.data.rfind(b"\n", 0, at) + 1 if isinstance(held, TextFile) else at
        return any(binding.start < line or binding.start == at for binding in found)

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
        if depth > DEEPEST:
            return unknown("the chain of imports is too long")
        return self.linker(path).imported(path, source, name, depth)

    def exported(self, module: Module, name: str, depth: int = 0) -> Refs:
        """What a module offers under `name`."""
        key = (module, name)
        if key in self._exported:
            return self._exported[key]
        if depth > DEEPEST:
            return unknown("the chain of imports is too long")
        if key in self._asking:
            self._circles += 1
            return unknown("the imports go in a circle")
        circles = self._circles
        self._asking.add(key)
        linker = self.linker_of(module.family) if module.family else self.linker(module.path)
        found = linker.exported(module, name, depth)
        self._asking.remove(key)
        # What was found inside of a circle is only part of the answer, unless this question is where the circle began.
        if circles == self._circles or not self._asking:
            self._exported[key] = found
        return found

    # Members and values

    def value(self, path: Path, expression: Expression, depth: int = 0) -> Refs:
        """What an expression stands for."""
        if depth > DEEPEST:
            return unknown("the chain of values is too long")
        with self.busy.question() as affordable:
            return self._value(path, expression, depth) if affordable else unknown("there is too much to follow")

    def _value(self, path: Path, expression: Expression, depth: int) -> Refs:
        inner = expression.inner
        match expression.kind:
            case "name":
                return self.name(path, expression.name, expression.at, depth + 1)
            case "path":
                return self.linker(path).leading(path, expression.name, expression.at, depth + 1)
            case "member" if inner is not None:
                return _given(self.found(path, self.value(path, inner, depth + 1), expression.name, depth + 1))
            case "call" if inner is not None:
                called = functions_in(self, path, inner, depth + 1)
                if not self.linker(path).makes(inner.name):
                    called = _given(
                        frozenset(Unknown(f"what {ref.what} gives is not known") if isinstance(ref, Elsewhere) else ref for ref in called)
                    )
                return self._called(called, depth + 1)
            case "type":
                return self.types(path, expression.name, expression.at, depth + 1)
            case "module":
                return self.imported(path, expression.name, "*", depth + 1)
            case "entered" if inner is not None:
                return entered(self, path, inner, depth + 1)
            case "item" if inner is not None:
                return item(self, path, inner, depth + 1)
            case "self" | "super" | "object":
                return self._instance(path, expression, depth)
            case _:
                return unknown("the receiver is not a name")

    def _instance(self, path: Path, expression: Expression, depth: int) -> Refs:
        outline = self.outline(path)
        find = None if outline is None else outline.class_around if expression.kind == "object" else outline.instance_around
        around = find(expression.at) if find is not None else -1
        if outline is None or around < 0:
            return self.name(path, expression.name, expression.at, depth + 1) if expression.name else unknown("there is no class around it")
        if expression.kind == "super":
            return self.bases(Klass(path, around), depth + 1) or unknown("the base class is not known")
        return frozenset({Klass(path, around)})

    def found(self, path: Path, holders: Refs, name: str, depth: int = 0) -> Refs:
        """What `.name` of any of these means in a file: their own member, or what the file sees added to them."""
        return self.linker(path).extended(path, holders, self.members(holders, name, depth), name)

    def members(self, holders: Refs, name: str, depth: int = 0) -> Refs:
        """What `.name` of any of these means."""
        if depth > DEEPEST:
            return unknown("the chain of members is too long")
        found: set[Ref] = set()
        for holder in holders:
            match holder:
                case Module():
                    found |= self.exported(holder, name, depth + 1)
                case Klass():
                    found |= self.member(holder, name, depth + 1)
                case Key():
                    found |= self.members(self.classes(frozenset({holder}), depth + 1), name, depth + 1)
                case Unknown() | Elsewhere():
                    found.add(holder)
        return frozenset(found)

    def member(self, held: Klass, name: str, depth: int = 0) -> Refs:
        """The member of a class, its own or the nearest inherited one."""
        held = self.linker(held.path).whole(held)
        with self.busy.following(("member", held, name)) as new:
            return self._member(held, name, depth) if new else unknown("the bases go in a circle")

    def _member(self, held: Klass, name: str, depth: int) -> Refs:
        outline = self.outline(held.path)
        if outline is None or depth > DEEPEST:
            return unknown("the chain of bases is too long")
        if bound := outline.bindings.get((held.scope, name)):
            return self.follow_all(held.path, bound, depth)
        if beside := frozenset(ref for part in self.parts(held, name) for ref in self._own(part, name, depth)):
            return beside
        if lent := self.linker(held.path).lent(held, name, depth + 1):
            return lent
        scope = outline.scopes[held.scope]
        found: set[Ref] = set()
        for base in self.bases(held, depth):
            found |= (
                self.member(base, name, depth + 1)
                if isinstance(base, Klass)
                else {Unknown(f"a base of {scope.name or 'the class'} is not known", isinstance(base, Elsewhere))}
            )
        return certain(frozenset(found)) or frozenset(found) or unknown(f"{scope.name or 'the object'} does not define {name}")

    def _own(self, held: Klass, name: str, depth: int) -> Refs:
        outline = self.outline(held.path)
        bound = outline.bindings.get((held.scope, name), ()) if outline is not None else ()
        return self.follow_all(held.path, bound, depth)

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        """The other scopes that hold members of the same class and may bind `name`, or, for "", say its bases."""
        return self.linker(held.path).parts(held, name)

    def bases(self, held: Klass, depth: int = 0) -> Refs:
        """The direct bases of a class: classes, and what could not be followed."""
        found: set[Ref] = set()
        for part in (held, *self.parts(held, "")):
            outline = self.outline(part.path)
            for base in outline.scopes[part.scope].bases if outline is not None else ():
                found |= self.classes(self.value(part.path, base, depth + 1), depth + 1)
        return frozenset(self.linker(base.path).whole(base) if isinstance(base, Klass) else base for base in found)

    def types(self, path: Path, annotation: str, at: int, depth: int = 0) -> Refs:
        """The classes that an annotation written at byte `at` names."""
        found: set[Ref] = set()
        linker = self.linker(path)
        for name in linker.type_names(annotation):
            if linker.predefined(name):
                found.add(Elsewhere(f"a member of {name}"))
                continue
            for ref in self.classes(self.value(path, dotted(name, at), depth + 1), depth + 1):
                open_type = isinstance(ref, Elsewhere) and linker.may_be_ours(annotation)
                found.add(Unknown(f"its type, {name}, is not of this root", outside=True) if open_type else ref)
        return frozenset(found) or unknown("its type is not a class")

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
                    for name in self.linker(ref.path).constructors(ref.name):
                        found |= self.functions_of(self.member(Klass(ref.path, binding.inner), name), depth + 1)
        return frozenset(found)

    def classes(self, refs: Refs, depth: int = 0) -> Refs:
        """What has the members of these values: the class of an instance, a class itself, a module."""
        found: set[Ref] = set()
        for ref in refs:
            if not isinstance(ref, Key):
                found.add(ref)
                continue
            with self.busy.following(("class", ref)) as new:
                for binding in self.bindings_of(ref) if new else ():
                    found |= self._class_of(ref.path, binding, depth + 1)
        return frozenset(found)

    def _class_of(self, path: Path, binding: Binding, depth: int) -> Refs:
        outline = self.outline(path)
        if depth > DEEPEST or outline is None:
            return unknown("the chain of types is too long")
        if binding.source is not None:
            return self.classes(self.follow(path, binding, depth), depth + 1)
        if binding.inner >= 0:
            scope = outline.scopes[binding.inner]
            if scope.kind in MEMBER_SCOPES:
                return frozenset({Klass(path, binding.inner)})
            if scope.returns.strip("\"'") in self.linker(path).same and (around := outline.class_around(binding.start)) >= 0:
                # The instance itself: of the class that says so, or of one below it.
                return frozenset({Klass(path, around)})
            if scope.returns:
                return self.types(path, scope.returns, binding.start, depth + 1)
            return unknown(f"what {binding.name} returns is not written")
        if binding.annotation:
            whole = self.types(path, binding.annotation, binding.start, depth + 1)
            if (binding.scope, binding.name) in outline.narrowed:
                whole = frozenset(Unknown("its type is tested for") if isinstance(ref, Elsewhere) else ref for ref in whole)
            return self.classes(self.members(whole, binding.name, depth + 1), depth + 1) if binding.shorthand else whole
        if binding.origin is not None:
            whole = self.value(path, binding.origin, depth + 1)
            return self.classes(self.members(whole, binding.name, depth + 1) if binding.shorthand else whole, depth + 1)
        return unknown(f"the type of {binding.name} is not written")

    def _called(self, refs: Refs, depth: int) -> Refs:
        found: set[Ref] = set()
        for ref in refs:
            if isinstance(ref, Module):
                found.add(Unknown("a module is called"))
            else:
                found |= self.classes(frozenset({ref}), depth)
        return frozenset(found)

    def taken_from(self, path: Path, binding: Binding) -> Refs:
        """The member that a destructured name is taken from."""
        if binding.annotation:
            return self.members(self.types(path, binding.annotation, binding.start), binding.name)
        return (
            self.members(self.value(path, binding.origin), binding.name)
            if binding.origin is not None
            else unknown("what it is taken from is not known")
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


def _given(refs: Refs) -> Refs:
    """What the members of values give: of a value whose type is not of this root, anything."""
    return frozenset(Unknown(f"of what it gives, {ref.why}") if isinstance(ref, Unknown) and ref.outside else ref for ref in refs)


def _seen(outline: Outline, scope: int, name: str, at: int) -> tuple[Binding, ...]:
    """The bindings of a scope that byte `at` sees: some languages know a local name only after the place that makes it."""
    bound = outline.bindings.get((scope, name), ())
    return tuple(b for b in bound if b.since <= at or b.start == at) if any(b.since for b in bound) else bound
