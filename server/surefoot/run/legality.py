"""Which event is legal in which state: a table of rules, each with its name. `check` is asked before anything is stored.

Rules are about our own events. Requests of people and clients are tested with `allowed` first and refused as values.
"""

from collections.abc import Mapping
from typing import assert_never

from surefoot.core.change import Change
from surefoot.core.value import value
from surefoot.run.events import (
    Action,
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
    Request,
    Resulted,
    Resumed,
    Skip,
    Started,
    Told,
    Waive,
)
from surefoot.run.next import WAITS, Closing, advance, guard, next_action, used_up
from surefoot.run.outcomes import (
    Constrained,
    Delivered,
    Drafted,
    Failure,
    Noted,
    Outcome,
    Planned,
    Reading,
    Refused,
    Role,
    Swept,
    Validated,
    Verified,
)
from surefoot.run.report import report_of
from surefoot.run.state import OVER, Pending, RunState, StepStatus, green, unverified


@value
class Broken:
    """The rule that an event breaks, and the field where."""

    rule: str
    field: str


EDGES: Mapping[Phase, frozenset[Phase]] = {
    Phase.PLAN: frozenset({Phase.PLAN, Phase.CONSTRAIN, Phase.REPLAN, Phase.IDLE}),
    Phase.CONSTRAIN: frozenset({Phase.EDIT, Phase.REPLAN, Phase.IDLE}),
    Phase.EDIT: frozenset({Phase.EDIT, Phase.VALIDATE, Phase.REPLAN, Phase.PLAN, Phase.IDLE}),
    Phase.VALIDATE: frozenset({Phase.VERIFY, Phase.REPLAN, Phase.IDLE}),
    Phase.VERIFY: frozenset({Phase.CONSTRAIN, Phase.IDLE, Phase.REPLAN}),
    Phase.IDLE: frozenset({Phase.EDIT, Phase.IDLE}),
    Phase.REPLAN: frozenset({Phase.PLAN, Phase.IDLE}),
}

BODIES: Mapping[Phase | Delivery, tuple[type, ...]] = {
    Phase.PLAN: (Planned, Refused, Reading),
    Phase.CONSTRAIN: (Constrained,),
    Phase.EDIT: (Drafted, Refused, Reading),
    Phase.VALIDATE: (Validated,),
    Phase.VERIFY: (Verified,),
    Phase.IDLE: (Swept,),
    Phase.REPLAN: (Noted,),
    Delivery.APPLY: (Delivered,),
    Delivery.REVERT: (Delivered,),
}

UNRULED_FAILURES = frozenset({"denied", "cancelled", "moved"})


def check(state: RunState | None, event: Event) -> Broken | None:
    """The rule that `event` breaks in `state`, None when it is legal."""
    if isinstance(event, Started):
        if state is not None:
            return Broken("a run starts once", "run")
        return None if event.run else Broken("a run has a name", "run")
    if state is None:
        return Broken("a run begins with its start", "kind")
    if not state.open:
        return Broken("a closed run is final", "kind")
    match event:
        case Intended() | Permitted() | Resulted() | Advanced():
            return _acted(state, event)
        case Told():
            return told(state, event.request)
        case Moved():
            return _moved(state, event)
        case Halted():
            return None if event.rule and event.rejected else Broken("a halt names what was rejected, and the rule", "rule")
        case Resumed():
            return _resumed(state, event)
        case Closed():
            return _closed(state, event)
        case _:
            assert_never(event)


def _acted(state: RunState, event: Intended | Permitted | Resulted | Advanced) -> Broken | None:
    match event:
        case Intended():
            return _intended(state, event)
        case Permitted():
            return _permitted(state, event)
        case Resulted():
            return _resulted(state, event)
        case Advanced():
            return _advanced(state, event)
        case _:
            assert_never(event)


def _resumed(state: RunState, event: Resumed) -> Broken | None:
    if not state.attention:
        return Broken("only a run that wants attention resumes", "kind")
    return None if event.since == state.events else Broken("a run resumes from its last valid state", "since")


