"""A rename that is too large for one step, as ordered steps that each hold: the new name with a forwarder, its uses, the forwarder out.

Only what a module offers can be split, since only there both names can stand side by side. Anything else stays one wide step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.plan import PlannedStep, Stage, Take
from surefoot.core.sites import Site, SiteKind, SymbolKind
from surefoot.core.text import Texts
from surefoot.core.value import value
from surefoot.engines.refactor.beside import in_lists
from surefoot.engines.refactor.sheet import Sheet
from surefoot.engines.refactor.subject import SURE, Found, shown
from surefoot.syntax.lists import Statement

_MODULE_KINDS = frozenset({SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.VARIABLE, SymbolKind.TYPE})
_FORWARDER_LINES = 4
_IMPORT_LINES = 4
"""What an import that gains or loses a name may add to a step, in changed lines."""


@value
class Parts:
    """What a split rename touches in each stage: the definition's file, files that offer the name on, and all files with uses."""

    home: Sheet
    whole_home: bool
    offering: tuple[Sheet, ...]
    rest: tuple[Sheet, ...]


def split(texts: Texts, found: Found, held: Sequence[Sheet], soft: int) -> tuple[PlannedStep, ...] | None:
    """The ordered steps, or None where the rename cannot be split and hold."""
    parts = _parts(texts, found, held, soft)
    if parts is None:
        return None
    moving = parts.rest if parts.whole_home else (_without_definitions(parts.home), *parts.rest)
    uses = migrations(texts, found, moving, soft, (parts.home.path, *_paths(parts.offering)))
    if uses is None:
        return None
    homes = 0 if parts.whole_home else sum(_defines(s) for s in parts.home.sites)
    offered = tuple(Take(s.path) for s in parts.offering)
    old, new = found.old, found.new
    first = PlannedStep(
        f"Call it {new}, keep {old} as its other name",
        f"Rename the definition of {old} to {new} and offer both names until every use has moved.",
        Stage.FORWARD,
        (Take(parts.home.path, homes), *offered),
        found.subject,
    )
    last = contraction(found, (parts.home.path, *_paths(parts.offering)))
    return (first, *uses, last)


def contraction(found: Found, paths: Sequence[Path]) -> PlannedStep:
    """The step that takes the old name away where both were offered."""
    intent = f"Remove {found.old}: nothing uses it any more."
    return PlannedStep(f"Remove the old name {found.old}", intent, Stage.CONTRACT, tuple(Take(p) for p in paths), found.subject)


def migrations(texts: Texts, found: Found, held: Sequence[Sheet], soft: int, offering: Sequence[Path]) -> tuple[PlannedStep, ...] | None:
    """Steps that move the uses over, files in path order, each within the soft limit; None where one file cannot be divided."""
    groups: list[list[Take]] = [[]]
    room = soft
    for sheet in held:
        takes = _takes(sheet, found, soft, sheet.path in offering)
        if takes is None:
            return None
        for take, cost in takes:
            if cost > room and groups[-1]:
                groups.append([])
                room = soft
            groups[-1].append(take)
            room -= cost
    return tuple(_migration(texts, found, group) for group in groups if group)


def uses_of(sheet: Sheet, old: str) -> list[Site]:
    """The sites of a file that are no entries of its import and export lists, in text order."""
    listed = {site.place.start for site in in_lists(sheet.page.naming(old), sheet.sites)}
    return [site for site in sheet.sites if site.place.start not in listed]


def _takes(sheet: Sheet, found: Found, soft: int, offers: bool) -> list[tuple[Take, int]] | None:
    """What the steps take from one file, with the changed lines of each."""
    uses = uses_of(sheet, found.old)
    cost = sheet.lines(uses) if offers else sheet.lines(sheet.sites)
    if not (uses if offers else sheet.sites):
        return []
    if cost <= soft:
        return [(Take(sheet.path), cost)]
    reached = sheet.path == found.symbol.place.path or not sheet.bare(uses) or sheet.page.naming(found.old)
    if not reached or any(site.kind is SiteKind.IMPORT for site in uses):
        return None
    return list(_chunks(sheet, uses, soft - _IMPORT_LINES))


def _chunks(sheet: Sheet, uses: Sequence[Site], room: int) -> Iterator[tuple[Take, int]]:
    start = 0
    for end in range(1, len(uses) + 1):
        if end == len(uses):
            yield Take(sheet.path), sheet.lines(uses[start:]) + _IMPORT_LINES
        elif sheet.lines(uses[start : end + 1]) > room:
            yield Take(sheet.path, end - start), sheet.lines(uses[start:end]) + _IMPORT_LINES
            start = end


