"""One whole change for a task, validated and shown at once: what an editor's own rename asks for."""

from surefoot.core.findings import Evidence
from surefoot.core.plan import Constraint, Stage, Task
from surefoot.core.proposal import Proposal
from surefoot.core.sites import Ledger
from surefoot.engines.protocol import Draft, Engine, Plan, Refusal
from surefoot.loop.edit import diff_of, measure
from surefoot.loop.learn import learnt
from surefoot.loop.ports import Validator
from surefoot.report.titles import proposal_title
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.run.words import findings_words
from surefoot.workspace.snapshot import Snapshot

_UNBOUNDED = 10**9
_NO_MODEL = "this takes a model: start it as a run"


async def propose_whole(engine: Engine, validator: Validator, texts: Snapshot, task: Task) -> Proposal | Refusal:
    """The task as one wide change with green evidence, or why there is none. The person who asked for all of it at once has consented."""
    limits = Limits(diff_soft=_UNBOUNDED, diff_hard=_UNBOUNDED)
    constraints: tuple[Constraint, ...] = ()
    why = ""
    for _ in range(limits.attempts):
        view = View(task, None, (), texts, constraints, "", limits)
        drafted = await _drafted(engine, view)
        if isinstance(drafted, Refusal):
            return Refusal(f"{why}; {drafted.reason}" if why else drafted.reason, drafted.candidates)
        title, draft, ledger = drafted
        evidence = await validator.validate(draft.change, texts, draft.impacted, draft.renames)
        if evidence.green:
            return _proposal(title, draft, evidence, texts)
        why = findings_words(evidence)
        new = learnt(ledger, evidence.new, limits.constraints)
        if all(c in constraints for c in new):
            return Refusal(why)
        constraints = (*constraints, *new)
    return Refusal(f"after {limits.attempts} attempts: {why}")


async def _drafted(engine: Engine, view: View) -> tuple[str, Draft, Ledger] | Refusal:
    """The one step of a plan for all of it: its title, its draft, and the ledger that it was planned from."""
    plan = await engine.plan(view)
    if not isinstance(plan, Plan):
        return plan if isinstance(plan, Refusal) else Refusal(_NO_MODEL)
    if len(plan.steps) != 1:
        return Refusal("this takes several steps: start it as a run")
    step = plan.steps[0]
    draft = await engine.edit(View(view.task, step, (), view.texts, view.constraints, "", view.limits))
    if not isinstance(draft, Draft):
        return draft if isinstance(draft, Refusal) else Refusal(_NO_MODEL)
    if step.stage in {Stage.WHOLE, Stage.WIDE} and (pending := draft.ledger.pending):
        return Refusal(f"{len(pending)} sites would be neither updated nor fitting")
    return step.title, draft, plan.ledger


def _proposal(title: str, draft: Draft, evidence: Evidence, texts: Snapshot) -> Proposal:
    shown = proposal_title(title, measure(draft.change, texts), evidence)
    return Proposal(draft.change.digest[:16], shown, draft.change, evidence, None, diff_of(draft.change, texts))
