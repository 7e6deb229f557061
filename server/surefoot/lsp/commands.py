"""A person's requests, as commands of the protocol. One that does not fit is answered with the reason, and changes nothing."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import Unusable
from surefoot.lsp import extensions as ext
from surefoot.lsp.choices import with_stronger
from surefoot.lsp.host import Host
from surefoot.lsp.runs import first_unverified
from surefoot.lsp.sites import sites
from surefoot.lsp.starting import start

if TYPE_CHECKING:
    from surefoot.loop.deliver import Reply
    from surefoot.run.state import RunState
    from surefoot.service import Service


async def _apply(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Apply one step; a step that reaches over several files is looked at first where the editor can show it."""
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted)
    state = _state(service, root, run)
    index = _index(wanted.step) if wanted.step is not None else state.next_step if state else -1
    draft = state.steps[index].draft if state and 0 <= index < len(state.steps) else None
    many = draft is not None and len(draft.change.files) > 1
    return _answer(await service.apply(root, run, index, wanted.change or "", confirm=many and host.client.annotations))


async def _apply_all(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.apply_all(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _revert(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Take back the last applied step of the run that is named, else of the newest run that has one."""
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted, closed=True)
    return _answer(await service.revert(root, run if wanted.run else None))


async def _skip(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted)
    state = _state(service, root, run)
    step = _index(wanted.step) if wanted.step is not None else state.next_step if state else -1
    return _answer(service.skip(root, run, step))


async def _cancel(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.cancel(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _resume(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Let a run that wants attention go on from its last valid state."""
    return _answer(service.resume(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _finish(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Bring an edit that was cut short to the documents that it did not reach."""
    return _answer(await service.finish(*_run(host, service, ext.read_run(params.command, params.arguments))))


async def _overrule(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """Offer a step that holds and that only the judge is against; the first such step where none is named."""
    wanted = ext.read_run(params.command, params.arguments)
    root, run = _run(host, service, wanted)
    state = _state(service, root, run)
    step = _index(wanted.step) if wanted.step is not None else first_unverified(state) if state else -1
    return _answer(service.overrule(root, run, step))


async def _stronger(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """The task of a run that was given up, once more, with the stronger model."""
    root, run = _run(host, service, ext.read_run(params.command, params.arguments), closed=True)
    return ext.to_wire(ext.StartResult(await with_stronger(host, service, root, run)))


async def _accept(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    return _answer(await service.accept(ext.read_proposal(params.arguments).id))


async def _show(host: Host, service: "Service", params: t.ExecuteCommandParams) -> object:
    """A run's report."""
    from surefoot.report.text import markdown

    root, run = _run(host, service, ext.read_run(params.command, params.arguments), closed=True)
    title = next((row.task for row in service.runs(root) if row.id == run), run)
    return ext.to_wire(ext.ShowRunResult(run, title, markdown(service.account(root, run))))


def _run(host: Host, service: "Service", wanted: ext.RunParams, *, closed: bool = False) -> tuple[Path, str]:
    from surefoot.lsp.runs import find_run

    return find_run(service, host.session.roots, wanted.run, closed=closed)


def _state(service: "Service", root: Path, run: str) -> "RunState | None":
    return service.state(root, run)


def _index(step: str) -> int:
    if not step.isdecimal():
        raise Unusable(f"{step!r} is not the id of a step")
    return int(step)


def _answer(reply: "Reply") -> dict[str, str]:
    """A person's request, done; one that was refused is an error whose message is the reason."""
    if not reply.done:
        raise JsonRpcException(message=reply.message, code=t.LSPErrorCodes.RequestFailed.value)
    return {"message": reply.message}


COMMANDS: Mapping[str, Callable[[Host, "Service", t.ExecuteCommandParams], Awaitable[object]]] = {
    ext.START: start,
    ext.APPLY: _apply,
    ext.NEXT: _apply,
    ext.APPLY_ALL: _apply_all,
    ext.REVERT: _revert,
    ext.SKIP: _skip,
    ext.CANCEL: _cancel,
    ext.APPLY_PROPOSAL: _accept,
    ext.SHOW_RUN: _show,
    ext.RESUME: _resume,
    ext.FINISH: _finish,
    ext.SITES: sites,
    ext.OVERRULE: _overrule,
    ext.STRONGER: _stronger,
}
