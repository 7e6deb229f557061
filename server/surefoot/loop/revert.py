"""The way back from a step of a closed run: a run of its own, since a closed run is final."""

from surefoot.core.change import Change
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Input, Verdict
from surefoot.core.value import value
from surefoot.loop.texts import digest_at
from surefoot.run.state import RunState, StepStatus
from surefoot.workspace.snapshot import Snapshot


@value
class WayBack:
    """A change that restores text which was checked already, and the evidence that says so."""

    title: str
    change: Change
    evidence: Evidence


def way_back(state: RunState, live: Snapshot) -> WayBack | None:
    """The inverse of the last applied step whose documents are still as it left them, None when there is none."""
    for step in reversed(state.steps):
        if step.status is not StepStatus.APPLIED or step.draft is None:
            continue
        if all(digest_at(live, f.path) == f.after for f in step.landed):
            return WayBack(f"Revert: {step.planned.title}", step.draft.inverse, _restored(step.draft.inverse))
    return None


def _restored(change: Change) -> Evidence:
    check = CheckRun("restored text", "", CheckStatus.CLEAN, change.paths, 0.0, "the text as it was before the step, byte for byte")
    return Evidence(change.digest, Verdict.CLEAN, tuple(Input(f.path, f.before) for f in change.files), (check,), (), ())
