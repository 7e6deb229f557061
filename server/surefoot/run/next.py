"""What a run does next: a pure function of its state. The driver runs it, the legality table checks it."""

import hashlib
from dataclasses import replace
from typing import assert_never

from surefoot.core.value import value
from surefoot.run.events import Action, Advanced, Ending, Lane, Phase
from surefoot.run.outcomes import (
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
    Swept,
    Validated,
    Verified,
)
from surefoot.run.state import OVER, RunState, StepState, StepStatus, Winding, unverified
from surefoot.run.words import failure_words, findings_words

WAITS = frozenset({StepStatus.READY, StepStatus.REVERTED, StepStatus.STALE})
"""Statuses of a step that a person may still apply, or that may hold again."""

_ASKING = frozenset({Phase.PLAN, Phase.CONSTRAIN, Phase.EDIT, Phase.REPLAN})
"""Phases that ask a model, or lead to one that does."""

_CYCLES = frozenset({"seen", "same shape", "same note", "nothing new"})
"""Codes of failures that say: this was tried before."""

_MOVABLE = frozenset({Phase.PLAN, Phase.EDIT, Phase.VALIDATE})
"""Phases that look at text; where it moves under them, the step waits and is drafted again."""


@value
class Closing:
    """The run is over: how, and why in a sentence."""

    ending: Ending
    reason: str


def next_action(state: RunState) -> Action | Closing | None:
    """The next action of the work lane, how the run ends, or None while it waits for a person."""
    if not state.open or state.attention or state.work is not None or state.settled is not None:
        return None
    if state.winding is not None:
        return _wound(state, state.winding)
    if state.phase is Phase.IDLE and state.delivery is None and state.steps and all(s.status in OVER for s in state.steps):
        return Closing(Ending.DONE, _done(state.steps))
    if spent := used_up(state):
        # What is ready can still be applied: that takes no budget.
        return None if _offers(state) else Closing(Ending.LIMIT, spent)
    stale = next((s for s in state.steps if s.status is StepStatus.STALE), None)
    if state.phase is not Phase.IDLE or (stale is not None and not stale.stuck):
        return _action(state)
    return None


def _wound(state: RunState, winding: Winding) -> Closing | None:
    """A run that begins nothing any more ends when no ready step is left."""
    if state.delivery is not None or any(s.status in WAITS or unverified(s) for s in state.steps):
        return None
    if state.steps and all(s.status in OVER for s in state.steps):
        return Closing(Ending.DONE, _done(state.steps))
    return Closing(winding.ending, winding.reason)


def used_up(state: RunState) -> str:
    """The budget that is used up, in a sentence, "" while there is some of each. What was drafted is still checked."""
    limits = state.limits
    if state.actions >= limits.actions:
        return f"{limits.actions} actions are all that a run may take"
    if state.phase not in _ASKING:
        return ""
    if state.turn >= limits.turns:
        return f"{limits.turns} model turns are all that a step may take"
    if state.tokens >= limits.tokens:
        return f"{state.tokens} tokens are used, {limits.tokens} are all that a run may use"
    if limits.micros and state.micros >= limits.micros:
        return f"${state.micros / 1e6:.2f} is spent, ${limits.micros / 1e6:.2f} is all that a run may cost"
    return ""


def _done(steps: tuple[StepState, ...]) -> str:
    applied = sum(s.status is StepStatus.APPLIED for s in steps)
    skipped = len(steps) - applied
    return f"{applied} of {len(steps)} steps applied" + (f", {skipped} skipped" if skipped else "")


def _action(state: RunState) -> Action:
    return Action(state.run, Lane.WORK, state.phase, state.step, state.attempt, state.actions, input_of(state))


def input_of(state: RunState) -> str:
    """Digest of all that the work lane's next action goes by, but for the texts, which their own digests follow."""
    parts = [state.task.text, state.phase, str(state.step), state.note, state.draft.change.digest if state.draft else ""]
    parts += [repr(read) for read in state.reading]
    parts += [f"{c.origin}:{c.path}:{c.line}:{c.text}" for c in state.constraints]
    parts += [f"{w.path}:{w.line}:{w.column}" for w in state.waived]
    parts += [s.draft.change.digest if s.draft else s.planned.title for s in state.steps]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def advance(state: RunState) -> Advanced | Closing | None:
    """Where the last result of the work lane leads: along an edge, or to the end; None when nothing is settled."""
    settled = state.settled
    if settled is None:
        return None
    outcome = settled.outcome
    following = _after(state, outcome)
    at = state.at
    cancelled = isinstance(outcome, Failure) and outcome.cls is FailureClass.CANCELLED
    if at is not None and at.held and not cancelled and (isinstance(following, Closing) or following.to is Phase.REPLAN):
        # What a person was offered once is not taken away by half a word that they type: the step waits until the text moves again.
        return _to(state, Phase.IDLE, -1)
    if not isinstance(following, Closing) and (why := _spent(state, following)):
        following = Closing(Ending.LIMIT, why)
    if isinstance(following, Closing) and _offers(state) and not cancelled:
        # What is ready stays offered; nothing further is begun.
        return Advanced(state.phase, Phase.IDLE, -1, settled.action.id, following.ending, following.reason)
    return following


