"""Every phase, and every delivery, with every failure that there is: each ends in a defined way."""

from itertools import product

import pytest

from surefoot.run.events import Action, Advanced, Authority, Delivery, Intended, Lane, Moved, Permitted, Phase, Resulted
from surefoot.run.limits import Limits
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed, Validated, Verified
from surefoot.run.requests import Apply, Revert, allowed
from surefoot.run.state import RunState, StepStatus
from tests.loop.simulated import FILE, Simulation, drafted, evidence

CODES = ("moved", "size", "seen", "same note", "unplanned", "denied", "partial", "unavailable", "429")
FAILURES = [Failure(b, c, code, "it did not work") for b, c, code in product(Bucket, FailureClass, CODES)]


def brought_to(phase: Phase) -> Simulation:
    """A run of two steps whose next action is of this phase; where it can be, with a step that waits for a person."""
    run = Simulation(Limits(), steps=2)
    if phase is Phase.PLAN:
        return run
    run.attempt(0, evidence(0))
    run.act(Verified(()))
    run.until(Phase.EDIT if phase in {Phase.VALIDATE, Phase.VERIFY, Phase.IDLE, Phase.REPLAN} else phase)
    if phase in {Phase.VALIDATE, Phase.VERIFY}:
        run.act(drafted(1))
    if phase is Phase.VERIFY:
        run.act(Validated(evidence(1)))
    if phase is Phase.REPLAN:
        run.attempt(1, evidence(1, frozenset({"bad"})))
    if phase is Phase.IDLE:
        run.attempt(1, evidence(1))
        run.act(Verified(()))
        run.accept(Moved((FILE,), (0,)))
    assert run.state.phase is phase
    return run


def defined(state: RunState) -> bool:
    """The run has ended, wants a person, has something to do, or waits with something that a person can act on."""
    waits = any(s.status in {StepStatus.READY, StepStatus.STALE, StepStatus.REVERTED} for s in state.steps)
    return state.settled is None and (not state.open or bool(state.attention) or next_action(state) is not None or waits)


@pytest.mark.parametrize("phase", Phase)
def test_each_phase_ends_each_failure_in_a_defined_way(phase: Phase) -> None:
    for failure in FAILURES:
        run = brought_to(phase)
        before = run.state
        run.act(failure)
        now = run.state
        assert defined(now), failure
        cancelled = failure.cls is FailureClass.CANCELLED
        assert bool(now.attention) == (failure.bucket is Bucket.TRANSPORT and not cancelled), failure
        assert not cancelled or not now.open, failure
        # What a person was offered stays offered, unless they stopped the run themselves.
        assert cancelled or [s.offered for s in now.steps[:1]] == [s.offered for s in before.steps[:1]], failure


@pytest.mark.parametrize("verb", Delivery)
def test_each_delivery_ends_each_failure_in_a_defined_way(verb: Delivery) -> None:
    for failure in FAILURES:
        run = brought_to(Phase.CONSTRAIN)
        deliver(run, Delivery.APPLY, None)
        if verb is Delivery.REVERT:
            deliver(run, verb, failure)
        else:
            deliver(run, Delivery.REVERT, None)
            deliver(run, verb, failure)
        now = run.state
        assert defined(now), failure
        assert now.delivery is None
        assert bool(now.attention) == (failure.code == "partial"), failure
        applied = now.steps[0].status is StepStatus.APPLIED
        assert applied == (verb is Delivery.REVERT), failure
        assert now.attention or failure.code == "moved" or allowed(now, Revert() if applied else Apply(0)) == "", failure


def deliver(run: Simulation, verb: Delivery, failure: Failure | None) -> None:
    """Apply or revert the first step."""
    draft = run.state.steps[0].draft
    assert draft is not None
    change = draft.change if verb is Delivery.APPLY else draft.inverse
    action = Action("r1", Lane.DELIVERY, verb, 0, 1, run.state.actions, change.digest)
    landed = Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))
    run.accept(Intended(action))
    run.accept(Permitted(action.id, True, Authority.PERSON))
    run.accept(Resulted(action.id, action.input, failure or landed))


def test_a_failure_leads_where_the_table_says_or_to_the_end() -> None:
    for phase, failure in product(Phase, FAILURES):
        run = brought_to(phase)
        action = next_action(run.state)
        assert isinstance(action, Action)
        run.accept(Intended(action))
        run.accept(Permitted(action.id, True, Authority.POLICY))
        run.accept(Resulted(action.id, action.input, failure))
        following = advance(run.state)
        assert following is None or isinstance(following, Advanced | Closing)
        assert (following is None) == bool(run.state.attention)
