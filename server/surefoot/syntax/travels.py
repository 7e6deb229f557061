"""Other names under which a symbol reaches a file: aliases, and modules that offer it under another name or as their default."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.core.text import TextFile
from surefoot.syntax.languages import language_of
from surefoot.syntax.outline import Outline
from surefoot.syntax.refs import Key, Refs
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.store.words import ALL
from surefoot.syntax.wanted import Wanted

_HERE = re.compile(rb"from\s+\.+\s+import|['\"]\.{1,2}/?['\"]")


def offered_by_default(resolver: Resolver, wanted: Wanted) -> Iterator[Path]:
    """Modules whose default export, or whose only value, is what is looked for."""
    for key in wanted.all:
        outline = resolver.outline(key.path)
        for name in ("default", "=") if outline is not None and key.scope == 0 else ():
            if outline is not None and any(export.source is None and export.name == key.name for export in outline.exports.get(name, ())):
                yield key.path


def importers(resolver: Resolver, module: Path, name: str) -> Iterator[Path]:
    """Files that may take `name` from `module`: they hold the name, and words with which the module would be imported."""
    linker = resolver.linker(module)
    words = [word for path in (module, *_passing_on(resolver, module)) for word in linker.words(path)]
    indexed = module.stem in linker.indexes
    for path in _near(resolver, module, name, words, indexed):
        held = resolver.texts.read(path)
        if path == module or not isinstance(held, TextFile) or language_of(path) is None:
            continue
        if name != "default" and name.encode() not in held.data:
            continue
        if not words or any(word in held.data for word in words) or (indexed and _HERE.search(held.data)):
            yield path


def _near(resolver: Resolver, module: Path, name: str, words: Sequence[bytes], indexed: bool) -> Sequence[Path]:
    """Files that hold the name and one of the words; what a folder offers may be taken below it without a word (`from . import`)."""
    if name != "default":
        return resolver.texts.holding(name).files
    if not words:
        return resolver.texts.files()
    found = {path for word in words for path in resolver.texts.holding(word.decode("utf-8", "replace")).files}
    found.update(resolver.texts.files().below(module.parent) if indexed else ())
    return sorted(found, key=str)


def _passing_on(resolver: Resolver, module: Path) -> Iterator[Path]:
    words = resolver.linker(module).words(module)
    passing = {path for word in words for path in resolver.texts.holding(word.decode("utf-8", "replace"), ALL).files}
    for path in sorted(passing, key=str):
        if module in resolver.texts.once(("stars", path), lambda path=path: _taken_whole(resolver, path)):
            yield path


def _taken_whole(resolver: Resolver, path: Path) -> frozenset[Path | None]:
    """The modules whose every name a file takes over."""
    held = resolver.texts.read(path)
    if not isinstance(held, TextFile) or not (b"import *" in held.data or b"export *" in held.data):
        return frozenset()
    outline = resolver.outline(path)
    return frozenset(resolver.linker(path).find(path, source) for source in outline.stars) if outline is not None else frozenset()


def default_names(resolver: Resolver, wanted: Wanted, path: Path, outline: Outline) -> Iterator[str]:
    """Names that a file gives to a default export, or to a module that is one value, which is what is looked for."""
    for bindings in outline.bindings.values():
        for binding in bindings:
            if binding.imported in ("default", "*") and _meets(resolver.follow(path, binding), wanted):
                yield binding.name


def default_exports(resolver: Resolver, wanted: Wanted, path: Path, outline: Outline) -> Iterator[str]:
    """Names under which a file passes on a default export that is looked for."""
    for held in outline.imported.values():
        if held.exports and held.name == "default" and held.source and _meets(resolver.imported(path, held.source, "default"), wanted):
            yield held.local or "default"


def spelled_default(resolver: Resolver, wanted: Wanted, path: Path, outline: Outline) -> bool:
    """Whether a file takes or passes on what is looked for by the word `default`."""
    listed = (held for held in outline.imported.values() if held.name == "default" and held.source)
    return any(_meets(resolver.imported(path, held.source or "", "default"), wanted) for held in listed)


def _meets(refs: Refs, wanted: Wanted) -> bool:
    return any(isinstance(ref, Key) and ref in wanted.all for ref in refs)
