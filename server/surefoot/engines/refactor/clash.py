"""Whether a new name is free everywhere the old one is replaced: in both directions, since either name may capture the other."""

from pathlib import Path

from surefoot.core.sites import Scan, SiteKind, Tier
from surefoot.core.text import LineIndex
from surefoot.core.value import value
from surefoot.engines.refactor.sheet import MEMBERS, Sheet

_SURE = frozenset({Tier.EXACT, Tier.FAMILY})
_SELVES = ("self", "cls", "this", "super()", "super")


@value
class Clash:
    """The new name means something else at `line` of `path`: `why` says what would go wrong."""

    path: Path
    line: int
    why: str


def name_clash(sheet: Sheet, old: str, new: str) -> Clash | None:
    """The first place in one file where a scope has `new` already, or where it would take over a name that means something else."""
    capture = sheet.page.capture
    if capture is None:
        return None
    line = LineIndex(sheet.file.data).line_of(capture.start) + 1
    why = f"`{new}` is already bound there" if capture.bound else f"`{new}` there would come to mean the renamed `{old}`"
    return Clash(sheet.path, line, why)


def member_clash(scan: Scan, named_new: Scan, new: str) -> Clash | None:
    """The member called `new` that a class of the family already has, or that it uses as its own."""
    classes = {(site.place.path, site.function) for site in scan.sites if site.kind is SiteKind.DEFINITION and site.tier in _SURE}
    for symbol in named_new.symbols:
        if symbol.kind in MEMBERS and (symbol.place.path, symbol.container) in classes:
            return Clash(symbol.place.path, symbol.place.line, f"`{symbol.container}` already has `{new}`")
    for site in named_new.sites:
        own = any(site.place.path == path and f"{site.function}.".startswith(f"{owner}.") for path, owner in classes if owner)
        if site.tier in _SURE and own and any(f"{receiver}.{new}" in site.text for receiver in _SELVES):
            return Clash(site.place.path, site.place.line, f"`{new}` is already a member there, perhaps of a class that it extends")
    return None
