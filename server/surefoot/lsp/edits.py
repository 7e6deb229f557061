"""A proposal as an edit that the editor applies without asking us again: sent only for the text as it is now."""

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
from surefoot.lsp.convert import Sending, workspace_edit
from surefoot.lsp.host import Host


def edit_of(host: Host, proposal: Proposal, sending: Sending) -> t.WorkspaceEdit:
    """The edit. Raises ContentModified when a text is no longer the one that was checked."""
    texts: dict[object, TextFile] = {}
    for edit in proposal.change.files:
        root = host.session.root_of(edit.path)
        held = host.session.snapshot(root).read(edit.path) if root else None
        if not isinstance(held, TextFile) or held.digest != edit.before:
            raise JsonRpcException(message=f"{edit.path.name} has changed meanwhile", code=t.LSPErrorCodes.ContentModified.value)
        texts[edit.path] = held
    return workspace_edit(proposal.change, lambda path: texts[path], host.session, host.client, sending)
