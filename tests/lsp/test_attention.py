"""A run that stopped: a person is asked once, may look first, and the run goes on from its last valid state or ends."""

import sqlite3
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from surefoot.journal.journal import folder_of, state_dir
from surefoot.lsp.attention import GO_ON, INSPECT, RESUME, STOP
from tests.lsp.editor import editing, killed

CANARY = "canary_of_a_row"
TEXTS = {
    "stock.py": "def get_stock(name: str) -> int:\n    return len(name)\n",
    "use.py": "from stock import get_stock\n\nprint(get_stock('tea'))\n",
}


async def stopped(root: Path) -> str:
    """A run that was ready, and of which a row was edited by hand while no server ran."""
    for name, text in TEXTS.items():
        (root / name).write_text(text)
    async with editing(root) as window:
        window.open("use.py")
        run = (await window.started("rename get_stock to stock_of"))["run"]
    with sqlite3.connect(folder_of(root, state_dir()) / "journal.sqlite") as db:
        changed = db.execute("UPDATE events SET body = ? WHERE run = ? AND seq = 6", (f'{{"{CANARY}": 1}}'.encode(), run)).rowcount
    db.close()
    assert changed == 1
    return str(run)


async def test_inspect_comes_first_then_resume_and_the_run_goes_on(tmp_path: Path) -> None:
    run = await stopped(tmp_path)
    async with editing(tmp_path) as window:
        window.open("use.py")
        window.answers = [INSPECT, RESUME]
        with pytest.raises(JsonRpcException, match="wants attention first: a stored row broke the rule"):
            await window.command("next", {"run": run})
        ready = await window.until(lambda: now if _ready(now := window.runs.get(run)) else None)
        assert window.buttons == [[INSPECT, RESUME, STOP], [RESUME, STOP]]
        assert all("“rename get_stock to stock_of” stopped: a stored row broke the rule" in q and "row 6" in q for q in window.questions)
        assert [uri.rpartition("/")[2] for uri in window.shown] == [f"{run}.html"]
        assert CANARY not in repr((window.questions, window.runs, ready))
        await window.command("next", {"run": run})
        assert window.text("stock.py").startswith("def stock_of(")


async def test_stop_ends_the_run_and_nothing_is_changed(tmp_path: Path) -> None:
    run = await stopped(tmp_path)
    async with editing(tmp_path) as window:
        window.open("use.py")
        window.answers = [STOP]
        with pytest.raises(JsonRpcException, match="wants attention first"):
            await window.command("next", {"run": run})
        closed = await window.until(lambda: now if (now := window.runs.get(run, {})).get("status") == "cancelled" else None)
        assert closed["attention"] is False
        assert {name: window.text(name) for name in TEXTS} == TEXTS
        with pytest.raises(JsonRpcException, match="is closed"):
            await window.command("resume", {"run": run})


async def test_a_question_that_is_closed_leaves_the_run_as_it_is_and_is_not_asked_again(tmp_path: Path) -> None:
    run = await stopped(tmp_path)
    async with editing(tmp_path) as window:
        window.open("use.py")
        for _ in range(2):
            with pytest.raises(JsonRpcException, match="wants attention first"):
                await window.command("next", {"run": run})
        assert len(window.questions) == 1
        assert window.runs[run]["attention"] is True
        await window.command("resume", {"run": run})
        await window.until(lambda: _ready(window.runs.get(run)))


async def cut_short(root: Path) -> str:
    """A run whose server was killed while it drafted."""
    for name, text in TEXTS.items():
        (root / name).write_text(text)
    async with killed(root) as window:
        window.open("use.py")
        run = (await window.command("start", {"task": "rename get_stock to stock_of"}))["run"]
        await window.until(lambda: window.runs.get(run))
    return str(run)


async def test_a_run_that_was_cut_short_is_asked_about_and_goes_on(tmp_path: Path) -> None:
    run = await cut_short(tmp_path)
    async with editing(tmp_path) as window:
        window.answers = [GO_ON]
        await window.until(lambda: _ready(window.runs.get(run)))
        assert window.buttons == [[INSPECT, GO_ON, STOP]]
        assert window.questions == ["“rename get_stock to stock_of” was cut short while it was being drafted."]
        await window.command("next", {})
        assert window.text("stock.py").startswith("def stock_of(")
    async with editing(tmp_path) as window:
        window.open("use.py")
        await window.menu("use.py", "get_stock")
        assert window.questions == []


async def test_a_ready_run_of_an_earlier_server_is_the_one_that_commands_mean(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    async with editing(tmp_path) as window:
        await window.started("rename get_stock to stock_of")
    async with editing(tmp_path) as window:
        await window.command("next", {})
        assert window.questions == []
        assert window.text("stock.py").startswith("def stock_of(")


def _ready(run: dict[str, object] | None) -> bool:
    steps = run["steps"] if run is not None and run["attention"] is False else ()
    return bool(steps) and all(s["status"] == "ready" for s in steps)  # type: ignore[attr-defined]
