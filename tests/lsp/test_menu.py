"""`textDocument/codeAction` and what becomes of the action, in one window on one server."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.lsp.uris import uri_of
from tests.lsp.editor import Editor, editing

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNUSED = "import os\nimport sys\n\nprint(sys.argv)\n"
FIXED = "import sys\n\nprint(sys.argv)\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Editor]:
    root = tmp_path_factory.mktemp("menu")
    async with editing(root) as editor:
        yield editor


def titles(actions: Sequence[t.CodeAction | t.Command]) -> list[str]:
    return [a.title for a in actions]


async def test_a_validated_fix_is_offered_applied_and_seen(window: Editor) -> None:
    window.open("a.py", UNUSED)
    [found] = [d for d in await window.diagnosed("a.py", 1) if d.source == "ruff"]
    assert (found.code, found.range.start) == ("F401", t.Position(0, 7))
    action = await window.offered("a.py", "os", "quickfix")
    assert action.title.endswith("· −1 · ruff ✓ ty ✓"), action.title
    assert (action.edit, action.is_preferred, action.disabled) == (None, None, None)
    resolved = await window.client.code_action_resolve_async(action)
    assert isinstance(resolved.data, dict)
    assert "-import os\n" in resolved.data["diff"]
    await window.choose(action)
    assert window.text("a.py") == FIXED
    assert not await window.diagnosed("a.py", 2)


async def test_the_action_names_the_finding_that_the_editor_shows(window: Editor) -> None:
    window.open("shown.py", UNUSED)
    shown = await window.diagnosed("shown.py", 1)
    await window.offered("shown.py", "os", "quickfix")
    [action] = await window.menu("shown.py", "os", ["quickfix"], diagnostics=shown)
    assert isinstance(action, t.CodeAction)
    assert action.diagnostics == shown


async def test_a_stale_action_is_refused_and_changes_nothing(window: Editor) -> None:
    window.open("stale.py", UNUSED)
    action = await window.offered("stale.py", "os", "quickfix")
    window.replace("stale.py", "import sys", "import sys as sys")
    sent = len(window.edits)
    with pytest.raises(JsonRpcException, match="the text has moved"):
        await window.choose(action)
    resolved = await window.client.code_action_resolve_async(action)
    assert resolved.disabled
    assert len(window.edits) == sent
    assert window.text("stale.py") == UNUSED.replace("import sys", "import sys as sys")


async def test_undo_brings_a_proposal_back(window: Editor) -> None:
    window.open("undo.py", UNUSED)
    action = await window.offered("undo.py", "os", "quickfix")
    window.replace("undo.py", "print", "prin")
    window.replace("undo.py", "prin", "print")
    await window.choose(action)
    assert window.text("undo.py") == FIXED


async def test_a_clean_line_has_no_action_that_nobody_asked_for(window: Editor) -> None:
    window.open("clean.py", UNUSED)
    await window.offered("clean.py", "os", "quickfix")
    assert await window.menu("clean.py", "print", asked=False) == []
    assert titles(await window.menu("clean.py", "argv", asked=False)) == []
    assert len(await window.menu("clean.py", "os", asked=False)) == 1


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        (["refactor"], {"refactor.rename"}),
        (["refactor.rename"], {"refactor.rename"}),
        (["source"], set()),
        ([""], {"quickfix", "refactor.rename"}),
        (None, {"quickfix", "refactor.rename"}),
    ],
)
async def test_only_the_kinds_that_were_asked_for(window: Editor, only: list[str] | None, kinds: set[str]) -> None:
    name = f"kinds-{only}.py"
    window.open(name, UNUSED)
    for kind in ("quickfix", "refactor.rename"):
        await window.offered(name, "os", kind)
    assert {a.kind for a in await window.menu(name, "os", only) if isinstance(a, t.CodeAction)} == kinds


async def test_rename_is_offered_on_a_name_with_the_clients_own_command(window: Editor) -> None:
    window.open("name.py", "def total():\n    return 1\n\n\ntotal()  # call\n")
    action = await window.offered("name.py", "total()  # call", "refactor.rename")
    assert action.title == "Rename total everywhere…"
    assert action.command
    assert (action.command.command, list(action.command.arguments or ())) == (
        "surefoot.renameEverywhere",
        [uri_of(window.path("name.py")), {"line": 4, "character": 0}],
    )


async def test_where_there_is_no_name_the_menu_says_so(window: Editor) -> None:
    window.open("none.py", "x = 1 + 2\n")
    action = await window.offered("none.py", "+ 2", "refactor.rename")
    assert action.disabled == t.CodeActionDisabled("there is no name under the cursor")
    assert await window.menu("none.py", "+ 2") == []


async def test_a_position_outside_the_text_is_an_error_not_a_crash(window: Editor) -> None:
    window.open("short.py", "x = 1\n")
    place = t.Position(99, 0)
    params = t.CodeActionParams(t.TextDocumentIdentifier(uri_of(window.path("short.py"))), t.Range(place, place), t.CodeActionContext([]))
    with pytest.raises(JsonRpcException, match="line 100 is outside"):
        await window.client.text_document_code_action_async(params)
    assert (await window.offered("short.py", "x", "refactor.rename")).title == "Rename x everywhere…"


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/p/a.py?ref=HEAD", "file:///elsewhere/a.py", "vscode-notebook-cell:/n.ipynb#c"]
)
async def test_documents_that_are_no_files_of_the_root_are_left_alone(window: Editor, uri: str) -> None:
    window.client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, UNUSED)))
    place = t.Position(0, 8)
    params = t.CodeActionParams(t.TextDocumentIdentifier(uri), t.Range(place, place), t.CodeActionContext([]))
    assert not await window.client.text_document_code_action_async(params)
    assert await window.client.text_document_prepare_rename_async(t.PrepareRenameParams(t.TextDocumentIdentifier(uri), place)) is None


async def test_a_proposal_that_nobody_made_is_refused(window: Editor) -> None:
    with pytest.raises(JsonRpcException, match="open the menu again"):
        await window.command("applyProposal", {"id": "nothing"})
    with pytest.raises(JsonRpcException, match="needs the id"):
        await window.command("applyProposal", {})


async def test_an_editor_that_refuses_leaves_the_text_as_it_was(window: Editor) -> None:
    window.open("refused.py", UNUSED)
    action = await window.offered("refused.py", "os", "quickfix")
    window.manner = lambda editor, params: t.ApplyWorkspaceEditResult(applied=False, failure_reason="not now")
    try:
        with pytest.raises(JsonRpcException, match="not now"):
            await window.choose(action)
    finally:
        window.manner = None
    assert window.text("refused.py") == UNUSED


async def test_odd_line_separators_do_not_move_an_edit(window: Editor) -> None:
    window.open("odd.py", '"""a\x0cb\u2028c\x85d"""\nimport sys\n\nprint(sys.argv)\n')
    window.replace("odd.py", "import sys\n", "import os\nimport sys\n")
    action = await window.offered("odd.py", "os", "quickfix")
    await window.choose(action)
    assert window.text("odd.py") == '"""a\x0cb\u2028c\x85d"""\nimport sys\n\nprint(sys.argv)\n'


async def test_a_closed_document_has_no_diagnostics_any_more(window: Editor) -> None:
    window.open("closed.py", UNUSED)
    assert await window.diagnosed("closed.py", 1)
    window.close("closed.py")
    uri = uri_of(window.path("closed.py"))
    last = await window.until(lambda: [p for p in window.published if p.uri == uri and not p.diagnostics])
    assert last[-1].version is None


async def test_the_setting_takes_diagnostics_back_and_brings_them_again(window: Editor, tmp_path: Path) -> None:
    window.open("setting.py", UNUSED)
    uri = uri_of(window.path("setting.py"))
    assert await window.diagnosed("setting.py", 1)
    window.client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"surefoot": {"diagnostics": {"enable": False}}}))
    await window.until(lambda: [p for p in window.published if p.uri == uri and not p.diagnostics])
    window.published.clear()
    window.client.workspace_did_change_configuration(t.DidChangeConfigurationParams({"surefoot": {"diagnostics": {"enable": True}}}))
    assert await window.diagnosed("setting.py", 1)
