"""Scripted engine, checker and editor for tests of the loop: real texts, real journal, answers from a list."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from surefoot.core.change import Change, TextEdit, apply_edits
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Input, Severity, Verdict
from surefoot.core.plan import PlannedStep, Stage, Take, Task
from surefoot.core.sites import Entry, Ledger, Scan, Site, SiteKind, SiteStatus, Target, Tier
from surefoot.core.text import LineIndex, Place, TextFile
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.journal.journal import Journal
from surefoot.loop.ports import Staff, Tools
from surefoot.loop.runs import Runs
from surefoot.loop.texts import digest_at
from surefoot.policy.permits import Permissions
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed
from surefoot.run.state import RunState
from surefoot.run.view import View
from surefoot.syntax.opinions import SecondOpinion
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot


def words_step(number: int, path: Path, stage: Stage = Stage.WHOLE) -> PlannedStep:
    return PlannedStep(f"word {number}", f"replace word {number}", stage, (Take(path),))


@dataclass
class Words:
    """Replaces `wordN` by what `says` gives for step N: one step per word, drafted wherever the word stands now."""

    path: Path
    steps: int = 1
    says: Callable[[int, View], str] = lambda number, view: f"done{number}"
    refuses: str = ""
    leaves_pending: bool = False
    views: list[View] = field(default_factory=list)
    name: str = "words"
    repeats: bool = True

    async def plan(self, view: View) -> Plan | Refusal:
        self.views.append(view)
        if self.refuses:
            return Refusal(self.refuses)
        first = len(view.done) + 1
        steps = tuple(words_step(n, self.path, Stage.WHOLE if n == self.steps else Stage.MIGRATE) for n in range(first, self.steps + 1))
        return Plan(steps, Ledger(()), f"{self.steps} words")

    async def edit(self, view: View) -> Draft | Refusal:
        self.views.append(view)
        assert view.step is not None
        number = int(view.step.title.split()[1])
        held = view.texts.read(self.path)
        assert isinstance(held, TextFile)
        old = f"word{number}".encode()
        at = held.data.find(old)
        if at < 0:
            return Refusal(f"there is no word{number}")
        texts = view.texts
        assert isinstance(texts, Snapshot)
        edit = texts.edit(self.path, (TextEdit(at, at + len(old), self.says(number, view)),))
        return Draft(Change((edit,)), (), (), self._ledger(held, at))

    def _ledger(self, held: TextFile, at: int) -> Ledger:
        if not self.leaves_pending:
            return Ledger(())
        place = Place.of(self.path, at, at + 5, LineIndex(held.data))
        site = Site(place, SiteKind.CALL, Tier.EXACT, "left out", "", False, "", "word")
        return Ledger((Entry(site, SiteStatus.PENDING, ""),))


@dataclass
class Wordcheck:
    """A checker that finds each word of `bad` in the text after a change.

    `gate` holds every check until a test lets it go, `second` those after the first; `also` are texts that the evidence depends on, too.
    """

    bad: tuple[str, ...] = ()
    verdict: Verdict | None = None
    calls: list[Change] = field(default_factory=list)
    impacted: list[tuple[Path, ...]] = field(default_factory=list)
    gate: asyncio.Event | None = None
    second: asyncio.Event | None = None
    also: tuple[Path, ...] = ()
    again: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        self.calls.append(change)
        self.impacted.append(tuple(also))
        self.started.set()
        if self.gate is not None:
            await self.gate.wait()
        if self.second is not None and len(self.calls) > 1:
            self.again.set()
            await self.second.wait()
        after = texts.with_change(change)
        new = tuple(d for path in change.paths for d in self._find(after, path) if d not in tuple(self._find(texts, path)))
        fixed = tuple(d for path in change.paths for d in self._find(texts, path) if d not in tuple(self._find(after, path)))
        verdict = self.verdict or (Verdict.NEW if new else Verdict.CLEAN)
        status = CheckStatus(verdict)
        more = tuple(texts.root / name for name in self.also)
        inputs = tuple(Input(p, digest_at(texts, p)) for p in (*change.paths, *more))
        return Evidence(
            change.digest, verdict, inputs, (CheckRun("wordcheck", "1", status, change.paths, 0.0),), new, fixed, ("tests: not run",)
        )

    async def opinion(self, texts: Snapshot, scan: Scan, target: Target) -> SecondOpinion:
        return SecondOpinion(scan, {}, ())

    def _find(self, texts: Snapshot, path: Path) -> tuple[Diagnostic, ...]:
        held = texts.read(path)
        assert isinstance(held, TextFile)
        index = LineIndex(held.data)
        found: list[Diagnostic] = []
        for word in self.bad:
            if (at := held.data.find(word.encode())) >= 0:
                place = Place.of(path, at, at + len(word), index)
                found.append(Diagnostic(place, "wordcheck", f"no-{word}", Severity.ERROR, f"{word} is not allowed", word))
        return tuple(found)


@dataclass
class Editor:
    """Applies to the buffers of a session, as an editor would; `answers` replaces an apply by a failure."""

    session: Session
    answers: list[Failure] = field(default_factory=list)
    applied: list[Change] = field(default_factory=list)
    reopens: bool = False

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        if self.answers:
            return self.answers.pop(0)
        self.applied.append(change)
        for edit in change.files:
            document = self.session.document_at(edit.path)
            assert document is not None
            assert isinstance(document.text, TextFile)
            self.session.change(document.uri, document.version + 1, apply_edits(document.text.data, edit.edits).decode())
        return Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))


@dataclass
class SlowEditor(Editor):
    """An editor in which a person looks at a preview until `gate` is set."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    started: asyncio.Event = field(default_factory=asyncio.Event)

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        self.started.set()
        await self.gate.wait()
        return await super().apply(change, texts, label, confirm=confirm)


