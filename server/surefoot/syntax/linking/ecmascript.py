"""ECMAScript and TypeScript: modules are files, found by path, by tsconfig's paths or by the name of a workspace package."""

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.modules import NODE, EcmaModules
from surefoot.syntax.outline import Export, Outline
from surefoot.syntax.refs import Module, Ref, Refs, certain, unknown

_PREDEFINED = names("string number boolean bigint symbol")
_CONTAINER = re.compile(
    r"(?:Array|ReadonlyArray|Iterable|IterableIterator|AsyncIterable|Set|ReadonlySet|Record)\s*<(?P<given>.*)>", re.DOTALL
)


class EcmaLinker(Linker):
    """Imports and exports of ECMAScript, CommonJS and TypeScript."""

    indexes = frozenset({"index"})
    same = frozenset({"this"})

    @cached_property
    def modules(self) -> EcmaModules:
        return self.resolver.texts.kept("ecmascript", EcmaModules)

    def find(self, importer: Path, source: str) -> Path | None:
        return self.modules.find(importer, source)

    def outside(self, importer: Path, source: str) -> bool:
        return source.startswith("node:") or source.partition("/")[0] in NODE

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        if name == ".":
            source, name = source.partition(".")[0], "*"
        module = self.find(path, source)
        if module is None:
            return self.not_found(path, source)
        if name != "*":
            return self.resolver.exported(Module(module), name, depth + 1)
        outline = self.resolver.outline(module)
        if outline is not None and "=" in outline.exports:
            return frozenset({Module(module), *self._listed(module, outline, outline.exports["="], depth)})
        return frozenset({Module(module)})

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        path = module.path
        outline = self.resolver.outline(path)
        if outline is None:
            return unknown(f"{path.name} could not be read")
        listed = outline.exports.get(name) or (outline.exports.get("=") if name == "default" else None)
        if listed:
            return self._listed(path, outline, listed, depth)
        if name != "default" and (bound := outline.bindings.get((0, name))):
            return self.resolver.follow_all(path, bound, depth)
        found: set[Ref] = set()
        for source in outline.stars if name != "default" else ():
            found |= self.resolver.imported(path, source, name, depth)
        return certain(frozenset(found)) or unknown(f"{path.name} does not export {name}")

    def _listed(self, path: Path, outline: Outline, exports: Iterable[Export], depth: int) -> Refs:
        found: set[Ref] = set()
        for export in exports:
            if export.source is not None:
                found |= self.resolver.imported(path, export.source, export.name, depth)
            elif bound := outline.bindings.get((0, export.name)):
                found |= self.resolver.follow_all(path, bound, depth)
            else:
                found |= unknown(f"{path.name} exports {export.name} without binding it")
        return frozenset(found)

    def words(self, module: Path) -> tuple[bytes, ...]:
        stem = module.name.partition(".")[0]
        return (stem.encode(), module.parent.name.encode()) if stem in self.indexes else (stem.encode(),)

    def item(self, annotation: str) -> str:
        text = annotation.strip().removeprefix("readonly ").strip()
        if text.endswith("[]"):
            return text.removesuffix("[]").strip().removeprefix("(").removesuffix(")")
        found = _CONTAINER.fullmatch(text)
        return alternatives(found["given"], ",")[-1].strip() if found is not None else ""

    def library(self, source: str) -> str:
        parts = source.removeprefix("node:").split("/")
        return "" if source.startswith((".", "/")) else "/".join(parts[: 2 if source.startswith("@") else 1])

    def constructors(self, name: str) -> tuple[str, ...]:
        return ("constructor",)

    def predefined(self, name: str) -> bool:
        return name in _PREDEFINED
