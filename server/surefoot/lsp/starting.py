"""How a run begins: what is meant by the words, and the progress that is shown while it drafts."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import SurefootError, Unusable
from surefoot.core.plan import Task
from surefoot.core.sites import Target
from surefoot.engines.forms import FORMS
from surefoot.lsp import extensions as ext
from surefoot.lsp.asking import Asking
from surefoot.lsp.host import Host
from surefoot.lsp.progress import Reports
from surefoot.lsp.runs import cost_words

if TYPE_CHECKING:
    from surefoot.loop.ports import Progress
    from surefoot.loop.run import Run
    from surefoot.service import Service

    Begin = Callable[[Progress], Run]

logger = logging.getLogger(__name__)

Check = Callable[[], None]
"""Raises when the text that a task is about has moved since."""


async def start(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Begin a run and answer with its name; drafting goes on, with progress that can be cancelled."""
    wanted = ext.read_start(params.arguments)
    root = host.root_named(wanted.root or wanted.uri)
    task, check = await _task(host, service, wanted)
    if why := service.obstacle(root, task):
        data = ext.to_wire(ext.NeedsKey(ext.NEEDS_KEY, FORMS))
        raise JsonRpcException(message=why, code=t.LSPErrorCodes.RequestFailed.value, data=data)

    def begin(progress: "Progress") -> "Run":
        check()
        return service.start(root, task, progress)

    return ext.to_wire(ext.StartResult(await drafting(host, service, root, task.text, begin)))


async def drafting(host: Host, service: "Service", root: Path, title: str, begin: "Begin") -> str:
    """The name of a run as soon as it has begun; it goes on with progress that can be cancelled. Raises what `begin` raises."""
    watched = _Watched(host, service, root, title)
    host.spawn(watched.begun(begin))
    try:
        return await asyncio.shield(watched.named)
    except asyncio.CancelledError:
        watched.named.add_done_callback(lambda _: watched.cancel())
        raise


def check_name(name: str) -> None:
    """Raises Unusable for what cannot be one name: further words would be read as part of the task."""
    if name.split() != [name]:
        raise Unusable(f"`{name}` is not a name that code could use")


async def _task(host: Host, service: "Service", wanted: ext.StartParams) -> tuple[Task, Check]:
    """The words, and the place that they are about; a new name alone makes the words of a rename."""
    words = wanted.task.strip()
    if wanted.uri and wanted.position is not None:
        held = host.file(wanted.uri)
        if held is None:
            raise Unusable(f"{wanted.uri} is not an open file of an open folder")
        path, text, measure = held
        offset = measure.offset(wanted.position)
        if not words and wanted.new_name:
            check_name(wanted.new_name)
            symbol = await service.symbol_at(path, offset)
            words = f"rename {symbol.name} to {wanted.new_name}" if symbol else ""
        if words:
            return Task(words, Target("", str(path), offset), quoted=wanted.quoted or ""), partial(host.insist, wanted.uri, text)
    if not words:
        raise Unusable("say what is to be done, such as: rename OLD to NEW")
    return Task(words), lambda: None


class _Watched:
    """The drafting of one run as a person sees it. What models took so far stands beside what is being done; a model that is asked again
    later, after a question or a change of the text, is shown again."""

    def __init__(self, host: Host, service: "Service", root: Path, title: str) -> None:
        self._host = host
        self._service = service
        self._root = root
        self._title = title
        self._run: Run | None = None
        self._reports: Reports | None = None
        self._said = ""
        self._opening = False
        self.named: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def begun(self, begin: "Begin") -> None:
        """Begin the run and show its drafting. Whatever ends this, somebody may be waiting for the run's name."""
        try:
            async with self._shown():
                self._run = begin(self)
                if not self.named.done():
                    self.named.set_result(self._run.state.run)
                await self._drafted(self._run)
        except Exception as error:
            if self.named.done():
                raise
            self.named.set_exception(error)
        finally:
            self.named.cancel()

    def report(self, message: str, percentage: int | None = None) -> None:
        cost = cost_words(self._run.state) if self._run is not None else ""
        self._said = f"{message} ({cost})" if cost else message
        if self._reports is not None:
            self._reports.report(self._said, percentage)
        elif self._run is not None and cost and not self._opening:
            self._opening = True
            self._host.spawn(self._again(self._run))

    def cancel(self) -> None:
        """Stop the run, if there is one."""
        if self._run is not None:
            self._host.spawn(self._cancelled(self._run))

    async def _again(self, run: "Run") -> None:
        async with self._shown() as reports:
            reports.report(self._said)
            await self._drafted(run)

    @asynccontextmanager
    async def _shown(self) -> AsyncGenerator[Reports]:
        try:
            async with self._host.bar.show(f"Surefoot: {self._title}", self.cancel) as reports:
                self._reports = reports
                yield reports
        finally:
            self._reports, self._opening = None, False

    async def _drafted(self, run: "Run") -> None:
        """Until there is nothing more to draft; what ended it before its time is said."""
        try:
            await self._service.drafted(self._root, run.state.run)
        except SurefootError as error:
            logger.warning("the drafting of a run ended: %s", error)
            Asking(self._host).say(f"“{run.state.task.text}” is not drafted any further: {error}")

    async def _cancelled(self, run: "Run") -> None:
        await self._service.cancel(self._root, run.state.run)
