"""What each kind of change owes to each site: left alone it would break or mean something else (`pending`), or it fits, with the proof.

A change of a name concerns those who write the name, one of a signature those who call, one of a place those who import. So the ledger of a
change is derived from its kind, the scan, and for some kinds from what the trees say of the sites (`arity_read.py`).
"""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import assert_never

from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger, Scan, Site, SiteKind, SiteStatus, Tier
from surefoot.core.value import value
from surefoot.syntax.arity import Fit, Given, Signature, compare

At = tuple[Path, int]
"""A site by its file and first byte."""

NAMING = frozenset({SiteKind.IMPORT, SiteKind.REEXPORT, SiteKind.ALIAS})
"""Sites that pass a name on and do nothing with what it stands for."""


@value
class Rename:
    """The symbol has another name."""


@value
class NewSignature:
    """The function takes other parameters. `calls` are what the calls give, where that could be read."""

    old: tuple[Signature | None, ...]
    new: tuple[Signature | None, ...]
    calls: Mapping[At, Given]
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])


@value
class Move:
    """The symbol is defined in another file. `bare` are sites that write its name alone, with nothing before it."""

    to: Path
    bare: frozenset[At] = frozenset()


@value
class Delete:
    """The symbol is gone."""


@value
class Visibility:
    """The symbol is seen in these files only, and in `container` where one is given; in all of them and everywhere for no files."""

    within: frozenset[Path]
    container: str = ""


@value
class Async:
    """What the function gives is to be awaited. `awaited` are calls whose value is awaited already."""

    awaited: frozenset[At] = frozenset()


ChangeKind = Rename | NewSignature | Move | Delete | Visibility | Async


def obligations(kind: ChangeKind, scan: Scan) -> Ledger:
    """Every site of the symbol with what the change owes it, nothing done yet."""
    imported = frozenset((s.place.path, s.local or s.name) for s in scan.sites if s.kind is SiteKind.IMPORT and s.tier is Tier.EXACT)
    return Ledger(tuple(_entry(kind, site, scan, imported) for site in scan.sites), scan.not_scanned)


def _entry(kind: ChangeKind, site: Site, scan: Scan, imported: frozenset[tuple[Path, str]]) -> Entry:
    if site.tier not in REQUIRED_TIERS:
        return Entry(site, SiteStatus.PENDING, f"listed only: {site.reason}")
    proof, why = "", ""
    if site.overload and not isinstance(kind, Rename) and (site.kind is SiteKind.DEFINITION or not isinstance(kind, NewSignature)):
        return Entry(site, SiteStatus.FITS, "it is another overload, which stays as it is")
    match kind:
        case Rename():
            proof = site.reason if site.name != scan.name else ""
        case NewSignature():
            proof, why = _resigned(kind, site)
        case Move():
            proof, why = _moved(kind, site, imported)
        case Delete():
            proof, why = _deleted(site)
        case Visibility():
            proof, why = _seen(kind, site)
        case Async():
            proof, why = _awaited(kind, site)
        case _:
            assert_never(kind)
    return Entry(site, SiteStatus.FITS, proof) if proof else Entry(site, SiteStatus.PENDING, why or site.reason)


def _resigned(kind: NewSignature, site: Site) -> tuple[str, str]:
    """The proof that a site fits the new signature, or why it may not."""
    if site.kind in NAMING or site.kind is SiteKind.TYPE:
        return "it names the function and gives it nothing", ""
    if site.kind is SiteKind.DEFINITION:
        return "", "it is declared here" if site.tier is Tier.EXACT else "it has to take what the whole family takes"
    given = kind.calls.get((site.place.path, site.place.start))
    if given is None:
        handed_on = site.kind is not SiteKind.CALL
        return "", "whoever calls it from here is not seen" if handed_on else "what the call gives could not be read"
    found = compare(kind.old, kind.new, given, kind.renamed)
    return (found.why, "") if found.fit is Fit.OK else ("", f"{found.fit}: {found.why}")


def _moved(kind: Move, site: Site, imported: frozenset[tuple[Path, str]]) -> tuple[str, str]:
    at = (site.place.path, site.place.start)
    if site.kind is SiteKind.ALIAS:
        return "it is another name, given here", ""
    if site.kind is SiteKind.DEFINITION or site.kind in NAMING or site.tier is Tier.STRING:
        return "", "it says where the symbol is"
    if site.place.path == kind.to and at in kind.bare:
        return "it stands where the symbol moves to", ""
    if at in kind.bare and (site.place.path, site.name) in imported:
        return "it means what its file imports, wherever that is", ""
    return "", "it reaches the symbol through the place that it leaves"


def _deleted(site: Site) -> tuple[str, str]:
    if site.tier is Tier.FAMILY and site.kind is SiteKind.DEFINITION:
        return "another definition of the family, which stays", ""
    return "", "it uses what is deleted" if site.kind is not SiteKind.DEFINITION else "it is deleted here"


def _seen(kind: Visibility, site: Site) -> tuple[str, str]:
    if site.kind is SiteKind.DEFINITION:
        return "", "it says who sees it" if site.tier is Tier.EXACT else "a family is seen by the same"
    if not kind.within:
        return "it sees the symbol as before", ""
    inside = site.place.path in kind.within and f"{site.function}.".startswith(f"{kind.container}." if kind.container else "")
    return ("it stands where the symbol is still seen", "") if inside else ("", "the symbol is not seen from here any more")


def _awaited(kind: Async, site: Site) -> tuple[str, str]:
    if site.kind in NAMING or site.kind is SiteKind.TYPE:
        return "it names the function and does not call it", ""
    if (site.place.path, site.place.start) in kind.awaited:
        return "what the call gives is awaited already", ""
    if site.kind is SiteKind.DEFINITION:
        return "", "it is declared here" if site.tier is Tier.EXACT else "the whole family is awaited or none of it"
    return "", "what the call gives is not awaited" if site.kind is SiteKind.CALL else "whoever calls it from here is not seen"
