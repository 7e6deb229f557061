"""Menus and renames whose ground moves while they are made: the handlers in this process, over a service of scripted parts."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.findings import Verdict
from surefoot.core.sites import Symbol, SymbolKind
from surefoot.core.text import LineIndex, Place, TextFile
from surefoot.lsp.capabilities import Client
from surefoot.lsp.greeting import Greeting
from surefoot.lsp.handlers.code_action import code_action
from surefoot.lsp.handlers.did_open import did_open
from surefoot.lsp.handlers.rename import rename
from surefoot.lsp.host import Host
from surefoot.lsp.server import Server
from surefoot.service import Build, Service
from tests.loop.test_service import Desktop, Finder

RENAMES = frozenset({"surefoot.renameEverywhere"})
ABLE = Client(apply_edit=True, document_changes=True, action_literals=True, disabled=True, commands=RENAMES)


class Window:
    """What a client sees of a desktop: two open buffers, `word1 word2` each, with a fix for the first word of either."""

    def __init__(self, folder: Path, client: Client) -> None:
        self.desktop = Desktop(folder)
        self.host = Host(Server("test", "0"), Greeting(client, roots=(self.desktop.root,)), _no_build)
        self.host.session = self.desktop.session

    async def ready(self) -> Service:
        return self.desktop.service

    def path(self, name: str) -> Path:
        return self.desktop.root / name

    def open(self, name: str, text: str) -> None:
        self.desktop.session.open(self.path(name).as_uri(), self.path(name), "plaintext", 1, text)

    def write(self, name: str, text: str) -> None:
        """A program writes a file, and the editor tells of it."""
        self.path(name).write_text(text)
        self.desktop.session.touched([self.path(name)])

    async def menu(self, only: list[str] | None = None) -> list[t.CodeAction | t.Command] | None:
        start = t.Position(0, 0)
        context = t.CodeActionContext([], None if only is None else list(only), t.CodeActionTriggerKind.Invoked)
        document = t.TextDocumentIdentifier(self.path("a.txt").as_uri())
        return await code_action(self.host, t.CodeActionParams(document, t.Range(start, start), context))

    async def titles(self, only: list[str] | None = None) -> list[str]:
        return [action.title.split(" · ")[0] for action in await self.menu(only) or ()]

    async def rename(self) -> t.WorkspaceEdit | None:
        document = t.TextDocumentIdentifier(self.path("a.txt").as_uri())
        return await rename(self.host, t.RenameParams(document, t.Position(0, 0), "done1"))


def _no_build() -> Build:
    raise AssertionError("the service is there already")


class Names(Finder):
    """Finds a name at every place, after what a test wants to happen meanwhile."""

    def __init__(self, meanwhile: Callable[[], Awaitable[object]]) -> None:
        self.meanwhile = meanwhile

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None:
        await self.meanwhile()
        return Symbol("word1", SymbolKind.VARIABLE, Place.of(file.path, 0, 5, LineIndex(file.data)))


async def _nothing(_: Window) -> None:
    pass


async def _for_ever(_: Window) -> None:
    await asyncio.Event().wait()


@asynccontextmanager
async def opened(
    folder: Path, client: Client = ABLE, meanwhile: Callable[[Window], Awaitable[object]] = _nothing
) -> AsyncGenerator[Window]:
    window = Window(folder, client)
    window.desktop.finder = Names(lambda: meanwhile(window))
    await window.desktop.again()
    window.host.build(window.ready())
    async with asyncio.timeout(10):
        yield window
        await window.desktop.service.close()


async def test_a_menu_does_not_wait_for_a_name_that_comes_too_late(tmp_path: Path) -> None:
    async with opened(tmp_path, meanwhile=_for_ever) as window:
        assert await window.titles() == ["Fix it"]


async def test_a_menu_for_a_text_that_moves_while_it_is_made_is_empty(tmp_path: Path) -> None:
    async def typed(window: Window) -> None:
        if window.desktop.text() == "word1 word2":
            await window.desktop.service.propose(window.path("a.txt"), 0, 0, (), 5)
            window.desktop.type("a.txt", "word2", "more")

    async with opened(tmp_path, meanwhile=typed) as window:
        assert await window.menu() is None
        assert await window.titles() == ["Fix it", "Rename word1 everywhere…"]


async def test_a_fix_whose_other_texts_move_while_the_menu_is_made_is_left_out(tmp_path: Path) -> None:
    async def typed(window: Window) -> None:
        await window.desktop.service.propose(window.path("a.txt"), 0, 0, (), 5)
        window.desktop.type("b.txt", "word2", "more")

    async with opened(tmp_path, meanwhile=typed) as window:
        window.desktop.checks.also = (Path("b.txt"),)
        assert await window.titles() == ["Rename word1 everywhere…"]


@pytest.mark.parametrize(
    ("client", "only", "titles"),
    [
        (ABLE, ["quickfix"], ["Fix with Surefoot"]),
        (ABLE, None, ["Rename word1 everywhere…"]),
        (replace(ABLE, disabled=False), ["quickfix"], []),
    ],
)
async def test_fixes_that_could_not_be_checked_are_explained_where_they_were_asked_for(
    client: Client, only: list[str] | None, titles: list[str], tmp_path: Path
) -> None:
    async with opened(tmp_path, client) as window:
        window.desktop.checks.verdict = Verdict.UNAVAILABLE
        actions = await window.menu(only) or []
        assert [action.title for action in actions] == titles
        if titles == ["Fix with Surefoot"]:
            assert isinstance(actions[0], t.CodeAction)
            assert actions[0].disabled == t.CodeActionDisabled("not validated: wordcheck: unavailable")


@pytest.mark.parametrize(
    ("client", "titles"),
    [
        (Client(), []),
        (Client(apply_edit=True), ["Fix it"]),
        (Client(action_literals=True), ["Fix it"]),
    ],
    ids=["neither", "edits", "literals"],
)
async def test_a_client_is_sent_what_it_can_do_something_with(client: Client, titles: list[str], tmp_path: Path) -> None:
    async with opened(tmp_path, client) as window:
        assert await window.titles() == titles
        window.path("a.txt").chmod(0o444)
        assert await window.titles() == (titles if client.apply_edit else [])


MOVES: list[tuple[str, Callable[[Window], object], bool]] = [
    ("nothing", lambda w: None, True),
    ("its own text", lambda w: w.desktop.type("a.txt", "word2", "more"), False),
    ("an input", lambda w: w.desktop.type("input.txt", "some", "more"), False),
    ("another buffer gains the name", lambda w: w.desktop.type("other.txt", "other", "word1"), False),
    ("another buffer gains no name", lambda w: w.desktop.type("other.txt", "other", "word12 $word1"), True),
    ("a file with the name is opened", lambda w: w.open("new.txt", "(word1)"), False),
    ("a file with the name is written", lambda w: w.write("new.txt", "(word1)"), False),
    ("a file without the name is written", lambda w: w.write("new.txt", "words"), True),
    ("a build writes a file with the name", lambda w: w.write("made.out", "(word1)"), True),
]


@pytest.mark.parametrize(("move", "holds"), [m[1:] for m in MOVES], ids=[m[0] for m in MOVES])
async def test_a_rename_is_sent_only_for_texts_as_they_were_looked_at(
    move: Callable[[Window], object], holds: bool, tmp_path: Path
) -> None:
    async with opened(tmp_path) as window:
        window.write(".gitignore", "*.out\n")
        for name in ("input.txt", "other.txt"):
            window.path(name).write_text(f"some {name}")
            window.open(name, f"some {name}")
        checks = window.desktop.checks
        checks.also, checks.gate = (Path("input.txt"),), asyncio.Event()
        pending = asyncio.ensure_future(window.rename())
        await checks.started.wait()
        move(window)
        checks.gate.set()
        if holds:
            edit = await pending
            assert edit
            assert edit.document_changes
        else:
            with pytest.raises(JsonRpcException, match="changed meanwhile") as raised:
                await pending
            assert raised.value.code == t.LSPErrorCodes.ContentModified.value


async def test_a_rename_over_a_file_that_cannot_be_changed_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path) as window:
        window.path("a.txt").chmod(0o444)
        with pytest.raises(JsonRpcException, match=r"a\.txt is read-only"):
            await window.rename()
        window.path("mixed.txt").write_bytes(b"word1\r\nword2\n")
        window.desktop.engine.path = window.path("mixed.txt")
        with pytest.raises(JsonRpcException, match=r"mixed\.txt mixes line ends"):
            await window.rename()


async def test_what_parses_is_started_with_the_first_file_of_code(tmp_path: Path) -> None:
    asked = asyncio.Event()

    async def started(_: Window) -> None:
        asked.set()

    async with opened(tmp_path, meanwhile=started) as window:
        for name, expected in (("notes.md", False), ("a.py", True)):
            item = t.TextDocumentItem(window.path(name).as_uri(), "python", 1, "x = 1\n")
            did_open(window.host, t.DidOpenTextDocumentParams(item))
            for _ in range(20):
                await asyncio.sleep(0)
            assert asked.is_set() is expected
