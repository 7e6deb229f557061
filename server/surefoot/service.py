"""What a person can ask of Surefoot, for lsp and cli alike. A request that does not fit comes back as a Reply that says why."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from surefoot.core.errors import JournalError, Unusable
from surefoot.core.findings import Diagnostic, Findings
from surefoot.core.plan import Task
from surefoot.core.proposal import Proposal
from surefoot.core.sites import Scan, Symbol, Target
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import Engine, Refusal
from surefoot.journal.journal import Journal, folder_of
from surefoot.journal.retention import collect
from surefoot.journal.rows import FILE, RunRow
from surefoot.journal.story import Entry
from surefoot.loop.background import Background, FixSource, still_holds
from surefoot.loop.deliver import Reply
from surefoot.loop.desk import Checks, Desk
from surefoot.loop.ports import Applier, Policy, Progress, Staffing
from surefoot.loop.propose import propose_whole
from surefoot.loop.run import Run
from surefoot.loop.runs import Runs
from surefoot.loop.texts import holds
from surefoot.report.account import Account
from surefoot.report.gather import account_of
from surefoot.run.events import Waive
from surefoot.run.limits import Limits
from surefoot.run.state import RunState
from surefoot.syntax.opinions import SecondOpinion
from surefoot.syntax.store.builder import Built
from surefoot.workspace.session import Session, Touch, What
from surefoot.workspace.snapshot import Snapshot


class Finder(Protocol):
    """What stands at a place, and where else."""

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None: ...

    async def find(self, texts: Texts, target: Target) -> Scan: ...

    async def look(self, root: Path) -> None: ...

    async def index(self, root: Path, told: Callable[[Built], None]) -> None: ...

    async def close(self) -> None: ...


class Build(Protocol):
    """Makes a service over a session that delivers through `applier` and tells `changed` of every new state of a run."""

    def __call__(self, session: Session, applier: Applier, changed: Callable[[RunState], None]) -> "Service": ...


def _free(root: Path, task: Task) -> str:
    """Any task may be begun."""
    return ""


async def _nothing() -> None:
    """There is nothing else to close."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service is built from, by the composition root."""

    checks: Callable[[Path], tuple[Checks, FixSource]]
    finder: Finder
    engine: Engine
    staff: Callable[[Path], Staffing]
    policy: Policy
    applier: Applier
    state_dir: Path
    limits: Callable[[Path], Limits]
    changed: Callable[[RunState], None]
    close: Callable[[], Awaitable[None]] = _nothing
    obstacle: Callable[[Path, Task], str] = _free


