"""What a run may use up: turns, tokens, money, attempts, rounds; each counted apart, and each ends the run in a defined way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from surefoot.cli.steps import exit_code
from surefoot.core.change import Change
from surefoot.core.findings import Evidence
from surefoot.engines.protocol import Draft, Failed, Look, Plan, Refusal
from surefoot.llm.ask import Exchange
from surefoot.report.text import render
from surefoot.run.events import Ending, Intended, Moved, Phase, Resulted
from surefoot.run.legality import check
from surefoot.run.limits import Limits
from surefoot.run.next import next_action
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Noted, Role, Span, Spent, Swept, Validated, Verified
from surefoot.run.state import RunState, StepStatus
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot
from tests.loop.simulated import FILE, Simulation, drafted, evidence
from tests.support.scripts import Bench, Wordcheck, Words

TURN = Spent(Role.EDITOR, 100, 20, micros=300_000)
CALL = Exchange(b"asked", b"said", "a-model", "", TURN)
AWAY = Failure(Bucket.TRANSPORT, FailureClass.TRANSIENT, "429", "the model is not to be reached; try again later")


@dataclass
class Model(Words):
    """Words, as a model would have them: each look and each answer is a turn.

    `reads_plan` and `reads_edit` say how often it reads on before it answers, `each` how many turns an edit is, `fails` what becomes of its
    next requests.
    """

    reads_plan: int = 0
    reads_edit: int = 0
    each: int = 1
    fails: list[Failure | None] = field(default_factory=list)
    asked: int = 0
    left: list[int] = field(default_factory=list)

    async def plan(self, view: View) -> Plan | Refusal | Look | Failed:
        early = self._early(view, self.reads_plan)
        return early or replace(await super().plan(view), exchanges=(CALL,))

    async def edit(self, view: View) -> Draft | Refusal | Look | Failed:
        early = self._early(view, self.reads_edit)
        return early or replace(await super().edit(view), exchanges=(CALL,) * self.each)

    def _early(self, view: View, reads: int) -> Look | Failed | None:
        self.asked += 1
        self.left.append(view.turns_left)
        failure = self.fails.pop(0) if self.fails else None
        if failure is None and len(view.excerpts) >= reads:
            return None
        self.views.append(view)
        line = len(view.excerpts) + 1
        return Failed(failure) if failure is not None else Look((Span(self.path, line, line),), (CALL,))


def bench_of(folder: Path, engine: Model, checks: Wordcheck | None = None) -> Bench:
    return Bench(folder, " ".join(f"word{n}" for n in range(1, engine.steps + 1)) + "\n" * 40, engine, checks)


def closing(state: RunState) -> tuple[Ending, str]:
    assert state.closed is not None
    return state.closed.ending, state.closed.reason


@pytest.mark.parametrize("phase", ["plan", "edit"])
async def test_step_20_brake(phase: str, tmp_path: Path) -> None:
    """An engine that reads on for ever is stopped after exactly twenty turns, and the run has its report."""
    engine = Model(Path(), reads_plan=99 if phase == "plan" else 0, reads_edit=99)
    bench = bench_of(tmp_path, engine)
    state = await bench.drafted()
    ending, reason = closing(state)
    assert (ending, reason) == (Ending.LIMIT, "20 model turns are all that a step may take")
    # Turns of a step are counted apart from those of the plan before it.
    assert engine.asked == 20 + (phase == "edit")
    assert exit_code(state) == 5
    text = render(bench.runs.journal.read(state.run).entries)
    assert "**limit**" in text
    assert "20 model turns are all that a step may take" in text
    assert state.closed is not None
    assert state.closed.report.workspace == ("no document was touched",)


async def test_an_engine_is_told_how_many_turns_it_has_before_nothing_new_is_begun(tmp_path: Path) -> None:
    engine = Model(Path(), reads_plan=99)
    await bench_of(tmp_path, engine).drafted()
    assert engine.left == [*range(16, 0, -1), 0, 0, 0, 0]


async def test_what_is_read_is_shown_in_the_next_look_and_not_after_the_phase(tmp_path: Path) -> None:
    engine = Model(Path(), reads_plan=3, reads_edit=2)
    bench = bench_of(tmp_path, engine)
    state = await bench.drafted()
    assert [s.status for s in state.steps] == ["ready"]
    assert [len(view.excerpts) for view in engine.views] == [0, 1, 2, 3, 0, 1, 2]
    assert (state.turns, state.steps[0].turns) == (4, 3)
    assert state.steps[0].attempts == 0


async def test_from_turn_16_on_nothing_is_tried_again(tmp_path: Path) -> None:
    engine = Model(Path(), reads_edit=15)
    bench = bench_of(tmp_path, engine, Wordcheck(bad=("done1",)))
    ending, reason = closing(await bench.drafted())
    assert ending is Ending.LIMIT
    assert reason.startswith("after 16 model turns nothing is tried again: wordcheck finds something new")
    assert len(bench.checks.calls) == 1


async def test_before_turn_16_it_is_tried_again(tmp_path: Path) -> None:
    engine = Model(Path(), reads_edit=5, says=lambda number, view: "good" if view.constraints else "bad")
    bench = bench_of(tmp_path, engine, Wordcheck(bad=("bad",)))
    state = await bench.drafted()
    assert [s.status for s in state.steps] == ["ready"]
    assert (state.turns, state.steps[0].turns) == (1, 6 + 1 + 6)


async def test_limit_report(tmp_path: Path) -> None:
    """The first step took sixteen turns: it stays offered, no further one is begun, and once it is applied the run closes."""
    engine = Model(Path(), steps=3, each=16)
    bench = bench_of(tmp_path, engine)
    state = await bench.drafted()
    assert state.open
    assert [s.status for s in state.steps] == ["ready", "refused", "refused"]
    assert state.steps[1].reason == "not begun"
    assert next_action(state) is None
    assert exit_code(state) == 5
    assert (await bench.runs.apply(state.run, 0, confirm=False)).done
    await bench.runs.drafted(state.run)
    closed = bench.state(state.run).closed
    assert closed is not None
    assert (closed.ending, closed.reason) == (Ending.LIMIT, "16 model turns went into one step: no further one is begun")
    assert closed.report.accomplished == ("applied: word 1",)
    assert closed.report.remaining == ("refused: word 2 (not begun)", "refused: word 3 (not begun)")
    assert bench.text.startswith("done1 word2 word3")
    assert not any(view.step is not None and view.step.title != "word 1" for view in engine.views)
    assert "**limit**" in render(bench.runs.journal.read(state.run).entries)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(tokens=359), "360 tokens are used, 359 are all that a run may use"),
        (Limits(tokens=360), "360 tokens are used, 360 are all that a run may use"),
        (Limits(micros=900_000), "$0.90 is spent, $0.90 is all that a run may cost"),
    ],
)
async def test_tokens_and_money_are_capped_for_the_whole_run(limits: Limits, words: str, tmp_path: Path) -> None:
    engine = Model(Path(), reads_plan=9)
    bench = bench_of(tmp_path, engine)
    assert closing(await bench.drafted(limits)) == (Ending.LIMIT, words)
    assert engine.asked == 3


async def test_the_default_caps() -> None:
    assert (Limits().tokens, Limits().micros) == (200_000, 0)
    run = Simulation()
    run.act(run.plain(), Spent(Role.EDITOR, 199_000, 500, cache_read=400, cache_written=99, micros=10**9))
    assert run.state.open
    assert (run.state.tokens, run.state.micros) == (199_999, 10**9)
    over = Simulation()
    over.act(over.plain(), Spent(Role.EDITOR, 199_000, 1_000))
    assert closing(over.state)[0] is Ending.LIMIT


def test_what_was_drafted_on_the_last_token_is_still_checked_and_offered() -> None:
    run = Simulation(Limits(tokens=1_000), steps=2)
    run.until(Phase.EDIT)
    run.act(drafted(0), Spent(Role.EDITOR, 1_000, 0))
    assert run.state.phase is Phase.VALIDATE
    run.act(Validated(evidence(0)))
    run.act(Verified(()))
    assert run.state.open
    assert [s.status for s in run.state.steps] == ["ready", "refused"]
    assert run.state.winding is not None
    assert run.state.winding.ending is Ending.LIMIT


def test_tokens_of_the_judge_and_the_distiller_count_and_their_turns_do_not() -> None:
    run = Simulation()
    run.attempt(0, evidence(0, frozenset({"bad"})))
    run.act(Noted("Do it otherwise.", ()), Spent(Role.DISTILLER, 70, 7, micros=3))
    run.until(Phase.EDIT)
    run.act(drafted(1), TURN)
    run.act(Validated(evidence(1)))
    run.act(Verified(("the judge holds it for right",)), Spent(Role.JUDGE, 500, 50, micros=9))
    assert (run.state.turns, run.state.steps[0].turns) == (0, 1)
    assert (run.state.tokens, run.state.micros) == (77 + 120 + 550, 3 + 300_000 + 9)


async def test_a_model_that_cannot_be_reached_wants_a_person_and_costs_no_attempt(tmp_path: Path) -> None:
    """What outlived its retries: the very action is issued again when the run is resumed, with all that was read before."""
    engine = Model(Path())
    bench = bench_of(tmp_path, engine, GoesAway(engine))
    engine.says = lambda number, view: "good" if view.constraints else "done1"
    state = await bench.drafted()
    assert (state.attention, state.open) == (AWAY.message, True)
    assert (state.phase, state.attempt, state.steps[0].turns) == (Phase.PLAN, 2, 1)
    assert bench.runs.resume(state.run).done
    await bench.runs.drafted(state.run)
    events = [entry.event for entry in bench.runs.journal.read(state.run).entries]
    _, first, second = (e.action for e in events if isinstance(e, Intended) and e.action.verb is Phase.PLAN)
    assert replace(first, n=second.n) == second
    failed, again = (view for view in engine.views if view.note and view.turns_left == 15)
    assert replace(failed, texts=again.texts) == again
    after = bench.state(state.run)
    # One attempt failed; the failure of the transport was none.
    assert [s.status for s in after.steps] == ["ready"]
    assert (after.attention, after.steps[0].turns, len(bench.checks.calls)) == ("", 1 + 1 + 1, 2)


async def test_what_was_read_before_the_model_went_away_is_still_there(tmp_path: Path) -> None:
    engine = Model(Path(), reads_plan=2, fails=[None, None, AWAY])
    bench = bench_of(tmp_path, engine)
    state = await bench.drafted()
    assert (state.attention, state.turns, state.plan_attempts) == (AWAY.message, 2, 0)
    assert bench.runs.resume(state.run).done
    await bench.runs.drafted(state.run)
    state = bench.state(state.run)
    assert [s.status for s in state.steps] == ["ready"]
    assert [len(view.excerpts) for view in engine.views if view.step is None] == [0, 1, 2, 2]
    assert state.turns == 3


class GoesAway(Wordcheck):
    """A checker in whose time the model goes away, once."""

    def __init__(self, engine: Model) -> None:
        super().__init__(("done1",))
        self._engine = engine

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        if not self.calls:
            self._engine.fails = [AWAY]
        return await super().validate(change, texts, also, renames, on_check)


@pytest.mark.parametrize("cls", [FailureClass.TRANSIENT, FailureClass.PERMANENT])
def test_a_transport_failure_touches_no_counter_but_what_was_spent(cls: FailureClass) -> None:
    run = Simulation()
    run.until(Phase.EDIT)
    before = run.state
    run.act(replace(AWAY, cls=cls), TURN)
    now = run.state
    assert now.attention
    assert (now.attempt, now.steps[0].verify_rounds, now.notes) == (before.attempt, 0, ())
    assert (now.steps[0].turns, now.tokens) == (1, 120)


async def test_verify_rounds_exhausted(tmp_path: Path) -> None:
    """Two rounds, then a person: unverified, and nothing is offered."""
    run = Simulation(Limits(attempts=10))
    for number in range(2):
        run.attempt(number, evidence(number))
        assert run.state.phase is Phase.VERIFY
        run.act(Verified(("rule",), "the judge holds it for wrong"))
    ending, reason = closing(run.state)
    assert ending is Ending.ESCALATED
    assert reason == "unverified after 2 rounds: the rule 'the judge holds it for wrong' does not hold"
    assert not any(s.offered for s in run.state.steps)
    assert run.state.steps[0].verify_rounds == 2
    assert len(run.state.steps[0].seen) == 2


async def test_edits_and_their_verification_do_not_argue_till_dawn(tmp_path: Path) -> None:
    """The real rules: every draft is green, and none of the files was checked."""
    bench = Bench(tmp_path, "", Model(Path()), Blind())
    bench.path = bench.path.with_suffix(".py")
    bench.path.write_text("word1\n")
    bench.session.open(bench.uri, bench.path, "python", 1, "word1\n")
    engine = bench.engine
    engine.path = bench.path
    texts = iter(("one", "two", "three", "four"))
    engine.says = lambda number, view: next(texts)
    state = await bench.drafted(Limits(attempts=10))
    ending, reason = closing(state)
    assert ending is Ending.ESCALATED
    assert reason == "unverified after 2 rounds: the rule 'every edited file was checked' does not hold"
    assert len(bench.checks.calls) == 2
    assert not (await bench.runs.apply(state.run, 0, confirm=False)).done
    assert bench.text == "word1\n"


class Blind(Wordcheck):
    """A checker that looks at no file and calls it clean."""

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        seen = await super().validate(change, texts, also, renames, on_check)
        return replace(seen, checks=tuple(replace(check, scope=()) for check in seen.checks))


def test_a_held_step_that_breaks_a_rule_when_drafted_again_is_not_offered_on_the_evidence_of_that_draft() -> None:
    run = Simulation()
    run.attempt(0, evidence(0))
    run.act(Verified(()))
    run.accept(Moved((FILE,), (0,)))
    run.act(Swept(0))
    run.act(drafted(1))
    run.act(Validated(evidence(1)))
    run.act(Verified(("rule",), "rule"))
    assert run.state.steps[0].status is StepStatus.STALE
    assert check(run.state, Moved((), (), (0,))) is not None
    assert not run.state.steps[0].offered


def test_failures_that_cost_an_attempt_are_counted_as_such_and_as_nothing_else() -> None:
    run = Simulation(Limits(attempts=3))
    for number in range(2):
        run.attempt(number, evidence(number, frozenset({f"bad{number}"})))
    run.until(Phase.EDIT)
    assert (run.state.attempt, run.state.turns, run.state.tokens, run.state.steps[0].verify_rounds) == (3, 0, 0, 0)
    run.act(Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, "size", "it is too large", candidate="x"))
    assert closing(run.state) == (Ending.ESCALATED, "after 3 attempts: it is too large")


async def test_a_run_that_has_taken_all_its_actions_ends(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "word1 word2", Words(Path(), steps=2))
    state = await bench.drafted(Limits(actions=7))
    assert [s.status for s in state.steps] == ["ready", "refused"]
    events = [entry.event for entry in bench.runs.journal.read(state.run).entries]
    assert sum(isinstance(e, Intended) for e in events) == 7
    assert sum(isinstance(e, Resulted) for e in events) == 7
