"""Random walks over the contract: whatever legal events come in whatever order, the invariants hold."""

import hypothesis
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from surefoot.core.change import Change, FileEdit, Size, TextEdit
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Input, Severity, Verdict
from surefoot.core.plan import Constraint, PlannedStep, Stage, Take, Task
from surefoot.core.sites import Ledger
from surefoot.core.text import Place
from surefoot.run.events import (
    Action,
    Authority,
    Closed,
    Delivery,
    Event,
    Intended,
    Lane,
    Moved,
    Permitted,
    Phase,
    Resulted,
    Skip,
    Started,
    Told,
    Waive,
)
from surefoot.run.fold import fold, start, step
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
    Refused,
    Swept,
    Tally,
    Validated,
    Verified,
)
from surefoot.run.report import report_of
from surefoot.run.state import OVER, RunState, StepStatus
from tests.support.story import PATH, ROOT

STEPS = tuple(PlannedStep(f"step {n}", "words", Stage.MIGRATE, (Take(PATH),)) for n in range(3))


def change(number: int) -> Change:
    return Change((FileEdit(PATH, f"before{number}", f"after{number}", (TextEdit(0, 1, "b"),)),))


def drafted(number: int) -> Drafted:
    return Drafted(change(number), change(-number - 1), Size(1, 1), (), (), Tally(1, 1, 1, 0, 0, 0, 0), "")


def evidence(for_change: Change, verdict: Verdict) -> Evidence:
    found = (Diagnostic(Place(PATH, 0, 1, 1, 1), "ty", "x", Severity.ERROR, "bad"),) if verdict is Verdict.NEW else ()
    run = CheckRun("ty", "1", CheckStatus(verdict), for_change.paths, 0.1)
    return Evidence(for_change.digest, verdict, (Input(PATH, "before"),), (run,), found, ())


numbers = st.integers(0, 1)
failures = st.builds(
    lambda code, cls: Failure(Bucket.CONSTRAINT, cls, code, "words"),
    st.sampled_from(["moved", "size", "seen"]),
    st.sampled_from(FailureClass),
)
fitting: dict[Phase, st.SearchStrategy[Outcome]] = {
    Phase.PLAN: st.builds(Planned, st.integers(1, 3).map(lambda n: STEPS[:n]), st.just(Ledger(())), st.just("")),
    Phase.CONSTRAIN: st.just(Constrained(("small",))),
    Phase.EDIT: st.builds(drafted, numbers),
    Phase.VALIDATE: st.builds(lambda n, v: Validated(evidence(change(n), v)), numbers, st.sampled_from([Verdict.CLEAN, *Verdict])),
    Phase.VERIFY: st.builds(lambda broken: Verified(("green",), broken), st.sampled_from(["", "", "rule"])),
    Phase.IDLE: st.builds(Swept, st.integers(-1, 2)),
    Phase.REPLAN: st.builds(lambda n: Noted(f"note {n}", (Constraint("rule", None, n, "words"),)), numbers),
}
anything: st.SearchStrategy[Outcome] = st.one_of(*fitting.values(), failures, st.just(Refused("no")))
landed = st.one_of(st.none(), failures)
asked = st.one_of(
    st.builds(lambda n: Told(Skip(n)), st.integers(0, 3)),
    st.builds(lambda n: Told(Waive(PATH, n, 1, "it is generated")), st.integers(0, 3)),
    st.builds(lambda n: Moved((), (n,)), st.integers(0, 3)),
    st.builds(lambda n: Moved((), (), (n,)), st.integers(0, 3)),
    st.builds(lambda n: Moved((), (n,), (), (n,)), st.integers(0, 3)),
)
wishes = st.one_of(
    *(st.tuples(st.just("fit"), st.fixed_dictionaries(fitting)) for _ in range(4)),
    st.tuples(st.just("work"), anything),
    st.tuples(st.just("deliver"), st.tuples(st.sampled_from(Delivery), st.integers(0, 2), landed)),
    st.tuples(st.just("event"), asked),
)


