"""Python: modules are files and packages; a star import may bind any name; what nothing binds may be a builtin."""

import builtins
import re
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.modules import PythonModules
from surefoot.syntax.outline import Outline
from surefoot.syntax.refs import Elsewhere, Module, Ref, Refs, Unknown, certain, unknown

_CONTAINER = re.compile(r"(?:[^\W\d]\w*\.)*(?P<name>[^\W\d]\w*)\s*\[(?P<given>.*)\](?:\s*\|\s*None)?", re.DOTALL)
_TABLES = names("dict Dict defaultdict DefaultDict OrderedDict Mapping MutableMapping")
_YIELDING = re.compile(r"(?:[^\W\d]\w*\.)*(?:Async)?(?:Generator|Iterator|Iterable)\b")
_EMPTY = names("object ABC Protocol Generic NamedTuple TypedDict")
"""Bases that lend no member."""

_PROTOCOLS = names(
    "object Any Hashable Sized Callable Iterable Iterator Reversible Generator Collection Container Sequence MutableSequence Set "
    "AbstractSet MutableSet Mapping MutableMapping KeysView ValuesView ItemsView MappingView Buffer ByteString Awaitable Coroutine "
    "AsyncIterable AsyncIterator AsyncGenerator ContextManager AsyncContextManager AbstractContextManager "
    "AbstractAsyncContextManager IO TextIO BinaryIO Protocol Self Type TypeVar ParamSpec Union"
)
"""Types of the library that instances of any class may have."""


class PythonLinker(Linker):
    """Python's imports."""

    indexes = frozenset({"__init__"})
    entries = ("__enter__", "__aenter__")
    same = frozenset({"Self", "typing.Self", "t.Self", "te.Self", "typing_extensions.Self"})

    @cached_property
    def modules(self) -> PythonModules:
        return self.resolver.texts.kept("python", lambda texts, files: PythonModules(files, texts.root))

    def find(self, importer: Path, source: str) -> Path | None:
        return self.modules.find(importer, source)

    def outside(self, importer: Path, source: str) -> bool:
        return source.partition(".")[0] in sys.stdlib_module_names

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        if name == ".":
            source, name = source.partition(".")[0], "*"
        module = self.find(path, source)
        if module is None:
            if name != "*":
                inside = self.find(path, source + name if source.endswith(".") else f"{source}.{name}")
                if inside is not None:
                    return frozenset({Module(inside)})
            return self.not_found(path, source)
        if module == path and (inside := self.modules.submodule(module, name)) is not None:
            # A package that imports from itself (`from . import core`) takes the submodule.
            return frozenset({Module(inside)})
        return frozenset({Module(module)}) if name == "*" else self.resolver.exported(Module(module), name, depth + 1)

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        path = module.path
        outline = self.resolver.outline(path)
        if outline is not None and (bound := outline.bindings.get((0, name))):
            return self.resolver.follow_all(path, bound, depth)
        if (inside := self.modules.submodule(path, name)) is not None:
            return frozenset({Module(inside)})
        if outline is None:
            return unknown(f"{path.name} has no {name}")
        found = self.unbound(path, outline, name, 0, depth)
        return unknown(f"{path.name} does not define {name}") if all(isinstance(ref, Elsewhere) for ref in found) else found

    def words(self, module: Path) -> tuple[bytes, ...]:
        stem = module.name.partition(".")[0]
        return (stem.encode(), module.parent.name.encode()) if stem in self.indexes else (stem.encode(),)

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        found: set[Ref] = set()
        open_star = False
        for source in outline.stars:
            module = self.find(path, source)
            found |= certain(self.resolver.exported(Module(module), name, depth + 1)) if module is not None else frozenset[Ref]()
            open_star |= module is None and not self.outside(path, source)
        if not found and hasattr(builtins, name) and not open_star:
            return frozenset({Elsewhere(f"the builtin {name}")})
        if open_star or not found:
            found.add(Unknown("it may come from a star import that is not found" if open_star else "nothing in this file binds the name"))
        return frozenset(found)

    def item(self, annotation: str) -> str:
        found = _CONTAINER.fullmatch(annotation.strip().strip("\"'"))
        if found is None:
            return ""
        given = alternatives(found["given"], ",")
        return given[-1].strip() if found["name"] in _TABLES else given[0].strip()

    def makes(self, name: str) -> bool:
        return name[:1].isupper() or (isinstance(getattr(builtins, name, None), type) and name not in ("super", "type", "object"))

    def may_declare(self, source: str, base: str, member: str) -> bool:
        if not source and isinstance(held := getattr(builtins, base, None), type):
            return hasattr(held, member)
        return base not in _EMPTY

    def library(self, source: str) -> str:
        return source.partition(".")[0]

    def may_be_ours(self, annotation: str) -> bool:
        name = annotation.strip().strip("\"'").partition("[")[0].rpartition(".")[2].strip()
        return name in _PROTOCOLS or name.startswith("Supports")

    def yields(self, annotation: str) -> bool:
        return _YIELDING.match(annotation.strip().strip("\"'")) is not None

    def constructors(self, name: str) -> tuple[str, ...]:
        return ("__init__",)

    def spelled(self, path: Path, parts: Sequence[str]) -> Refs:
        module = self.find(path.with_suffix(".py"), parts[0])
        refs: Refs = frozenset({Module(module)}) if module is not None else frozenset()
        for part in parts[1:]:
            refs = self.resolver.members(refs, part)
        return refs
