"""An editor that has no file open: it writes what the server asks for to disk, and tells that the files changed."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from examples.drive_shop import Editor, RunView, is_settled, offset, to_path
from lsprotocol import types as lsp

PATIENCE = 900.0
"""Seconds without any news of a run after which it counts as stuck."""


class DiskEditor(Editor):
    """Takes edits like an editor with every file closed, and keeps what it was sent."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.written: set[Path] = set()
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(lambda params: consent(params))

    def take_edit(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        """Write every changed file, and tell the server once."""
        for one in params.edit.document_changes or []:
            if isinstance(one, lsp.TextDocumentEdit):
                self.change(to_path(one.text_document.uri), [edit for edit in one.edits if isinstance(edit, lsp.TextEdit)])
        moved = [lsp.FileEvent(to_path(c.text_document.uri).as_uri(), lsp.FileChangeType.Changed) for c in _documents(params)]
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(moved))
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def change(self, path: Path, edits: Sequence[lsp.TextEdit]) -> None:
        """Replace the ranges of one file, the last first; everything else keeps its bytes."""
        text = path.read_bytes().decode("utf-8")
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            start, end = offset(text, edit.range.start), offset(text, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        path.write_bytes(text.encode("utf-8"))
        self.written.add(path)

    async def settled(self, run: str) -> RunView:
        """The run as soon as nothing is being drafted any more."""
        quiet_since = time.monotonic()
        while not (run in self.runs and is_settled(self.runs[run])):
            self.moved.clear()
            async with asyncio.timeout(PATIENCE - (time.monotonic() - quiet_since)):
                await self.moved.wait()
            quiet_since = time.monotonic()
        return self.runs[run]


def consent(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
    """Press the first button: a step that is wide is applied with consent."""
    return next(iter(params.actions or ()), None)


def _documents(params: lsp.ApplyWorkspaceEditParams) -> list[lsp.TextDocumentEdit]:
    return [one for one in params.edit.document_changes or [] if isinstance(one, lsp.TextDocumentEdit)]
