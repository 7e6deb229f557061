"""Every site of the symbol under the cursor, over the text as it is now: with tiers and reasons, or as plain locations."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.core.sites import REQUIRED_TIERS, Symbol, Tier
from surefoot.core.text import TextFile
from surefoot.lsp import extensions as ext
from surefoot.lsp.convert import ruler
from surefoot.lsp.host import Host
from surefoot.lsp.sites_others import in_order, united
from surefoot.lsp.sites_places import Places
from surefoot.lsp.uris import path_of
from surefoot.syntax.languages import LANGUAGES, language_of
from surefoot.syntax.opinions import SecondOpinion

if TYPE_CHECKING:
    from surefoot.service import Service
    from surefoot.workspace.snapshot import Snapshot

SHOWN_AFTER = 0.7
"""Seconds that a search takes before it is shown, with a button that ends it."""

MOVED = "it changed while it was searched: ask again"


async def sites(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """The answer to SITES. Raises Unusable, OutsideText for a place that is none, RequestCancelled when a person wants no more."""
    wanted = ext.read_sites(params.arguments)
    texts, file = _asked(host, wanted.uri)
    documents = {document.path: document for document in host.session.documents if document.path}
    places = Places(texts, documents, host.client.units, host.session.named)
    offset = ruler(file, documents.get(file.path), host.client.units).offset(wanted.position)
    heard = await _searched(host, _found(service, texts, file.path, offset, wanted), params.work_done_token)
    if not heard.scan.name:
        raise Unusable("there is no name at this place: put the cursor on the name that you look for")
    if wanted.flat:
        return await asyncio.to_thread(_locations, places, heard, wanted)
    return ext.to_wire(await asyncio.to_thread(_result, places, heard, wanted))


async def _found(service: "Service", texts: "Snapshot", path: Path, offset: int, wanted: ext.SitesParams) -> SecondOpinion:
    """Our own answer, or with what servers of ours say where that is wanted and the editor's own has not spoken."""
    if wanted.second_opinion and wanted.others is None:
        return await service.second_opinion(texts, path, offset)
    return SecondOpinion(await service.sites(texts, path, offset), {}, ())


def _asked(host: Host, uri: str) -> "tuple[Snapshot, TextFile]":
    """All texts as they are now, and the one that was asked about: the buffer over it, else the file."""
    path = path_of(uri)
    root = host.session.root_of(path := host.session.named(path)) if path else None
    if path is None or root is None:
        raise Unusable(f"{uri} is not a file of an open folder")
    if language_of(path) is None:
        names = ", ".join(sorted(language.name for language in LANGUAGES))
        raise Unusable(f"{path.name} is in no language that Surefoot reads: {names}")
    texts = host.session.snapshot(root)
    held = texts.read(path)
    if not isinstance(held, TextFile):
        raise Unusable(f"{path.name} cannot be read: {held.reason if held else 'there is no such file'}")
    return texts, held


async def _searched(host: Host, search: Coroutine[Any, Any, SecondOpinion], token: t.ProgressToken | None) -> SecondOpinion:
    """What the search finds; one that takes long, or whose client gave a token, is shown and can be ended."""
    searching = asyncio.ensure_future(search)

    def stop() -> None:
        searching.cancel()

    try:
        if token is None:
            await asyncio.wait([searching], timeout=SHOWN_AFTER)
        if not searching.done():
            async with host.bar.show("Surefoot: looking for every site", stop, token):
                await asyncio.wait([searching])
    finally:
        stop()
    if searching.cancelled():
        raise JsonRpcException(message="the search was cancelled", code=t.LSPErrorCodes.RequestCancelled.value)
    return searching.result()


def _result(places: Places, heard: SecondOpinion, wanted: ext.SitesParams) -> ext.SitesResult:
    found, moved = _shown(places, heard, wanted)
    scan = heard.scan
    listed = tuple(site for site in found if wanted.tiers is None or site.tier in wanted.tiers)
    unread = (*((held.path, held.reason) for held in scan.not_scanned), *((path, MOVED) for path in moved))
    return ext.SitesResult(
        name=scan.name,
        symbols=tuple(made for symbol in scan.symbols if (made := _symbol(places, symbol))),
        sites=listed,
        not_scanned=tuple(ext.NotScanned(places.uri(path), reason) for path, reason in unread),
        counts=tuple(_counts(found)),
        servers=tuple(ext.ServerSaid(said.name, said.version, said.told) for said in heard.servers),
    )


def _locations(places: Places, heard: SecondOpinion, wanted: ext.SitesParams) -> list[t.Location]:
    tiers = REQUIRED_TIERS if wanted.tiers is None else wanted.tiers
    return [t.Location(site.uri, site.range) for site in _shown(places, heard, wanted)[0] if site.tier in tiers]


def _shown(places: Places, heard: SecondOpinion, wanted: ext.SitesParams) -> tuple[list[ext.SiteShown], list[Path]]:
    """The sites of all tiers, and the files that moved on disk since they were searched."""
    shown: list[ext.SiteShown] = []
    moved: dict[Path, None] = {}
    for site in heard.scan.sites:
        if (covered := places.site(site)) is None:
            moved[site.place.path] = None
            continue
        uri, kind, tier, opinion = places.uri(site.place.path), site.kind.value, site.tier.value, heard.side(site).value
        shown.append(ext.SiteShown(uri, covered, kind, tier, site.reason, site.function, site.test, site.text, opinion))
    if wanted.others is not None:
        shown = united(shown, wanted.others, places)
    return in_order(site for site in shown if wanted.tests or not site.test), list(moved)


def _symbol(places: Places, symbol: Symbol) -> ext.SymbolShown | None:
    covered = places.range(symbol.place)
    if covered is None:
        return None
    return ext.SymbolShown(symbol.name, symbol.kind.value, symbol.container, places.uri(symbol.place.path), covered)


def _counts(found: Sequence[ext.SiteShown]) -> Iterable[ext.TierCount]:
    for tier in Tier:
        files = [site.uri for site in found if site.tier == tier]
        if files:
            yield ext.TierCount(tier.value, len(files), len(set(files)))
