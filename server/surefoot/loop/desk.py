"""What works for one root: its checks, its background looks and its runs, and how a change that is there already gets applied."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from surefoot.core.errors import JournalError, Unusable
from surefoot.core.findings import Findings
from surefoot.core.plan import Task
from surefoot.core.proposal import Proposal
from surefoot.core.sites import Scan, Target
from surefoot.engines.adopt import Adopt, Lost, Vouched
from surefoot.loop.background import Background, still_holds
from surefoot.loop.deliver import Reply
from surefoot.loop.ports import Policy, Progress, Staff, Staffing, Tools, Validator
from surefoot.loop.revert import WayBack, back_names, half_back, way_back
from surefoot.loop.run import Run
from surefoot.loop.runs import Runs
from surefoot.run.events import Ending
from surefoot.run.limits import OPEN_RUNS, Limits
from surefoot.run.state import RunState
from surefoot.syntax.opinions import SecondOpinion
from surefoot.workspace.snapshot import Snapshot


class Silence:
    """Progress that nobody watches."""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say nothing."""


class Checks(Validator, Protocol):
    """The checkers of one root: the validator, and what they find in the texts as they stand."""

    async def diagnose(self, texts: Snapshot, paths: Sequence[Path]) -> Findings: ...

    async def opinion(self, texts: Snapshot, scan: Scan, target: Target) -> SecondOpinion: ...

    async def close(self) -> None: ...


