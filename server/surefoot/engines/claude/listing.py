"""The list of sites as a model sees it: numbered where they have to be dealt with, and never cut short."""

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger, Scan, Site, SiteStatus, Tier
from surefoot.core.text import relative
from surefoot.core.value import value
from surefoot.prompts.render import Data

MOST_CHARACTERS = 64_000
"""Of a list of sites; with a longer one the change is one for an engine that needs no model."""

_SHOWN = REQUIRED_TIERS | {Tier.LIKELY}


@value
class Listing:
    """Sites by number, from 1; `rest` may or may not be meant, `unlisted` counts those that are not shown. `text` is what is shown."""

    sites: tuple[Site, ...]
    rest: tuple[Site, ...]
    unlisted: int
    text: str

    @property
    def data(self) -> Data | None:
        return Data("sites", self.text) if self.text else None

    @property
    def too_long(self) -> bool:
        return len(self.text) > MOST_CHARACTERS


def listing_of(scans: Iterable[Scan], root: Path, within: frozenset[Path] | None = None) -> Listing:
    """The sites of these scans, each once, in the order of files and lines; those of some files only, where these are given."""
    held = {(str(s.place.path), s.place.start): s for scan in scans for s in scan.sites if within is None or s.place.path in within}
    ordered = [held[key] for key in sorted(held)]
    required = tuple(site for site in ordered if site.tier in REQUIRED_TIERS)
    rest = tuple(site for site in ordered if site.tier is Tier.LIKELY)
    lines = [f"[{number}] {_line(site, root)}" for number, site in enumerate(required, 1)]
    lines += [f"[?] {_line(site, root)}" for site in rest]
    return Listing(required, rest, len(ordered) - len(required) - len(rest), "\n".join(lines))


def _line(site: Site, root: Path) -> str:
    where = f"{relative(root, site.place.path)}:{site.place.line}"
    inside = f" in {site.function}" if site.function else ""
    return f"{where} {site.kind} of {site.name}{inside}{' (test)' if site.test else ''}: {site.text}"


def ledger_of(scans: Sequence[Scan], listing: Listing, fits: Set[int]) -> Ledger:
    """The sites of a plan, as it accounts for them: those in `fits`, by number, are to stay as they are. Each edit is held against that."""
    numbers = {(site.place.path, site.place.start): number for number, site in enumerate(listing.sites, 1)}
    held = {(str(s.place.path), s.place.start): s for scan in scans for s in scan.sites}
    entries = tuple(_entry(held[key], numbers.get((held[key].place.path, held[key].place.start), 0) in fits) for key in sorted(held))
    return Ledger(entries, tuple(dict.fromkeys(u for scan in scans for u in scan.not_scanned)))


def _entry(site: Site, fits: bool) -> Entry:
    if site.tier not in REQUIRED_TIERS:
        return Entry(site, SiteStatus.PENDING, f"listed only: {site.reason}")
    return Entry(site, SiteStatus.FITS, "the plan leaves it as it is") if fits else Entry(site, SiteStatus.PENDING, "a step edits it")
