"""Runs through the editor's commands: drafted, applied, reverted, skipped, cancelled, shown; and the editor's own rename."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.lsp.uris import uri_of
from tests.lsp.editor import Editor, editing

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Editor]:
    root = tmp_path_factory.mktemp("runs")
    async with editing(root) as editor:
        yield editor


def shop(window: Editor, name: str) -> dict[str, str]:
    """Three files around a function called `name`; the middle one is open."""
    texts = {
        f"{name}_def.py": f"def {name}(amount: int) -> int:\n    return amount\n",
        f"{name}_use.py": f"from {name}_def import {name}\n\nprint({name}(1))\n",
        f"test_{name}.py": f"import {name}_def as d\n\n\ndef test_it() -> None:\n    assert d.{name}(2) == 2\n",
    }
    for file, text in texts.items():
        window.path(file).write_text(text)
    window.open(f"{name}_use.py")
    return texts


def renamed(texts: dict[str, str], old: str, new: str) -> dict[str, str]:
    """The same files after a rename that leaves the module's name alone."""
    return {f: t.replace(old, new).replace(f"{new}_def", f"{old}_def").replace(f"test_{new}", f"test_{old}") for f, t in texts.items()}


def seen(window: Editor, texts: dict[str, str]) -> dict[str, str]:
    return {file: window.text(file) for file in texts}


async def test_three_files_are_renamed_and_taken_back(window: Editor) -> None:
    texts = shop(window, "charge")
    run = await window.started("rename charge to bill")
    [step] = run["steps"]
    assert (step["status"], step["files"], step["sites"], step["wide"], step["checks"]) == ("ready", 3, 4, False, "ruff ✓ ty ✓"), step
    assert step["summary"] == f"{step['title']} · 4 sites in 3 files · +{step['added']} −{step['removed']} · ruff ✓ ty ✓"
    assert (run["status"], run["root"], run["task"]) == ("open", uri_of(window.root), "rename charge to bill")
    assert seen(window, texts) == texts
    await window.command("apply", {"run": run["run"], "step": step["id"]})
    assert seen(window, texts) == renamed(texts, "charge", "bill")
    closed = await window.until(lambda: now if (now := window.runs[run["run"]])["status"] == "done" else None)
    assert closed["steps"][0]["status"] == "applied"
    await window.command("revert", {})
    assert seen(window, texts) == texts


async def test_a_run_is_shown_as_a_report(window: Editor) -> None:
    shop(window, "refund")
    run = await window.started("rename refund to pay_back")
    shown = await window.command("showRun", {"run": run["run"]})
    assert (shown["run"], shown["title"]) == (run["run"], "rename refund to pay_back")
    assert "-def refund(amount: int) -> int:" in shown["text"]
    assert (await window.command("showRun", {}))["run"] == run["run"]
    await window.command("cancel", {"run": run["run"]})


async def test_the_next_step_is_in_the_menu_where_it_changes_the_text(window: Editor) -> None:
    texts = shop(window, "ship")
    run = await window.started("rename ship to send")
    automatic = await window.menu("ship_use.py", "ship(1)", asked=False)
    assert [a.title for a in automatic] == ["Rename ship to send · 4 sites in 3 files · +4 −4 · ruff ✓ ty ✓"]
    assert await window.menu("ship_use.py", "\nprint", asked=False) == []
    await window.choose(automatic[0])
    assert seen(window, texts) == renamed(texts, "ship", "send")
    assert run["run"] in window.runs


async def test_typing_makes_a_ready_step_stale_and_it_is_drafted_again(window: Editor) -> None:
    texts = shop(window, "pack")
    run = await window.started("rename pack to wrap")
    window.replace("pack_use.py", "print(pack(1))", "print(pack(1), pack(2))")
    again = await window.until(
        lambda: now if (now := window.runs[run["run"]])["steps"][0]["sites"] == 5 and now["steps"][0]["status"] == "ready" else None
    )
    assert again["status"] == "open"
    await window.command("next", {"run": run["run"]})
    assert window.text("pack_use.py") == "from pack_def import wrap\n\nprint(wrap(1), wrap(2))\n"
    assert window.text("pack_def.py") == renamed(texts, "pack", "wrap")["pack_def.py"]


async def test_a_step_is_never_applied_to_a_text_that_moved(window: Editor) -> None:
    texts = shop(window, "weigh")
    run = await window.started("rename weigh to measure")
    window.replace("weigh_use.py", "print", "assert")
    with pytest.raises(JsonRpcException, match="the text has moved"):
        await window.command("next", {"run": run["run"]})
    assert window.text("weigh_def.py") == texts["weigh_def.py"]
    await window.command("cancel", {"run": run["run"]})


async def test_a_run_can_be_skipped_and_cancelled(window: Editor) -> None:
    texts = shop(window, "label")
    run = await window.started("rename label to tag")
    await window.command("skip", {"run": run["run"], "step": "0"})
    await window.until(lambda: window.runs[run["run"]]["status"] == "done")
    run = await window.started("rename label to tag")
    await window.command("cancel", {"run": run["run"]})
    await window.until(lambda: window.runs[run["run"]]["status"] == "cancelled")
    with pytest.raises(JsonRpcException):
        await window.command("next", {"run": run["run"]})
    assert seen(window, texts) == texts


