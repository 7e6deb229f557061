"""What failed when it ran is planned anew with the failing test and the way of its calls; what does not compile is not."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.run.state import StepStatus
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK, WORSE
from tests.support.messages_api import Reply, passes
from tests.support.modelled import Found, ModelBench, Textcheck

ASSERTION = "AssertionError: assert 'mean 7.5' == 'mean 0.0' where the summary was made of no rows at all"
FILES = {
    **CODE,
    "report.py": "from calc import mean\n\n\ndef summary(rows):\n    return f'mean {mean(rows)}'\n\n\ndef other(rows):\n    return rows\n",
    "pages.py": "from report import summary\n\n\ndef page(rows):\n    return [summary(rows)]\n",
    "test_pages.py": "from pages import page\n\n\ndef test_page_of_nothing():\n    assert page([]) == []\n\n\ndef test_b():\n    pass\n",
}
AS_IT_IS = [{"site": number, "why": "it passes a list"} for number in (3, 4)]
SITES_PLAN = Reply(json.dumps({**json.loads(PLAN.text), "fits": AS_IT_IS}))


def failing(tool: str, code: str) -> Textcheck:
    def rule(texts: Mapping[str, str]) -> Sequence[Found]:
        wrong = "undefined_helper_for_means" in texts["calc.py"]
        return [Found("test_pages.py", "page([]) ==", code, ASSERTION, tool)] if wrong else []

    return Textcheck(rule)


async def test_a_failing_test_brings_itself_and_the_callers_in_between(tmp_path: Path) -> None:
    note = Reply("Make `mean` return 0.0 for an empty list.")
    with ModelBench(
        tmp_path, FILES, SITES_PLAN, WORSE, note, SITES_PLAN, GOOD, passes(), checks=failing("pytest", "AssertionError")
    ) as bench:
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        asked = bench.api.asked("distil")[0].user
        assert "Work backward from the error to the change" in asked
        assert ASSERTION in asked
        first, second = (request.user for request in bench.api.asked("plan"))
        for shown in (
            "test_pages.py lines 4 to 5>\ndef test_page_of_nothing",
            "report.py lines 4 to 5>\ndef summary",
            "pages.py lines 4 to 5>\ndef page",
        ):
            assert shown in second
            assert shown not in first
        assert "def test_b" not in second
        assert "def other" not in second
        assert "AssertionError" not in second.replace("no pytest AssertionError", ""), "the plan gets the note, not the words of the test"
        await bench.close()


async def test_what_does_not_compile_widens_nothing(tmp_path: Path) -> None:
    with ModelBench(tmp_path, FILES, SITES_PLAN, WORSE, SITES_PLAN, GOOD, passes(), checks=failing("scripted", "bad-call")) as bench:
        state = await bench.run(TASK)
        assert state.steps[0].status is StepStatus.READY
        assert bench.api.asked("distil") == []
        assert "def test_page_of_nothing" not in bench.api.asked("plan")[1].user
        await bench.close()