@dataclass(slots=True)
class Desk:
    """The parts of one root. Requests come back as a Reply that says what was done or why not.

    The journal is opened by `open_runs` when a run is first asked for: fixes and findings need none, and work where it cannot be opened.
    """

    checks: Checks
    background: Background
    open_runs: Callable[[], Runs]
    staff: Staffing
    policy: Policy
    limits: Callable[[], Limits]
    snapshot: Callable[[], Snapshot]
    accepting: set[str] = field(default_factory=lambda: set[str]())
    opened: Runs | None = None

    @property
    def runs(self) -> Runs:
        """The runs of the root. Raises JournalError when the journal cannot be opened."""
        if self.opened is None:
            self.opened = self.open_runs()
        return self.opened

    def active(self) -> tuple[Run, ...]:
        """The open runs of this process, newest first."""
        return self.opened.active() if self.opened is not None else ()

    def moved(self, path: Path) -> None:
        """Text moved: looks at it are of no use any more, and runs look again."""
        self.background.moved(path)
        if self.opened is not None:
            self.opened.moved()

    def start(self, task: Task, progress: Progress) -> Run:
        """A new run, drafting from now on. Raises JournalError, Unusable when nobody here could do it."""
        tools = Tools(self.staff(task, progress), self.checks, self.policy, self.snapshot, progress)
        return self.runs.begin(task, tools, self.limits())

    def stronger(self, state: RunState, progress: Progress) -> Run | Reply:
        """The same task for the stronger model, which starts from the last note and not from what was tried."""
        ended = state.winding or state.closed
        if ended is None or ended.ending is not Ending.ESCALATED:
            return Reply(False, f"run {state.run} has not used up its attempts")
        if state.task.stronger or self.staff(state.task, progress).engine.repeats:
            return Reply(False, "there is no stronger model for this task")
        task = state.task
        run = self.start(replace(task, stronger=True), progress)
        if state.note:
            self.runs.demand(run.state.run, state.note)
        return run

    def take_up(self, run: str, progress: Progress) -> Run:
        """A stored run, worked on by this process from now on. Raises JournalError, Unusable."""
        return self.runs.take_up(run, lambda state: self._tools_again(state, progress))

    def taken_up(self, run: str) -> Run | Reply:
        """A run to work on: one of this process, or a stored open one that nobody has."""
        if (held := self.runs.known(run)) is not None:
            return held
        try:
            taken = self.take_up(run, Silence())
        except (JournalError, Unusable) as error:
            return Reply(False, str(error))
        closed = taken.state.closed
        return Reply(False, f"run {run} is closed ({closed.ending})") if closed is not None else taken

    def state(self, run: str) -> RunState | None:
        """The state of a run, None where its rows cannot be read: the other runs are still of use."""
        if (held := self.runs.known(run)) is not None:
            return held.state
        try:
            return self.runs.journal.load(run)
        except JournalError:
            return None

    def cut_short(self) -> tuple[RunState, ...]:
        """Stored runs of this workspace that nobody works on and that ended in the middle of an action, newest first."""
        rows = [row for row in self.runs.journal.runs() if not row.ending and not row.origin and self.runs.known(row.id) is None]
        states = (self.state(row.id) for row in rows[:OPEN_RUNS])
        return tuple(s for s in states if s is not None and (s.work or s.delivery or s.settled) and self.runs.journal.free(s.run))

    async def accept(self, proposal: Proposal) -> Reply:
        """Apply a background proposal as a run of its own that adopts its evidence, if its texts still stand."""
        if proposal.id in self.accepting:
            return Reply(False, "this fix is being applied already")
        if not still_holds(proposal, self.snapshot()):
            return Reply(False, "not applied: the text has moved since this was checked; open the menu again")
        self.accepting.add(proposal.id)
        try:
            return await self._adopt(Task(proposal.title), Adopt(proposal.title, proposal.change), Vouched(proposal.evidence))
        finally:
            self.accepting.discard(proposal.id)

    async def revert(self, run: str | None) -> Reply:
        """Take back the last applied step of this run, or of the latest run that has one; half an edit before all else."""
        live = self.snapshot()
        states = [state for row in self.runs.journal.runs() if not row.origin and (state := self.state(row.id)) is not None]
        undone = {s.task.undoes for s in states if s.task.undoes and s.last_applied >= 0}
        for state in states:
            if state.run != run if run is not None else state.task.undoes:
                continue
            if state.halfway is not None:
                return await self._undo_half(state.run, half_back(state, live))
            if state.open and state.last_applied >= 0:
                held = self.taken_up(state.run)
                return held if isinstance(held, Reply) else await self.runs.revert(state.run)
            if not state.open and (back := way_back(state, undone, live)) is not None:
                return Reply(False, back) if isinstance(back, str) else await self._back(back)
        return Reply(False, f"run {run} has no applied step to revert" if run else "there is no applied step to revert")

    async def close(self) -> None:
        """End the children and let go of the journal; open runs stay as they are."""
        self.background.close()
        if self.opened is not None:
            await self.opened.close()
        await self.checks.close()

    def _tools_again(self, state: RunState, progress: Progress) -> Tools:
        """The tools of a stored run, by the engine that it began with."""
        if state.engine == Adopt.name:
            step = state.steps[0] if state.steps else None
            draft = step.draft or state.draft if step is not None else None
            if step is None or draft is None:
                return Tools(Staff(Lost()), self.checks, self.policy, self.snapshot, progress)
            adopt = Adopt(step.planned.title, draft.change, draft.impacted, draft.renames)
            validator = Vouched(step.evidence) if step.evidence is not None else self.checks
            return Tools(Staff(adopt), validator, self.policy, self.snapshot, progress)
        return Tools(self.staff(state.task, progress, state.engine), self.checks, self.policy, self.snapshot, progress)

    async def _back(self, back: WayBack) -> Reply:
        engine = Adopt(back.title, back.change, back.draft.impacted, back_names(back.draft))
        validator = Vouched(back.evidence) if back.evidence is not None else self.checks
        return await self._adopt(Task(back.title, undoes=back.undoes), engine, validator)

    async def finish(self, run: str) -> Reply:
        """Bring an edit that reached only some of its documents to the others."""
        held = self.taken_up(run)
        return held if isinstance(held, Reply) else await self.runs.finish(run)

    async def _undo_half(self, run: str, back: WayBack | str | None) -> Reply:
        if isinstance(back, str):
            return Reply(False, back)
        held = self.taken_up(run)
        if isinstance(held, Reply) or back is None:
            return held if isinstance(held, Reply) else self.runs.resume(run, undone=True)
        reply = await self._back(back)
        if reply.done:
            self.runs.resume(run, undone=True)
        return reply

    async def _adopt(self, task: Task, engine: Adopt, validator: Validator) -> Reply:
        tools = Tools(Staff(engine), validator, self.policy, self.snapshot, Silence(), queues=not isinstance(validator, Vouched))
        run = self.runs.begin(task, tools, Limits())
        await self.runs.drafted(run.state.run)
        if run.state.closed is not None:
            return Reply(False, f"not done: {run.state.closed.reason}")
        reply = await self.runs.apply(run.state.run, 0, confirm=False)
        if reply.done:
            await self.runs.drafted(run.state.run)
        else:
            await self.runs.cancel(run.state.run)
        return reply
