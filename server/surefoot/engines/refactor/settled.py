"""Likely sites that a checker settled: where it misses the old name once the definition has the new one, the use is the symbol's."""

from collections.abc import Sequence
from dataclasses import replace

from surefoot.core.plan import Constraint
from surefoot.core.sites import Site, Tier, Waiver
from surefoot.engines.protocol import Refusal
from surefoot.engines.refactor.subject import Found
from surefoot.syntax.ledger import unmatched

ORIGIN = "site"


def settled(found: Found, constraints: Sequence[Constraint], waivers: tuple[Waiver, ...] = ()) -> Found | Refusal:
    """The same symbol with those of its likely sites sure that the constraints name, and those waived that a person lets be."""
    if missing := unmatched(found.scan, waivers):
        first = missing[0]
        at = f"{first.path.name}:{first.line}:{first.column}"
        return Refusal(f"no site of `{found.old}` stands at {at}: waive one that `surefoot sites` lists")
    places = {(c.path, line) for c in constraints if c.origin == ORIGIN for line in (c.line, *c.more)}
    sites = tuple(_sure(site) if (site.place.path, site.place.line) in places else site for site in found.scan.sites)
    return replace(found, scan=replace(found.scan, sites=sites) if places else found.scan, waivers=waivers)


def others(constraints: Sequence[Constraint]) -> tuple[Constraint, ...]:
    """The constraints that name no site."""
    return tuple(c for c in constraints if c.origin != ORIGIN)


def _sure(site: Site) -> Site:
    if site.tier is not Tier.LIKELY:
        return site
    return replace(site, tier=Tier.EXACT, reason="a checker misses the old name here")
