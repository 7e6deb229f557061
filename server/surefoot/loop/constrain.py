"""Constrain: the rules of the step at work, and a plan that stays inside them."""

from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.policy.guards import outside
from surefoot.run.outcomes import Bucket, Constrained, Failure, FailureClass, Outcome


async def constrain(run: Run, tools: Tools) -> Outcome:
    """Pick the rules; no check runs for a plan that breaks one."""
    state = run.state
    step = state.steps[state.step].planned
    tools.progress.report(f"step {state.step + 1} of {len(state.steps)}: {step.title}")
    if (bad := outside(state.root, (take.path for take in step.takes))) is not None:
        return Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "outside", f"{bad} is not inside the workspace")
    rules = (
        f"at most {state.limits.diff_soft} changed lines" if step.stage != "wide" else "one wide step, with a person's consent",
        f"only the {len(step.takes)} planned files",
        "every site is updated, fits or is waived",
        "the change was not drafted before",
        *(c.text for c in state.constraints),
    )
    return Constrained(rules)
