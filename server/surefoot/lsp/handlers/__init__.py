"""One file per method: convert, call, convert. This is the table of them."""

# pyright: reportUnknownArgumentType=false
# A table holds handlers of any parameters, and pygls passes each the ones of its method.

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from lsprotocol import types as t

from surefoot.lsp.extensions import COMMANDS
from surefoot.lsp.failures import answers, hears
from surefoot.lsp.handlers.code_action import KINDS, code_action
from surefoot.lsp.handlers.code_action_resolve import resolve
from surefoot.lsp.handlers.did_change import did_change
from surefoot.lsp.handlers.did_change_configuration import did_change_configuration
from surefoot.lsp.handlers.did_change_watched_files import did_change_watched_files
from surefoot.lsp.handlers.did_change_workspace_folders import did_change_workspace_folders
from surefoot.lsp.handlers.did_close import did_close
from surefoot.lsp.handlers.did_open import did_open
from surefoot.lsp.handlers.did_save import did_save
from surefoot.lsp.handlers.execute_command import execute
from surefoot.lsp.handlers.initialize import initialize
from surefoot.lsp.handlers.initialized import initialized
from surefoot.lsp.handlers.prepare_rename import prepare_rename
from surefoot.lsp.handlers.rename import rename
from surefoot.lsp.handlers.shutdown import shutdown
from surefoot.lsp.host import Host, Load

Table = Sequence[tuple[str, Callable[..., Awaitable[object]], object]]

ACTION_OPTIONS = t.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)

HEARD = (
    (t.TEXT_DOCUMENT_DID_OPEN, did_open),
    (t.TEXT_DOCUMENT_DID_CHANGE, did_change),
    (t.TEXT_DOCUMENT_DID_CLOSE, did_close),
    (t.TEXT_DOCUMENT_DID_SAVE, did_save),
    (t.WORKSPACE_DID_CHANGE_WATCHED_FILES, did_change_watched_files),
    (t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, did_change_workspace_folders),
    (t.WORKSPACE_DID_CHANGE_CONFIGURATION, did_change_configuration),
)
ANSWERED: Table = (
    (t.TEXT_DOCUMENT_CODE_ACTION, code_action, ACTION_OPTIONS),
    (t.CODE_ACTION_RESOLVE, resolve, None),
)
RENAMES: Table = (
    (t.TEXT_DOCUMENT_PREPARE_RENAME, prepare_rename, None),
    (t.TEXT_DOCUMENT_RENAME, rename, None),
)


def register(host: Host, load: Load) -> None:
    """Put every handler on the wire. Rename is offered once the client has said that it wants it (`initialize`)."""
    server = host.server
    server.feature(t.INITIALIZE)(partial(initialize, host, lambda: _answer(host, RENAMES)))
    server.feature(t.INITIALIZED)(hears(t.INITIALIZED, partial(initialized, host, load)))
    server.feature(t.SHUTDOWN)(partial(shutdown, host))
    for method, handler in HEARD:
        server.feature(method)(hears(method, partial(handler, host)))
    _answer(host, ANSWERED)
    for command in COMMANDS:
        server.command(command)(answers(command, partial(execute, host)))


def _answer(host: Host, table: Table) -> None:
    for method, handler, options in table:
        host.server.feature(method, options)(answers(method, partial(handler, host)))
