"""What becomes of every site under a new signature, and the edits: calls from the inside out, definitions, documentation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from surefoot.core.change import Change, TextEdit, size_of
from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger, Site, SiteKind, SiteStatus, Tier, Waiver
from surefoot.core.value import value
from surefoot.engines.protocol import Refusal
from surefoot.engines.refactor.sheet import change_of, text_of
from surefoot.engines.refactor.signature_calls import Reshape, Rewritten, Trouble, apply_call, fits, holds_before, rewrite
from surefoot.engines.refactor.signature_case import Case, is_naming
from surefoot.engines.refactor.signature_docs import redone
from surefoot.engines.refactor.signature_lists import FileEdits
from surefoot.engines.refactor.signature_shape import PLACED, write
from surefoot.engines.refactor.subject import shown
from surefoot.engines.signature_tasks import Verb
from surefoot.syntax.arity import Slot, bind
from surefoot.syntax.ledger import is_waived
from surefoot.syntax.obligations import At
from surefoot.syntax.written import Called, Definition

_SHOWN = 5
UNSEEN = "`leaving unseen callers`"


@value
class Judged:
    """The whole change: edits by file, what each site's status is and why, the calls that are edited, and whether they could be first."""

    edits: Mapping[Path, tuple[TextEdit, ...]]
    verdicts: Mapping[At, tuple[SiteStatus, str]]
    edited: tuple[Called, ...]
    before: bool
    dropped: Mapping[Path, tuple[tuple[int, int], ...]] = field(default_factory=dict[Path, tuple[tuple[int, int], ...]])

    def lines(self, case: Case) -> int:
        """How many lines a diff counts."""
        return sum(size_of(text_of(case.texts, path).data, edits).changed for path, edits in self.edits.items())


def judge(case: Case, waivers: Sequence[Waiver], only: frozenset[At] | None = None, *, definitions: bool = True) -> Judged:
    """The edits of all calls, or of those in `only`, with or without the definitions."""
    edits: dict[Path, FileEdits] = {}
    verdicts: dict[At, tuple[SiteStatus, str]] = {}
    edited: list[Called] = []
    dropped: dict[Path, list[tuple[int, int]]] = {}
    before = True
    for held in _inside_out(case):
        site = held.site
        sheet = edits.setdefault(site.place.path, FileEdits(text_of(case.texts, site.place.path).data))
        at = site.place.path, site.place.start
        if is_waived(site, waivers):
            continue
        if isinstance(held, Definition):
            shape = next((s for s in case.shapes if s.definition is held), None)
            if shape is not None:
                changed = write(sheet, held, shape.entries, python=shape.python)
                _document(sheet, shape)
                verdicts[at] = (SiteStatus.UPDATED, "it is declared anew") if changed else (SiteStatus.FITS, "it is declared so already")
            continue
        made = _rewritten(case, held, sheet)
        if isinstance(made, Trouble):
            verdicts[at] = SiteStatus.PENDING, made.why
        elif not made[1].edited:
            why = fits(held, [made[0]])
            verdicts[at] = (SiteStatus.PENDING, why) if why else (SiteStatus.FITS, "its arguments land as before")
        else:
            verdicts[at] = SiteStatus.UPDATED, "an edit changes what it gives"
            before &= holds_before(held, *made)
            edited.append(held)
            kept = {index for index, _ in made[1].put}
            gone = [(p.start, p.end) for i, p in enumerate(held.pieces) if i not in kept]
            dropped.setdefault(site.place.path, []).extend(gone)
            if only is None or at in only:
                apply_call(sheet, held, made[1])
    if not definitions:
        edits = _calls_alone(case, waivers, only)
    ordered = sorted(edited, key=lambda c: (c.site.place.path, c.site.place.start))
    made_edits = {path: sheet.edits for path, sheet in sorted(edits.items()) if sheet.edits}
    return Judged(made_edits, verdicts, tuple(ordered), before, {path: tuple(spans) for path, spans in dropped.items()})


def _calls_alone(case: Case, waivers: Sequence[Waiver], only: frozenset[At] | None) -> dict[Path, FileEdits]:
    edits: dict[Path, FileEdits] = {}
    for held in _inside_out(case):
        site = held.site
        if (
            isinstance(held, Definition)
            or is_waived(site, waivers)
            or (only is not None and (site.place.path, site.place.start) not in only)
        ):
            continue
        sheet = edits.setdefault(site.place.path, FileEdits(text_of(case.texts, site.place.path).data))
        made = _rewritten(case, held, sheet)
        if not isinstance(made, Trouble) and made[1].edited:
            apply_call(sheet, held, made[1])
    return edits


