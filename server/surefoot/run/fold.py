"""`fold`: the only way from events to state."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from surefoot.core.plan import Constraint
from surefoot.run.events import (
    Advanced,
    Closed,
    Constrain,
    Delivery,
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
from surefoot.run.outcomes import Body, Delivered, Drafted, Failure, Noted, Outcome, Planned, Refused, Validated, Verified
from surefoot.run.state import Halfway, Pending, RunState, Settled, StepState, StepStatus
from surefoot.run.words import failure_words


def start(event: Started) -> RunState:
    """The state before anything but the start has happened."""
    return RunState(event.run, event.root, event.task, event.engine, event.limits, event.documents)


def fold(events: Iterable[Event]) -> RunState | None:
    """The state that these events make; None where there is none."""
    state: RunState | None = None
    for event in events:
        state = step(state, event)
    return state


def step(state: RunState | None, event: Event) -> RunState:
    """The state after one accepted event. Legality is not asked here."""
    if isinstance(event, Started):
        return start(event)
    if state is None:
        raise ValueError("a run begins with Started")
    match event:
        case Intended():
            return _intended(state, event)
        case Permitted():
            return _permitted(state, event)
        case Resulted():
            return _resulted(state, event)
        case Advanced():
            return _advanced(state, event)
        case Told():
            return _told(state, event)
        case Moved():
            return _moved(state, event)
        case Halted():
            return replace(state, attention=f"an event broke the rule {event.rule!r}")
        case Resumed():
            return replace(state, attention="", halfway=None)
        case Closed():
            steps = tuple(replace(s, status=StepStatus.REFUSED) if s.status is StepStatus.DRAFTING else s for s in state.steps)
            return replace(state, closed=event, phase=Phase.IDLE, steps=steps, settled=None, draft=None, attention="")
        case _:
            assert_never(event)


def _intended(state: RunState, event: Intended) -> RunState:
    pending = Pending(event.action)
    counted = replace(state, actions=state.actions + 1)
    return replace(counted, work=pending, settled=None) if event.action.lane is Lane.WORK else replace(counted, delivery=pending)


def _permitted(state: RunState, event: Permitted) -> RunState:
    if state.work is not None and state.work.action.id == event.action:
        return replace(state, work=replace(state.work, allowed=event.allowed))
    if state.delivery is not None and state.delivery.action.id == event.action:
        return replace(state, delivery=replace(state.delivery, allowed=event.allowed))
    return state


def _resulted(state: RunState, event: Resulted) -> RunState:
    if state.delivery is not None and state.delivery.action.id == event.action:
        return _delivered(replace(state, delivery=None), state.delivery, event.outcome)
    if state.work is None:
        return state
    freed = replace(state, work=None, settled=Settled(state.work.action, event.outcome))
    return freed if isinstance(event.outcome, Failure) else _worked(freed, event.outcome)


def _worked(state: RunState, body: Body) -> RunState:
    match body:
        case Planned():
            return _planned(state, body)
        case Drafted():
            at = state.steps[state.step]
            held = replace(at, seen=(*at.seen, body.change.digest))
            return replace(state.with_step(state.step, held), draft=body)
        case Validated():
            at = state.steps[state.step]
            cleared = {d.fingerprint for d in body.evidence.fixed}
            held = replace(at, cleared=tuple(sorted({*at.cleared, *cleared})))
            # A step that held once keeps what it had: when its text comes back, it holds again.
            kept = held if at.held and not body.evidence.green else replace(held, draft=state.draft, evidence=body.evidence)
            return state.with_step(state.step, kept)
        case Noted():
            return replace(state, notes=(*state.notes, body.note), constraints=_merged(state, body.constraints))
        case Verified() if body.broken:
            at = state.steps[state.step]
            return state.with_step(state.step, replace(at, verify_rounds=at.verify_rounds + 1))
        case Refused() if 0 <= state.step < len(state.steps) and not state.steps[state.step].held:
            return state.with_step(state.step, replace(state.steps[state.step], status=StepStatus.REFUSED, reason=body.reason))
        case _:
            return state


def _planned(state: RunState, body: Planned) -> RunState:
    """A plan replaces only the tail from the step at work: that step keeps its counters, and what a person skipped stays skipped."""
    at = max(state.step, 0)
    skipped = {s.planned: s for s in state.steps[at:] if s.status is StepStatus.SKIPPED}
    fresh = [skipped.get(planned) or StepState(planned) for planned in body.steps]
    if fresh and at < len(state.steps):
        old = state.steps[at]
        kept = replace(fresh[0], seen=old.seen, cleared=old.cleared, attempts=old.attempts, verify_rounds=old.verify_rounds)
        fresh[0] = replace(kept, held=old.held)
    return replace(state, steps=(*state.steps[:at], *fresh), ledger=body.ledger, summary=body.summary)


def _merged(state: RunState, new: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    known = [c for c in state.constraints if c not in new]
    return (*known, *new)[-state.limits.constraints :]


def _advanced(state: RunState, event: Advanced) -> RunState:
    moved = replace(state, phase=event.to, settled=None)
    settled = state.settled
    if event.to is Phase.REPLAN and settled is not None:
        return replace(moved, why=failure_words(settled.outcome))
    if event.source is Phase.VERIFY and settled is not None and not failure_words(settled.outcome):
        moved = _with_ready(moved)
    elif event.to is Phase.IDLE and settled is not None and 0 <= state.step < len(state.steps):
        moved = _unheld(moved, settled.outcome)
    match event.source, event.to:
        case Phase.REPLAN | Phase.EDIT, Phase.PLAN:
            return _attempted(moved)
        case _, Phase.CONSTRAIN | Phase.EDIT if 0 <= event.step < len(state.steps):
            at = replace(moved.steps[event.step], status=StepStatus.DRAFTING, reason="", stuck=False)
            return replace(moved.with_step(event.step, at), step=event.step, draft=None)
        case _, Phase.IDLE:
            return replace(moved, step=-1, draft=None)
        case _:
            return moved


def _with_ready(state: RunState) -> RunState:
    """What comes after a step was ready is another drafting of it, with attempts of its own."""
    done = state.steps[state.step]
    return state.with_step(state.step, replace(done, status=StepStatus.READY, reason="", held=True, stuck=False, attempts=0))


def _unheld(state: RunState, outcome: Outcome) -> RunState:
    """The step at work waits for text: it is drafted again at once where that moved meanwhile, else when it moves again."""
    stuck = not (isinstance(outcome, Failure) and outcome.code == "moved")
    words = outcome.reason if isinstance(outcome, Refused) else failure_words(outcome)
    at = replace(state.steps[state.step], status=StepStatus.STALE, seen=(), reason=words, stuck=stuck)
    return state.with_step(state.step, at)


def _attempted(state: RunState) -> RunState:
    if not 0 <= state.step < len(state.steps):
        return replace(state, plan_attempts=state.plan_attempts + 1)
    at = state.steps[state.step]
    return replace(state.with_step(state.step, replace(at, attempts=at.attempts + 1)), draft=None)


def _told(state: RunState, event: Told) -> RunState:
    match event.request:
        case Skip(step=index):
            return state.with_step(index, replace(state.steps[index], status=StepStatus.SKIPPED, reason="skipped by a person"))
        case Constrain(constraint=constraint):
            return replace(state, constraints=_merged(state, (constraint,)))
        case _:
            assert_never(event.request)


def _moved(state: RunState, event: Moved) -> RunState:
    """Draft and evidence of a stale step are kept: when the text comes back, so does the step, without a check."""
    for index in event.stale:
        held = state.steps[index]
        state = state.with_step(index, replace(held, status=StepStatus.STALE, seen=(), reason="the text moved", stuck=False))
    for index in event.void:
        state = state.with_step(index, replace(state.steps[index], evidence=None))
    for index in event.held:
        state = state.with_step(index, replace(state.steps[index], status=StepStatus.READY, reason="", stuck=False))
    return state


def _delivered(state: RunState, pending: Pending, outcome: Outcome) -> RunState:
    index = pending.action.step
    at = state.steps[index]
    match outcome:
        case Delivered() if pending.action.verb is Delivery.APPLY:
            return state.with_step(index, replace(at, status=StepStatus.APPLIED, landed=outcome.files, reason=""))
        case Delivered():
            return state.with_step(index, replace(at, status=StepStatus.REVERTED, landed=(), reason=""))
        case Failure(code="partial"):
            return replace(state, attention=outcome.message, halfway=Halfway(index, outcome.changed))
        case Failure(code="moved") if pending.action.verb is Delivery.APPLY:
            return _moved(state, Moved((), (index,)))
        case _:
            return state
