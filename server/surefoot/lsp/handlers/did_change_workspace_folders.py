"""`workspace/didChangeWorkspaceFolders`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host
from surefoot.lsp.uris import path_of


def did_change_workspace_folders(host: Host, params: t.DidChangeWorkspaceFoldersParams) -> None:
    """Folders came or went."""
    gone = {path_of(folder.uri) for folder in params.event.removed}
    come = [path for folder in params.event.added if (path := path_of(folder.uri))]
    host.session.set_roots([*(root for root in host.session.roots if root not in gone), *come])
