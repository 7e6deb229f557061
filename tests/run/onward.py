"""Lets a run go on: the events that lead from any of its states to its end, with the results that a friendly world gives."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from surefoot.core.plan import PlannedStep
from surefoot.core.sites import Ledger
from surefoot.run.events import Action, Authority, Closed, Delivery, Event, Intended, Lane, Moved, Permitted, Phase, Resulted, Resumed
from surefoot.run.fold import start, step
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Constrained, Delivered, Landed, Noted, Outcome, Planned, Swept, Validated, Verified
from surefoot.run.report import report_of
from surefoot.run.state import Pending, RunState, StepStatus
from tests.support.story import DRAFTED, STARTED, STEP, evidence


def whole(run: str, planned: PlannedStep = STEP) -> tuple[Event, ...]:
    """A run from its start to its end."""
    started = replace(STARTED, run=run)
    return (started, *onward(start(started), planned))


def onward(state: RunState, planned: PlannedStep = STEP) -> Iterator[Event]:
    """What is left of a run, event by event."""
    while state.open:
        event = following(state, planned)
        yield event
        state = step(state, event)


def following(state: RunState, planned: PlannedStep = STEP) -> Event:
    """The next event of a run."""
    if state.attention:
        return Resumed(state.events)
    if (pending := state.work or state.delivery) is not None:
        return _of_pending(state, pending, planned)
    done = advance(state)
    action = done if done is not None else next_action(state)
    if isinstance(action, Closing):
        return Closed(action.ending, action.reason, report_of(state, action.reason))
    if isinstance(action, Action):
        return Intended(action)
    return action if action is not None else _delivery(state)


def _of_pending(state: RunState, pending: Pending, planned: PlannedStep) -> Event:
    action = pending.action
    if pending.allowed is None:
        return Permitted(action.id, True, Authority.POLICY)
    return Resulted(action.id, action.input, _outcome(state, action, planned))


def _outcome(state: RunState, action: Action, planned: PlannedStep) -> Outcome:
    stale = next((i for i, s in enumerate(state.steps) if s.status is StepStatus.STALE), -1)
    work: Mapping[Phase, Outcome] = {
        Phase.PLAN: Planned((planned,), Ledger(()), "1 site in 1 file"),
        Phase.CONSTRAIN: Constrained(("small",)),
        Phase.EDIT: DRAFTED,
        Phase.VALIDATE: Validated(evidence()),
        Phase.VERIFY: Verified(("green",)),
        Phase.IDLE: Swept(stale),
        Phase.REPLAN: Noted("look again", ()),
    }
    return (
        Delivered(tuple(Landed(f.path, f.before, f.after) for f in DRAFTED.change.files))
        if isinstance(action.verb, Delivery)
        else work[action.verb]
    )


def _delivery(state: RunState) -> Event:
    """Nothing is to be drafted: a step holds again, or is applied."""
    index = state.next_step
    if state.steps[index].status is StepStatus.STALE:
        return Moved((), (), (index,))
    return Intended(Action(state.run, Lane.DELIVERY, Delivery.APPLY, index, 1, state.actions, DRAFTED.change.digest))
