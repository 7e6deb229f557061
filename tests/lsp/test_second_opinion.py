"""`surefoot.server.sites` with a second opinion of servers that Surefoot starts: over live text, and only when nobody else has spoken."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as t

from surefoot.core.text import Units
from surefoot.lsp.uris import uri_of
from tests.lsp.editor import Editor, capabilities, editing
from tests.lsp.test_sites_command import plain
from tests.lsp.wire import PATIENCE

Json = dict[str, Any]
FILES = {
    "stock.py": 'def total(items):\n    return sum(items)\n\n\nBADGE, AGAIN = "🧮", total\n',
    "orders.py": "from stock import total as add\n\nprint(add([]))\n",
}


async def raw(window: Editor, name: str, **more: object) -> Any:  # noqa: ANN401 - an object of the protocol
    start = window.at(name, "total").start
    argument = {"uri": uri_of(window.path(name)), "position": {"line": start.line, "character": start.character}, **more}
    async with asyncio.timeout(PATIENCE):
        return plain(await window.client.workspace_execute_command_async(t.ExecuteCommandParams("surefoot.server.sites", [argument])))


def told(answer: Json) -> list[str]:
    """Each site as `file line:character tier opinion`."""
    starts = [(site, site["range"]["start"]) for site in answer["sites"]]
    return [f"{Path(s['uri']).name} {at['line'] + 1}:{at['character']} {s['tier']} {s['opinion']}" for s, at in starts]


@pytest.mark.parametrize("units", Units)
async def test_servers_are_asked_over_live_text_when_it_is_wanted(tmp_path: Path, units: Units) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    wide = {Units.UTF8: 4, Units.UTF16: 2, Units.UTF32: 1}[units]
    async with editing(tmp_path, capabilities(units)) as window:
        window.open("orders.py")
        window.replace("orders.py", "print(add([]))", 'print("🧮", stock.total)')
        window.replace("orders.py", "from stock", "import stock\nfrom stock")
        answer: Json = await raw(window, "stock.py", secondOpinion=True)
        assert told(answer) == [
            "orders.py 2:18 exact both",
            "orders.py 2:27 exact ours",
            f"orders.py 4:{16 + wide} exact both",
            "stock.py 1:4 exact both",
            f"stock.py 5:{19 + wide} exact both",
        ]
        [server] = answer["servers"]
        assert (server["name"], server["said"]) == ("ty", f"ty {server['version']}: 4 agreed, 1 of ours not in its answer")
        unasked = await raw(window, "stock.py")
        assert not unasked["servers"]
        assert {site["opinion"] for site in unasked["sites"]} == {""}
        editors = await raw(window, "stock.py", secondOpinion=True, others=[])
        assert not editors["servers"]
        assert {site["opinion"] for site in editors["sites"]} == {"ours"}


async def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    (tmp_path / "Total.java").write_text("class Total { static void total() {} }\n")
    async with editing(tmp_path) as window:
        answer = await raw(window, "Total.java", secondOpinion=True)
    assert [(one["name"], one["said"]) for one in answer["servers"]] == [(".java", ".java: there is no language server to ask")]
    assert [site["opinion"] for site in answer["sites"]] == [""]
