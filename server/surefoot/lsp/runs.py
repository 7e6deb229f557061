"""Runs as the client sees them: which one a command means, and what changed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.errors import Unusable
from surefoot.core.plan import Stage, Task
from surefoot.lsp.extensions import RunChanged, StepState
from surefoot.lsp.uris import uri_of
from surefoot.report.ledgers import planned_words
from surefoot.report.titles import checks_words, status_of, step_title
from surefoot.report.words import money
from surefoot.run.events import Ending

if TYPE_CHECKING:
    from surefoot.run.state import RunState
    from surefoot.run.state import StepState as Step
    from surefoot.service import Service


def run_changed(state: "RunState") -> RunChanged:
    """What the client is told of a run's new state."""
    # Ready steps of a run that begins nothing any more can still be applied: to a client it is open.
    status = "open" if state.winding is not None and not state.attention else status_of(state)
    ended = state.closed or state.winding
    message = state.attention or (ended.reason if ended is not None else planned_words(state.ledger, state.summary))
    steps = tuple(_step(number, step) for number, step in enumerate(state.steps))
    asks = bool(state.attention) or given_up(state)
    return RunChanged(
        run=state.run,
        root=uri_of(state.root),
        task=task_words(state.task),
        status=str(status),
        steps=steps,
        attention=bool(state.attention),
        message=message,
        cost=cost_words(state),
        asks=asks,
        stronger=state.task.stronger,
    )


def task_words(task: Task) -> str:
    """A task as it is shown: two runs of the same words can be told apart."""
    return f"{task.text}, with the stronger model" if task.stronger else task.text


def given_up(state: "RunState") -> bool:
    """Whether a model's attempts at a task are used up, so that a person has a choice to make."""
    ended = state.winding or state.closed
    return state.tokens > 0 and ended is not None and ended.ending is Ending.ESCALATED


def first_unverified(state: "RunState") -> int:
    """The first step that holds and that only the judge is against, -1 for none."""
    from surefoot.run.state import unverified

    return next((number for number, step in enumerate(state.steps) if unverified(step)), -1)


def cost_words(state: "RunState") -> str:
    """What models took so far, such as `12,300 tokens, $0.04`; "" for a run that asked none."""
    spent = f", {money(state.micros)}" if state.micros else ""
    return f"{state.tokens:,} tokens{spent}" if state.tokens else ""


def _step(number: int, step: "Step") -> StepState:
    shown = StepState(
        id=str(number),
        title=step.planned.title,
        summary=step_title(step),
        status=str(step.status),
        files=len(step.planned.takes),
        added=0,
        removed=0,
        sites=0,
        wide=step.planned.stage is Stage.WIDE,
        checks=checks_words(step.evidence) if step.evidence else "",
        reason=step.reason,
    )
    if (draft := step.draft) is None:
        return shown
    return replace(shown, files=len(draft.change.files), added=draft.size.added, removed=draft.size.removed, sites=draft.tally.sites)


class Coalesced:
    """Tells the newest state of each run, once per turn of the event loop however often it changed."""

    def __init__(self, later: Callable[[Callable[[], None]], object], tell: Callable[["RunState"], None]) -> None:
        self._later = later
        self._tell = tell
        self._waiting: dict[str, RunState] = {}

    def __call__(self, state: "RunState") -> None:
        if not self._waiting:
            self._later(self._flush)
        self._waiting[state.run] = state

    def _flush(self) -> None:
        told, self._waiting = self._waiting, {}
        for state in told.values():
            self._tell(state)


def find_run(service: "Service", roots: tuple[Path, ...], named: str | None, *, closed: bool = False) -> tuple[Path, str]:
    """Root and name of the run that is meant: the one named, else the newest open one of this process, else the newest open one, else with
    `closed` the newest of all. Raises Unusable."""
    open_runs = [(root, run.state.run) for root in roots for run in service.active(root)]
    if not named and open_runs:
        return open_runs[0]
    rows = sorted(((row, root) for root in roots for row in service.runs(root) if not row.origin), key=lambda r: r[0].started, reverse=True)
    stored = [(row.started, root, row.id) for row, root in rows]
    if named:
        for root, run in (*open_runs, *((root, run) for _, root, run in stored)):
            if run == named:
                return root, run
        raise Unusable(f"there is no run {named}")
    if closed and stored:
        return stored[0][1:]
    if waiting := next(((root, row.id) for row, root in rows if not row.ending), None):
        return waiting
    raise Unusable("no run is open: start one first")
