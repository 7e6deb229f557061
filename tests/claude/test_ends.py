"""Answers of every odd kind: each leads to a defined end, and none is held against the wrong party."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from surefoot.run.state import StepStatus
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK, WORSE
from tests.support.messages_api import Reply, edit, fails, passes, plan, step
from tests.support.modelled import Found, ModelBench, Textcheck

ODD = {"nul": "calc\0.py", "loop": "loop.py", "long": "x" * 900, "longer": "x" * 6_000, "empty": " ", "root": ".", "tilde": "~/x"}


@pytest.mark.parametrize("name", ODD)
async def test_a_path_that_no_system_has_is_a_look_that_fails(tmp_path: Path, name: str) -> None:
    path = ODD[name]
    look = Reply(uses=[("read_excerpt", json.dumps({"path": path, "first": 1, "last": 2}))])
    odd = plan(step("Edit it", path, lines=2))
    with ModelBench(tmp_path, CODE, look, odd, PLAN, edit((path, "", "a", "b")), PLAN, GOOD, passes()) as bench:
        (bench.root / "loop.py").symlink_to(bench.root / "loop.py")
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        assert bench.api.left == 0
        await bench.close()


OBJECTION = "The result must give 0.0 and not 0 for an empty list."


def undefined(texts: Mapping[str, str]) -> Sequence[Found]:
    wrong = "undefined_helper_for_means" in texts["calc.py"]
    return [Found("calc.py", "undefined_helper_for_means", "unresolved-reference", "a name is not defined")] if wrong else []


@pytest.mark.parametrize("second", [WORSE, edit(("calc.py", "mean", "return nothing of the sort", "return 0"))], ids=["check", "gate"])
async def test_an_objection_is_not_made_twice_by_what_fails_after_it(tmp_path: Path, second: Reply) -> None:
    """What the judge said of the first draft is no word on the second: that failed for a reason of its own."""
    first = edit(("calc.py", "mean", "return sum(xs) / len(xs)", "return sum(xs) / max(len(xs), 1)"))
    with ModelBench(
        tmp_path, CODE, PLAN, first, fails(OBJECTION), PLAN, second, PLAN, GOOD, passes(), checks=Textcheck(undefined)
    ) as bench:
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        assert bench.api.left == 0
        assert OBJECTION.rstrip(".") not in bench.api.asked("plan")[2].user.rpartition("# Correction")[2]
        await bench.close()


@pytest.mark.parametrize(
    "said", [Reply("PASS\nIt", stop="max_tokens"), Reply(""), Reply("x", stop="pause_turn")], ids=["cut", "empty", "pause"]
)
async def test_a_judge_that_gives_no_verdict_passes_nothing_and_tells_the_plan_nothing_of_itself(tmp_path: Path, said: Reply) -> None:
    other = edit(("calc.py", "mean", "return sum(xs) / len(xs)", "return sum(xs) / max(len(xs), 1)"))
    with ModelBench(tmp_path, CODE, PLAN, other, said, PLAN, GOOD, passes()) as bench:
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        assert state.steps[0].verify_rounds == 1
        told = bench.api.asked("plan")[1].user
        assert "The result must do all that the task asks" in told
        assert "tokens" not in told.rpartition("# What must hold")[2]
        await bench.close()
