"""What a person can ask of Surefoot, for lsp and cli alike. A request that does not fit comes back as a Reply that says why."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from surefoot.core.errors import JournalError, Unusable
from surefoot.core.findings import Diagnostic, Findings
from surefoot.core.plan import Task
from surefoot.core.proposal import Proposal
from surefoot.core.sites import Scan, Symbol, Target
from surefoot.core.text import TextFile
from surefoot.engines.adopt import Adopt
from surefoot.engines.protocol import Engine, Refusal
from surefoot.journal.journal import Entry, Journal, RunRow
from surefoot.loop.background import Background, FixSource, still_holds
from surefoot.loop.deliver import Reply
from surefoot.loop.ports import Applier, Policy, Progress, Tools, Validator
from surefoot.loop.propose import propose_whole
from surefoot.loop.revert import way_back
from surefoot.loop.run import Run
from surefoot.loop.runs import Runs
from surefoot.report.text import render
from surefoot.run.limits import Limits
from surefoot.run.state import RunState
from surefoot.workspace.session import Session, Touch, What
from surefoot.workspace.snapshot import Snapshot


class Silence:
    """Progress that nobody watches."""

    def report(self, message: str, percentage: int | None = None) -> None:
        """Say nothing."""


class Checks(Validator, Protocol):
    """The checkers of one root: the validator, and what they find in the texts as they stand."""

    async def diagnose(self, texts: Snapshot, paths: Sequence[Path]) -> Findings: ...

    async def close(self) -> None: ...


class Finder(Protocol):
    """Where symbols are."""

    async def find(self, texts: Snapshot, target: Target) -> Scan: ...

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None: ...

    async def close(self) -> None: ...


class Build(Protocol):
    """Makes a service over a session that delivers through `applier` and tells `changed` of every new state of a run."""

    def __call__(self, session: Session, applier: Applier, changed: Callable[[RunState], None]) -> "Service": ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What the service is built from, by the composition root."""

    checks: Callable[[Path], tuple[Checks, FixSource]]
    finder: Finder
    engine: Engine
    policy: Policy
    applier: Applier
    state_dir: Path
    limits: Limits
    changed: Callable[[RunState], None]


@dataclass(frozen=True, slots=True)
class Desk:
    """What works for one root."""

    checks: Checks
    background: Background
    runs: Runs


