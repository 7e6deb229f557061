"""One step by a model: exact replacements on planned files, and how every site stands after them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.change import Change
from surefoot.core.plan import PlannedStep
from surefoot.core.sites import REQUIRED_TIERS, Ledger, Scan, SiteStatus, Target, Tier
from surefoot.core.text import TextFile, relative
from surefoot.engines.claude.asking import blocks_of, constraint, excerpts, looks, quoted, reads_of, turn
from surefoot.engines.claude.excerpting import piece_of
from surefoot.engines.claude.listing import listing_of
from surefoot.engines.claude.replacing import change_of
from surefoot.engines.claude.subjects import targets_of
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.protocol import Draft, Failed, Look, Refusal
from surefoot.llm.answers import EditAnswer, schema_of
from surefoot.llm.ask import Ask, Hear, Model
from surefoot.prompts import system
from surefoot.prompts.render import Data, EditTask, rendered, version
from surefoot.run.outcomes import Failure, Role
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot

if TYPE_CHECKING:
    from surefoot.syntax.declared import Declared

TEMPLATES = ("edit.system", "edit.task", "shown", "must")
WHOLE_FILE = 6_000
"""Characters of a file that is always shown whole; of a longer one its head, its definitions, and those of them that hold a site."""

WHOLE_UNKNOWN = 16_000
"""Characters of a file that is shown whole where nothing says which part of it matters."""

HEAD_LINES = 60
"""Lines before the first definition that are shown of a file that is not shown whole: its imports."""


async def edited(view: View, model: Model, surveyor: Surveyor, hear: Hear) -> Draft | Refusal | Look | Failed:
    """One turn of editing: a change that stays within the step, a wish to see more, or why the answer cannot be taken."""
    step = view.step
    if step is None:
        return Refusal("there is no step to edit")
    files = tuple(take.path for take in step.takes)
    targets = await targets_of(step.touches, surveyor, view.texts)
    scans = tuple([await surveyor.find(view.texts, target) for target in targets])
    declared = {path: tuple(await surveyor.declared(held)) for path in files if isinstance(held := view.texts.read(path), TextFile)}
    if not declared:
        return Failed(constraint("gone", "the files of this step are no longer there"))
    task = rendered("edit.task", _page(view, step, files, scans))
    data = (*_shown(view, declared, scans), *excerpts(view))
    blocks = blocks_of(view, task, data)
    schema, prompt = schema_of(EditAnswer), version(TEMPLATES)
    ask = Ask(Role.EDITOR, blocks, system=system.edit(), stable=1, tools=looks(view), schema=schema, prompt=prompt)
    answer, exchanges = await turn(model, ask, hear, EditAnswer)
    if isinstance(answer, Failed):
        return answer
    if not isinstance(answer, EditAnswer):
        return Look(reads_of(answer, view.texts), exchanges)
    if not answer.edits:
        return Failed(constraint("cannot", "this step cannot be made as it is planned: plan it otherwise"), exchanges)
    change = change_of(answer.edits, view.texts, declared)
    if isinstance(change, Failure):
        return Failed(change, exchanges, exchanges[-1].response if exchanges else b"")
    ledger = await ledger_after(view, change, targets, surveyor)
    return Draft(change, _impacted(ledger, change), (), ledger, exchanges)


async def ledger_after(view: View, change: Change, targets: Sequence[Target], surveyor: Surveyor) -> Ledger:
    """Every site of what the step touches, as its change leaves it."""
    from surefoot.syntax.standing import Edited, joined

    texts = view.texts
    assert isinstance(texts, Snapshot), "a view is of a snapshot"
    after = texts.with_change(change)
    told = Edited(change, view.waived)
    return joined([await surveyor.standing(texts, after, target, told) for target in targets])


def _page(view: View, step: PlannedStep, files: Sequence[Path], scans: Sequence[Scan]) -> EditTask:
    root = view.texts.root
    names = tuple(relative(root, path) for path in files)
    listing = listing_of(scans, root, frozenset(files))
    return EditTask(view.task.text, quoted(view), step.title, step.intent, step.preserving, names, listing.data, view.limits.diff_soft)


def _shown(view: View, declared: "dict[Path, tuple[Declared, ...]]", scans: Sequence[Scan]) -> tuple[Data, ...]:
    """The files of the step: whole where they are short, else what they define and the definitions that hold a site."""
    shown: list[Data] = []
    for path, there in declared.items():
        held = view.texts.read(path)
        assert isinstance(held, TextFile), "what was parsed is text"
        name, holding = relative(view.texts.root, path), _holding(there, path, scans)
        if len(held.text) <= (WHOLE_FILE if holding else WHOLE_UNKNOWN):
            shown.append(Data(f"{name}, whole", held.text))
            continue
        head = held.text.splitlines(keepends=True)[: min((d.first - 1 for d in there), default=0)][:HEAD_LINES]
        shown += [Data(f"{name} lines 1 to {len(head)}", piece_of(held, "".join(head)))] if head else []
        shown.append(Data(f"{name}, what it defines", "\n".join(f"{d.name} ({d.kind}) lines {d.first} to {d.last}" for d in there)))
        shown += [Data(f"{name} lines {d.first} to {d.last}", piece_of(held, held.data[d.start : d.end].decode("utf-8"))) for d in holding]
    return tuple(shown)


def _holding(declared: "Sequence[Declared]", path: Path, scans: Sequence[Scan]) -> "list[Declared]":
    """The smallest definitions around the sites in a file."""
    from surefoot.syntax.declared import innermost

    sites = [s.place for scan in scans for s in scan.sites if s.place.path == path and s.tier in REQUIRED_TIERS | {Tier.LIKELY}]
    found = [innermost(declared, place.start, place.end) for place in sites]
    return list(dict.fromkeys(d for d in found if d is not None))


def _impacted(ledger: Ledger, change: Change) -> tuple[Path, ...]:
    """Files that are not edited and hold a use of what the step touches: they are checked as well."""
    uses = (e.site for e in ledger.entries if e.site.tier in REQUIRED_TIERS | {Tier.LIKELY} and e.status is not SiteStatus.UPDATED)
    return tuple(sorted({site.place.path for site in uses} - set(change.paths)))
