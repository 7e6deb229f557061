"""`textDocument/didChange`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host
from surefoot.lsp.sync import changed


def did_change(host: Host, params: t.DidChangeTextDocumentParams) -> None:
    """The new text of a buffer; changes to one that is not open are dropped."""
    held = host.session.document(params.text_document.uri)
    if held is not None:
        host.session.change(held.uri, params.text_document.version, changed(held.raw, params.content_changes, host.client.units))
