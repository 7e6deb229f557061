"""A plan by a model: every site first, then ordered steps, each held to what is known of the code."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.core.plan import PlannedStep, Stage, Subject, Take
from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, relative
from surefoot.engines.claude.asking import MOST_LINES, blocks_of, constraint, excerpts, looks, path_in, quoted, reads_of, turn
from surefoot.engines.claude.excerpting import lines_of
from surefoot.engines.claude.listing import Listing, ledger_of, listing_of
from surefoot.engines.claude.subjects import scans_for, subjects_of
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.claude.withheld import hidden
from surefoot.engines.protocol import Failed, Look, Plan, Refusal
from surefoot.llm.answers import PlanAnswer, PlanStep, schema_of
from surefoot.llm.ask import Ask, Exchange, Hear, Model
from surefoot.prompts import system
from surefoot.prompts.render import Data, PlanTask, rendered, version
from surefoot.run.outcomes import Failure, Role, SitesOf
from surefoot.run.view import View
from surefoot.syntax.declared import innermost

MOST_STEPS = 40
_AROUND = 15
"""Lines before and after a finding that stands in no definition."""

TEMPLATES = ("plan.system", "plan.task", "shown", "must")


async def planned(view: View, model: Model, surveyor: Surveyor, hear: Hear) -> Plan | Refusal | Look | Failed:
    """One turn of planning: a plan that accounts for every site, a wish to see more, or why the answer cannot be taken."""
    scans = await sites_seen(view, surveyor)
    listing = listing_of(scans, view.texts.root)
    if listing.too_long:
        return Refusal(f"{len(listing.sites)} sites are more than a model can be shown: rename or split what they use first")
    page = PlanTask(view.task.text, quoted(view), tuple(s.title for s in view.done), listing.data, listing.unlisted, view.limits.diff_soft)
    blocks = blocks_of(view, rendered("plan.task", page), (*await _pointed_at(view, surveyor), *excerpts(view)))
    schema, prompt = schema_of(PlanAnswer), version(TEMPLATES)
    ask = Ask(Role.EDITOR, blocks, system=system.plan(), stable=1, tools=looks(view), schema=schema, prompt=prompt)
    answer, exchanges = await turn(model, ask, hear, PlanAnswer)
    if isinstance(answer, Failed):
        return answer
    if not isinstance(answer, PlanAnswer):
        return Look(reads_of(answer, view.texts), exchanges)
    return await _accepted(view, surveyor, scans, listing, answer, exchanges)


async def _pointed_at(view: View, surveyor: Surveyor) -> tuple[Data, ...]:
    """The definition around the place that a finding is about, or the lines around it."""
    at = view.task.at if view.task.quoted and view.task.at is not None and view.task.at.path else None
    held = view.texts.read(Path(at.path)) if at is not None and not hidden(Path(at.path), view.texts.root) else None
    if at is None or not isinstance(held, TextFile) or not 0 <= at.offset <= len(held.data):
        return ()
    around = innermost(await surveyor.declared(held), at.offset, at.offset)
    line = held.data.count(b"\n", 0, at.offset) + 1
    first, last = (around.first, around.last) if around is not None else (line - _AROUND, line + _AROUND)
    first, last = max(first, line - MOST_LINES // 2, 1), min(last, line + MOST_LINES // 2)
    text = lines_of(held, first, last)
    return (Data(f"{relative(view.texts.root, held.path)} lines {first} to {last}", text),)


async def sites_seen(view: View, surveyor: Surveyor) -> tuple[Scan, ...]:
    """The sites of what the task names, and of what the model asked for."""
    found = list(await scans_for(view.task, surveyor, view.texts))
    for read in dict.fromkeys(e.read for e in view.excerpts if isinstance(e.read, SitesOf)):
        found += await _scans(read, surveyor, view)
    return tuple(found)


async def _scans(read: SitesOf, surveyor: Surveyor, view: View) -> list[Scan]:
    """The sites of a name, or of what one file defines by it."""
    if read.path is None:
        return [await surveyor.find(view.texts, Target(name=read.name))]
    held = view.texts.read(read.path)
    container, _, name = read.name.rpartition(".")
    starts = await surveyor.starts(held, container, name) if isinstance(held, TextFile) else ()
    return [await surveyor.find(view.texts, Target(name, str(read.path), start)) for start in starts]


async def _accepted(
    view: View, surveyor: Surveyor, scans: Sequence[Scan], listing: Listing, answer: PlanAnswer, exchanges: tuple[Exchange, ...]
) -> Plan | Refusal | Look | Failed:
    if not answer.steps:
        return Refusal(_cannot(answer.cannot), exchanges=exchanges)
    touched = await _touched(view, surveyor, answer)
    if isinstance(touched, Failure):
        return Failed(touched, exchanges)
    known = {(s.place.path, s.name, s.container) for scan in scans for s in scan.symbols}
    unseen = tuple(SitesOf(_dotted(t), t.path) for t in touched if (t.path, t.name, t.container) not in known)
    fresh = tuple(read for read in unseen if read not in [e.read for e in view.excerpts])
    if fresh and view.turns_left > 1:
        # Nobody plans a change of what is used in places that they have not seen.
        return Look(fresh, exchanges)
    if (against := _against(view, listing, answer)) is not None:
        return Failed(against, exchanges)
    everything = tuple(dict.fromkeys((*touched, *subjects_of(scans, view.texts.root))))
    steps = tuple(_step(view, step, everything, last=step is answer.steps[-1]) for step in answer.steps)
    ledger = ledger_of(scans, listing, frozenset(fit.site for fit in answer.fits))
    files = len({site.place.path for site in listing.sites})
    return Plan(steps, ledger, f"{len(listing.sites)} sites in {files} files", exchanges)


def _cannot(words: str) -> str:
    """A model's reason is quoted as such: nothing shows that it is right."""
    said = " ".join(words.split())[:300]
    return f"the model sees no way to do this: “{said}”" if said else "the model has no plan for this task: say it in other words"


