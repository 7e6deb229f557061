"""What people, editors and checks do to one run at the same moment: what no longer fits is refused, and nothing halts or hangs."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.change import Change
from surefoot.core.errors import CheckerUnavailable, SurefootError, Unusable
from surefoot.engines.protocol import Draft, Refusal
from surefoot.run.events import Permitted
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass
from surefoot.run.state import StepStatus
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.support.scripts import Bench, Editor, SlowEditor, Wordcheck, Words


async def ready(bench: Bench) -> str:
    return (await bench.drafted()).run


async def test_a_step_that_is_applied_while_a_revert_is_checked_refuses_the_revert(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), 2), Wordcheck(also=(Path("other.txt"),)))
    (bench.path.parent / "other.txt").write_text("one")
    name = await ready(bench)
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    await bench.runs.drafted(name)
    # What the first step's check also looked at has moved: its revert has to be checked, and the check is held up.
    (bench.path.parent / "other.txt").write_text("two")
    bench.runs.moved()
    await bench.runs.drafted(name)
    assert bench.state(name).steps[1].offered
    bench.checks.gate, bench.checks.started = asyncio.Event(), asyncio.Event()
    reverting = asyncio.create_task(bench.runs.revert(name))
    await bench.checks.started.wait()
    assert (await bench.runs.apply(name, 1, confirm=False)).done
    bench.checks.gate.set()
    reply = await reverting
    assert not reply.done
    assert "not reverted" in reply.message
    assert bench.state(name).attention == ""
    assert [s.status for s in bench.state(name).steps] == [StepStatus.APPLIED, StepStatus.APPLIED]
    assert bench.text == "done1 done2"


class Half(Editor):
    """Reaches the first document only, once."""

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        done = await super().apply(change, texts, label, confirm=confirm)
        assert isinstance(done, Delivered)
        return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", "cut short", change.paths)


def half(bench: Bench) -> None:
    bench.editor = Half(bench.session)
    bench.runs = bench.fresh_runs()


async def test_a_step_of_which_half_is_there_is_neither_skipped_nor_forgotten(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    half(bench)
    name = await ready(bench)
    assert not (await bench.runs.apply(name, 0, confirm=False)).done
    state = bench.state(name)
    assert state.halfway is not None
    assert not bench.runs.skip(name, 0).done
    assert "finish it, or undo it" in bench.runs.resume(name).message
    assert bench.state(name) == state


async def test_a_request_whose_caller_goes_away_is_still_settled(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    slow = SlowEditor(bench.session)
    bench.editor = slow
    bench.runs = bench.fresh_runs()
    name = await ready(bench)
    applying = asyncio.create_task(bench.runs.apply(name, 0, confirm=False))
    await slow.started.wait()
    assert "once the edit under way is through" in (await bench.runs.cancel(name)).message
    applying.cancel()
    slow.gate.set()
    with pytest.raises(asyncio.CancelledError):
        await applying
    for _ in range(1000):
        if not bench.state(name).open:
            break
        await asyncio.sleep(0.001)
    closed = bench.state(name).closed
    assert closed is not None
    assert (closed.ending, bench.text) == ("cancelled", "done1")


class Failing(Words):
    """Fails where the waiting steps are looked at again."""

    fails: SurefootError | None = None

    async def edit(self, view: View) -> Draft | Refusal:
        if self.fails is not None:
            raise self.fails
        return await super().edit(view)


async def test_drafting_that_fails_when_it_looks_again_is_told(tmp_path: Path) -> None:
    engine = Failing(Path(), 1)
    bench = Bench(tmp_path, "word1", engine)
    name = await ready(bench)
    engine.fails = CheckerUnavailable("the worker is gone")
    bench.type("word1", "word1 more")
    await bench.runs.drafted(name)
    state = bench.state(name)
    assert state.open
    assert state.attention == ""
    assert state.steps[0].status is StepStatus.STALE
    assert "the worker is gone" in state.steps[0].reason
    engine.fails = None
    bench.type("word1 more", "word1 once more")
    await bench.runs.drafted(name)
    assert bench.state(name).steps[0].offered


async def test_a_ready_step_outlives_the_last_action_of_the_budget(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), 2))
    used = (await bench.drafted()).actions
    other = Bench(tmp_path / "other", "word1 word2", Words(Path(), 2))
    name = (await other.drafted(Limits(actions=used))).run
    assert (await other.runs.apply(name, 0, confirm=False)).done
    await other.runs.drafted(name)
    assert other.state(name).open
    assert (await other.runs.apply(name, 1, confirm=False)).done
    await other.runs.drafted(name)
    closed = other.state(name).closed
    assert closed is not None
    assert closed.ending == "done"


def rows(bench: Bench, name: str) -> list[tuple[int, str]]:
    with sqlite3.connect(bench.runs.journal.folder / "journal.sqlite") as db:
        found = db.execute("SELECT seq, kind FROM events WHERE run = ? ORDER BY seq", (name,)).fetchall()
    db.close()
    return found


def damage(bench: Bench, name: str, seq: int) -> None:
    with sqlite3.connect(bench.runs.journal.folder / "journal.sqlite") as db:
        db.execute("UPDATE events SET body = '{' WHERE run = ? AND seq = ?", (name, seq))
    db.close()


async def test_a_run_that_lost_its_ruling_rules_again_when_resumed(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = await ready(bench)
    await bench.runs.close()
    first = next(seq for seq, kind in rows(bench, name) if kind == "permitted")
    damage(bench, name, first)
    bench.runs = bench.fresh_runs()
    run = bench.runs.take_up(name, lambda state: bench.tools)
    assert bench.runs.resume(name).done
    await bench.runs.drafted(name)
    assert [s.status for s in run.state.steps] == [StepStatus.READY]
    assert sum(isinstance(e.event, Permitted) for e in bench.runs.journal.read(name).entries) >= 5


async def test_what_set_aside_rows_say_was_edited_is_told_for_good(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), 2))
    name = await ready(bench)
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    await bench.runs.drafted(name)
    await bench.runs.close()
    damage(bench, name, 4)
    bench.runs = bench.fresh_runs()
    count = len(rows(bench, name)) - 3
    state = bench.runs.take_up(name, lambda state: bench.tools).state
    assert f"{count} rows were set aside, which say that words.txt had been edited" in state.attention
    assert (await bench.runs.cancel(name)).done
    closed = bench.runs.journal.load(name).closed
    assert closed is not None
    assert closed.report.workspace[0] == "words.txt: edited by what was set aside; how it stands is not known"


async def test_a_run_that_has_ended_is_never_opened_again_by_a_damaged_row(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = await ready(bench)
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    await bench.runs.drafted(name)
    await bench.runs.close()
    before = rows(bench, name)
    damage(bench, name, 3)
    bench.runs = bench.fresh_runs()
    with pytest.raises(Unusable, match="it can be read, and not worked on"):
        bench.runs.take_up(name, lambda state: bench.tools)
    assert rows(bench, name) == before


@pytest.mark.parametrize(("buffer", "status", "text"), [("after", StepStatus.APPLIED, "done1"), ("before", StepStatus.READY, "word1")])
async def test_a_buffer_that_is_opened_after_the_run_tells_what_became_of_its_edit(
    buffer: str, status: StepStatus, text: str, tmp_path: Path
) -> None:
    """An editor that starts again brings unsaved text back some time later: until then an edit that was on its way stays so."""
    bench = Bench(tmp_path, "word1")
    name = await ready(bench)
    slow = SlowEditor(bench.session)
    bench.editor = slow
    bench.runs._applier = slow  # the same run, whose edit never comes back
    applying = asyncio.create_task(bench.runs.apply(name, 0, confirm=False))
    await slow.started.wait()
    await bench.runs.close()
    again = Bench(tmp_path, "word1")
    again.session.close(again.uri)
    again.editor.reopens = True
    run = again.runs.take_up(name, lambda state: again.tools)
    assert run.state.delivery is not None
    again.session.open(again.uri, again.path, "plaintext", 1, "done1" if buffer == "after" else "word1")
    again.runs.moved()
    assert run.state.delivery is None
    await again.runs.drafted(name)
    assert run.state.steps[0].status is status
    assert again.text == text
    slow.gate.set()
    applying.cancel()
    with pytest.raises((asyncio.CancelledError, SurefootError, sqlite3.Error)):
        await applying
