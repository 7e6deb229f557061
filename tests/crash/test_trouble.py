"""A journal that cannot be written: a clear sentence, no buffer touched, and the run goes on when the trouble is over."""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.crash import Child, Editor, Killed, Rig

Rigged = Callable[[str], Rig]

FULL = "could not be written, so nothing was done: disk I/O error (is the disk full? make room, then try again)"
LOCKED = "could not be written, so nothing was done: database is locked (another process holds it: try again when it is done)"


@pytest.fixture
def rigged(rig: Rigged) -> Rig:
    return rig("two documents")


@pytest.fixture
def state_dir(rigged: Rig) -> Path:
    return rigged.state_dir()


@pytest.fixture
def editor(rigged: Rig) -> Editor:
    return rigged.editor()


@pytest.fixture
def child(rigged: Rig, state_dir: Path, editor: Editor) -> Child:
    return rigged.child(state_dir, editor)


@contextmanager
def locked(state_dir: Path) -> Iterator[None]:
    """Another process writes, for longer than anybody waits."""
    (file,) = state_dir.rglob("journal.sqlite")
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    db.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        db.execute("ROLLBACK")
        db.close()


def test_a_full_disk_stops_an_apply_before_the_edit(rigged: Rig, child: Child, editor: Editor) -> None:
    child.do("begin")
    child.do("no room")
    refused = child.do("apply", 0)
    assert not refused["done"]
    assert FULL in refused["said"]
    assert (editor.asked, editor.texts) == (0, dict(rigged.sample.texts))
    child.do("room")
    assert child.do("apply", 0)["done"]
    assert child.do("apply", 1)["runs"][0]["ending"] == "done"


def test_a_full_database_stops_the_drafting_and_the_run_goes_on(rigged: Rig, child: Child, editor: Editor) -> None:
    child.do("begin")
    pages = child.do("pragma", "page_count")["said"].strip("[(,)]")
    child.do("pragma", f"max_page_count={pages}")
    refused = child.do("begin")
    assert not refused["done"]
    assert "database or disk is full (is the disk full? make room, then try again)" in refused["said"]
    assert editor.asked == 0
    child.do("pragma", "max_page_count=1000000")
    runs = child.do("find")["runs"]
    if len(runs) == 1:
        assert child.do("begin")["done"], "its very start was not recorded: nobody was told that there is a run"
    else:
        assert child.do("resume")["done"]
    assert child.do("find")["runs"][0]["statuses"] == ["ready", "ready"]


def test_a_disk_that_is_full_once_the_edit_is_made(rigged: Rig, child: Child, editor: Editor, state_dir: Path) -> None:
    """The documents say that the step is applied; nobody applies it again."""
    child.do("begin")
    child.do("no room after edit")
    failed = child.do("apply", 0)
    assert not failed["done"]
    assert FULL in failed["said"]
    after = dict(editor.texts)
    assert (editor.asked, "done1" in after["a.txt"], "done1" in after["b.txt"]) == (1, True, True)
    child.do("room")
    again = child.do("apply", 0)
    assert again["said"] == "step 1 is applied already"
    assert (again["runs"][0]["statuses"], editor.asked, editor.texts) == (["applied", "ready"], 1, after)


def test_a_run_is_not_cancelled_over_half_an_edit_that_nobody_knew_of(child: Child, editor: Editor) -> None:
    child.do("begin")
    child.do("no room after edit")
    editor.cut = 1
    assert FULL in child.do("apply", 0)["said"]
    child.do("room")
    editor.cut = None
    refused = child.do("cancel")
    assert refused["said"] == "not cancelled: an edit was cut short when it had reached a.txt: finish it, or revert to undo it"
    assert child.do("finish")["done"]
    assert "done1" in editor.texts["b.txt"]
    assert child.do("cancel")["runs"][0]["ending"] == "cancelled"


