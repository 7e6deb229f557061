"""The processes that get killed: `python -m tests.support.crash_child FD`.

One interpreter is started and loads what a run needs; it forks a child for every life, so that a life costs no start. A child runs
the real desk, runs, driver and journal, does what the parent asks, and reads everything else from the parent, too.
"""

import asyncio
import gc
import json
import os
import resource
import selectors
import socket
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from surefoot.core.errors import SurefootError
from surefoot.core.plan import Task
from surefoot.journal.journal import Journal
from surefoot.journal.shape import encode, state_hash
from surefoot.loop.background import Background
from surefoot.loop.deliver import Reply
from surefoot.loop.desk import Desk, Silence
from surefoot.loop.runs import Runs
from surefoot.loop.staffing import staffed
from surefoot.policy.permits import Permissions
from surefoot.run.limits import Limits
from surefoot.run.state import RunState
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from tests.support.crash_parts import Boundaries, Drafter, FarEditor, ToldCheck, ToldJournal, fixes, normal_hash
from tests.support.crash_samples import SAMPLES, Sample
from tests.support.crash_wire import Gone, Wire
from tests.support.story import STORY, after

UNWANTED = ("pygls", "lsprotocol", "tree_sitter", "anthropic")
"""What no life needs: the wire, the parsers, a model's client."""

HASTE = 100
"""How many times faster than ours the clocks of a child run: nobody waits for typing to rest."""


class _Waiting(selectors.DefaultSelector):
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(timeout / HASTE if timeout else timeout)


class Hasty(asyncio.SelectorEventLoop):
    """An event loop whose seconds are short."""

    def __init__(self) -> None:
        super().__init__(_Waiting())

    def time(self) -> float:
        return super().time() * HASTE


@dataclass
class Child:
    """One life of a server process. The texts are those that the editor opens, as it holds them now."""

    wire: Wire
    root: Path
    state_dir: Path
    sample: Sample
    texts: Mapping[str, str]
    greedy: bool = False

    def __post_init__(self) -> None:
        self.boundaries = Boundaries(self.wire)
        self.session = Session((self.root,))
        for name, text in self.texts.items():
            path = self.root / name
            self.session.open(path.as_uri(), path, "plaintext", 1, text)
        self.editor = FarEditor(self.session, self.boundaries)
        paths = tuple(self.root / name for name in self.texts)
        bad = tuple(f"worse{n}" for n in sorted(self.sample.worse | self.sample.hopeless))
        self.checks = ToldCheck(bad, boundaries=self.boundaries)
        background = Background(self.checks, fixes)
        drafter = Drafter(self.sample, paths, self.boundaries)
        self.desk = Desk(self.checks, background, self._runs, staffed(drafter), Permissions(), Limits, self.snapshot)
        self.session.listen(lambda touch: self.desk.moved(touch.path))

    def _runs(self) -> Runs:
        journal = ToldJournal(self.root, self.state_dir, self.boundaries, greedy=self.greedy)
        return Runs(journal, self.snapshot, self.editor, lambda state: None)

    def snapshot(self) -> Snapshot:
        return self.session.snapshot(self.root)

    @property
    def journal(self) -> Journal:
        return self.desk.runs.journal

    @property
    def latest(self) -> str:
        """The run that was begun last and is more than the undoing of another."""
        states = (self.desk.state(row.id) for row in self.journal.runs())
        return next(state.run for state in states if state is not None and not state.task.undoes)

    async def serve(self) -> None:
        """Do what is asked, one thing after the other, until the parent is gone."""
        for asked in iter(self.wire.hear, None):
            try:
                reply = await DOES[asked["do"]](self, *asked["args"])
                seen = self.seen()
            except SurefootError as error:
                reply, seen = Reply(False, str(error)), []
            self.wire.say(done=reply.done, said=reply.message, runs=seen, unwanted=[m for m in UNWANTED if m in sys.modules])

    def seen(self) -> list[dict[str, Any]]:
        """Every run, the newest first, as a person sees it."""
        states = (self.desk.state(row.id) for row in self.journal.runs())
        return [_seen(state) for state in states if state is not None]

    async def find(self) -> Reply:
        """What the journal holds, read anew; the reply tells each run with its state."""
        held = {row.id: state_hash(self.journal.load(row.id)) for row in self.journal.runs()}
        return Reply(True, json.dumps(held))

    async def recover(self) -> Reply:
        """Take every open run up and let it draft."""
        taken = [self.desk.taken_up(row.id) for row in self.journal.runs() if not row.ending]
        await self.settle()
        refused = [held for held in taken if isinstance(held, Reply)]
        return refused[0] if refused else Reply(True, "")

    async def settle(self) -> Reply:
        """Until no run drafts any more."""
        for run in self.desk.active():
            await self.desk.runs.drafted(run.state.run)
        return Reply(True, "")

    async def begin(self) -> Reply:
        run = self.desk.start(Task("words"), Silence())
        await self.desk.runs.drafted(run.state.run)
        return Reply(True, run.state.run)

    async def apply(self, step: int) -> Reply:
        return await self._done(self.desk.runs.apply(self.latest, step, confirm=False))

    async def revert(self, step: int) -> Reply:
        return await self._done(self.desk.revert(self.latest))

    async def skip(self, step: int) -> Reply:
        reply = self.desk.runs.skip(self.latest, step)
        await self.settle()
        return reply

    async def cancel(self) -> Reply:
        return await self._done(self.desk.runs.cancel(self.latest))

    async def finish(self) -> Reply:
        return await self._done(self.desk.finish(self.latest))

    async def resume(self) -> Reply:
        reply = self.desk.runs.resume(self.latest)
        await self.settle()
        return reply

    async def accept(self) -> Reply:
        (proposal,) = await self.desk.background.propose(self.snapshot(), self.root / next(iter(self.texts)), 0, 5, (), 5)
        return await self._done(self.desk.accept(proposal))

    async def apply_while_checking(self, step: int) -> Reply:
        """A step is applied while the next one is being checked."""
        self.checks.second = asyncio.Event()
        self.desk.start(Task("words"), Silence())
        await self.checks.again.wait()
        reply = await self.desk.runs.apply(self.latest, step, confirm=False)
        self.checks.second.set()
        await self.settle()
        return reply

    async def changed(self, texts: dict[str, str]) -> Reply:
        """A person typed in the editor."""
        self.editor.take(texts)
        await self.settle()
        return Reply(True, "")

    async def take_up(self, run: str) -> Reply:
        held = self.desk.taken_up(run)
        return held if isinstance(held, Reply) else Reply(True, run)

    async def pragma(self, words: str) -> Reply:
        """A limit of the database, through this process's own connection."""
        return Reply(True, str(self.journal.rows.query(f"PRAGMA {words}")))

    async def no_room(self) -> Reply:
        """From now on no file of this process grows beyond what the write-ahead log has come to."""
        (log,) = self.state_dir.rglob("journal.sqlite-wal")
        _grow_to(log.stat().st_size)
        return Reply(True, "")

    async def no_room_after_edit(self) -> Reply:
        """The disk is full as soon as the next edit has reached the texts."""
        (log,) = self.state_dir.rglob("journal.sqlite-wal")
        self.editor.afterwards = lambda: _grow_to(log.stat().st_size)
        return Reply(True, "")

    async def room(self) -> Reply:
        """There is room again."""
        self.editor.afterwards = lambda: None
        _grow_to(resource.RLIM_INFINITY)
        return Reply(True, "")

    async def be_nobody(self) -> Reply:
        """Give up the powers of root, where they are held: folders that may not be written to cannot be written to then."""
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        return Reply(True, "")

    async def _done(self, asked: Awaitable[Reply]) -> Reply:
        reply = await asked
        await self.settle()
        return reply


