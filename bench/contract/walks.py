"""Random runs: from any state, one legal event of any kind, drawn by a seeded generator."""

import random
from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change, FileEdit, Size, TextEdit
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Input, Severity, Verdict
from surefoot.core.plan import Constraint, PlannedStep, Stage, Take, Task
from surefoot.core.sites import Ledger
from surefoot.core.text import Place
from surefoot.run.events import (
    Action,
    Authority,
    Closed,
    Constrain,
    Delivery,
    Ending,
    Event,
    Halted,
    Intended,
    Lane,
    Moved,
    Permitted,
    Phase,
    Resulted,
    Resumed,
    Skip,
    Started,
    Told,
)
from surefoot.run.legality import check
from surefoot.run.limits import Limits
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import (
    Bucket,
    Constrained,
    Delivered,
    Drafted,
    Failure,
    FailureClass,
    Landed,
    Noted,
    Outcome,
    Planned,
    Reading,
    Refused,
    Role,
    Span,
    Spent,
    Swept,
    Tally,
    Validated,
    Verified,
)
from surefoot.run.report import report_of
from surefoot.run.state import Pending, RunState, StepStatus

ROOT = Path("/walk")
FILES = (ROOT / "a.py", ROOT / "b.py")
TRIES = 50
"""Draws for one legal event; the events that the state itself asks for are among them, so that few are needed."""


def started(rng: random.Random, run: str) -> Started:
    """The start of a run, with limits that a walk may well reach."""
    limits = Limits(attempts=rng.randint(1, 4), turns=rng.randint(4, 20), wind_down=rng.randint(2, 16), tokens=rng.choice((900, 200_000)))
    return Started(run, ROOT, Task("rename a to b"), "walk", limits, (Input(FILES[0], "before0"),))


def onward(rng: random.Random, state: RunState) -> Event:
    """A legal event: mostly what the run is about to do, now and then what a person or the world does."""
    for _ in range(TRIES):
        event = _asked(rng, state) if rng.random() < 0.15 else _due(rng, state)
        if event is not None and check(state, event) is None:
            return event
    return closed(state, Ending.CANCELLED, "nothing was legal") if _free(state) else _freed(state)


def closed(state: RunState, ending: Ending, reason: str) -> Closed:
    """The end of a run with its report."""
    return Closed(ending, reason, report_of(state, reason))


def _free(state: RunState) -> bool:
    return state.work is None and state.delivery is None


def _freed(state: RunState) -> Event:
    pending = state.work or state.delivery
    assert pending is not None
    return Resulted(pending.action.id, pending.action.input, Failure(Bucket.TOOL, FailureClass.CANCELLED, "cancelled", "stopped"))


def _due(rng: random.Random, state: RunState) -> Event | None:
    if state.attention and rng.random() < 0.7:
        return Resumed(state.events)
    waiting = [p for p in (state.work, state.delivery) if p is not None]
    if waiting and rng.random() < 0.8:
        return _of_pending(rng, state, rng.choice(waiting))
    following = advance(state) or next_action(state)
    if isinstance(following, Closing):
        return closed(state, following.ending, following.reason)
    if isinstance(following, Action):
        return Intended(following)
    return following or _delivery(rng, state)


def _of_pending(rng: random.Random, state: RunState, pending: Pending) -> Event:
    action = pending.action
    if pending.allowed is None:
        return Permitted(action.id, rng.random() < 0.95, rng.choice(tuple(Authority)), "by a rule")
    outcome = (
        _outcome(rng, state, action) if pending.allowed else Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "denied", "not allowed")
    )
    asked = action.verb in {Phase.PLAN, Phase.EDIT} and (isinstance(outcome, Reading) or rng.random() < 0.3)
    return Resulted(action.id, action.input, outcome, _spent(rng) if asked else ())


def _spent(rng: random.Random) -> tuple[Spent, ...]:
    return (
        Spent(Role.EDITOR, rng.randint(1, 300), rng.randint(1, 99), micros=5),
        *((Spent(Role.JUDGE, 9, 1),) if rng.random() < 0.2 else ()),
    )


def _outcome(rng: random.Random, state: RunState, action: Action) -> Outcome:
    if rng.random() < 0.12:
        code = rng.choice(("moved", "size", "seen", "unplanned", "partial", "unavailable"))
        return Failure(rng.choice(tuple(Bucket)), rng.choice(tuple(FailureClass)), code, "it did not work", (), f"draft{rng.randint(0, 9)}")
    if isinstance(action.verb, Delivery):
        return _landed(state, action)
    return _body(rng, state, action.verb)


def _landed(state: RunState, action: Action) -> Outcome:
    draft = state.steps[action.step].draft
    assert draft is not None
    change = draft.change if action.verb is Delivery.APPLY else draft.inverse
    return Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))


