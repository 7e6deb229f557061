"""`initialize`: take note of the client, its settings and its folders."""

from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types as t

from surefoot.lsp.capabilities import read_client
from surefoot.lsp.host import Host
from surefoot.lsp.settings import Settings, read_settings
from surefoot.lsp.uris import path_of


def initialize(host: Host, offer_rename: Callable[[], None], params: t.InitializeParams) -> None:
    """What the server can do is told by pygls, from the handlers that are registered when this returns."""
    host.meet(read_client(params), read_settings(params.initialization_options, Settings()))
    host.session.set_roots(_roots(params))
    if host.settings.rename:
        offer_rename()


def _roots(params: t.InitializeParams) -> Iterable[Path]:
    if params.workspace_folders:
        return [path for folder in params.workspace_folders if (path := path_of(folder.uri))]
    if params.root_uri:
        return [path for path in (path_of(params.root_uri),) if path]
    return [Path(params.root_path)] if params.root_path else []
