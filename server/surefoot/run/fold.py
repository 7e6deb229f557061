"""`fold`: the only way from events to state."""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from surefoot.core.plan import Constraint
from surefoot.core.sites import Waiver
from surefoot.run.cycles import forgotten, with_draft, with_findings
from surefoot.run.events import (
    Advanced,
    Closed,
    Constrain,
    Delivery,
    Ending,
    Event,
    Halted,
    Intended,
    Lane,
    Moved,
    Overrule,
    Permitted,
    Phase,
    Resulted,
    Resumed,
    Skip,
    Started,
    Told,
    Waive,
)
from surefoot.run.outcomes import (
    Body,
    Bucket,
    Constrained,
    Delivered,
    Drafted,
    Failure,
    FailureClass,
    Noted,
    Outcome,
    Planned,
    Reading,
    Refused,
    Role,
    Spent,
    Swept,
    Validated,
    Verified,
)
from surefoot.run.state import Halfway, Pending, RunState, Settled, StepState, StepStatus, Winding
from surefoot.run.words import failure_words, halted_words


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
    return _step(replace(state, events=state.events + 1), event)


def _step(state: RunState, event: Event) -> RunState:
    match event:
        case Started():
            return state
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
            aside = tuple(dict.fromkeys((*state.aside, *event.edited)))
            return replace(state, attention=halted_words(event), halted=event, aside=aside)
        case Resumed():
            return replace(state, attention="", halfway=None, halted=None)
        case Closed():
            steps = tuple(
                replace(s, status=StepStatus.REFUSED, reason=event.reason) if s.status is StepStatus.DRAFTING else s for s in state.steps
            )
            closed = replace(state, closed=event, phase=Phase.IDLE, steps=steps, settled=None, draft=None, reading=())
            return replace(closed, attention="", halted=None, winding=None)
        case _:
            assert_never(event)


def _intended(state: RunState, event: Intended) -> RunState:
    pending, actions = Pending(event.action), state.actions + 1
    if event.action.lane is Lane.WORK:
        return replace(state, actions=actions, work=pending, settled=None)
    return replace(state, actions=actions, delivery=pending)


def _permitted(state: RunState, event: Permitted) -> RunState:
    if state.work is not None and state.work.action.id == event.action:
        return replace(state, work=replace(state.work, allowed=event.allowed))
    if state.delivery is not None and state.delivery.action.id == event.action:
        return replace(state, delivery=replace(state.delivery, allowed=event.allowed))
    return state


def _resulted(state: RunState, event: Resulted) -> RunState:
    state = _charged(state, event.spent)
    if state.delivery is not None and state.delivery.action.id == event.action:
        return _delivered(replace(state, delivery=None), state.delivery, event.outcome)
    if state.work is None:
        return state
    freed = replace(state, work=None, settled=Settled(state.work.action, event.outcome))
    return _failed(freed, event.outcome) if isinstance(event.outcome, Failure) else _worked(freed, event.outcome)


def _charged(state: RunState, spent: tuple[Spent, ...]) -> RunState:
    """Tokens and money are counted for the run, turns of the editor for the step at work."""
    if not spent:
        return state
    turns = sum(s.role is Role.EDITOR for s in spent)
    state = replace(state, tokens=state.tokens + sum(s.tokens for s in spent), micros=state.micros + sum(s.micros for s in spent))
    if state.at is None:
        return replace(state, turns=state.turns + turns)
    return state.with_step(state.step, replace(state.at, turns=state.at.turns + turns))


def _failed(state: RunState, failure: Failure) -> RunState:
    if failure.bucket is Bucket.TRANSPORT and failure.cls is not FailureClass.CANCELLED:
        # Nothing was learnt about the task: a person puts the way to the model right, and the same action is issued again.
        return replace(state, settled=None, attention=failure.message)
    return state.with_step(state.step, with_draft(state.at, failure)) if failure.candidate and state.at is not None else state


def _worked(state: RunState, body: Body) -> RunState:
    at = state.at
    match body:
        case Reading():
            return replace(state, reading=(*state.reading, *(r for r in body.reads if r not in state.reading)))
        case Planned():
            return _planned(state, body)
        case Drafted() if at is not None:
            return replace(state.with_step(state.step, replace(with_draft(at, body), objection="")), draft=body)
        case Validated() if at is not None:
            held = with_findings(state, at, body.evidence)
            # A step that held once keeps what it had: when its text comes back, it holds again.
            kept = held if at.held and not body.evidence.green else replace(held, draft=state.draft, evidence=body.evidence)
            return state.with_step(state.step, kept)
        case Noted():
            return replace(state, notes=(*state.notes, body.note), constraints=_merged(state, body.constraints))
        case Verified() if at is not None:
            rounds = at.verify_rounds + bool(body.broken or body.objection)
            return state.with_step(state.step, replace(at, verify_rounds=rounds, objection=body.objection))
        case Refused() if at is not None and not at.held:
            return state.with_step(state.step, replace(at, status=StepStatus.REFUSED, reason=body.reason))
        case Drafted() | Validated() | Verified() | Refused() | Constrained() | Swept() | Delivered():
            return state
        case _:
            assert_never(body)


