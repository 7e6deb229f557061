"""What becomes of a task that a model was given up on: a person looks, takes a stronger model, says it otherwise, or leaves it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.errors import SurefootError
from surefoot.lsp.asking import Asking
from surefoot.lsp.extensions import DO_TASK, EDIT_TASK, EditTask, to_wire
from surefoot.lsp.host import Host
from surefoot.lsp.runs import first_unverified, given_up, task_words
from surefoot.lsp.starting import drafting
from surefoot.lsp.uris import uri_of

if TYPE_CHECKING:
    from surefoot.loop.ports import Progress
    from surefoot.loop.run import Run
    from surefoot.run.state import RunState
    from surefoot.service import Service

INSPECT, OVERRULE, STRONGER, EDIT, STOP = "Inspect", "Overrule", "Stronger Model", "Edit Task", "Stop"
"""Short enough for all five to stand side by side in a notice."""


class Choices:
    """Asks once about each run that was given up. Lives on the event loop's thread."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._asking = Asking(host)
        self._asked: set[str] = set()

    def __call__(self, state: "RunState") -> None:
        """Take notice of a run's new state."""
        if not given_up(state) or state.attention:
            self._asked.discard(state.run)
        elif state.run not in self._asked:
            self._asked.add(state.run)
            self._host.spawn(self._ask(state))

    async def _ask(self, state: "RunState") -> None:
        """Inspect comes first and Stop last; whoever has looked is asked once more."""
        rest = self._buttons(state)
        for buttons in ((INSPECT, *rest), rest):
            picked = await self._asking.picked(_question(state), buttons)
            if picked != INSPECT:
                break
            await self._asking.show(state)
        else:
            return
        try:
            await self._act(picked, state)
        except (SurefootError, JsonRpcException) as error:
            self._asking.say(str(error) if isinstance(error, SurefootError) else error.message)

    def _buttons(self, state: "RunState") -> tuple[str, ...]:
        overrule = (OVERRULE,) if first_unverified(state) >= 0 else ()
        stronger = () if state.task.stronger else (STRONGER,)
        edit = (EDIT,) if DO_TASK in self._host.client.commands else ()
        return (*overrule, *stronger, *edit, STOP)

    async def _act(self, picked: str, state: "RunState") -> None:
        service = await self._host.service()
        if picked == OVERRULE:
            reply = service.overrule(state.root, state.run, first_unverified(state))
            self._asking.say(reply.message, t.MessageType.Info if reply.done else t.MessageType.Warning)
        if picked == STRONGER:
            await with_stronger(self._host, service, state.root, state.run)
        if picked == EDIT:
            self._host.server.protocol.notify(EDIT_TASK, to_wire(EditTask(state.task.text, uri_of(state.root))))
        if picked in (EDIT, STOP):
            await _let_go(service, state)


def _question(state: "RunState") -> str:
    ended = state.winding or state.closed
    reason = ended.reason.rstrip(".") if ended is not None else ""
    known = reason.rpartition(": ")[2] in state.note
    note = "" if known or not state.note else f" What the last attempt taught: {state.note}"
    return f"“{state.task.text}” was given up: {reason}.{note}"


async def _let_go(service: "Service", state: "RunState") -> None:
    """End a run that only waited for this answer."""
    if state.open and not any(step.offered for step in state.steps):
        await service.cancel(state.root, state.run)


async def with_stronger(host: Host, service: "Service", root: Path, run: str) -> str:
    """The name of a new run of the same task with the stronger model, which starts from the last note. Raises JsonRpcException."""
    from surefoot.loop.deliver import Reply

    state = service.state(root, run)

    def begin(progress: "Progress") -> "Run":
        begun = service.stronger(root, run, progress)
        if isinstance(begun, Reply):
            raise JsonRpcException(message=begun.message, code=t.LSPErrorCodes.RequestFailed.value)
        return begun

    task = state.task if state is not None else None
    title = task_words(replace(task, stronger=True)) if task is not None else "a stronger model"
    name = await drafting(host, service, root, title, begin)
    if state is not None:
        await _let_go(service, state)
    return name
