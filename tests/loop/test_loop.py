"""The loop over scripted engines and checkers: what is drafted, offered, applied, and what is not."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from surefoot.core.change import Change
from surefoot.core.errors import TextMoved
from surefoot.core.findings import Verdict
from surefoot.core.plan import Task
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.journal.journal import Journal
from surefoot.report.text import render
from surefoot.run.events import Advanced, Ending, Moved, Phase, Resulted
from surefoot.run.fold import fold
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Delivered, Drafted, Failure, FailureClass, Validated
from surefoot.run.state import RunState, StepStatus
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.support.scripts import MOVED, Bench, Editor, SlowEditor, Wordcheck, Words


def statuses(state: RunState) -> list[str]:
    return [step.status for step in state.steps]


async def test_every_step_is_drafted_on_the_text_before_it_and_waits(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2 word3", Words(Path(), steps=3))
    state = await bench.drafted()
    assert statuses(state) == ["ready"] * 3
    assert bench.text == "word1 word2 word3"
    seen = [view.texts.read(bench.path) for view in bench.engine.views if view.step]
    assert [held.data for held in seen] == [b"word1 word2 word3", b"done1 word2 word3", b"done1 done2 word3"]  # type: ignore[union-attr]


async def test_steps_are_applied_in_order_and_the_run_is_done(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    assert (await bench.runs.apply(name, 1, confirm=False)).message == "step 1 comes first: steps are applied in order"
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert (await bench.runs.apply(name, 1, confirm=False)).done
    await bench.runs.drafted(name)
    assert bench.text == "done1 done2"
    closed = bench.state(name).closed
    assert closed is not None
    assert closed.ending is Ending.DONE


async def test_a_double_click_is_refused_as_a_value(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    again = await bench.runs.apply(name, 0, confirm=False)
    assert not again.done
    assert bench.state(name).attention == ""
    assert len(bench.editor.applied) == 1


async def test_a_finding_stops_the_step_and_the_later_ones_are_not_drafted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2 word3", Words(Path(), steps=3), Wordcheck(bad=("done2",)))
    state = await bench.drafted()
    assert statuses(state) == ["ready", "refused", "refused"]
    assert "done2 is not allowed" in state.steps[1].reason
    assert not any(view.step and view.step.title == "word 3" for view in bench.engine.views)


async def test_what_is_ready_stays_offered_when_a_later_step_cannot_be_drafted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2 word3", Words(Path(), steps=3), Wordcheck(bad=("done2",)))
    name = (await bench.drafted()).run
    assert bench.state(name).open
    assert "step 1 comes first" in (await bench.runs.apply(name, 1, confirm=False)).message
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    await bench.runs.drafted(name)
    closed = bench.state(name).closed
    assert bench.text == "done1 word2 word3"
    assert closed is not None
    assert closed.ending is Ending.ESCALATED
    assert "done2 is not allowed" in closed.reason
    assert closed.report.accomplished == ("applied: word 1",)
    assert len(closed.report.remaining) == 2


async def test_a_failure_leads_to_a_plan_with_a_constraint_and_never_straight_to_an_edit(tmp_path: Path) -> None:
    def say(number: int, view: View) -> str:
        return "better" if view.constraints else "worse"

    bench = Bench(tmp_path, "word1", Words(Path(), says=say), Wordcheck(bad=("worse",)))
    state = await bench.drafted()
    assert statuses(state) == ["ready"]
    events = [entry.event for entry in bench.runs.journal.read(state.run).entries]
    path = [event.to for event in events if isinstance(event, Advanced)]
    assert path == [
        *(Phase.CONSTRAIN, Phase.EDIT, Phase.VALIDATE, Phase.REPLAN, Phase.PLAN),
        *(Phase.CONSTRAIN, Phase.EDIT, Phase.VALIDATE, Phase.VERIFY, Phase.IDLE),
    ]


async def test_the_same_text_twice_ends_the_step_before_a_check_runs_on_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", checks=Wordcheck(bad=("done1",)))
    state = await bench.drafted()
    assert state.closed is not None
    assert state.closed.ending is Ending.ESCALATED
    assert len(bench.checks.calls) == 1


async def test_three_attempts_are_all_there_are(tmp_path: Path) -> None:
    tries = iter(("bad1", "bad2", "bad3", "bad4"))
    bench = Bench(tmp_path, "word1", Words(Path(), says=lambda n, v: next(tries)), Wordcheck(bad=("bad1", "bad2", "bad3", "bad4")))
    state = await bench.drafted()
    assert state.closed is not None
    assert "after 3 attempts" in state.closed.reason
    assert len(bench.checks.calls) == 3


@pytest.mark.parametrize("verdict", [Verdict.UNAVAILABLE, Verdict.MASKED])
async def test_what_was_not_validated_is_never_offered(tmp_path: Path, verdict: Verdict) -> None:
    bench = Bench(tmp_path, "word1", checks=Wordcheck(verdict=verdict))
    state = await bench.drafted()
    assert state.closed is not None
    assert "not validated" in state.closed.reason
    assert not any(step.offered for step in state.steps)


async def test_a_pending_site_blocks_the_offer(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), leaves_pending=True))
    state = await bench.drafted()
    assert state.closed is not None
    assert "neither updated nor fitting" in state.closed.reason
    assert bench.checks.calls == []


async def test_a_step_over_the_limit_is_never_validated(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), says=lambda n, v: "x\n" * 60))
    state = await bench.drafted()
    assert state.closed is not None
    assert "over the limit of 50" in state.closed.reason
    assert bench.checks.calls == []


async def test_a_refusal_closes_the_run_with_its_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), refuses="nothing is called that"))
    state = await bench.drafted()
    assert state.closed is not None
    assert (state.closed.ending, state.closed.reason) == (Ending.REFUSED, "nothing is called that")


async def test_text_that_moved_is_never_overwritten_and_the_step_is_drafted_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 tail", checks=Wordcheck())
    name = (await bench.drafted()).run
    bench.type("tail", "more")
    refused = await bench.runs.apply(name, 0, confirm=False)
    assert not refused.done
    assert "has moved" in refused.message
    assert bench.text == "word1 more"
    await bench.runs.drafted(name)
    assert bench.state(name).steps[0].status is StepStatus.READY
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert bench.text == "done1 more"


async def test_undo_brings_the_text_back_and_the_step_holds_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 tail")
    name = (await bench.drafted()).run
    bench.type("tail", "more")
    bench.type("more", "tail")
    await bench.runs.drafted(name)
    assert (await bench.runs.apply(name, 0, confirm=False)).done


async def test_typing_while_a_check_runs_leads_to_another_check(tmp_path: Path) -> None:
    gate = asyncio.Event()
    bench = Bench(tmp_path, "word1 tail", checks=Wordcheck(gate=gate))
    run = bench.runs.begin(Task("words"), bench.tools, Limits())
    await bench.checks.started.wait()
    bench.type("tail", "more")
    gate.set()
    await bench.runs.drafted(run.state.run)
    assert run.state.steps[0].status is StepStatus.READY
    assert len(bench.checks.calls) == 2
    assert (await bench.runs.apply(run.state.run, 0, confirm=False)).done
    assert bench.text == "done1 more"


async def test_an_editor_that_says_moved_leaves_the_step_stale_and_it_is_drafted_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    bench.editor.answers.append(MOVED)
    assert not (await bench.runs.apply(name, 0, confirm=False)).done
    await bench.runs.drafted(name)
    assert bench.text == "word1"
    assert (await bench.runs.apply(name, 0, confirm=False)).done


async def test_a_half_applied_edit_wants_a_person(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    bench.editor.answers.append(Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", "a.py changed, b.py did not", (bench.path,)))
    reply = await bench.runs.apply(name, 0, confirm=False)
    assert "a.py changed" in reply.message
    assert "a.py changed" in bench.state(name).attention
    assert "wants attention" in (await bench.runs.apply(name, 0, confirm=False)).message


async def test_the_last_step_is_reverted_byte_for_byte_and_can_be_applied_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1\r\nword2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    assert bench.text == "done1\r\nword2"
    assert (await bench.runs.revert(name)).done
    assert bench.text == "word1\r\nword2"
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert bench.text == "done1\r\nword2"


async def test_a_revert_over_later_typing_is_refused_and_names_the_document(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    bench.type("done1", "mine")
    reply = await bench.runs.revert(name)
    assert not reply.done
    assert "words.txt has changed" in reply.message
    assert bench.text == "mine word2"


async def test_cancel_ends_a_check_under_way_and_keeps_what_was_applied(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", checks=Wordcheck(gate=asyncio.Event()))
    run = bench.runs.begin(Task("words"), bench.tools, Limits())
    await bench.checks.started.wait()
    assert (await bench.runs.cancel(run.state.run)).done
    assert run.state.closed is not None
    assert run.state.closed.ending is Ending.CANCELLED
    assert bench.text == "word1"
    assert not (await bench.runs.cancel(run.state.run)).done


async def test_a_skipped_step_is_left_out(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    assert bench.runs.skip(name, 0).done
    await bench.runs.drafted(name)
    assert (await bench.runs.apply(name, 1, confirm=False)).done
    await bench.runs.drafted(name)
    assert bench.text == "word1 done2"


async def test_a_stored_run_is_taken_up_by_another_process_and_applied(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    before = bench.state(name)
    await bench.runs.close()
    bench.runs = bench.fresh_runs()
    run = bench.runs.take_up(name, lambda _: bench.tools)
    assert run.state == before
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert bench.text == "done1"


async def test_the_state_is_the_fold_of_the_journal_and_nothing_is_offered_without_its_own_evidence(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    entries = bench.runs.journal.read(name).entries
    assert fold(e.event for e in entries) == bench.state(name)
    outcomes = [e.event.outcome for e in entries if isinstance(e.event, Resulted)]
    drafted = [o.change.digest for o in outcomes if isinstance(o, Drafted)]
    validated = [o.evidence.change for o in outcomes if isinstance(o, Validated)]
    assert drafted == validated


async def test_a_run_that_another_process_has_is_not_taken_up(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    other = Journal(bench.path.parent, bench.state_dir)
    assert not other.own(name)
    assert bench.runs.journal.own(name)
    other.close()


async def test_the_report_is_rendered_from_events(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", checks=Wordcheck())
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    await bench.runs.drafted(name)
    text = render(bench.runs.journal.read(name).entries)
    for words in (
        "**done**",
        "-word1",
        "+done1",
        "wordcheck 1: clean over 1 file",
        "- tests: not run",
        "Accomplished: applied: word 1",
    ):
        assert words in text


async def test_a_text_that_gains_a_use_elsewhere_is_drafted_again_before_it_is_applied(tmp_path: Path) -> None:
    """The evidence names no such text; the draft that comes out different does."""
    says = {"text": "done1"}
    bench = Bench(tmp_path, "word1", Words(Path(), says=lambda n, v: says["text"]))
    name = (await bench.drafted()).run
    says["text"] = "done1 and more"
    reply = await bench.runs.apply(name, 0, confirm=False)
    assert not reply.done
    assert bench.text == "word1"
    await bench.runs.drafted(name)
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert bench.text == "done1 and more"


async def test_a_step_that_was_drafted_again_since_it_was_shown_is_not_applied(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 tail")
    name = (await bench.drafted()).run
    draft = bench.state(name).steps[0].draft
    assert draft is not None
    bench.type("tail", "more")
    await bench.runs.drafted(name)
    reply = await bench.runs.apply(name, 0, draft.change.digest, confirm=False)
    assert not reply.done
    assert "drafted again" in reply.message
    assert bench.text == "word1 more"


async def test_half_a_word_does_not_close_the_run_and_undo_brings_the_step_back_without_a_check(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 tail")
    name = (await bench.drafted()).run
    bench.type("word1", "wo")
    await bench.runs.drafted(name)
    step = bench.state(name).steps[0]
    assert bench.state(name).open
    assert (step.status, step.stuck) == (StepStatus.STALE, True)
    assert "there is no word1" in step.reason
    assert "cannot be drafted on the text as it is" in (await bench.runs.apply(name, 0, confirm=False)).message
    checks = len(bench.checks.calls)
    bench.type("wo", "word1")
    await bench.runs.drafted(name)
    assert bench.state(name).steps[0].status is StepStatus.READY
    assert len(bench.checks.calls) == checks


async def test_text_that_will_not_keep_still_does_not_spin_the_run(tmp_path: Path) -> None:
    class Restless(Words):
        async def edit(self, view: View) -> Draft | Refusal:
            raise TextMoved("it moved again")

    bench = Bench(tmp_path, "word1", Restless(Path()))
    state = await bench.drafted()
    assert state.open
    assert state.actions < 20


async def test_a_phase_that_fails_by_surprise_ends_the_run_and_says_so(tmp_path: Path) -> None:
    class Broken(Words):
        async def plan(self, view: View) -> Plan | Refusal:
            raise RuntimeError("secret text")

    state = await Bench(tmp_path, "word1", Broken(Path())).drafted()
    assert state.closed is not None
    assert state.closed.ending is Ending.ESCALATED
    assert "Surefoot itself failed (RuntimeError)" in state.closed.reason
    assert "secret" not in state.closed.reason


async def test_an_edit_that_fails_by_surprise_is_settled_by_what_the_documents_hold(tmp_path: Path) -> None:
    class Torn(Editor):
        async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
            await super().apply(change, texts, label, confirm=confirm)
            raise OSError("gone")

    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    bench.editor = Torn(bench.session)
    bench.runs = bench.fresh_runs()
    name = (await bench.drafted()).run
    assert (await bench.runs.apply(name, 0, confirm=False)).done
    assert bench.state(name).steps[0].status is StepStatus.APPLIED
    assert bench.state(name).delivery is None


async def test_a_failure_while_a_step_is_being_applied_closes_the_run_only_afterwards(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2), Wordcheck(bad=("done2",)))
    bench.editor = slow = SlowEditor(bench.session)
    bench.runs = bench.fresh_runs()
    gate = bench.checks.second = asyncio.Event()
    run = bench.runs.begin(Task("words"), bench.tools, Limits())
    await bench.checks.again.wait()
    applying = asyncio.create_task(bench.runs.apply(run.state.run, 0, confirm=False))
    await slow.started.wait()
    gate.set()
    await bench.runs.drafted(run.state.run)
    assert run.state.open
    assert run.state.attention == ""
    slow.gate.set()
    assert (await applying).done
    await bench.runs.drafted(run.state.run)
    assert run.state.closed is not None
    assert run.state.closed.ending is Ending.ESCALATED
    assert bench.text == "done1 word2"


async def test_a_cancel_while_a_step_is_being_applied_lets_it_through_and_closes_the_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    bench.editor = slow = SlowEditor(bench.session)
    bench.runs = bench.fresh_runs()
    name = (await bench.drafted()).run
    applying = asyncio.create_task(bench.runs.apply(name, 0, confirm=False))
    await slow.started.wait()
    assert "will be cancelled once" in (await bench.runs.cancel(name)).message
    slow.gate.set()
    assert (await applying).done
    closed = bench.state(name).closed
    assert closed is not None
    assert closed.ending is Ending.CANCELLED
    assert bench.text == "done1 word2"


async def test_a_skipped_step_stays_skipped_in_a_new_plan(tmp_path: Path) -> None:
    def say(number: int, view: View) -> str:
        return f"better{number}" if view.constraints else f"worse{number}"

    bench = Bench(tmp_path, "word1 word2 word3", Words(Path(), steps=3, says=say), Wordcheck(bad=("worse2",)))
    gate = bench.checks.second = asyncio.Event()
    run = bench.runs.begin(Task("words"), bench.tools, Limits())
    await bench.checks.again.wait()
    assert bench.runs.skip(run.state.run, 2).done
    gate.set()
    await bench.runs.drafted(run.state.run)
    assert statuses(run.state) == ["ready", "ready", "skipped"]


async def test_moved_text_is_named_and_the_steps_are_stale_before_they_are_drafted_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 tail")
    name = (await bench.drafted()).run
    bench.type("tail", "more")
    await bench.runs.drafted(name)
    moved = [e.event for e in bench.runs.journal.read(name).entries if isinstance(e.event, Moved)]
    assert [(m.files, m.stale, m.held) for m in moved] == [((bench.path,), (0,), ())]


async def test_a_revert_over_texts_that_moved_elsewhere_is_checked_first(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2), Wordcheck(also=(Path("other.txt"),)))
    other = bench.path.parent / "other.txt"
    other.write_text("calm")
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    before = len(bench.checks.calls)
    other.write_text("changed")
    assert (await bench.runs.revert(name)).done
    assert len(bench.checks.calls) > before
    assert bench.text == "word1 word2"


async def test_a_done_runs_report_does_not_say_not_validated(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    await bench.runs.drafted(name)
    assert "not validated" not in render(bench.runs.journal.read(name).entries)


async def test_a_run_whose_row_is_damaged_goes_on_from_what_is_whole_and_leaves_the_others_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    other = (await bench.drafted()).run
    await bench.runs.close()
    journal = bench.runs.journal.folder / "journal.sqlite"
    with sqlite3.connect(journal) as db:
        db.execute("UPDATE events SET body = '{' WHERE run = ? AND seq = 3", (name,))
    db.close()
    again = bench.fresh_runs()
    assert "row 3" in again.journal.load(name).attention
    assert again.journal.load(other).attention == ""
    # Reading changes nothing; whoever works on the run sets its damaged tail aside, and a person lets it go on.
    taken = again.take_up(name, lambda state: bench.tools)
    assert "row 3" in taken.state.attention
    assert again.journal.load(name) == taken.state
    assert again.resume(name).done
    await again.drafted(name)
    assert statuses(taken.state) == ["ready"]
    with sqlite3.connect(journal) as db:
        assert db.execute("SELECT COUNT(*) FROM set_aside WHERE run = ? AND seq >= 3", (name,)).fetchone()[0] > 1
    db.close()
    await again.close()
