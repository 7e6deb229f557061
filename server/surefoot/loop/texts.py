"""Stacked overlays: the text that a step sees, and the steps whose ground has moved or come back."""

from pathlib import Path

from surefoot.core.errors import TextMoved
from surefoot.core.text import TextFile
from surefoot.run.events import Moved
from surefoot.run.state import OVER, RunState, StepState, StepStatus, green
from surefoot.workspace.snapshot import Snapshot

WAITING = frozenset({StepStatus.READY, StepStatus.REVERTED})


def overlay_for(state: RunState, index: int, live: Snapshot) -> Snapshot:
    """The text that the waiting steps before `index` leave, over the live text. Raises TextMoved when one of them no longer fits."""
    texts = live
    for step in state.steps[:index]:
        if step.status in WAITING and step.draft is not None:
            texts = texts.with_change(step.draft.change)
    return texts


def moves(state: RunState, live: Snapshot) -> Moved:
    """The waiting steps that no longer hold on the live text, from the first one on, and the stale ones that hold again."""
    texts: Snapshot | None = live
    stale: list[int] = []
    held: list[int] = []
    files: set[Path] = set()
    for index, step in enumerate(state.steps):
        if step.status in OVER:
            continue
        after = _after(step, texts) if texts is not None else None
        if after is None and step.status in WAITING:
            stale.append(index)
            files |= set(moved_inputs(step, texts)) if texts is not None else set()
        if after is not None and step.status is StepStatus.STALE:
            held.append(index)
        texts = after
    return Moved(tuple(sorted(files)), tuple(stale), tuple(held))


def _after(step: StepState, texts: Snapshot) -> Snapshot | None:
    """The text that a drafted step leaves, None where it does not hold or is not drafted."""
    if step.status not in WAITING | {StepStatus.STALE} or step.draft is None or not green(step) or not holds(step, texts):
        return None
    return texts.with_change(step.draft.change)


def holds(step: StepState, texts: Snapshot) -> bool:
    """True while every text that the step's evidence depends on is the one that was checked."""
    if step.evidence is None or step.draft is None or moved_inputs(step, texts):
        return False
    try:
        return bool(texts.with_change(step.draft.change))
    except TextMoved:
        return False


def moved_inputs(step: StepState, texts: Snapshot) -> tuple[Path, ...]:
    """The texts that are no longer those that the step's evidence was given for."""
    return tuple(i.path for i in step.evidence.inputs if digest_at(texts, i.path) != i.digest) if step.evidence else ()


def digest_at(texts: Snapshot, path: Path) -> str:
    """The digest of a text, "" where there is none that can be used."""
    held = texts.read(path)
    return held.digest if isinstance(held, TextFile) else ""
