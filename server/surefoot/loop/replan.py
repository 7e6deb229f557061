"""Re-plan: what the failure taught, as constraints and one note; nothing of the failed edit itself."""

from surefoot.core.plan import Constraint
from surefoot.loop.learn import learnt
from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Noted, Outcome


async def replan(run: Run, tools: Tools) -> Outcome:
    """One note and the new constraints; when nothing new was learnt, the run says so and stops."""
    tools.progress.report("re-planning")
    state = run.state
    step = state.steps[state.step] if 0 <= state.step < len(state.steps) else None
    findings = step.evidence.new if step and step.evidence else ()
    new = learnt(state.ledger, findings, state.limits.constraints) or (Constraint("rule", None, 0, state.why),)
    if all(c in state.constraints for c in new):
        return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, "nothing new", "nothing new was learnt")
    return Noted(f"The result must hold this: {new[0].text}."[:200], new)
