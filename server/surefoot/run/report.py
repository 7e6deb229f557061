"""The three parts of a closing report, from the state alone."""

from collections.abc import Iterator

from surefoot.core.text import relative
from surefoot.run.events import Report
from surefoot.run.state import OVER, RunState, StepState, StepStatus


def report_of(state: RunState, reason: str) -> Report:
    """What was accomplished, what remains, and how each document stands; no part is ever empty."""
    accomplished = tuple(f"applied: {s.planned.title}" for s in state.steps if s.status is StepStatus.APPLIED)
    remaining = tuple(_left(s, reason) for s in state.steps if s.status not in OVER)
    return Report(
        accomplished or ("nothing was applied",),
        remaining or (("nothing",) if accomplished else (reason,)),
        tuple(_workspace(state)) or ("no document was touched",),
    )


def _left(step: StepState, reason: str) -> str:
    """A step that is at work when the run closes is given up with it."""
    status, why = (StepStatus.REFUSED, reason) if step.status is StepStatus.DRAFTING else (step.status, step.reason)
    return f"{status}: {step.planned.title}{f' ({why})' if why else ''}"


def _workspace(state: RunState) -> Iterator[str]:
    yield from (f"{relative(state.root, path)}: edited by what was set aside; how it stands is not known" for path in sorted(state.aside))
    for path in sorted({p for s in state.steps if s.draft for p in s.draft.change.paths}):
        statuses = [s.status for s in state.steps if s.draft and path in s.draft.change.paths]
        yield f"{relative(state.root, path)}: {', '.join(statuses)}"
