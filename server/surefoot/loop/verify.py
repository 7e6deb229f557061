"""Verify: the rules that cost nothing, over the change and its evidence. Deterministic work needs no judge."""

from collections.abc import Iterator

from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.policy.guards import unplanned
from surefoot.run.outcomes import Drafted, Outcome, Verified
from surefoot.run.state import StepState
from surefoot.syntax.languages import language_of


async def verify(run: Run, tools: Tools) -> Outcome:
    """Every rule holds, or the first that does not."""
    step = run.state.steps[run.state.step]
    rules = tuple(_rules(step, run.state.draft))
    broken = next((name for name, holds in rules if not holds), "")
    return Verified(tuple(name for name, _ in rules), broken)


def _rules(step: StepState, draft: Drafted | None) -> Iterator[tuple[str, bool]]:
    yield "the change is not empty", draft is not None and bool(draft.change.files)
    if draft is None or step.evidence is None:
        return
    yield "the evidence is for this change", step.evidence.change == draft.change.digest
    yield "the evidence is green", step.evidence.green
    yield "only planned files are edited", unplanned(step.planned, draft.change) is None
    checked = {path for check in step.evidence.checks for path in check.scope}
    # A person asked for edits in prose and data; that nothing checks them is said in the evidence.
    yield "every edited file was checked", all(path in checked or language_of(path) is None for path in draft.change.paths)
