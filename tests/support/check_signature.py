"""One check for all cases of changed signatures: plan, draft every step on stacked overlays, compare with the text that was wanted.

Sections as in `check_rename`: `@task`, `@limit`, `@steps`, `@summary`, `@after/PATH`, `@refused`; and `@waived` (`path:line:column`, a line
each) and `@listed` (words that the intent of the first step says of what no edit touches).
"""

from dataclasses import replace
from pathlib import Path

from surefoot.core.change import apply_edits, size_of
from surefoot.core.plan import PlannedStep, Stage, Task
from surefoot.core.sites import Target, Waiver
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.engines.refactor.signature import SignatureEngine
from surefoot.run.limits import Limits
from surefoot.run.view import View
from surefoot.syntax.gate import parse_faults
from surefoot.syntax.index import Index
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.written import Shaped
from surefoot.syntax.written_calls import shaped
from surefoot.workspace.snapshot import Snapshot
from tests.support.check_rename import BOM, DirectFinder
from tests.support.fixture import Fixture, parse


class DirectShaper(DirectFinder):
    """Tells how definitions and calls are written, in this process; the server asks a worker for the same."""

    async def shaped(self, texts: Texts, target: Target, fresh: str) -> Shaped:
        ground = Ground(texts.root)
        ground.refresh()
        return shaped(texts, target, fresh, Index(), ground)


async def check_signature(case: str, root: Path, newline: str = "\n", bom: bool = False) -> None:
    """Run one case as it is written, or with other line ends or a byte order mark in all of its files."""
    fixture = parse(case)
    for name, text in fixture.files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(_spelled(text, newline, bom).encode())
    engine, texts = SignatureEngine(DirectShaper()), Snapshot(root)
    limits = Limits(diff_soft=int(fixture.sections.get("limit", "50")))
    view = View(Task(fixture.sections["task"].strip()), None, (), texts, (), "", limits, waived=_waived(fixture, root))
    plan = await engine.plan(view)
    if "refused" in fixture.sections:
        assert isinstance(plan, Refusal), f"planned {[s.title for s in plan.steps]}, a refusal was wanted"
        for wanted in fixture.sections["refused"].strip().splitlines():
            assert wanted in plan.reason, plan.reason
        return
    assert isinstance(plan, Plan), f"refused: {plan.reason}"
    for number, step in enumerate(plan.steps):
        draft = await engine.edit(replace(view, step=step, done=plan.steps[:number], texts=texts))
        assert isinstance(draft, Draft), f"step {number + 1}, {step.title!r}, was refused: {draft.reason}"
        _holds(step, draft, texts, limits)
        texts = texts.with_change(draft.change)
    _same(fixture, texts, root, newline, bom)
    if "steps" in fixture.sections:
        steps = [f"{s.stage} {s.title}" for s in plan.steps]
        assert steps == fixture.sections["steps"].strip().splitlines(), steps
    if "summary" in fixture.sections:
        assert plan.summary == fixture.sections["summary"].strip()
    if "listed" in fixture.sections:
        assert fixture.sections["listed"].strip() in plan.steps[0].intent, plan.steps[0].intent


def _waived(fixture: Fixture, root: Path) -> tuple[Waiver, ...]:
    places = (line.rsplit(":", 2) for line in fixture.sections.get("waived", "").split())
    return tuple(Waiver(root / path, int(line), int(column), "looked at") for path, line, column in places)


def _holds(step: PlannedStep, draft: Draft, texts: Snapshot, limits: Limits) -> None:
    assert draft.change.files, f"{step.title!r} changes nothing"
    assert not draft.ledger.pending, f"{step.title!r} leaves {[(e.site.place, e.proof) for e in draft.ledger.pending]}"
    assert {f.path for f in draft.change.files} <= {take.path for take in step.takes}, f"{step.title!r} edits what it does not take"
    changed = 0
    for edit in draft.change.files:
        file = texts.read(edit.path)
        assert isinstance(file, TextFile)
        after = apply_edits(file.data, edit.edits)
        changed += size_of(file.data, edit.edits).changed
        assert not parse_faults(edit.path, after), f"{step.title!r} leaves {edit.path.name} broken:\n{after.decode()}"
    assert step.stage is Stage.WIDE or changed <= limits.diff_soft, f"{step.title!r} changes {changed} lines"


def _same(fixture: Fixture, texts: Snapshot, root: Path, newline: str, bom: bool) -> None:
    for name, text in fixture.files.items():
        file = texts.read(root / name)
        assert isinstance(file, TextFile)
        wanted = fixture.sections.get(f"after/{name}", text)
        assert file.data.decode() == _spelled(wanted, newline, bom), f"{name}:\n{file.data.decode()}"
    assert {n.removeprefix("after/") for n in fixture.sections if n.startswith("after/")} <= fixture.files.keys()


def _spelled(text: str, newline: str, bom: bool) -> str:
    return (BOM if bom else "") + text.replace("\n", newline)
