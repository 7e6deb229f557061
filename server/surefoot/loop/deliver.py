"""Deliver: a person's word puts a checked step into the text, or takes the last one back.

Requests that do not fit are refused as values.
"""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change, FileEdit
from surefoot.core.text import relative
from surefoot.core.value import value
from surefoot.loop.moving import notice, notice_stale, still_right
from surefoot.loop.ports import Applier, Tools
from surefoot.loop.revert import back_names, moved_since, restores_checked, under_way
from surefoot.loop.run import Run
from surefoot.loop.texts import digest_at, holds
from surefoot.policy.guards import needs_consent
from surefoot.report.titles import sites_words
from surefoot.run.events import Action, Delivery, Intended, Lane, Permitted, Resulted, Resumed
from surefoot.run.legality import delivered_by
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed
from surefoot.run.requests import Apply, Finish, Revert, allowed
from surefoot.run.state import StepState, StepStatus
from surefoot.run.words import findings_words
from surefoot.workspace.snapshot import Snapshot

logger = logging.getLogger(__name__)


@value
class Reply:
    """The answer to a person's request: done or refused, and a sentence."""

    done: bool
    message: str


async def apply_step(run: Run, tools: Tools, applier: Applier, asked: Apply, *, confirm: bool) -> Reply:
    """Apply the step that is asked for if its evidence still holds on the text as it is now, and no site has come or gone anywhere.

    `confirm` asks the person to look first.
    """
    if refusal := _refusal(run, tools, asked):
        return Reply(False, refusal)
    index = asked.step
    step = run.state.steps[index]
    if not holds(step, tools.snapshot()) or not await still_right(run, tools, index):
        notice(run, tools)
        notice_stale(run, index)
        return Reply(False, f"not applied: the text has moved since “{step.planned.title}” was checked; it is being checked again")
    live = tools.snapshot()
    if refusal := _refusal(run, tools, asked):
        return Reply(False, refusal)
    if step.draft is None or run.state.steps[index] != step or not holds(step, live):
        return Reply(False, "not applied: the text moved this very moment; try again")
    consent = confirm or needs_consent(step.planned, step.draft.size, run.state.limits)
    return await _deliver(run, tools, applier, Delivery.APPLY, index, step.draft.change, live, confirm=consent)


async def revert_last(run: Run, tools: Tools, applier: Applier) -> Reply:
    """Take the last applied step back, byte for byte, where its documents are still as it left them.

    Where other texts have moved since, the text that this restores is checked first.
    """
    index = run.state.last_applied
    if refusal := _refusal(run, tools, Revert()):
        return Reply(False, refusal)
    step = run.state.steps[index]
    live = tools.snapshot()
    moved = moved_since(step, live)
    if step.draft is None or moved:
        return Reply(False, f"not reverted: {moved} has changed since “{step.planned.title}” was applied; undo those edits first")
    if not restores_checked(step, live):
        evidence = await tools.validator.validate(step.draft.inverse, live, step.draft.impacted, back_names(step.draft))
        if not evidence.green:
            return Reply(False, f"not reverted: {findings_words(evidence)}")
        if any(digest_at(tools.snapshot(), i.path) != i.digest for i in evidence.inputs):
            return Reply(False, "not reverted: the text moved this very moment; try again")
        if refusal := _refusal(run, tools, Revert()):
            return Reply(False, refusal)
        if run.state.last_applied != index or run.state.steps[index] != step:
            return Reply(False, "not reverted: another step was applied or reverted meanwhile; ask again")
    return await _deliver(run, tools, applier, Delivery.REVERT, index, step.draft.inverse, tools.snapshot(), confirm=False)


async def finish_half(run: Run, tools: Tools, applier: Applier) -> Reply:
    """Bring an edit that reached only some of its documents to the others, where all of them are as it left them.

    What the run stops for and what it goes on with is recorded together: it is never without the one or the other.
    """
    half = run.state.halfway
    if (refusal := allowed(run.state, Finish())) or half is None:
        return Reply(False, refusal)
    step, live = run.state.steps[half.step], tools.snapshot()
    whole = under_way(step)
    if moved := _moved_since_cut(step, whole, half.changed, live):
        return Reply(False, f"not finished: {moved} has changed since; revert to undo the half that is there")
    verb = Delivery.REVERT if step.status is StepStatus.APPLIED else Delivery.APPLY
    action = Action(run.state.run, Lane.DELIVERY, verb, half.step, 1, run.state.actions, whole.digest)
    permit = tools.policy.permit(action)
    if not permit.allowed:
        return Reply(False, permit.reason)
    run.commit(Resumed(run.state.events), Intended(action), Permitted(action.id, True, permit.by, permit.reason))
    if run.state.delivery is None:
        return Reply(False, run.state.attention)
    rest = Change(tuple(f for f in whole.files if f.path not in half.changed))
    applying = _finished(tools, applier, whole, rest, live, f"Finish: {step.planned.title}")
    outcome = await asyncio.shield(_landed(run, tools, action, whole, applying))
    notice(run, tools)
    if isinstance(outcome, Failure):
        return Reply(False, f"not finished: {outcome.message}")
    return Reply(True, f"finished: {step.planned.title}")


