"""How names travel between files: one small strategy for each family of languages.

The resolver knows scopes, members, types and values; it asks the linker of a file's language wherever languages differ. The defaults fit a
language whose files know nothing of one another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from surefoot.core.text import TextFile
from surefoot.syntax.expressions import type_names
from surefoot.syntax.outline import ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Refs, unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from surefoot.syntax.outline import Outline
    from surefoot.syntax.resolve import Resolver


LONGEST_DECLARATION = 300
"""Bytes before a name in which its modifiers are looked for."""

_REMARK = re.compile(rb"//[^\n]*")


def names(text: str) -> frozenset[str]:
    """The words of a text, for tables of names."""
    return frozenset(text.split())


class Linker:
    """The rules of one family, for one view of the text. Answers may be kept: the texts do not change."""

    indexes: frozenset[str] = frozenset()
    """Stems of files that stand for their folder."""

    parts_apart: bool = False
    """Whether parts of one class may have members of the same name that have nothing to do with one another."""

    overloads: bool = False
    """Whether functions of one class that share a name are apart where they take something else."""

    converts: bool = False
    """Whether classes may say what else their values can be made of without a word."""

    iterates: frozenset[str] = frozenset()
    """Methods that give the items of what they are called on."""

    entries: tuple[str, ...] = ()
    """Members that give what a context manager is entered with."""

    same: frozenset[str] = frozenset()
    """Annotations that mean the class of the instance."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self._classes: dict[Path, Mapping[str, tuple[int, ...]]] = {}

    # Modules

    def find(self, importer: Path, source: str) -> Path | None:
        """The file or folder of this root that `source` means in `importer`."""
        return None

    def outside(self, importer: Path, source: str) -> bool:
        """Whether `source` certainly means nothing of this root. In doubt it does not: what is not found is not excluded."""
        return False

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        """What an import in `path` takes: "*" is the module itself, "." the first part of its dotted name, "default" its default."""
        module = self.find(path, source)
        if module is None:
            return self.not_found(path, source)
        return frozenset({Module(module)}) if name == "*" else self.resolver.exported(Module(module), name, depth + 1)

    def not_found(self, path: Path, source: str) -> Refs:
        """The answer for a module that is not in this root."""
        if self.outside(path, source):
            return frozenset({Elsewhere(f"{source} of the standard library")})
        return unknown(f"the module {source} is not found here")

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        """What a module offers under `name`. The resolver guards this question against circles and keeps the answer."""
        outline = self.resolver.outline(module.path)
        bound = outline.bindings.get((0, name), ()) if outline is not None else ()
        return self.resolver.follow_all(module.path, bound, depth) if bound else unknown(f"{module.path.name} does not define {name}")

    def words(self, module: Path) -> tuple[bytes, ...]:
        """Words of which a file that imports `module` holds one; none where it need not name it at all."""
        return ()

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        """What a bare name means that no scope around byte `at` binds: a builtin, another file's, something of a star import."""
        return unknown("nothing in this file binds the name")

    def leading(self, path: Path, name: str, at: int, depth: int) -> Refs:
        """What a name means that a path begins with."""
        return self.resolver.name(path, name, at, depth)

    def spelled(self, path: Path, parts: Sequence[str]) -> Refs:
        """What a dotted name in a string or in a file that is no code means; empty where it begins with nothing of ours."""
        return frozenset()

    # Classes

    def constructors(self, name: str) -> tuple[str, ...]:
        """Names of the members that a call of the class `name` enters."""
        return ()

    def whole(self, held: Klass) -> Klass:
        """The scope whose members come first where `held` is a part of a class."""
        return held

    def parts(self, held: Klass, name: str) -> Iterable[Klass]:
        """The other scopes that hold members of the same class: those that may bind `name`, or, for "", those that may say its bases."""
        return ()

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        """A member that a class has without defining or inheriting it, empty where there is none."""
        return frozenset()

    def overrides(self, held: Klass, base: Klass) -> bool:
        """Whether a member of `held` stands in for the member of the same name of its direct base."""
        return True

    def may_declare(self, source: str, base: str, member: str) -> bool:
        """Whether the class `base` of a module `source` that is not of this root may have a member of this name; "" is no module."""
        return True

    def library(self, source: str) -> str:
        """The library of a module that is not of this root, where its classes may be bases of one another; "" where that is not so."""
        return ""

    def extended(self, path: Path, holders: Refs, refs: Refs, name: str) -> Refs:
        """What `.name` of `holders` means in a file, where methods may be added to types from outside; `refs` is what they have."""
        return refs

    def alone(self, key: Key) -> bool:
        """Whether a member neither stands in for one of a base nor can be stood in for, as with a static one."""
        return False

    def above(self, key: Key, members: frozenset[Key]) -> Iterable[Key]:
        """Those of `members`, all of one name, that the member `key` implements without saying so."""
        return ()

    def beyond(self, key: Key) -> bool:
        """Whether what the key defines may be reached through a type that is not of this root, such as an outside interface."""
        return True

    def twins(self, key: Key) -> Iterable[Key]:
        """Other definitions that are the same symbol: a declaration apart from its body, a variant for another platform."""
        return ()

    # Types

    def predefined(self, name: str) -> bool:
        """Whether a type is the language's own and has no definition anywhere."""
        return False

    def type_names(self, annotation: str) -> tuple[str, ...]:
        """The dotted names of the types that a value with this annotation may have, without those of a container's elements."""
        return type_names(annotation)

    def may_be_ours(self, annotation: str) -> bool:
        """Whether a value of a type that is not of this root may still be an instance of a class that is, as with an outside interface."""
        return False

    def makes(self, name: str) -> bool:
        """Whether a call of `name`, which is not of this root, gives an instance of what is not of this root either, as a class does. A
        function may give anything: `max(carts)`."""
        return name[:1].isupper()

    def yields(self, annotation: str) -> bool:
        """Whether a function of this annotation gives its items one after another, and is a context manager only by a decorator."""
        return False

    def item(self, annotation: str) -> str:
        """The annotation of an element of a container, "" where the annotation is not that of one."""
        return ""

    # For linkers whose modules or classes are made of many files

    def classes_in(self, path: Path, outline: Outline) -> Mapping[str, tuple[int, ...]]:
        """The scopes of a file's classes, and of the parts of classes, by the name that each bears there."""
        if path not in self._classes:
            found: dict[str, tuple[int, ...]] = {}
            for index, scope in enumerate(outline.scopes):
                if scope.kind is ScopeKind.CLASS and scope.name:
                    found[scope.name] = (*found.get(scope.name, ()), index)
            self._classes[path] = found
        return self._classes[path]

    def opens(self, held: Klass, name: str, seen: set[Klass]) -> bool:
        """Whether a class has a base, near or far, that is not of this root and may have a member of this name."""
        seen.add(held)
        for part in (held, *self.parts(held, "")):
            outline = self.resolver.outline(part.path)
            for base in outline.scopes[part.scope].bases if outline is not None else ():
                classes = [ref for ref in self.resolver.classes(self.resolver.value(part.path, base)) if isinstance(ref, Klass)]
                if not classes and self.may_declare("", base.name, word(name)):
                    return True
                if any(self.opens(each, name, seen) for each in classes if each not in seen):
                    return True
        return False

    def declared(self, key: Key) -> Iterator[bytes]:
        """The text before the name of each definition of a member, from where its declaration may begin."""
        held = self.resolver.texts.read(key.path)
        for binding in self.resolver.bindings_of(key) if isinstance(held, TextFile) else ():
            before = held.data[max(0, binding.start - LONGEST_DECLARATION) : binding.start] if isinstance(held, TextFile) else b""
            before = _REMARK.sub(b"", before)
            yield before[max(before.rfind(mark) for mark in (b";", b"{", b"}", b"*/")) + 1 :]

    def holding(self, files: Iterable[Path], *names: str) -> Iterator[tuple[Path, Outline]]:
        """Those of `files` that hold all the names as text, with their outlines: only these are read closely."""
        for path in files:
            if self.resolver.holds(path, *names) and (outline := self.resolver.outline(path)) is not None:
                yield path, outline
