"""`textDocument/didClose`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host


def did_close(host: Host, params: t.DidCloseTextDocumentParams) -> None:
    """From now on the file on disk is the text."""
    host.session.close(params.text_document.uri)
