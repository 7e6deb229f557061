"""Change signature: every definition of the family and every call in one step, or in ordered steps that each hold, or a refusal.

Where calls mean the same under the old signature once they are edited, they go first and the definitions last. Where a required parameter
is added, it is optional until every call gives it. What cannot be split is one wide step.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.plan import PlannedStep, Stage, Take, Task
from surefoot.core.sites import SiteKind, Target, Tier
from surefoot.engines.aims import NotATask
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.engines.refactor.importorder import only_order
from surefoot.engines.refactor.rename import RenameEngine
from surefoot.engines.refactor.settled import others
from surefoot.engines.refactor.signature_case import Case, Shaper, find_case
from surefoot.engines.refactor.signature_judge import Judged, change_for, judge, ledger_of, listed, refusal
from surefoot.engines.refactor.signature_props import judge_props
from surefoot.engines.refactor.signature_renamed import with_documentation, with_elements
from surefoot.engines.refactor.signature_shape import CONSTANT
from surefoot.engines.refactor.subject import shown
from surefoot.engines.signature_tasks import SIGNATURE_FORMS, SignatureTask, Verb, parse_signature
from surefoot.run.view import View
from surefoot.syntax.arity import Slot
from surefoot.syntax.ledger import unmatched
from surefoot.syntax.obligations import At

_IMPACTING = frozenset({Tier.EXACT, Tier.FAMILY, Tier.STRING, Tier.LIKELY})
_LATER = "its turn comes in a later step, and it holds meanwhile"


class SignatureEngine:
    """Changes what one function takes and everything that follows from it. Keeps nothing between calls."""

    name = "refactor/signature"
    repeats = True

    def __init__(self, finder: Shaper) -> None:
        self._finder = finder
        self._renames = RenameEngine(finder)

    async def plan(self, view: View) -> Plan | Refusal:
        """Ordered steps for the task, or for what the finished steps have left of it."""
        against = [c for c in others(view.constraints) if not only_order((c,))]
        if against:
            place = f" ({shown(view.texts, against[0].path)}:{against[0].line})" if against[0].path is not None else ""
            return Refusal(f"the new signature would not hold: {against[0].text}{place}")
        task = _asked(view)
        if isinstance(task, Refusal):
            return task
        if task.verb is Verb.RENAME:
            return await self._planned_rename(view, task)
        case = await find_case(self._finder, view, _rest_of(view, task))
        if isinstance(case, Refusal):
            return case
        if missing := unmatched(case.shaped.scan, view.waived):
            return Refusal(f"no site of `{case.symbol.name}` stands at {missing[0].path.name}:{missing[0].line}:{missing[0].column}")
        return await asyncio.to_thread(_plan, view, case, task)

    async def edit(self, view: View) -> Draft | Refusal:
        """The change of one step, from sites found on the texts as they stand now."""
        step, task = view.step, _asked(view)
        if isinstance(task, Refusal):
            return task
        if step is None or step.subject is None:
            return Refusal("there is no step to draft: plan the task first")
        if task.verb is Verb.RENAME:
            return await self._renamed(view, task)
        wanted = _forward(task) if step.stage is Stage.FORWARD else _rest_of(view, task)
        case = await find_case(self._finder, view, wanted, step.subject)
        if isinstance(case, Refusal):
            return case
        return await asyncio.to_thread(_draft, view, case, step)

    async def _planned_rename(self, view: View, task: SignatureTask) -> Plan | Refusal:
        """The plan of a rename of the parameter itself, with all that speaks of it."""
        case = await find_case(self._finder, view, task)
        if isinstance(case, Refusal):
            return case
        at = _named_at(case)
        if at is None:
            untyped = case.shaped.props is not None and not case.shaped.props.members
            why = f"nothing declares the props of `{case.symbol.name}`, so a rename of one cannot be followed"
            return Refusal(why if untyped else f"`{case.symbol.name}` has no parameter `{task.parameter}`")
        words = f"rename {task.parameter} to {task.new} leaving strings"
        plan = await self._renames.plan(replace(view, task=replace(view.task, text=words, at=at)))
        if isinstance(plan, Refusal):
            return plan
        title = f"Rename parameter {task.parameter} of {case.symbol.name} to {task.new}"
        return with_elements(replace(plan, steps=tuple(replace(step, title=title) for step in plan.steps)), case)

    async def _renamed(self, view: View, task: SignatureTask) -> Draft | Refusal:
        words = Task(f"rename {task.parameter} to {task.new} leaving strings")
        draft = await self._renames.edit(replace(view, task=words))
        if isinstance(draft, Refusal):
            return draft
        case = await find_case(self._finder, view, task)
        return draft if isinstance(case, Refusal) else await asyncio.to_thread(with_documentation, draft, case)


def _named_at(case: Case) -> Target | None:
    """Where the parameter that a task names has its name, or the prop in the type that says so."""
    props, wanted = case.shaped.props, case.task.parameter
    if props is not None:
        entry = next((p for p in props.members if p.name == wanted and p.at >= 0), None)
        return Target(path=str(props.definition.place.path), offset=entry.at) if entry is not None else None
    for shape in case.shapes:
        held = next((p for p in shape.definition.parameters if p.name == wanted and p.at >= 0), None)
        if held is not None:
            return Target(path=str(shape.definition.site.place.path), offset=held.at)
    return None


def _asked(view: View) -> SignatureTask | Refusal:
    asked = parse_signature(view.task.text)
    if asked is None:
        return Refusal(f"the task was not understood: say {SIGNATURE_FORMS}")
    return Refusal(asked.reason) if isinstance(asked, NotATask) else asked


def _forward(task: SignatureTask) -> SignatureTask:
    """The first part of adding what has to be given: it may be left out until every call gives it."""
    return replace(task, default=task.value, value="", values=())


def _rest_of(view: View, task: SignatureTask) -> SignatureTask:
    """What is left of a task once its first part is done."""
    if any(step.stage is Stage.FORWARD for step in view.done):
        return SignatureTask(Verb.REQUIRED, task.aim, task.parameter, value=task.value, effects=task.effects, unseen=task.unseen)
    return task


def _judged(case: Case, view: View) -> Judged | Refusal:
    """What becomes of everything: a component takes its parameters apart, and elements give them by name."""
    return judge(case, view.waived) if case.shapes or case.shaped.props is None else judge_props(case, case.shaped.props, view.waived)


def _plan(view: View, case: Case, task: SignatureTask) -> Plan | Refusal:
    judged = _judged(case, view)
    if isinstance(judged, Refusal):
        return judged
    if (why := refusal(case, judged, view.waived)) is not None:
        return why
    if not judged.edits:
        return Refusal(f"`{case.symbol.name}` is declared so already, and every call fits")
    ledger = ledger_of(case, judged, view.waived)
    return Plan(_steps(view, case, judged, task), ledger, _summary(case))


def _steps(view: View, case: Case, judged: Judged, task: SignatureTask) -> tuple[PlannedStep, ...]:
    title, takes = _title(case, task), tuple(Take(path) for path in sorted(judged.edits))
    aside = listed(case)
    intent = f"{title}: {_summary(case)}." + (f" {aside} stay as they are: look at them." if aside else "")
    whole = PlannedStep(title, intent, Stage.WHOLE, takes, case.subject)
    soft = view.limits.diff_soft
    if judged.lines(case) <= soft:
        return (whole,)
    last = replace(whole, stage=Stage.CONTRACT, takes=_homes(case))
    if not case.shapes:
        return (replace(whole, stage=Stage.WIDE),)
    if judged.before and (moves := _migrations(case, judged, title, soft, view)) and _fits_alone(case, judged, view, soft):
        return (*moves, last)
    if task.verb is Verb.ADD and _may_wait(case, task):
        first = PlannedStep(f"{title}, as one that may be left out", intent, Stage.FORWARD, _homes(case), case.subject)
        if moves := _migrations(case, judged, title, soft, view):
            return (first, *moves, replace(last, title=f"Require {task.parameter} of {case.symbol.name}"))
    return (replace(whole, stage=Stage.WIDE),)


def _may_wait(case: Case, task: SignatureTask) -> bool:
    """Whether what is added can be optional for a while, in the very place that it is to have."""
    if not CONSTANT.fullmatch(task.value) or task.default or task.values or task.where not in ("", "last", "keyword-only"):
        return False
    last = [
        e.slot is Slot.NAMED or not any(o.optional for o in s.targets if o is not e) for s in case.shapes for e in s.targets if e.was < 0
    ]
    return all(last)


def _homes(case: Case) -> tuple[Take, ...]:
    return tuple(Take(path) for path in sorted({s.definition.site.place.path for s in case.shapes}))


def _fits_alone(case: Case, judged: Judged, view: View, soft: int) -> bool:
    """Whether what is left after the calls is small enough."""
    alone = judge(case, view.waived, frozenset())
    return alone.lines(case) <= soft


def _migrations(case: Case, judged: Judged, title: str, soft: int, view: View) -> tuple[PlannedStep, ...]:
    """The edited calls in path and text order, cut into steps within the limit; none where one call alone is over it."""
    groups: list[list[tuple[Path, int]]] = [[]]
    room, held = soft, dict[Path, int]()
    for call in judged.edited:
        at = call.site.place.path, call.site.place.start
        cost = judge(case, view.waived, frozenset({at}), definitions=False).lines(case)
        if cost > soft:
            return ()
        if cost > room:
            groups.append([])
            room, held = soft, {}
        path = call.site.place.path
        held[path] = held.get(path, 0) + 1
        groups[-1] = list(held.items())
        room -= cost
    return tuple(_migration(case, judged, title, groups, i) for i in range(len(groups)) if groups[i])


def _migration(case: Case, judged: Judged, title: str, groups: Sequence[Sequence[tuple[Path, int]]], at: int) -> PlannedStep:
    later = {path for group in groups[at + 1 :] for path, _ in group}
    takes = tuple(Take(path, count if path in later else 0) for path, count in groups[at])
    first, more = shown(case.texts, takes[0].path), len(takes) - 1
    where = first + (f" and {more} more file{'s' if more > 1 else ''}" if more else "")
    return PlannedStep(
        f"{title}: calls in {where}", f"Adapt the calls of {case.symbol.name} in {where}.", Stage.MIGRATE, takes, case.subject
    )


def _draft(view: View, case: Case, step: PlannedStep) -> Draft | Refusal:
    whole = _judged(case, view)
    if isinstance(whole, Refusal):
        return whole
    if (why := refusal(case, whole, view.waived)) is not None:
        return why
    made, later = whole, ""
    if step.stage is Stage.MIGRATE:
        made, later = judge(case, view.waived, _taken(whole, step), definitions=False), _LATER
    elif step.stage is Stage.FORWARD:
        later = _LATER
    impacted = sorted({s.place.path for s in case.shaped.scan.sites if s.tier in _IMPACTING})
    return Draft(change_for(case, made), tuple(impacted), (), ledger_of(case, made, view.waived, later))


def _taken(judged: Judged, step: PlannedStep) -> frozenset[At]:
    """The calls that a step takes: so many of each file, in text order."""
    room = {take.path: take.sites or len(judged.edited) for take in step.takes}
    found: set[At] = set()
    for call in judged.edited:
        path = call.site.place.path
        if room.get(path, 0) > 0:
            room[path] -= 1
            found.add((path, call.site.place.start))
    return frozenset(found)


def _title(case: Case, task: SignatureTask) -> str:
    name, parameter = case.symbol.name, task.parameter
    if name in ("__init__", "constructor"):
        name = case.symbol.container.rpartition(".")[2]
    match task.verb:
        case Verb.ADD:
            return f"Add parameter {parameter} to {name}"
        case Verb.REMOVE:
            return f"Remove parameter {parameter} from {name}"
        case Verb.REORDER:
            return f"Reorder the parameters of {name}"
        case Verb.DEFAULT:
            return f"Change the default of {parameter} in {name}"
        case _:
            return f"Make parameter {parameter} of {name} {task.verb}"


def _summary(case: Case) -> str:
    held = [s for s in case.shaped.scan.sites if s.tier in (Tier.EXACT, Tier.FAMILY) and s.kind in (SiteKind.CALL, SiteKind.DEFINITION)]
    sites, files = len(held), len({s.place.path for s in held})
    return f"{sites} site{'' if sites == 1 else 's'} in {files} file{'' if files == 1 else 's'}"
