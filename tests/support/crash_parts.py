"""The parts of a child: scripted engine and checker, the real journal, and an editor at the other end of the wire.

Each tells the parent of the boundary that it has come to, and goes on when it is told to. No product code knows of this.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from surefoot.core.change import Change, TextEdit
from surefoot.core.findings import Diagnostic, Evidence, Findings, Severity, ToolFix
from surefoot.core.plan import Stage, Take
from surefoot.core.sites import Ledger
from surefoot.core.text import LineIndex, Place, TextFile
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.journal.journal import NOTHING, Aside, Journal, folder_of
from surefoot.journal.rows import Rows
from surefoot.journal.shape import state_hash
from surefoot.loop.deliver import look
from surefoot.run.events import Event, Phase
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass
from surefoot.run.state import RunState
from surefoot.run.view import View
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from tests.support.crash_samples import Sample
from tests.support.crash_wire import Wire
from tests.support.scripts import Wordcheck, words_step


def normal_hash(state: RunState) -> str:
    """Names what a run came to, whatever interruptions there were.

    Left out: the run's random name, and the two counters that an interruption may add to: a request that a person repeats is another
    action, and recording that text moved meanwhile is another event.
    """
    return state_hash(replace(state, run="", events=0, actions=0))


@dataclass
class Boundaries:
    """Where the child is. `states` are those of each run after its last commit and, before it, after the one before."""

    wire: Wire
    states: dict[str, tuple[RunState | None, RunState]] = field(default_factory=dict[str, tuple[RunState | None, RunState]])

    def reached(self, where: str, what: str = "") -> None:
        """Tell the parent, and wait until it lets this process go on, or kills it."""
        self.wire.say(at=where, what=what)
        self.answer()

    def answer(self) -> dict[str, Any]:
        """What the parent says. Before it kills this process it asks for what was committed, and says no more."""
        answer = self.wire.hear()
        if "tell" not in answer:
            return answer
        self.wire.say(states={run: [before and state_hash(before), state_hash(now)] for run, (before, now) in self.states.items()})
        return self.wire.hear()

    def committed(self, state: RunState) -> None:
        """A run is in this state for good."""
        _, before = self.states.get(state.run, (None, None))
        self.states[state.run] = (before, state)

    def called(self, verb: Phase) -> None:
        """Tell of a call of an engine or a checker, with the action that it is made for, "" for a look beside the runs."""
        pending = (now.work.action for _, now in self.states.values() if now.work is not None)
        self.wire.say(call=verb, action=next((action.id for action in pending if action.verb == verb), ""))


class ToldRows(Rows):
    """Rows that are in the transaction and not yet committed are a boundary, too.

    What a process has written outlives it without being flushed to the disk: only a machine that dies takes it away, and that is played
    by tearing the file.
    """

    def __init__(self, folder: Path, boundaries: Boundaries) -> None:
        super().__init__(folder)
        self.query("PRAGMA synchronous=OFF")
        self._boundaries = boundaries

    def append(self, run: str, expected: int, rows: Iterable[tuple[str, bytes]], at: float) -> None:
        super().append(run, expected, rows, at)
        self._boundaries.reached("in the transaction")


class ToldJournal(Journal):
    """A journal that tells of each commit before and after. `greedy` takes runs whoever has them."""

    def __init__(self, root: Path, state_dir: Path, boundaries: Boundaries, *, greedy: bool = False) -> None:
        self.folder = folder_of(root, state_dir)
        self._locks = {}
        self.rows = ToldRows(self.folder, boundaries)
        self._boundaries = boundaries
        self._greedy = greedy

    def commit(self, state: RunState | None, *events: Event | bytes, at: float, aside: Aside = NOTHING) -> RunState:
        kinds = "+".join("bytes" if isinstance(e, bytes) else e.kind for e in events)
        self._boundaries.reached("before append", kinds)
        after = super().commit(state, *events, at=at, aside=aside)
        self._boundaries.committed(after)
        self._boundaries.reached("after append", kinds)
        return after

    def load(self, run: str) -> RunState:
        state = super().load(run)
        self._boundaries.states.setdefault(run, (None, state))
        return state

    def own(self, run: str) -> bool:
        return super().own(run) or self._greedy


@dataclass
class Drafter:
    """Replaces `wordN` by `doneN` in every document that has it; steps of `worse` get `worseN` until there is a constraint."""

    sample: Sample
    paths: tuple[Path, ...]
    boundaries: Boundaries
    name: str = "words"
    repeats: bool = True

    async def plan(self, view: View) -> Plan | Refusal:
        self.boundaries.called(Phase.PLAN)
        answer = self._plan(view)
        self.boundaries.reached("after effect", "plan")
        return answer

    async def edit(self, view: View) -> Draft | Refusal:
        self.boundaries.called(Phase.EDIT)
        answer = self._edit(view)
        self.boundaries.reached("after effect", "edit")
        return answer

    def _plan(self, view: View) -> Plan | Refusal:
        if self.sample.refuses:
            return Refusal(self.sample.refuses)
        takes = tuple(Take(path) for path in self.paths)
        steps = (words_step(n, self.paths[0], Stage.MIGRATE) for n in range(len(view.done) + 1, self.sample.steps + 1))
        return Plan(tuple(replace(step, takes=takes) for step in steps), Ledger(()), f"{self.sample.steps} words")

    def _edit(self, view: View) -> Draft | Refusal:
        assert view.step is not None
        assert isinstance(view.texts, Snapshot)
        number = int(view.step.title.split()[1])
        bad = number in self.sample.hopeless or (number in self.sample.worse and not view.constraints)
        word = f"word{number}".encode()
        found = {p: held.data.find(word) for p in self.paths if isinstance(held := view.texts.read(p), TextFile)}
        edits = {p: TextEdit(at, at + len(word), f"{'worse' if bad else 'done'}{number}") for p, at in found.items() if at >= 0}
        if not edits:
            return Refusal(f"there is no word{number}")
        return Draft(Change(tuple(view.texts.edit(p, (edit,)) for p, edit in edits.items())), (), (), Ledger(()))


@dataclass
class ToldCheck(Wordcheck):
    """The checker of a desk. With `held`, the second check waits until somebody lets it go."""

    boundaries: Boundaries = field(kw_only=True)

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        self.boundaries.called(Phase.VALIDATE)
        evidence = await super().validate(change, texts, also, renames, on_check)
        self.boundaries.reached("after effect", "validate")
        return evidence

    async def diagnose(self, texts: Snapshot, paths: Sequence[Path]) -> Findings:
        return Findings((), ())

    async def close(self) -> None:
        pass


@dataclass
class FarEditor:
    """The buffers are with the parent: an edit is asked for, and the texts that come back are what counts."""

    session: Session
    boundaries: Boundaries
    afterwards: Callable[[], None] = lambda: None

    @property
    def reopens(self) -> bool:
        return False

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        files = [(f.path.name, f.before, [(e.start, e.end, e.text) for e in f.edits]) for f in change.files]
        self.boundaries.wire.say(edit=files)
        self.take(self.boundaries.answer()["texts"])
        self.afterwards()
        seen = look(change, self.session.snapshot(texts.root))
        if isinstance(seen, Failure) and not seen.changed:
            return Failure(Bucket.RUNTIME, FailureClass.TRANSIENT, "moved", "a document has changed")
        return seen

    def take(self, texts: dict[str, str]) -> None:
        """What `didChange` brings. A text that is the same is not told of."""
        for document in self.session.documents:
            assert document.path is not None
            if document.raw != (text := texts[document.path.name]):
                self.session.change(document.uri, document.version + 1, text)


async def fixes(texts: Snapshot, path: Path, start: int, end: int, told: Sequence[Diagnostic]) -> Sequence[ToolFix]:
    """The one fix that a menu offers: the first word of the document done."""
    held = texts.read(path)
    assert isinstance(held, TextFile)
    found = Diagnostic(Place.of(path, 0, 5, LineIndex(held.data)), "other", "no-word", Severity.ERROR, "no words", "word")
    return (ToolFix("Fix it", Change((texts.edit(path, (TextEdit(0, 5, "fixed"),)),)), "other", found),)