def test_a_process_that_ends_on_a_full_disk_after_the_edit(rigged: Rig, child: Child, editor: Editor, state_dir: Path) -> None:
    child.do("begin")
    child.do("no room after edit")
    child.do("apply", 0)
    child.end()
    again = rigged.child(state_dir, editor)
    assert again.do("recover")["runs"][0]["statuses"] == ["applied", "ready"]
    assert editor.asked == 1


def test_a_locked_journal_stops_an_apply_before_the_edit(rigged: Rig, child: Child, editor: Editor, state_dir: Path) -> None:
    child.do("begin")
    child.do("pragma", "busy_timeout=20")
    with locked(state_dir):
        refused = child.do("apply", 0)
    assert not refused["done"]
    assert LOCKED in refused["said"]
    assert (editor.asked, editor.texts) == (0, dict(rigged.sample.texts))
    assert child.do("apply", 0)["done"]


@pytest.mark.parametrize("goes_on", ["resume", "cancel"])
def test_a_journal_that_is_locked_during_a_check(rigged: Rig, child: Child, state_dir: Path, goes_on: str) -> None:
    """What the check said is not recorded. The run goes on, and checks once more; or it is cancelled."""
    child.do("changed", dict(rigged.sample.texts))
    child.do("pragma", "busy_timeout=20")
    lock = locked(state_dir)

    def close(where: str, what: str) -> None:
        if (where, what) == ("after effect", "validate") and child.life.calls.count("") == 0:
            child.watch = lambda where, what: None
            lock.__enter__()

    child.watch = close
    failed = child.do("begin")
    assert not failed["done"]
    assert LOCKED in failed["said"]
    lock.__exit__(None, None, None)
    assert child.do(goes_on)["done"]
    run = child.do("find")["runs"][0]
    assert run["statuses"] == (["ready", "ready"] if goes_on == "resume" else ["refused", "planned"])
    assert run["ending"] == ("" if goes_on == "resume" else "cancelled")
    made = [action for action in child.life.calls if action]
    assert len(made) - len(set(made)) <= 1


def test_a_run_is_cancelled_before_its_recovery_has_begun(rigged: Rig, child: Child, editor: Editor, state_dir: Path) -> None:
    child.die = "after effect"
    with pytest.raises(Killed):
        child.do("begin")
    again = rigged.child(state_dir, editor)
    run = again.do("find")["runs"][0]["run"]
    assert again.do("take up", run)["done"]
    assert again.do("cancel")["runs"][0]["ending"] == "cancelled"


def test_a_fix_whose_change_was_never_recorded_ends_its_run_and_says_so(rig: Rigged) -> None:
    rigged = rig("a fix is accepted")
    state_dir, editor = rigged.state_dir(), rigged.editor()
    child = rigged.child(state_dir, editor)
    child.watch = lambda where, what: setattr(child, "die", "before append") if (where, what) == ("after append", "started") else None
    with pytest.raises(Killed):
        child.do("accept")
    run = rigged.child(state_dir, editor).do("recover")["runs"][0]
    assert (run["ending"], run["reason"]) == ("refused", "it was cut short before its change was recorded: start it again")


def test_a_file_where_the_state_folder_should_be(rigged: Rig, editor: Editor, state_dir: Path) -> None:
    state_dir.write_text("in the way")
    child = rigged.child(state_dir, editor)
    for does in ("begin", "find"):
        refused = child.do(does)
        assert not refused["done"]
        assert refused["said"].startswith("the journal in ")
        assert "cannot be opened" in refused["said"]
    state_dir.unlink()
    assert child.do("begin")["done"]


def test_a_state_folder_that_may_not_be_written_to(rigged: Rig, editor: Editor) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        child = rigged.child(folder / "state", editor)
        child.do("be nobody")
        refused = child.do("begin")
        assert not refused["done"]
        assert "cannot be opened: " in refused["said"]
        assert "(make the folder writable, or name another one with XDG_STATE_HOME)" in refused["said"]
        assert editor.asked == 0
        folder.chmod(0o777)
        assert child.do("begin")["done"]
        child.end()
        folder.chmod(0o700)
    assert not os.path.exists(name)