def change_for(case: Case, judged: Judged) -> Change:
    """The edits bound to their texts."""
    return change_of(case.texts, judged.edits.items())


def ledger_of(case: Case, judged: Judged, waivers: Sequence[Waiver], later: str = "") -> Ledger:
    """Every site with what became of it. `later` is the proof of those whose turn comes in another step."""
    entries = tuple(Entry(site, *_verdict(case, judged, site, waivers)) for site in case.shaped.scan.sites)
    if later:
        entries = tuple(_waiting(case, judged, entry, later) for entry in entries)
    return Ledger(entries, case.shaped.scan.not_scanned)


def refusal(case: Case, judged: Judged, waivers: Sequence[Waiver]) -> Refusal | None:
    """Why the change is not to be made, None where it can be."""
    return _captured(case) or _still_used(case, judged) or _unseen(case, waivers) or _pending(case, judged, waivers)


def is_widening(shape: Reshape) -> bool:
    """Whether whoever calls it as before, unseen, is still taken, and means the same."""
    kept = [e for e in shape.targets if e.was >= 0]
    pieces = [p for p in shape.definition.pieces if p.counts]
    if shape.python or len(kept) == len(shape.targets):
        old = [(p.name if shape.python else "", p.slot) for p in pieces]
        new = [(e.name if shape.python else "", e.slot) for e in kept]
        tail = not shape.python and old[: len(new)] == new and [e.was for e in kept] == sorted(e.was for e in kept)
        same = old == new and [e.was for e in kept] == [i for i, p in enumerate(shape.definition.pieces) if p.counts]
        stricter = any(not e.optional and shape.definition.pieces[e.was].optional for e in kept)
        if stricter or not (same or (tail and [e.was for e in kept] == list(range(len(kept))))):
            return False
    else:
        return False
    last = max((i for i, e in enumerate(shape.targets) if e.was >= 0 and e.slot in PLACED), default=-1)
    rest = any(e.slot is Slot.REST for e in shape.targets)
    fresh = [(i, e) for i, e in enumerate(shape.targets) if e.was < 0]
    return all(e.optional and (e.slot is Slot.NAMED or (i > last and not rest)) for i, e in fresh)


def _inside_out(case: Case) -> Iterator[Called | Definition]:
    held: list[Called | Definition] = [*case.calls, *case.shaped.definitions]
    yield from sorted(held, key=lambda h: (str(h.site.place.path), -h.open))


def _rewritten(case: Case, call: Called, sheet: FileEdits) -> tuple[Reshape, Rewritten] | Trouble:
    """The new arguments, by the first of the definitions that takes the call."""
    order = sorted(case.shapes, key=lambda s: (bool(bind(s.now, call.given).fault), s.definition.site.tier is not call.site.tier))
    if not order:
        return Trouble("nothing takes it")
    where = shown(case.texts, call.site.place.path)
    passed = next((v.value for v in case.task.values if where.endswith(v.path) and v.line == call.site.place.line), "")
    made = rewrite(call, order[0], sheet, passed)
    return made if isinstance(made, Trouble) else (order[0], made)


def _document(sheet: FileEdits, shape: Reshape) -> None:
    definition = shape.definition
    if definition.docs[1] > definition.docs[0]:
        old = [p.name for p in definition.parameters if p.name and p.slot is not Slot.RECEIVER]
        new = [e.name for e in shape.targets if e.name and e.slot is not Slot.RECEIVER]
        for edit in redone(sheet.data, definition.docs, old, new, shape.renamed):
            sheet.replace(edit.start, edit.end, edit.text)


def _verdict(case: Case, judged: Judged, site: Site, waivers: Sequence[Waiver]) -> tuple[SiteStatus, str]:
    at = site.place.path, site.place.start
    settled = (site.place.path, site.place.line) in case.settled
    if site.tier not in REQUIRED_TIERS and not (settled and at in judged.verdicts):
        return SiteStatus.PENDING, f"listed only: {site.reason}"
    if is_waived(site, waivers):
        return SiteStatus.WAIVED, next(f"a person: {w.reason}" for w in waivers if (w.path, w.line, w.column) == _spot(site))
    if at in judged.verdicts:
        return judged.verdicts[at]
    if is_naming(site):
        return SiteStatus.FITS, "it names the function and gives it nothing"
    if (stays := next((why for held, why in case.stays if held is site), "")) or site.kind is SiteKind.DEFINITION:
        return SiteStatus.FITS, stays or "it defines what the name is taken from"
    why = case.shaped.unread.get(at, "")
    if not why:
        return SiteStatus.FITS, "it closes an element"
    if site.kind is not SiteKind.CALL and all(is_widening(shape) for shape in case.shapes):
        return SiteStatus.FITS, f"{why}, and whatever it took is still taken"
    if case.task.unseen and site.kind is not SiteKind.CALL:
        return SiteStatus.WAIVED, f"the task leaves unseen callers: {why}"
    return SiteStatus.PENDING, why


