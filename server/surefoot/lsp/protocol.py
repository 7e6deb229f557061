"""The wire: pygls's protocol with the faults of 2.1.1 remedied.

* Documents are not kept here: the handlers apply changes to the Session. (pygls splits lines at form feeds and the like, changes documents
  in place, and reads files with `\\r\\n` as `\\n`.)
* `$/cancelRequest` of `workspace/executeCommand` reaches the command: it runs as the request itself, not as an inner task.
* `shutdown` with work in flight answers; `exit` ends the read loop with the exit code that the protocol asks for.
* An answer that comes after we gave up waiting for it is dropped.
* A request with parameters that make no sense, before `initialize` or after `shutdown`, gets its error; pygls leaves it without any answer.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pygls types its tables of handlers in part only.

import logging
from collections.abc import Awaitable, Callable, Generator
from threading import Event
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import MsgId, RPCMessage, RPCRequest

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)

Steps = Generator[Any, Any, Any]
NOTHING = "$/nothing"
"""Stands for a message that has been answered already; notifications that start so may be ignored by anybody."""


class Wire(LanguageServerProtocol):
    """What `Server` speaks through. `left` is set once the client wants the process to end."""

    def __init__(self, server: "LanguageServer", converter: "Converter") -> None:
        super().__init__(server, converter)
        self.left = Event()
        # As coroutines, these are the request itself: it can be cancelled, and it knows its own id.
        self.fm.add_builtin_feature(t.WORKSPACE_EXECUTE_COMMAND, self._run_command)
        self.fm.add_builtin_feature(t.SHUTDOWN, self._shut_down)
        self.fm.add_builtin_feature(t.EXIT, self._exit)

    @property
    def ready(self) -> bool:
        """`initialize` has been answered, or is about to be."""
        return self._workspace is not None

    @property
    def exit_code(self) -> int:
        """Every end without `shutdown` is a bad one."""
        return 0 if self._shutdown else 1

    @lsp_method(t.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: t.DidOpenTextDocumentParams) -> Steps:
        yield from self._own(t.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(t.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: t.DidChangeTextDocumentParams) -> Steps:
        yield from self._own(t.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(t.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: t.DidCloseTextDocumentParams) -> Steps:
        yield from self._own(t.TEXT_DOCUMENT_DID_CLOSE, params)

    def _own(self, method: str, params: object) -> Steps:
        if handler := self.fm.features.get(method):
            yield handler, (params,), None

    async def _run_command(self, params: t.ExecuteCommandParams) -> object:
        handler = cast("Callable[[t.ExecuteCommandParams], Awaitable[object]] | None", self.fm.commands.get(params.command))
        if handler is None:
            raise JsonRpcInvalidParams(message=f"there is no command {params.command!r}")
        return await handler(params)

    async def _shut_down(self, *_: object) -> None:
        """Let go of all that is in flight, then of what the handler holds."""
        self._shutdown = True
        for message, future in list(self._request_futures.items()):
            if message != self.msg_id and not future.done():
                future.cancel()
        if handler := cast("Callable[[None], Awaitable[None]] | None", self.fm.features.get(t.SHUTDOWN)):
            await handler(None)

    def _exit(self, *_: object) -> None:
        self.left.set()

    def handle_message(self, message: RPCMessage) -> None:
        """Refuse what comes too early or too late, with an answer where one is waited for."""
        method = getattr(message, "method", "")
        early = not self.ready and method not in {t.INITIALIZE, t.EXIT}
        late = self._shutdown and method != t.EXIT
        if not early and not late:
            super().handle_message(message)
        elif isinstance(message, RPCRequest):
            code = t.ErrorCodes.ServerNotInitialized if early else t.ErrorCodes.InvalidRequest
            why = "the server has not been initialized" if early else "the server is shutting down"
            self._send_response(message.id, error=t.ResponseError(code=code.value, message=why))

    def structure_message(self, data: dict[str, Any]) -> object:
        """One message as a typed value; one that makes no sense is answered or logged here and goes no further."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method, message = data.get("method"), data.get("id")
            logger.warning("cannot read a message: %s", method or "an answer")
            if isinstance(method, str) and isinstance(message, int | str):
                self._send_response(message, error=t.ResponseError(code=error.code, message=f"{method}: the parameters make no sense"))
            elif isinstance(message, int | str):
                self._handle_response(message, error=t.ResponseError(code=error.code, message="the client's answer makes no sense"))
            return JsonRPCNotification(method=NOTHING, jsonrpc="2.0", params=None)

    def _handle_notification(self, method_name: str, params: object) -> None:
        if method_name != NOTHING:
            super()._handle_notification(method_name, params)

    def _handle_response(self, msg_id: MsgId, result: object = None, error: t.ResponseError | None = None) -> None:
        waiting = self._request_futures.get(msg_id)
        if waiting is not None and waiting.done():
            del self._request_futures[msg_id]
            return
        super()._handle_response(msg_id, result, error)

    def _send_response(self, msg_id: MsgId, result: object = None, error: t.ResponseError | None = None) -> None:
        """An error of our own making has no traceback in it: that is for the log, not for the editor."""
        if error is not None and error.code == JsonRpcInternalError.CODE:
            error = t.ResponseError(code=error.code, message=error.message)
        super()._send_response(msg_id, result, error)
