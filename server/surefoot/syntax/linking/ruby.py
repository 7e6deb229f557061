"""Ruby: classes and modules are open to every file, and a constant means what the root defines under its full name."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from surefoot.core.text import TextFile
from surefoot.syntax.linking.linker import Linker
from surefoot.syntax.linking.ruby_library import CONSTANTS, LITERALS, METHODS, OBJECT, THROWN
from surefoot.syntax.outline import CALLED, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Ref, Refs, Unknown, unknown

_DEFINES = r"\b(?:class|module)\s+(?:::)?(?:\w+::)*{0}\b|\b{0}\s*(?:\|\|)?="
_OPENED = frozenset({"extend", "module_function"})
"""Parts of a class that lend methods to it, rather than defining some."""

_DEEP = 12
"""Steps of one chain beyond which an answer is not kept."""


class RubyLinker(Linker):
    """Ruby's constants, mixins and singleton methods. What a file requires is not asked: a name is looked for in all of the root."""

    same = frozenset({"self"})

    # Constants

    @cached_property
    def _found(self) -> dict[str, tuple[tuple[str, Key], ...]]:
        return {}

    @cached_property
    def _scopes(self) -> dict[str, tuple[Klass, ...]]:
        return {}

    def _constants(self, name: str) -> tuple[tuple[str, Key], ...]:
        """Every definition of a constant, with the full name of each class or module that it may be a constant of, "" for none."""
        if name not in self._found:
            found: list[tuple[str, Key]] = []
            for path, outline in self._defining(name):
                for scope, bindings in outline.named(name):
                    for binding in bindings:
                        if binding.name == name and binding.source is None:
                            prefix = outline.scopes[binding.inner].name.rpartition("::")[0] if binding.inner >= 0 else ""
                            found += [(around, Key(path, scope, name)) for around in _containers(outline, scope, prefix)]
            self._found[name] = tuple(dict.fromkeys(found))
        return self._found[name]

    def _defining(self, name: str) -> Iterator[tuple[Path, Outline]]:
        defines = re.compile(_DEFINES.format(re.escape(name)).encode())
        for path in self._files(name):
            held = self.resolver.texts.read(path)
            if isinstance(held, TextFile) and defines.search(held.data) and (outline := self.resolver.outline(path)) is not None:
                yield path, outline

    @cached_property
    def _held(self) -> dict[str, list[Path]]:
        return {}

    def _files(self, name: str) -> list[Path]:
        if name not in self._held:
            self._held[name] = [path for path in self.resolver.texts.holding(name).files if self.resolver.linker(path) is self]
        return self._held[name]

    def _all_of(self, full: str) -> tuple[Klass, ...]:
        """Every scope that is part of the class or module of this full name."""
        if full not in self._scopes:
            last = full.rpartition("::")[2]
            found: list[Klass] = []
            for path, outline in self._defining(last):
                for index, scope in enumerate(outline.scopes):
                    if _is_class(outline, index) and scope.name.rpartition("::")[2] == last and full in _fulls(outline, index):
                        found.append(Klass(path, index))
            self._scopes[full] = tuple(found)
        return self._scopes[full]

    def _constant(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        held = self.resolver.texts.read(path)
        absolute = isinstance(held, TextFile) and re.search(rb"(?<![\w:\])}])::\Z", held.data[max(0, at - 4) : at]) is not None
        known = self._constants(name)
        around = [] if absolute else list(_nesting(outline, at))
        for index in around:
            fulls = _fulls(outline, index)
            if found := _first(key for container, key in known if container in fulls):
                return found
        for index in around[:1]:
            inherited = self.resolver.member(Klass(path, index), name, depth + 1)
            if found := frozenset(ref for ref in inherited if isinstance(ref, Key)):
                return found
        if found := _first(key for container, key in known if not container):
            return found
        if name in CONSTANTS:
            return frozenset({Elsewhere(f"Ruby's own {name}")})
        return unknown("a constant of this name is defined in another module" if known else f"{name} is not found here")

    # Names

    @cached_property
    def _known(self) -> dict[tuple[Path, str, int, bool], Refs]:
        return {}

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        key = (path, name, at, depth <= 1)
        if key not in self._known:
            found = self._meant(path, outline, name, at, depth)
            if depth > _DEEP:  # what is left of the depth may have cut the answer short
                return found
            self._known[key] = found
        return self._known[key]

    def _meant(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        plain = word(name)
        if plain.startswith("@"):
            held = outline.instance_around(at)
            return self.resolver.member(Klass(path, held), plain.lstrip("@"), depth + 1) if held >= 0 else unknown("a variable of no class")
        if plain[:1].isupper() and not name.endswith(CALLED):
            return self._constant(path, outline, name, at, depth)
        called = plain + CALLED
        for scope in outline.chain(at):
            if bound := outline.bindings.get((scope, called)):
                return self.resolver.follow_all(path, bound, depth)
        held = outline.instance_around(at)
        found = self._bare(path, outline, called, at, held, depth) if held >= 0 else frozenset[Ref]()
        if any(isinstance(ref, Key) for ref in found):
            return frozenset(ref for ref in found if isinstance(ref, Key))
        if (0, called) in outline.bindings:
            return frozenset({Key(path, 0, called)})
        # What a method gives is not written: where only its value is asked for, other files need not be searched for it.
        top = self._at_top(called) if depth <= 1 else ()
        if len(top) == 1:
            return frozenset(top)
        if plain in METHODS and not top and not self._may_be_lent(path, outline, held):
            return frozenset({Elsewhere(f"Ruby's own {plain}")})
        return found or unknown("nothing around it defines the method")

    def _at_top(self, called: str) -> tuple[Key, ...]:
        """The methods of a name that files define outside of every class."""
        if called not in self._tops:
            name = word(called)
            found = [Key(path, 0, called) for path, outline in self.holding(self._files(name), name) if (0, called) in outline.bindings]
            self._tops[called] = tuple(found)
        return self._tops[called]

    @cached_property
    def _tops(self) -> dict[str, tuple[Key, ...]]:
        return {}

    def _bare(self, path: Path, outline: Outline, called: str, at: int, held: int, depth: int) -> Refs:
        """A bare name as a method of the instance, or, in the body of a class, of the class itself."""
        if self._in_method(outline, at, held) or not _is_class(outline, held):
            return self.resolver.member(Klass(path, held), called, depth + 1)
        return self._single(Klass(path, held), called, depth + 1)

    def _in_method(self, outline: Outline, at: int, held: int) -> bool:
        inside = (outline.scopes[index] for index in outline.ancestors(outline.scope_at(at)) if index > held)
        return any(scope.kind is ScopeKind.FUNCTION and scope.name for scope in inside)

    def _may_be_lent(self, path: Path, outline: Outline, held: int) -> bool:
        """Whether code stands in a module, whose bare names may be methods of whatever includes it."""
        text = self.resolver.texts.read(path)
        if held < 0 or not isinstance(text, TextFile):
            return False
        start = outline.scopes[held].start
        line = text.data[text.data.rfind(b"\n", 0, start) + 1 : start]
        before = text.data[max(0, start - 200) : start]
        return re.search(rb"\bmodule\s+[\w:]+\s*\Z", before) is not None or line.lstrip().startswith(b"module ")

    # Members

    @cached_property
    def _wholes(self) -> dict[Klass, Klass]:
        return {}

    def whole(self, held: Klass) -> Klass:
        """The first of the places that open a class: it stands for all of them."""
        if held not in self._wholes:
            outline = self.resolver.outline(held.path)
            fulls = _fulls(outline, held.scope) if outline is not None and _is_class(outline, held.scope) else ()
            self._wholes[held] = min((part for full in fulls[:1] for part in self._all_of(full)), key=str, default=held)
        return self._wholes[held]

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        outline = self.resolver.outline(held.path)
        if outline is None or not _is_class(outline, held.scope):
            return
        for full in _fulls(outline, held.scope):
            for part in self._all_of(full):
                other = self.resolver.outline(part.path)
                if other is None or part == held:
                    continue
                if (part.scope, name) in other.bindings if name else other.scopes[part.scope].bases:
                    yield part

    def twins(self, key: Key) -> Iterator[Key]:
        """The same constant or method where a class is opened again."""
        outline = self.resolver.outline(key.path)
        if outline is None:
            return
        if key.name[:1].isupper() and not key.name.endswith(CALLED):
            known = self._constants(key.name)
            fulls = {container for container, other in known if other == key}
            yield from (other for container, other in known if container in fulls and other != key)
        elif _is_class(outline, key.scope):
            yield from (Key(part.path, part.scope, key.name) for part in self.parts(Klass(key.path, key.scope), key.name))
        elif outline.scopes[key.scope].kind is ScopeKind.CLASS and (owner := self._owner(Klass(key.path, key.scope))) is not None:
            yield from (ref for ref in self._own_single(owner, key.name) if isinstance(ref, Key) and ref != key)

    def extended(self, path: Path, holders: Refs, refs: Refs, name: str) -> Refs:
        if not name.endswith(CALLED):
            return refs
        named = {holder: self._as_classes(holder) for holder in holders if isinstance(holder, Key)}
        if not any(named.values()):
            return refs
        others = holders - {holder for holder, classes in named.items() if classes}
        found = set(self.resolver.members(others, name))
        for held in {each for classes in named.values() for each in classes}:
            found |= self._single(held, name, 1)
        return frozenset(found) or refs

    def _as_classes(self, key: Key, depth: int = 0) -> frozenset[Klass]:
        """The classes that a constant, or a variable that holds one, is the name of; none for what holds an instance."""
        found: set[Klass] = set()
        bound = self.resolver.bindings_of(key)
        for binding in bound:
            outline = self.resolver.outline(key.path)
            if binding.inner >= 0 and outline is not None and outline.scopes[binding.inner].kind is ScopeKind.CLASS:
                found.add(Klass(key.path, binding.inner))
            elif binding.origin is not None and binding.origin.kind in ("name", "member") and len(bound) == 1 and depth < 4:
                held = self.resolver.value(key.path, binding.origin)
                found |= {each for ref in held if isinstance(ref, Key) for each in self._as_classes(ref, depth + 1)}
        return frozenset(found)

    def _single(self, held: Klass, name: str, depth: int) -> Refs:
        """A method of a class itself: its own, one that a module lends it, or that of its base."""
        held = self.whole(held)
        with self.resolver.busy.following(("single", held, name)) as new:
            return self._own_or_lent(held, name, depth) if new else unknown("the bases go in a circle")

    def _own_or_lent(self, held: Klass, name: str, depth: int) -> Refs:
        if word(name) in ("new", "allocate") and not self._own_single(held, name):
            return frozenset({held})
        if (found := self._own_single(held, name)) or (found := self._lent_single(held, name, depth)):
            return found
        bases = self.resolver.bases(held, depth)
        inherited = frozenset(ref for base in bases if isinstance(base, Klass) for ref in self._single(base, name, depth + 1))
        if found := frozenset(ref for ref in inherited if isinstance(ref, Key)):
            return found
        return frozenset(ref for ref in inherited if isinstance(ref, Unknown)) or unknown(f"the class does not define {word(name)}")

    def _single_scopes(self, held: Klass) -> Iterator[tuple[Path, Outline, int]]:
        """The parts of a class that hold what it has itself, in every file that opens it."""
        outline = self.resolver.outline(held.path)
        fulls = _fulls(outline, held.scope) if outline is not None else ()
        for part in dict.fromkeys((held, *(each for full in fulls for each in self._all_of(full)))):
            other = self.resolver.outline(part.path)
            for index, scope in enumerate(other.scopes) if other is not None else ():
                if other is not None and scope.part and _class_of(other, index) == part.scope:
                    yield part.path, other, index

    def _own_single(self, held: Klass, name: str) -> Refs:
        return frozenset(Key(path, index, name) for path, outline, index in self._single_scopes(held) if (index, name) in outline.bindings)

    def _lent_single(self, held: Klass, name: str, depth: int) -> Refs:
        found: set[Ref] = set()
        for path, outline, index in self._single_scopes(held):
            scope = outline.scopes[index]
            if scope.name not in _OPENED:
                continue
            if scope.returns or scope.name == "module_function":
                found |= self.resolver.member(held, name, depth + 1)
            for base in self.resolver.bases(Klass(path, index), depth):
                found |= self.resolver.member(base, name, depth + 1) if isinstance(base, Klass) else {base}
        for base in self.resolver.bases(held, depth):
            found |= self._of_concern(base, name, depth) if isinstance(base, Klass) else frozenset[Ref]()
        keys = frozenset(ref for ref in found if isinstance(ref, Key))
        return keys or frozenset(ref for ref in found if isinstance(ref, Unknown) and not ref.why.startswith(("the class", "no ")))

    def _of_concern(self, base: Klass, name: str, depth: int) -> Refs:
        """What a module that is included lends the class itself: by `class_methods`, or by a module of that name."""
        members = self.resolver.member(base, "ClassMethods", depth + 1)
        inner = self.resolver.members(frozenset(ref for ref in members if isinstance(ref, Key)), name, depth + 1)
        lent = frozenset(
            Key(path, index, name)
            for path, outline, index in self._single_scopes(base)
            if outline.scopes[index].name == "class_methods" and (index, name) in outline.bindings
        )
        return lent | frozenset(ref for ref in inner if isinstance(ref, Key))

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        outline = self.resolver.outline(held.path)
        if outline is None:
            return frozenset()
        if not _is_class(outline, held.scope):
            owner = self._owner(held) if outline.scopes[held.scope].kind is ScopeKind.CLASS else None
            return self._single(owner, name, depth + 1) if owner is not None else frozenset()
        if name == "class" + CALLED:
            singles = frozenset(Klass(path, index) for path, _, index in self._single_scopes(held))
            return singles or unknown("the class of an instance")
        if name[:1].isupper() and not name.endswith(CALLED):
            fulls = _fulls(outline, held.scope)
            return _first(key for container, key in self._constants(name) if container in fulls)
        return frozenset({held}) if word(name) in ("dup", "clone", "freeze", "tap", "itself") and name.endswith(CALLED) else frozenset()

    def _owner(self, part: Klass) -> Klass | None:
        """The class that a singleton method, or `class << self`, adds to."""
        outline = self.resolver.outline(part.path)
        scope = outline.scopes[part.scope] if outline is not None else None
        if outline is None or scope is None:
            return None
        around = _class_of(outline, part.scope)
        if scope.name[:1].isupper() and (around < 0 or outline.scopes[around].name != scope.name):
            refs = self.resolver.name(part.path, scope.name.rpartition("::")[2], scope.start)
            return next((each for ref in sorted(refs, key=str) if isinstance(ref, Key) for each in self._as_classes(ref)), None)
        return Klass(part.path, around) if around >= 0 else None

    # Types

    def constructors(self, name: str) -> tuple[str, ...]:
        return ("initialize" + CALLED,)

    def type_names(self, annotation: str) -> tuple[str, ...]:
        first = annotation[:1]
        if first.isdigit():
            return ("Float" if "." in annotation else "Integer",)
        special = {"nil": "NilClass", "true": "TrueClass", "false": "FalseClass"}.get(annotation)
        return tuple(name for name in (special or LITERALS.get(first, ""),) if name)

    def makes(self, name: str) -> bool:
        return word(name) == "new"

    def may_declare(self, source: str, base: str, member: str) -> bool:
        if base in CONSTANTS:
            return member in THROWN if base.endswith(("Error", "Exception")) else member in OBJECT
        return True


def _first(keys: Iterable[Key]) -> Refs:
    """One of the places that open a class or set a constant: they are twins, and so the first stands for all."""
    return frozenset(sorted(keys, key=str)[:1])


def _is_class(outline: Outline, index: int) -> bool:
    """Whether a scope is a class or a module, and not what one has beside its instances."""
    return outline.scopes[index].kind is ScopeKind.CLASS and not outline.scopes[index].part


def _class_of(outline: Outline, index: int) -> int:
    """The class or module around a scope, -1 where there is none."""
    return next((each for each in outline.ancestors(outline.scopes[index].parent) if _is_class(outline, each)), -1)


def _nesting(outline: Outline, at: int) -> Iterator[int]:
    """The classes and modules whose constants are seen at a byte, the innermost first; the base of a class stands outside of it."""
    skipped = {scope for start, end, scope in outline.outer if start <= at < end}
    yield from (index for index in outline.ancestors(outline.scope_at(at)) if _is_class(outline, index) and index not in skipped)


def _fulls(outline: Outline, index: int) -> tuple[str, ...]:
    """The full names that a class may have: `class Shop::Cart` in a module may mean a Shop of that module or the outermost one."""
    own = outline.scopes[index].name
    around = _class_of(outline, index)
    outer = _fulls(outline, around) if around >= 0 else ()
    return tuple(dict.fromkeys((*(f"{each}::{own}" for each in outer), *((own,) if not outer or "::" in own else ()))))


def _containers(outline: Outline, scope: int, prefix: str) -> tuple[str, ...]:
    """The full names of what a constant may belong to that is bound in a scope, and was written with a prefix."""
    around = scope if _is_class(outline, scope) else _class_of(outline, scope)
    fulls = _fulls(outline, around) if around >= 0 else ("",)
    if not prefix:
        return fulls
    return tuple(dict.fromkeys((*(f"{full}::{prefix}" if full else prefix for full in fulls), prefix)))
