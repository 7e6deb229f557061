"""How a run begins: what is meant by the words, and the progress that is shown while it drafts."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.core.plan import Task
from surefoot.core.sites import Target
from surefoot.lsp import extensions as ext
from surefoot.lsp.host import Host
from surefoot.lsp.progress import Reports
from surefoot.lsp.runs import cost_words

if TYPE_CHECKING:
    from surefoot.loop.ports import Progress
    from surefoot.loop.run import Run
    from surefoot.service import Service

    Begin = Callable[[Progress], Run]

Check = Callable[[], None]
"""Raises when the text that a task is about has moved since."""


async def start(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Begin a run and answer with its name; drafting goes on, with progress that can be cancelled."""
    wanted = ext.read_start(params.arguments)
    root = host.root_named(wanted.root or wanted.uri)
    task, check = await _task(host, service, wanted)
    if why := service.obstacle(root, task):
        raise JsonRpcException(message=why, code=t.LSPErrorCodes.RequestFailed.value, data={"needs": ext.NEEDS_KEY})

    def begin(progress: "Progress") -> "Run":
        check()
        return service.start(root, task, progress)

    return ext.to_wire(ext.StartResult(await drafting(host, service, root, task.text, begin)))


async def drafting(host: Host, service: "Service", root: Path, title: str, begin: "Begin") -> str:
    """The name of a run as soon as it has begun; it goes on with progress that can be cancelled. Raises what `begin` raises."""
    named: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    host.spawn(_drafted(host, service, root, title, begin, named))
    try:
        return await asyncio.shield(named)
    except asyncio.CancelledError:
        named.add_done_callback(lambda _: _cancel(host, service, root, named))
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


class _Priced:
    """Progress of a run that asks models: what they took so far stands beside what is being done."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports
        self.run: Run | None = None

    def report(self, message: str, percentage: int | None = None) -> None:
        cost = cost_words(self.run.state) if self.run is not None else ""
        self._reports.report(f"{message} ({cost})" if cost else message, percentage)


async def _drafted(host: Host, service: "Service", root: Path, title: str, begin: "Begin", named: asyncio.Future[str]) -> None:
    """Draft one run, shown as progress. Whatever ends this, somebody may be waiting for the run's name."""
    try:
        async with host.bar.show(f"Surefoot: {title}", lambda: _cancel(host, service, root, named)) as reports:
            progress = _Priced(reports)
            run = progress.run = begin(progress)
            if not named.done():
                named.set_result(run.state.run)
            await service.drafted(root, run.state.run)
    except Exception as error:
        if not named.done():
            named.set_exception(error)
            return
        told = f"Surefoot: “{title}” could not go on ({type(error).__name__}); the log says why. Nothing was changed."
        host.server.window_show_message(t.ShowMessageParams(t.MessageType.Error, told))
        raise
    finally:
        named.cancel()


def _cancel(host: Host, service: "Service", root: Path, named: asyncio.Future[str]) -> None:
    """Stop the run that was named, if there is one."""
    if named.done() and not named.cancelled() and named.exception() is None:
        host.spawn(_cancelled(service, root, named.result()))


async def _cancelled(service: "Service", root: Path, run: str) -> None:
    await service.cancel(root, run)
