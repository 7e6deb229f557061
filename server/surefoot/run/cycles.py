"""What a step had before: drafts, their syntax trees, findings that went away. A cycle is a return to any of them."""

from dataclasses import replace

from surefoot.core.findings import Evidence, Verdict
from surefoot.run.outcomes import Drafted, Failure
from surefoot.run.state import RunState, StepState

_CONCLUSIVE = frozenset({Verdict.CLEAN, Verdict.NEW})


def with_draft(step: StepState, draft: Drafted | Failure) -> StepState:
    """The step remembers a draft, whether it passed its gate or not."""
    digest, shape = (draft.change.digest, draft.shape) if isinstance(draft, Drafted) else (draft.candidate, draft.shape)
    seen = (*step.seen, digest) if digest and digest not in step.seen else step.seen
    shapes = (*step.shapes, shape) if shape and shape not in step.shapes else step.shapes
    return replace(step, seen=seen, shapes=shapes)


def with_findings(state: RunState, step: StepState, evidence: Evidence) -> StepState:
    """The step remembers what a check found: what is new, what went away, and what had gone away, here or in a step before, and is back."""
    if evidence.verdict not in _CONCLUSIVE:
        return replace(step, back=())
    new = {d.fingerprint for d in evidence.new}
    earlier = {c for s in state.steps[: max(state.step, 0)] for c in s.cleared}
    gone = {d.fingerprint for d in evidence.fixed} | (set(step.raised) - new)
    return replace(
        step,
        raised=tuple(sorted(new | set(step.raised))),
        cleared=tuple(sorted(gone | set(step.cleared))),
        back=tuple(sorted(new & (earlier | set(step.cleared)))),
    )


def forgotten(step: StepState) -> StepState:
    """The step begins anew on another text: reverts, rebases and undone edits are no cycles."""
    return replace(step, seen=(), shapes=(), raised=(), cleared=(), back=())
