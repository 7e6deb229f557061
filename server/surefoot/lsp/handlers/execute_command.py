"""`workspace/executeCommand`: a person's requests. One that does not fit is answered with the reason, and changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.core.plan import Task
from surefoot.core.sites import Target
from surefoot.lsp import extensions as ext
from surefoot.lsp.host import Host

if TYPE_CHECKING:
    from surefoot.loop.deliver import Reply
    from surefoot.service import Service


async def execute(host: Host, params: t.ExecuteCommandParams) -> object:
    """Run one of our commands."""
    service = await host.service()
    return await _TABLE[params.command](host, service, params)


async def _start(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Begin a run and answer with its name; drafting goes on, with progress that can be cancelled."""
    wanted = ext.read_start(params.arguments)
    root, task = host.root_named(wanted.root or wanted.uri), _task(host, wanted)
    named: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    host.spawn(_drafted(host, service, root, task, named))
    return ext.to_wire(ext.StartResult(await named))


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

    def cancel() -> None:
        if named.done() and not named.cancelled() and named.exception() is None:
            host.spawn(_cancelled(service, root, named.result()))

    try:
        async with host.bar.show(f"Surefoot: {task.text}", cancel) as reports:
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


async def _cancelled(service: "Service", root: Path, run: str) -> None:
    await service.cancel(root, run)


async def _apply(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Apply one step; a step that reaches over several files is looked at first where the editor can show it."""
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted)
    state = next((r.state for r in service.active(root) if r.state.run == run), None)
    index = _index(wanted.step) if wanted.step is not None else state.next_step if state else -1
    draft = state.steps[index].draft if state and 0 <= index < len(state.steps) else None
    many = draft is not None and len(draft.change.files) > 1
    return _answer(await service.apply(root, run, index, confirm=many and host.client.annotations))


async def _apply_all(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.apply_all(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _revert(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Take back the last applied step of the run that is meant, or of the newest that has one."""
    wanted = ext.read_run(params.command, params.arguments)
    if wanted.run:
        return _answer(await service.revert(*_run(host, service, wanted)))
    replies = [await service.revert(root) for root in host.session.roots[:1]]
    return _answer(replies[0]) if replies else None


async def _skip(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted)
    state = next((r.state for r in service.active(root) if r.state.run == run), None)
    step = _index(wanted.step) if wanted.step is not None else state.next_step if state else -1
    return _answer(service.skip(root, run, step))


async def _cancel(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.cancel(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _accept(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.accept(ext.read_proposal(params.arguments).id))


async def _show(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """A run's report."""
    from surefoot.lsp.runs import find_run
    from surefoot.report.text import render

    root, run = find_run(service, host.session.roots, ext.read_run(params.command, params.arguments).run, closed=True)
    title = next((row.task for row in service.runs(root) if row.id == run), run)
    return ext.to_wire(ext.ShowRunResult(run, title, render(service.entries(root, run))))


def _run(host: Host, service: "Service", wanted: ext.RunParams) -> tuple[Path, str]:
    from surefoot.lsp.runs import find_run

    return find_run(service, host.session.roots, wanted.run)


def _index(step: str) -> int:
    if not step.isdecimal():
        raise Unusable(f"{step!r} is not the id of a step")
    return int(step)


def _answer(reply: "Reply") -> dict[str, str]:
    """A person's request, done; one that was refused is an error whose message is the reason."""
    if not reply.done:
        raise JsonRpcException(message=reply.message, code=t.LSPErrorCodes.RequestFailed.value)
    return {"message": reply.message}


_TABLE: Mapping[str, Callable[[Host, "Service", t.ExecuteCommandParams], Awaitable[object]]] = {
    ext.START: _start,
    ext.APPLY: _apply,
    ext.NEXT: _apply,
    ext.APPLY_ALL: _apply_all,
    ext.REVERT: _revert,
    ext.SKIP: _skip,
    ext.CANCEL: _cancel,
    ext.APPLY_PROPOSAL: _accept,
    ext.SHOW_RUN: _show,
}
