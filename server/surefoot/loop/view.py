"""The one place where a view is built from a run's state."""

from surefoot.core.text import TextFile
from surefoot.engines.claude.excerpting import lines_of
from surefoot.engines.claude.withheld import hidden
from surefoot.loop.ports import Reader
from surefoot.run.events import Phase
from surefoot.run.outcomes import NotRead, Read, Span
from surefoot.run.state import OVER, RunState, StepStatus
from surefoot.run.view import Excerpt, View
from surefoot.workspace.snapshot import Snapshot

_STANDING = OVER - {StepStatus.SKIPPED} | {StepStatus.READY, StepStatus.REVERTED}


def view_of(state: RunState, index: int, texts: Snapshot, excerpts: tuple[Excerpt, ...] = ()) -> View:
    """A clean look at the step `index` (or at the tail from there): no failed edit, raw error or history has a place in it."""
    planned = state.steps[index].planned if 0 <= index < len(state.steps) else None
    done = tuple(s.planned for s in state.steps[:index] if s.status in _STANDING)
    left = max(state.limits.wind_down - state.turn, 0)
    # A correction of a plan is for whoever plans.
    note = "" if state.failed is Phase.PLAN and state.phase is not Phase.PLAN else state.note
    return View(state.task, planned, done, texts, state.constraints, note, state.limits, excerpts, left, state.waived)


async def seen_by(state: RunState, texts: Snapshot, reader: Reader | None) -> tuple[Excerpt, ...]:
    """What the engine asked to see, read anew from texts as they stand."""
    return tuple([await _excerpt(texts, read, reader) for read in state.reading])


async def _excerpt(texts: Snapshot, read: Read, reader: Reader | None) -> Excerpt:
    if isinstance(read, NotRead):
        return Excerpt(read, read.why, failed=True)
    if isinstance(read, Span):
        held = texts.read(read.path)
        text = lines_of(held, read.first, read.last) if isinstance(held, TextFile) and not hidden(read.path, texts.root) else ""
        return Excerpt(read, text, failed=not text)
    return await reader.read(read, texts) if reader is not None else Excerpt(read, "nobody here can answer this", failed=True)
