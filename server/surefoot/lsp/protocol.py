"""The wire: pygls's protocol with the faults of 2.1.1 remedied.

* Documents are not kept here: the handlers apply changes to the Session. (pygls splits lines at form feeds and the like, changes documents
  in place, and reads files with `\\r\\n` as `\\n`.)
* `$/cancelRequest` of `workspace/executeCommand` reaches the command: it runs as the request itself, not as an inner task.
* `shutdown` with work in flight answers; `exit` ends the read loop with the exit code that the protocol asks for.
* An answer that comes after we gave up waiting for it is dropped.
* What is malformed, comes before `initialize` or after `shutdown`, gets its error; pygls leaves it without any answer, or answers with
  parts of it. Objects within a message are never taken for messages themselves.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pygls types its tables of handlers in part only.

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Future
from enum import EnumType
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method
from pygls.protocol.json_rpc import MsgId, RPCMessage, RPCRequest

from surefoot.lsp.envelope import Answer, Misfit, Notification, Request, contents, read_envelope

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)

Steps = Generator[Any, Any, Any]


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
            raise JsonRpcInvalidParams(message="there is no such command")
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

    def structure_message(self, data: dict[str, Any]) -> object:
        """pygls asks this of every object within a message too: they all stay as they came, and `handle_message` sees the whole."""
        return data

    def handle_message(self, message: object) -> None:
        """Every message passes here once: what is none, comes too early or too late, or is not known, goes no further. Where somebody waits
        for an answer it says why, without a word of the message. Raises nothing."""
        try:
            self._sort(message)
        except Exception as error:
            self._server.report_server_error(error, JsonRpcInternalError)

    def _sort(self, message: object) -> None:
        match read_envelope(message):
            case Misfit(id=named, answered=answered, reason=reason):
                logger.warning("not a message: %s", reason)
                if answered:
                    self._refuse(named, t.ErrorCodes.InvalidRequest, reason)
            case Answer() as answer:
                self._hear(answer, cast("dict[str, Any]", message))
            case (Request() | Notification()) as asked:
                self._take(asked, cast("dict[str, Any]", message))

    def unreadable(self, error: Exception) -> None:
        """A body that is no JSON: nobody can tell who waits for it."""
        logger.warning("not JSON: %s", type(error).__name__)
        self._refuse(None, t.ErrorCodes.ParseError, "a message is JSON in UTF-8")

    def _take(self, asked: Request | Notification, message: dict[str, Any]) -> None:
        refusal = self._obstacle(asked)
        structured = None
        if refusal is None:
            try:
                structured = super().structure_message(contents(message, "message"))
            except JsonRpcException as error:
                refusal = t.ResponseError(code=error.code, message=f"{asked.method}: the parameters make no sense")
            if isinstance(asked, Request) and structured is not None and not isinstance(structured, RPCRequest):
                refusal = _error(t.ErrorCodes.InvalidRequest, f"{asked.method} is not a request")
        if refusal is None:
            super().handle_message(cast(RPCMessage, structured))
        elif isinstance(asked, Request):
            self._send_response(asked.id, error=refusal)
        else:
            logger.warning("dropped a notification: %s", refusal.message)

    def _obstacle(self, asked: Request | Notification) -> t.ResponseError | None:
        """Why a message is not even read, None where it is."""
        if not self.ready and asked.method not in {t.INITIALIZE, t.EXIT}:
            return _error(t.ErrorCodes.ServerNotInitialized, "the server has not been initialized")
        if self._shutdown and asked.method != t.EXIT:
            return _error(t.ErrorCodes.InvalidRequest, "the server is shutting down")
        if self.ready and asked.method == t.INITIALIZE:
            return _error(t.ErrorCodes.InvalidRequest, "the server has been initialized before")
        if asked.method not in self.fm.builtin_features and asked.method not in self.fm.features and asked.method != t.CANCEL_REQUEST:
            return _error(t.ErrorCodes.MethodNotFound, "there is no such method")
        return None

    def _hear(self, answer: Answer, message: dict[str, Any]) -> None:
        """An answer of the client. One that makes no sense is an error to whoever waits for it; one that nobody waits for is dropped."""
        if not isinstance(self._request_futures.get(answer.id), Future):
            return
        try:
            structured = super().structure_message(contents(message, "answer")) if answer.whole else None
        except JsonRpcException:
            structured = None
        if structured is None:
            self._handle_response(answer.id, error=_error(t.ErrorCodes.InvalidRequest, "the client's answer makes no sense"))
        else:
            super().handle_message(cast(RPCMessage, structured))

    def _refuse(self, named: MsgId | None, code: t.ErrorCodes, why: str) -> None:
        """An answer that may be to nobody, which pygls would send without any id."""
        self._send_data({"jsonrpc": self.VERSION, "id": named, "error": {"code": code.value, "message": why}})

    def _handle_cancel_notification(self, msg_id: object) -> None:
        """Only the client's own requests can be cancelled by it."""
        if isinstance(msg_id, int | str) and isinstance(self._request_futures.get(msg_id), asyncio.Future):
            super()._handle_cancel_notification(msg_id)

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


def strict_converter() -> "Converter":
    """pygls's own, but for this: a number is not made of a text, nor a text of a number."""
    converter = default_converter()
    for kind, fits in ((str, (str,)), (int, (int,)), (float, (int, float)), (bool, (bool,))):
        converter.register_structure_hook(kind, partial(_exactly, fits))
    # The unions of lsprotocol, of which it lets everything through: ids, tokens, codes of diagnostics.
    converter.register_structure_hook(int | str, partial(_exactly, (int, str)))
    converter.register_structure_hook(int | str | None, partial(_exactly, (int, str, type(None))))
    return converter


def _exactly(fits: tuple[type, ...], given: object, kind: Callable[[object], object]) -> object:
    """`given` as it is; an enumeration, which is a text or a number too, makes one of its members of it."""
    if not isinstance(given, fits) or (isinstance(given, bool) and bool not in fits):
        raise TypeError(f"{type(given).__name__} in place of {fits[-1].__name__}")
    return kind(given) if isinstance(kind, EnumType) else given


def _error(code: t.ErrorCodes, why: str) -> t.ResponseError:
    return t.ResponseError(code=code.value, message=why)
