"""The contract as a machine: whatever is put at the door of a real journal, and in whatever order, what the state says stays true."""

import hashlib
import random
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from bench.contract.mutants import Pool, mutant
from bench.contract.walks import FILES, ROOT, closed, onward, started
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from surefoot.core.errors import Rejected
from surefoot.journal.journal import Journal
from surefoot.journal.shape import state_hash
from surefoot.run.events import (
    Action,
    Advanced,
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
    Told,
    Waive,
)
from surefoot.run.fold import fold
from surefoot.run.legality import check
from surefoot.run.outcomes import Failure, Validated
from surefoot.run.requests import Apply, Cancel, Request, Resume, Revert, allowed
from surefoot.run.state import RunState, StepStatus
from tests.run.malformed import CONSTRAINT, HALT, KINDS, STORY, WAIVE
from tests.run.onward import following

rngs = st.randoms(use_true_random=False)
requests: st.SearchStrategy[Request] = st.one_of(
    st.builds(Apply, st.integers(-1, 3)),
    st.just(Revert()),
    st.builds(Skip, st.integers(-1, 3)),
    st.just(Constrain(CONSTRAINT)),
    st.just(WAIVE),
    st.just(Cancel()),
    st.just(Resume()),
)


class Contract(RuleBasedStateMachine):
    """A run at the door of its journal."""

    kinds: ClassVar[set[str]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="surefoot-machine-"))
        self.journal = Journal(ROOT, self.folder)

    @initialize(rng=rngs)
    def starts(self, rng: random.Random) -> None:
        self.state = self.journal.commit(None, started(rng, "r1"), at=1.0)
        self.before = self.state

    @rule(rng=rngs, times=st.integers(1, 12))
    def goes_on(self, rng: random.Random, times: int) -> None:
        for _ in range(times):
            if self.state.open:
                self.accepts(onward(rng, self.state))

    @rule(times=st.integers(1, 25))
    def goes_well(self, times: int) -> None:
        """All that is asked for is given, until a step waits for a person."""
        for _ in range(times):
            if not self.state.open or any(s.offered for s in self.state.steps):
                return
            if check(self.state, event := following(self.state)) is None:
                self.accepts(event)

    @rule(request=requests)
    def is_asked(self, request: Request) -> None:
        """What may be done is legal, and what may not be done is refused before any event is made."""
        if allowed(self.state, request) == "" and (event := _made_of(self.state, request)) is not None:
            self.accepts(event)

    @rule(rng=rngs)
    def is_given_a_mutant(self, rng: random.Random) -> None:
        entries = [e.event for e in self.journal.read("r1").entries]
        due = onward(rng, self.state) if self.state.open else entries[-1]
        self.puts(mutant(rng, 0, Pool(due, entries, list(STORY))).given)

    @rule(event=st.sampled_from((*STORY, HALT, Resumed(1), Told(Skip(9)), Moved((), (9,)))))
    def is_given_an_event_of_another_run(self, event: Event) -> None:
        if check(self.state, event) is not None:
            self.rejects(event)

    @precondition(lambda self: self.state.open and not self.state.attention)
    @rule(given=st.sampled_from([b"", b"{", b"[]", b'{"kind":"closed"}', b'{"kind":"nothing"}']))
    def halts(self, given: bytes) -> None:
        self.rejects(given)

    @precondition(lambda self: self.state.open and bool(self.state.attention))
    @rule()
    def resumes(self) -> None:
        self.accepts(Resumed(self.state.events))

    @precondition(lambda self: self.state.open)
    @rule(index=st.integers(0, 3), void=st.booleans(), back=st.booleans())
    def sees_text_move(self, index: int, void: bool, back: bool) -> None:
        event = Moved(FILES, (), (index,)) if back else Moved(FILES, (index,), void=(index,) if void else ())
        if check(self.state, event) is None:
            self.accepts(event)

    @rule()
    def is_opened_again(self) -> None:
        self.journal.close()
        self.journal = Journal(ROOT, self.folder)
        assert self.journal.load("r1") == self.state

    def accepts(self, event: Event) -> None:
        assert check(self.state, event) is None
        assert self.puts(event) is event

    def rejects(self, given: Event | bytes) -> None:
        assert self.puts(given) is not given

    def puts(self, given: Event | bytes) -> Event | bytes | None:
        """Put something at the door; what was accepted, None where it was rejected."""
        before = self.state
        if not before.open:
            _refused(self.journal, before, given)
            return None
        self.before, self.state = before, self.journal.commit(before, given, at=2.0)
        last = self.journal.read("r1").entries[-1].event
        rejected = isinstance(last, Halted) and last.rejected == _digest(given)
        if rejected:
            assert replace(self.state, attention=before.attention, halted=before.halted, events=before.events) == before
        self.kinds.add(last.kind)
        return None if rejected else given

    @invariant()
    def is_the_fold_of_its_journal(self) -> None:
        again = self.journal.load("r1")
        assert again == self.state
        assert state_hash(again) == state_hash(self.state)
        assert again == fold(e.event for e in self.journal.read("r1").entries)

    @invariant()
    def has_one_action_at_most_in_each_lane(self) -> None:
        open_actions: dict[str, Action] = {}
        ruled: set[str] = set()
        done: set[str] = set()
        for event in (e.event for e in self.journal.read("r1").entries):
            if isinstance(event, Intended):
                assert event.action.lane not in {a.lane for a in open_actions.values()}
                assert event.action.id not in open_actions
                open_actions[event.action.id] = event.action
            if isinstance(event, Permitted):
                assert event.action in open_actions
                ruled.add(event.action)
            if isinstance(event, Resulted):
                del open_actions[event.action]
                done.add(event.action)
            # Where a run goes traces to what was intended, ruled on, and came back.
            assert not isinstance(event, Advanced) or event.because in done
            assert not isinstance(event, Resulted) or event.action in ruled or isinstance(event.outcome, Failure)
        assert {a.lane: a for a in open_actions.values()} == {
            lane: p.action for lane, p in ((Lane.WORK, self.state.work), (Lane.DELIVERY, self.state.delivery)) if p is not None
        }

    @invariant()
    def offers_nothing_without_green_evidence(self) -> None:
        green = {
            event.outcome.evidence.change
            for event in (e.event for e in self.journal.read("r1").entries)
            if isinstance(event, Resulted) and isinstance(event.outcome, Validated) and event.outcome.evidence.green
        }
        for step in self.state.steps:
            assert not step.offered or (step.draft is not None and step.draft.change.digest in green)
            assert step.status not in {StepStatus.READY, StepStatus.APPLIED} or step.draft is not None

    @invariant()
    def counts_only_upwards(self) -> None:
        before, now = self.before, self.state
        for name in ("events", "actions", "tokens", "micros", "turns", "plan_attempts"):
            assert getattr(now, name) >= getattr(before, name), name
        if now.step == before.step and now.at is not None and before.at is not None:
            assert now.at.turns >= before.at.turns
            assert now.at.verify_rounds >= before.at.verify_rounds

    @invariant()
    def stays_within_its_limits(self) -> None:
        state, limits = self.state, self.state.limits
        assert state.limits == self.before.limits
        assert state.actions <= limits.actions
        assert len(state.constraints) <= limits.constraints
        assert max((s.turns for s in state.steps), default=state.turns) <= max(limits.turns, 0) or not state.open
        assert all(s.attempts < limits.attempts for s in state.steps)
        assert state.plan_attempts < limits.attempts
        assert all(s.verify_rounds <= limits.verify_rounds for s in state.steps)
        # Nothing is begun on tokens that are used up: one answer at most has gone over.
        assert state.tokens < limits.tokens + 500 or not state.open or state.phase not in {Phase.PLAN, Phase.EDIT} or not state.work

    @invariant()
    def is_final_once_it_is_closed(self) -> None:
        if self.state.closed is not None:
            report = self.state.closed.report
            assert report.accomplished
            assert report.remaining
            assert report.workspace
            _refused(self.journal, self.state, Told(Constrain(CONSTRAINT)))

    def teardown(self) -> None:
        self.journal.close()
        shutil.rmtree(self.folder)


