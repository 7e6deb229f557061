"""A journal of the first version, one from the future, and rows that somebody has touched: each opens, or says what is wrong with it."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.errors import JournalError
from surefoot.journal.chain import first, link
from surefoot.journal.journal import Journal, folder_of
from surefoot.journal.schema import VERSION
from surefoot.run.events import Constrain, Ending, Halted, Resumed, Told
from surefoot.run.fold import fold
from surefoot.run.legality import check
from surefoot.run.limits import Limits
from surefoot.run.state import StepStatus
from tests.run.malformed import CONSTRAINT, HALT, STORY
from tests.run.onward import following, onward, whole
from tests.support.story import CANARY

ROOT = Path("/x")
STORED = Path(__file__).parents[1] / "fixtures" / "journal" / "version1.sqlite"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A journal as the first version left it, where today's looks for it."""
    path = folder_of(ROOT, tmp_path) / "journal.sqlite"
    path.parent.mkdir(parents=True)
    shutil.copy(STORED, path)
    return path


def edited(path: Path, *statements: str | tuple[str, tuple[object, ...]]) -> None:
    """A hand in the file."""
    db = sqlite3.connect(path)
    with db:
        for statement in statements:
            words, values = (statement, ()) if isinstance(statement, str) else statement
            db.execute(words, values)
    db.close()


def dumped(path: Path) -> tuple[str, int]:
    """All that a file holds, and its version."""
    db = sqlite3.connect(path)
    held = "\n".join(db.iterdump()), db.execute("PRAGMA user_version").fetchone()[0]
    db.close()
    return held


def test_every_run_of_the_first_version_is_there(file: Path, tmp_path: Path) -> None:
    before = sqlite3.connect(file)
    rows = before.execute("SELECT run, seq, at, kind FROM events ORDER BY run, seq").fetchall()
    before.close()
    journal = Journal(ROOT, tmp_path)
    assert [(r.id, r.task, r.started, r.ending, r.origin) for r in journal.runs()] == [
        ("r4", "rename a to b (r4)", 4000.0, "", ""),
        ("r3", "rename a to b (r3)", 3000.0, "", ""),
        ("r2", "rename a to b (r2)", 2000.0, "", ""),
        ("r1", "rename a to b", 1000.0, "done", ""),
    ]
    done, waiting, resumed, halted = (journal.load(name) for name in ("r1", "r2", "r3", "r4"))
    assert done.closed is not None
    assert (done.closed.ending, [s.status for s in done.steps]) == (Ending.DONE, ["applied"])
    assert (waiting.open, waiting.attention, [s.status for s in waiting.steps]) == (True, "", ["skipped"])
    assert [c.text for c in waiting.constraints] == ["keep the old name for callers outside"]
    assert (resumed.open, resumed.attention) == (True, "")
    assert halted.open
    assert "a run starts once" in halted.attention
    # What the first version did not know yet has the values that it went by.
    assert {run.limits for run in (done, waiting, resumed, halted)} == {Limits(actions=done.limits.actions)}
    stored = [(name, r.seq, r.at, r.kind) for name in ("r1", "r2", "r3", "r4") for r in journal.rows.events(name)]
    assert stored == rows
    journal.close()
    assert dumped(file)[1] == VERSION