async def _finished(tools: Tools, applier: Applier, whole: Change, rest: Change, live: Snapshot, label: str) -> Delivered | Failure:
    """What the documents hold after the rest of an edit; a half that stays half keeps the run from going on."""
    applied = await applier.apply(rest, live, label, confirm=False)
    seen = look(whole, tools.snapshot())
    if isinstance(applied, Failure) and isinstance(seen, Failure):
        return replace(seen, message=f"{applied.message}; {seen.message}")
    return seen


def _moved_since_cut(step: StepState, whole: Change, changed: tuple[Path, ...], live: Snapshot) -> str:
    """The first text that is not as the half edit left it, or as the check saw it, "" when all are."""
    left = {f.path: f.after if f.path in changed else f.before for f in whole.files}
    seen = {i.path: i.digest for i in step.evidence.inputs} if step.evidence is not None else {}
    return next((relative(live.root, path) for path, digest in (seen | left).items() if digest_at(live, path) != digest), "")


def _refusal(run: Run, tools: Tools, request: Apply | Revert) -> str:
    if run.state.delivery is not None and not run.delivering:
        recover_delivery(run, tools.snapshot())
    return allowed(run.state, request)


async def _deliver(
    run: Run, tools: Tools, applier: Applier, verb: Delivery, index: int, change: Change, live: Snapshot, *, confirm: bool
) -> Reply:
    action = Action(run.state.run, Lane.DELIVERY, verb, index, 1, run.state.actions, change.digest)
    permit = tools.policy.permit(action)
    run.commit(Intended(action), Permitted(action.id, permit.allowed, permit.by, permit.reason))
    if run.state.delivery is None:
        return Reply(False, run.state.attention)
    if not permit.allowed:
        run.commit(Resulted(action.id, action.input, Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "denied", permit.reason)))
        return Reply(False, permit.reason)
    step = run.state.steps[index]
    title = step.planned.title
    label = title if verb is Delivery.APPLY else f"Revert: {title}"
    if confirm and step.draft is not None and (sites := sites_words(step.draft.tally)):
        label = f"{label} · {sites}"
    outcome = await asyncio.shield(_landed(run, tools, action, change, applier.apply(change, live, label, confirm=confirm)))
    notice(run, tools)
    done = "applied" if verb is Delivery.APPLY else "reverted"
    return Reply(False, f"not {done}: {outcome.message}") if isinstance(outcome, Failure) else Reply(True, f"{done}: {title}")


async def _landed(run: Run, tools: Tools, action: Action, change: Change, applying: Awaitable[Delivered | Failure]) -> Delivered | Failure:
    """Once an edit is on its way its result is recorded, whoever stopped waiting for it and whatever went wrong with it."""
    run.delivering = True
    try:
        outcome = await applying
    except Exception:
        logger.exception("an edit failed in an unforeseen way; what the documents hold decides")
        outcome = look(change, tools.snapshot())
    finally:
        run.delivering = False
    run.settle(Resulted(action.id, action.input, outcome))
    run.landed()
    return outcome


def recover_delivery(run: Run, live: Snapshot, *, patient: bool = False) -> None:
    """Settle an apply or a revert whose result was never recorded, by what the documents hold now.

    `patient` waits while nothing of it is to be seen and an editor may still bring a document back with unsaved text.
    """
    pending = run.state.delivery
    change = delivered_by(run.state, pending.action) if pending is not None else None
    if pending is None or change is None:
        return
    outcome = look(change, live)
    unseen = isinstance(outcome, Failure) and not outcome.changed
    if not (patient and unseen and any(f.path not in live.overlay for f in change.files)):
        run.commit(Resulted(pending.action.id, pending.action.input, outcome))


def look(change: Change, live: Snapshot) -> Delivered | Failure:
    """What became of an edit that nobody reported on."""
    after = [f for f in change.files if digest_at(live, f.path) == f.after]
    if len(after) == len(change.files):
        return Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))
    if all(digest_at(live, f.path) == f.before for f in change.files):
        return Failure(Bucket.RUNTIME, FailureClass.CANCELLED, "cancelled", "it ended before anything was changed")
    moved = [f for f in change.files if digest_at(live, f.path) not in {f.before, f.after}]
    reached = f"an edit was cut short when it had reached {_names(after)}" if after else "an edit was cut short"
    left = f" and the buffer changed: {_names(moved)}" if moved else ": finish it, or revert to undo it"
    return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", reached + left, tuple(f.path for f in after))


def _names(files: Sequence[FileEdit]) -> str:
    return ", ".join(f.path.name for f in files)
