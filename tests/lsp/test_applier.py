"""Delivery through editors of every manner: only the text that comes back counts."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.change import Change, TextEdit
from surefoot.core.text import TextFile, Units
from surefoot.lsp.applier import EditorApplier
from surefoot.lsp.capabilities import Client
from surefoot.lsp.sync import changed
from surefoot.lsp.uris import path_of, uri_of
from surefoot.run.outcomes import Delivered, Failure
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot

CLIENT = Client(apply_edit=True, document_changes=True)
PREVIEWS = Client(apply_edit=True, document_changes=True, annotations=True)
YES = t.ApplyWorkspaceEditResult(applied=True)


class Desk:
    """A session with buffers, files, and an editor whose manner is a function."""

    def __init__(self, root: Path, client: Client = CLIENT) -> None:
        self.root = root
        self.session = Session([root])
        self.sent: list[t.ApplyWorkspaceEditParams] = []
        self.asked: list[str] = []
        self.consent = True
        self.manner: Callable[[t.ApplyWorkspaceEditParams], t.ApplyWorkspaceEditResult] = self.honest
        self.applier = EditorApplier(self.session, client, self.send, self.ask)

    def file(self, name: str, text: bytes = b"old = 1\n") -> Path:
        path = self.root / name
        path.write_bytes(text)
        return path

    def open(self, path: Path, text: str | None = None) -> None:
        self.session.open(uri_of(path), path, "python", 1, text if text is not None else path.read_text("utf-8"))

    def change(self, *paths: Path, new: str = "new") -> tuple[Change, Snapshot]:
        texts = self.session.snapshot(self.root)
        return Change(tuple(texts.edit(path, [TextEdit(0, 3, new)]) for path in paths)), texts

    async def apply(self, change: tuple[Change, Snapshot], *, confirm: bool = False) -> Delivered | Failure:
        return await self.applier.apply(*change, "Rename old to new", confirm=confirm)

    def text(self, path: Path) -> str:
        held = self.session.snapshot(self.root).read(path)
        assert isinstance(held, TextFile)
        return held.text

    def honest(self, params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        """Changes buffers and tells; opens files that were not."""
        self.take(params, lambda _: True)
        return YES

    def take(self, params: t.ApplyWorkspaceEditParams, which: Callable[[Path], bool]) -> None:
        for one in params.edit.document_changes or ():
            assert isinstance(one, t.TextDocumentEdit)
            path = path_of(one.text_document.uri)
            assert path
            if not which(path):
                continue
            if self.session.document_at(path) is None:
                self.open(path)
            held = self.session.document(one.text_document.uri)
            assert held
            edits = [
                t.TextDocumentContentChangePartial(range=e.range, text=e.new_text)
                for e in one.edits
                if not isinstance(e, t.SnippetTextEdit)
            ]
            self.session.change(held.uri, held.version + 1, changed(held.raw, edits, Units.UTF16))

    async def send(self, params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        self.sent.append(params)
        await asyncio.sleep(0)
        return self.manner(params)

    async def ask(self, question: str, button: str) -> bool:
        self.asked.append(f"{question} [{button}]")
        return self.consent


def failed(outcome: Delivered | Failure) -> tuple[str, str]:
    assert isinstance(outcome, Failure), outcome
    return outcome.code, outcome.message


async def test_open_and_closed_files_are_changed_in_one_edit(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b = desk.file("a.py"), desk.file("b.py")
    desk.open(a)
    outcome = await desk.apply(desk.change(a, b))
    assert isinstance(outcome, Delivered)
    assert [f.path for f in outcome.files] == [a, b]
    assert (desk.text(a), desk.text(b)) == ("new = 1\n", "new = 1\n")
    assert len(desk.sent) == 1
    versions = [one.text_document.version for one in desk.sent[0].edit.document_changes or () if isinstance(one, t.TextDocumentEdit)]
    assert versions == [1, None]


async def test_a_closed_file_that_the_editor_writes_without_telling_counts(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")

    def writes(_: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        asyncio.get_running_loop().call_later(0.1, a.write_bytes, b"new = 1\n")
        return YES

    desk.manner = writes
    assert isinstance(await desk.apply(desk.change(a)), Delivered)


async def test_the_text_may_come_after_the_answer(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)

    def late(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        asyncio.get_running_loop().call_later(0.1, desk.take, params, lambda _: True)
        return YES

    desk.manner = late
    assert isinstance(await desk.apply(desk.change(a)), Delivered)


async def test_an_answer_that_says_no_counts_for_less_than_the_text(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)

    def modest(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        desk.honest(params)
        return t.ApplyWorkspaceEditResult(applied=False)

    desk.manner = modest
    assert isinstance(await desk.apply(desk.change(a)), Delivered)


async def test_a_text_that_moved_before_is_never_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b, c = desk.file("a.py"), desk.file("b.py"), desk.file("c.py")
    desk.open(a)
    change = desk.change(a, b)
    desk.session.change(uri_of(a), 2, "older = 1\n")
    assert failed(await desk.apply(change)) == ("moved", "a.py has changed")
    change = desk.change(b, c)
    c.unlink()
    assert failed(await desk.apply(change)) == ("moved", "c.py is gone")
    assert desk.sent == []
    assert b.read_bytes() == b"old = 1\n"


async def test_typing_betweensending_and_applying_is_told_as_moved(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)

    def typed(_: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        desk.session.change(uri_of(a), 2, "typed\n")
        return t.ApplyWorkspaceEditResult(applied=False)

    desk.manner = typed
    assert failed(await desk.apply(desk.change(a))) == ("moved", "a.py has changed")


def refuses(_: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
    return t.ApplyWorkspaceEditResult(applied=False, failure_reason="the window is closing")


def mute(_: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
    return t.ApplyWorkspaceEditResult(applied=False)


def raises(_: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
    raise JsonRpcException(message="Edits were not applied", code=-32603)


@pytest.mark.parametrize(
    ("manner", "message"), [(refuses, "the window is closing"), (mute, "the editor refused the edit"), (raises, "Edits were not applied")]
)
async def test_a_refusal_says_why_and_changes_nothing(
    manner: Callable[[t.ApplyWorkspaceEditParams], t.ApplyWorkspaceEditResult], message: str, tmp_path: Path
) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)
    desk.manner = manner
    assert failed(await desk.apply(desk.change(a))) == ("editor", message)
    assert desk.text(a) == "old = 1\n"


async def test_an_editor_that_only_says_yes_is_not_believed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)
    desk.manner = lambda _: YES
    desk.applier = EditorApplier(desk.session, CLIENT, desk.send, desk.ask, patience=0.1)
    assert failed(await desk.apply(desk.change(a))) == ("editor", "the editor took the edit and changed nothing")


async def test_an_edit_that_lands_by_half_names_what_changed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b = desk.file("a.py"), desk.file("b.py")
    desk.open(a)
    desk.open(b)

    def half(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        desk.take(params, lambda path: path == a)
        return t.ApplyWorkspaceEditResult(applied=False, failed_change=1)

    desk.manner = half
    outcome = await desk.apply(desk.change(a, b))
    assert failed(outcome) == ("partial", "the editor changed only a.py")
    assert isinstance(outcome, Failure)
    assert outcome.changed == (a,)


async def test_a_preview_that_is_discarded_is_a_no(tmp_path: Path) -> None:
    desk = Desk(tmp_path, PREVIEWS)
    a = desk.file("a.py")
    desk.manner = mute
    assert failed(await desk.apply(desk.change(a), confirm=True)) == ("denied", "it was declined")
    assert desk.sent[0].edit.change_annotations
    assert desk.asked == []


async def test_without_a_preview_the_person_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, b = desk.file("a.py"), desk.file("b.py")
    desk.consent = False
    assert failed(await desk.apply(desk.change(a, b), confirm=True)) == ("denied", "it was declined")
    assert desk.asked == ["Rename old to new: 2 files [Apply]"]
    assert desk.sent == []
    desk.consent = True
    assert isinstance(await desk.apply(desk.change(a, b), confirm=True), Delivered)


async def test_a_text_that_moves_while_the_person_is_asked_is_not_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    change = desk.change(a)

    async def slow(question: str, button: str) -> bool:
        a.write_bytes(b"later\n")
        return True

    desk.applier = EditorApplier(desk.session, CLIENT, desk.send, slow)
    assert failed(await desk.apply(change, confirm=True)) == ("moved", "a.py has changed")


async def test_what_cannot_be_written_is_refused_before_anything_is_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a, mixed = desk.file("a.py"), desk.file("mixed.py", b"old = 1\r\nx = 2\n")
    a.chmod(0o444)
    assert failed(await desk.apply(desk.change(a))) == ("read-only", "a.py is read-only")
    code, message = failed(await desk.apply(desk.change(mixed)))
    assert (code, message.startswith("mixed.py mixes line ends")) == ("line ends", True)
    assert desk.sent == []


async def test_an_editor_that_takes_no_edits_is_told_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Client())
    assert failed(await desk.apply(desk.change(desk.file("a.py")))) == ("editor", "this editor takes no edits from a server")


async def test_edits_do_not_overlap_in_flight(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py")
    desk.open(a)
    under_way: list[int] = []

    def counts(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        under_way.append(len(desk.sent) - len(under_way))
        return desk.honest(params)

    desk.manner = counts
    change = desk.change(a)
    first, second = await asyncio.gather(desk.apply(change), desk.apply(change))
    assert isinstance(first, Delivered)
    assert failed(second) == ("moved", "a.py has changed")
    assert under_way == [1]


async def test_a_hidden_mark_stays_where_it_was(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    a = desk.file("a.py", b"\xef\xbb\xbfold = 1\r\n")
    desk.open(a, "old = 1\r\n")
    texts = desk.session.snapshot(tmp_path)
    change = Change((texts.edit(a, [TextEdit(3, 6, "new")]),))
    assert isinstance(await desk.apply((change, texts)), Delivered)
    assert desk.text(a) == "\ufeffnew = 1\r\n"
    held = desk.session.document_at(a)
    assert held
    assert held.raw == "new = 1\r\n"


@pytest.mark.parametrize("client", [PREVIEWS, CLIENT], ids=["preview", "question"])
async def test_an_edit_that_a_person_looks_at_does_not_hold_up_others_in_silence(client: Client, tmp_path: Path) -> None:
    desk = Desk(tmp_path, client)
    a, b = desk.file("a.py"), desk.file("b.py")
    shown, decided = asyncio.Event(), asyncio.Event()

    async def looked(*_: object) -> bool:
        shown.set()
        return await decided.wait()

    async def send(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        if client.annotations and params.edit.change_annotations:
            await looked()
        return desk.honest(params)

    desk.applier = EditorApplier(desk.session, client, send, looked)
    async with asyncio.timeout(5):
        first = asyncio.ensure_future(desk.apply(desk.change(a), confirm=True))
        queued = asyncio.ensure_future(desk.apply(desk.change(b)))
        await shown.wait()
        busy = ("busy", "another edit waits in the editor's preview: apply or discard it first")
        assert failed(await queued) == busy
        assert failed(await desk.apply(desk.change(b))) == busy
        decided.set()
        assert isinstance(await first, Delivered)
        assert isinstance(await desk.apply(desk.change(b)), Delivered)


async def test_an_edit_that_is_given_up_frees_the_way(tmp_path: Path) -> None:
    desk = Desk(tmp_path, PREVIEWS)
    a, b = desk.file("a.py"), desk.file("b.py")
    shown = asyncio.Event()

    async def send(params: t.ApplyWorkspaceEditParams) -> t.ApplyWorkspaceEditResult:
        if params.edit.change_annotations:
            shown.set()
            await asyncio.Event().wait()
        return desk.honest(params)

    desk.applier = EditorApplier(desk.session, PREVIEWS, send, desk.ask)
    async with asyncio.timeout(5):
        first = asyncio.ensure_future(desk.apply(desk.change(a), confirm=True))
        await shown.wait()
        first.cancel()
        await asyncio.wait({first})
        assert isinstance(await desk.apply(desk.change(b)), Delivered)
