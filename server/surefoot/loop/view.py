"""The one place where a view is built from a run's state."""

from surefoot.core.text import TextFile
from surefoot.run.outcomes import Span
from surefoot.run.state import OVER, RunState, StepStatus
from surefoot.run.view import Excerpt, View
from surefoot.workspace.snapshot import Snapshot

_STANDING = OVER - {StepStatus.SKIPPED} | {StepStatus.READY, StepStatus.REVERTED}


def view_of(state: RunState, index: int, texts: Snapshot) -> View:
    """A clean look at the step `index` (or at the tail from there): no failed edit, raw error or history has a place in it."""
    planned = state.steps[index].planned if 0 <= index < len(state.steps) else None
    done = tuple(s.planned for s in state.steps[:index] if s.status in _STANDING)
    left = max(state.limits.wind_down - state.turn, 0)
    excerpts = tuple(_excerpt(texts, span) for span in state.reading)
    return View(state.task, planned, done, texts, state.constraints, state.note, state.limits, excerpts, left, state.waived)


def _excerpt(texts: Snapshot, span: Span) -> Excerpt:
    """The lines as they stand now, "" where there are none."""
    held = texts.read(span.path)
    lines = held.text.splitlines(keepends=True)[span.first - 1 : span.last] if isinstance(held, TextFile) else []
    return Excerpt(span, "".join(lines))
