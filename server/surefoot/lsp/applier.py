"""Puts a checked change into the editor's buffers, and believes only the text that comes back.

Editors answer a stale edit in every way there is: refused, an error, taken for done and dropped, or applied all the same. So the digests
are compared just before the edit is sent, and what counts afterwards is what every document holds.
"""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from surefoot.core.change import Change
from surefoot.core.text import TextFile
from surefoot.lsp.capabilities import Client
from surefoot.lsp.convert import Sending, workspace_edit
from surefoot.lsp.guards import MOVED, failure, live_text, obstacle
from surefoot.run.outcomes import Delivered, Failure, FailureClass, Landed
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot

Send = Callable[[t.ApplyWorkspaceEditParams], Awaitable[t.ApplyWorkspaceEditResult]]
Ask = Callable[[str, str], Awaitable[bool]]

ANSWER_SECONDS = 60.0
"""How long the editor may take to answer; without end while a person looks at a preview."""

TEXT_SECONDS = 5.0
"""How long the texts may take to show up after the answer."""

LOOK_SECONDS = 0.05
"""Between two looks at files that the editor may write without telling."""


class EditorApplier:
    """`loop.ports.Applier` through `workspace/applyEdit`. `ask` puts a question with one button to the person."""

    def __init__(self, session: Session, client: Client, send: Send, ask: Ask, patience: float = TEXT_SECONDS) -> None:
        self._session = session
        self._client = client
        self._send = send
        self._ask = ask
        self._patience = patience
        self._turn = _Turn()

    @property
    def reopens(self) -> bool:
        """An editor brings back what was never saved, some time after it has started."""
        return True

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        """One edit named `label`; see the port. Edits never overlap in flight: one waits for its turn, and is refused at once when that
        hangs on a person who looks at another."""
        if not await self._turn.taken():
            return failure("busy", "another edit waits in the editor's preview: apply or discard it first", FailureClass.TRANSIENT)
        try:
            if refusal := self._cannot(change) or await self._declined(change, label, confirm=confirm) or self._cannot(change):
                return refusal
            said = await self._sent(change, texts, label, confirm=confirm)
            return await self._seen(change, said, confirm=confirm)
        finally:
            self._turn.give_back()

    def _cannot(self, change: Change) -> Failure | None:
        """Why the change must not be sent on the texts as they are now."""
        if not self._client.apply_edit:
            return failure("editor", "this editor takes no edits from a server")
        return obstacle(self._session, change)

    async def _declined(self, change: Change, label: str, *, confirm: bool) -> Failure | None:
        """Ask for consent where the editor has no preview to ask in."""
        if not confirm or self._client.annotations:
            return None
        count = len(change.files)
        with self._turn.held_by_person():
            if await self._ask(f"{label}: {count} {'file' if count == 1 else 'files'}", "Apply"):
                return None
        return failure("denied", "it was declined", FailureClass.CANCELLED)

    async def _sent(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> str:
        """Send the edit; what the editor says against it, "" when it says it is done."""
        edit = workspace_edit(change, lambda path: _text(texts, path), self._session, self._client, Sending(label, confirm))
        try:
            with self._turn.held_by_person() if confirm else nullcontext():
                async with asyncio.timeout(None if confirm else ANSWER_SECONDS):
                    answer = await self._send(t.ApplyWorkspaceEditParams(edit=edit, label=label))
        except TimeoutError:
            return "the editor did not answer"
        except JsonRpcException as error:
            return error.message or "the editor failed"
        return "" if answer.applied else answer.failure_reason or ("it was declined" if confirm else "the editor refused the edit")

    async def _seen(self, change: Change, said: str, *, confirm: bool) -> Delivered | Failure:
        """What became of each document."""
        await self._settled(change, wait=not said)
        changed = tuple(edit.path for edit in change.files if self._digest(edit.path) == edit.after)
        if len(changed) == len(change.files):
            return Delivered(tuple(Landed(edit.path, edit.before, edit.after) for edit in change.files))
        if changed:
            names = ", ".join(path.name for path in changed)
            return failure("partial", f"the editor changed only {names}", changed=changed)
        moved = next((edit.path for edit in change.files if self._digest(edit.path) != edit.before), None)
        if moved is not None:
            return failure(MOVED, f"{moved.name} has changed")
        if confirm and said == "it was declined":
            return failure("denied", said, FailureClass.CANCELLED)
        return failure("editor", said or "the editor took the edit and changed nothing")

    async def _settled(self, change: Change, *, wait: bool) -> None:
        """Wait until every document holds its after-text, some other text, or time is up."""
        touched = asyncio.Event()
        stop = self._session.listen(lambda _: touched.set())
        try:
            async with asyncio.timeout(self._patience if wait else 0):
                while any(self._digest(edit.path) == edit.before for edit in change.files):
                    touched.clear()
                    await _either(touched)
        except TimeoutError:
            pass
        finally:
            stop()

    def _digest(self, path: Path) -> str:
        held = live_text(self._session, path)
        return held.digest if isinstance(held, TextFile) else ""


class _Turn:
    """Whose edit is in flight: nobody's, somebody's, or that of a person who is looking at it."""

    def __init__(self) -> None:
        self._taken = False
        self._person = False
        self._moved = asyncio.Event()

    async def taken(self) -> bool:
        """Wait for the turn; False, and it is not taken, when a person may keep it for as long as it pleases."""
        while self._taken:
            if self._person:
                return False
            self._moved.clear()
            await self._moved.wait()
        self._taken = True
        return True

    def give_back(self) -> None:
        self._taken = False
        self._moved.set()

    @contextmanager
    def held_by_person(self) -> Generator[None]:
        """While the block runs a person decides; whoever waits is told."""
        self._person = True
        self._moved.set()
        try:
            yield
        finally:
            self._person = False


async def _either(touched: asyncio.Event) -> None:
    """Until the client tells something, or it is time to look at the disk again."""
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            await touched.wait()
    except TimeoutError:
        pass


def _text(texts: Snapshot, path: Path) -> TextFile:
    held = texts.read(path)
    assert isinstance(held, TextFile), path
    return held
