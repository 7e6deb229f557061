"""pytest's fixtures: a function whose name is, in other functions, the name of the parameter that it fills."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.mentions import is_test
from surefoot.syntax.outline import ScopeKind
from surefoot.syntax.refs import Key
from surefoot.syntax.resolve import Resolver

LONGEST_DECORATORS = 2000
"""Bytes before a function's name in which its decorators are looked for."""

_FIXTURE = re.compile(
    rb"@(?:pytest(?:_asyncio)?\.)?fixture[ \t]*(?P<given>\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?[ \t]*(?:#[^\n]*)?\r?\n"
    rb"(?:[ \t]*[@#][^\n]*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+\w+\s*\Z"
)
_RENAMED = re.compile(rb"\bname\s*=")


def injected(resolver: Resolver, files: Iterable[Path], keys: Iterable[Key]) -> frozenset[Key]:
    """Fixtures of the name of `keys` with the parameters that they fill, where one of the keys is such a fixture or parameter.

    A fixture and those that override it go together: `files` are those that hold the name.
    """
    files, keys = [path for path in files if path.suffix == ".py"], list(keys)
    fixtures = [key for path in files for key in _fixtures(resolver, path, keys[0].name)] if keys else []
    asked = [key.path for key in keys if key in fixtures or _filled(resolver, key)]
    found: set[Key] = set()
    for fixture in fixtures:
        if any(_reaches(fixture.path, path) for path in asked):
            within = [path for path in files if _reaches(fixture.path, path)]
            found.update(key for key in fixtures if key.path in within)
            found.update(key for path in within for key in _parameters(resolver, path, fixture.name))
    return frozenset(found)


def _reaches(home: Path, user: Path) -> bool:
    """Whether `user` sees a fixture of `home`: a test's is for its own file, a conftest's for its folder, a plugin's for all."""
    if home == user:
        return True
    return user.is_relative_to(home.parent) if home.stem == "conftest" else not home.stem.startswith("test")


def _fixtures(resolver: Resolver, path: Path, name: str) -> Iterator[Key]:
    outline = resolver.outline(path)
    for scope, bindings in outline.named(name) if outline is not None else ():
        if outline is None or outline.scopes[scope].kind not in (ScopeKind.MODULE, ScopeKind.CLASS):
            continue
        if any(b.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD) and _decorated(resolver, path, b.end) for b in bindings):
            yield Key(path, scope, name)


def _parameters(resolver: Resolver, path: Path, name: str) -> Iterator[Key]:
    outline = resolver.outline(path)
    keys = (Key(path, scope, bound) for scope, bound in outline.bindings if bound == name) if outline is not None else ()
    yield from (key for key in keys if _filled(resolver, key))


def _filled(resolver: Resolver, key: Key) -> bool:
    outline = resolver.outline(key.path)
    if outline is None or key.path.suffix != ".py" or resolver.kind(key) is not SymbolKind.PARAMETER:
        return False
    scope = outline.scopes[key.scope]
    if scope.kind is not ScopeKind.FUNCTION or not scope.name:
        return False
    return (scope.name.startswith("test") and is_test(key.path, resolver.root)) or _decorated(resolver, key.path, scope.start)


def _decorated(resolver: Resolver, path: Path, end: int) -> bool:
    """Whether the function whose name ends at `end` is a fixture under its own name."""
    held = resolver.texts.read(path)
    found = _FIXTURE.search(held.data[max(0, end - LONGEST_DECORATORS) : end]) if isinstance(held, TextFile) else None
    return found is not None and not _RENAMED.search(found["given"] or b"")