def reported(window: Editor, words: str) -> list[object] | None:
    """What was reported under the progress whose title has these words, once it has ended."""
    for shown in window.client.progress_reports.values():
        if shown and words in getattr(shown[0], "title", "") and isinstance(shown[-1], t.WorkDoneProgressEnd):
            return list(shown)
    return None


async def test_the_progress_of_a_run_begins_tells_and_ends(window: Editor) -> None:
    shop(window, "sort_out")
    run = await window.started("rename sort_out to arrange")
    begin, *told, _ = await window.until(lambda: reported(window, "sort_out"))
    assert isinstance(begin, t.WorkDoneProgressBegin)
    assert (begin.title, begin.cancellable) == ("Surefoot: rename sort_out to arrange", True)
    assert any("ruff" in (r.message or "") for r in told if isinstance(r, t.WorkDoneProgressReport)), told
    await window.command("cancel", {"run": run["run"]})


async def test_progress_that_is_cancelled_ends_its_run(window: Editor) -> None:
    texts = shop(window, "tidy_up")
    window.impatient = "tidy_up"
    run = await window.started("rename tidy_up to clean_up")
    assert (run["status"], run["message"]) == ("cancelled", "cancelled by a person")
    assert await window.until(lambda: reported(window, "tidy_up"))
    assert seen(window, texts) == texts


async def test_a_file_that_changes_on_disk_makes_a_ready_step_stale(window: Editor) -> None:
    shop(window, "fold")
    run = await window.started("rename fold to bend")
    path = window.path("test_fold.py")
    path.write_text(path.read_text() + "    assert d.fold(3) == 3\n")
    change = t.FileEvent(uri_of(path), t.FileChangeType.Changed)
    window.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([change]))
    again = await window.until(
        lambda: now if (now := window.runs[run["run"]])["steps"][0]["sites"] == 5 and now["steps"][0]["status"] == "ready" else None
    )
    assert again["status"] == "open"
    await window.command("cancel", {"run": run["run"]})


async def test_a_run_by_position(window: Editor) -> None:
    texts = shop(window, "count_up")
    place = window.at("count_up_use.py", "count_up(1)").start
    where = {"line": place.line, "character": place.character}
    uri = uri_of(window.path("count_up_use.py"))
    run = await window.started("", uri=uri, position=where, newName="add_up")
    assert [s["status"] for s in run["steps"]] == ["ready"], run
    await window.command("applyAll", {"run": run["run"]})
    assert seen(window, texts) == renamed(texts, "count_up", "add_up")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "takes one object"),
        ([3], "takes one object"),
        ([{"task": ""}], "say what is to be done"),
        ([{"task": 5}], "task must be a text"),
        ([{"task": "rename a to b", "root": "file:///elsewhere"}], "none of the open folders"),
        ([{"task": "rename a to b", "root": "nonsense"}], "none of the open folders"),
        ([{"task": "rename a to b", "uri": "untitled:Untitled-1", "position": {"line": 0, "character": 0}}], "none of the open folders"),
        ([{"task": "rename a to b", "position": {"line": -1}}], "position must be"),
    ],
)
async def test_starts_that_make_no_sense_say_why(window: Editor, arguments: list[object], message: str) -> None:
    with pytest.raises(JsonRpcException, match=message):
        await window.command("start", *arguments)


@pytest.mark.parametrize("command", ["apply", "next", "applyAll", "revert", "skip", "cancel", "showRun"])
async def test_a_run_that_is_not_there_is_named(window: Editor, command: str) -> None:
    with pytest.raises(JsonRpcException, match="there is no run r0"):
        await window.command(command, {"run": "r0"})


@pytest.mark.parametrize(
    ("task", "status", "message"),
    [
        ("rename nothing_like_it to other", "refused", "nothing_like_it"),
        ("rename taken_old to taken_new", "refused", "taken_new"),
    ],
)
async def test_tasks_that_cannot_be_done_are_refused_with_the_reason(window: Editor, task: str, status: str, message: str) -> None:
    window.path("taken.py").write_text("def taken_old() -> None:\n    pass\n\n\ndef taken_new() -> None:\n    pass\n")
    run = await window.started(task)
    assert run["status"] == status
    assert message in run["message"]


async def rename(window: Editor, name: str, needle: str, new: str) -> t.WorkspaceEdit | None:
    place = window.at(name, needle).start
    params = t.RenameParams(t.TextDocumentIdentifier(uri_of(window.path(name))), place, new)
    return await window.client.text_document_rename_async(params)


async def test_the_editors_own_rename_is_checked_and_reaches_every_file(window: Editor) -> None:
    texts = shop(window, "greet")
    edit = await rename(window, "greet_use.py", "greet(1)", "hail")
    assert edit
    window.take(t.ApplyWorkspaceEditParams(edit))
    assert seen(window, texts) == renamed(texts, "greet", "hail")