class Service:
    """Propose, start, apply, revert, skip, cancel, and read what happened. Lives on the event loop's thread."""

    def __init__(self, session: Session, parts: Parts) -> None:
        self._session = session
        self._parts = parts
        self._desks: dict[Path, Desk] = {}
        self._unlisten = session.listen(self._heard)

    # Asking

    async def sites(self, root: Path, target: Target) -> Scan:
        """Every site of a symbol, in the text as it is now."""
        return await self._parts.finder.find(self._session.snapshot(root), target)

    async def symbol_at(self, path: Path, offset: int) -> Symbol | None:
        """The symbol whose name stands at a byte offset, None where there is none."""
        file = self._snapshot_of(path).read(path)
        return await self._parts.finder.symbol_at(file, offset) if isinstance(file, TextFile) else None

    async def diagnose(self, root: Path, paths: Sequence[Path]) -> Findings:
        """What the checkers find in these files as they are now."""
        return await self._desk(root).checks.diagnose(self._session.snapshot(root), paths)

    async def propose(self, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic], wait: float) -> tuple[Proposal, ...]:
        """Validated fixes for the findings between two byte offsets; waits at most `wait` seconds for a check."""
        texts = self._snapshot_of(path)
        return await self._desk(texts.root).background.propose(texts, path, start, end, diagnostics, wait)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """A background proposal that still holds on the text as it is now."""
        for root, desk in self._desks.items():
            if (found := desk.background.find(proposal_id)) is not None and still_holds(found, self._session.snapshot(root)):
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

    def start(self, root: Path, task: Task, progress: Progress) -> Run:
        """A new run, drafting from now on. Raises JournalError."""
        return self._desk(root).runs.begin(task, self._tools(root, progress), self._parts.limits)

    async def drafted(self, root: Path, run: str) -> None:
        """Until the run has nothing to do but wait for a person."""
        await self._desk(root).runs.drafted(run)

    def take_up(self, root: Path, run: str, progress: Progress) -> Run:
        """A stored run, worked on by this process from now on. Raises JournalError, Unusable."""
        return self._desk(root).runs.take_up(run, lambda _: self._tools(root, progress))

    def active(self, root: Path) -> tuple[Run, ...]:
        """The open runs of this process, newest first."""
        return self._desk(root).runs.active()

    async def apply(self, root: Path, run: str, step: int | None = None, *, confirm: bool = False) -> Reply:
        """Apply the next step, or the one that was named if it is the next."""
        runs = self._desk(root).runs
        held = runs.known(run)
        if held is None:
            return Reply(False, f"there is no open run {run}")
        return await runs.apply(run, held.state.next_step if step is None else step, confirm=confirm)

    async def apply_all(self, root: Path, run: str) -> Reply:
        """Apply step after step until none is left or one cannot be applied."""
        runs = self._desk(root).runs
        held, done = runs.known(run), 0
        while held is not None and held.state.open and held.state.next_step >= 0:
            await runs.drafted(run)
            reply = await runs.apply(run, held.state.next_step, confirm=False)
            if not reply.done:
                return reply if not done else Reply(False, f"{done} applied, then {reply.message}")
            done += 1
        return Reply(True, f"{done} applied") if done else Reply(False, f"run {run} has no step to apply")

    async def revert(self, root: Path, run: str | None = None) -> Reply:
        """Take back the last applied step of this run, or of the latest run that has one."""
        runs = self._desk(root).runs
        live = self._session.snapshot(root)
        for row in runs.journal.runs() if run is None else (RunRow(run, "", 0, ""),):
            state = held.state if (held := runs.known(row.id)) else runs.journal.load(row.id)
            if state.engine == Adopt.name and run is None and state.task.text.startswith("Revert: "):
                continue
            if state.open and held is not None and state.last_applied >= 0:
                return await runs.revert(row.id)
            if not state.open and (back := way_back(state, live)) is not None:
                return await self._adopt(root, back.title, Adopt(back.title, back.change, back.evidence))
            if state.last_applied >= 0:
                return Reply(False, f"not reverted: a document of “{state.task.text}” has changed since; undo those edits first")
        return Reply(False, "there is no applied step to revert")

    def skip(self, root: Path, run: str, step: int) -> Reply:
        """Leave a step out."""
        runs = self._desk(root).runs
        return runs.skip(run, step) if runs.known(run) else Reply(False, f"there is no open run {run}")

    async def cancel(self, root: Path, run: str) -> Reply:
        """Stop a run; what was applied stays."""
        return await self._desk(root).runs.cancel(run)

    async def accept(self, proposal_id: str) -> Reply:
        """Apply a background proposal as a run of its own that adopts its evidence, if its texts still stand."""
        for root, desk in self._desks.items():
            if (proposal := desk.background.find(proposal_id)) is None:
                continue
            if not still_holds(proposal, self._session.snapshot(root)):
                return Reply(False, "not applied: the text has moved since this was checked; open the menu again")
            return await self._adopt(root, proposal.title, Adopt(proposal.title, proposal.change, proposal.evidence))
        return Reply(False, "this fix is no longer at hand; open the menu again")

    # Reading

    def runs(self, root: Path) -> tuple[RunRow, ...]:
        """Every run of a root, newest first. Raises JournalError."""
        return self._desk(root).runs.journal.runs()

    def entries(self, root: Path, run: str) -> tuple[Entry, ...]:
        """The events of a run, for a report. Raises JournalError for an unknown run."""
        entries = self._desk(root).runs.journal.entries(run)
        if not entries:
            raise JournalError(f"there is no run {run}: `surefoot runs list` shows those of this root")
        return entries

    def write_report(self, root: Path, run: str) -> Path:
        """The report of a run as a Markdown file beside the journal; its path. Raises JournalError."""
        path = self._desk(root).runs.journal.folder / "reports" / f"{run}.md"
        try:
            path.parent.mkdir(exist_ok=True, mode=0o700)
            path.write_text(render(self.entries(root, run)), encoding="utf-8")
        except OSError as error:
            raise JournalError(f"the report could not be written: {error}") from error
        return path

    async def close(self) -> None:
        """End all children and let go of the journals; open runs stay as they are."""
        self._unlisten()
        for desk in self._desks.values():
            desk.background.close()
            await desk.runs.close()
            await desk.checks.close()
        self._desks.clear()
        await self._parts.finder.close()

    async def _adopt(self, root: Path, title: str, engine: Adopt) -> Reply:
        runs = self._desk(root).runs
        tools = Tools(engine, engine, self._parts.policy, lambda: self._session.snapshot(root), Silence(), self._parts.changed)
        run = runs.begin(Task(title), tools, self._parts.limits)
        await runs.drafted(run.state.run)
        if run.state.next_step < 0 or not run.state.open:
            return Reply(False, run.state.closed.reason if run.state.closed else "not applied")
        reply = await runs.apply(run.state.run, 0, confirm=False)
        if reply.done:
            await runs.drafted(run.state.run)
        else:
            await runs.cancel(run.state.run)
        return reply

    def _tools(self, root: Path, progress: Progress) -> Tools:
        parts = self._parts
        return Tools(parts.engine, self._desk(root).checks, parts.policy, lambda: self._session.snapshot(root), progress, parts.changed)

    def _snapshot_of(self, path: Path) -> Snapshot:
        root = self._session.root_of(path)
        if root is None:
            raise Unusable(f"{path} is in none of the open folders")
        return self._session.snapshot(root)

    def _desk(self, root: Path) -> Desk:
        if root not in self._desks:
            parts = self._parts
            checks, fixes = parts.checks(root)
            journal = Journal(root, parts.state_dir)
            runs = Runs(journal, lambda: self._session.snapshot(root), parts.applier, parts.changed)
            self._desks[root] = Desk(checks, Background(checks, fixes), runs)
        return self._desks[root]

    def _heard(self, touch: Touch) -> None:
        root = self._session.root_of(touch.path)
        if root not in self._desks or touch.what is What.ROOTS:
            return
        self._desks[root].background.moved(touch.path)
        self._desks[root].runs.moved()
