"""The ledger: what becomes of every site of a scan under a change."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from surefoot.core.change import Change
from surefoot.core.sites import Entry, Ledger, Scan, Site, SiteStatus, Tier, Waiver
from surefoot.syntax.obligations import At, Rename, obligations

Spans = Mapping[At, tuple[int, int]]
"""The bytes in which an edit counts as one of the site, where they are more than its name: a call with its arguments."""


def entries_for(scan: Scan, change: Change, waived: frozenset[Tier], waivers: Sequence[Waiver] = ()) -> Ledger:
    """Every site of `scan`, held against a rename of the very text that was scanned."""
    return settled(obligations(Rename(), scan), change, waived, waivers)


def settled(
    ledger: Ledger,
    change: Change,
    waived: frozenset[Tier] = frozenset(),
    waivers: Iterable[Waiver] = (),
    spans: Spans = MappingProxyType({}),
) -> Ledger:
    """What a `change` of the very text that was scanned makes of a ledger of obligations.

    A site is updated where an edit covers its bytes, or touches its span; it is waived where a person let it or its tier be; it keeps its
    proof where it fits; else it is pending. Sites of tiers that demand nothing are listed as pending: `Ledger.pending` does not count them.
    """
    edited = {edit.path: sorted((e.start, e.end) for e in edit.edits) for edit in change.files}
    reasons = {(w.path, w.line, w.column): w.reason for w in waivers}

    def now(entry: Entry) -> Entry:
        site = entry.site
        place, edits = site.place, edited.get(site.place.path, ())
        span = spans.get((place.path, place.start))
        if _covered(site, edits) or (span is not None and _touched(span, edits)):
            return Entry(site, SiteStatus.UPDATED, "an edit covers it" if span is None else "an edit changes what it takes or gives")
        if (reason := reasons.get((place.path, place.line, place.column))) is not None and entry.status is SiteStatus.PENDING:
            return Entry(site, SiteStatus.WAIVED, f"a person: {reason}")
        return Entry(site, SiteStatus.WAIVED, f"{site.tier} sites are left as they are") if site.tier in waived else entry

    return Ledger(tuple(now(entry) for entry in ledger.entries), ledger.not_scanned)


def unmatched(scan: Scan, waivers: Iterable[Waiver]) -> tuple[Waiver, ...]:
    """Waivers that name no site of the scan: a person meant another place, or the text has moved since."""
    known = {(site.place.path, site.place.line, site.place.column) for site in scan.sites}
    return tuple(w for w in waivers if (w.path, w.line, w.column) not in known)


def is_waived(site: Site, waivers: Iterable[Waiver]) -> bool:
    """Whether a person let this very site be."""
    place = (site.place.path, site.place.line, site.place.column)
    return any((w.path, w.line, w.column) == place for w in waivers)


def _covered(site: Site, edits: Sequence[tuple[int, int]]) -> bool:
    # Edits do not overlap: the last one that starts no later is the only one that can hold the site.
    near = bisect_right(edits, site.place.start, key=lambda edit: edit[0])
    return near > 0 and site.place.end <= edits[near - 1][1]


def _touched(span: tuple[int, int], edits: Sequence[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in edits)