@pytest.mark.parametrize(
    ("new", "message"), [("class", "class"), ("print", "print"), ("a b", "a b` is not a name"), ("new including comments", "is not a name")]
)
async def test_a_rename_that_would_break_says_why(window: Editor, new: str, message: str) -> None:
    texts = shop(window, "wave")
    with pytest.raises(JsonRpcException, match=message):
        await rename(window, "wave_use.py", "wave(1)", new)
    assert seen(window, texts) == texts


async def test_a_rename_whose_text_moves_meanwhile_is_not_sent(window: Editor) -> None:
    shop(window, "nod")
    pending = asyncio.ensure_future(rename(window, "nod_use.py", "nod(1)", "bow"))
    await asyncio.sleep(0)
    window.replace("nod_use.py", "print", "assert")
    with pytest.raises(JsonRpcException, match="changed"):
        await pending


async def test_a_cancelled_rename_is_answered_as_cancelled(window: Editor) -> None:
    shop(window, "smile")
    place = window.at("smile_use.py", "smile(1)").start
    params = t.RenameParams(t.TextDocumentIdentifier(uri_of(window.path("smile_use.py"))), place, "grin")
    pending = asyncio.ensure_future(asyncio.wrap_future(window.client.protocol.send_request(t.TEXT_DOCUMENT_RENAME, params, msg_id="r1")))
    await asyncio.sleep(0)
    window.client.cancel_request(t.CancelParams("r1"))
    with pytest.raises(JsonRpcException) as raised:
        await pending
    assert raised.value.code == t.LSPErrorCodes.RequestCancelled.value


async def test_nothing_to_rename_is_null(window: Editor) -> None:
    window.open("plain.py", "x = 1 + 2\n")
    place = window.at("plain.py", "+").start
    params = t.PrepareRenameParams(t.TextDocumentIdentifier(uri_of(window.path("plain.py"))), place)
    assert await window.client.text_document_prepare_rename_async(params) is None


async def test_marks_and_line_ends_stay_open_or_closed(window: Editor) -> None:
    window.path("bom_def.py").write_bytes(b"\xef\xbb\xbfdef lift() -> None: ...\r\n\r\n\r\nlift()")
    window.path("bom_use.py").write_bytes(b"\xef\xbb\xbffrom bom_def import lift\r\n\r\nlift()\r\n")
    window.open("bom_use.py")
    run = await window.started("rename lift to raise_up")
    await window.command("next", {"run": run["run"]})
    assert window.text("bom_def.py") == "def raise_up() -> None: ...\r\n\r\n\r\nraise_up()"
    assert window.text("bom_use.py") == "from bom_def import raise_up\r\n\r\nraise_up()\r\n"
    await window.command("revert", {"run": run["run"]})
    assert window.text("bom_def.py") == "def lift() -> None: ...\r\n\r\n\r\nlift()"


def lock(path: Path) -> None:
    path.chmod(0o444)


@pytest.mark.parametrize(("name", "spoil", "message"), [("locked", lock, "read-only"), ("gone", Path.unlink, "the text has moved")])
async def test_a_step_over_a_file_that_cannot_be_changed_changes_none(
    window: Editor, name: str, spoil: Callable[[Path], None], message: str
) -> None:
    texts = shop(window, name)
    run = await window.started(f"rename {name} to spare_{name}")
    spoil(window.path(f"{name}_def.py"))
    sent = len(window.edits)
    with pytest.raises(JsonRpcException, match=message):
        await window.command("next", {"run": run["run"]})
    assert len(window.edits) == sent
    assert window.text(f"{name}_use.py") == texts[f"{name}_use.py"]


async def test_a_file_that_does_not_parse_refuses_the_rename_by_name(window: Editor) -> None:
    texts = shop(window, "parse_me")
    window.replace("parse_me_use.py", "print(parse_me(1))", "print(parse_me(1)")
    run = await window.started("rename parse_me to parsed")
    assert run["status"] != "open", run
    assert "parse_me_use.py" in run["message"]
    assert window.text("parse_me_def.py") == texts["parse_me_def.py"]


async def test_each_folder_has_its_own_runs(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for root in (one, two):
        root.mkdir()
        (root / "a.py").write_text("def old() -> None:\n    pass\n")
    async with editing(one, more_roots=[two]) as editor:
        with pytest.raises(JsonRpcException, match="several folders are open"):
            await editor.command("start", {"task": "rename old to new"})
        run = await editor.started("rename old to new", root=uri_of(two))
        editor.manner = lambda window, params: t.ApplyWorkspaceEditResult(applied=_written(two / "a.py"))
        await editor.command("next", {})
        assert (one / "a.py").read_text() == "def old() -> None:\n    pass\n"
        assert run["root"] == uri_of(two)
        change = t.WorkspaceFoldersChangeEvent(added=[], removed=[t.WorkspaceFolder(uri_of(two), "two")])
        editor.client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(change))
        run = await editor.started("rename old to newer")
        assert run["root"] == uri_of(one)
        await editor.command("cancel", {})


def _written(path: Path) -> bool:
    path.write_text("def new() -> None:\n    pass\n")
    return True
