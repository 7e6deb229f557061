"""Edit: the engine drafts one step on the text that the steps before it leave; the gate needs no checker."""

from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change, FileEdit, Size, inverse_edits, size_of, unified_diff
from surefoot.core.plan import Stage
from surefoot.core.text import TextFile, digest, relative
from surefoot.engines.protocol import Draft
from surefoot.loop.plan import answered
from surefoot.loop.ports import Editable, Paid, Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import overlay_for
from surefoot.loop.view import seen_by, view_of
from surefoot.policy.guards import outside, too_big, unplanned
from surefoot.policy.silencing import silenced
from surefoot.run.limits import SHAPE_BYTES
from surefoot.run.outcomes import Bucket, Drafted, Failure, FailureClass
from surefoot.run.state import RunState
from surefoot.run.tallies import tally_of
from surefoot.syntax.shapes import shape_of

_COMPLETE = frozenset({Stage.WHOLE, Stage.WIDE, Stage.CONTRACT})
"""Stages after which nothing of the task may be left."""

_NAMED = 3
"""Places that are named where there are more."""


async def edit(run: Run, tools: Tools) -> Paid:
    """Draft the step at work, within size, on planned files, with every site accounted for, and never the same text twice."""
    texts = overlay_for(run.state, run.state.step, tools.snapshot())
    seen = await seen_by(run.state, texts, tools.staff.reader)
    answer = await tools.engine.edit(view_of(run.state, run.state.step, texts, seen))
    if not isinstance(answer, Draft):
        return Paid(answered(run, answer), answer.exchanges)
    outcome = gated(run.state, answer, texts)
    if isinstance(outcome, Drafted) and not tools.engine.repeats and (why := silenced(*_sides(answer.change, texts))):
        outcome = replace(_against("silenced", f"nothing may be silenced: {why}"), candidate=answer.change.digest, shape=outcome.shape)
    if isinstance(outcome, Failure):
        run.trace("draft", outcome.message, diff_of(answer.change, texts).encode("utf-8"))
    for edited in outcome.change.files if isinstance(outcome, Drafted) else ():
        held = texts.read(edited.path)
        if isinstance(held, TextFile):
            run.keep(held.data)
    return Paid(outcome, answer.exchanges)


def _sides(change: Change, texts: Editable) -> tuple[dict[Path, str], dict[Path, str]]:
    """The files of a change before and after it."""
    after = texts.with_change(change)
    before = {path: held.text for path in change.paths if isinstance(held := texts.read(path), TextFile)}
    return before, {path: held.text for path in change.paths if isinstance(held := after.read(path), TextFile)}


def gated(state: RunState, draft: Draft, texts: Editable) -> Drafted | Failure:
    """The draft with all that is known of it, or the first reason why it is never checked."""
    shape = shape_after(draft.change, texts)
    size = measure(draft.change, texts)
    if (against := _gate(state, draft, size, shape)) is not None:
        # A draft that its plan did not foresee may well come again, once it is planned.
        return against if against.code == "unplanned" else replace(against, candidate=draft.change.digest, shape=shape)
    inverse, diff = inverse_of(draft.change, texts), diff_of(draft.change, texts)
    return Drafted(draft.change, inverse, size, draft.impacted, draft.renames, tally_of(draft.ledger), diff, shape)


def shape_after(change: Change, texts: Editable) -> str:
    """Names what the texts that a change makes say, whatever their layout; "" for so much text that it would hold everybody up."""
    after = texts.with_change(change)
    held = [h for path in sorted(change.paths) if isinstance(h := after.read(path), TextFile)]
    if sum(len(h.data) for h in held) > SHAPE_BYTES:
        return ""
    shapes = [f"{h.path}\0{shape_of(h.path, h.data)}" for h in held]
    return digest("\n".join(shapes).encode("utf-8", "surrogateescape"))


def measure(change: Change, texts: Editable) -> Size:
    """Lines that a change adds and removes, over all its files."""
    total = Size(0, 0)
    for edit in change.files:
        held = texts.read(edit.path)
        if isinstance(held, TextFile):
            total += size_of(held.data, edit.edits)
    return total


def diff_of(change: Change, texts: Editable) -> str:
    """The unified diff of a change, file names relative to the root."""
    after = texts.with_change(change)
    parts: list[str] = []
    for path in change.paths:
        old, new = texts.read(path), after.read(path)
        if isinstance(old, TextFile) and isinstance(new, TextFile):
            parts.append(unified_diff(relative(texts.root, path), old.data, new.data))
    return "".join(parts)


def inverse_of(change: Change, texts: Editable) -> Change:
    """The change that takes the texts back to what they were, byte for byte."""
    files: list[FileEdit] = []
    for edit in change.files:
        held = texts.read(edit.path)
        if isinstance(held, TextFile):
            files.append(FileEdit(edit.path, edit.after, edit.before, inverse_edits(held.data, edit.edits)))
    return Change(tuple(files))


def _gate(state: RunState, draft: Draft, size: Size, shape: str) -> Failure | None:
    step = state.steps[state.step]
    if not draft.change.files:
        return _against("empty", "the draft changes nothing")
    if draft.change.digest in step.seen:
        return _against("seen", "the same change was drafted before")
    if shape and shape in step.shapes:
        return _against("same shape", "a change that says the same, laid out otherwise, was drafted before")
    if (bad := outside(state.root, draft.change.paths)) is not None:
        return _against("outside", f"{bad} is not inside the workspace")
    if (bad := unplanned(step.planned, draft.change)) is not None:
        return _against("unplanned", f"{bad.name} is edited and was not planned")
    if why := too_big(step.planned, size, state.limits):
        return _against("size", why)
    if step.planned.stage in _COMPLETE and (open_sites := draft.ledger.pending):
        places = dict.fromkeys(f"{relative(state.root, e.site.place.path)}:{e.site.place.line}" for e in open_sites)
        named, more = list(places)[:_NAMED], len(places) - _NAMED
        rest = f" and {more} more" if more > 0 else ""
        return _against("pending", f"{', '.join(named)}{rest} would be neither updated nor fitting")
    return None


def _against(code: str, message: str) -> Failure:
    return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, code, message)
