"""Runs that a scripted model drafts: the real loop, engine, prompts, transport and journal, over HTTP on 127.0.0.1.

Only the checker may be scripted. After every run, what failed in it is looked for in each later request: `assert_clean`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from surefoot.core.change import Change
from surefoot.core.findings import CheckRun, CheckStatus, Diagnostic, Evidence, Input, Severity, Verdict
from surefoot.core.plan import Task
from surefoot.core.sites import Ledger, Scan, Target
from surefoot.core.text import LineIndex, Place, TextFile, Texts
from surefoot.journal.journal import Journal
from surefoot.llm.config import Endpoint, ModelConfig, Models
from surefoot.loop.modelled import Connections
from surefoot.loop.ports import Tools, Validator
from surefoot.loop.replay import replay
from surefoot.loop.runs import Runs
from surefoot.loop.texts import digest_at
from surefoot.policy.permits import Permissions
from surefoot.run.events import Resulted
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Validated
from surefoot.run.state import RunState
from surefoot.syntax.declared import Declared, declared_in
from surefoot.syntax.index import Index
from surefoot.syntax.sites import find_sites
from surefoot.syntax.standing import Edited, standing
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.words import starts_of
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from tests.support.messages_api import MessagesApi, Step
from tests.support.scripts import Editor, Quiet

SHINGLE = 40
"""Characters in a row that no later request may share with what failed."""


class DirectSurveyor:
    """Finds in this process what the server asks a worker for."""

    def __init__(self) -> None:
        self._index = Index()

    async def find(self, texts: Texts, target: Target) -> Scan:
        return find_sites(texts, target, self._index)

    async def starts(self, file: TextFile, container: str, name: str) -> Sequence[int]:
        return starts_of(self._index, file, container, name)

    async def declared(self, file: TextFile) -> Sequence[Declared]:
        return declared_in(self._index, file)

    async def standing(self, before: Texts, after: Texts, target: Target, edited: Edited) -> Ledger:
        ground = Ground(before.root)
        ground.refresh()
        return standing(before, after, target, edited, self._index, ground)


@dataclass(frozen=True)
class Found:
    """A finding of the scripted checker: the first occurrence of `at` in a file is wrong."""

    path: str
    at: str
    code: str
    message: str
    tool: str = "scripted"


Rule = Callable[[Mapping[str, str]], Sequence[Found]]


@dataclass
class Textcheck:
    """A checker whose findings are a function of the texts; the baseline is subtracted by code, file and message."""

    rule: Rule = lambda texts: ()
    calls: list[Change] = field(default_factory=list)

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        self.calls.append(change)
        scope = tuple(dict.fromkeys((*change.paths, *also)))
        after = texts.with_change(change)
        old, new = self._found(texts), self._found(after)
        fresh = tuple(d for d in new if d.fingerprint not in {o.fingerprint for o in old})
        fixed = tuple(d for d in old if d.fingerprint not in {n.fingerprint for n in new})
        verdict = Verdict.NEW if fresh else Verdict.CLEAN
        inputs = tuple(Input(path, digest_at(texts, path)) for path in scope)
        run = CheckRun("scripted", "1", CheckStatus(verdict), scope, 0.0)
        return Evidence(change.digest, verdict, inputs, (run,), fresh, fixed)

    def _found(self, texts: Snapshot) -> tuple[Diagnostic, ...]:
        files = {p.relative_to(texts.root).as_posix(): h for p in texts.files() if isinstance(h := texts.read(p), TextFile)}
        return tuple(self._placed(files, found) for found in self.rule({name: held.text for name, held in files.items()}))

    def _placed(self, files: Mapping[str, TextFile], found: Found) -> Diagnostic:
        held = files[found.path]
        start = max(held.data.find(found.at.encode()), 0)
        place = Place.of(held.path, start, start + len(found.at.encode()), LineIndex(held.data))
        return Diagnostic(place, found.tool, found.code, Severity.ERROR, found.message, found.at)


class ModelBench:
    """One root, one scripted model, one journal."""

    def __init__(self, folder: Path, files: Mapping[str, str], *steps: Step, checks: Validator | Textcheck | None = None) -> None:
        self.root = folder / "root"
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        self.api = MessagesApi(*steps)
        self.checks = checks or Textcheck()
        self.session = Session((self.root,))
        self.progress = Quiet()
        self.surveyor = DirectSurveyor()
        self.state_dir = folder / "state"
        self.journal = Journal(self.root, self.state_dir)
        self.editor = Editor(self.session)
        self.runs = Runs(self.journal, self.snapshot, self.editor, lambda state: None)
        self.models = Models()

    def __enter__(self) -> Self:
        self.api.__enter__()
        config = ModelConfig(Endpoint(self.api.url, "a-key", base_seconds=0.001, seconds=5.0), self.models)
        self.connections = Connections(lambda root: config, self.surveyor)
        return self

    def __exit__(self, *_: object) -> None:
        self.api.__exit__()

    async def run(
        self, words: str, limits: Limits | None = None, *, stronger: bool = False, quoted: str = "", at: Target | None = None
    ) -> RunState:
        """Draft a task as far as it goes; what failed reaches no later request, and the record comes out the same when it is replayed."""
        task = Task(words, at, stronger=stronger, quoted=quoted)
        run = self.runs.begin(task, self.tools(task), limits or Limits())
        await self.runs.drafted(run.state.run)
        self.assert_clean(run.state.run)
        replayed = await replay(self.journal.read(run.state.run).entries, self.journal.blob)
        assert replayed.first is None, replayed.first
        return run.state

    def tools(self, task: Task) -> Tools:
        staff = self.connections.staff(self.root, task, self.progress)
        return Tools(staff, self.checks, Permissions(), self.snapshot, self.progress)

    async def close(self) -> None:
        await self.connections.close()
        await self.runs.close()

    def snapshot(self) -> Snapshot:
        return self.session.snapshot(self.root)

    def state(self, run: str) -> RunState:
        held = self.runs.known(run)
        assert held is not None
        return held.state

    def after(self, state: RunState) -> dict[str, str]:
        """The texts that all ready steps leave."""
        texts = self.snapshot()
        for step in state.steps:
            if step.offered and step.draft is not None:
                texts = texts.with_change(step.draft.change)
        return {p.relative_to(self.root).as_posix(): h.text for p in texts.files() if isinstance(h := texts.read(p), TextFile)}

    def traces(self, run: str, kind: str) -> list[str]:
        """What was noted beside a run of one kind."""
        return [trace.words for trace in self.journal.traces(run) if trace.kind == kind]

    def assert_clean(self, run: str) -> None:
        """No forty characters of a failed edit or of a raw error are in a request to plan or to edit that came after it.

        A judge sees the very change that it judges, a distiller the attempt that failed: these are no later windows of the work.
        """
        kept = "\n".join((*self._live().values(), *self.after(self.state(run)).values()))
        for number, (request, answer) in enumerate(zip(self.api.requests, self.api.answers, strict=True)):
            if request.wants not in ("plan", "edit"):
                continue  # An objection and a note are there to be carried on.
            failed = [line for line in _new_lines(answer) if line not in kept]
            self._assert_absent(failed, number + 1)
        for entry in self.journal.read(run).entries:
            if isinstance(entry.event, Resulted) and isinstance(entry.event.outcome, Validated):
                self._assert_absent([found.message for found in entry.event.outcome.evidence.new], 0)

    def _assert_absent(self, pieces: Sequence[str], first: int) -> None:
        for later in self.api.requests[first:]:
            if later.wants not in ("plan", "edit"):
                continue
            for piece in pieces:
                for at in range(len(piece) - SHINGLE + 1):
                    assert piece[at : at + SHINGLE] not in later.user, f"a {later.wants} request holds {piece[at : at + SHINGLE]!r}"

    def _live(self) -> dict[str, str]:
        texts = self.snapshot()
        return {p.relative_to(self.root).as_posix(): h.text for p in texts.files() if isinstance(h := texts.read(p), TextFile)}


def _new_lines(answer: str) -> Iterator[str]:
    """What an answer wanted to write, line by line; of an answer that does not parse, all of it."""
    try:
        held = json.loads(answer)
    except ValueError:
        yield answer
        return
    for made in held.get("edits", ()) if isinstance(held, dict) else ():
        yield from made["new"].splitlines()
