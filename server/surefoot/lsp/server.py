"""The language server: pygls with its faults remedied, and an end that leaves nothing behind."""

# pyright: reportUnknownMemberType=false
# pygls types the constructor of its server in part only.

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import cast

from lsprotocol import types as t
from pygls.exceptions import FeatureRequestError
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from surefoot.lsp.frames import Frames
from surefoot.lsp.protocol import Wire, strict_converter

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """One client over stdio. What `on_close` was given is awaited before the process ends, however it ends."""

    def __init__(self, name: str, version: str) -> None:
        super().__init__(name, version, protocol_cls=Wire, converter_factory=strict_converter)
        self._closers: list[Callable[[], Awaitable[None]]] = []

    @property
    def wire(self) -> Wire:
        return cast(Wire, self.protocol)

    def on_close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Await `close` once, at the end of the process."""
        self._closers.append(close)

    def serve(self) -> int:
        """Speak over stdin and stdout until the client leaves; the exit code that the protocol asks for."""
        # The wire is the one thing that may write to standard output: whatever else does lands in the log.
        out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        self.wire.set_writer(StdoutWriter(out))
        with contextlib.suppress(BrokenPipeError):
            asyncio.run(self._speak())
        self.thread_pool.shutdown(cancel_futures=True)
        return self.wire.exit_code

    async def _speak(self) -> None:
        loop = asyncio.get_running_loop()
        ending: list[asyncio.Task[None]] = []
        with contextlib.suppress(NotImplementedError):
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, lambda number=number: ending.append(loop.create_task(self._ended_by(number))))
        reader = Frames(sys.stdin.buffer, self.thread_pool)
        try:
            await run_async(self.wire.left, reader, self.wire, error_handler=self._unreadable)
        finally:
            await self.let_go()

    async def _ended_by(self, number: signal.Signals) -> None:
        """End at once, children first: the thread that waits for standard input could not be ended otherwise."""
        await self.let_go()
        os._exit(128 + number)

    async def let_go(self) -> None:
        """Close what was opened, each thing once, whatever goes wrong."""
        while self._closers:
            close = self._closers.pop()
            try:
                await close()
            except Exception:
                logger.exception("could not close")

    def report_server_error(self, error: Exception, source: object) -> None:
        """To the log: pygls would put a popup into the person's editor."""
        if source is FeatureRequestError:
            return
        logger.error("%s: %s", getattr(source, "__name__", source), type(error).__name__, exc_info=error)
        if self.wire.ready:
            # What an error says may be a piece of what the client sent, which nothing that follows may repeat.
            told = f"Surefoot: something went wrong ({type(error).__name__}); its log says more"
            self.window_log_message(t.LogMessageParams(t.MessageType.Error, told))

    def _unreadable(self, error: Exception, _: object) -> None:
        """A body that could not be parsed: nothing else gets here."""
        self.wire.unreadable(error)