def _offers(state: RunState) -> bool:
    """True while a step waits for a person, or begins to with this very result."""
    settled = state.settled
    # A change that holds and that only the judge is against waits for a person, too: it is shown, and not offered.
    holds = settled is not None and isinstance(settled.outcome, Verified) and not settled.outcome.broken
    return holds or any(s.status in WAITS for s in state.steps[: state.step if state.step >= 0 else len(state.steps)])


def _spent(state: RunState, following: Advanced) -> str:
    """Why the run cannot go where its result leads, "" when it can."""
    if state.phase is Phase.VERIFY and following.to is Phase.CONSTRAIN and state.turn >= state.limits.wind_down:
        return f"{state.turn} model turns went into one step: no further one is begun"
    step = following.step if following.to in _ASKING else -1
    return used_up(replace(state, phase=following.to, step=step))


def _after(state: RunState, outcome: Outcome) -> Advanced | Closing:
    match outcome:
        case Refused():
            return Closing(Ending.REFUSED, f"{state.why}; {outcome.reason}" if state.why else outcome.reason)
        case Failure():
            return _failed(state, outcome)
        case Reading():
            return _to(state, state.phase, state.step)
        case Planned():
            return _to(state, Phase.CONSTRAIN, _first_planned(state))
        case Constrained():
            return _to(state, Phase.EDIT, state.step)
        case Drafted():
            return _to(state, Phase.VALIDATE, state.step)
        case Validated():
            return _validated(state, outcome)
        case Verified():
            return _verified(state, outcome)
        case Swept():
            # The text may be back by the time that somebody looks for what no longer holds.
            return _to(state, Phase.EDIT if outcome.stale >= 0 else Phase.IDLE, outcome.stale)
        case Noted():
            return _to(state, Phase.PLAN, state.step)
        case Delivered():
            return Closing(Ending.ESCALATED, "a delivery is no result of the work lane")
        case _:
            assert_never(outcome)


def _verified(state: RunState, outcome: Verified) -> Advanced | Closing:
    if failure_words(outcome):
        return _retry(state, failure_words(outcome))
    following = _first_planned(state)
    return _to(state, Phase.CONSTRAIN, following) if following >= 0 else _to(state, Phase.IDLE, -1)


def _to(state: RunState, phase: Phase, step: int) -> Advanced:
    because = state.settled.action.id if state.settled else ""
    return Advanced(state.phase, phase, step, because)


def _first_planned(state: RunState) -> int:
    """The first step to draft; the one at work counts as drafted once its check is through."""
    done = state.step if state.phase is Phase.VERIFY else -1
    waiting = {StepStatus.PLANNED, StepStatus.STALE, StepStatus.DRAFTING}
    return next((i for i, s in enumerate(state.steps) if s.status in waiting and i != done), -1)


def _validated(state: RunState, outcome: Validated) -> Advanced | Closing:
    evidence = outcome.evidence
    if evidence.green:
        return _to(state, Phase.VERIFY, state.step)
    if not evidence.new:
        return Closing(Ending.ESCALATED, findings_words(evidence))
    at = state.steps[state.step]
    back = next((d for d in evidence.new if d.fingerprint in at.back), None)
    if back is not None:
        return Closing(Ending.ESCALATED, f"a finding that had been cleared is back: {back.tool} {back.code}")
    return _retry(state, findings_words(evidence))


def _failed(state: RunState, failure: Failure) -> Advanced | Closing:
    if failure.cls is FailureClass.CANCELLED:
        return Closing(Ending.CANCELLED, failure.message)
    if failure.code == "moved" and state.phase in _MOVABLE and state.step >= 0:
        return _to(state, Phase.IDLE, -1)
    if failure.code == "unplanned" and state.phase is Phase.EDIT and state.attempt < state.limits.attempts:
        return _to(state, Phase.PLAN, state.step)
    hopeless = failure.bucket is Bucket.OUTPUT and failure.cls is FailureClass.PERMANENT
    stuck = hopeless or failure.code in _CYCLES or failure.bucket is Bucket.TOOL or state.phase in {Phase.REPLAN, Phase.IDLE}
    if stuck:
        return Closing(Ending.ESCALATED, f"{state.why}; {failure.message}" if state.why else failure.message)
    return _retry(state, failure.message)


def _retry(state: RunState, why: str) -> Advanced | Closing:
    if state.attempt >= state.limits.attempts:
        return Closing(Ending.ESCALATED, f"after {state.attempt} attempts: {why}")
    at = state.at
    if at is not None and at.verify_rounds >= state.limits.verify_rounds:
        return Closing(Ending.ESCALATED, f"unverified after {at.verify_rounds} rounds: {why}")
    if state.turn >= state.limits.wind_down:
        return Closing(Ending.LIMIT, f"after {state.turn} model turns nothing is tried again: {why}")
    return _to(state, Phase.REPLAN, state.step)


def guard(state: RunState, event: Advanced) -> bool:
    """True when the result that the run advances on carries this edge."""
    settled = state.settled
    if settled is None:
        return False
    expected = advance(state)
    return isinstance(expected, Advanced) and expected == event
