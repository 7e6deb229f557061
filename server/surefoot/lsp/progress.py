"""Work-done progress: what a person sees of work that takes a while, and the button that ends it."""

# pyright: reportUnknownMemberType=false
# pygls types its futures in part only.

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.lsp.capabilities import Client
from surefoot.lsp.server import Server

if TYPE_CHECKING:
    from concurrent.futures import Future

CREATE_SECONDS = 2.0
"""How long work waits for an editor to make room for its progress; it goes on without."""


class Reports:
    """Where one piece of work reports; without a token it reports to nobody."""

    def __init__(self, server: Server, token: t.ProgressToken | None) -> None:
        self._server = server
        self._token = token

    def report(self, message: str, percentage: int | None = None) -> None:
        """What is being done now, in a few words."""
        if self._token is not None:
            self._server.work_done_progress.report(self._token, t.WorkDoneProgressReport(message=message, percentage=percentage))

    def end(self) -> None:
        """Report no more: the client has forgotten the token."""
        self._token = None


class ProgressBar:
    """Makes the progress of one client."""

    def __init__(self, server: Server, client: Client) -> None:
        self._server = server
        self._client = client
        self._numbers = itertools.count(1)

    @asynccontextmanager
    async def show(
        self, title: str, cancel: Callable[[], None] | None = None, token: t.ProgressToken | None = None
    ) -> AsyncGenerator[Reports]:
        """Progress named `title` while the block runs; `cancel` is called when the person wants no more. `token` is the client's own."""
        held = token if token is not None else await self._created()
        if held is None:
            yield Reports(self._server, None)
            return
        bar = self._server.work_done_progress
        bar.begin(held, t.WorkDoneProgressBegin(title=title, cancellable=cancel is not None))
        if cancel is not None:
            ended = cast("Future[None]", bar.tokens[held])
            ended.add_done_callback(lambda _: cancel() if ended.cancelled() else None)
        reports = Reports(self._server, held)
        try:
            yield reports
        finally:
            reports.end()
            bar.tokens.pop(held, None)  # pygls never drops one itself
            bar.end(held, t.WorkDoneProgressEnd())

    async def _created(self) -> t.ProgressToken | None:
        if not self._client.progress:
            return None
        token = f"surefoot-{next(self._numbers)}"
        try:
            async with asyncio.timeout(CREATE_SECONDS):
                await self._server.work_done_progress.create_async(token)
        except (JsonRpcException, TimeoutError):
            return None
        return token