def _migration(texts: Texts, found: Found, group: Sequence[Take]) -> PlannedStep:
    first, more = shown(texts, group[0].path), len(group) - 1
    where = first + (f" and {more} more file{'s' if more > 1 else ''}" if more else "")
    part = "part of " if group[0].sites and not more else ""
    intent = f"Use {found.new} instead of {found.old} in {part}{where}."
    return PlannedStep(f"Use {found.new} in {part}{where}", intent, Stage.MIGRATE, tuple(group), found.subject)


def _parts(texts: Texts, found: Found, held: Sequence[Sheet], soft: int) -> Parts | None:
    home = next((s for s in held if s.path == found.symbol.place.path), None)
    if not all(site.tier in SURE for sheet in held for site in sheet.sites):
        # A string names one definition and not its forwarder: `patch("m.f")` would no longer reach the callers that have moved.
        return None
    if home is None or found.symbol.container or found.symbol.kind not in _MODULE_KINDS or not _one_definition(found, home):
        return None
    statement = home.page.statements.get(found.symbol.place.start)
    if statement is None or not statement.top or not _forwardable(home, found, statement):
        return None
    offering = tuple(s for s in offer_on(texts, held, found) if s is not home)
    if any(s.page.naming(found.old) == [] for s in offering):
        return None
    shared = sum(s.lines(in_lists(s.page.naming(found.old), s.sites)) for s in offering)
    room = soft - shared - _FORWARDER_LINES
    whole = home.lines(home.sites) <= room
    if room < 4 or (not whole and found.language.family != "python"):
        return None
    return Parts(home, whole, offering, tuple(s for s in held if s is not home))


def _one_definition(found: Found, home: Sheet) -> bool:
    """Overloads share one name; a variable that is bound twice does not have one value to forward."""
    symbols = [s for s in found.scan.symbols if s.name == found.old]
    if any(s.place.path != home.path or s.container for s in symbols):
        return False
    return found.symbol.kind is not SymbolKind.VARIABLE or sum(_defines(site) for site in home.sites) == 1


def _forwardable(home: Sheet, found: Found, statement: Statement) -> bool:
    if found.language.family == "python":
        return b"type " + found.old.encode() not in home.file.data[statement.start : statement.end]
    listed = any(held.exports and not held.source for held, _ in home.page.naming(found.old))
    return (statement.exported and not statement.default) or listed


def offer_on(texts: Texts, held: Sequence[Sheet], found: Found) -> list[Sheet]:
    """The files that others can fetch the name from: it is exported there, or one of the others does import it from there."""
    python = found.language.family == "python"
    fetched = _fetched(texts, held if python else (), found.old)
    return [sheet for sheet in held if _exports(sheet, found.old, python) or (python and _is_fetched(texts, sheet.path, fetched))]


def _exports(sheet: Sheet, old: str, python: bool) -> bool:
    lists = sheet.page.naming(old)
    return any(names.exports for names, _ in lists) or (python and sheet.path.stem == "__init__" and bool(lists))


def _fetched(texts: Texts, held: Sequence[Sheet], old: str) -> Mapping[tuple[bool, str], set[Path]]:
    """The modules that the files import the name from, with the files that do; True for those named from the root."""
    found: dict[tuple[bool, str], set[Path]] = {}
    for sheet in held:
        for names, _ in sheet.page.naming(old):
            if names.source:
                found.setdefault(_module(texts, names.source, sheet.path), set()).add(sheet.path)
    return found


def _module(texts: Texts, source: str, importer: Path) -> tuple[bool, str]:
    """The module `source`, as `importer` writes it; whether it is named from the root, since an absolute name may start further down."""
    name = source.lstrip(".")
    dots = len(source) - len(name)
    if not dots:
        return False, name
    base = importer.relative_to(texts.root).parts[:-dots]
    return True, ".".join((*base, *(p for p in name.split(".") if p)))


def _is_fetched(texts: Texts, path: Path, fetched: Mapping[tuple[bool, str], set[Path]]) -> bool:
    """Whether another file imports from what could be the file `path`."""
    parts = path.relative_to(texts.root).with_suffix("").parts
    parts = parts[:-1] if parts[-1] == "__init__" else parts
    names = [(True, ".".join(parts)), *((False, ".".join(parts[at:])) for at in range(len(parts)))]
    return any(fetched.get(name, set()) - {path} for name in names)


def _without_definitions(home: Sheet) -> Sheet:
    return replace(home, sites=tuple(site for site in home.sites if not _defines(site)))


def _defines(site: Site) -> bool:
    return site.kind is SiteKind.DEFINITION


def _paths(held: Sequence[Sheet]) -> tuple[Path, ...]:
    return tuple(s.path for s in held)
