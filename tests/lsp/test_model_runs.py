"""Tasks in free words from an editor: a real server process, a scripted model, real checkers."""

from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.llm.config import Models
from surefoot.lsp.actions import MODEL_FIX
from surefoot.lsp.choices import EDIT, INSPECT, OVERRULE, STOP, STRONGER
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK
from tests.lsp.editor import Editor, editing
from tests.support.messages_api import Fault, MessagesApi, Reply, edit, fails, passes

KEY = "sk-a-key-of-the-person"
OLD = "return sum(xs) / len(xs)"
WORSE = [edit(("calc.py", "mean", OLD, f"return helper_number_{n}(xs) / len(xs)")) for n in range(3)]
OTHER = edit(("calc.py", "mean", OLD, "return sum(xs) / max(len(xs), 1)"))


@pytest.fixture
def keyless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "SUREFOOT_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def keyed(keyless: None, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return monkeypatch


def write(root: Path) -> None:
    for name, text in CODE.items():
        (root / name).write_text(text)


def progress_words(window: Editor) -> list[str]:
    return [getattr(one, "message", "") or "" for told in window.client.progress_reports.values() for one in told]


async def test_free_words_are_planned_edited_checked_judged_and_applied(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    with MessagesApi(PLAN, GOOD, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            run = await window.started(TASK)
            assert [step["status"] for step in run["steps"]] == ["ready"]
            assert run["cost"].split()[1:] == ["tokens,", run["cost"].split()[-1]]
            assert any("tokens, $" in words for words in progress_words(window)), "what it costs stands beside what is being done"
            await window.command("next", {"run": run["run"]})
            assert "if xs else 0.0" in window.text("calc.py")
        assert all(request.headers["authorization"] == f"Bearer {KEY}" for request in api.requests)
        assert not any(KEY.encode() in request.raw for request in api.requests)
    assert KEY not in repr((window.runs, window.questions))


async def test_a_model_sees_the_buffer_and_not_the_disk(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    with MessagesApi(PLAN, GOOD, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.replace("calc.py", "def spread(xs):", "def spread_of_what_is_not_saved(xs):")
            await window.started(TASK)
        assert "spread_of_what_is_not_saved" in api.asked("edit")[0].user
        assert "def spread(xs)" not in api.asked("edit")[0].user


@pytest.mark.usefixtures("keyless")
async def test_without_a_key_the_forms_that_need_none_are_told(tmp_path: Path) -> None:
    write(tmp_path)
    async with editing(tmp_path) as window:
        window.open("calc.py")
        with pytest.raises(JsonRpcException, match=r"rename OLD to NEW.*ANTHROPIC_API_KEY") as refused:
            await window.command("start", {"task": TASK})
        assert refused.value.data is not None
        assert refused.value.data["needs"] == "surefoot/key"
        assert window.runs == {}


async def test_a_finding_without_a_fix_can_be_given_to_the_model(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    """What the checker says goes along as data, never as words of the person."""
    text = "def mean(xs: list[float]) -> float:\n    return sum(xs) / lenght(xs)\n"
    right = edit(("calc.py", "mean", "lenght", "len"))
    with MessagesApi(PLAN_OF_ONE, right, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py", text)
            found = [d for d in await window.diagnosed("calc.py", 1) if "lenght" in d.message]
            menu = await window.menu("calc.py", "lenght", ["quickfix"], diagnostics=found)
            action = next(one for one in menu if one.title == MODEL_FIX)
            assert isinstance(action, t.CodeAction)
            assert list(action.diagnostics or ()) == [found[0]]
            run = await window.settled((await window.choose(action))["run"])
            assert [step["status"] for step in run["steps"]] == ["ready"]
        asked = api.asked("plan")[0].user
        tool, code = found[0].source, found[0].code
        assert f"fix what {tool} finds in line 2 of calc.py" in asked
        before, _, after = asked.partition(found[0].message)
        assert before.rpartition("<data ")[2].endswith(f"what the checker says>\n{tool} {code}: ")
        assert "</data " in after
        assert "calc.py lines 1 to 2>\n" + text in asked, "the code around the finding is there from the start"


PLAN_OF_ONE = Reply(
    '{"touches": [], "steps": [{"title": "Call len", "intent": "Call len.", "files": ["calc.py"], "sites": [], "lines": 2,'
    ' "behaviour_preserving": false}], "fits": [], "cannot": ""}'
)


async def test_used_up_attempts_leave_a_choice_and_the_stronger_model_starts_from_the_note(
    tmp_path: Path, keyed: pytest.MonkeyPatch
) -> None:
    write(tmp_path)
    steps = [step for worse in WORSE for step in (PLAN, worse)]
    with MessagesApi(*steps, PLAN, GOOD, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.answers = [INSPECT, STRONGER]
            given_up = await window.started(TASK)
            assert given_up["status"] == "escalated"
            assert given_up["asks"] is True
            ready = await window.until(lambda: next((r for r in window.runs.values() if r["run"] != given_up["run"]), None))
            ready = await window.settled(ready["run"])
            assert [step["status"] for step in ready["steps"]] == ["ready"]
            assert window.buttons == [[INSPECT, STRONGER, STOP], [STRONGER, STOP]]
            assert "was given up: after 3 attempts" in window.questions[0]
            assert len(window.shown) == 1
        again = api.asked("plan")[3]
        assert again.body["model"] == Models().stronger
        assert "What must hold" in again.user, "it starts from the note"
        assert not any(f"helper_number_{n}(xs)" in request.user for n in range(3) for request in api.requests[6:])


async def test_a_person_may_say_the_task_otherwise(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    steps = [step for worse in WORSE for step in (PLAN, worse)]
    options = {"diagnostics": True, "rename": True, "clientCommands": ["surefoot.doTask"]}
    with MessagesApi(*steps) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path, options=options) as window:
            told: list[object] = []
            window.client.feature("surefoot/editTask")(lambda params: (told.append(params), window.came.set()))
            window.open("calc.py")
            window.answers = [EDIT]
            await window.started(TASK)
            await window.until(lambda: told or None)
            assert getattr(told[0], "task", "") == TASK


async def test_a_judge_can_be_overruled(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    judged = (fails("The result must give 0.0 and not 0 for an empty list."), fails("The function spread must take an empty list, too."))
    with MessagesApi(PLAN, GOOD, judged[0], PLAN, OTHER, judged[1]) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.answers = [OVERRULE]
            name = (await window.command("start", {"task": TASK}))["run"]
            await window.until(lambda: [s for s in window.runs.get(name, {}).get("steps", ()) if s["status"] == "ready"])
            assert window.buttons[0] == [INSPECT, OVERRULE, STRONGER, STOP]
            assert "The function spread must take an empty list, too" in window.questions[0]
            await window.command("next", {"run": name})
            assert "max(len(xs), 1)" in window.text("calc.py")


async def test_a_key_that_is_refused_wants_a_person_and_says_what_to_do(tmp_path: Path, keyed: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    with MessagesApi(Fault(401, "authentication_error"), PLAN, GOOD, passes()) as api:
        keyed.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.answers = [STOP]
            run = await window.until_attention(TASK)
            assert "set another one in ANTHROPIC_API_KEY" in run["message"]
            assert len(api.requests) == 1
