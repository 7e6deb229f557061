"""One whole change for a task, validated and shown at once: what an editor's own rename asks for."""

from surefoot.core.plan import PlannedStep, Stage, Task
from surefoot.core.proposal import Proposal
from surefoot.engines.protocol import Engine, Plan, Refusal
from surefoot.loop.edit import diff_of, measure
from surefoot.loop.ports import Validator
from surefoot.report.titles import proposal_title
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.run.words import findings_words
from surefoot.workspace.snapshot import Snapshot

_UNBOUNDED = 10**9


async def propose_whole(engine: Engine, validator: Validator, texts: Snapshot, task: Task) -> Proposal | Refusal:
    """The task as one wide change with green evidence, or why there is none. The person who asked for all of it at once has consented."""
    limits = Limits(diff_soft=_UNBOUNDED, diff_hard=_UNBOUNDED)
    plan = await engine.plan(View(task, None, (), texts, (), "", limits))
    if not isinstance(plan, Plan):
        return plan
    if len(plan.steps) != 1:
        return Refusal("this takes several steps: start it as a run")
    step: PlannedStep = plan.steps[0]
    draft = await engine.edit(View(task, step, (), texts, (), "", limits))
    if isinstance(draft, Refusal):
        return draft
    if step.stage in {Stage.WHOLE, Stage.WIDE} and (pending := draft.ledger.pending):
        return Refusal(f"{len(pending)} sites would be neither updated nor fitting")
    evidence = await validator.validate(draft.change, texts, draft.impacted, draft.renames)
    if not evidence.green:
        return Refusal(findings_words(evidence))
    title = proposal_title(step.title, measure(draft.change, texts), evidence)
    return Proposal(draft.change.digest[:16], title, draft.change, evidence, None, diff_of(draft.change, texts))
