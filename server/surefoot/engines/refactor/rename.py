"""Rename everywhere: sites first, then one step, or ordered steps that each hold, or a refusal that says what to do."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.plan import PlannedStep, Stage, Take
from surefoot.core.sites import Entry, Site, SiteStatus, Target, Tier
from surefoot.core.text import Texts
from surefoot.engines.protocol import Draft, Plan, Refusal, SiteFinder
from surefoot.engines.refactor import duties, stages
from surefoot.engines.refactor.importorder import in_order, only_order
from surefoot.engines.refactor.reader import Reader
from surefoot.engines.refactor.settled import others, settled
from surefoot.engines.refactor.sheet import MEMBERS, Sheet, change_of, sheets
from surefoot.engines.refactor.split import contraction, migrations, split
from surefoot.engines.refactor.subject import Found, between_names, find_again, find_subject, shown
from surefoot.run.view import View
from surefoot.syntax.ledger import entries_for, is_waived

_PARTS = frozenset({Stage.FORWARD, Stage.MIGRATE, Stage.CONTRACT})
_IMPACTING = frozenset({Tier.EXACT, Tier.FAMILY, Tier.STRING, Tier.LIKELY})


class RenameEngine:
    """Renames one symbol and everything that follows from it. Keeps nothing between calls."""

    name = "refactor/rename"
    repeats = True

    def __init__(self, finder: SiteFinder) -> None:
        self._reader = Reader(finder)

    async def plan(self, view: View) -> Plan | Refusal:
        """Ordered steps for the task, or for what the finished steps have left of it."""
        against = others(view.constraints)
        if against and not only_order(against):
            return _unable(view)
        done = view.done[-1].subject if view.done else None
        if done is not None and view.done[-1].stage in _PARTS:
            return await self._rest(view)
        found = await find_subject(self._reader, view.texts, view.task)
        if isinstance(found, Refusal):
            return found
        found = settled(found, view.constraints, view.waived)
        if isinstance(found, Refusal):
            return found
        held = await self._allowed(view.texts, found)
        if isinstance(held, Refusal):
            return held
        return await asyncio.to_thread(_plan, view, found, held)

    async def edit(self, view: View) -> Draft | Refusal:
        """The change of one step, from sites found on the texts as they stand now."""
        step = view.step
        if step is None or step.subject is None:
            return Refusal("there is no step to draft: plan the task first")
        if step.stage in _PARTS and (view.done and view.done[-1].stage in _PARTS):
            return await self._part(view, step)
        found = await find_again(self._reader, view.texts, step.subject, view.task)
        if isinstance(found, Refusal):
            return found
        found = settled(found, view.constraints, view.waived)
        if isinstance(found, Refusal):
            return found
        held = await self._allowed(view.texts, found)
        if isinstance(held, Refusal):
            return held
        make = stages.whole(found, held) if step.stage in {Stage.WHOLE, Stage.WIDE} else stages.forward(found, held, step)
        change = await _change(view, make)
        return await asyncio.to_thread(_draft, found, change, step.stage)

    async def _allowed(self, texts: Texts, found: Found) -> list[Sheet] | Refusal:
        """The files to edit, or why the rename is not to be."""
        refusal = duties.name_refusal(found) or duties.filled_refusal(texts, found) or duties.strings_refusal(texts, found)
        if refusal is not None:
            return refusal
        named_new = await self._reader.find(texts, Target(name=found.new)) if found.symbol.kind in MEMBERS else None

        held = await sheets(self._reader, texts, duties.due(found), found.old, found.new)

        def look() -> Refusal | None:
            return duties.unread_refusal(texts, found, held) or duties.clash_refusal(texts, found, held, named_new)

        return await asyncio.to_thread(look) or held

    async def _part(self, view: View, step: PlannedStep) -> Draft | Refusal:
        """A later step of a split rename, on texts where both names stand."""
        between = await self._between(view)
        if isinstance(between, Refusal):
            return between
        found, sites = between
        paths = [take.path for take in step.takes]
        held = await sheets(self._reader, view.texts, sites, found.old, found.new, paths)
        if step.stage is Stage.MIGRATE:
            make = stages.migrate(found, held, step, _offering(view.done))
        else:
            left = duties.left_refusal(view.texts, found, held)
            if left is not None:
                return left
            make = stages.contract(found, held)
        change = await _change(view, make)
        return await asyncio.to_thread(_draft, found, change, step.stage)

    async def _between(self, view: View) -> tuple[Found, list[Site]] | Refusal:
        """Half of a split rename: the definition, and the uses of the old name but for those that a person lets be."""
        between = await between_names(self._reader, view.texts, view.done[-1].subject, view.task)
        if isinstance(between, Refusal):
            return between
        found, sites = between
        return replace(found, waivers=view.waived), [site for site in sites if not is_waived(site, view.waived)]

    async def _rest(self, view: View) -> Plan | Refusal:
        """What is left of a split rename after its finished steps."""
        between = await self._between(view)
        if isinstance(between, Refusal):
            return between
        found, sites = between
        offering = sorted(_offering(view.done))
        held = await sheets(self._reader, view.texts, sites, found.old, found.new)
        uses = await asyncio.to_thread(migrations, view.texts, found, held, view.limits.diff_soft, offering)
        if uses is None:
            return Refusal(f"the uses of `{found.old}` that are left cannot be divided: revert the run and give the task again")
        ledger = entries_for(found.scan, Change(()), duties.waived(found), found.waivers)
        return Plan((*uses, contraction(found, offering)), ledger, _summary(held))


def _plan(view: View, found: Found, held: Sequence[Sheet]) -> Plan:
    return Plan(_steps(view, found, held), entries_for(found.scan, Change(()), duties.waived(found), found.waivers), _summary(held))


def _steps(view: View, found: Found, held: Sequence[Sheet]) -> tuple[PlannedStep, ...]:
    takes = tuple(Take(sheet.path) for sheet in held)
    title = f"Rename {found.old} to {found.new}"
    intent = f"Rename {found.symbol.kind.value} {found.old} to {found.new}: {_summary(held)}."
    whole = PlannedStep(title, intent, Stage.WHOLE, takes, found.subject)
    if sum(sheet.lines(sheet.sites) for sheet in held) <= view.limits.diff_soft:
        return (whole,)
    # A site that keeps the old name outlives no step that takes the old name away.
    parts = split(view.texts, found, held, view.limits.diff_soft) if not found.waivers else ()
    return parts or (replace(whole, stage=Stage.WIDE),)


async def _change(view: View, edits: stages.Edits) -> Change:
    """The edits as one change; imports are put in order where a linter has asked for it."""
    change = await asyncio.to_thread(change_of, view.texts, edits)
    return await in_order(view.texts, change) if only_order(others(view.constraints)) else change


def _summary(held: Sequence[Sheet]) -> str:
    sites, files = sum(len(sheet.sites) for sheet in held), len(held)
    return f"{sites} site{'' if sites == 1 else 's'} in {files} file{'' if files == 1 else 's'}"


def _offering(done: Sequence[PlannedStep]) -> frozenset[Path]:
    """The files in which both names are offered until the last step, the definition's own among them."""
    return frozenset(take.path for step in done if step.stage is Stage.FORWARD for take in step.takes)


def _draft(found: Found, change: Change, stage: Stage) -> Draft:
    ledger = entries_for(found.scan, change, duties.waived(found), found.waivers)
    if stage in {Stage.FORWARD, Stage.MIGRATE}:
        ledger = replace(ledger, entries=tuple(_bridged(entry, found) for entry in ledger.entries))
    impacted = sorted({site.place.path for site in found.scan.sites if site.tier in _IMPACTING})
    return Draft(change, tuple(impacted), ((found.old, found.new),), ledger)


def _bridged(entry: Entry, found: Found) -> Entry:
    """A site whose turn comes later holds meanwhile: both names are offered."""
    if entry.status is not SiteStatus.PENDING:
        return entry
    return replace(entry, status=SiteStatus.FITS, proof=f"{found.old} is still offered as another name of {found.new}")


def _unable(view: View) -> Refusal:
    first = next(c for c in others(view.constraints) if not only_order((c,)))
    place = f" ({shown(view.texts, first.path)}:{first.line})" if first.path is not None else ""
    return Refusal(f"the rename would not hold, and a rename has no other way to be made: {first.text}{place}")
