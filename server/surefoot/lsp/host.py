"""What the handlers share: the wire, the client, its settings, the open documents, and the service once it is there.

`initialize` is answered before anything heavy is imported. The service is built when the client says `initialized`, its imports in a
thread; whoever needs it awaits it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import SurefootError, Unusable
from surefoot.core.text import TextFile
from surefoot.lsp.convert import Ruler, ruler
from surefoot.lsp.greeting import Greeting
from surefoot.lsp.indexing import Indexing
from surefoot.lsp.progress import ProgressBar
from surefoot.lsp.uris import path_of
from surefoot.syntax.languages import language_of
from surefoot.workspace.session import Session

if TYPE_CHECKING:
    from surefoot.lsp.publish import Publisher
    from surefoot.lsp.server import Server
    from surefoot.service import Build, Service

logger = logging.getLogger(__name__)


Load = Callable[[], "Build"]
"""Imports what the service is made of; slow, and called in a thread."""


class Host:
    """One server process and its client."""

    def __init__(self, server: "Server", greeting: Greeting, load: Load) -> None:
        self.server = server
        self.client = greeting.client
        self.settings = greeting.settings
        self.session = Session(greeting.roots)
        self.bar = ProgressBar(server, self.client)
        self.load = load
        self.publisher: Publisher | None = None
        self._built: asyncio.Future[Service] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._warmed = False
        self.indexing = Indexing(self)

    def build(self, made: "Coroutine[Any, Any, Service]") -> None:
        """Begin to build the service."""
        self._built = asyncio.ensure_future(made)

    async def service(self) -> "Service":
        """The service, as soon as it is built. Raises Unusable before `initialized`."""
        if self._built is None:
            raise Unusable("the client has not said that it is initialized")
        return await asyncio.shield(self._built)

    async def service_within(self, seconds: float) -> "Service | None":
        """The service if it is there by then: a menu does not wait for the server to start."""
        if self._built is None:
            return None
        if not self._built.done():
            await asyncio.wait([self._built], timeout=seconds)
        return await self.service() if self._built.done() else None

    def warm_up(self, path: Path) -> None:
        """Have what parses started with the first file of code that is opened: the first menu has no time to wait for it."""
        if not self._warmed and language_of(path) is not None and self.session.root_of(path) is not None:
            self._warmed = True
            self.spawn(self._parsed(path))
        self.indexing.opened(path)

    def spawn(self, work: "Coroutine[Any, Any, None]") -> asyncio.Task[None]:
        """Work that nobody awaits; it ends with the process at the latest, and its failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Stop what was spawned, then the service."""
        for task in tuple(self._tasks):
            task.cancel()
        if self._built is not None:
            built, self._built = self._built, None
            if not built.done():
                built.cancel()
            await asyncio.wait([built])
            if not built.cancelled() and built.exception() is None:
                await built.result().close()

    def log(self, message: str, level: t.MessageType = t.MessageType.Info) -> None:
        """A line in the client's log; nobody is interrupted."""
        self.server.window_log_message(t.LogMessageParams(level, message))

    def file(self, uri: str) -> tuple[Path, TextFile, Ruler] | None:
        """An open document that can be edited: its path, its text now and how to measure it; None for all else."""
        held = self.session.document(uri)
        if held is None or held.path is None or not isinstance(held.text, TextFile) or self.session.root_of(held.path) is None:
            return None
        return held.path, held.text, ruler(held.text, held, self.client.units)

    def stands(self, uri: str, text: TextFile) -> bool:
        """True while the buffer holds this very text: what was measured in it may still be used."""
        held = self.session.document(uri)
        return held is not None and isinstance(held.text, TextFile) and held.text.digest == text.digest

    def insist(self, uri: str, text: TextFile) -> None:
        """Raises ContentModified when the buffer holds another text by now."""
        if not self.stands(uri, text):
            raise JsonRpcException(message=f"{text.path.name} has changed meanwhile", code=t.LSPErrorCodes.ContentModified.value)

    def root_named(self, uri: str | None) -> Path:
        """The open folder that a URI names or holds; the only one where nothing is named. Raises Unusable."""
        roots = self.session.roots
        if not uri:
            if len(roots) == 1:
                return roots[0]
            raise Unusable("name the root: several folders are open" if roots else "open a folder first")
        path = path_of(uri)
        root = self.session.root_of(self.session.named(path)) if path else None
        if root is None:
            raise Unusable(f"{uri} is in none of the open folders")
        return root

    async def _parsed(self, path: Path) -> None:
        with contextlib.suppress(SurefootError):
            await (await self.service()).symbol_at(path, 0)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a task of the server failed", exc_info=error)
