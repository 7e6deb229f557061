"""`initialize`: who the client is, what it wants, and which folders it has open."""

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as t

from surefoot.core.value import value
from surefoot.lsp.capabilities import Client, read_client
from surefoot.lsp.settings import Settings, read_settings
from surefoot.lsp.uris import path_of


@value
class Greeting:
    """What a client says of itself first."""

    client: Client = Client()
    settings: Settings = Settings()
    roots: tuple[Path, ...] = ()


def read_greeting(params: t.InitializeParams) -> Greeting:
    """The greeting in `params`; folders that are no files are left out."""
    return Greeting(read_client(params), read_settings(params.initialization_options, Settings()), tuple(_roots(params)))


def _roots(params: t.InitializeParams) -> Iterable[Path]:
    if params.workspace_folders:
        return (path for folder in params.workspace_folders if (path := path_of(folder.uri)))
    if params.root_uri:
        return (path for path in (path_of(params.root_uri),) if path)
    return (Path(params.root_path),) if params.root_path else ()
