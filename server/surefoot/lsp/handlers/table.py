"""Which function hears or answers which method. Imported after `initialize` is answered: it pulls in all that they work with."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lsprotocol import types as t

from surefoot.lsp.handlers.code_action import code_action
from surefoot.lsp.handlers.code_action_resolve import resolve
from surefoot.lsp.handlers.did_change import did_change
from surefoot.lsp.handlers.did_change_configuration import did_change_configuration
from surefoot.lsp.handlers.did_change_watched_files import did_change_watched_files
from surefoot.lsp.handlers.did_change_workspace_folders import did_change_workspace_folders
from surefoot.lsp.handlers.did_close import did_close
from surefoot.lsp.handlers.did_open import did_open
from surefoot.lsp.handlers.did_save import did_save
from surefoot.lsp.handlers.execute_command import execute
from surefoot.lsp.handlers.initialized import initialized
from surefoot.lsp.handlers.prepare_rename import prepare_rename
from surefoot.lsp.handlers.rename import rename
from surefoot.lsp.handlers.shutdown import shutdown
from surefoot.lsp.host import Host

# pygls gives each handler the parameters of its method.
HEARS: Mapping[str, Callable[[Host, Any], None]] = {
    t.INITIALIZED: initialized,
    t.TEXT_DOCUMENT_DID_OPEN: did_open,
    t.TEXT_DOCUMENT_DID_CHANGE: did_change,
    t.TEXT_DOCUMENT_DID_CLOSE: did_close,
    t.TEXT_DOCUMENT_DID_SAVE: did_save,
    t.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_watched_files,
    t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_workspace_folders,
    t.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_configuration,
}
ANSWERS: Mapping[str, Callable[[Host, Any], Awaitable[object]]] = {
    t.TEXT_DOCUMENT_CODE_ACTION: code_action,
    t.CODE_ACTION_RESOLVE: resolve,
    t.TEXT_DOCUMENT_PREPARE_RENAME: prepare_rename,
    t.TEXT_DOCUMENT_RENAME: rename,
    t.WORKSPACE_EXECUTE_COMMAND: execute,
    t.SHUTDOWN: shutdown,
}
