"""Stacked overlays: the text that a step sees, and the first step whose ground has moved."""

from pathlib import Path

from surefoot.core.errors import TextError
from surefoot.core.text import TextFile
from surefoot.run.state import RunState, StepState, StepStatus
from surefoot.workspace.snapshot import Snapshot

WAITING = frozenset({StepStatus.READY, StepStatus.REVERTED})


def overlay_for(state: RunState, index: int, live: Snapshot) -> Snapshot:
    """The text that the drafted steps before `index` leave, over the live text. Raises TextError when one of them no longer fits."""
    texts = live
    for step in state.steps[: index if index >= 0 else len(state.steps)]:
        if step.status in WAITING and step.draft is not None:
            texts = texts.with_change(step.draft.change)
    return texts


def stale_steps(state: RunState, live: Snapshot) -> tuple[int, ...]:
    """The waiting steps that no longer hold on the live text: the first whose inputs moved, and all that stand on it."""
    texts = live
    for index, step in enumerate(state.steps):
        if step.status not in WAITING:
            continue
        if not holds(step, texts):
            return tuple(i for i in range(index, len(state.steps)) if state.steps[i].status in WAITING)
        if step.draft is not None:
            texts = texts.with_change(step.draft.change)
    return ()


def holds(step: StepState, texts: Snapshot) -> bool:
    """True while every text that the step's evidence depends on is the one that was checked."""
    if step.evidence is None or step.draft is None:
        return False
    return all(digest_at(texts, i.path) == i.digest for i in step.evidence.inputs) and _fits(step, texts)


def _fits(step: StepState, texts: Snapshot) -> bool:
    try:
        return step.draft is not None and bool(texts.with_change(step.draft.change))
    except TextError:
        return False


def digest_at(texts: Snapshot, path: Path) -> str:
    """The digest of a text, "" where there is none that can be used."""
    held = texts.read(path)
    return held.digest if isinstance(held, TextFile) else ""
