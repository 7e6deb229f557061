"""How the sites of a definition stand after a change that no rule made: which were edited, which fit and why, which are left over.

A change of free form has no kind that would say what it owes to whom. So the texts are asked: a definition that is gone leaves all of its
uses pending, one that takes other parameters leaves the calls that do not fit them, and any other leaves none.
"""

from collections.abc import Sequence
from dataclasses import replace

from surefoot.core.change import Change
from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger, Scan, SiteKind, SiteStatus, Target, Tier, Waiver
from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.syntax.arity import Signature
from surefoot.syntax.arity_read import Reader, takers
from surefoot.syntax.index import Index
from surefoot.syntax.ledger import settled
from surefoot.syntax.obligations import Delete, NewSignature, obligations
from surefoot.syntax.resolve import Resolver
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.view import View
from surefoot.syntax.words import starts_of

Signatures = tuple[Signature | None, ...]


@value
class Edited:
    """A change, and the sites that a person let be in the text that it was made for."""

    change: Change
    waivers: tuple[Waiver, ...] = ()


def standing(before: Texts, after: Texts, target: Target, edited: Edited, index: Index, ground: Ground) -> Ledger:
    """Every site that `target` has in `before`, as the change that leads to `after` leaves it."""
    scan = find_sites(before, target, index, ground=ground)
    was = Reader(Resolver(View(before, ground, lambda: False), index), index)
    now = Reader(Resolver(View(after, ground, lambda: False), index), index)
    old, new = _signatures(scan, before, was, index), _signatures(scan, after, now, index)
    if new is None:
        ledger = obligations(Delete(), scan)
    elif new == old:
        ledger = _fitting(scan, "what it uses is declared as it was")
    else:
        ledger = obligations(NewSignature(old or (), new, was.calls(scan)), scan)
    return _kept(settled(ledger, edited.change, waivers=edited.waivers, spans=was.spans(scan)), defined=new is not None)


def _signatures(scan: Scan, after: Texts, reader: Reader, index: Index) -> Signatures | None:
    """What the definitions of a scan take in some texts, None where one is gone."""
    found: list[Signature | None] = []
    for symbol in takers(scan):
        held = after.read(symbol.place.path)
        starts = starts_of(index, held, symbol.container, symbol.name) if isinstance(held, TextFile) else ()
        if not starts:
            return None
        size = len(symbol.name.encode("utf-8"))
        found += [reader.signature(symbol.place.path, start, start + size) for start in starts]
    return tuple(dict.fromkeys(found))


def _fitting(scan: Scan, proof: str) -> Ledger:
    return Ledger(tuple(Entry(site, _status(site.tier), proof) for site in scan.sites), scan.not_scanned)


def _status(tier: Tier) -> SiteStatus:
    return SiteStatus.FITS if tier in REQUIRED_TIERS else SiteStatus.PENDING


def _kept(ledger: Ledger, *, defined: bool) -> Ledger:
    """A definition that is still there owes nothing to itself: what was not edited in it is as it was."""
    if not defined:
        return ledger
    return replace(ledger, entries=tuple(_own(entry) for entry in ledger.entries))


def _own(entry: Entry) -> Entry:
    site = entry.site
    mine = site.kind is SiteKind.DEFINITION and site.tier is Tier.EXACT and entry.status is SiteStatus.PENDING
    return Entry(site, SiteStatus.FITS, "it is declared as it was") if mine else entry


def joined(ledgers: Sequence[Ledger]) -> Ledger:
    """One ledger of many: a site that several list is as the most demanding of them says."""
    order = (SiteStatus.PENDING, SiteStatus.WAIVED, SiteStatus.UPDATED, SiteStatus.FITS)
    held: dict[tuple[str, int, int], Entry] = {}
    for entry in (entry for ledger in ledgers for entry in ledger.entries):
        key = (str(entry.site.place.path), entry.site.place.start, entry.site.place.end)
        known = held.get(key)
        if known is None or _rank(entry, order) < _rank(known, order):
            held[key] = entry
    scanned = dict.fromkeys(unreadable for ledger in ledgers for unreadable in ledger.not_scanned)
    return Ledger(tuple(held[key] for key in sorted(held)), tuple(scanned))


def _rank(entry: Entry, order: Sequence[SiteStatus]) -> tuple[bool, int]:
    return (entry.site.tier not in REQUIRED_TIERS, order.index(entry.status))