def test_the_rows_of_the_first_version_are_chained_now(file: Path, tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    for name in ("r1", "r2", "r3", "r4"):
        before = first(name)
        for row in journal.rows.events(name):
            before = link(before, row.seq, row.at, row.body)
            assert row.hash == before
        assert journal.read(name).damage is None
    journal.close()
    edited(file, "UPDATE events SET at = at + 1 WHERE run = 'r2' AND seq = 5")
    again = Journal(ROOT, tmp_path)
    assert "row 5" in again.load("r2").attention
    again.close()


def test_runs_of_the_first_version_go_on(file: Path, tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    for name in ("r2", "r3", "r4"):
        state = journal.load(name)
        for event in tuple(onward(state)):
            state = journal.commit(state, event, at=9000.0)
        assert state.closed is not None
        assert state.closed.ending is Ending.DONE
        assert journal.load(name) == state
    assert sorted(r.ending for r in journal.runs()) == ["done"] * 4
    journal.close()


def test_a_halt_of_the_first_version_is_resumed_from_where_it_was(file: Path, tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    events = [e.event for e in journal.read("r3").entries]
    assert [e for e in events if isinstance(e, Resumed)] == [Resumed(6)]
    for i, event in enumerate(events):
        if isinstance(event, Resumed | Halted):
            assert check(fold(events[:i]), event) is None
    journal.close()


def test_opening_it_twice_changes_it_once(file: Path, tmp_path: Path) -> None:
    Journal(ROOT, tmp_path).close()
    once = dumped(file)
    Journal(ROOT, tmp_path).close()
    assert dumped(file) == once


def test_a_migration_that_fails_half_way_leaves_the_old_file_as_it_was(file: Path, tmp_path: Path) -> None:
    """A table of that name is in the way: by then the old ones have been renamed and new ones made."""
    edited(file, "CREATE TABLE traces (x)")
    before = dumped(file)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(ROOT, tmp_path)
    assert dumped(file) == before
    edited(file, "DROP TABLE traces")
    journal = Journal(ROOT, tmp_path)
    assert journal.load("r2").open
    journal.close()


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", "{", 7])
def test_a_row_that_was_damaged_before_the_migration_is_found_after_it(body: object, file: Path, tmp_path: Path) -> None:
    edited(file, ("UPDATE events SET body = ? WHERE run = 'r2' AND seq = 4", (body,)))
    journal = Journal(ROOT, tmp_path)
    assert "a stored row broke the rule" in journal.load("r2").attention
    assert "row 4" in journal.load("r2").attention
    assert [journal.load(name).attention for name in ("r1", "r3")] == ["", ""]
    journal.close()


def test_a_journal_of_a_newer_surefoot_is_refused_untouched(tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    journal.commit(None, *STORY[:5], at=1.0)
    journal.close()
    path = journal.folder / "journal.sqlite"
    edited(path, f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(JournalError) as caught:
        Journal(ROOT, tmp_path)
    assert f"schema {VERSION + 1}, this one reads {VERSION}" in str(caught.value)
    assert "update Surefoot; nothing was changed" in str(caught.value)
    assert path.read_bytes() == before


def test_what_is_no_journal_is_refused_untouched(tmp_path: Path) -> None:
    path = folder_of(ROOT, tmp_path) / "journal.sqlite"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is a text file, and not a short one\n" * 200)
    before = path.read_bytes()
    with pytest.raises(JournalError, match="move the file away"):
        Journal(ROOT, tmp_path)
    assert path.read_bytes() == before


SWAPPED = (
    "UPDATE events SET seq = -6 WHERE seq = 6",
    "UPDATE events SET seq = 6 WHERE seq = 7",
    "UPDATE events SET seq = 7 WHERE seq = -6",
)
OTHER_BODY = "(SELECT body FROM events WHERE seq = 10)"
HANDS: dict[str, tuple[str | tuple[str, tuple[object, ...]], ...]] = {
    "when it was": ("UPDATE events SET at = 7.5 WHERE seq = 6",),
    "when it was, by next to nothing": ("UPDATE events SET at = at + 1e-15 WHERE seq = 6",),
    "when it was, as a text": ("UPDATE events SET at = 'never' WHERE seq = 6",),
    "its kind": ("UPDATE events SET kind = 'closed' WHERE seq = 6",),
    "its kind, as bytes": ("UPDATE events SET kind = x'ff' WHERE seq = 6",),
    "its body": (f"UPDATE events SET body = {OTHER_BODY} WHERE seq = 6",),
    "one letter of its body": ("UPDATE events SET body = CAST(replace(CAST(body AS TEXT), '\"n\":1', '\"n\":2') AS BLOB) WHERE seq = 6",),
    "its body, torn": ("UPDATE events SET body = substr(body, 1, length(body) / 2) WHERE seq = 6",),
    "its body, empty": ("UPDATE events SET body = x'' WHERE seq = 6",),
    "its body, no text": ("UPDATE events SET body = x'fffe00' WHERE seq = 6",),
    "a blank more in its body": ("UPDATE events SET body = CAST(CAST(body AS TEXT) || ' ' AS BLOB) WHERE seq = 6",),
    "a field more in its body": (
        ("UPDATE events SET body = ? WHERE seq = 6", (b'{"' + CANARY.encode() + b'":1,"kind":"told","request":{"kind":"skip","step":0}}',)),
    ),
    "its hash": ("UPDATE events SET hash = '0' WHERE seq = 6",),
    "its hash, gone": ("UPDATE events SET hash = '' WHERE seq = 6",),
    "body and hash of another row": ("UPDATE events SET (body, hash) = (SELECT body, hash FROM events WHERE seq = 10) WHERE seq = 6",),
    "its place": SWAPPED,
    "its number": ("UPDATE events SET seq = 99 WHERE seq = 6",),
    "a row in the middle deleted": ("DELETE FROM events WHERE seq = 6",),
    "all of the middle deleted": ("DELETE FROM events WHERE seq BETWEEN 6 AND 12",),
    "a row twice": (
        "UPDATE events SET seq = seq + 1000 WHERE seq > 5",
        "UPDATE events SET seq = seq - 999 WHERE seq > 1000",
        "INSERT INTO events SELECT run, 6, at, kind, body, hash FROM events WHERE seq = 5",
    ),
    "its run": ("UPDATE events SET run = 'r2' WHERE seq = 6",),
}


@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
def test_corrupt_journal_record(hand: tuple[str | tuple[str, tuple[object, ...]], ...], tmp_path: Path) -> None:
    """The run wants attention on what is whole before the row; the row is named, and nothing of it is shown; other runs are well."""
    journal = Journal(ROOT, tmp_path)
    journal.commit(None, *STORY[:16], at=1.0)
    other = whole("r3")
    journal.commit(None, *other, at=1.0)
    journal.close()
    path = journal.folder / "journal.sqlite"
    # The hand is in the first run alone.
    keep = "CREATE TEMP TABLE kept AS SELECT * FROM events WHERE run = 'r3'"
    edited(path, keep, "DELETE FROM events WHERE run = 'r3'", *hand, "INSERT INTO events SELECT * FROM kept")
    before = dumped(path)
    journal = Journal(ROOT, tmp_path)
    story = journal.read("r1")
    assert story.damage is not None
    assert story.damage.rule
    assert "row" in story.damage.field
    assert story.whole == fold(STORY[:5])
    state = journal.load("r1")
    assert "a stored row broke the rule" in state.attention
    assert CANARY not in repr(story)
    assert journal.load("r3") == fold(other)
    # To look is to change nothing.
    journal.close()
    assert dumped(path) == before
    check_mended(Journal(ROOT, tmp_path))


def check_mended(journal: Journal) -> None:
    """The owner of the run sets the damaged tail aside, a person resumes it, and it comes to its end."""
    tail = journal.rows.query("SELECT COUNT(*) FROM events WHERE run = 'r1' AND seq > 5")[0][0]
    state = journal.mend(journal.read("r1"), 2.0)
    assert state.attention
    assert journal.rows.query("SELECT COUNT(*) FROM set_aside WHERE run = 'r1'")[0][0] == tail
    for event in tuple(onward(state)):
        state = journal.commit(state, event, at=3.0)
    assert state.steps[0].status is StepStatus.APPLIED
    assert journal.load("r1") == state
    journal.close()


def test_a_damaged_first_row_takes_its_run_and_no_other(tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    journal.commit(None, *STORY[:3], at=1.0)
    journal.commit(None, *whole("r3"), at=1.0)
    journal.close()
    edited(journal.folder / "journal.sqlite", "UPDATE events SET body = '{}' WHERE run = 'r1' AND seq = 1")
    journal = Journal(ROOT, tmp_path)
    with pytest.raises(JournalError, match="run r1 cannot be read, other runs can: its first row is damaged"):
        journal.load("r1")
    assert not journal.load("r3").open
    assert len(journal.runs()) == 2
    journal.close()


def test_rows_that_are_missing_at_the_end_cannot_be_told_from_rows_that_were_never_written(tmp_path: Path) -> None:
    """A chain knows what came before, and not how long it was; the run goes on from there, as after a power cut."""
    journal = Journal(ROOT, tmp_path)
    journal.commit(None, *STORY[:10], at=1.0)
    journal.close()
    edited(journal.folder / "journal.sqlite", "DELETE FROM events WHERE seq > 7")
    journal = Journal(ROOT, tmp_path)
    assert journal.read("r1").damage is None
    state = journal.load("r1")
    assert state == fold(STORY[:7])
    journal.commit(state, following(state), at=2.0)
    journal.close()


def test_a_row_that_was_made_with_its_chain_by_hand_is_still_held_to_the_shape_of_events(tmp_path: Path) -> None:
    journal = Journal(ROOT, tmp_path)
    journal.commit(None, *STORY[:5], at=1.0)
    last = journal.rows.events("r1")[-1]
    body = b'{"' + CANARY.encode() + b'":1,"since":5,"kind":"resumed"}'
    with journal.rows.transaction():
        journal.rows.append("r1", 5, [("resumed", body)], 2.0)
    assert journal.rows.events("r1")[-1].hash == link(last.hash, 6, 2.0, body)
    assert "an event has its shape" in journal.load("r1").attention
    assert "row 6" in journal.load("r1").attention
    assert CANARY not in repr(journal.read("r1"))
    journal.close()


def test_two_processes_do_not_write_over_each_other(tmp_path: Path) -> None:
    one, two = Journal(ROOT, tmp_path), Journal(ROOT, tmp_path)
    state = one.commit(None, *STORY[:5], at=1.0)
    two.commit(two.load("r1"), HALT, at=2.0)
    with pytest.raises(JournalError, match="another process has written it; nothing was done"):
        one.commit(state, Told(Constrain(CONSTRAINT)), at=3.0)
    assert one.load("r1").attention
    assert len(one.rows.events("r1")) == 6
    one.close()
    two.close()
