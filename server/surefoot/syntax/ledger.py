"""The ledger: what becomes of every site of a scan under a change."""

from bisect import bisect_right
from collections.abc import Sequence

from surefoot.core.change import Change
from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger, Scan, Site, SiteStatus, Tier


def entries_for(scan: Scan, change: Change, waived: frozenset[Tier]) -> Ledger:
    """Every site of `scan`, held against a `change` of the very text that was scanned.

    A site is updated where an edit covers its bytes; it fits where it reaches the symbol by another name, which a rename leaves alone; it
    is waived where a person let its tier be; else it is pending. Sites of tiers that demand nothing say so as their proof: they are listed
    as pending, and `Ledger.pending` does not count them.
    """
    edited = {edit.path: sorted((e.start, e.end) for e in edit.edits) for edit in change.files}
    return Ledger(tuple(_entry(site, scan.name, edited.get(site.place.path, ()), waived) for site in scan.sites), scan.not_scanned)


def _entry(site: Site, name: str, edits: Sequence[tuple[int, int]], waived: frozenset[Tier]) -> Entry:
    # Edits do not overlap: the last one that starts no later is the only one that can hold the site.
    near = bisect_right(edits, site.place.start, key=lambda edit: edit[0])
    if near and site.place.end <= edits[near - 1][1]:
        return Entry(site, SiteStatus.UPDATED, "an edit covers it")
    if site.tier in waived:
        return Entry(site, SiteStatus.WAIVED, f"{site.tier} sites are left as they are")
    if site.tier not in REQUIRED_TIERS:
        return Entry(site, SiteStatus.PENDING, f"listed only: {site.reason}")
    if site.name != name:
        return Entry(site, SiteStatus.FITS, site.reason)
    return Entry(site, SiteStatus.PENDING, site.reason)
