"""A run that wants attention: a person is asked once what is to become of it, and may look first."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lsprotocol import types as t

from surefoot.core.errors import SurefootError
from surefoot.lsp.asking import Asking
from surefoot.lsp.host import Host

if TYPE_CHECKING:
    from surefoot.loop.deliver import Reply
    from surefoot.run.state import RunState
    from surefoot.service import Service

INSPECT, RESUME, GO_ON, FINISH, UNDO, STOP = "Inspect", "Resume from the last valid state", "Go On", "Finish", "Undo", "Stop"


async def _resume(service: "Service", root: Path, run: str) -> "Reply":
    return service.resume(root, run)


async def _go_on(service: "Service", root: Path, run: str) -> "Reply":
    from surefoot.loop.deliver import Reply
    from surefoot.loop.desk import Silence

    held = service.take_up(root, run, Silence())
    return Reply(True, f"going on: {held.state.task.text}")


async def _finish(service: "Service", root: Path, run: str) -> "Reply":
    return await service.finish(root, run)


async def _undo(service: "Service", root: Path, run: str) -> "Reply":
    return await service.revert(root, run)


async def _stop(service: "Service", root: Path, run: str) -> "Reply":
    return await service.cancel(root, run)


_ANSWERS: Mapping[str, Callable[["Service", Path, str], Awaitable["Reply"]]] = MappingProxyType(
    {RESUME: _resume, GO_ON: _go_on, FINISH: _finish, UNDO: _undo, STOP: _stop}
)


class Attention:
    """Asks about each run at most once for each reason. Lives on the event loop's thread."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._asking = Asking(host)
        self._asked: dict[str, str] = {}

    def __call__(self, state: "RunState") -> None:
        """Take notice of a run's new state."""
        if not state.attention:
            self._asked.pop(state.run, None)
        elif self._asked.get(state.run) != state.attention:
            self._asked[state.run] = state.attention
            self._host.spawn(self._ask(state))

    async def look(self) -> None:
        """Ask about the newest run of each root that ended in the middle of an action, when a server before this one did."""
        service = await self._host.service()
        for root in self._host.session.roots:
            try:
                state = next(iter(service.cut_short(root)), None)
            except SurefootError as error:
                self._host.log(str(error), t.MessageType.Warning)
                continue
            if state is not None and not state.attention:
                where = "while an edit was on its way" if state.delivery is not None else "while it was being drafted"
                self._host.spawn(self._answered(state, f"“{state.task.text}” was cut short {where}.", (GO_ON, STOP)))

    async def _ask(self, state: "RunState") -> None:
        rest = (FINISH, UNDO, STOP) if state.halfway is not None else (RESUME, STOP)
        await self._answered(state, f"“{state.task.text}” stopped: {state.attention}.", rest)

    async def _answered(self, state: "RunState", question: str, rest: tuple[str, ...]) -> None:
        """Inspect comes first and Stop last; whoever has looked is asked once more."""
        for buttons in ((INSPECT, *rest), rest):
            picked = await self._asking.picked(question, buttons)
            if picked != INSPECT:
                break
            await self._asking.show(state)
        else:
            return
        if (answer := _ANSWERS.get(picked)) is None or self._asked.get(state.run, "") != state.attention:
            return
        try:
            reply = await answer(await self._host.service(), state.root, state.run)
        except SurefootError as error:
            self._asking.say(str(error))
            return
        if not reply.done:
            self._asking.say(reply.message)
