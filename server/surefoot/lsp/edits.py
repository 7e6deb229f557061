"""A proposal as an edit that the editor applies without asking us again: sent only for the text as it is now."""

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
from surefoot.lsp.convert import Sending, workspace_edit
from surefoot.lsp.guards import MOVED, live_text, obstacle
from surefoot.lsp.host import Host


def edit_of(host: Host, proposal: Proposal, sending: Sending) -> t.WorkspaceEdit:
    """The edit. Raises ContentModified when a text is no longer the one that was checked, RequestFailed when one cannot be changed."""
    if (failure := obstacle(host.session, proposal.change)) is not None:
        code = t.LSPErrorCodes.ContentModified if failure.code == MOVED else t.LSPErrorCodes.RequestFailed
        raise JsonRpcException(message=failure.message, code=code.value)
    held = {edit.path: live_text(host.session, edit.path) for edit in proposal.change.files}
    texts = {path: text for path, text in held.items() if isinstance(text, TextFile)}
    return workspace_edit(proposal.change, lambda path: texts[path], host.session, host.client, sending)
