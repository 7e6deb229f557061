"""Idle: everything is drafted; look for the first step that no longer holds."""

from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.run.outcomes import Outcome, Swept
from surefoot.run.state import StepStatus


async def sweep(run: Run, tools: Tools) -> Outcome:
    """The first stale step, to be drafted again on the text as it is now."""
    tools.progress.report("the text moved: drafting again")
    return Swept(next((i for i, s in enumerate(run.state.steps) if s.status is StepStatus.STALE), -1))
