"""The loop over scripted engines and checkers: what is drafted, offered, applied, and what is not."""

from pathlib import Path

import pytest

from surefoot.core.findings import Verdict
from surefoot.core.plan import Task
from surefoot.journal.journal import Journal
from surefoot.report.text import render
from surefoot.run.events import Advanced, Ending, Phase, Resulted
from surefoot.run.fold import fold
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Drafted, Failure, FailureClass, Validated
from surefoot.run.state import StepStatus
from tests.support.scripts import MOVED, Bench, Wordcheck, Words


def statuses(state: object) -> list[str]:
    return [step.status for step in state.steps]  # type: ignore[attr-defined]


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
    assert (await bench.runs.apply(name, 1, confirm=False)).message == "only the first step that is not applied can be applied"
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
    assert state.closed is not None
    assert state.closed.ending is Ending.ESCALATED
    assert "done2 is not allowed" in state.closed.reason
    assert statuses(state)[0] == "ready"
    assert not any(view.step and view.step.title == "word 3" for view in bench.engine.views)


async def test_a_failure_leads_to_a_plan_with_a_constraint_and_never_straight_to_an_edit(tmp_path: Path) -> None:
    def say(number: int, view: object) -> str:
        return "better" if view.constraints else "worse"  # type: ignore[attr-defined]

    bench = Bench(tmp_path, "word1", Words(Path(), says=say), Wordcheck(bad=("worse",)))
    state = await bench.drafted()
    assert statuses(state) == ["ready"]
    events = [entry.event for entry in bench.runs.journal.entries(state.run)]
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
    import asyncio

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
    import asyncio

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
    entries = bench.runs.journal.entries(name)
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
    text = render(bench.runs.journal.entries(name))
    for words in (
        "**done**",
        "-word1",
        "+done1",
        "wordcheck 1: clean over 1 file",
        "- tests: not run",
        "Accomplished: applied: word 1",
    ):
        assert words in text
