"""A second opinion on sites: what the editor's own language server answers is united with our answer, and no difference is hidden."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lsprotocol import types as t

from surefoot.core.sites import REQUIRED_TIERS, SiteKind, Tier
from surefoot.lsp.extensions import SiteShown
from surefoot.lsp.sites_places import Places
from surefoot.syntax.mentions import is_test

BOTH, OURS, THEIRS = "both", "ours", "theirs"

ONLY_THEIRS = "only the editor's language server says so"
COUNTED = "the editor's language server counts it"
NOT_THEIRS = "not in the editor's answer"

_DENIED = frozenset({Tier.EXCLUDED, Tier.MENTION})

Spot = tuple[int, int]


def united(shown: Sequence[SiteShown], others: Sequence[t.Location], places: Places) -> list[SiteShown]:
    """Our sites with what `others` says of each, and what `others` has beside them."""
    ours = _by_path(shown, places)
    agreed: set[int] = set()
    beside: dict[tuple[str, Spot], SiteShown] = {}
    for other in others:
        path = places.path(other.uri)
        found = _meant(shown, ours.get(path, ()), other.range) if path else None
        if found is None:
            beside.setdefault((str(path or other.uri), _spot(other.range.start)), _theirs(other, path, places))
        else:
            agreed.add(found)
    judged = (_judged(site, index in agreed) for index, site in enumerate(shown))
    return [*judged, *beside.values()]


def _by_path(shown: Sequence[SiteShown], places: Places) -> Mapping[Path, Sequence[tuple[Spot, int]]]:
    """Where our sites start in each file, in order."""
    found: dict[Path, list[tuple[Spot, int]]] = {}
    for index, site in enumerate(shown):
        if path := places.path(site.uri):
            found.setdefault(path, []).append((_spot(site.range.start), index))
    return {path: sorted(starts) for path, starts in found.items()}


def _meant(shown: Sequence[SiteShown], starts: Sequence[tuple[Spot, int]], other: t.Range) -> int | None:
    """Our site at a range of theirs: servers differ in whether quotes and marks before a name belong to it."""
    at = bisect_right(starts, (_spot(other.start), len(shown)))
    if at and _spot(other.start) < _spot(shown[starts[at - 1][1]].range.end):
        return starts[at - 1][1]
    if at < len(starts) and starts[at][0][0] == other.start.line and starts[at][0] < _spot(other.end):
        return starts[at][1]
    return None


def _judged(site: SiteShown, agreed: bool) -> SiteShown:
    if agreed and site.tier in _DENIED:
        return _told(site, THEIRS, COUNTED)
    if not agreed and site.tier in REQUIRED_TIERS:
        return _told(site, OURS, NOT_THEIRS)
    return replace(site, opinion=BOTH if agreed else "")


def _told(site: SiteShown, opinion: str, words: str) -> SiteShown:
    return replace(site, opinion=opinion, reason="; ".join(filter(None, (site.reason, words))))


def _theirs(other: t.Location, path: Path | None, places: Places) -> SiteShown:
    return SiteShown(
        uri=other.uri,
        range=other.range,
        kind=SiteKind.VALUE.value,
        tier=Tier.LIKELY.value,
        reason=ONLY_THEIRS,
        function="",
        test=path is not None and is_test(path, places.root),
        text=places.line(path, other.range.start.line) if path else "",
        opinion=THEIRS,
    )


def _spot(position: t.Position) -> Spot:
    return position.line, position.character


def in_order(shown: Iterable[SiteShown]) -> list[SiteShown]:
    """By file and place."""
    return sorted(shown, key=lambda site: (site.uri, _spot(site.range.start)))
