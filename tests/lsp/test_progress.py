"""What a person sees of a run while it is drafted, and when that ends before its time."""

import sqlite3
from pathlib import Path

import pytest

from surefoot.journal.journal import folder_of, state_dir
from surefoot.lsp.attention import RESUME
from tests.claude.test_runs import CODE, GOOD, PLAN, TASK
from tests.lsp.editor import Editor, editing
from tests.support.messages_api import Fault, MessagesApi, passes


def shown(window: Editor) -> list[list[str]]:
    """What each progress of the task said, one list for each."""
    told = [[*reports] for reports in window.client.progress_reports.values()]
    return [[getattr(one, "message", "") or "" for one in one_bar] for one_bar in told if TASK in (getattr(one_bar[0], "title", "") or "")]


async def test_a_model_that_is_asked_again_later_is_shown_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is refused in the middle of a run stops it; what goes on after the person's answer has its progress, too."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-a-key")
    (tmp_path / "calc.py").write_text(CODE["calc.py"])
    with MessagesApi(PLAN, Fault(401, "authentication_error"), GOOD, passes()) as api:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        async with editing(tmp_path) as window:
            window.open("calc.py")
            window.answers = [RESUME]
            name = (await window.command("start", {"task": TASK}))["run"]
            await window.until(lambda: [s for s in window.runs.get(name, {}).get("steps", ()) if s["status"] == "ready"])
            first, second = await window.until(lambda: bars if len(bars := shown(window)) == 2 and len(bars[1]) > 2 else None)
            assert not any("tokens" in words for words in first[:2]), "nothing was used up before the plan came"
            assert all("tokens, $" in words for words in second if words)
            assert api.left == 0


async def test_a_run_whose_drafting_cannot_be_recorded_says_so(tmp_path: Path) -> None:
    (tmp_path / "calc.py").write_text(CODE["calc.py"])
    async with editing(tmp_path) as window:
        window.open("calc.py")
        await window.command("start", {"task": "rename mean to average"})
        with sqlite3.connect(folder_of(tmp_path, state_dir()) / "journal.sqlite") as held:
            held.execute("BEGIN IMMEDIATE")
            (said,) = await window.until(lambda: [m.message for m in window.client.messages])
            assert said.startswith("Surefoot: “rename mean to average” is not drafted any further: ")
            held.rollback()
        held.close()
        await window.command("resume", {})
        await window.until(lambda: [r for r in window.runs.values() if [s["status"] for s in r["steps"]] == ["ready"]])
