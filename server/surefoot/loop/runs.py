"""The runs of one root: one drafts at a time, others queue; another run's apply is text that moved, like any other."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from surefoot.core.errors import JournalError, Unusable
from surefoot.core.findings import Input
from surefoot.core.plan import Task
from surefoot.journal.journal import Journal
from surefoot.loop.deliver import Reply, apply_step, recover_delivery, revert_last
from surefoot.loop.driver import draft
from surefoot.loop.ports import Applier, Tools
from surefoot.loop.run import Run
from surefoot.run.events import Closed, Ending, Skip, Started, Told
from surefoot.run.legality import told
from surefoot.run.limits import Limits
from surefoot.run.report import report_of
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot

PAUSE_SECONDS = 0.3
"""How long typing must rest before steps whose text moved are drafted again."""


@dataclass(slots=True)
class Active:
    """A run that this process owns, and the task that drafts it."""

    run: Run
    tools: Tools
    drafting: asyncio.Task[None] | None = None
    moves: int = 0


class Runs:
    """Starts, drafts, delivers and closes the runs of one root. All of it on the event loop's thread."""

    def __init__(self, journal: Journal, snapshot: Callable[[], Snapshot], applier: Applier, changed: Callable[[RunState], None]) -> None:
        self.journal = journal
        self._snapshot = snapshot
        self._applier = applier
        self._changed = changed
        self._active: dict[str, Active] = {}
        self._turn = asyncio.Lock()

    def begin(self, task: Task, tools: Tools, limits: Limits) -> Run:
        """A new run, drafting from now on. Raises JournalError."""
        texts = self._snapshot()
        documents = tuple(Input(f.path, f.digest) for f in texts.overlay.values())
        name = f"r{secrets.token_hex(4)}"
        self.journal.own(name)
        started = Started(name, texts.root, task, tools.engine.name, limits, documents)
        active = Active(Run.begin(self.journal, started, self._changed), tools)
        self._active[name] = active
        self._work(active)
        return active.run

    def take_up(self, name: str, tools_for: Callable[[RunState], Tools]) -> Run:
        """A stored run, owned by this process from now on. Raises JournalError, Unusable when another process has it."""
        if name in self._active:
            return self._active[name].run
        state = self.journal.load(name)
        if not state.open:
            return Run(self.journal, state, self._changed)
        if not self.journal.own(name):
            raise Unusable(f"run {name} is being worked on by another Surefoot process; close that one first")
        active = Active(Run(self.journal, state, self._changed), tools_for(state))
        recover_delivery(active.run, self._snapshot())
        self._active[name] = active
        self._work(active)
        return active.run

    def active(self) -> tuple[Run, ...]:
        """The open runs of this process, newest first."""
        return tuple(a.run for a in reversed(self._active.values()) if a.run.state.open)

    def known(self, name: str) -> Run | None:
        """A run of this process, open or closed."""
        held = self._active.get(name)
        return held.run if held else None

    async def drafted(self, name: str) -> None:
        """Until the run has nothing to do but wait for a person."""
        held = self._active.get(name)
        while held is not None and held.drafting is not None and not held.drafting.done():
            await asyncio.wait({held.drafting})

    async def apply(self, name: str, index: int, *, confirm: bool) -> Reply:
        """Apply one step of an open run; what was said in between is settled first."""
        active = self._active[name]
        reply = await apply_step(active.run, active.tools, self._applier, index, confirm=confirm)
        self._work(active)
        await self.drafted(name) if active.run.state.phase != "idle" else await asyncio.sleep(0)
        return reply

    async def revert(self, name: str) -> Reply:
        """Take back the last applied step of an open run."""
        active = self._active[name]
        reply = await revert_last(active.run, active.tools, self._applier)
        self._work(active)
        return reply

    def skip(self, name: str, index: int) -> Reply:
        """Leave a step out; the steps after it are drafted again without it."""
        active = self._active[name]
        request = Skip(index)
        if not active.run.state.open:
            return Reply(False, f"run {name} is closed")
        if (broken := told(active.run.state, request)) is not None:
            return Reply(False, broken.rule)
        active.run.commit(Told(request))
        self._work(active)
        return Reply(True, f"skipped: {active.run.state.steps[index].planned.title}")

    async def cancel(self, name: str) -> Reply:
        """Stop drafting and close the run; what was applied stays."""
        active = self._active.get(name)
        if active is None or not active.run.state.open:
            return Reply(False, f"run {name} is not open")
        active.run.cancelled = True
        if active.drafting is not None and not active.drafting.done():
            active.drafting.cancel()
            await asyncio.wait({active.drafting})
        state = active.run.state
        if state.open and state.work is None and state.delivery is None:
            active.run.commit(Closed(Ending.CANCELLED, "cancelled by a person", report_of(state, "cancelled by a person")))
        return Reply(True, f"cancelled: {state.task.text}")

    def moved(self) -> None:
        """Text of this root moved: look again at every open run once typing rests."""
        for active in self._active.values():
            if active.run.state.open and active.run.state.delivery is None:
                active.moves += 1
                self._work(active, pause=True)

    async def close(self) -> None:
        """Stop all drafting; open runs stay as they are in the journal."""
        tasks = [a.drafting for a in self._active.values() if a.drafting is not None and not a.drafting.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self.journal.close()

    def _work(self, active: Active, *, pause: bool = False) -> None:
        if active.run.state.open and (active.drafting is None or active.drafting.done()):
            active.drafting = asyncio.create_task(self._draft(active, pause=pause))

    async def _draft(self, active: Active, *, pause: bool) -> None:
        """Draft until nothing moved meanwhile. A journal that fails stops the run; its state stays as last stored."""
        while True:
            seen = active.moves
            if pause:
                await asyncio.sleep(PAUSE_SECONDS)
                if active.moves != seen:
                    continue
            async with self._turn:
                try:
                    await draft(active.run, active.tools)
                except JournalError as error:
                    active.tools.progress.report(str(error))
                    return
            if active.moves == seen or not active.run.state.open:
                return
            pause = True
