"""A step that returns to what it had before is ended, whatever the length of the cycle; one that comes closer never is."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from surefoot.core.change import Change, TextEdit
from surefoot.core.findings import Verdict
from surefoot.core.text import TextFile
from surefoot.engines.protocol import Draft, Refusal
from surefoot.run.events import Ending, Intended, Moved, Phase, Resulted
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Drafted, Failure, FailureClass, Swept, Validated, Verified
from surefoot.run.state import RunState, StepStatus
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.loop.simulated import FILE, Simulation, drafted, evidence
from tests.support.scripts import Bench, Wordcheck, Words

MANY = Limits(attempts=10)
SOME_BAD = ("bad0", "bad1", "bad2", "bad3")


def closing(state: RunState) -> tuple[Ending, str]:
    assert state.closed is not None
    return state.closed.ending, state.closed.reason


def in_turn(texts: Sequence[str]) -> Callable[[int, View], str]:
    """Says each text once, then the first one again."""
    said = 0

    def say(number: int, view: View) -> str:
        nonlocal said
        said += 1
        return texts[(said - 1) % len(texts)]

    return say


@pytest.mark.parametrize("period", [1, 2, 3, 4])
async def test_a_cycle_of_any_length_ends_at_its_first_return_before_any_check_runs_on_it(period: int, tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn(SOME_BAD[:period])), Wordcheck(bad=SOME_BAD))
    state = await bench.drafted(MANY)
    ending, reason = closing(state)
    assert ending is Ending.ESCALATED
    assert "the same change was drafted before" in reason
    assert len(bench.checks.calls) == period
    events = [entry.event for entry in bench.runs.journal.read(state.run).entries]
    assert sum(isinstance(e, Intended) and e.action.verb is Phase.EDIT for e in events) == period + 1


@pytest.mark.parametrize("large", [0, 1])
async def test_a_draft_that_never_got_as_far_as_a_check_is_remembered_too(large: int, tmp_path: Path) -> None:
    texts = ["bad0", "bad1"]
    texts[large] = "x\n" * 60
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn(texts)), Wordcheck(bad=SOME_BAD))
    _, reason = closing(await bench.drafted(MANY))
    assert "the same change was drafted before" in reason
    assert len(bench.checks.calls) == 1


CASCADE = ("no_build", "no_test", "no_build in other words", "never")
"""Fix the build; that breaks a test; fix the test: the first error is back, in a text that was never drafted before."""


async def test_cascade_original_error_returns(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn(CASCADE)), Wordcheck(bad=("no_build", "no_test")))
    ending, reason = closing(await bench.drafted(MANY))
    assert ending is Ending.ESCALATED
    assert "a finding that had been cleared is back: wordcheck no-no_build" in reason
    # Right after the check that shows it, and long before the attempts are used up.
    assert len(bench.checks.calls) == 3


async def test_the_cascade_is_seen_across_the_steps_of_a_run(tmp_path: Path) -> None:
    """The first step takes an error away that was there before; drafting the second one brings it back."""

    def say(number: int, view: View) -> str:
        return "good" if number == 1 else "broken again"

    bench = Bench(tmp_path, "broken word1 word2", Cure(Path(), steps=2, says=say), Wordcheck(bad=("broken",)))
    state = await bench.drafted(MANY)
    assert [s.status for s in state.steps] == ["ready", "refused"]
    assert "a finding that had been cleared is back: wordcheck no-broken" in state.steps[1].reason
    assert len(bench.checks.calls) == 2


@dataclass
class Cure(Words):
    """The first step puts its text where the first word of the document stands; the others as ever."""

    async def edit(self, view: View) -> Draft | Refusal:
        if view.step is None or not view.step.title.endswith(" 1"):
            return await Words.edit(self, view)
        self.views.append(view)
        held = view.texts.read(self.path)
        assert isinstance(held, TextFile)
        assert isinstance(view.texts, Snapshot)
        edit = view.texts.edit(self.path, (TextEdit(0, held.data.index(b" "), self.says(1, view)),))
        return Draft(Change((edit,)), (), (), self._ledger(held, 0))


async def test_a_finding_that_stays_is_no_return(tmp_path: Path) -> None:
    """It was there in every attempt, and the last one is rid of it."""
    texts = ("bad0 bad1", "bad0 bad2", "bad0 bad3", "good")
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn(texts)), Wordcheck(bad=("bad1", "bad2", "bad3", "bad0")))
    state = await bench.drafted(MANY)
    assert [s.status for s in state.steps] == ["ready"]
    assert len(bench.checks.calls) == 4


async def test_same_note_twice_escalates(tmp_path: Path) -> None:
    """The finding is on another line each time, so that its constraint is a new one; the correction is not."""
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn(("bad0", "one\nbad0", "one\ntwo\nbad0"))), Wordcheck(bad=("bad0",)))
    ending, reason = closing(await bench.drafted(MANY))
    assert ending is Ending.ESCALATED
    assert "the same correction would be given again" in reason
    assert len(bench.checks.calls) == 2


async def test_other_corrections_do_not_escalate(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1", Words(Path(), says=in_turn((*SOME_BAD, "good"))), Wordcheck(bad=SOME_BAD))
    state = await bench.drafted(MANY)
    assert [s.status for s in state.steps] == ["ready"]


def python_bench(folder: Path, says: Sequence[str]) -> Bench:
    """A bench whose document is a Python file."""
    bench = Bench(folder, "", Words(Path(), says=in_turn(says)), Wordcheck(bad=("bad",)))
    bench.path = bench.path.with_suffix(".py")
    bench.path.write_text("def f():\n    return word1\n")
    bench.session.open(bench.uri, bench.path, "python", 1, bench.path.read_text())
    bench.engine.path = bench.path
    return bench


@pytest.mark.parametrize("again", ["bad(1,2)", "bad(1 , 2)", "bad(\n        1, 2\n    )"])
async def test_a_rejected_change_laid_out_otherwise_is_refused_without_a_check(again: str, tmp_path: Path) -> None:
    bench = python_bench(tmp_path, ("bad(1, 2)", again))
    ending, reason = closing(await bench.drafted(MANY))
    assert ending is Ending.ESCALATED
    assert "says the same, laid out otherwise" in reason
    assert len(bench.checks.calls) == 1


@pytest.mark.parametrize("again", ["good(1, 2)", "good(1, 3)", "'bad' 'ly'.replace('bad', '')"])
async def test_a_change_that_says_something_else_is_checked(again: str, tmp_path: Path) -> None:
    bench = python_bench(tmp_path, ("bad(1, 2)", again))
    await bench.drafted(Limits(attempts=2))
    assert len(bench.checks.calls) == 2


async def test_reverts_are_no_cycles(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1")
    name = (await bench.drafted()).run
    await bench.runs.apply(name, 0, confirm=False)
    # A run whose steps are all applied is done; one with a step left is not.
    assert bench.text == "done1"
    two = Bench(tmp_path / "two", "word1 word2", Words(Path(), steps=2))
    name = (await two.drafted()).run
    for _ in range(4):
        assert (await two.runs.apply(name, 0, confirm=False)).done
        assert (await two.runs.revert(name)).done
    await two.runs.drafted(name)
    assert [s.status for s in two.state(name).steps] == ["reverted", "ready"]
    assert two.state(name).open


async def test_text_that_moves_to_and_fro_is_no_cycle(tmp_path: Path) -> None:
    """The step is drafted anew on each text, and so has drafts that it had before."""
    bench = Bench(tmp_path, "word1 tail")
    name = (await bench.drafted()).run
    for old, new in (("tail", "more"), ("more", "tail")) * 2:
        bench.type(old, new)
        await bench.runs.drafted(name)
        assert [s.status for s in bench.state(name).steps] == ["ready"]
    events = [e.event for e in bench.runs.journal.read(name).entries]
    drafts = [e.outcome.change.digest for e in events if isinstance(e, Resulted) and isinstance(e.outcome, Drafted)]
    assert len(set(drafts)) < len(drafts)


def test_a_finding_that_comes_back_on_a_text_that_moved_is_no_cycle() -> None:
    run = Simulation(MANY)
    run.attempt(0, evidence(0, frozenset({"build"})))
    run.attempt(1, evidence(1, frozenset({"test"})))
    run.until(Phase.EDIT)
    run.act(Failure(Bucket.CONSTRAINT, FailureClass.TRANSIENT, "moved", "the text moved"))
    run.act(Swept(0))
    run.act(drafted(2))
    run.act(Validated(evidence(2, frozenset({"build"}))))
    assert run.state.open
    assert run.state.phase is Phase.REPLAN


def test_a_check_that_could_not_tell_neither_clears_nor_returns_anything() -> None:
    run = Simulation(MANY)
    run.attempt(0, evidence(0, frozenset({"build"})))
    run.attempt(1, evidence(1, frozenset({"build"}), verdict=Verdict.MASKED))
    assert run.state.steps[0].cleared == ()
    run.attempt(2, evidence(2, frozenset({"build"})))
    assert run.state.open


RUNS = 5_000
CHECKED = 20
"""Of so many simulated runs, one asks the legality of every event."""


def test_no_run_that_converges_is_taken_for_a_cycle() -> None:
    """Each attempt is rid of something; what is new has not been seen before, and what was got rid of never comes back."""
    rng = random.Random(11)
    attempts = 0
    for number in range(RUNS):
        run = Simulation(MANY, steps=rng.randint(1, 2), checked=number % CHECKED == 0)
        names = (f"finding {n}" for n in range(1_000))
        for _ in range(run.steps):
            attempts += converge(rng, run, names)
        assert [s.status for s in run.state.steps] == [StepStatus.READY] * run.steps
    assert attempts > 2 * RUNS


def converge(rng: random.Random, run: Simulation, names: Iterator[str]) -> int:
    """Draft one step until it is clean; how many attempts that took."""
    there = {next(names) for _ in range(rng.randint(0, 4))}
    fixed: set[str] = set()
    for attempt in range(1, MANY.attempts + 1):
        number = rng.getrandbits(60)
        run.attempt(number, evidence(number, frozenset(there), frozenset(fixed)))
        if not there:
            run.act(Verified(()))
            return attempt
        there -= set(rng.sample(sorted(there), rng.randint(1, len(there))))
        # Something new may show up, as long as it cannot go on for ever; something old may go for good.
        there |= {next(names) for _ in range(rng.randint(0, 1 if attempt < 4 else 0))}
        fixed |= {next(names) for _ in range(rng.randint(0, 1))}
    raise AssertionError("it did not converge")


NOISY = 2_000


@pytest.mark.parametrize("bad_first", [0.3, 0.7])
@pytest.mark.parametrize("bad_again", [0.3, 0.7])
@pytest.mark.parametrize(("false_red", "false_green"), [(0.0, 0.1), (0.2, 0.0), (0.2, 0.2)])
def test_what_is_offered_is_never_worse_than_the_best_that_was_green(
    bad_first: float, bad_again: float, false_red: float, false_green: float
) -> None:
    """Checkers lie and drafts get worse; a step that was ready stays so, or comes back with its text, whatever comes after it."""
    rng = random.Random(f"{bad_first} {bad_again} {false_red} {false_green}")
    offered = 0
    for number in range(NOISY // 12 + 1):
        run = Simulation(checked=number % CHECKED == 0)
        best: Drafted | None = None
        for attempt in range(5):
            bad = rng.random() < (bad_again if attempt else bad_first)
            green = rng.random() < (false_green if bad else 1 - false_red)
            best = noisy(rng, run, green=green) or best
            if not run.state.open:
                break
            step = run.state.steps[0]
            assert step.offered == (best is not None)
            assert best is None or step.draft == best
        offered += best is not None
        assert run.state.open == (best is not None)
    assert 0 < offered <= NOISY


def noisy(rng: random.Random, run: Simulation, *, green: bool) -> Drafted | None:
    """One more draft of the step, on text that has moved where it was ready; the draft that a person is offered from now on, if another."""
    was_ready = bool(run.state.steps) and run.state.steps[0].held
    if was_ready:
        run.accept(Moved((FILE,), (0,)))
        run.act(Swept(0))
    number = rng.getrandbits(60)
    while run.state.open:
        run.until(Phase.EDIT)
        run.act(drafted(number))
        run.act(Validated(evidence(number, frozenset() if green else frozenset({f"finding {number}"}))))
        if green:
            run.act(Verified(()))
            return drafted(number)
        if was_ready:
            # The text comes back, and with it the step as it was.
            run.accept(Moved((FILE,), (), (0,)))
            return None
        green, number = rng.random() < 0.5, rng.getrandbits(60)
    return None
