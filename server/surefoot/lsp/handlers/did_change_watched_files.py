"""`workspace/didChangeWatchedFiles`."""

from lsprotocol import types as t

from surefoot.lsp.host import Host
from surefoot.lsp.uris import path_of


def did_change_watched_files(host: Host, params: t.DidChangeWatchedFilesParams) -> None:
    """Files were made, changed or deleted outside the editor. What git keeps for itself is no text of the project."""
    paths = (path_of(change.uri) for change in params.changes)
    host.session.touched(path for path in paths if path and ".git" not in path.parts)
