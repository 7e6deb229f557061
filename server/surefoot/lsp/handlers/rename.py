"""`textDocument/rename`: the same ledger and the same checks as a run, as one edit for the editor to apply."""

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.lsp.convert import Sending
from surefoot.lsp.edits import edit_of
from surefoot.lsp.host import Host
from surefoot.lsp.starting import check_name


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
    async with host.bar.show(f"Rename to {params.new_name}", token=params.work_done_token) as reports:
        service = await host.service()
        reports.report("looking for every site and checking the change")
        host.insist(params.text_document.uri, text)
        found = await service.rename(path, offset, params.new_name)
    from surefoot.core.proposal import Proposal

    if not isinstance(found, Proposal):
        raise JsonRpcException(message=found.reason, code=t.LSPErrorCodes.RequestFailed.value)
    return edit_of(host, found, Sending(found.title))