def _closed(state: RunState, event: Closed) -> Broken | None:
    if state.work is not None or state.delivery is not None:
        return Broken("both lanes are free when a run closes", "kind")
    if event.ending is not Ending.CANCELLED and Closing(event.ending, event.reason) not in (next_action(state), advance(state)):
        return Broken("a run ends as its state says", "ending")
    return None if event.report == report_of(state, event.reason) else Broken("a report says what the state holds", "report")


def _intended(state: RunState, event: Intended) -> Broken | None:
    action = event.action
    if action.run != state.run:
        return Broken("an action belongs to its run", "action.run")
    if state.attention:
        return Broken("nothing starts while the run wants attention", "action")
    if action.n != state.actions:
        return Broken("an action is numbered by those before it", "action.n")
    if action.lane is Lane.DELIVERY:
        return _delivery(state, event)
    if used_up(state):
        return Broken("nothing starts on a budget that is used up", "action")
    if state.winding is not None:
        return Broken("a run that winds down begins nothing", "action")
    if state.work is not None or state.settled is not None:
        return Broken("one action at a time in a lane", "action.lane")
    if action.verb != state.phase:
        return Broken("an action is of the phase at work", "action.verb")
    if (action.step, action.attempt) != (state.step, state.attempt):
        return Broken("an action is of the step and attempt at work", "action.step")
    return None


def _delivery(state: RunState, event: Intended) -> Broken | None:
    if state.delivery is not None:
        return Broken("one action at a time in a lane", "action.lane")
    if event.action.verb not in BODIES or isinstance(event.action.verb, Phase):
        return Broken("delivery applies or reverts", "action.verb")
    if refusal := deliverable(state, event.action.verb, event.action.step):
        return Broken(refusal, "action.step")
    change = delivered_by(state, event.action)
    return None if change is not None and event.action.input == change.digest else Broken("a delivery quotes its change", "action.input")


def delivered_by(state: RunState, action: Action) -> Change | None:
    """The change that a delivery puts into the text, None where there is none."""
    draft = state.steps[action.step].draft if 0 <= action.step < len(state.steps) else None
    if draft is None:
        return None
    return draft.change if action.verb is Delivery.APPLY else draft.inverse


def deliverable(state: RunState, verb: Delivery, step: int) -> str:
    """Why this step cannot be applied or reverted now, "" when it can."""
    if verb is Delivery.REVERT:
        return "" if step == state.last_applied and step >= 0 else "only the last applied step can be reverted"
    if step < 0 or step != state.next_step:
        return "only the first step that is not applied can be applied"
    return "" if state.steps[step].offered else "only a step with green evidence for this very change can be applied"


def _pending(state: RunState, action: str) -> Pending | None:
    return next((p for p in (state.work, state.delivery) if p is not None and p.action.id == action), None)


def _permitted(state: RunState, event: Permitted) -> Broken | None:
    pending = _pending(state, event.action)
    if pending is None:
        return Broken("a ruling needs its pending action", "action")
    return Broken("an action is ruled on once", "action") if pending.allowed is not None else None


def _resulted(state: RunState, event: Resulted) -> Broken | None:
    pending = _pending(state, event.action)
    if pending is None:
        return Broken("a result needs its pending action", "action")
    if event.input != pending.action.input:
        return Broken("a result quotes the input of its action", "input")
    if any(n < 0 for s in event.spent for n in (s.read, s.written, s.cache_read, s.cache_written, s.micros)):
        return Broken("counters only grow", "spent")
    if isinstance(event.outcome, Failure):
        return None if pending.allowed or event.outcome.code in UNRULED_FAILURES else Broken("an action runs only when allowed", "action")
    if not pending.allowed:
        return Broken("an action runs only when allowed", "action")
    if not isinstance(event.outcome, BODIES[pending.action.verb]):
        return Broken("a result is of its action's kind", "outcome.kind")
    return _bodied(state, event, event.outcome, pending.action)