def _body(rng: random.Random, state: RunState, phase: Phase) -> Outcome:
    match phase:
        case Phase.PLAN | Phase.EDIT if rng.random() < 0.15:
            return Reading((Span(rng.choice(FILES), rng.randint(1, 9), 9),))
        case Phase.PLAN:
            steps = tuple(PlannedStep(f"Step {n}", "replace it", Stage.WHOLE, (Take(FILES[0]),)) for n in range(rng.randint(1, 4)))
            return Planned(steps, Ledger(()), "3 sites in 2 files")
        case Phase.CONSTRAIN:
            return Constrained(("at most 50 changed lines",))
        case Phase.EDIT:
            return Refused("there is no such name") if rng.random() < 0.03 else _drafted(rng.randint(0, 999))
        case Phase.VALIDATE:
            return Validated(_evidence(rng, state.draft.change if state.draft is not None else Change(())))
        case Phase.VERIFY:
            return Verified(("the evidence is green",), "" if rng.random() < 0.8 else "only planned files are edited")
        case Phase.IDLE:
            return Swept(next((i for i, s in enumerate(state.steps) if s.status is StepStatus.STALE), -1))
        case Phase.REPLAN:
            return Noted(f"Look at line {rng.randint(1, 999)}.", (Constraint("rule", FILES[0], rng.randint(1, 99), "keep it small"),))


def _drafted(number: int) -> Drafted:
    change = Change((FileEdit(FILES[0], f"before{number}", f"after{number}", (TextEdit(0, 1, "b"),)),))
    inverse = Change((FileEdit(FILES[0], f"after{number}", f"before{number}", (TextEdit(0, 1, "a"),)),))
    return Drafted(change, inverse, Size(1, 1), (FILES[1],), (("a", "b"),), Tally(3, 2, 3, 0, 0, 0, 0), "-a\n+b\n", f"shape{number}")


def _evidence(rng: random.Random, change: Change) -> Evidence:
    verdict = rng.choice((Verdict.CLEAN, Verdict.CLEAN, Verdict.CLEAN, *Verdict))
    place = Place(FILES[0], 0, 1, 1, 1)
    codes = rng.sample(("one", "two", "three", "four"), rng.randint(1, 2))
    new = tuple(Diagnostic(place, "ty", code, Severity.ERROR, "it is not so") for code in codes) if verdict is Verdict.NEW else ()
    run = CheckRun("ty", "1.0", CheckStatus(verdict), change.paths, 0.5, "all of it")
    return Evidence(change.digest, verdict, tuple(Input(f.path, f.before) for f in change.files), (run,), new, (), ("tests: not run",))


def _delivery(rng: random.Random, state: RunState) -> Event | None:
    """Nothing is to be drafted: what a person does with the steps that wait, or the text that comes back."""
    index, verb = (state.last_applied, Delivery.REVERT) if rng.random() < 0.2 else (state.next_step, Delivery.APPLY)
    if not 0 <= index < len(state.steps):
        return None
    if state.steps[index].status is StepStatus.STALE:
        return Moved(FILES[:1], (), (index,)) if rng.random() < 0.7 else Moved(FILES[:1], (index,))
    if rng.random() < 0.25:
        return Moved(FILES[:1], (index,))
    draft = state.steps[index].draft
    if draft is None:
        return Told(Skip(index))
    change = draft.change if verb is Delivery.APPLY else draft.inverse
    return Intended(Action(state.run, Lane.DELIVERY, verb, index, 1, state.actions, change.digest))


def _asked(rng: random.Random, state: RunState) -> Event | None:
    """What a person or the world does whenever they like."""
    waiting = [i for i, s in enumerate(state.steps) if s.status in {StepStatus.READY, StepStatus.REVERTED, StepStatus.STALE}]
    index = rng.choice(waiting or range(max(len(state.steps), 1)))
    return rng.choice(
        (
            Told(Skip(index)) if rng.random() < 0.3 else None,
            Told(Constrain(Constraint("person", None, 0, "keep the old name"))),
            Moved(FILES, (index,), (), (index,) if rng.random() < 0.2 else ()),
            Moved((), (), (index,)),
            Halted("resulted", "0" * 32, "a rule", "a.field", "") if rng.random() < 0.3 else None,
            closed(state, Ending.CANCELLED, "cancelled by a person") if rng.random() < 0.05 else None,
            _delivery(rng, state),
        )
    )


def other(event: Event, run: str) -> Event:
    """The same event as another run would have it, where it names its run."""
    match event:
        case Started():
            return replace(event, run=run)
        case Intended():
            return Intended(replace(event.action, run=run))
        case _:
            return event
