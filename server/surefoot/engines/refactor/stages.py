"""The edits of one step: a whole rename, or a third of one that was split. Each leaves a text that holds on its own."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from surefoot.core.change import TextEdit
from surefoot.core.plan import PlannedStep, Take
from surefoot.core.sites import Site, SiteKind, SymbolKind
from surefoot.engines.refactor.beside import (
    add_beside,
    forwarder,
    in_lists,
    offer_as,
    offered_as,
    offers_both,
    take_out,
    without_forwarder,
)
from surefoot.engines.refactor.sheet import Sheet
from surefoot.engines.refactor.split import uses_of
from surefoot.engines.refactor.subject import Found

_TYPE_WORD = re.compile(rb"\b(?:interface|type)\s+\Z")
Edits = Iterator[tuple[Path, list[TextEdit]]]


def whole(found: Found, held: Iterable[Sheet]) -> Edits:
    """Every site in every file."""
    for sheet in held:
        yield sheet.path, sheet.rename(sheet.sites, found.symbol.kind, found.old, found.new)


def forward(found: Found, held: Iterable[Sheet], step: PlannedStep) -> Edits:
    """The definition under its new name, its file's own uses, a forwarder, and both names wherever the old one is offered on."""
    takes = {take.path: take for take in step.takes}
    for sheet in held:
        if sheet.path == found.symbol.place.path:
            yield sheet.path, _home(found, sheet, takes[sheet.path])
        elif sheet.path in takes:
            yield sheet.path, _both(sheet, found.old, found.new)


def migrate(found: Found, held: Iterable[Sheet], step: PlannedStep, offering: frozenset[Path]) -> Edits:
    """The uses that the step takes, and with the last of a file's uses its import."""
    takes = {take.path: take for take in step.takes}
    for sheet in held:
        if sheet.path in takes:
            yield sheet.path, _moved(found, sheet, takes[sheet.path], offers=sheet.path in offering)


def contract(found: Found, held: Iterable[Sheet]) -> Edits:
    """The old name out of every place where both are offered, the forwarder first."""
    for sheet in held:
        edits = [
            take_out(sheet.file, names, item) for names, item in sheet.page.naming(found.old) if offers_both(sheet.page, names, found.new)
        ]
        if sheet.path == found.symbol.place.path:
            line = without_forwarder(sheet.file, found.symbol.kind, found.old, found.new)
            entry = offered_as(sheet.page, found.old, found.new) if line is None else None
            edits += [line] if line is not None else [take_out(sheet.file, *entry)] if entry is not None else []
        yield sheet.path, edits


def _home(found: Found, sheet: Sheet, take: Take) -> list[TextEdit]:
    old, new = found.old, found.new
    offered = [(names, item) for names, item in sheet.page.naming(old) if names.exports and not names.source]
    listed = {s.place.start for s in in_lists(offered, sheet.sites)}
    own = [s for s in sheet.sites if s.place.start not in listed and (not take.sites or s.kind is SiteKind.DEFINITION)]
    edits = sheet.rename(own, found.symbol.kind, old, new)
    if found.language.family == "python":
        edits += _both(sheet, old, new)
    else:
        edits += [offer_as(item, old, new) for _, item in offered]
        if offered:
            return edits
    last = max((s.place.start for s in own if s.kind is SiteKind.DEFINITION), default=found.symbol.place.start)
    statement = sheet.page.statements.get(last)
    assert statement is not None, "the planner asked for the definition's statement before it split the rename"
    return [*edits, forwarder(sheet.file, statement, _offered_kind(found, sheet), old, new)]


def _offered_kind(found: Found, sheet: Sheet) -> SymbolKind:
    """The kind to offer on: an interface may share its name with a value, and then both follow the name."""
    defined = [sheet.file.data[: site.place.start] for site in sheet.sites if site.kind is SiteKind.DEFINITION]
    only_types = all(_TYPE_WORD.search(before) for before in defined)
    return found.symbol.kind if only_types or found.symbol.kind is not SymbolKind.TYPE else SymbolKind.CLASS


def _both(sheet: Sheet, old: str, new: str) -> list[TextEdit]:
    return [edit for names, item in sheet.page.naming(old) for edit in add_beside(sheet.file, sheet.page, names, item, old, new)]


def _moved(found: Found, sheet: Sheet, take: Take, *, offers: bool) -> list[TextEdit]:
    uses = uses_of(sheet, found.old)
    moved = uses[: take.sites] if take.sites else uses
    stays = offers or sheet.bare(uses[len(moved) :])
    edits = sheet.rename(moved, found.symbol.kind, found.old, found.new)
    needed = stays and sheet.bare(moved)
    for names, item in sheet.page.naming(found.old):
        both = offers_both(sheet.page, names, found.new)
        if needed:
            edits += add_beside(sheet.file, sheet.page, names, item, found.old, found.new)
        elif not stays and both:
            edits.append(take_out(sheet.file, names, item))
        elif not stays:
            edits += sheet.rename(_entry(sheet, item.word), found.symbol.kind, found.old, found.new)
    return edits


def _entry(sheet: Sheet, word: int) -> Sequence[Site]:
    return [site for site in sheet.sites if site.place.start == word]