def _bodied(state: RunState, event: Resulted, outcome: Outcome, action: Action) -> Broken | None:
    match outcome:
        case Planned() if not outcome.steps:
            return Broken("a plan has a step", "outcome.steps")
        case Swept() if outcome.stale >= 0 and not _stale(state, outcome.stale):
            return Broken("a sweep names a step that no longer holds", "outcome.stale")
        case Delivered() if not _lands(delivered_by(state, action), outcome):
            return Broken("a delivery lands what its change says", "outcome.files")
        case Validated() if state.draft is None or outcome.evidence.change != state.draft.change.digest:
            return Broken("evidence is for the very change that was drafted", "outcome.evidence.change")
        case Reading() if not outcome.reads or not any(s.role is Role.EDITOR for s in event.spent):
            return Broken("only a model that was asked reads on", "outcome.reads")
        case Noted() if len(outcome.note.split()) > state.limits.note_words:
            return Broken(f"a note has at most {state.limits.note_words} words", "outcome.note")
        case Noted() if len(outcome.constraints) > state.limits.constraints:
            return Broken(f"a re-plan adds at most {state.limits.constraints} constraints", "outcome.constraints")
        case Planned() | Swept() | Delivered() | Validated() | Reading() | Noted():
            return None
        case Constrained() | Drafted() | Verified() | Refused() | Failure():
            return None
        case _:
            assert_never(outcome)


def _stale(state: RunState, index: int) -> bool:
    return index < len(state.steps) and state.steps[index].status is StepStatus.STALE


def _lands(change: Change | None, outcome: Delivered) -> bool:
    landed = {(f.path, f.before, f.after) for f in outcome.files}
    return change is not None and landed == {(f.path, f.before, f.after) for f in change.files}


def _advanced(state: RunState, event: Advanced) -> Broken | None:
    if state.work is not None or state.settled is None:
        return Broken("a lane advances when its action has its result", "because")
    if state.settled.action.id != event.because:
        return Broken("a lane advances because of its last result", "because")
    if event.source is not state.phase or event.to not in EDGES[event.source]:
        return Broken("the edge is in the table", "to")
    return None if guard(state, event) else Broken("the guard of the edge holds", "to")


def told(state: RunState, request: Request) -> Broken | None:
    """The rule that a person's request would break, None when it fits."""
    match request:
        case Skip(step=index):
            if not 0 <= index < len(state.steps):
                return Broken("a request names a step of the run", "request.step")
            busy = state.delivery is not None and state.delivery.action.step == index
            busy |= state.halfway is not None and state.halfway.step == index
            over = state.steps[index].status in OVER | {StepStatus.DRAFTING}
            return Broken("a step that is applied or at work cannot be skipped", "request.step") if busy or over else None
        case Constrain():
            return None
        case Waive():
            return _waived(state, request)
        case Overrule(step=index):
            known = 0 <= index < len(state.steps) and unverified(state.steps[index])
            return None if known else Broken("only the judge can be overruled, on a step that holds", "request.step")
        case _:
            assert_never(request)


def _waived(state: RunState, request: Waive) -> Broken | None:
    place = (request.path, request.line, request.column)
    if not request.path.is_relative_to(state.root):
        return Broken("a waived site is inside the workspace", "request.path")
    if min(place[1:]) < 1:
        return Broken("lines and columns count from 1", "request.line")
    if not request.reason.strip():
        return Broken("a person says why a site is let be", "request.reason")
    if place in {(w.path, w.line, w.column) for w in state.waived}:
        return Broken("a site is waived once", "request.path")
    known = {(e.site.place.path, e.site.place.line, e.site.place.column) for e in state.ledger.entries} if state.ledger else {place}
    return None if place in known else Broken("only a site of the ledger can be waived", "request.path")


def _moved(state: RunState, event: Moved) -> Broken | None:
    known = range(len(state.steps))
    if any(i not in known or state.steps[i].status not in WAITS for i in event.stale):
        return Broken("only steps that wait can go stale", "stale")
    if not set(event.void) <= set(event.stale):
        return Broken("only evidence of stale steps is void", "void")
    if any(i not in known or state.steps[i].status is not StepStatus.STALE or not green(state.steps[i]) for i in event.held):
        return Broken("only a stale step with green evidence for its very change can hold again", "held")
    if set(event.held) & set(event.stale):
        return Broken("a step that holds again is not stale", "held")
    return None
