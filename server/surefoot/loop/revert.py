"""The way back from an applied step: its inverse, where its documents are still as it left them."""

from collections.abc import Set

from surefoot.core.change import Change
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Input, Verdict
from surefoot.core.text import relative
from surefoot.core.value import value
from surefoot.loop.texts import digest_at
from surefoot.run.outcomes import Drafted
from surefoot.run.state import RunState, StepState, StepStatus
from surefoot.workspace.snapshot import Snapshot


@value
class WayBack:
    """The inverse of one step of a run. `evidence` is there when it restores text that was checked already, else it has to be checked."""

    undoes: str
    title: str
    draft: Drafted
    change: Change
    evidence: Evidence | None


def step_name(state: RunState, index: int) -> str:
    """Names a step across runs, so that a run can say which step it takes back."""
    return f"{state.run}:{index}"


def way_back(state: RunState, undone: Set[str], live: Snapshot) -> WayBack | str | None:
    """The inverse of the last applied step that is not undone; why there is none; None when no step is left to undo."""
    for index in reversed(range(len(state.steps))):
        step = state.steps[index]
        if step.status is not StepStatus.APPLIED or step.draft is None or step_name(state, index) in undone:
            continue
        if moved := moved_since(step, live):
            return f"not reverted: {moved} has changed since “{step.planned.title}” was applied; undo those edits first"
        evidence = restored(step.draft.inverse) if restores_checked(step, live) else None
        return WayBack(step_name(state, index), f"Revert: {step.planned.title}", step.draft, step.draft.inverse, evidence)
    return None


def under_way(step: StepState) -> Change:
    """The edit of a step that was cut short: an applied step was being reverted, any other applied."""
    draft = step.draft
    if draft is None:
        return Change(())
    return draft.inverse if step.status is StepStatus.APPLIED else draft.change


def half_back(state: RunState, live: Snapshot) -> WayBack | str | None:
    """The way back from the part of an edit that reached its documents, None when no edit was cut short or nothing is left of it."""
    half = state.halfway
    draft = state.steps[half.step].draft if half is not None else None
    if half is None or draft is None:
        return None
    was_reverted = state.steps[half.step].status is StepStatus.APPLIED
    change = Change(tuple(f for f in (draft.change if was_reverted else draft.inverse).files if f.path in half.changed))
    if all(digest_at(live, f.path) == f.after for f in change.files):
        return None
    moved = next((f.path for f in change.files if digest_at(live, f.path) != f.before), None)
    if moved is not None:
        return f"not undone: {relative(live.root, moved)} has changed since; undo the half edit by hand, then resume the run"
    title = f"Undo half of: {state.steps[half.step].planned.title}"
    # The step was never whole, so that it is not the step itself that this takes back.
    return WayBack(f"{step_name(state, half.step)}:half", title, draft, change, restored(change))


def moved_since(step: StepState, live: Snapshot) -> str:
    """The name of a document that no longer holds what the step left there, "" when all do."""
    moved = next((f.path for f in step.landed if digest_at(live, f.path) != f.after), None)
    return relative(live.root, moved) if moved is not None else ""


def restores_checked(step: StepState, live: Snapshot) -> bool:
    """True when all that the step's check looked at, beside the documents it edited, is as it was: then so is the text before it."""
    edited = {f.path for f in step.landed}
    inputs = step.evidence.inputs if step.evidence else ()
    return step.evidence is not None and all(digest_at(live, i.path) == i.digest for i in inputs if i.path not in edited)


def back_names(draft: Drafted) -> tuple[tuple[str, str], ...]:
    """The names of a rename, the other way round."""
    return tuple((new, old) for old, new in draft.renames)


def restored(change: Change) -> Evidence:
    """Evidence for a change whose result is text that stood there before."""
    check = CheckRun("restored text", "", CheckStatus.CLEAN, change.paths, 0.0, "the text as it was before the step, byte for byte")
    return Evidence(change.digest, Verdict.CLEAN, tuple(Input(f.path, f.before) for f in change.files), (check,), (), ())