def _digest(given: Event | bytes) -> str:
    return hashlib.sha256(given if isinstance(given, bytes) else repr(given).encode()).hexdigest()[:32]


def _refused(journal: Journal, state: RunState, given: Event | bytes) -> None:
    rows = journal.rows.events("r1")
    with pytest.raises(Rejected) as caught:
        journal.commit(state, given, at=3.0)
    assert caught.value.run == "r1"
    assert journal.rows.events("r1") == rows


def _made_of(state: RunState, request: Request) -> Event | None:
    """The event that a request comes to; None where an edit under way has to be let through first."""
    match request:
        case Apply(step=index):
            draft = state.steps[index].draft
            assert draft is not None
            return Intended(Action(state.run, Lane.DELIVERY, Delivery.APPLY, index, 1, state.actions, draft.change.digest))
        case Revert():
            draft = state.steps[state.last_applied].draft
            assert draft is not None
            return Intended(Action(state.run, Lane.DELIVERY, Delivery.REVERT, state.last_applied, 1, state.actions, draft.inverse.digest))
        case Skip() | Constrain() | Waive() | Overrule():
            return Told(request)
        case Cancel():
            return None if state.work or state.delivery else closed(state, Ending.CANCELLED, "cancelled by a person")
        case Resume():
            return Resumed(state.events)


SMALL = settings(
    max_examples=25, stateful_step_count=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def test_the_contract_holds() -> None:
    run_state_machine_as_test(Contract, settings=settings(SMALL, max_examples=12))


def test_the_machine_reaches_every_kind_of_event() -> None:
    """It would prove little if it did not."""

    class Counting(Contract):
        kinds: ClassVar[set[str]] = {"started"}

    run_state_machine_as_test(Counting, settings=settings(SMALL, derandomize=True))
    assert set(KINDS) == Counting.kinds
