"""A second opinion on sites: what a language server answers is united with our answer, and no difference is hidden."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import StrEnum

from surefoot.core.sites import REQUIRED_TIERS, Scan, Site, Tier
from surefoot.core.value import value

Spot = tuple[int, int]
"""Where something starts or ends: a line and a column, in any unit, as long as all that is compared counts alike."""

_DENIED = frozenset({Tier.EXCLUDED, Tier.MENTION})


class Side(StrEnum):
    """Who lists a site: both, only we where the server should, the server against our tier; or nobody was asked and none is due."""

    BOTH = "both"
    OURS = "ours"
    THEIRS = "theirs"
    NONE = ""


@value
class Stand:
    """What stands in `file`, a path or any other name, from `start` up to `end`."""

    file: str
    start: Spot
    end: Spot


@value
class Our:
    """A site of ours, as far as an opinion needs it."""

    stand: Stand
    tier: Tier
    reason: str


@value
class Witness:
    """Who gives the opinion, and what its answer is called."""

    name: str
    answer: str

    @property
    def alone(self) -> str:
        """The reason of a site that only this server lists."""
        return f"only {self.name} says so"


@value
class Opinion:
    """What is to be said of a site of ours: `reason` has the disagreement before our own reason."""

    side: Side
    reason: str


@value
class United:
    """An opinion on each site of ours, and which of theirs stand beside them, each place once."""

    opinions: tuple[Opinion, ...]
    beside: tuple[int, ...]


@value
class ServerSaid:
    """What came of asking a server; `trouble` says why its answer is missing or not whole, "" where it is neither.

    `agreed` sites of ours are in its answer, `missed` ones of a tier that binds are not (counted only in a whole answer), and `added` ones
    only it lists; `denied` ones it counts, and we list them as something else.
    """

    name: str
    version: str = ""
    agreed: int = 0
    missed: int = 0
    added: int = 0
    denied: int = 0
    trouble: str = ""

    @property
    def told(self) -> str:
        """One line for a person."""
        known = f"{self.name} {self.version}".strip()
        counts = [f"{self.agreed} agreed"] if self.agreed or not self.trouble else []
        counts += [f"{self.missed} of ours not in its answer"] if self.missed else []
        counts += [f"{self.added} only there"] if self.added else []
        counts += [f"{self.denied} that we list as something else"] if self.denied else []
        return f"{known}: " + "; ".join(filter(None, (self.trouble, ", ".join(counts))))


@value
class SecondOpinion:
    """A scan united with what servers say: `sides` holds what they say of a site, by path and first byte."""

    scan: Scan
    sides: Mapping[tuple[str, int], Side]
    servers: tuple[ServerSaid, ...]

    def side(self, site: Site) -> Side:
        return self.sides.get((str(site.place.path), site.place.start), Side.NONE)


def united(ours: Sequence[Our], others: Sequence[Stand], witness: Witness, *, whole: bool = True) -> United:
    """Our sites with what `others` says of each, and what `others` has beside them. Of an answer that is not `whole` no gap is told."""
    starts = _starts(ours)
    agreed: set[int] = set()
    beside: dict[tuple[str, Spot], int] = {}
    for index, other in enumerate(others):
        found = _meant(ours, starts.get(other.file, ()), other)
        if found is None:
            beside.setdefault((other.file, other.start), index)
        else:
            agreed.add(found)
    opinions = (_judged(our, index in agreed, witness, whole) for index, our in enumerate(ours))
    return United(tuple(opinions), tuple(beside.values()))


def _starts(ours: Sequence[Our]) -> Mapping[str, Sequence[tuple[Spot, int]]]:
    """Where our sites start in each file, in order."""
    found: dict[str, list[tuple[Spot, int]]] = {}
    for index, our in enumerate(ours):
        found.setdefault(our.stand.file, []).append((our.stand.start, index))
    return {file: sorted(starts) for file, starts in found.items()}


def _meant(ours: Sequence[Our], starts: Sequence[tuple[Spot, int]], other: Stand) -> int | None:
    """Our site at a range of theirs: servers differ in whether quotes and marks before a name belong to it."""
    at = bisect_right(starts, (other.start, len(ours)))
    if at and other.start < ours[starts[at - 1][1]].stand.end:
        return starts[at - 1][1]
    if at < len(starts) and starts[at][0][0] == other.start[0] and starts[at][0] < other.end:
        return starts[at][1]
    return None


def _judged(our: Our, agreed: bool, witness: Witness, whole: bool) -> Opinion:
    if agreed and our.tier in _DENIED:
        return _told(our, Side.THEIRS, f"{witness.name} counts it")
    if not agreed and whole and our.tier in REQUIRED_TIERS:
        return _told(our, Side.OURS, f"not in {witness.answer}")
    return Opinion(Side.BOTH if agreed else Side.NONE, our.reason)


def _told(our: Our, side: Side, words: str) -> Opinion:
    return Opinion(side, "; ".join(filter(None, (words, our.reason))))
