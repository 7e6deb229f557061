"""pytest's fixtures: a function whose name is, in other functions, the name of the parameter that it fills."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.syntax.mentions import is_test
from surefoot.syntax.outline import Binding, ScopeKind
from surefoot.syntax.refs import Key
from surefoot.syntax.resolve import Resolver

LONGEST_DECORATORS = 2000
"""Bytes before a function's name in which its decorators are looked for."""

_FURTHEST = 1000
"""More than the folders around any file."""

_FIXTURE = re.compile(
    rb"@(?:pytest(?:_asyncio)?\.)?fixture[ \t]*(?P<given>\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?[ \t]*(?:#[^\n]*)?\r?\n"
    rb"(?:[ \t]*[@#][^\n]*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+\w+\s*\Z"
)
_RENAMED = re.compile(rb"\bname\s*=")


@value
class Injected:
    """Fixtures of one name: those that are asked about, the parameters that they and no other fill, and the rest."""

    fixtures: frozenset[Key] = frozenset()
    filled: frozenset[Key] = frozenset()
    others: frozenset[Key] = frozenset()

    @property
    def all(self) -> frozenset[Key]:
        return self.fixtures | self.filled | self.others


def injected(resolver: Resolver, files: Iterable[Path], keys: Iterable[Key]) -> Injected:
    """Fixtures of the name of `keys` with the parameters that they fill, where one of the keys is such a fixture or parameter.

    A fixture and those that override it go together: `files` are those that hold the name.
    """
    files, keys = [path for path in files if path.suffix == ".py"], list(keys)
    fixtures = [key for path in files for key in _fixtures(resolver, path, keys[0].name)] if keys else []
    asked = {key for key in keys if key in fixtures or _filled(resolver, key)}
    found: set[Key] = set()
    parameters: set[Key] = set()
    for fixture in fixtures:
        if any(_reaches(fixture.path, key.path) for key in asked):
            within = [path for path in files if _reaches(fixture.path, path)]
            found.update(key for key in fixtures if key.path in within)
            parameters.update(key for path in within for key in _parameters(resolver, path, fixture.name))
    fills = {key: _nearest(resolver, key, fixtures) for key in parameters}
    meant = frozenset(asked & found) | frozenset[Key]().union(*(fills.get(key, frozenset()) for key in asked))
    own = frozenset(key for key, nearest in fills.items() if nearest and nearest <= meant)
    return Injected(meant, own, frozenset(found | parameters) - meant - own)


def _reaches(home: Path, user: Path) -> bool:
    """Whether `user` sees a fixture of `home`: a test's is for its own file, a conftest's for its folder, a plugin's for all."""
    if home == user:
        return True
    return user.is_relative_to(home.parent) if home.stem == "conftest" else not home.stem.startswith("test")


def _nearest(resolver: Resolver, parameter: Key, fixtures: Iterable[Key]) -> frozenset[Key]:
    """The fixture that fills a parameter: that of its class, its file, the nearest conftest or a plugin; several where it may be any."""
    outline = resolver.outline(parameter.path)
    around = list(outline.ancestors(parameter.scope)) if outline is not None else []
    ranked: dict[int, set[Key]] = {}
    for fixture in fixtures:
        if not _reaches(fixture.path, parameter.path) or any(b.inner == parameter.scope for b in _here(resolver, fixture, parameter)):
            continue  # a fixture that overrides another asks for that one by their name
        if fixture.path == parameter.path:
            rank = around.index(fixture.scope) if fixture.scope in around else -1
        else:
            rank = len(around) + (_FURTHEST - len(fixture.path.parts) if fixture.path.stem == "conftest" else _FURTHEST)
        if rank >= 0:
            ranked.setdefault(rank, set()).add(fixture)
    return frozenset(ranked[min(ranked)]) if ranked else frozenset()


def _here(resolver: Resolver, fixture: Key, parameter: Key) -> tuple[Binding, ...]:
    return resolver.bindings_of(fixture) if fixture.path == parameter.path else ()


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
