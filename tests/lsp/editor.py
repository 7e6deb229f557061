"""An editor over the real server process: buffers with versions, menus, commands, and edits taken as an honest editor takes them."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as t
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

from surefoot.core.text import LineIndex, Units
from surefoot.lsp.sync import changed
from surefoot.lsp.uris import path_of, uri_of
from tests.lsp.wire import PATIENCE

T = TypeVar("T")
Json = dict[str, Any]
Answer = t.ApplyWorkspaceEditResult
REPLACED = frozenset({t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, t.PROGRESS, t.WINDOW_SHOW_DOCUMENT})
LITERALS = t.ClientCodeActionLiteralOptions(t.ClientCodeActionKindOptions(["quickfix", "refactor"]))


class Plain(LanguageClientProtocol):
    """Leaves code actions as they came: lsprotocol takes every action that has a command for a bare command."""

    def get_result_type(self, method: str) -> type[Any] | None:
        return None if method == t.TEXT_DOCUMENT_CODE_ACTION else super().get_result_type(method)


@dataclass
class Buffer:
    uri: str
    text: str
    version: int


@dataclass
class Editor:
    """One window. `manner` decides what becomes of a `workspace/applyEdit`; `picks` what a person answers to a question, after the
    `answers` that are there; progress whose title has the words `impatient` is cancelled as soon as it is shown."""

    client: LanguageClient
    root: Path
    units: Units
    buffers: dict[str, Buffer] = field(default_factory=dict[str, Buffer])
    edits: list[t.ApplyWorkspaceEditParams] = field(default_factory=list[t.ApplyWorkspaceEditParams])
    published: list[t.PublishDiagnosticsParams] = field(default_factory=list[t.PublishDiagnosticsParams])
    questions: list[str] = field(default_factory=list[str])
    buttons: list[list[str]] = field(default_factory=list[list[str]])
    answers: list[str] = field(default_factory=list[str])
    shown: list[str] = field(default_factory=list[str])
    runs: dict[str, Json] = field(default_factory=dict[str, Json])
    picks: str = "Apply"
    impatient: str = ""
    manner: Callable[["Editor", t.ApplyWorkspaceEditParams], Answer] | None = None
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def path(self, name: str) -> Path:
        return self.root / name

    def text(self, name: str) -> str:
        """What a person would see: the buffer, else the file."""
        held = self.buffers.get(uri_of(self.path(name)))
        return held.text if held else self.path(name).read_bytes().decode()

    def open(self, name: str, text: str | None = None, language: str = "python") -> None:
        """Open a file as editors do, without its byte order mark; with `text` write it first."""
        if text is not None:
            self.path(name).parent.mkdir(parents=True, exist_ok=True)
            self.path(name).write_bytes(text.encode())
        uri = uri_of(self.path(name))
        self.buffers[uri] = Buffer(uri, self.path(name).read_bytes().decode("utf-8-sig"), 1)
        item = t.TextDocumentItem(uri, language, 1, self.buffers[uri].text)
        self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))

    def close(self, name: str) -> None:
        del self.buffers[uri_of(self.path(name))]
        self.client.text_document_did_close(t.DidCloseTextDocumentParams(t.TextDocumentIdentifier(uri_of(self.path(name)))))

    def replace(self, name: str, old: str, new: str) -> None:
        """Type over the first `old`."""
        buffer = self.buffers[uri_of(self.path(name))]
        start = buffer.text.index(old)
        self._tell(buffer, [t.TextDocumentContentChangePartial(range=self.span(buffer.text, start, start + len(old)), text=new)])

    def span(self, text: str, start: int, end: int) -> t.Range:
        index = LineIndex(text.encode())
        ends = (index.position(len(text[:i].encode()), self.units) for i in (start, end))
        return t.Range(*(t.Position(*place) for place in ends))

    def at(self, name: str, needle: str) -> t.Range:
        """The range of the first `needle` in a buffer."""
        text = self.text(name)
        return self.span(text, text.index(needle), text.index(needle) + len(needle))

    async def menu(
        self,
        name: str,
        needle: str,
        only: Sequence[str] | None = None,
        asked: bool = True,
        diagnostics: Sequence[t.Diagnostic] = (),
    ) -> list[t.CodeAction | t.Command]:
        """What the server offers with the cursor at the start of `needle`."""
        place = self.at(name, needle).start
        trigger = t.CodeActionTriggerKind.Invoked if asked else t.CodeActionTriggerKind.Automatic
        context = t.CodeActionContext(list(diagnostics), None if only is None else list(only), trigger)
        params = t.CodeActionParams(t.TextDocumentIdentifier(uri_of(self.path(name))), t.Range(place, place), context)
        raw = await asyncio.wrap_future(self.client.protocol.send_request(t.TEXT_DOCUMENT_CODE_ACTION, params))
        structure = self.client.protocol._converter.structure
        return [structure(one, t.Command if isinstance(one.get("command"), str) else t.CodeAction) for one in raw or []]

    async def offered(self, name: str, needle: str, kind: str, words: str = "") -> t.CodeAction:
        """The first action of a kind, asked for again until the check behind it is through."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for one in await self.menu(name, needle, [kind]):
                    if isinstance(one, t.CodeAction) and one.kind == kind and words in one.title:
                        return one

    async def command(self, name: str, *arguments: object) -> Json:
        """Run a server command; raises JsonRpcException with its refusal."""
        return await self._execute(f"surefoot.server.{name}", arguments)

    async def choose(self, action: t.CodeAction | t.Command) -> Json:
        """Do what an editor does with an action that was picked."""
        command = action if isinstance(action, t.Command) else action.command
        assert command
        return await self._execute(command.command, command.arguments or ())

    async def until(self, fits: Callable[[], T | None]) -> T:
        """The first true answer of `fits`, looked at whenever the server said something."""
        async with asyncio.timeout(PATIENCE):
            while not (found := fits()):
                self.came.clear()
                await self.came.wait()
        return found

    async def diagnosed(self, name: str, version: int) -> Sequence[t.Diagnostic]:
        """What was published for this version of a buffer."""
        uri = uri_of(self.path(name))
        params = await self.until(lambda: [p for p in self.published if (p.uri, p.version) == (uri, version)])
        return params[-1].diagnostics

    async def settled(self, run: str) -> Json:
        """The run once it waits for a person or is closed."""
        return await self.until(lambda: self.runs[run] if run in self.runs and _is_settled(self.runs[run]) else None)

    async def started(self, task: str, **more: object) -> Json:
        """A run of `task`, drafted."""
        answer = await self.command("start", {"task": task, **more})
        return await self.settled(answer["run"])

    async def until_attention(self, task: str) -> Json:
        """A run of `task` that stopped and wants a person."""
        name = (await self.command("start", {"task": task}))["run"]
        return await self.until(lambda: now if (now := self.runs.get(name, {})).get("attention") else None)

    def take(self, params: t.ApplyWorkspaceEditParams, which: Callable[[Path], bool] = lambda _: True) -> Answer:
        """Apply an edit as an honest editor does: all of it or nothing, versions respected, files opened where they were not."""
        made = _by_uri(params.edit)
        for uri, (version, _) in made.items():
            if version is not None and self.buffers[uri].version != version:
                return Answer(applied=False)
        for uri, (_, edits) in made.items():
            path = path_of(uri)
            assert path
            if not which(path):
                continue
            if uri not in self.buffers:
                self.open(str(path.relative_to(self.root)))
            self._tell(self.buffers[uri], [t.TextDocumentContentChangePartial(range=e.range, text=e.new_text) for e in edits])
        return Answer(applied=True)

    async def _execute(self, command: str, arguments: Sequence[object]) -> Json:
        answer = await self.client.workspace_execute_command_async(t.ExecuteCommandParams(command, list(arguments)))
        assert answer is not None
        return dict(answer) if isinstance(answer, dict) else answer._asdict()

    def _tell(self, buffer: Buffer, changes: Sequence[t.TextDocumentContentChangePartial]) -> None:
        buffer.text = changed(buffer.text, _last_first(changes), self.units)
        buffer.version += 1
        document = t.VersionedTextDocumentIdentifier(version=buffer.version, uri=buffer.uri)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(document, _last_first(changes)))

    def _listen(self) -> None:
        @self.client.feature(t.WORKSPACE_APPLY_EDIT)
        def apply_edit(params: t.ApplyWorkspaceEditParams) -> Answer:
            self.edits.append(params)
            self.came.set()
            return self.manner(self, params) if self.manner else self.take(params)

        @self.client.feature(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: t.PublishDiagnosticsParams) -> None:
            self.published.append(params)
            self.came.set()

        @self.client.feature("surefoot/runChanged")
        def run_changed(params: Any) -> None:  # noqa: ANN401 - pygls makes a tuple type of whatever comes
            self.runs[params.run] = {**params._asdict(), "steps": [s._asdict() for s in params.steps]}
            self.came.set()

        @self.client.feature(t.PROGRESS)
        def progress(params: t.ProgressParams) -> None:
            DEFAULT_CLIENT_FEATURES[t.PROGRESS](self.client, params)
            shown = self.client.progress_reports[params.token]
            if len(shown) == 1 and self.impatient and self.impatient in getattr(shown[0], "title", ""):
                self.client.window_work_done_progress_cancel(t.WorkDoneProgressCancelParams(params.token))
            self.came.set()

        @self.client.feature(t.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(params: t.ShowMessageRequestParams) -> t.MessageActionItem | None:
            self.questions.append(params.message)
            self.buttons.append([a.title for a in params.actions or ()])
            self.came.set()
            picked = self.answers.pop(0) if self.answers else self.picks
            return next((a for a in params.actions or () if a.title == picked), None)

        @self.client.feature(t.WINDOW_SHOW_DOCUMENT)
        def show(params: t.ShowDocumentParams) -> t.ShowDocumentResult:
            self.shown.append(params.uri)
            self.came.set()
            return t.ShowDocumentResult(success=True)

        @self.client.feature(t.CLIENT_REGISTER_CAPABILITY)
        def register(_: t.RegistrationParams) -> None:
            return None


ACTION = t.CodeActionClientCapabilities(
    code_action_literal_support=LITERALS,
    data_support=True,
    resolve_support=t.ClientCodeActionResolveOptions(["edit"]),
    disabled_support=True,
    is_preferred_support=True,
)
EDIT = t.WorkspaceEditClientCapabilities(document_changes=True)
PREVIEW = t.WorkspaceEditClientCapabilities(document_changes=True, change_annotation_support=t.ChangeAnnotationsSupportOptions())


def capabilities(
    units: Units = Units.UTF16,
    *,
    edit: t.WorkspaceEditClientCapabilities | None = EDIT,
    action: t.CodeActionClientCapabilities | None = ACTION,
    apply_edit: bool = True,
) -> t.ClientCapabilities:
    """What VS Code can do, as far as the server looks, or a client that can less."""
    return t.ClientCapabilities(
        general=t.GeneralClientCapabilities(position_encodings=[units.value]),
        window=t.WindowClientCapabilities(work_done_progress=True, show_document=t.ShowDocumentClientCapabilities(support=True)),
        workspace=t.WorkspaceClientCapabilities(apply_edit=apply_edit, workspace_edit=edit),
        text_document=t.TextDocumentClientCapabilities(
            code_action=action,
            publish_diagnostics=t.PublishDiagnosticsClientCapabilities(version_support=True),
            rename=t.RenameClientCapabilities(prepare_support=True),
        ),
    )


@asynccontextmanager
async def editing(
    root: Path, able: t.ClientCapabilities | None = None, options: object = None, more_roots: Sequence[Path] = ()
) -> AsyncGenerator[Editor]:
    """A window on `root`, closed politely at the end."""
    async with _window(root, able, options, more_roots) as editor:
        yield editor
        async with asyncio.timeout(PATIENCE):
            await editor.client.shutdown_session()
            assert editor.client._server
            assert editor.client._server.returncode == 0


@asynccontextmanager
async def killed(root: Path) -> AsyncGenerator[Editor]:
    """A window on `root` whose server is killed at the end."""
    async with _window(root, None, None, ()) as editor:
        yield editor


@asynccontextmanager
async def _window(root: Path, able: t.ClientCapabilities | None, options: object, more_roots: Sequence[Path]) -> AsyncGenerator[Editor]:
    client = LanguageClient(protocol_cls=Plain, converter_factory=default_converter)
    able = able or capabilities()
    offered = able.general.position_encodings if able.general else None
    editor = Editor(client, root, Units(str(offered[0])) if offered else Units.UTF16)
    register_lsp_features(client, {m: f for m, f in DEFAULT_CLIENT_FEATURES.items() if m not in REPLACED})
    editor._listen()
    await client.start_io(sys.executable, "-m", "surefoot", "serve")
    folders = [t.WorkspaceFolder(uri_of(r), r.name) for r in (root, *more_roots)]
    given = {"diagnostics": True, "rename": True, "clientCommands": ["surefoot.renameEverywhere"]} if options is None else options
    await client.initialize_session(t.InitializeParams(capabilities=able, workspace_folders=folders, initialization_options=given))
    try:
        yield editor
    finally:
        process = client._server
        if process and process.returncode is None:
            process.kill()
        await client.stop()


def _is_settled(run: Json) -> bool:
    steps = run["steps"]
    return (
        run["status"] != "open"
        or run["attention"]
        or bool(steps and all(s["status"] not in {"planned", "drafting", "stale"} for s in steps))
    )


def _last_first(changes: Sequence[t.TextDocumentContentChangePartial]) -> list[t.TextDocumentContentChangeEvent]:
    """Edits are all made on one text, changes each on what the one before it left: the last one first makes them the same."""
    made = sorted(changes, key=lambda c: (c.range.start.line, c.range.start.character), reverse=True)
    return list[t.TextDocumentContentChangeEvent](made)


def _by_uri(edit: t.WorkspaceEdit) -> dict[str, tuple[int | None, list[t.TextEdit]]]:
    made: dict[str, tuple[int | None, list[t.TextEdit]]] = {uri: (None, list(edits)) for uri, edits in (edit.changes or {}).items()}
    for one in edit.document_changes or ():
        assert isinstance(one, t.TextDocumentEdit)
        edits = [t.TextEdit(e.range, e.new_text) for e in one.edits if not isinstance(e, t.SnippetTextEdit)]
        made[one.text_document.uri] = (one.text_document.version, edits)
    return made