DOES: Mapping[str, Callable[..., Awaitable[Reply]]] = MappingProxyType(
    {
        name.replace("_", " "): getattr(Child, name)
        for name in (
            *("find", "recover", "settle", "begin", "apply", "revert", "skip", "cancel", "finish", "resume", "accept"),
            *("apply_while_checking", "changed", "take_up", "pragma", "no_room", "no_room_after_edit", "room", "be_nobody"),
        )
    }
)


def _grow_to(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _seen(state: RunState) -> dict[str, Any]:
    return {
        "run": state.run,
        "ending": state.closed.ending if state.closed else "",
        "reason": state.closed.reason if state.closed else "",
        "attention": state.attention,
        "undoes": state.task.undoes,
        "statuses": [step.status for step in state.steps],
        "pending": state.delivery is not None,
        "state": state_hash(state),
        "normal": normal_hash(state),
    }


def live(fd: int, life: dict[str, Any]) -> None:
    """One life, until the parent ends it or is gone."""
    wire = Wire(socket.socket(fileno=fd))
    sample = next(s for s in SAMPLES if s.name == life["sample"])
    with asyncio.Runner(loop_factory=Hasty) as runner:
        child = Child(wire, Path(life["root"]), Path(life["state"]), sample, life["texts"], life["greedy"])
        runner.run(child.serve())


def main() -> None:
    """Fork a child for every life that is asked for, and tell when one that was killed is no more."""
    # What is made at its first use is made here, once.
    gc.freeze()
    normal_hash(after(len([encode(event) for event in STORY])))
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        while True:
            data, fds, _, _ = socket.recv_fds(sock, 1 << 20, 1)
            if not data:
                return
            asked = json.loads(data)
            if "reap" in asked:
                os.waitpid(asked["reap"], 0)
                sock.sendall(b"{}\n")
                continue
            pid = os.fork()
            if pid == 0:
                sock.close()
                status = 1
                try:
                    live(fds[0], asked)
                except Gone:
                    status = 0
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(status)
            os.close(fds[0])
            sock.sendall(json.dumps({"pid": pid}).encode() + b"\n")


if __name__ == "__main__":
    main()
