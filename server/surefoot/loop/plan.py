"""Plan: every site first, then ordered steps; the steps before the one at work stay as they are."""

from surefoot.engines.protocol import Plan
from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import overlay_for
from surefoot.loop.view import view_of
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome, Planned, Refused


async def plan(run: Run, tools: Tools) -> Outcome:
    """Ask the engine for the steps that are still to do on the text that the drafted ones leave."""
    tools.progress.report("finding every site")
    texts = overlay_for(run.state, max(run.state.step, 0), tools.snapshot())
    answer = await tools.engine.plan(view_of(run.state, max(run.state.step, 0), texts))
    if not isinstance(answer, Plan):
        return Refused(answer.reason, answer.candidates)
    if not answer.steps:
        return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, "empty", "the plan has no step")
    return Planned(answer.steps, answer.ledger, answer.summary)
