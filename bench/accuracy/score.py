"""What the site index says about the chosen symbols, held against the truth: counts, and every difference.

The declaration that is asked about is never counted: both sides are given it. References in code are counted apart from those in strings
and comments, which have tiers of their own. A method is asked for with its family, so that its precision against one declaration means
nothing.
"""

import re
import signal
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from bench.accuracy.choose import Chosen
from bench.accuracy.codebases import CodeBase
from bench.accuracy.grammar import SUFFIXES, parsed, surroundings
from bench.accuracy.servers import Spot
from bench.accuracy.truth import Truth
from tree_sitter import Tree

from surefoot.core.sites import Scan, Site, SiteKind, Target, Tier
from surefoot.core.text import LineIndex, relative
from surefoot.syntax.index import Index
from surefoot.syntax.sites import find_sites
from surefoot.workspace.snapshot import Snapshot

ABSENT = "absent"
"""Instead of a tier, where a reference of the truth is not listed at all."""

KINDS = ("function", "method")
PATIENCE = 60
"""Seconds for one symbol; the slowest search of the first round took 6."""


def enough(kind: str) -> frozenset[str]:
    """Tiers that count as found for a kind of symbol."""
    return frozenset({Tier.EXACT, Tier.FAMILY, Tier.LIKELY} if kind == "method" else {Tier.EXACT})


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where both sides disagree. `what` is missed (by us), extra (exact for us alone); `witnesses` say that it is a reference."""

    what: str
    symbol: Chosen
    spot: Spot
    tier: str
    reason: str
    witnesses: str
    where: str
    text: str

    @property
    def key(self) -> str:
        """How an audit names it."""
        path, line, column = self.spot
        return f"{self.symbol.path}:{self.symbol.line} {path}:{line}:{column}"


@dataclass
class Row:
    """The counts of one kind of symbols of one code base. `tiers` counts references in code by our tier, `beside` those in strings and
    comments; `exact` and `confirmed` are the sites that are exact for us, and those of them that the truth has."""

    kind: str
    symbols: int = 0
    tiers: Counter[str] = field(default_factory=Counter[str])
    beside: Counter[str] = field(default_factory=Counter[str])
    exact: int = 0
    confirmed: int = 0

    @property
    def references(self) -> int:
        """References of the truth in code."""
        return sum(self.tiers.values())

    @property
    def found(self) -> int:
        """Those with a tier that is enough."""
        return sum(count for tier, count in self.tiers.items() if tier in enough(self.kind))


@dataclass
class Score:
    """Both rows of a code base and all differences; `calls` are the calls that are exact or family."""

    rows: dict[str, Row]
    differences: list[Difference]
    calls: list[tuple[Chosen, Spot]]


def score(base: CodeBase, truth: Truth) -> Score:
    """Ask the index for every symbol of the truth. One that it does not answer in PATIENCE seconds has no sites."""
    texts = Snapshot(base.root)
    index = Index()
    held = Score({kind: Row(kind) for kind in KINDS}, [], [])
    for symbol, spots in truth.references.items():
        offset = LineIndex((base.root / symbol.path).read_bytes()).offset(symbol.line - 1, symbol.column - 1)
        target = Target(path=symbol.path, offset=_byte(base, symbol, offset))
        scan = _in_time(partial(find_sites, texts, target, index))
        if scan is None:
            print(f"{base.short}: no answer for {symbol.name} of {symbol.path} after {PATIENCE} s", file=sys.stderr, flush=True)
            index, scan = Index(), Scan(symbol.name, (), (), ())
        compare(base, symbol, spots, scan, held)
    return held


def _in_time(search: Callable[[], Scan]) -> Scan | None:
    """The answer, None when there is none in time. An alarm can end what never looks up from one file."""

    def give_up(signum: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        return search()
    except TimeoutError:
        return None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def compare(base: CodeBase, symbol: Chosen, spots: Mapping[Spot, str], scan: Scan, held: Score) -> None:
    """Count one symbol."""
    own = (symbol.path, symbol.line, symbol.column)
    ours = {_spot(base, site): site for site in scan.sites}
    row = held.rows.setdefault(symbol.kind, Row(symbol.kind))
    row.symbols += 1
    for spot, marks in spots.items():
        if spot == own:
            continue
        site = ours.get(spot)
        tier = str(site.tier) if site is not None else ABSENT
        where = _where(base, spot)
        (row.tiers if where == "code" else row.beside)[tier] += 1
        listed = enough(symbol.kind) if where == "code" else {*Tier} - {Tier.EXCLUDED}
        if tier not in listed:
            held.differences.append(_difference("missed", base, symbol, spot, site, marks, where))
    for spot, site in ours.items():
        if site.tier is Tier.EXACT and spot != own and Path(spot[0]).suffix in SUFFIXES[base.language]:
            row.exact += 1
            row.confirmed += spot in spots
            if spot not in spots and symbol.kind != "method":
                held.differences.append(_difference("extra", base, symbol, spot, site, "", _where(base, spot)))
    required = (Tier.EXACT, Tier.FAMILY)
    held.calls += [(symbol, spot) for spot, site in ours.items() if site.kind is SiteKind.CALL and site.tier in required]


def _difference(what: str, base: CodeBase, symbol: Chosen, spot: Spot, site: Site | None, marks: str, where: str) -> Difference:
    text = _lines(base.root / spot[0]).line_bytes(spot[1] - 1).decode("utf-8", "replace").strip()
    tier, reason = (str(site.tier), site.reason) if site is not None else (ABSENT, "")
    return Difference(what, symbol, spot, tier, reason, marks, where, text[:120])


def _spot(base: CodeBase, site: Site) -> Spot:
    return relative(base.root, site.place.path), site.place.line, site.place.column


def _where(base: CodeBase, spot: Spot) -> str:
    path = base.root / spot[0]
    if path.suffix not in SUFFIXES[base.language]:
        return "comment"
    return surroundings(_tree(path), _lines(path).offset(spot[1] - 1, spot[2] - 1))


def _byte(base: CodeBase, symbol: Chosen, offset: int) -> int:
    """The offset, once it is sure that the copy is the code that was drawn from."""
    data = (base.root / symbol.path).read_bytes()
    assert data[offset:].startswith(symbol.name.encode()), f"{symbol} is not there"
    return offset


@lru_cache(200)
def _tree(path: Path) -> Tree:
    return parsed(path)


@lru_cache(200)
def _lines(path: Path) -> LineIndex:
    return LineIndex(path.read_bytes())


def by_cause(differences: Sequence[Difference]) -> list[tuple[str, int]]:
    """Differences counted by what we say, the most frequent first."""
    causes = (re.sub(r"(?<= in ).*|(?<=alias ).*", "…", each.reason.replace(each.symbol.name, "NAME")) for each in differences)
    said = (f"{each.what}, {each.symbol.kind}, {each.where}, {each.tier}" for each in differences)
    return Counter(f"{one}: {other}" for one, other in zip(said, causes, strict=True)).most_common()