class Service:
    """Propose, start, apply, revert, skip, cancel, and read what happened. Lives on the event loop's thread."""

    def __init__(self, session: Session, parts: Parts) -> None:
        self._session = session
        self._parts = parts
        self._desks: dict[Path, Desk] = {}
        self._closing: set[asyncio.Future[None]] = set()
        self._unlisten = session.listen(self._heard)

    # Asking

    async def symbol_at(self, path: Path, offset: int) -> Symbol | None:
        """The symbol whose name stands at a byte offset, None where there is none."""
        file = self._snapshot_of(path).read(path)
        return await self._parts.finder.symbol_at(file, offset) if isinstance(file, TextFile) else None

    async def sites(self, texts: Texts, path: Path, offset: int) -> Scan:
        """Every site, in these texts, of the symbol whose name stands at a byte offset; without a name where there is none."""
        return await self._parts.finder.find(texts, Target(path=str(path), offset=offset))

    async def second_opinion(self, texts: Snapshot, path: Path, offset: int) -> SecondOpinion:
        """The same sites, united with what the language servers at hand say of them; starts servers that are not up yet."""
        scan = await self.sites(texts, path, offset)
        if not scan.name:
            return SecondOpinion(scan, {}, ())
        return await self._desk(texts.root).checks.opinion(texts, scan, Target(path=str(path), offset=offset))

    async def index(self, root: Path, told: Callable[[Built], None]) -> None:
        """Have the files of a root known before anybody asks for them; `told` hears how far it is. Answers never wait for it."""
        await self._parts.finder.look(root)
        await self._parts.finder.index(root, told)

    async def diagnose(self, root: Path, paths: Sequence[Path]) -> Findings:
        """What the checkers find in these files as they are now."""
        return await self._desk(root).checks.diagnose(self._session.snapshot(root), paths)

    async def propose(self, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic], wait: float) -> tuple[Proposal, ...]:
        """Validated fixes for the findings between two byte offsets; waits at most `wait` seconds for a check.

        Raises CheckerUnavailable when somebody waited and there is nothing to show because a check could not say.
        """
        texts = self._snapshot_of(path)
        return await self._desk(texts.root).background.propose(texts, path, start, end, diagnostics, wait)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """A background proposal that still holds on the text as it is now."""
        for root, desk in self._desks.items():
            live = self._session.snapshot(root)
            if (found := desk.background.find(proposal_id, live)) is not None and still_holds(found, live):
                return found
        return None

    async def rename(self, path: Path, offset: int, name: str) -> Proposal | Refusal:
        """One whole validated rename of the symbol at a byte offset, or why there is none."""
        texts = self._snapshot_of(path)
        symbol = await self.symbol_at(path, offset)
        if symbol is None:
            return Refusal("there is no name at this place: put the cursor on the name to change")
        task = Task(f"rename {symbol.name} to {name}", Target("", str(path), offset))
        return await propose_whole(self._parts.engine, self._desk(texts.root).checks, texts, task)

    # Runs

    def obstacle(self, root: Path, task: Task) -> str:
        """Why nobody here could do a task, such as that it needs a model and there is no key; "" where somebody can. Raises Unusable."""
        return self._parts.obstacle(root, task)

    def start(self, root: Path, task: Task, progress: Progress) -> Run:
        """A new run, drafting from now on. Raises JournalError."""
        return self._desk(root).start(task, progress)

    async def drafted(self, root: Path, run: str) -> None:
        """Until the run has nothing to do but wait for a person. Raises JournalError when its drafting could not be recorded."""
        await self._desk(root).runs.drafted(run)

    def take_up(self, root: Path, run: str, progress: Progress) -> Run:
        """A stored run, worked on by this process from now on. Raises JournalError, Unusable."""
        return self._desk(root).take_up(run, progress)

    def cut_short(self, root: Path) -> tuple[RunState, ...]:
        """Stored runs that nobody works on and that ended in the middle of an action, newest first. Raises JournalError."""
        if root not in self._desks and not (folder_of(root, self._parts.state_dir) / FILE).exists():
            return ()
        return self._desk(root).cut_short()

    def active(self, root: Path) -> tuple[Run, ...]:
        """The open runs of this process, newest first."""
        return self._desk(root).active()

    def state(self, root: Path, run: str) -> RunState | None:
        """The state of a run, of this process or stored; None where there is none that reads. Raises JournalError."""
        return self._desk(root).state(run)

    def next_holds(self, root: Path, state: RunState) -> bool:
        """True when the next step of a run may be shown: it is ready, and the text is the one that it was checked on."""
        index = state.next_step
        return index >= 0 and state.steps[index].offered and holds(state.steps[index], self._session.snapshot(root))

    async def apply(self, root: Path, run: str, step: int | None = None, change: str = "", *, confirm: bool = False) -> Reply:
        """Apply the next step, or the one that was named if it is the next; `change` is the digest of the change that was shown."""
        desk = self._desk(root)
        held = desk.taken_up(run)
        if isinstance(held, Reply):
            return held
        return await desk.runs.apply(run, held.state.next_step if step is None else step, change, confirm=confirm)

    async def apply_all(self, root: Path, run: str) -> Reply:
        """Apply step after step until none is left or one cannot be applied."""
        desk = self._desk(root)
        held, done = desk.taken_up(run), 0
        if isinstance(held, Reply):
            return held
        await desk.runs.drafted(run)
        for _ in range(held.state.limits.actions):
            if not held.state.open or held.state.next_step < 0:
                break
            reply = await desk.runs.apply(run, held.state.next_step, confirm=False)
            if not reply.done:
                return reply if not done else Reply(False, f"{done} applied, then {reply.message}")
            done += 1
            await desk.runs.drafted(run)
        return Reply(True, f"{done} applied") if done else Reply(False, f"run {run} has no step to apply")

    async def revert(self, root: Path, run: str | None = None) -> Reply:
        """Take back the last applied step of this run, or of the latest run that has one; half an edit before all else."""
        return await self._desk(root).revert(run)

    async def finish(self, root: Path, run: str) -> Reply:
        """Bring an edit that was cut short to the documents that it did not reach."""
        return await self._desk(root).finish(run)

    def skip(self, root: Path, run: str, step: int) -> Reply:
        """Leave a step out."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else self._desk(root).runs.skip(run, step)

    def waive(self, root: Path, run: str, request: Waive) -> Reply:
        """Let a site be in all that is drafted from now on."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else self._desk(root).runs.waive(run, request)

    def overrule(self, root: Path, run: str, step: int) -> Reply:
        """Offer a step that only the judge is against."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else self._desk(root).runs.overrule(run, step)

    def demand(self, root: Path, run: str, words: str) -> Reply:
        """A constraint in a person's words for all that is drafted from now on."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else self._desk(root).runs.demand(run, words)

    def stronger(self, root: Path, run: str, progress: Progress) -> Run | Reply:
        """A new run of an escalated run's task with the stronger model. Raises JournalError, Unusable."""
        desk = self._desk(root)
        state = desk.state(run)
        return desk.stronger(state, progress) if state is not None else Reply(False, f"there is no run {run}")

    def resume(self, root: Path, run: str) -> Reply:
        """Let a run that wants attention go on from its last valid state."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else self._desk(root).runs.resume(run)

    async def cancel(self, root: Path, run: str) -> Reply:
        """Stop a run; what was applied stays."""
        held = self._desk(root).taken_up(run)
        return held if isinstance(held, Reply) else await self._desk(root).runs.cancel(run)

    async def accept(self, proposal_id: str) -> Reply:
        """Apply a background proposal, if its texts still stand."""
        for root, desk in self._desks.items():
            if (proposal := desk.background.find(proposal_id, self._session.snapshot(root))) is not None:
                return await desk.accept(proposal)
        return Reply(False, "this fix is no longer at hand; open the menu again")

    # Reading

    def runs(self, root: Path) -> tuple[RunRow, ...]:
        """Every run of a root, newest first. Raises JournalError."""
        return self._desk(root).runs.journal.runs()

    def entries(self, root: Path, run: str) -> tuple[Entry, ...]:
        """The events of a run, for a report. Raises JournalError for an unknown run."""
        return self._desk(root).runs.journal.read(run).entries

    def account(self, root: Path, run: str) -> Account:
        """What happened in a run, as far as its rows can be believed. Raises JournalError for an unknown run."""
        story = self._desk(root).runs.journal.read(run)
        return account_of(story.entries, story.damage)

    def write_report(self, root: Path, run: str) -> Path:
        """The report of a run in files beside the journal: a page, Markdown and JSON; the path of the page. Raises JournalError."""
        from surefoot.report.forms import Form, written

        folder, account = self._desk(root).runs.journal.folder / "reports", self.account(root, run)
        try:
            folder.mkdir(exist_ok=True, mode=0o700)
            for form in Form:
                (folder / f"{run}{form.suffix}").write_bytes(written(account, form))
        except OSError as error:
            raise JournalError(f"the report could not be written: {error}") from error
        return folder / f"{run}{Form.HTML.suffix}"

    async def close(self) -> None:
        """End all children and let go of the journals; open runs stay as they are."""
        self._unlisten()
        desks = tuple(self._desks.values())
        self._desks.clear()
        await asyncio.gather(*self._closing, *(desk.close() for desk in desks))
        await self._parts.finder.close()
        await self._parts.close()

    def _snapshot_of(self, path: Path) -> Snapshot:
        root = self._session.root_of(path)
        if root is None:
            raise Unusable(f"{path} is in none of the open folders")
        return self._session.snapshot(root)

    def _desk(self, root: Path) -> Desk:
        if root not in self._desks:
            parts = self._parts
            checks, fixes = parts.checks(root)

            def snapshot() -> Snapshot:
                return self._session.snapshot(root)

            def open_runs() -> Runs:
                journal = Journal(root, parts.state_dir)
                collect(journal, time.time())
                return Runs(journal, snapshot, parts.applier, parts.changed)

            limits = partial(parts.limits, root)
            self._desks[root] = Desk(checks, Background(checks, fixes), open_runs, parts.staff(root), parts.policy, limits, snapshot)
        return self._desks[root]

    def _heard(self, touch: Touch) -> None:
        """Text moved in every root above it, or a root is gone."""
        if touch.what is not What.ROOTS:
            for root, desk in self._desks.items():
                if touch.path.is_relative_to(root):
                    desk.moved(touch.path)
        elif touch.path in self._desks and touch.path not in self._session.roots:
            closing = asyncio.ensure_future(self._desks.pop(touch.path).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
