"""Text that moves under a run: which steps no longer hold, and which hold again."""

from surefoot.core.errors import SurefootError
from surefoot.engines.protocol import Draft
from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import WAITING, moves, overlay_for
from surefoot.loop.view import view_of
from surefoot.run.events import Moved
from surefoot.run.state import StepStatus


def notice(run: Run, tools: Tools, *, moved: bool = False) -> None:
    """Mark the waiting steps whose text has moved and those whose text is back. `moved`: stuck steps get another try."""
    state = run.state
    if not state.open or state.attention or state.delivery is not None:
        return
    event = moves(state, tools.snapshot())
    freed = [i for i, s in enumerate(state.steps) if moved and s.stuck and s.status is StepStatus.STALE and i not in event.held]
    if event.stale or event.held or freed:
        run.commit(Moved(event.files, tuple(sorted({*event.stale, *freed})), event.held))


async def recheck(run: Run, tools: Tools) -> None:
    """Draft the first and the last waiting step anew and compare: a use in a file that no evidence names makes them stale, too.

    Where the whole change comes out the same, byte for byte, no site has come or gone.
    """
    waiting = [i for i, s in enumerate(run.state.steps) if s.status in WAITING]
    for index in dict.fromkeys((waiting[0], waiting[-1])) if waiting else ():
        if not await still_right(run, tools, index):
            notice_stale(run, index)
            return


async def still_right(run: Run, tools: Tools, index: int) -> bool:
    """True when the engine drafts the very change again that the step holds.

    One that would draft another each time is not asked: its step stands on its evidence, which names the files that it looked at.
    """
    step = run.state.steps[index]
    if not tools.engine.repeats:
        return True
    try:
        texts = overlay_for(run.state, index, tools.snapshot())
        answer = await tools.engine.edit(view_of(run.state, index, texts))
    except SurefootError:
        # The text has moved, or nobody can say whether it has: either way the step is drafted again before it is offered.
        return False
    return isinstance(answer, Draft) and step.draft is not None and answer.change.digest == step.draft.change.digest


def notice_stale(run: Run, index: int) -> None:
    """The step and all waiting ones after it have to be drafted again."""
    stale = tuple(i for i in range(index, len(run.state.steps)) if run.state.steps[i].status in WAITING)
    if stale and run.state.open and not run.state.attention and run.state.delivery is None:
        run.commit(Moved((), stale, void=stale))
