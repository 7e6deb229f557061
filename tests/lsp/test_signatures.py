"""Changed signatures through the editor's commands: drafted by the words of a task, applied in steps, taken back."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from surefoot.lsp.uris import uri_of
from tests.lsp.editor import Editor, editing

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Editor]:
    root = tmp_path_factory.mktemp("signatures")
    async with editing(root) as editor:
        yield editor


def shop(window: Editor, name: str, calls: int = 1) -> dict[str, str]:
    """A function called `name` that gives one of its arguments on, and a file with calls, which is open."""
    texts = {
        f"{name}_def.py": f"def {name}(amount: int, unused: int = 0) -> int:\n    return amount\n",
        f"{name}_use.py": f"from {name}_def import {name}\n\n" + "".join(f"print({name}({i}, 2))\n" for i in range(calls)),
    }
    for file, text in texts.items():
        window.path(file).write_text(text)
    window.open(f"{name}_use.py")
    return texts


def seen(window: Editor, texts: dict[str, str]) -> dict[str, str]:
    return {file: window.text(file) for file in texts}


async def test_a_parameter_is_removed_and_comes_back(window: Editor) -> None:
    texts = shop(window, "charge")
    run = await window.started("remove parameter unused from charge")
    [step] = run["steps"]
    assert (step["status"], step["files"], step["checks"]) == ("ready", 2, "ruff ✓ ty ✓"), step
    await window.command("applyAll", {"run": run["run"]})
    assert window.text("charge_def.py") == "def charge(amount: int) -> int:\n    return amount\n"
    assert window.text("charge_use.py") == "from charge_def import charge\n\nprint(charge(0))\n"
    await window.command("revert", {})
    assert seen(window, texts) == texts


async def test_a_parameter_is_added_from_a_call_under_the_cursor(window: Editor) -> None:
    shop(window, "refund")
    place = window.at("refund_use.py", "refund(0").start
    where = {"uri": uri_of(window.path("refund_use.py")), "position": {"line": place.line, "character": place.character}}
    run = await window.started("add parameter reason: str to refund passing 'late'", **where)
    assert [s["status"] for s in run["steps"]] == ["ready"], run
    await window.command("applyAll", {"run": run["run"]})
    assert window.text("refund_def.py").startswith("def refund(amount: int, reason: str, unused: int = 0) -> int:\n")
    assert window.text("refund_use.py").endswith("print(refund(0, 'late', 2))\n")


async def test_many_calls_are_changed_in_steps_that_each_hold(window: Editor) -> None:
    texts = shop(window, "pack", calls=60)
    run = await window.started("make parameter unused of pack keyword-only")
    assert [s["status"] for s in run["steps"]] == ["ready"] * 4, run["steps"]
    assert all(s["added"] + s["removed"] <= 50 and s["checks"] == "ruff ✓ ty ✓" for s in run["steps"]), run["steps"]
    await window.command("applyAll", {"run": run["run"]})
    assert window.text("pack_def.py") == "def pack(amount: int, *, unused: int = 0) -> int:\n    return amount\n"
    assert window.text("pack_use.py") == texts["pack_use.py"].replace(", 2)", ", unused=2)")


async def test_a_new_parameter_may_be_left_out_until_every_call_gives_it(window: Editor) -> None:
    texts = shop(window, "weigh", calls=30)
    run = await window.started("add parameter unit: str to weigh passing 'kg' keyword-only")
    titles = ["Add parameter unit to weigh, as one that may be left out", *["Add parameter unit to weigh: calls in weigh_use.py"] * 2]
    assert [(s["title"], s["status"]) for s in run["steps"]] == [(t, "ready") for t in (*titles, "Require unit of weigh")], run["steps"]
    await window.command("applyAll", {"run": run["run"]})
    assert window.text("weigh_def.py") == "def weigh(amount: int, unused: int = 0, *, unit: str) -> int:\n    return amount\n"
    assert window.text("weigh_use.py") == texts["weigh_use.py"].replace(", 2)", ", 2, unit='kg')")


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ("remove parameter amount from {}", "`amount` is still used in"),
        ("add parameter amount=1 to {}", "it has a parameter `amount` already"),
        ("make parameter nothing of {} keyword-only", "it has no parameter `nothing`"),
        ("add parameter unit to {} passing 'kg' last", "`unit` has no default and cannot stand after `unused`, which has one"),
    ],
)
async def test_what_cannot_be_done_is_refused_with_the_reason(window: Editor, task: str, message: str) -> None:
    shop(window, "ship")
    run = await window.started(task.format("ship"))
    assert (run["status"], run["steps"]) == ("refused", [])
    assert message in run["message"], run
