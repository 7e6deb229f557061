"""Renames two functions of the example shop through the real server over stdio, as an editor would, and prints each checked step.

Works on a copy; the shop itself is never written. `python examples/drive_shop.py [--keep FOLDER]`
"""

import argparse
import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from pygls.uris import to_fs_path

SHOP = Path(__file__).resolve().parent / "shop"
TASKS = ("rename getPrice to priceFor", "rename get_stock to free_stock")
OPENED = ("src/prices.ts", "shop/stock.py")
LANGUAGES = {".ts": "typescript", ".py": "python"}
PATIENCE = 120.0  # seconds that one task may take
DRAFTING = ("planned", "drafting")


class StepView(Protocol):
    """One step, as the server tells it."""

    title: str
    status: str
    files: int
    added: int
    removed: int
    sites: int
    checks: str
    reason: str


class RunView(Protocol):
    """One run, as the notification `surefoot/runChanged` tells it."""

    run: str
    status: str
    attention: object
    message: str
    steps: Sequence[StepView]


@dataclass
class Buffer:
    """An open document, as an editor holds it."""

    text: str
    version: int


class Client(LanguageClient):
    """A client that keeps what the server logged, for when something goes wrong."""

    log = ""

    async def server_exit(self, server: asyncio.subprocess.Process) -> None:
        """Called by pygls when the server has ended."""
        self.log = (await server.stderr.read()).decode("utf-8", "replace") if server.stderr else ""


class Editor:
    """The least that an editor does for a language server: it holds buffers, takes versioned edits, and tells what changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.buffers: dict[Path, Buffer] = {}
        self.runs: dict[str, RunView] = {}
        self.moved = asyncio.Event()
        self.client = Client("drive-shop", "1")
        # pygls marks the functions it is given, and a method cannot be marked.
        self.client.feature(lsp.WORKSPACE_APPLY_EDIT)(lambda params: self.take_edit(params))
        self.client.feature(lsp.WINDOW_SHOW_MESSAGE)(lambda params: say(f"  {params.message}"))
        self.client.feature("surefoot/runChanged")(lambda run: self.see_run(run))
        for unread in (
            lsp.WINDOW_WORK_DONE_PROGRESS_CREATE,
            lsp.PROGRESS,
            lsp.WINDOW_LOG_MESSAGE,
            lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
        ):
            self.client.feature(unread)(lambda _params: None)

    async def start(self) -> None:
        """Start the server in this environment and shake hands; columns count code points, as Python's own strings do."""
        await self.client.start_io(sys.executable, "-m", "surefoot", "serve")
        edits = lsp.WorkspaceEditClientCapabilities(document_changes=True)
        await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(
                    general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf32]),
                    workspace=lsp.WorkspaceClientCapabilities(apply_edit=True, workspace_edit=edits),
                    window=lsp.WindowClientCapabilities(work_done_progress=True),
                ),
                workspace_folders=[lsp.WorkspaceFolder(uri=self.root.as_uri(), name="shop")],
            )
        )
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        """Take leave in the order that the protocol asks for."""
        try:
            await self.client.shutdown_async(None)
        finally:
            self.client.exit(None)
            await self.client.stop()

    def open(self, path: Path) -> Buffer:
        """The buffer of `path`, which the server is told of when it is new."""
        if path not in self.buffers:
            self.buffers[path] = Buffer(path.read_bytes().decode("utf-8"), 1)
            item = lsp.TextDocumentItem(path.as_uri(), LANGUAGES[path.suffix], 1, self.buffers[path].text)
            self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return self.buffers[path]

    def take_edit(self, params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        """Change the buffers, all of them or none: an edit for a version that is gone is refused."""
        changes = [one for one in params.edit.document_changes or [] if isinstance(one, lsp.TextDocumentEdit)]
        for one in changes:
            wanted = one.text_document.version
            if wanted is not None and wanted != self.open(to_path(one.text_document.uri)).version:
                return lsp.ApplyWorkspaceEditResult(applied=False, failure_reason=f"{one.text_document.uri} has moved on")
        for one in changes:
            self.change(to_path(one.text_document.uri), [edit for edit in one.edits if isinstance(edit, lsp.TextEdit)])
        return lsp.ApplyWorkspaceEditResult(applied=True)

    def change(self, path: Path, edits: Sequence[lsp.TextEdit]) -> None:
        """Replace the ranges of one buffer, the last first, and tell the server its new text."""
        buffer = self.open(path)
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            start, end = offset(buffer.text, edit.range.start), offset(buffer.text, edit.range.end)
            buffer.text = buffer.text[:start] + edit.new_text + buffer.text[end:]
        buffer.version += 1
        document = lsp.VersionedTextDocumentIdentifier(uri=path.as_uri(), version=buffer.version)
        whole = lsp.TextDocumentContentChangeWholeDocument(text=buffer.text)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))

    def save(self) -> None:
        """Write every buffer to the copy."""
        for path, buffer in self.buffers.items():
            path.write_bytes(buffer.text.encode("utf-8"))

    def see_run(self, run: RunView) -> None:
        """Remember the newest state of a run."""
        self.runs[run.run] = run
        self.moved.set()

    async def command(self, name: str, **arguments: object) -> dict[str, str]:
        """Ask the server to execute one of its commands."""
        params = lsp.ExecuteCommandParams(f"surefoot.server.{name}", [arguments])
        answer = await self.client.workspace_execute_command_async(params)
        return dict(answer) if isinstance(answer, Mapping) else {}

    async def settled(self, run: str) -> RunView:
        """The run as soon as nothing is being drafted any more."""
        async with asyncio.timeout(PATIENCE):
            while not (run in self.runs and is_settled(self.runs[run])):
                self.moved.clear()
                await self.moved.wait()
        return self.runs[run]


