"""`textDocument/prepareRename`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host


async def prepare_rename(host: Host, params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
    """The name under the cursor; None where there is none, or where the setting leaves renaming to another server."""
    held = host.file(params.text_document.uri)
    if held is None or not host.settings.rename:
        return None
    path, text, measure = held
    service = await host.service()
    offset = measure.offset(params.position)
    host.insist(params.text_document.uri, text)
    symbol = await service.symbol_at(path, offset)
    if symbol is None or symbol.place.path != path:
        return None
    name = text.data[symbol.place.start : symbol.place.end].decode("utf-8")
    return t.PrepareRenamePlaceholder(range=measure.range(symbol.place.start, symbol.place.end), placeholder=name)
