"""Clients that can less, and clients that count otherwise: each on a server of its own."""

from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.text import Units
from surefoot.lsp.uris import uri_of
from tests.lsp.editor import LITERALS, PREVIEW, Editor, capabilities, editing

UNUSED = "import os\nimport sys\n\nprint(sys.argv)\n"
FIXED = "import sys\n\nprint(sys.argv)\n"
EMOJI = "label = '😀é'; import os; other = 2\nprint(label, other)\n"


@pytest.mark.parametrize("units", list(Units))
async def test_columns_behind_an_emoji_are_right_in_every_encoding(units: Units, tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities(units)) as editor:
        editor.open("a.py", EMOJI)
        shown = [d for d in await editor.diagnosed("a.py", 1) if d.code == "F401"]
        assert shown
        assert all(d.range == editor.at("a.py", "os") for d in shown)
        action = await editor.offered("a.py", "os", "quickfix")
        await editor.choose(action)
        assert editor.text("a.py") == EMOJI.replace("import os; ", "")
        place = editor.at("a.py", "other")
        named = await editor.client.text_document_prepare_rename_async(
            t.PrepareRenameParams(t.TextDocumentIdentifier(uri_of(editor.path("a.py"))), place.start)
        )
        assert named == t.PrepareRenamePlaceholder(place, "other")


async def test_without_versioned_edits_the_change_is_a_plain_one(tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities(edit=None)) as editor:
        editor.open("a.py", UNUSED)
        await editor.choose(await editor.offered("a.py", "os", "quickfix"))
        assert editor.text("a.py") == FIXED
        [sent] = editor.edits
        assert sent.edit.document_changes is None
        assert list(sent.edit.changes or ()) == [uri_of(editor.path("a.py"))]


async def test_without_apply_edit_a_checked_edit_is_in_the_action(tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities(apply_edit=False)) as editor:
        editor.open("a.py", UNUSED)
        action = await editor.offered("a.py", "os", "quickfix")
        assert action.command is None
        assert action.edit
        editor.take(t.ApplyWorkspaceEditParams(action.edit))
        assert editor.text("a.py") == FIXED
        assert editor.edits == []


async def test_without_resolve_or_reasons_the_menu_is_whole(tmp_path: Path) -> None:
    action = t.CodeActionClientCapabilities(code_action_literal_support=LITERALS)
    async with editing(tmp_path, capabilities(action=action)) as editor:
        editor.open("a.py", UNUSED)
        offered = await editor.offered("a.py", "os", "quickfix")
        assert await editor.menu("a.py", "\nprint", ["refactor"]) == []
        await editor.choose(offered)
        assert editor.text("a.py") == FIXED


async def test_a_client_that_knows_commands_only_gets_commands(tmp_path: Path) -> None:
    async with editing(tmp_path, capabilities(action=None)) as editor:
        editor.open("a.py", UNUSED)
        assert await editor.diagnosed("a.py", 1)
        [command] = await _until_offered(editor)
        assert isinstance(command, t.Command)
        await editor.choose(command)
        assert editor.text("a.py") == FIXED


async def _until_offered(editor: Editor) -> list[t.CodeAction | t.Command]:
    while not (found := await editor.menu("a.py", "os", ["quickfix"])):
        pass
    return found


async def test_an_editor_with_a_preview_is_asked_to_show_it_for_several_files(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("from a import old\n\nold()\n")
    async with editing(tmp_path, capabilities(edit=PREVIEW)) as editor:
        editor.open("a.py", "def old() -> None:\n    pass\n")
        run = await editor.started("rename old to new")
        assert [s["status"] for s in run["steps"]] == ["ready"], run
        await editor.command("next", {"run": run["run"]})
        [sent] = editor.edits
        assert sent.edit.change_annotations
        assert all(a.needs_confirmation for a in sent.edit.change_annotations.values())
        assert {a.label for a in sent.edit.change_annotations.values()} == {sent.label} == {"Rename old to new · 3 sites in 2 files"}
        assert (editor.text("a.py"), editor.text("b.py")) == ("def new() -> None:\n    pass\n", "from a import new\n\nnew()\n")


async def test_the_ledger_is_counted_in_the_plan_in_the_lightbulb_and_in_the_preview(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("from a import old as o\n\no()\n")
    async with editing(tmp_path, capabilities(edit=PREVIEW)) as editor:
        editor.open("a.py", "def old() -> None:\n    pass\n")
        run = await editor.started("rename old to new")
        assert run["message"] == "4 sites in 2 files: 2 to update, 2 fit"
        [step] = run["steps"]
        assert step["summary"].startswith("Rename old to new · 4 sites in 2 files: 2 updated, 2 fit · +2 −2")
        await editor.command("next", {"run": run["run"]})
        [sent] = editor.edits
        assert [a.label for a in (sent.edit.change_annotations or {}).values()] == [
            "Rename old to new · 4 sites in 2 files: 2 updated, 2 fit"
        ]


async def test_rename_that_another_server_answers_is_not_offered(tmp_path: Path) -> None:
    async with editing(tmp_path, options={"rename": False, "diagnostics": False}) as editor:
        editor.open("a.py", UNUSED)
        await editor.offered("a.py", "os", "quickfix")
        assert editor.published == []
        place = editor.at("a.py", "os").start
        params = t.PrepareRenameParams(t.TextDocumentIdentifier(uri_of(editor.path("a.py"))), place)
        with pytest.raises(JsonRpcException, match="there is no such method"):
            await editor.client.text_document_prepare_rename_async(params)
