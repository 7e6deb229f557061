"""Predicates over changes: inside the root, within size, on planned files only."""

from collections.abc import Iterable
from pathlib import Path

from surefoot.core.change import Change, Size
from surefoot.core.plan import PlannedStep, Stage
from surefoot.run.limits import Limits


def outside(root: Path, paths: Iterable[Path]) -> Path | None:
    """The first path that is not below `root` once links are followed, None when all are."""
    real_root = root.resolve()
    return next((p for p in paths if not p.resolve().is_relative_to(real_root)), None)


def unplanned(step: PlannedStep, change: Change) -> Path | None:
    """The first file that the change edits and the step did not name, None when there is none."""
    named = {take.path for take in step.takes}
    return next((p for p in change.paths if p not in named), None)


def too_big(step: PlannedStep, size: Size, limits: Limits) -> str:
    """Why the size breaks a limit, "" when it does not. A wide step is bounded by a person's consent instead."""
    if step.stage is Stage.WIDE:
        return ""
    if size.changed > limits.diff_hard:
        return f"{size.changed} changed lines are over the hard limit of {limits.diff_hard}"
    return f"{size.changed} changed lines are over the limit of {limits.diff_soft} for one step" if size.changed > limits.diff_soft else ""


def needs_consent(step: PlannedStep, size: Size, limits: Limits) -> bool:
    """True for a wide step over the size limit: a person has to look at it first."""
    return step.stage is Stage.WIDE and size.changed > limits.diff_soft
