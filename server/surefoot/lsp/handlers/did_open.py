"""`textDocument/didOpen`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host
from surefoot.lsp.uris import path_of


def did_open(host: Host, params: t.DidOpenTextDocumentParams) -> None:
    """A buffer stands over its file from now on."""
    held = params.text_document
    language = held.language_id.value if isinstance(held.language_id, t.LanguageKind) else held.language_id
    document = host.session.open(held.uri, path_of(held.uri), language, held.version, held.text)
    if document.path is not None:
        host.warm_up(document.path)
