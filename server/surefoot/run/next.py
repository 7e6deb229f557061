"""What a run does next: a pure function of its state. The driver runs it, the legality table checks it."""

import hashlib

from surefoot.core.value import value
from surefoot.run.events import Action, Advanced, Ending, Lane, Phase
from surefoot.run.outcomes import (
    Bucket,
    Constrained,
    Drafted,
    Failure,
    FailureClass,
    Noted,
    Outcome,
    Planned,
    Refused,
    Swept,
    Validated,
    Verified,
)
from surefoot.run.state import OVER, RunState, StepState, StepStatus
from surefoot.run.words import failure_words, findings_words

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
    if state.actions >= state.limits.actions:
        return Closing(Ending.LIMIT, f"{state.actions} actions are all that a run may take")
    stale = next((s for s in state.steps if s.status is StepStatus.STALE), None)
    if state.phase is not Phase.IDLE or (stale is not None and not stale.stuck):
        return _action(state)
    if state.delivery is None and state.steps and all(s.status in OVER for s in state.steps):
        return Closing(Ending.DONE, _done(state.steps))
    return None


def _done(steps: tuple[StepState, ...]) -> str:
    applied = sum(s.status is StepStatus.APPLIED for s in steps)
    skipped = len(steps) - applied
    return f"{applied} of {len(steps)} steps applied" + (f", {skipped} skipped" if skipped else "")


def _action(state: RunState) -> Action:
    return Action(state.run, Lane.WORK, state.phase, state.step, state.attempt, state.actions, input_of(state))


def input_of(state: RunState) -> str:
    """Digest of all that the work lane's next action goes by, but for the texts, which their own digests follow."""
    parts = [state.task.text, state.phase, str(state.step), state.note, state.draft.change.digest if state.draft else ""]
    parts += [f"{c.origin}:{c.path}:{c.line}:{c.text}" for c in state.constraints]
    parts += [s.draft.change.digest if s.draft else s.planned.title for s in state.steps]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def advance(state: RunState) -> Advanced | Closing | None:
    """Where the last result of the work lane leads: along an edge, or to the end; None when nothing is settled."""
    settled = state.settled
    if settled is None:
        return None
    outcome = settled.outcome
    following = _after(state, outcome)
    at = state.steps[state.step] if 0 <= state.step < len(state.steps) else None
    cancelled = isinstance(outcome, Failure) and outcome.cls is FailureClass.CANCELLED
    if at is None or not at.held or cancelled or (isinstance(following, Advanced) and following.to is not Phase.REPLAN):
        return following
    # What a person was offered once is not taken away by half a word that they type: the step waits until the text moves again.
    return _to(state, Phase.IDLE, -1)


def _after(state: RunState, outcome: Outcome) -> Advanced | Closing:
    if isinstance(outcome, Refused):
        return Closing(Ending.REFUSED, f"{state.why}; {outcome.reason}" if state.why else outcome.reason)
    if isinstance(outcome, Failure):
        return _failed(state, outcome)
    match outcome:
        case Planned():
            return _to(state, Phase.CONSTRAIN, _first_planned(state))
        case Constrained():
            return _to(state, Phase.EDIT, state.step)
        case Drafted():
            return _to(state, Phase.VALIDATE, state.step)
        case Validated():
            return _validated(state, outcome)
        case Verified() if outcome.broken:
            return _retry(state, failure_words(outcome))
        case Verified():
            following = _first_planned(state)
            return _to(state, Phase.CONSTRAIN, following) if following >= 0 else _to(state, Phase.IDLE, -1)
        case Swept():
            return _to(state, Phase.EDIT, outcome.stale)
        case Noted():
            return _to(state, Phase.PLAN, state.step)
        case _:
            return Closing(Ending.ESCALATED, "the last result leads nowhere")


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
    back = next((d for d in evidence.new if d.fingerprint in at.cleared), None)
    if back is not None:
        return Closing(Ending.ESCALATED, f"a finding that had been cleared is back: {back.tool} {back.code}")
    return _retry(state, findings_words(evidence))


def _failed(state: RunState, failure: Failure) -> Advanced | Closing:
    if failure.cls is FailureClass.CANCELLED:
        return Closing(Ending.CANCELLED, failure.message)
    if failure.code == "moved" and state.phase in _MOVABLE and state.step >= 0:
        return _to(state, Phase.IDLE, -1)
    if failure.code == "unplanned" and state.attempt < state.limits.attempts:
        return _to(state, Phase.PLAN, state.step)
    stuck = failure.code == "seen" or failure.bucket is Bucket.TOOL or state.phase in {Phase.REPLAN, Phase.IDLE}
    if stuck:
        return Closing(Ending.ESCALATED, f"{state.why}; {failure.message}" if state.why else failure.message)
    return _retry(state, failure.message)


def _retry(state: RunState, why: str) -> Advanced | Closing:
    if state.attempt >= state.limits.attempts:
        return Closing(Ending.ESCALATED, f"after {state.attempt} attempts: {why}")
    at = state.steps[state.step] if 0 <= state.step < len(state.steps) else None
    if at is not None and at.verify_rounds >= state.limits.verify_rounds:
        return Closing(Ending.ESCALATED, f"unverified after {at.verify_rounds} rounds: {why}")
    return _to(state, Phase.REPLAN, state.step)


def guard(state: RunState, event: Advanced) -> bool:
    """True when the result that the run advances on carries this edge."""
    settled = state.settled
    if settled is None:
        return False
    expected = advance(state)
    return isinstance(expected, Advanced) and expected == event
