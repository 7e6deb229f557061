"""`surefoot.server.sites` through the real server: tiers over live text, ranges as the client counts, refusals, and a second opinion."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.text import Units
from surefoot.lsp.uris import uri_of
from tests.lsp.editor import Editor, capabilities, editing
from tests.lsp.wire import PATIENCE, speaking

pytestmark = pytest.mark.asyncio(loop_scope="module")

Json = dict[str, Any]
FILES = {
    "stock.py": 'def total(items):\n    """The total of items."""\n    return sum(items)\n\n\nBADGE, AGAIN = "🧮", total\n',
    "orders.py": "from stock import total as add\n\n\ndef bill(items):\n    return add(items)\n",
    "other.py": "def total():\n    return 0\n\n\nprint(total())\n",
    "guess.py": "def ask(shelf):\n    return shelf.total()\n",
    "tests/test_stock.py": "import stock\n\n\ndef test_total():\n    assert stock.total([]) == 0\n",
    "broken.py": "from stock import total\n\nx = (total\n",
    "notes.md": "Ask total first.\n",
    "empty.py": "\n",
    "marked.py": "\ufefffrom stock import total\n",
}


def written(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(text.encode())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Editor]:
    root = tmp_path_factory.mktemp("sites")
    written(root, FILES)
    async with editing(root) as editor:
        editor.open("stock.py")
        yield editor


async def raw(window: Editor, argument: Json, token: str | None = None) -> Any:  # noqa: ANN401 - an object or a list
    params = t.ExecuteCommandParams("surefoot.server.sites", [argument], token)
    async with asyncio.timeout(PATIENCE):
        return plain(await window.client.workspace_execute_command_async(params))


def plain(held: Any) -> Any:  # noqa: ANN401 - pygls makes a tuple type of whatever comes
    if hasattr(held, "_asdict"):
        return {name: plain(one) for name, one in held._asdict().items()}
    if isinstance(held, dict):
        return {name: plain(one) for name, one in held.items()}
    return [plain(one) for one in held] if isinstance(held, list | tuple) else held


def place(window: Editor, name: str, needle: str) -> Json:
    start = window.at(name, needle).start
    return {"uri": uri_of(window.path(name)), "position": {"line": start.line, "character": start.character}}


def located(window: Editor, name: str, needle: str, inner: str = "") -> Json:
    """The location of `inner`, a part of `needle`, in a file."""
    text = window.text(name)
    start = text.index(needle) + needle.index(inner or needle)
    covered = window.span(text, start, start + len(inner or needle))
    ends = {end: {"line": at.line, "character": at.character} for end, at in (("start", covered.start), ("end", covered.end))}
    return {"uri": uri_of(window.path(name)), "range": ends}


def told(window: Editor, answer: Json) -> list[str]:
    """Each site as `file:line kind tier opinion`, with what its range covers."""
    lines: list[str] = []
    for site in answer["sites"]:
        name = site["uri"].removeprefix(uri_of(window.root) + "/")
        covered = cut(window, name, site["range"])
        lines.append(" ".join(filter(None, (f"{name}:{site['range']['start']['line'] + 1}", site["tier"], covered, site["opinion"]))))
    return lines


def cut(window: Editor, name: str, covered: Json) -> str:
    line = window.text(name).removeprefix("\ufeff").splitlines()[covered["start"]["line"]]
    codec, width = {Units.UTF8: ("utf-8", 1), Units.UTF16: ("utf-16-le", 2), Units.UTF32: ("utf-32-le", 4)}[window.units]
    start, end = (covered[side]["character"] * width for side in ("start", "end"))
    return line.encode(codec)[start:end].decode(codec)


ALL = [
    "broken.py:1 exact total",
    "broken.py:3 exact total",
    "guess.py:2 likely total",
    "marked.py:1 exact total",
    "notes.md:1 mention total",
    "orders.py:1 exact total",
    "orders.py:1 exact add",
    "orders.py:5 exact add",
    "other.py:1 excluded total",
    "other.py:5 excluded total",
    "stock.py:1 exact total",
    "stock.py:2 mention total",
    "stock.py:6 exact total",
    "tests/test_stock.py:5 exact total",
]


@pytest.mark.parametrize("units", Units)
async def test_ranges_are_counted_as_the_client_counts(tmp_path: Path, units: Units) -> None:
    written(tmp_path, FILES)
    async with editing(tmp_path, capabilities(units)) as window:
        answer = await raw(window, place(window, "stock.py", "total"))
    assert told(window, answer) == ALL


async def test_an_answer_says_all_that_a_list_shows(window: Editor) -> None:
    answer = await raw(window, place(window, "stock.py", "total"))
    assert told(window, answer) == ALL
    assert answer["name"] == "total"
    assert [(s["name"], s["kind"], s["uri"]) for s in answer["symbols"]] == [("total", "function", uri_of(window.path("stock.py")))]
    counts = [(c["tier"], c["sites"], c["files"]) for c in answer["counts"]]
    assert counts == [("exact", 9, 5), ("likely", 1, 1), ("mention", 2, 2), ("excluded", 2, 1)]
    [unread] = answer["notScanned"]
    assert (unread["uri"], unread["reason"]) == (uri_of(window.path("broken.py")), "line 3 does not parse")
    call = next(s for s in answer["sites"] if s["text"] == "return add(items)")
    assert (call["kind"], call["function"], call["test"], call["reason"]) == ("call", "bill", False, "through the alias add")
    assert all(s["reason"] for s in answer["sites"] if s["tier"] != "exact")
    assert [s["uri"] for s in answer["sites"] if s["test"]] == [uri_of(window.path("tests/test_stock.py"))]


async def test_tiers_and_tests_are_left_out_but_for_the_counts_of_tiers(window: Editor) -> None:
    answer = await raw(window, place(window, "stock.py", "total") | {"tests": False, "tiers": ["likely", "mention"]})
    assert told(window, answer) == ["guess.py:2 likely total", "notes.md:1 mention total", "stock.py:2 mention total"]
    assert [(c["tier"], c["sites"]) for c in answer["counts"]] == [("exact", 8), ("likely", 1), ("mention", 2), ("excluded", 2)]


async def test_buffers_stand_above_files_and_closed_files_may_be_asked_about(window: Editor) -> None:
    window.open("fresh.py", "\n")
    window.replace("fresh.py", "\n", "import stock\n\nstock.total([1])\n")
    answer = await raw(window, place(window, "orders.py", "total"))
    assert "fresh.py:3 exact total" in told(window, answer)
    window.close("fresh.py")
    window.path("fresh.py").unlink()
    after = await raw(window, place(window, "marked.py", "total") | {"position": {"line": 0, "character": 20}})
    assert told(window, after) == ALL


async def test_plain_locations_are_those_that_a_change_must_account_for(window: Editor) -> None:
    found = await raw(window, place(window, "stock.py", "total") | {"flat": True})
    assert [set(one) for one in found] == [{"uri", "range"}] * 9
    assert located(window, "orders.py", "add(items)", "add") in found
    assert located(window, "guess.py", "total") not in found
    likely = await raw(window, place(window, "stock.py", "total") | {"flat": True, "tiers": ["likely"]})
    assert likely == [located(window, "guess.py", "total")]


BAD: list[tuple[Json, str]] = [
    ({}, "needs the uri of a file and a position"),
    ({"uri": "stock.py"}, "needs the uri of a file and a position"),
    ({"position": {"line": -1, "character": 0}}, "position must be an object with a line and a character"),
    ({"position": {"line": 4, "character": 0}}, "there is no name at this place"),
    ({"position": {"line": 99, "character": 0}}, "line 100 is outside a text of 7 lines"),
    ({"uri": "notes.md", "position": {"line": 0, "character": 5}}, "notes.md is in no language that Surefoot reads: "),
    ({"uri": "gone.py", "position": {"line": 0, "character": 0}}, "gone.py cannot be read: there is no such file"),
    ({"uri": "../outside.py", "position": {"line": 0, "character": 0}}, "is not a file of an open folder"),
    ({"position": {"line": 0, "character": 4}, "tiers": ["sure"]}, "tiers are exact, family, string, likely, mention, excluded"),
    ({"position": {"line": 0, "character": 4}, "tests": 1}, "tests must be true or false"),
    ({"position": {"line": 0, "character": 4}, "others": {}}, "others must be a list"),
    ({"position": {"line": 0, "character": 4}, "others": [{"uri": "a"}]}, "others must be locations"),
]


@pytest.mark.parametrize(("argument", "reason"), BAD, ids=[reason[:40] for _, reason in BAD])
async def test_a_place_that_is_none_is_refused_with_the_reason(window: Editor, argument: Json, reason: str) -> None:
    named = {"uri": uri_of(window.root / argument.get("uri", "stock.py"))} if argument else {}
    with pytest.raises(JsonRpcException) as refused:
        await raw(window, {**argument, **named})
    assert reason in refused.value.message
    assert refused.value.code == t.ErrorCodes.InvalidParams.value


async def test_a_second_opinion_is_united_with_ours_and_no_difference_is_hidden(window: Editor) -> None:
    others = [
        located(window, "stock.py", "def total", "total"),
        located(window, "orders.py", "import total", "total"),
        located(window, "other.py", "def total", "total"),
        located(window, "guess.py", "shelf.total"),
        located(window, "guess.py", "ask"),
        located(window, "guess.py", "ask"),
        {**located(window, "guess.py", "ask"), "uri": "untitled:draft"},
    ]
    answer = await raw(window, place(window, "stock.py", "total") | {"others": others})
    judged = [line for line in told_by_others(window, answer) if line.split()[-1] in {"both", "ours", "theirs"}]
    assert judged == [
        "broken.py:1 exact ours",
        "broken.py:3 exact ours",
        "guess.py:1 likely theirs",
        "guess.py:2 likely both",
        "marked.py:1 exact ours",
        "orders.py:1 exact both",
        "orders.py:1 exact ours",
        "orders.py:5 exact ours",
        "other.py:1 excluded theirs",
        "stock.py:1 exact both",
        "stock.py:6 exact ours",
        "tests/test_stock.py:5 exact ours",
        "untitled:draft:1 likely theirs",
    ]
    assert [c["sites"] for c in answer["counts"] if c["tier"] == "likely"] == [3]
    reasons = {(site["text"], site["opinion"]): site["reason"] for site in answer["sites"]}
    assert reasons["def ask(shelf):", "theirs"] == "only the editor's language server says so"
    assert reasons["def total():", "theirs"].startswith("the editor's language server counts it; ")
    assert reasons["return add(items)", "ours"] == "not in the editor's answer; through the alias add"


def told_by_others(window: Editor, answer: Json) -> list[str]:
    root = uri_of(window.root) + "/"
    return [f"{s['uri'].removeprefix(root)}:{s['range']['start']['line'] + 1} {s['tier']} {s['opinion']}" for s in answer["sites"]]


async def test_an_empty_second_opinion_disagrees_with_all_that_must_be_accounted_for(window: Editor) -> None:
    answer = await raw(window, place(window, "stock.py", "total") | {"others": []})
    assert {(s["tier"], s["opinion"]) for s in answer["sites"]} == {("exact", "ours"), ("likely", ""), ("mention", ""), ("excluded", "")}


async def test_a_search_is_shown_and_can_be_cancelled(tmp_path: Path) -> None:
    written(
        tmp_path, FILES | {f"many/m{i}.py": "from stock import total\n" + f"def f{i}(x):\n    return x.total()\n" * 40 for i in range(400)}
    )
    async with editing(tmp_path) as window:
        window.impatient = "every site"
        window.client.progress_reports["mine"] = []
        with pytest.raises(JsonRpcException) as ended:
            await raw(window, place(window, "stock.py", "total"), "mine")
        assert (ended.value.code, ended.value.message) == (t.LSPErrorCodes.RequestCancelled.value, "the search was cancelled")
        window.impatient = ""
        answer = await raw(window, place(window, "stock.py", "total") | {"tiers": ["exact"]})
        assert sum("many/" in site["uri"] for site in answer["sites"]) == 400


async def test_references_are_left_to_other_servers_so_that_their_answer_is_never_ours() -> None:
    async with speaking("surefoot", "serve", greet=False) as server:
        greeted = await server.ask(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert "referencesProvider" not in greeted["result"]["capabilities"]
    assert "surefoot.server.sites" in greeted["result"]["capabilities"]["executeCommandProvider"]["commands"]
