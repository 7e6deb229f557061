"""Diagnostics over what happens to folders, buffers and files, against the real server process."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as t

from surefoot.lsp.publish import matters
from surefoot.lsp.uris import uri_of
from surefoot.workspace.disk import LARGEST
from tests.lsp.editor import Editor, editing

FAULTY = "print(nope)\n"


async def told(editor: Editor, uri: str, count: int, since: int) -> t.PublishDiagnosticsParams:
    """What was published for a document after the first `since` messages, once it has this many findings."""
    found = await editor.until(lambda: [p for p in editor.published[since:] if p.uri == uri and len(p.diagnostics) == count])
    return found[0]


async def test_diagnostics_go_with_their_folder_and_come_back_with_it(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for root in (one, two):
        root.mkdir()
    (two / "b.py").write_text(FAULTY)
    async with editing(one, more_roots=[two]) as editor:
        editor.open("a.py", FAULTY)
        uri = uri_of(two / "b.py")
        editor.client.text_document_did_open(t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "python", 1, FAULTY)))
        await told(editor, uri, 2, 0)
        folder, since = [t.WorkspaceFolder(uri_of(two), "two")], len(editor.published)
        _folders(editor, t.WorkspaceFoldersChangeEvent(added=[], removed=folder))
        await told(editor, uri, 0, since)
        since = len(editor.published)
        _folders(editor, t.WorkspaceFoldersChangeEvent(added=folder, removed=[]))
        await told(editor, uri, 2, since)
        assert not [p for p in editor.published if p.uri != uri and not p.diagnostics]


def _folders(editor: Editor, event: t.WorkspaceFoldersChangeEvent) -> None:
    editor.client.workspace_did_change_workspace_folders(t.DidChangeWorkspaceFoldersParams(event))


async def test_a_buffer_that_cannot_be_used_any_more_has_no_diagnostics(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        editor.open("a.py", FAULTY)
        uri = uri_of(editor.path("a.py"))
        await told(editor, uri, 2, 0)
        since = len(editor.published)
        _whole(editor, uri, 2, "x = 1\n" * (LARGEST // 6 + 1))
        await told(editor, uri, 0, since)
        since = len(editor.published)
        _whole(editor, uri, 3, FAULTY)
        await told(editor, uri, 2, since)


def _whole(editor: Editor, uri: str, version: int, text: str) -> None:
    document = t.VersionedTextDocumentIdentifier(version=version, uri=uri)
    changes: list[t.TextDocumentContentChangeEvent] = [t.TextDocumentContentChangeWholeDocument(text=text)]
    editor.client.text_document_did_change(t.DidChangeTextDocumentParams(document, changes))


async def _writing(editor: Editor, name: str) -> None:
    """A program that writes a file all the time."""
    event = t.FileEvent(uri_of(editor.path(name)), t.FileChangeType.Changed)
    while True:
        editor.client.workspace_did_change_watched_files(t.DidChangeWatchedFilesParams([event]))
        await asyncio.sleep(0.02)


async def test_programs_that_write_all_the_time_do_not_keep_diagnostics_away(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        editor.open("a.py", FAULTY)
        await editor.diagnosed("a.py", 1)
        for version, name in enumerate(("app.log", "made.py"), 2):
            writing = asyncio.ensure_future(_writing(editor, name))
            try:
                editor.replace("a.py", "nope", "nope2")
                assert len(await editor.diagnosed("a.py", version)) == 2
            finally:
                writing.cancel()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.py", True),
        ("a.d.ts", True),
        ("pyproject.toml", True),
        ("tsconfig.build.json", True),
        ("uv.lock", True),
        ("folder", True),
        ("folder-that-is-gone", True),
        ("app.log", False),
        ("notes.md", False),
        ("Makefile", False),
    ],
)
def test_files_that_are_a_reason_to_look_again(name: str, expected: bool, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "Makefile").write_text("")
    assert matters(tmp_path / name) is expected
