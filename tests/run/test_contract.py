"""The contract of a run: each illegal event is rejected, changes nothing but `attention`, and leaves no byte of itself behind."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import pytest

from surefoot.core.errors import JournalError, Rejected
from surefoot.core.findings import Verdict
from surefoot.journal.journal import Journal
from surefoot.journal.shape import decode, encode
from surefoot.run import limits
from surefoot.run.events import (
    Action,
    Advanced,
    Authority,
    Closed,
    Delivery,
    Ending,
    Event,
    Halted,
    Intended,
    Lane,
    Moved,
    Permitted,
    Phase,
    Report,
    Resulted,
    Resumed,
    Skip,
    Started,
    Told,
)
from surefoot.run.fold import step
from surefoot.run.legality import EDGES, check
from surefoot.run.limits import Limits
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import (
    Bucket,
    Failure,
    FailureClass,
    Validated,
    Verified,
)
from surefoot.run.state import RunState, StepStatus
from tests.support.story import CANARY, INVERSE, OUTCOMES, STARTED, STORY, after, evidence

REPORT = Report(("nothing",), ("all",), ("none",))


def test_the_story_is_legal_and_done() -> None:
    state: RunState | None = None
    for event in STORY:
        assert check(state, event) is None, event
        state = step(state, event)
    assert state is not None
    assert state.steps[0].status is StepStatus.APPLIED


def test_limits() -> None:
    numbers = {f.name: getattr(Limits(), f.name) for f in fields(Limits)}
    assert numbers == {
        "attempts": 3,
        "verify_rounds": 2,
        "turns": 20,
        "wind_down": 16,
        "tokens": 200_000,
        "micros": 0,
        "note_words": 25,
        "diff_soft": 50,
        "diff_hard": 150,
        "constraints": 8,
        "constraint_words": 30,
        "actions": 20_000,
    }
    others = {name: number for name, number in vars(limits).items() if name.isupper()}
    assert others == {
        "TRANSPORT_RETRIES": 3,
        "TRANSPORT_BASE_SECONDS": 1.0,
        "TRANSPORT_WAIT_CAP_SECONDS": 60.0,
        "TRUNCATIONS": 3,
        "STRIKES": 3,
        "RERUNS": 3,
        "JUDGE_TOKENS": 256,
        "NOTE_WORDS": 25,
        "NOTE_TOKENS": 128,
        "MENU_WAIT_SECONDS": 0.3,
        "CHECK_TIMEOUT_SECONDS": 30.0,
        "OFFER_GATE_SECONDS": 10.0,
        "OUTPUT_BYTES": 32 * 2**20,
        "SHADOW_BYTES": 2 * 2**30,
        "CONSTRAINT_TOKENS": 30,
        "PUSH_SECONDS": 5.0,
        "CHILD_TRIES": 4,
        "OPINION_SECONDS": 60.0,
        "OPINIONS_ASKED": 16,
        "OPINION_FILES": 64,
        "HEADER_LINES": 32,
        "CHECKERS_KEPT": 8,
        "SAID_ONCE": 256,
        "BLOB_BYTES": 4 * 2**20,
        "RETENTION_DAYS": 90,
        "RETENTION_BYTES": 2**30,
        "SHAPE_BYTES": 256 * 1024,
        "OPEN_RUNS": 20,
    }


@pytest.mark.parametrize("count", range(1, len(STORY)))
def test_the_next_event_of_the_story_twice_is_once_legal(count: int) -> None:
    """A repeated event is stale: whatever it is, its second time is refused."""
    event = STORY[count]
    assert check(step(after(count), event), event) is not None


@pytest.mark.parametrize("count", range(1, len(STORY) - 1))
def test_an_event_that_is_left_out_makes_the_next_one_illegal(count: int) -> None:
    """Every event of this story is needed by the one after it, but for the ruling and what follows a result."""
    assert check(after(count), STORY[count + 1]) is not None


def _with(event: Event, **change: object) -> Event:
    return replace(event, **change)


CASES: tuple[tuple[str, int, Callable[[Event], Event]], ...] = (
    ("cross-run intent", 1, lambda e: _with(e, action=replace(e.action, run="r2"))),  # type: ignore[union-attr]
    ("intent of another phase", 1, lambda e: _with(e, action=replace(e.action, verb=Phase.EDIT))),  # type: ignore[union-attr]
    ("intent of another attempt", 1, lambda e: _with(e, action=replace(e.action, attempt=2))),  # type: ignore[union-attr]
    ("ruling on nothing", 2, lambda e: _with(e, action="0" * 16)),
    ("result of nothing", 3, lambda e: _with(e, action="0" * 16)),
    ("result on another input", 3, lambda e: _with(e, input="0" * 32)),
    ("result of another kind", 3, lambda e: _with(e, outcome=Verified(()))),
    ("advance along no edge", 4, lambda e: _with(e, to=Phase.VERIFY)),
    ("advance for no reason", 4, lambda e: _with(e, because="0" * 16)),
    ("evidence for another change", 15, lambda e: _with(e, outcome=Validated(evidence(INVERSE)))),
    ("completion without result", 14, lambda e: Closed(Ending.DONE, CANARY, REPORT)),
    ("done with a step to do", 13, lambda e: Closed(Ending.DONE, CANARY, REPORT)),
    ("a report with an empty part", 1, lambda e: Closed(Ending.DONE, CANARY, Report((), ("x",), ("x",)))),
    ("a second start", 1, lambda e: STARTED),
    ("resuming what never stopped", 1, lambda e: Resumed(9)),
    ("skipping a step that is not there", 1, lambda e: Told(Skip(7))),
    ("a step that is not there going stale", 1, lambda e: Moved((), (7,))),
    ("applying before there is a step", 1, lambda e: Intended(Action("r1", Lane.DELIVERY, Delivery.APPLY, 0, 1, 0, CANARY))),
)


@pytest.mark.parametrize(("name", "count", "mutate"), CASES, ids=[c[0] for c in CASES])
def test_a_rejected_event_changes_nothing_but_attention(name: str, count: int, mutate: Callable[[Event], Event], tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    state = journal.commit(None, *STORY[:count], at=1.0)
    halted = journal.commit(state, mutate(STORY[count]), at=2.0)
    assert halted.attention
    assert replace(halted, attention="", halted=None, events=state.events) == state
    assert journal.load("r1") == halted
    last = journal.read("r1").entries[-1].event
    assert isinstance(last, Halted)
    assert last.rule
    journal.close()
    assert CANARY.encode() not in (journal.folder / "journal.sqlite").read_bytes()


def test_a_batch_is_accepted_whole_or_not_at_all(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    state = journal.commit(None, STARTED, at=1.0)
    halted = journal.commit(state, STORY[1], STORY[2], STORY[2], at=2.0)
    assert halted.work is None
    assert [type(e.event) for e in journal.read("r1").entries] == [Started, Halted]
    journal.close()


def test_nothing_starts_while_the_run_wants_attention_and_it_goes_on_when_resumed(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    state = journal.commit(None, STARTED, at=1.0)
    halted = journal.commit(state, STORY[5], at=2.0)
    assert next_action(halted) is None
    assert check(halted, STORY[1]) is not None
    resumed = journal.commit(halted, Resumed(halted.events), at=3.0)
    assert next_action(resumed) == next_action(state)
    journal.close()


@pytest.mark.parametrize(
    "event", [STARTED, *STORY[1:], Halted("closed", "0" * 32, "rule", "field", ""), Resumed(9), Told(Skip(0)), Moved((), ())], ids=str
)
def test_events_read_back_as_themselves_and_unknown_fields_are_refused(event: Event) -> None:
    body = encode(event)
    assert decode(body) == event
    with pytest.raises(Rejected) as caught:
        decode(json.dumps({**json.loads(body), "extra": CANARY}).encode())
    assert CANARY not in str(caught.value)


def test_a_torn_row_is_told_and_its_content_is_not(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    journal.commit(None, *STORY[:4], at=1.0)
    with sqlite3.connect(journal.folder / "journal.sqlite") as db:
        db.execute("UPDATE events SET body = ? WHERE seq = 2", (f'{{"kind": "intended", "{CANARY}".encode()',))
    db.close()
    torn = journal.load("r1")
    assert torn.attention
    assert torn.work is None
    assert CANARY not in torn.attention
    journal.close()


def test_a_run_starts_with_its_start(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    with pytest.raises(Rejected):
        journal.commit(None, Resumed(9), at=1.0)
    with pytest.raises(JournalError, match="surefoot runs list"):
        journal.load("r9")
    journal.close()


def test_a_journal_of_a_newer_surefoot_is_refused(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    journal.close()
    with sqlite3.connect(journal.folder / "journal.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(JournalError, match="newer Surefoot"):
        Journal(Path("/x"), tmp_path)


def test_a_journal_is_the_users_own(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    assert (journal.folder / "journal.sqlite").stat().st_mode & 0o777 == 0o600
    journal.close()


def test_no_offer_without_green_evidence_for_that_very_change() -> None:
    ready = after(len(STORY) - 4)
    assert ready.steps[0].offered
    red = replace(ready.steps[0], evidence=evidence(verdict=Verdict.UNAVAILABLE))
    other = replace(ready.steps[0], evidence=evidence(INVERSE))
    assert not red.offered
    assert not other.offered


@pytest.mark.parametrize("failure", [Failure(b, c, "x", "words") for b in Bucket for c in FailureClass], ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("outcome", range(len(OUTCOMES)))
def test_each_phase_ends_each_failure_in_a_defined_way(outcome: int, failure: Failure) -> None:
    state = after(1 + 4 * outcome)
    action = next_action(state)
    assert isinstance(action, Action)
    for event in (Intended(action), Permitted(action.id, True, Authority.POLICY), Resulted(action.id, action.input, failure)):
        assert check(state, event) is None
        state = step(state, event)
    following = advance(state)
    if failure.bucket is Bucket.TRANSPORT and failure.cls is not FailureClass.CANCELLED:
        # The way to a model is for a person to put right; then the very action is issued again.
        assert (following, next_action(state), state.attention) == (None, None, "words")
        again = next_action(step(state, Resumed(state.events)))
        assert isinstance(again, Action)
        assert replace(again, n=action.n) == action
        return
    assert isinstance(following, Closing) or (isinstance(following, Advanced) and check(state, following) is None)


def test_every_edge_starts_and_ends_in_a_phase() -> None:
    assert set(EDGES) == set(Phase)