def taken(state: RunState, wish: tuple[str, object]) -> list[Event]:
    """The events that a wish makes in this state, legal or not."""
    kind, what = wish
    if kind == "event":
        return [what]  # type: ignore[list-item]
    if kind == "deliver":
        verb, index, failure = what  # type: ignore[misc]
        return _delivered(state, verb, index, failure)
    action = next_action(state)
    if isinstance(action, Closing):
        return [Closed(action.ending, action.reason, report_of(state, action.reason))]
    if action is None:
        return []
    return _acted(action, what[action.verb] if kind == "fit" else what)  # type: ignore[index, arg-type]


def _delivered(state: RunState, verb: Delivery, index: int, failure: Failure | None) -> list[Event]:
    """The events of an apply or a revert; without a failure, all that the change says has landed."""
    draft = state.steps[index].draft if index < len(state.steps) else None
    change = (draft.change if verb is Delivery.APPLY else draft.inverse) if draft is not None else Change(())
    action = Action("r1", Lane.DELIVERY, verb, index, 1, state.actions, change.digest)
    return _acted(action, failure or Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files)))


def _acted(action: Action, outcome: Outcome) -> list[Event]:
    return [Intended(action), Permitted(action.id, True, Authority.POLICY), Resulted(action.id, action.input, outcome)]


def walked(wishes: list[tuple[str, object]]) -> list[Event]:
    """The events that were accepted on the way; after each result the run goes where it leads."""
    first = Started("r1", ROOT, Task("words"), "words", Limits(), ())
    accepted: list[Event] = [first]
    state = start(first)
    for wish in wishes:
        for event in taken(state, wish):
            if check(state, event) is not None:
                break
            accepted.append(event)
            state = step(state, event)
        following = advance(state)
        if isinstance(following, Closing):
            following = Closed(following.ending, following.reason, report_of(state, following.reason))
        if following is not None and state.open and check(state, following) is None:
            accepted.append(following)
            state = step(state, following)
    return accepted


@settings(max_examples=300, deadline=None)
@given(st.lists(wishes, max_size=60))
def test_no_sequence_reaches_an_offer_without_green_evidence_for_that_very_change(wishes: list[tuple[str, object]]) -> None:
    accepted = walked(wishes)
    state: RunState | None = None
    green: set[str] = set()
    for event in accepted:
        state = step(state, event)
        if isinstance(event, Resulted) and isinstance(event.outcome, Validated) and event.outcome.evidence.green:
            green.add(event.outcome.evidence.change)
        for held in state.steps:
            assert not held.offered or (held.draft is not None and held.draft.change.digest in green)


@settings(max_examples=300, deadline=None)
@given(st.lists(wishes, max_size=60))
def test_steps_are_applied_in_order_and_a_closed_run_is_final(wishes: list[tuple[str, object]]) -> None:
    accepted = walked(wishes)
    state: RunState | None = None
    for event in accepted:
        state = step(state, event)
        applied = [i for i, s in enumerate(state.steps) if s.status is StepStatus.APPLIED]
        assert all(state.steps[i].status in OVER for i in range(max(applied, default=0)))
    assert state is not None
    assert fold(accepted) == state
    assert sum(isinstance(e, Closed) for e in accepted) <= 1
    assert not any(isinstance(e, Closed) for e in accepted[:-1])
    assert state.open or check(state, Told(Skip(0))) is not None


@pytest.mark.parametrize("status", [StepStatus.READY, StepStatus.APPLIED])
def test_the_walks_get_there(status: StepStatus) -> None:
    """They would prove nothing if they never did."""
    found = find(
        st.lists(wishes, min_size=5, max_size=60),
        lambda w: _reaches(w, status),
        settings=settings(max_examples=2000, deadline=None, derandomize=True, phases=[hypothesis.Phase.generate]),
    )
    assert _reaches(found, status)


def _reaches(wishes: list[tuple[str, object]], status: StepStatus) -> bool:
    state = fold(walked(wishes))
    return state is not None and any(s.status is status for s in state.steps)
