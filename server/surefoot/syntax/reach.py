"""How far a change reaches: who calls a function, who calls those, and which tests come by, to a stated depth.

A path from a test to the function is as sure as its weakest call. Calls that are only likely are told and not followed: what lies behind
them is a guess about a guess.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from surefoot.core.sites import Scan, Site, SiteKind, Symbol, Target, Tier
from surefoot.core.text import Place, TextFile, Texts, Unreadable
from surefoot.core.value import value
from surefoot.syntax.index import Index
from surefoot.syntax.outline import Expression, Outline, ScopeKind
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground

DEPTH = 3
"""Calls between a function and the farthest caller that is told, where nobody asks for another depth."""

MOST = 200
"""Functions whose callers are looked for; beyond them the answer says that it is not whole."""

USES = frozenset({SiteKind.CALL, SiteKind.VALUE, SiteKind.DECORATOR, SiteKind.STRING, SiteKind.TYPE})
"""Kinds of sites through which a change comes to others: a function may run there, a type is promised there."""

NAMING = frozenset({SiteKind.IMPORT, SiteKind.REEXPORT})
"""Kinds of sites that hand a name on to whoever asks their file for it."""

TESTS = ("test", "benchmark", "example", "fuzz")
"""How names of functions begin that a test runner calls."""

_SURENESS = (Tier.EXACT, Tier.FAMILY, Tier.STRING, Tier.LIKELY)


@value
class Caller:
    """A function that uses another one, or a file that does so outside of any ("" for `function`).

    `place` is its first use, `uses` how many there are; `tier` that of the weakest use between it and the symbol, `depth` how many uses
    lie between, `through` the name of what it uses. `test` marks test code.
    """

    place: Place
    function: str
    tier: Tier
    depth: int
    through: str
    uses: int
    test: bool
    text: str


@value
class Reach:
    """The symbols, the other definitions of their families, and the callers by depth. `whole` says that no bound cut it short.

    `named_in` are files that import or re-export the symbols: with nobody who uses them here, somebody elsewhere may.
    """

    name: str
    symbols: tuple[Symbol, ...]
    family: tuple[Site, ...]
    callers: tuple[Caller, ...]
    named_in: tuple[Path, ...]
    whole: bool
    not_scanned: tuple[Unreadable, ...]

    @property
    def tests(self) -> tuple[Caller, ...]:
        """The callers that are test code."""
        return tuple(caller for caller in self.callers if caller.test)


def reach_of(texts: Texts, target: Target, ground: Ground, depth: int = DEPTH, most: int = MOST) -> Reach:
    """Everything that comes to use the symbol at a place, through at most `depth` uses."""
    index = Index()
    return _Walk(texts, index, lambda at: find_sites(texts, at, index, ground=ground), depth, most).from_(target)


class _Walk:
    """One walk upwards from a symbol, breadth first, each function once."""

    def __init__(self, texts: Texts, index: Index, find: Callable[[Target], Scan], depth: int, most: int) -> None:
        self._texts = texts
        self._index = index
        self._find = find
        self._depth = depth
        self._left = most
        self._whole = True
        self._callers: dict[tuple[Path, str], Caller] = {}
        self._unread: dict[Path, Unreadable] = {}

    def from_(self, target: Target) -> Reach:
        first = self._find(target)
        seen = {(s.place.path, s.place.start) for s in first.symbols}
        level = list(self._above(first, Tier.EXACT, 1))
        for depth in range(2, self._depth + 1):
            following: list[tuple[Target, Tier]] = []
            for site, tier in level:
                owner = self._above_it(site, tier)
                if owner is not None and owner not in seen:
                    seen.add(owner)
                    following.append((Target(path=str(owner[0]), offset=owner[1]), tier))
            level = [found for at, tier in following for found in self._look(at, tier, depth)]
        self._whole &= all(self._above_it(site, tier) in (None, *seen) for site, tier in level)
        family = tuple(s for s in first.sites if s.tier is Tier.FAMILY and s.kind is SiteKind.DEFINITION)
        callers = tuple(sorted(self._callers.values(), key=lambda c: (c.depth, _SURENESS.index(c.tier), str(c.place.path), c.place.start)))
        named = tuple(dict.fromkeys(s.place.path for s in first.sites if s.tier in _SURENESS and s.kind in NAMING))
        not_scanned = tuple(self._unread[path] for path in sorted(self._unread))
        return Reach(first.name, first.symbols, family, callers, named, self._whole, not_scanned)

    def _look(self, at: Target, tier: Tier, depth: int) -> Iterator[tuple[Site, Tier]]:
        if self._left == 0:
            self._whole = False
            return
        self._left -= 1
        yield from self._above(self._find(at), tier, depth)

    def _above(self, scan: Scan, tier: Tier, depth: int) -> Iterator[tuple[Site, Tier]]:
        """The uses of what was found, each caller noted at the first depth at which it comes up."""
        self._unread.update({held.path: held for held in scan.not_scanned})
        for site in scan.sites:
            if site.kind not in USES or site.tier not in _SURENESS:
                continue
            weakest = max(tier, site.tier, key=_SURENESS.index)
            function = self._heir(site) or site.function
            key = (site.place.path, function)
            held = self._callers.get(key)
            if held is None:
                self._callers[key] = Caller(site.place, function, weakest, depth, scan.name, 1, site.test, site.text)
                yield site, weakest
            elif held.depth == depth and held.through == scan.name:
                surer = min(held.tier, weakest, key=_SURENESS.index)
                self._callers[key] = Caller(held.place, held.function, surer, depth, scan.name, held.uses + 1, held.test, held.text)
                if surer is not held.tier:
                    yield site, surer

    def _above_it(self, site: Site, tier: Tier) -> tuple[Path, int] | None:
        """The function to go on with from a use, None where it ends: nobody but a test runner calls a test."""
        ends = tier is Tier.LIKELY or (site.test and site.function.rpartition(".")[2].lower().startswith(TESTS))
        return None if ends else self._owner(site)

    def _heir(self, site: Site) -> str:
        """The class whose base a site names, "" where it names none."""
        outline = self._outline(site)
        below = _below(outline, site.place.start) if outline is not None else None
        return outline.dotted(below) if outline is not None and below is not None else ""

    def _outline(self, site: Site) -> Outline | None:
        held = self._texts.read(site.place.path)
        return self._index.outline(held) if isinstance(held, TextFile) else None

    def _owner(self, site: Site) -> tuple[Path, int] | None:
        """Where the function around a site, or the class below it, has its name, None where there is none that has one."""
        outline = self._outline(site)
        below = _below(outline, site.place.start) if outline is not None else None
        if outline is not None and below is not None:
            return next(((site.place.path, b[0].start) for b in outline.at.values() if any(one.inner == below for one in b)), None)
        for scope in outline.ancestors(outline.scope_at(site.place.start)) if outline is not None else ():
            if outline is not None and outline.scopes[scope].kind is ScopeKind.FUNCTION:
                for bound in outline.at.values():
                    if any(binding.inner == scope for binding in bound):
                        return site.place.path, bound[0].start
        return None


def _below(outline: Outline, start: int) -> int | None:
    """The class whose list of bases names something at this byte."""
    for number, scope in enumerate(outline.scopes):
        for base in scope.bases:
            if _names_at(base, start):
                return number
    return None


def _names_at(part: Expression | None, start: int) -> bool:
    """Whether a base, or what it is a member of, is written at this byte."""
    return part is not None and (part.at == start or _names_at(part.inner, start))
