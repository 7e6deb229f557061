"""Rules of the contract that no other test would miss, each by the words in which it is broken."""

from dataclasses import replace

import pytest

from surefoot.core.sites import Ledger
from surefoot.run.events import Action, Advanced, Authority, Delivery, Event, Intended, Moved, Permitted, Phase, Resulted
from surefoot.run.fold import fold, step
from surefoot.run.legality import check
from surefoot.run.next import advance, next_action
from surefoot.run.outcomes import Delivered, Landed, Outcome, Planned, Reading, Role, Span, Spent, Swept
from surefoot.run.state import RunState
from tests.run.malformed import HALT, READY, STALE, STORY
from tests.run.onward import following
from tests.support.story import PATH, STARTED


def at(*events: Event) -> RunState:
    state = fold(events)
    assert state is not None
    return state


def resulted(state: RunState, outcome: Outcome, *spent: Spent) -> Resulted:
    pending = state.work or state.delivery
    assert pending is not None
    return Resulted(pending.action.id, pending.action.input, outcome, spent)


def begun(*events: Event) -> RunState:
    """The state with its next action begun and allowed."""
    state = at(*events)
    for _ in range(2):
        state = step(state, following(state))
    return state


def delivery(**change: object) -> Intended:
    event = STORY[READY]
    assert isinstance(event, Intended)
    return Intended(replace(event.action, **change))


PLANNING, SWEEPING, APPLYING = begun(STARTED), begun(*STALE), begun(*STORY[:READY])
LANDED = Landed(PATH, "before", "after")
BROKEN: tuple[tuple[str, RunState | None, Event], ...] = (
    ("a run has a name", None, replace(STARTED, run="")),
    ("an action is numbered by those before it", at(*STORY[:READY]), delivery(n=0)),
    ("a delivery quotes its change", at(*STORY[:READY]), delivery(input="0" * 32)),
    ("a delivery quotes its change", at(*STORY[:READY]), delivery(input="")),
    ("a plan has a step", PLANNING, resulted(PLANNING, Planned((), Ledger(()), ""))),
    ("a sweep names a step that no longer holds", SWEEPING, resulted(SWEEPING, Swept(1))),
    ("a delivery lands what its change says", APPLYING, resulted(APPLYING, Delivered(()))),
    ("a delivery lands what its change says", APPLYING, resulted(APPLYING, Delivered((replace(LANDED, after="other"),)))),
    ("a delivery lands what its change says", APPLYING, resulted(APPLYING, Delivered((LANDED, replace(LANDED, path=PATH.parent))))),
    ("only steps that wait can go stale", at(*STORY[:5]), Moved((), (0,))),
    ("a step that holds again is not stale", at(*STALE), Moved((), (0,), (0,))),
    ("a halt names what was rejected, and the rule", at(STARTED), replace(HALT, rule="")),
    ("only a model that was asked reads on", PLANNING, resulted(PLANNING, Reading((Span(PATH, 1, 2),)))),
)


@pytest.mark.parametrize(("rule", "state", "event"), BROKEN, ids=[f"{n}: {rule}" for n, (rule, _, _) in enumerate(BROKEN)])
def test_a_rule_that_is_broken_is_named(rule: str, state: RunState | None, event: Event) -> None:
    broken = check(state, event)
    assert broken is not None
    assert broken.rule == rule
    assert broken.field


def test_an_intent_of_an_earlier_look_is_stale_though_it_is_of_the_step_and_attempt_at_work() -> None:
    """Else its action would bear a name that has been used, and a late result could be taken for its own."""
    first = next_action(at(STARTED))
    assert isinstance(first, Action)
    asked = (STARTED, Intended(first), Permitted(first.id, True, Authority.POLICY))
    read = resulted(at(*asked), Reading((Span(PATH, 1, 2),)), Spent(Role.EDITOR, 1, 1))
    onward = advance(at(*asked, read))
    assert isinstance(onward, Advanced)
    state = at(*asked, read, onward)
    assert (state.phase, state.step, state.attempt) == (Phase.PLAN, first.step, first.attempt)
    broken = check(state, Intended(first))
    assert broken is not None
    assert broken.rule == "an action is numbered by those before it"
    again = next_action(state)
    assert isinstance(again, Action)
    assert again.id != first.id
    assert check(state, Intended(again)) is None


def test_a_sweep_that_finds_nothing_leaves_the_run_where_it_was() -> None:
    """The text was back before anybody looked."""
    state = step(SWEEPING, resulted(SWEEPING, Swept(-1)))
    onward = advance(state)
    assert isinstance(onward, Advanced)
    assert (onward.to, onward.step) == (Phase.IDLE, -1)
    assert check(state, onward) is None
    assert step(state, onward).phase is Phase.IDLE


def test_what_lands_may_be_told_in_any_order() -> None:
    assert APPLYING.delivery is not None
    assert APPLYING.delivery.action.verb is Delivery.APPLY
    assert check(APPLYING, resulted(APPLYING, Delivered((LANDED,)))) is None
