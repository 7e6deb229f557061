"""A step that only the judge is against, in the menu of any editor; and what a window is told of a task that needs a key."""

from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.engines.aims import NotATask
from surefoot.engines.forms import FORMS
from surefoot.engines.tasks import parse_task
from surefoot.lsp.actions import OVERRULED, STEP
from surefoot.lsp.choices import STRONGER
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK
from tests.lsp.editor import editing
from tests.lsp.test_model_runs import OTHER, WORSE
from tests.support.messages_api import MessagesApi, fails, passes

OBJECTION = "The function spread must take an empty list, too."


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-a-key")
    return monkeypatch


async def test_what_the_judge_is_against_is_offered_with_its_objection(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    (tmp_path / "calc.py").write_text(CODE["calc.py"])
    with MessagesApi(PLAN, GOOD, fails("The result must give 0.0."), PLAN, OTHER, fails(OBJECTION)) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.open("other.py", "count = max(1, 2)\n")
            window.picks = ""
            run = await window.started(TASK)
            assert run["status"] == "open"
            assert [step["status"] for step in run["steps"]] == ["refused"]
            assert not await window.menu("other.py", "max", [STEP]), "it changes nothing there"
            (action,) = await window.menu("calc.py", "return sum", [STEP])
            assert isinstance(action, t.CodeAction)
            assert action.title == f"{OVERRULED}: Let mean take nothing. The judge objects: {OBJECTION}"
            assert OBJECTION.rstrip(".") in window.questions[0]
            assert window.questions[0].count("spread") == 1, "it is said once"
            assert not await window.menu("calc.py", "return sum", [STEP], asked=False), "a light bulb is no place for it"
            await window.choose(action)
            await window.until(lambda: [s for s in window.runs[run["run"]]["steps"] if s["status"] == "ready"])
            assert len(api.requests) == 6, "nobody is asked again"
            await window.command("next", {"run": run["run"]})
            assert "max(len(xs), 1)" in window.text("calc.py")


async def test_a_run_with_the_stronger_model_is_told_as_such(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    (tmp_path / "calc.py").write_text(CODE["calc.py"])
    with MessagesApi(*[step for worse in WORSE for step in (PLAN, worse)], PLAN, GOOD, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.answers = [STRONGER]
            first = await window.started(TASK)
            second = await window.until(lambda: next((r for r in window.runs.values() if r["run"] != first["run"]), None))
            assert (first["stronger"], first["task"]) == (False, TASK)
            assert (second["stronger"], second["task"]) == (True, f"{TASK}, with the stronger model")
            titles = [getattr(bar[0], "title", "") for bar in window.client.progress_reports.values()]
            assert f"Surefoot: {second['task']}" in titles, "a client can tell whose progress it is"


async def test_tasks_that_need_no_key_come_with_the_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "SUREFOOT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "calc.py").write_text(CODE["calc.py"])
    async with editing(tmp_path) as window:
        with pytest.raises(JsonRpcException) as refused:
            await window.command("start", {"task": TASK})
        assert refused.value.data is not None
        assert refused.value.data == {"needs": "surefoot/key", "forms": list(FORMS)}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_understood_once_it_is_filled_in(form: str) -> None:
    filled = form
    for words, name in (("OLD", "old"), ("NEW", "fresh"), ("FUNCTION", "total"), ("DEFAULT", "1"), ("TYPE", "int"), ("VALUE", "2")):
        filled = filled.replace(words, name)
    filled = filled.replace("NAME", "tax").replace("B, A", "b, a")
    parsed = parse_task(filled)
    assert not isinstance(parsed, NotATask), parsed
