"""`textDocument/rename`: the same ledger and the same checks as a run, as one edit for the editor to apply."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
from surefoot.lsp.convert import Sending
from surefoot.lsp.edits import edit_of
from surefoot.lsp.guards import live_text
from surefoot.lsp.host import Host
from surefoot.lsp.starting import check_name
from surefoot.workspace.snapshot import Snapshot

if TYPE_CHECKING:
    from surefoot.engines.protocol import Refusal


async def rename(host: Host, params: t.RenameParams) -> t.WorkspaceEdit | None:
    """The whole checked rename. Raises RequestFailed with the reason why there is none, ContentModified when text moved meanwhile."""
    if not host.settings.rename:
        raise Unusable("renaming is switched off in Surefoot's settings")
    held = host.file(params.text_document.uri)
    if held is None:
        raise Unusable("only files in an open folder can be renamed in")
    path, text, measure = held
    offset = measure.offset(params.position)
    check_name(params.new_name)
    touched: set[Path] = set()
    async with host.bar.show(f"Rename to {params.new_name}", token=params.work_done_token) as reports:
        service = await host.service()
        reports.report("looking for every site and checking the change")
        host.insist(params.text_document.uri, text)
        stop = host.session.listen(lambda touch: touched.add(touch.path))
        try:
            found = await service.rename(path, offset, params.new_name)
            ignored = await _ignored(host, path, found, touched)
        finally:
            stop()
    from surefoot.loop.background import still_holds

    if not isinstance(found, Proposal):
        raise JsonRpcException(message=found.reason, code=t.LSPErrorCodes.RequestFailed.value)
    if not still_holds(found, _live(host, path)) or _gained(host, found, touched - ignored):
        raise JsonRpcException(message="text has changed meanwhile; rename again", code=t.LSPErrorCodes.ContentModified.value)
    return edit_of(host, found, Sending(found.title))


async def _ignored(host: Host, path: Path, found: "Proposal | Refusal", touched: Iterable[Path]) -> set[Path]:
    """Files with the name that were written meanwhile and are no part of the project, such as what a build makes."""
    suspects = _gained(host, found, touched) if isinstance(found, Proposal) else set[Path]()
    return suspects - set(await asyncio.to_thread(_live(host, path).files)) if suspects else set()


def _gained(host: Host, found: Proposal, touched: Iterable[Path]) -> set[Path]:
    """Texts beside those that the evidence depends on which have the renamed name in them now: they may hold sites nobody looked at."""
    names = {held.data[e.start : e.end] for f in found.change.files if (held := _text(host, f.path)) for e in f.edits if e.start < e.end}
    word = re.compile(rb"(?<![\w$])(?:%b)(?![\w$])" % b"|".join(map(re.escape, names)))
    known = {i.path for i in found.evidence.inputs}
    return {path for path in touched if path not in known and (held := _text(host, path)) and word.search(held.data)}


def _text(host: Host, path: Path) -> TextFile | None:
    held = live_text(host.session, path)
    return held if isinstance(held, TextFile) else None


def _live(host: Host, path: Path) -> Snapshot:
    root = host.session.root_of(path)
    if root is None:
        raise Unusable(f"the folder of {path.name} is no longer open")
    return host.session.snapshot(root)