def _planned(state: RunState, body: Planned) -> RunState:
    """A plan replaces only the tail from the step at work: that step keeps its counters, and what a person skipped stays skipped."""
    at = max(state.step, 0)
    skipped = {s.planned: s for s in state.steps[at:] if s.status is StepStatus.SKIPPED}
    fresh = [skipped.get(planned) or StepState(planned) for planned in body.steps]
    if fresh and at < len(state.steps):
        old = state.steps[at]
        fresh[0] = replace(old, planned=fresh[0].planned, status=fresh[0].status, draft=None, evidence=None, reason="", landed=())
    # What only the plan had to satisfy is of no use to who makes the edits.
    kept = tuple(c for c in state.constraints if c.origin != "plan")
    return replace(state, steps=(*state.steps[:at], *fresh), ledger=body.ledger, summary=body.summary, constraints=kept)


def _merged(state: RunState, new: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    known = [c for c in state.constraints if c not in new]
    return (*known, *new)[-state.limits.constraints :]


def _advanced(state: RunState, event: Advanced) -> RunState:
    settled = state.settled
    shown = settled.outcome.reads if settled is not None and isinstance(settled.outcome, Noted) else ()
    moved = replace(state, phase=event.to, settled=None, reading=state.reading if event.source is event.to else shown)
    ready = event.source is Phase.VERIFY and settled is not None and not failure_words(settled.outcome)
    if event.source is Phase.VERIFY and not ready and event.ending is None and moved.at is not None:
        # Green evidence for a change that breaks a rule is of no use: no text that comes back may make a step of it.
        moved = moved.with_step(moved.step, replace(moved.at, evidence=None))
    if event.to is Phase.REPLAN and settled is not None:
        return replace(moved, why=failure_words(settled.outcome), failed=event.source)
    if ready:
        moved = _with_ready(moved)
    if event.ending is not None:
        return _winding(moved, event.ending, event.reason)
    if event.to is Phase.IDLE and not ready and settled is not None and state.at is not None:
        moved = _unheld(moved, settled.outcome)
    match event.source, event.to:
        case Phase.REPLAN | Phase.EDIT, Phase.PLAN:
            return _attempted(moved)
        case Phase.EDIT, Phase.EDIT:
            return moved
        case _, Phase.CONSTRAIN | Phase.EDIT if 0 <= event.step < len(state.steps):
            at = replace(moved.steps[event.step], status=StepStatus.DRAFTING, reason="", stuck=False)
            return replace(moved.with_step(event.step, at), step=event.step, draft=None)
        case _, Phase.IDLE:
            return replace(moved, step=-1, draft=None)
        case _:
            return moved


def _winding(state: RunState, ending: Ending, reason: str) -> RunState:
    """Nothing is begun any more: the step at work and those after it are given up, what is ready stays offered."""
    steps = tuple(_given_up(s, reason if i == state.step else "not begun") for i, s in enumerate(state.steps))
    return replace(state, steps=steps, winding=Winding(ending, reason), step=-1, draft=None)


def _given_up(step: StepState, reason: str) -> StepState:
    unmade = step.status in {StepStatus.PLANNED, StepStatus.DRAFTING}
    return replace(step, status=StepStatus.REFUSED, reason=reason) if unmade else step


def _with_ready(state: RunState) -> RunState:
    """What comes after a step was ready is another drafting of it, with attempts of its own."""
    done = state.steps[state.step]
    ready = replace(done, status=StepStatus.READY, reason="", held=True, stuck=False, attempts=0)
    return replace(state.with_step(state.step, ready), notes=())


def _unheld(state: RunState, outcome: Outcome) -> RunState:
    """The step at work waits for text: it is drafted again at once where that moved meanwhile, else when it moves again."""
    stuck = not (isinstance(outcome, Failure) and outcome.code == "moved")
    words = outcome.reason if isinstance(outcome, Refused) else failure_words(outcome)
    at = replace(forgotten(state.steps[state.step]), status=StepStatus.STALE, reason=words, stuck=stuck)
    return state.with_step(state.step, at)


def _attempted(state: RunState) -> RunState:
    if not 0 <= state.step < len(state.steps):
        return replace(state, plan_attempts=state.plan_attempts + 1)
    at = state.steps[state.step]
    return replace(state.with_step(state.step, replace(at, attempts=at.attempts + 1, objection="")), draft=None)


def _told(state: RunState, event: Told) -> RunState:
    match event.request:
        case Skip(step=index):
            return state.with_step(index, replace(state.steps[index], status=StepStatus.SKIPPED, reason="skipped by a person"))
        case Constrain(constraint=constraint):
            return replace(state, constraints=_merged(state, (constraint,)))
        case Overrule(step=index):
            held = state.steps[index]
            return state.with_step(index, replace(held, status=StepStatus.READY, reason="", held=True, stuck=False))
        case Waive(path=path, line=line, column=column, reason=reason):
            return replace(state, waived=(*state.waived, Waiver(path, line, column, reason)))
        case _:
            assert_never(event.request)


def _moved(state: RunState, event: Moved) -> RunState:
    """Draft and evidence of a stale step are kept: when the text comes back, so does the step, without a check."""
    for index in event.stale:
        held = state.steps[index]
        state = state.with_step(index, replace(forgotten(held), status=StepStatus.STALE, reason="the text moved", stuck=False))
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
            # Where it reached no document, there is no half to finish or to undo.
            halfway = Halfway(index, outcome.changed) if outcome.changed else None
            return replace(state, attention=outcome.message, halfway=halfway)
        case Failure(code="moved") if pending.action.verb is Delivery.APPLY:
            return _moved(state, Moved((), (index,)))
        case Failure() | Reading() | Planned() | Constrained() | Drafted() | Validated() | Verified() | Swept() | Noted() | Refused():
            return state
        case _:
            assert_never(outcome)