class Quiet:
    """Progress, kept."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def report(self, message: str, percentage: int | None = None) -> None:
        self.said.append(message)


MOVED = Failure(Bucket.RUNTIME, FailureClass.TRANSIENT, "moved", "the buffer changed")


class Bench:
    """One root with one open buffer, a journal and the runs over it."""

    def __init__(self, folder: Path, text: str, engine: Words | None = None, checks: Wordcheck | None = None) -> None:
        self.path = folder / "root" / "words.txt"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(text)
        self.state_dir = folder / "state"
        self.engine = engine or Words(self.path)
        self.engine.path = self.path
        self.checks = checks or Wordcheck()
        self.session = Session((self.path.parent,))
        self.session.open(self.uri, self.path, "plaintext", 1, text)
        self.editor = Editor(self.session)
        self.states: list[RunState] = []
        self.progress = Quiet()
        self.runs = self.fresh_runs()

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def text(self) -> str:
        document = self.session.document(self.uri)
        assert document is not None
        assert isinstance(document.text, TextFile)
        return document.text.text

    def fresh_runs(self) -> Runs:
        """As after a new start of the process: the same journal, nothing in memory."""
        return Runs(Journal(self.path.parent, self.state_dir), self.snapshot, self.editor, self.states.append)

    def snapshot(self) -> Snapshot:
        return self.session.snapshot(self.path.parent)

    @property
    def tools(self) -> Tools:
        return Tools(Staff(self.engine), self.checks, Permissions(), self.snapshot, self.progress)

    def type(self, old: str, new: str) -> None:
        """A person types."""
        document = self.session.document(self.uri)
        assert document is not None
        assert old in self.text
        self.session.change(self.uri, document.version + 1, self.text.replace(old, new))
        self.runs.moved()

    async def drafted(self, limits: Limits | None = None) -> RunState:
        run = self.runs.begin(Task("words"), self.tools, limits or Limits())
        await self.runs.drafted(run.state.run)
        return run.state

    def state(self, run: str) -> RunState:
        held = self.runs.known(run)
        assert held is not None
        return held.state
