"""How a run begins: what is meant by the words, and the progress that is shown while it drafts."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t

from surefoot.core.errors import Unusable
from surefoot.core.plan import Task
from surefoot.core.sites import Target
from surefoot.lsp import extensions as ext
from surefoot.lsp.host import Host

if TYPE_CHECKING:
    from surefoot.service import Service


async def start(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Begin a run and answer with its name; drafting goes on, with progress that can be cancelled."""
    wanted = ext.read_start(params.arguments)
    root, task = host.root_named(wanted.root or wanted.uri), _task(host, wanted)
    named: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    host.spawn(_drafted(host, service, root, task, named))
    try:
        return ext.to_wire(ext.StartResult(await asyncio.shield(named)))
    except asyncio.CancelledError:
        named.add_done_callback(lambda _: _cancel(host, service, root, named))
        raise


def _task(host: Host, wanted: ext.StartParams) -> Task:
    words = wanted.task.strip() or (f"rename to {wanted.new_name}" if wanted.new_name else "")
    if not words:
        raise Unusable("say what is to be done, such as: rename OLD to NEW")
    if not wanted.uri or wanted.position is None:
        return Task(words)
    held = host.file(wanted.uri)
    if held is None:
        raise Unusable(f"{wanted.uri} is not an open file of an open folder")
    path, _, measure = held
    return Task(words, Target("", str(path), measure.offset(wanted.position)))


async def _drafted(host: Host, service: "Service", root: Path, task: Task, named: asyncio.Future[str]) -> None:
    """Draft one run, shown as progress. Whatever ends this, somebody may be waiting for the run's name."""

    try:
        async with host.bar.show(f"Surefoot: {task.text}", lambda: _cancel(host, service, root, named)) as reports:
            run = service.start(root, task, reports)
            if not named.done():
                named.set_result(run.state.run)
            await service.drafted(root, run.state.run)
    except Exception as error:
        if named.done():
            raise
        named.set_exception(error)
    finally:
        named.cancel()


def _cancel(host: Host, service: "Service", root: Path, named: asyncio.Future[str]) -> None:
    """Stop the run that was named, if there is one."""
    if named.done() and not named.cancelled() and named.exception() is None:
        host.spawn(_cancelled(service, root, named.result()))


async def _cancelled(service: "Service", root: Path, run: str) -> None:
    await service.cancel(root, run)