def is_settled(run: RunView) -> bool:
    """Whether the run is closed, wants a person, or has drafted every step."""
    drafted = bool(run.steps) and all(step.status not in DRAFTING for step in run.steps)
    return drafted or run.status != "open" or bool(run.attention)


def to_path(uri: str) -> Path:
    """The file of a `file:` URI that the server sent."""
    return Path(to_fs_path(uri) or "")


def offset(text: str, position: lsp.Position) -> int:
    """Index into `text` of a position in code points."""
    lines = text.splitlines(keepends=True)
    return sum(len(line) for line in lines[: position.line]) + position.character


def say(line: str = "") -> None:
    """Print at once, also when the output goes into a file."""
    print(line, flush=True)


async def rename(editor: Editor, task: str, reports: Path) -> bool:
    """Run one task from its words to the applied steps; False when it did not get there."""
    say(f"\n{task}")
    answer = await editor.command("start", root=editor.root.as_uri(), task=task)
    run = await editor.settled(answer["run"])
    for number, step in enumerate(run.steps, 1):
        say(f"  step {number}: {step.title}")
        say(f"    {step.sites} sites in {step.files} files · +{step.added} -{step.removed} · {step.checks or step.reason}")
    if any(step.status != "ready" for step in run.steps) or not run.steps:
        say(f"  {run.message}")
        return False
    await editor.command("applyAll", run=run.run)
    run = await editor.settled(run.run)
    shown = await editor.command("showRun", run=run.run)
    report = reports / f"{task.replace(' ', '-')}.md"
    report.write_text(shown["text"], encoding="utf-8")
    applied = all(step.status == "applied" for step in run.steps)
    say(f"  {'applied' if applied else run.message}; report: {report}")
    return applied


async def drive(copy: Path, reports: Path) -> bool:
    """Do all tasks on the copy of the shop; False when one did not get to its end."""
    editor = Editor(copy)
    await editor.start()
    done, trouble = False, None
    try:
        for name in OPENED:
            editor.open(editor.root / name)
        done = all([await rename(editor, task, reports) for task in TASKS])
    except (JsonRpcException, TimeoutError) as error:
        trouble = error
    try:
        await editor.stop()
    except JsonRpcException as error:
        trouble = trouble or error
    editor.save()
    if trouble is not None:
        say(f"  {trouble or f'nothing happened for {PATIENCE:.0f} s'}\nThe server logged:\n{editor.client.log}")
    return done and trouble is None


def main(argv: Sequence[str] | None = None) -> int:
    """0 when every step was checked and applied."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="an empty or new folder for the copy and the reports, kept afterwards")
    keep = parser.parse_args(argv).keep
    folder = Path(tempfile.mkdtemp(prefix="surefoot-shop-") if keep is None else keep).resolve()
    copy, reports = folder / "shop", folder / "reports"
    reports.mkdir(parents=True)
    shutil.copytree(SHOP, copy, ignore=shutil.ignore_patterns("__pycache__"))
    say(f"Working on a copy of examples/shop in {copy}")
    done = asyncio.run(drive(copy, reports))
    tests = subprocess.run([sys.executable, "-m", "unittest", "-q"], cwd=copy, capture_output=True, text=True)
    say(f"\nThe copy's own Python tests {'pass' if tests.returncode == 0 else 'fail: ' + tests.stderr}")
    return 0 if done and tests.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
