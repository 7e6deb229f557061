"""A short run as its events: from the start through every phase to an applied step."""

from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change, FileEdit, Size, TextEdit
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Input, Verdict
from surefoot.core.plan import PlannedStep, Stage, Take, Task
from surefoot.core.sites import Ledger
from surefoot.run.events import (
    Action,
    Advanced,
    Authority,
    Closed,
    Delivery,
    Ending,
    Event,
    Intended,
    Lane,
    Permitted,
    Resulted,
    Started,
)
from surefoot.run.fold import fold, step
from surefoot.run.limits import Limits
from surefoot.run.next import advance, next_action
from surefoot.run.outcomes import Constrained, Delivered, Drafted, Landed, Planned, Tally, Validated, Verified
from surefoot.run.report import report_of
from surefoot.run.state import RunState

ROOT = Path("/x")
PATH = ROOT / "a.py"
CANARY = "canary-7f3a"
CHANGE = Change((FileEdit(PATH, "before", "after", (TextEdit(0, 1, "b"),)),))
INVERSE = Change((FileEdit(PATH, "after", "before", (TextEdit(0, 1, "a"),)),))
STARTED = Started("r1", Path("/x"), Task("rename a to b"), "rename", Limits(), ())
STEP = PlannedStep("Rename a to b", "rename it", Stage.WHOLE, (Take(PATH),))
DRAFTED = Drafted(CHANGE, INVERSE, Size(1, 1), (), (), Tally(1, 1, 1, 0, 0, 0, 0), "diff")


def evidence(change: Change = CHANGE, verdict: Verdict = Verdict.CLEAN) -> Evidence:
    run = CheckRun("ty", "1", CheckStatus(verdict), change.paths, 0.1)
    return Evidence(change.digest, verdict, (Input(PATH, "before"),), (run,), (), ())


OUTCOMES = (
    Planned((STEP,), Ledger(()), "1 site in 1 file"),
    Constrained(("small",)),
    DRAFTED,
    Validated(evidence()),
    Verified(("green",)),
)


def acted(state: RunState, outcome: object) -> tuple[Event, ...]:
    """The four events of one action of the work lane."""
    action = next_action(state)
    assert isinstance(action, Action)
    resulted = Resulted(action.id, action.input, outcome)  # type: ignore[arg-type]
    events: tuple[Event, ...] = (Intended(action), Permitted(action.id, True, Authority.POLICY), resulted)
    for event in events:
        state = step(state, event)
    advanced = advance(state)
    assert isinstance(advanced, Advanced)
    return (*events, advanced)


def story(started: Started) -> tuple[Event, ...]:
    """A run from its start to an applied step."""
    events: list[Event] = [started]
    for outcome in OUTCOMES:
        state = fold(events)
        assert state is not None
        events += acted(state, outcome)
    state = fold(events)
    assert state is not None
    action = Action(started.run, Lane.DELIVERY, Delivery.APPLY, 0, 1, state.actions, CHANGE.digest)
    delivered = Delivered((Landed(PATH, "before", "after"),))
    events += (Intended(action), Permitted(action.id, True, Authority.PERSON), Resulted(action.id, action.input, delivered))
    state = fold(events)
    assert state is not None
    reason = "1 of 1 steps applied"
    return (*events, Closed(Ending.DONE, reason, report_of(state, reason)))


STORY = story(STARTED)


def renamed(run: str) -> tuple[Event, ...]:
    """The same run under another name."""
    return story(replace(STARTED, run=run))


def after(count: int) -> RunState:
    state = fold(STORY[:count])
    assert state is not None
    return state
