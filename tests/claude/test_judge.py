"""The judge: two fields and no history, a verdict that is read to the letter, and a person who may say otherwise."""

import random
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest

from surefoot.core.plan import Constraint
from surefoot.engines.claude.judge import ModelJudge
from surefoot.llm.answers import verdict_of
from surefoot.llm.ask import Ask, Hear, Said, Turn
from surefoot.llm.capabilities import ALL
from surefoot.llm.request import body_of
from surefoot.loop.verify import verify
from surefoot.run.events import Phase
from surefoot.run.fold import step
from surefoot.run.outcomes import Failure, NotRead
from surefoot.run.state import RunState
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK, WORSE, undefined
from tests.support.messages_api import passes
from tests.support.modelled import ModelBench, Textcheck

HISTORIES = 1_000
STRUGGLE = "Traceback (most recent call last): the attempt before did not work, best of its ability though. "


@dataclass
class Recorder:
    """A model that keeps what it is asked."""

    asks: list[Ask] = field(default_factory=list)

    async def turn(self, ask: Ask, hear: Hear) -> Turn:
        self.asks.append(ask)
        return Turn(Said("PASS\nIt does."), ())


@dataclass
class Standing:
    """As much of a run as is asked for while it is verified."""

    state: RunState


async def test_verifier_without_history(tmp_path: Path) -> None:
    """Whatever a run went through, up to 100 KB of struggle, the judge gets the same bytes: task, diff, declarations."""
    with ModelBench(tmp_path, CODE, PLAN, WORSE, PLAN, GOOD, passes(), checks=Textcheck(undefined)) as bench:
        done = await bench.run(TASK)
        request = bench.api.asked("judge")[0]
        state = before_the_judge(bench, done.run)
        tools = bench.tools(done.task)
        model = Recorder()
        judged = replace(tools, staff=replace(tools.staff, judge=ModelJudge(model, cast(Any, bench.progress))))
        chance = random.Random(7)
        for _ in range(HISTORIES):
            await verify(cast(Any, Standing(history(state, chance))), judged)
        bodies = {repr(body_of(ask, "any", ask.limit, ALL)) for ask in model.asks}
        assert len(model.asks) == HISTORIES
        assert len(bodies) == 1
        assert model.asks[0].blocks == (request.user,), "and these are the bytes that went over the wire"
        assert [m["role"] for m in request.body["messages"]] == ["user"]
        assert request.body["max_tokens"] == 256
        assert "undefined_helper" not in request.raw.decode()
        await bench.close()


def before_the_judge(bench: ModelBench, run: str) -> RunState:
    """The run as it was when its last change was verified."""
    state: RunState | None = None
    kept: RunState | None = None
    for entry in bench.journal.read(run).entries:
        state = step(state, entry.event)
        kept = state if state.phase is Phase.VERIFY and state.draft is not None and state.settled is None else kept
    assert kept is not None
    return kept


def history(state: RunState, chance: random.Random) -> RunState:
    """The same task and change after another past."""
    struggle = STRUGGLE * chance.choice((0, 1, 40, 1_000))
    some = tuple(f"note {n}: {struggle}" for n in range(chance.randrange(4)))
    at = state.steps[state.step]
    at = replace(
        at,
        planned=replace(at.planned, title=f"a title {chance.random()}"),
        seen=some,
        shapes=some,
        raised=some,
        cleared=some,
        turns=chance.randrange(20),
        attempts=chance.randrange(3),
        verify_rounds=chance.randrange(2),
        objection=chance.choice(("", struggle)),
        reason=struggle,
    )
    return replace(
        state.with_step(state.step, at),
        notes=some,
        constraints=tuple(Constraint("rule", None, 0, words) for words in some),
        why=struggle,
        reading=(NotRead("search_text", struggle),) * chance.randrange(3),
        summary=struggle,
        tokens=chance.randrange(200_000),
        micros=chance.randrange(10_000),
        turns=chance.randrange(20),
        actions=chance.randrange(100),
        plan_attempts=chance.randrange(3),
        failed=chance.choice((None, Phase.EDIT, Phase.VALIDATE)),
    )


@pytest.mark.parametrize(
    ("answer", "passes_"),
    [
        ("PASS\nThe mean of nothing is zero.", True),
        ("FAIL\nThe result must give zero for nothing.", False),
        ("PASS\nIt does.\n", True),
        ("PASS", None),
        ("pass\nIt does.", None),
        ("PASS.\nIt does.", None),
        ("**PASS**\nIt does.", None),
        ("PASS It does.", None),
        ("Looks good to me.\nPASS", None),
        ("FAIL\nOne thing.\nAnd another.", None),
        ("FAIL\n", None),
        ("", None),
        ("PASS\nFAIL", None),
    ],
)
def test_a_verdict_is_read_to_the_letter(answer: str, passes_: bool | None) -> None:
    verdict = verdict_of(answer)
    assert (None if isinstance(verdict, Failure) else verdict.passes) is passes_