def _waiting(case: Case, judged: Judged, entry: Entry, later: str) -> Entry:
    place = entry.site.place
    done = place.path in judged.edits and any(_near(case, entry.site, e) for e in judged.edits[place.path])
    if entry.status is SiteStatus.UPDATED and not done:
        return Entry(entry.site, SiteStatus.FITS, later)
    return entry


def _near(case: Case, site: Site, edit: TextEdit) -> bool:
    first, last = case.shaped.spans.get((site.place.path, site.place.start), (site.place.start, site.place.end))
    return edit.start < last and first < edit.end + 1


def _captured(case: Case) -> Refusal | None:
    for shape in case.shapes if case.task.verb is Verb.ADD else ():
        if shape.definition.captured:
            place = shape.definition.site.place
            line = text_of(case.texts, place.path).data.count(b"\n", 0, shape.definition.captured[0]) + 1
            return Refusal(
                f"{shown(case.texts, place.path)}:{line}: `{case.task.parameter}` means something else in the body of "
                f"`{case.shaped.scan.name}`, which the parameter would hide; choose another name"
            )
    return None


def _still_used(case: Case, judged: Judged) -> Refusal | None:
    """A parameter that goes and that something still uses, but for arguments that go as well."""
    for shape in case.shapes if case.task.verb is Verb.REMOVE else ():
        kept = {e.was for e in shape.entries}
        path = shape.definition.site.place.path
        gone = judged.dropped.get(path, ())
        for i, piece in enumerate(shape.definition.pieces):
            uses = [at for at in piece.uses if not any(start <= at < end for start, end in gone)]
            if i not in kept and not piece.mark and uses:
                line = text_of(case.texts, path).data.count(b"\n", 0, uses[0]) + 1
                return Refusal(f"`{piece.name}` is still used in {shown(case.texts, path)}:{line}: take it out of the body first")
    return None


def _unseen(case: Case, waivers: Sequence[Waiver]) -> Refusal | None:
    """Callers that nobody sees: a decorator, or a base of another project."""
    if case.task.unseen:
        return None
    for shape in case.shapes:
        site, held = shape.definition.site, shape.definition
        if is_waived(site, waivers) or is_widening(shape):
            continue
        where = f"{shown(case.texts, site.place.path)}:{site.place.line}"
        if held.obstacle:
            return Refusal(f"{where}: {held.obstacle}; add {UNSEEN} to the task where that does not matter")
        if held.outside:
            return Refusal(
                f"{where}: `{held.outside}` is not of this project and may declare or call `{site.name}`; "
                f"add {UNSEEN} to the task where it does not"
            )
    return None


def _pending(case: Case, judged: Judged, waivers: Sequence[Waiver]) -> Refusal | None:
    left = [e for e in ledger_of(case, judged, waivers).pending]
    if not left:
        return None
    held = [f"{shown(case.texts, e.site.place.path)}:{e.site.place.line}:{e.site.place.column} ({e.proof})" for e in left[:_SHOWN]]
    more = f" and {len(left) - _SHOWN} more" if len(left) > _SHOWN else ""
    values = any(e.site.kind is not SiteKind.CALL for e in left)
    advice = f"; add {UNSEEN} to the task, or waive each" if values else "; edit it first, or waive it"
    return Refusal(f"{', '.join(held)}{more} cannot be brought along for sure{advice}")


def _spot(site: Site) -> tuple[Path, int, int]:
    return site.place.path, site.place.line, site.place.column


def listed(case: Case) -> str:
    """What a person may want to look at and no edit touches: values that are handed on, and strings."""
    values = sum(1 for s in case.shaped.scan.sites if s.tier in REQUIRED_TIERS and (s.place.path, s.place.start) in case.shaped.unread)
    strings = sum(1 for s in case.shaped.scan.sites if s.tier is Tier.STRING)
    parts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((values, "value"), (strings, "string")) if n]
    return " and ".join(parts)
