"""`textDocument/didSave`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host


def did_save(host: Host, params: t.DidSaveTextDocumentParams) -> None:
    """The file on disk is what the buffer holds."""
    host.session.saved(params.text_document.uri)
