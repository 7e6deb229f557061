"""PHP: names live in the namespaces that files say they belong to; functions and constants that one does not have are the global ones."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from surefoot.core.text import TextFile
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.linking.php_library import CLASSES, CLOSED, FUNCTIONS, THROWN
from surefoot.syntax.outline import CALLED, HIDDEN_SCOPES, Outline, ScopeKind, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, certain, unknown

_PREDEFINED = names("array bool callable false float int iterable null string true void never")
_OPEN = names("mixed object")
_DEFINES = r"\b(?:class|interface|trait|enum|function|const)\b[^;{{(]*?\b{0}\b|\bdefine\s*\(\s*['\"]{0}['\"]"


class PhpLinker(Linker):
    """PHP's namespaces. A name means what a file of this root declares under its full name, wherever an autoloader would look for it."""

    same = frozenset({"self", "static", "$this"})

    # What is where

    @cached_property
    def _found(self) -> dict[str, tuple[tuple[str, Key], ...]]:
        return {}

    @cached_property
    def _spaces(self) -> dict[str, bool]:
        return {}

    def _defined(self, name: str) -> tuple[tuple[str, Key], ...]:
        """Every class, constant or, for a name that ends so, function of this name that stands in no class, with its namespace."""
        if name not in self._found:
            defines = re.compile(_DEFINES.format(re.escape(word(name))).encode())
            found: list[tuple[str, Key]] = []
            for path, outline in self._holding(word(name), defines):
                for scope, bindings in outline.named(word(name)):
                    own = {binding.name for binding in bindings if binding.source is None and not self._is_variable(path, binding.start)}
                    if name in own and (space := _space(outline, scope)) is not None:
                        found.append((space, Key(path, scope, name)))
            self._found[name] = tuple(found)
        return self._found[name]

    def _holding(self, name: str, pattern: re.Pattern[bytes]) -> Iterator[tuple[Path, Outline]]:
        for path in self.resolver.texts.holding(name).files:
            if path.suffix == ".php" and self._says(path, pattern) and (outline := self.resolver.outline(path)) is not None:
                yield path, outline

    def _says(self, path: Path, pattern: re.Pattern[bytes]) -> bool:
        held = self.resolver.texts.read(path)
        return isinstance(held, TextFile) and pattern.search(held.data) is not None

    def _before(self, path: Path, at: int) -> bytes:
        """The bytes in front of a name."""
        held = self.resolver.texts.read(path)
        return held.data[max(0, at - 12) : at] if isinstance(held, TextFile) else b""

    def _is_variable(self, path: Path, at: int, name: str = "") -> bool:
        """Whether a variable stands at a byte, the one of this name where it is given."""
        held = self.resolver.texts.read(path)
        return isinstance(held, TextFile) and held.data[at - 1 : at] == b"$" and held.data.startswith(name.encode(), at)

    def _named(self, space: str, name: str) -> Refs:
        """What a namespace has under this name, empty where it has nothing."""
        return frozenset(key for where, key in self._defined(name) if where.lower() == space.lower())

    def _is_space(self, space: str) -> bool:
        """Whether a file says that it belongs to this namespace, or to one below it."""
        if space not in self._spaces:
            said = re.compile(rf"\bnamespace\s+{re.escape(space)}\s*[\\;{{]".encode())
            last = space.rpartition("\\")[2]
            files = self.resolver.texts.holding(last).files
            self._spaces[space] = any(path.suffix == ".php" and self._says(path, said) for path in files)
        return self._spaces[space]

    # Imports

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        space, _, last = source.rpartition("\\") if name == "*" else (source, "", name)
        return self._all(path, space.strip("\\"), last)

    def _all(self, path: Path, space: str, name: str) -> Refs:
        """Everything that a full name may mean: a class, a function, a constant, a namespace."""
        full = f"{space}\\{name}" if space else name
        found = self._named(space, name) | self._named(space, word(name) + CALLED)
        if found:
            return found
        if self._is_space(full):
            return frozenset({Module(path, "php", full)})
        if not space and (name in CLASSES or name in FUNCTIONS):
            return frozenset({Elsewhere(f"PHP's own {name}")})
        return unknown(f"{full} is not found here")

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        if found := self._named(module.name, name):
            return found
        inside = f"{module.name}\\{name}" if module.name else name
        if self._is_space(inside):
            return frozenset({Module(module.path, "php", inside)})
        if not module.name:
            return self._of_php(name) or unknown(f"{word(name)} is not found here")
        return unknown(f"the namespace {module.name} does not define {word(name)}")

    def _of_php(self, name: str) -> Refs:
        own = word(name) in FUNCTIONS if name.endswith(CALLED) else name in CLASSES
        return frozenset({Elsewhere(f"PHP's own {word(name)}")}) if own else frozenset()

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        before = self._before(path, at)
        if name and self._is_variable(path, at, name):
            return self._variable(path, outline, name, at)
        if name in ("self", "static", "parent"):
            return self._own(path, outline, name, at)
        space = self._space_at(outline, at)
        if name == "namespace" or before.endswith(b"namespace\\"):
            here = Module(path, "php", space)
            return frozenset({here}) if name == "namespace" else self.resolver.exported(here, name, depth + 1)
        if not name or before.endswith(b"\\"):
            whole = Module(path, "php", "")
            return self.resolver.exported(whole, name, depth + 1) if name else frozenset({whole})
        if (taken := self._taken(path, outline, name, at, depth)) is not None:
            return taken
        if found := self._named(space, name):
            return found
        if space and self._is_space(f"{space}\\{name}"):
            return frozenset({Module(path, "php", f"{space}\\{name}")})
        return self._global(path, space, name)

    def _global(self, path: Path, space: str, name: str) -> Refs:
        """What is left for a name that neither its file nor its namespace explains."""
        upper = word(name).upper() == name
        if (not space or name.endswith(CALLED) or upper) and (found := self._named("", name)):
            return found
        if not space and self._is_space(name):
            return frozenset({Module(path, "php", name)})
        if (not space or name.endswith(CALLED)) and (own := self._of_php(name)):
            return own
        return unknown("nothing in this namespace binds the name")

    def _taken(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs | None:
        """What the imports of a file give under a name; None where none of them does."""
        found: set[Ref] = set()
        for scope in outline.ancestors(outline.scope_at(at)):
            for binding in outline.bindings.get((scope, word(name)), ()):
                if binding.source is not None:
                    found |= self.imported(path, binding.source, binding.imported, depth)
        fitting = frozenset(ref for ref in found if not isinstance(ref, Key) or ref.name.endswith(CALLED) == name.endswith(CALLED))
        if not found or not (fitting or not name.endswith(CALLED)):
            return None
        return fitting or frozenset(found)

    def _variable(self, path: Path, outline: Outline, name: str, at: int) -> Refs:
        """A variable that no function around it binds: one that the function calls global, or one of the file that includes this one."""
        bound = outline.bindings.get((0, name), ())
        around = outline.scopes[outline.scope_at(at)]
        if any(around.start <= binding.start < around.end for binding in bound):
            return frozenset({Key(path, 0, name)})
        if around.parent >= 0:
            return unknown("a variable that nothing around it binds")
        files = [each for each in self.resolver.texts.holding(name).files if each.suffix == ".php"]
        held = [(other, found) for other, found in self.holding(files, name) if (0, name) in found.bindings]
        keys = {Key(other, 0, name) for other, found in held if self._is_variable(other, found.bindings[0, name][0].start)}
        return frozenset(keys) or unknown("a variable that nothing around it binds")

    def _own(self, path: Path, outline: Outline, name: str, at: int) -> Refs:
        around = outline.class_around(at)
        if around < 0:
            return unknown("there is no class around it")
        return self.resolver.bases(Klass(path, around)) if name == "parent" else frozenset({Klass(path, around)})

    def _space_at(self, outline: Outline, at: int) -> str:
        scopes = (outline.scopes[index] for index in outline.ancestors(outline.scope_at(at)))
        return next((scope.name for scope in scopes if scope.kind is ScopeKind.NAMESPACE), outline.package)

    def spelled(self, path: Path, parts: Sequence[str]) -> Refs:
        for count in range(len(parts) - 1, -1, -1):
            space, first, rest = "\\".join(parts[:count]), parts[count], parts[count + 1 :]
            refs = self._named(space, first) | (self._named(space, first + CALLED) if not rest else frozenset[Ref]())
            for part in rest if refs else ():
                both = self.resolver.members(refs, part) | self.resolver.members(refs, part + CALLED)
                refs = certain(both) or frozenset(both)
            if refs:
                return refs
        return frozenset()

    # Classes and types

    def lent(self, held: Klass, name: str, depth: int) -> Refs:
        return frozenset({held}) if name == "class" else frozenset()

    def twins(self, key: Key) -> Iterator[Key]:
        """What is declared twice under one full name: a function for old versions, a class for another system."""
        outline = self.resolver.outline(key.path)
        space = _space(outline, key.scope) if outline is not None and not self.resolver.is_local(key) else None
        for where, other in self._defined(key.name) if space is not None else ():
            if where == space and other != key:
                yield other

    def constructors(self, name: str) -> tuple[str, ...]:
        return ("__construct" + CALLED,)

    def predefined(self, name: str) -> bool:
        return name.lower() in _PREDEFINED

    def type_names(self, annotation: str) -> tuple[str, ...]:
        parts = re.split(r"[|&]", annotation.replace("(", "").replace(")", ""))
        found = [part.strip().lstrip("?").strip().replace("\\", ".") for part in parts]
        return tuple(dict.fromkeys(name for name in found if name and name.lower() not in _OPEN and name.lower() != "null"))

    def may_be_ours(self, annotation: str) -> bool:
        return not all(name.rpartition(".")[2] in CLOSED for name in self.type_names(annotation))

    def may_declare(self, source: str, base: str, member: str) -> bool:
        return member in THROWN if base in CLASSES and base.endswith(("Exception", "Error")) else True


def _space(outline: Outline, scope: int) -> str | None:
    """The namespace that a scope is, None inside of a class. What a function defines, it defines for all."""
    around = [outline.scopes[index] for index in outline.ancestors(scope)]
    if any(each.kind in HIDDEN_SCOPES for each in around):
        return None
    return next((each.name for each in around if each.kind is ScopeKind.NAMESPACE), outline.package)
