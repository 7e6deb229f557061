"""The way in: `initialize` is answered by what is imported here, and that is little. The first message after it brings in the rest."""

from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from surefoot.lsp.extensions import COMMANDS
from surefoot.lsp.failures import answers, hears
from surefoot.lsp.greeting import Greeting, read_greeting
from surefoot.lsp.server import Server

if TYPE_CHECKING:
    from surefoot.lsp.host import Host, Load

KINDS = ("quickfix", "refactor.rewrite", "refactor.rename")
HEARD = (
    t.INITIALIZED,
    t.TEXT_DOCUMENT_DID_OPEN,
    t.TEXT_DOCUMENT_DID_CHANGE,
    t.TEXT_DOCUMENT_DID_CLOSE,
    t.TEXT_DOCUMENT_DID_SAVE,
    t.WORKSPACE_DID_CHANGE_WATCHED_FILES,
    t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    t.WORKSPACE_DID_CHANGE_CONFIGURATION,
)
Params = Any
"""Parameters of some method. Not `object`: pygls would take that for a first parameter that wants the server."""

RENAMES = (t.TEXT_DOCUMENT_PREPARE_RENAME, t.TEXT_DOCUMENT_RENAME)


class Entrance:
    """Puts the handlers on the wire, and makes the host when the first of them is called."""

    def __init__(self, server: Server, load: "Load") -> None:
        self.server = server
        self._load = load
        self._greeting = Greeting()

    @cached_property
    def host(self) -> "Host":
        """What all handlers share; slow to import."""
        from surefoot.lsp.host import Host

        host = Host(self.server, self._greeting, self._load)
        self.server.on_close(host.close)
        return host

    def open(self) -> None:
        """Register everything but rename, which is offered once the client has said that it wants it."""

        def initialize(params: t.InitializeParams) -> None:
            self._greeting = read_greeting(params)
            for method in RENAMES if self._greeting.settings.rename else ():
                self.server.feature(method)(self._answering(method))

        self.server.feature(t.INITIALIZE)(initialize)
        for method in HEARD:
            self.server.feature(method)(self._hearing(method))
        options = t.CodeActionOptions(code_action_kinds=list(KINDS), resolve_provider=True)
        self.server.feature(t.TEXT_DOCUMENT_CODE_ACTION, options)(self._answering(t.TEXT_DOCUMENT_CODE_ACTION))
        for method in (t.CODE_ACTION_RESOLVE, t.SHUTDOWN):
            self.server.feature(method)(self._answering(method))
        for command in COMMANDS:
            self.server.command(command)(self._answering(t.WORKSPACE_EXECUTE_COMMAND))

    def _hearing(self, method: str) -> Callable[[Params], None]:
        def hear(params: Params) -> None:
            from surefoot.lsp.handlers.table import HEARS

            HEARS[method](self.host, params)

        return hears(method, hear)

    def _answering(self, method: str) -> Callable[[Params], Awaitable[object]]:
        async def answer(params: Params) -> object:
            from surefoot.lsp.handlers.table import ANSWERS

            return await ANSWERS[method](self.host, params)

        return answers(method, answer)
