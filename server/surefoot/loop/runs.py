"""The runs of one root: one drafts at a time, others queue; another run's apply is text that moved, like any other."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from surefoot.core.errors import JournalError, SurefootError, Unusable
from surefoot.core.findings import Input
from surefoot.core.plan import Constraint, Task
from surefoot.journal.journal import Journal
from surefoot.loop.deliver import Reply, apply_step, finish_half, recover_delivery, revert_last
from surefoot.loop.driver import CANCELLED, close, draft
from surefoot.loop.moving import notice, recheck
from surefoot.loop.phases import CANCELLED_WORK
from surefoot.loop.ports import Applier, Tools
from surefoot.loop.run import Run
from surefoot.run.events import Constrain, Overrule, Resulted, Resumed, Skip, Started, Told, Waive
from surefoot.run.limits import Limits
from surefoot.run.requests import Apply, Resume, allowed
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 0.3
"""How long typing must rest before steps whose text moved are drafted again."""


@dataclass(slots=True)
class Active:
    """A run that this process owns, and the task that drafts it.

    `moves` counts how often text moved under it, `looked` up to which of them it was looked at; `error` is what stopped its drafting.
    """

    run: Run
    tools: Tools
    drafting: asyncio.Task[None] | None = None
    moves: int = 0
    looked: int = 0
    error: SurefootError | None = None


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
        self._forget_closed()
        texts = self._snapshot()
        documents = tuple(Input(f.path, f.digest) for f in texts.overlay.values())
        name = f"r{secrets.token_hex(4)}"
        started = Started(name, texts.root, task, tools.engine.name, limits, documents)
        self.journal.own(name)
        try:
            active = Active(Run.begin(self.journal, started, self._changed), tools)
        except JournalError:
            self.journal.disown(name)
            raise
        self._active[name] = active
        active.run.landed = partial(self._settle, active)
        self._work(active)
        return active.run

    def take_up(self, name: str, tools_for: Callable[[RunState], Tools]) -> Run:
        """A stored run, owned by this process from now on. Raises JournalError, Unusable when another process has it."""
        if name in self._active:
            return self._active[name].run
        row = self.journal.row(name)
        if row is not None and row.ending:
            return self._ended(name)
        if row is not None and row.origin:
            raise Unusable(f"run {name} is {row.origin}: it can be read and replayed, and not worked on")
        if row is not None and not self.journal.own(name):
            raise Unusable(f"run {name} is being worked on by another Surefoot process; close that one first")
        try:
            state = self.journal.mend(self.journal.read(name), time.time())
            active = Active(Run(self.journal, state, self._changed), tools_for(state))
            recover_delivery(active.run, self._snapshot(), patient=self._applier.reopens)
        except SurefootError:
            self.journal.disown(name)
            raise
        self._active[name] = active
        active.run.landed = partial(self._settle, active)
        self._changed(active.run.state)
        active.moves = 1
        self._work(active)
        return active.run

    def _ended(self, name: str) -> Run:
        story = self.journal.read(name)
        if story.damage is not None:
            raise Unusable(f"run {name} has ended, and row {story.damage.seq} of it is damaged: it can be read, and not worked on")
        return Run(self.journal, story.state, self._changed)

    def active(self) -> tuple[Run, ...]:
        """The open runs of this process, newest first."""
        return tuple(a.run for a in reversed(self._active.values()) if a.run.state.open)

    def known(self, name: str) -> Run | None:
        """A run of this process, open or closed."""
        held = self._active.get(name)
        return held.run if held else None

    async def drafted(self, name: str) -> None:
        """Until the run has nothing to do but wait for a person. Raises SurefootError when its drafting could not go on."""
        held = self._active.get(name)
        while held is not None and held.drafting is not None and not held.drafting.done():
            await asyncio.wait({held.drafting})
        if held is not None and held.error is not None:
            raise held.error

    async def apply(self, name: str, index: int, change: str = "", *, confirm: bool) -> Reply:
        """Apply one step of an open run. `change` is the digest of the change that the person saw, where one was shown."""
        active = self._active[name]
        reply = await apply_step(active.run, active.tools, self._applier, Apply(index, change), confirm=confirm)
        self._settle(active)
        return reply

    async def revert(self, name: str) -> Reply:
        """Take back the last applied step of an open run."""
        active = self._active[name]
        reply = await revert_last(active.run, active.tools, self._applier)
        self._settle(active)
        return reply

    async def finish(self, name: str) -> Reply:
        """Bring an edit of an open run that reached only some of its documents to the others."""
        active = self._active[name]
        reply = await finish_half(active.run, active.tools, self._applier)
        self._settle(active)
        return reply

    def skip(self, name: str, index: int) -> Reply:
        """Leave a step out; the steps after it are drafted again without it."""
        active = self._active[name]
        if refusal := allowed(active.run.state, Skip(index)):
            return Reply(False, refusal)
        active.run.commit(Told(Skip(index)))
        self._work(active)
        return Reply(True, f"skipped: {active.run.state.steps[index].planned.title}")

    def waive(self, name: str, request: Waive) -> Reply:
        """Let a site be in all that is drafted from now on."""
        active = self._active[name]
        if refusal := allowed(active.run.state, request):
            return Reply(False, refusal)
        active.run.commit(Told(request))
        return Reply(True, f"waived: {request.path.name}:{request.line}:{request.column}")

    def overrule(self, name: str, index: int) -> Reply:
        """Offer a step whose change holds, whatever the judge has against it."""
        active = self._active[name]
        if refusal := allowed(active.run.state, Overrule(index)):
            return Reply(False, refusal)
        active.run.commit(Told(Overrule(index)))
        self._work(active)
        return Reply(True, f"the judge is overruled: {active.run.state.steps[index].planned.title}")

    def demand(self, name: str, words: str) -> Reply:
        """What a person demands of all that is drafted from now on."""
        active = self._active[name]
        request = Constrain(Constraint("person", None, 0, words))
        if refusal := allowed(active.run.state, request):
            return Reply(False, refusal)
        active.run.commit(Told(request))
        return Reply(True, f"it has to hold: {words}")

    async def cancel(self, name: str) -> Reply:
        """Stop drafting and close the run; what was applied stays. An edit that is under way is let through first."""
        active = self._active.get(name)
        if active is None or not active.run.state.open:
            return Reply(False, f"run {name} is not open")
        active.run.cancelled, halfway = True, active.run.state.halfway
        if active.drafting is not None and not active.drafting.done():
            active.drafting.cancel()
            await asyncio.wait({active.drafting})
        self._end_unwatched(active.run)
        if active.run.state.halfway is not None and not halfway:
            active.run.cancelled = False
            return Reply(False, f"not cancelled: {active.run.state.attention}")
        self._settle(active)
        words = "will be cancelled once the edit under way is through" if active.run.state.open else "cancelled"
        return Reply(True, f"{words}: {active.run.state.task.text}")

    def resume(self, name: str, *, undone: bool = False) -> Reply:
        """Go on from the last valid state, once a person has put right what wanted attention, or what kept the journal from being
        written. `undone` says that nothing is left of an edit that was cut short."""
        active = self._active[name]
        refusal = "" if undone and active.run.state.attention else allowed(active.run.state, Resume())
        if refusal and active.error is None:
            return Reply(False, refusal)
        if not refusal:
            active.run.commit(Resumed(active.run.state.events))
        active.moves += 1
        self._work(active)
        return Reply(True, f"resumed: {active.run.state.task.text}")

    def moved(self) -> None:
        """Text of this root moved: look again at every open run once typing rests."""
        for active in self._active.values():
            if active.run.state.open:
                self._seen_again(active.run)
                active.moves += 1
                self._work(active)

    def _seen_again(self, run: Run) -> None:
        """A document that comes back may tell what became of an edit that was on its way when an earlier process ended."""
        if run.state.delivery is not None and not run.delivering:
            try:
                recover_delivery(run, self._snapshot(), patient=self._applier.reopens)
            except JournalError:
                logger.exception("what a document tells could not be recorded")

    async def close(self) -> None:
        """Stop all drafting; open runs stay as they are in the journal."""
        tasks = [a.drafting for a in self._active.values() if a.drafting is not None and not a.drafting.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self.journal.close()

    def _forget_closed(self) -> None:
        for name in [name for name, active in self._active.items() if not active.run.state.open]:
            del self._active[name]
            self.journal.disown(name)

    def _settle(self, active: Active) -> None:
        """After an edit or a cancellation: close what is to be closed, and let drafting go on."""
        run = active.run
        if run.cancelled and run.state.open and run.state.delivery is None and run.state.work is None:
            run.commit(close(run.state, CANCELLED))
        self._work(active)

    def _end_unwatched(self, run: Run) -> None:
        """Settle what is pending and nobody works on: the journal could not be written, or the run wants attention."""
        if run.state.delivery is not None and not run.delivering:
            recover_delivery(run, self._snapshot())
        if run.state.work is not None:
            run.settle(Resulted(run.state.work.action.id, run.state.work.action.input, CANCELLED_WORK))

    def _work(self, active: Active) -> None:
        if active.run.state.open and not active.run.cancelled and (active.drafting is None or active.drafting.done()):
            active.error = None
            active.drafting = asyncio.create_task(self._draft(active))

    async def _draft(self, active: Active) -> None:
        """Draft until nothing moved meanwhile. What fails stops the drafting, and who waits is told; the state stays as stored."""
        while active.run.state.open:
            seen = active.moves
            moved = seen > active.looked
            if moved:
                await asyncio.sleep(PAUSE_SECONDS)
                if active.moves != seen:
                    continue
            try:
                await self._drafted(active, moved=moved)
            except Exception as error:
                active.error = error if isinstance(error, SurefootError) else Unusable(f"Surefoot itself failed ({type(error).__name__})")
                logger.exception("run %s is not drafted any further", active.run.state.run)
                active.tools.progress.report(str(active.error))
                return
            active.looked = seen
            if active.moves == seen:
                return

    async def _drafted(self, active: Active, *, moved: bool) -> None:
        """One turn at drafting. Steps that no longer hold are marked before it is this run's turn: nobody is shown them meanwhile."""
        if moved:
            notice(active.run, active.tools, moved=True)
        async with self._turn if active.tools.queues else contextlib.nullcontext():
            await draft(active.run, active.tools)
            if moved and active.run.state.open:
                await recheck(active.run, active.tools)
                await draft(active.run, active.tools)
