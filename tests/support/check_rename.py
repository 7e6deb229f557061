"""One check for all rename cases: plan, draft every step on stacked overlays, compare with the text that was wanted.

Sections: `@task` (the words), `@limit` (soft limit in changed lines), `@steps` (stage and title, a line each), `@summary`, `@after/PATH`,
`@refused` (all lines must be in the reason), `@candidates` (`path:line:column`, a line each). A file without `@after` stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from surefoot.core.change import apply_edits, size_of
from surefoot.core.plan import PlannedStep, Stage, Task
from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.syntax.gate import parse_faults
from surefoot.syntax.index import Index
from surefoot.syntax.parse import Grammars
from surefoot.syntax.sites import find_sites
from surefoot.syntax.words import Asked, Page, page_of, starts_of
from surefoot.workspace.snapshot import Snapshot
from tests.support.fixture import Fixture, parse

BOM = "\ufeff"


class DirectFinder:
    """Finds sites in this process; the server asks a worker for the same."""

    def __init__(self, grammars: Grammars | None = None) -> None:
        self._index = Index(grammars)

    async def find(self, texts: Texts, target: Target) -> Scan:
        return find_sites(texts, target, self._index)

    async def pages(self, asked: Sequence[Asked], old: str, new: str) -> list[Page]:
        return [page_of(self._index, each, old, new) for each in asked]

    async def starts(self, file: TextFile, container: str, name: str) -> tuple[int, ...]:
        return starts_of(self._index, file, container, name)


@dataclass(frozen=True)
class Outcome:
    """What came of one rename: the plan or refusal, each draft, and the texts after the last step."""

    plan: Plan | Refusal
    drafts: tuple[Draft, ...]
    texts: Snapshot


async def rename(root: Path, task: Task, limits: Limits | None = None) -> Outcome:
    """Plan a task in `root` and draft all its steps, each on what the step before it leaves. Checks what every step promises."""
    engine = RenameEngine(DirectFinder())
    texts = Snapshot(root)
    view = View(task, None, (), texts, (), "", limits or Limits())
    plan = await engine.plan(view)
    if isinstance(plan, Refusal):
        return Outcome(plan, (), texts)
    drafts: list[Draft] = []
    for number, step in enumerate(plan.steps):
        draft = await engine.edit(replace(view, step=step, done=plan.steps[:number], texts=texts))
        assert isinstance(draft, Draft), f"step {number + 1}, {step.title!r}, was refused: {draft.reason}"
        _holds(step, draft, texts, view.limits)
        texts = texts.with_change(draft.change)
        drafts.append(draft)
    return Outcome(plan, tuple(drafts), texts)


async def check_rename(case: str, root: Path, newline: str = "\n", bom: bool = False) -> None:
    """Run one case as it is written, or with other line ends or a byte order mark in all of its files."""
    fixture = parse(case)
    _write(fixture, root, newline, bom)
    outcome = await rename(root, _task(fixture, newline, bom), _limits(fixture))
    if "refused" in fixture.sections:
        assert isinstance(outcome.plan, Refusal), f"planned {[s.title for s in outcome.plan.steps]}, a refusal was wanted"
        for wanted in fixture.sections["refused"].strip().splitlines():
            assert wanted in outcome.plan.reason, outcome.plan.reason
        candidates = [f"{c.place.path.relative_to(root).as_posix()}:{c.place.line}:{c.place.column}" for c in outcome.plan.candidates]
        assert candidates == fixture.sections.get("candidates", "").split()
        return
    assert isinstance(outcome.plan, Plan), f"refused: {outcome.plan.reason}"
    _same(fixture, outcome, root, newline, bom)
    if "steps" in fixture.sections:
        steps = [f"{s.stage} {s.title}" for s in outcome.plan.steps]
        assert steps == fixture.sections["steps"].strip().splitlines(), steps
    if "summary" in fixture.sections:
        assert outcome.plan.summary == fixture.sections["summary"].strip()


def _holds(step: PlannedStep, draft: Draft, texts: Snapshot, limits: Limits) -> None:
    assert draft.change.files, f"{step.title!r} changes nothing"
    assert not draft.ledger.pending, f"{step.title!r} leaves {[(e.site.place, e.proof) for e in draft.ledger.pending]}"
    changed = 0
    for edit in draft.change.files:
        file = texts.read(edit.path)
        assert isinstance(file, TextFile)
        after = apply_edits(file.data, edit.edits)
        changed += size_of(file.data, edit.edits).changed
        assert not parse_faults(edit.path, after), f"{step.title!r} leaves {edit.path.name} broken:\n{after.decode()}"
    assert step.stage is Stage.WIDE or changed <= limits.diff_soft, f"{step.title!r} changes {changed} lines"


def _same(fixture: Fixture, outcome: Outcome, root: Path, newline: str, bom: bool) -> None:
    for name, text in fixture.files.items():
        file = outcome.texts.read(root / name)
        assert isinstance(file, TextFile)
        wanted = fixture.sections.get(f"after/{name}", text)
        assert file.data.decode() == _spelled(wanted, newline, bom), name
    assert {n.removeprefix("after/") for n in fixture.sections if n.startswith("after/")} <= fixture.files.keys()


def _task(fixture: Fixture, newline: str, bom: bool) -> Task:
    text = fixture.sections["task"].strip()
    if not fixture.cursors:
        return Task(text)
    cursor = fixture.cursor
    shift = (cursor.line - 1) * (len(newline) - 1) + (len(BOM.encode()) if bom else 0)
    return Task(text, Target(path=cursor.path, offset=cursor.offset + shift))


def _limits(fixture: Fixture) -> Limits:
    return Limits(diff_soft=int(fixture.sections.get("limit", "50")))


def _write(fixture: Fixture, root: Path, newline: str, bom: bool) -> None:
    for name, text in fixture.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_spelled(text, newline, bom).encode())


def _spelled(text: str, newline: str, bom: bool) -> str:
    return (BOM if bom else "") + text.replace("\n", newline)