async def _touched(view: View, surveyor: Surveyor, answer: PlanAnswer) -> tuple[Subject, ...] | Failure:
    """The definitions that a plan says it touches, each of which has to be there."""
    found: list[Subject] = []
    for touch in answer.touches:
        path = path_in(view.texts, touch.path)
        held = view.texts.read(path) if isinstance(path, Path) else None
        if not isinstance(path, Path) or not isinstance(held, TextFile):
            return constraint("unknown file", "every definition in `touches` has to stand in a file of the workspace")
        container, _, name = touch.name.removesuffix("()").rpartition(".")
        if not await surveyor.starts(held, container, name):
            there = ", ".join(list(dict.fromkeys(d.name for d in await surveyor.declared(held)))[:8])
            return constraint("unknown name", f"`touches` may name what {relative(view.texts.root, path)} defines: {there}")
        found.append(Subject(path, name, container))
    return tuple(found)


def _against(view: View, listing: Listing, answer: PlanAnswer) -> Failure | None:
    """Why a plan is sent back."""
    if len(answer.steps) > MOST_STEPS:
        return constraint("steps", f"a plan has at most {MOST_STEPS} steps")
    for number, step in enumerate(answer.steps, 1):
        if step.lines > view.limits.diff_soft:
            return constraint("size", f"step {number} has to be split: at most {view.limits.diff_soft} changed lines each")
        if (bad := next((why for name in step.files if isinstance(why := path_in(view.texts, name), str)), "")) != "":
            return constraint("unknown file", f"step {number} names a file that cannot be edited: {bad}")
    return _unaccounted(view, listing, answer)


def _unaccounted(view: View, listing: Listing, answer: PlanAnswer) -> Failure | None:
    where: Mapping[int, PlanStep] = {number: step for step in answer.steps for number in step.sites}
    settled = where.keys() | {fit.site for fit in answer.fits}
    waived = {(w.path, w.line, w.column) for w in view.waived}
    left = [
        site
        for number, site in enumerate(listing.sites, 1)
        if number not in settled and (site.place.path, site.place.line, site.place.column) not in waived
    ]
    if left:
        first = f"{relative(view.texts.root, left[0].place.path)}:{left[0].place.line}"
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        return constraint("unaccounted", f"the site at {first}{more} has to be in a step or in `fits`")
    for number, step in enumerate(answer.steps, 1):
        named = {path_in(view.texts, name) for name in step.files}
        stray = next((n for n in step.sites if 0 < n <= len(listing.sites) and listing.sites[n - 1].place.path not in named), 0)
        if stray:
            path = relative(view.texts.root, listing.sites[stray - 1].place.path)
            return constraint("unplanned", f"step {number} deals with a site in {path}: its `files` have to name that")
    return None


def _step(view: View, step: PlanStep, touches: tuple[Subject, ...], *, last: bool) -> PlannedStep:
    paths = [path for name in step.files if isinstance(path := path_in(view.texts, name), Path)]
    title, intent = " ".join(step.title.split())[:80], " ".join(step.intent.split())[:600]
    takes = tuple(Take(path) for path in dict.fromkeys(paths))
    stage = Stage.WHOLE if last else Stage.MIGRATE
    return PlannedStep(title, intent, stage, takes, None, touches, step.behaviour_preserving)


def _dotted(subject: Subject) -> str:
    return f"{subject.container}.{subject.name}" if subject.container else subject.name
