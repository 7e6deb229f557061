"""Deliver: a person's word puts a checked step into the text, or takes the last one back.

Requests that do not fit are refused as values.
"""

import asyncio
import logging

from surefoot.core.change import Change
from surefoot.core.value import value
from surefoot.loop.moving import notice, notice_stale, still_right
from surefoot.loop.ports import Applier, Tools
from surefoot.loop.revert import back_names, moved_since, restores_checked
from surefoot.loop.run import Run
from surefoot.loop.texts import digest_at, holds
from surefoot.policy.guards import needs_consent
from surefoot.run.events import Action, Delivery, Intended, Lane, Permitted, Resulted
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed
from surefoot.run.requests import Apply, Revert, allowed
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
    return await _deliver(run, tools, applier, Delivery.REVERT, index, step.draft.inverse, tools.snapshot(), confirm=False)


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
    title = run.state.steps[index].planned.title
    label = title if verb is Delivery.APPLY else f"Revert: {title}"
    outcome = await asyncio.shield(_landed(run, tools, applier, action, change, live, label, confirm=confirm))
    notice(run, tools)
    done = "applied" if verb is Delivery.APPLY else "reverted"
    return Reply(False, f"not {done}: {outcome.message}") if isinstance(outcome, Failure) else Reply(True, f"{done}: {title}")


async def _landed(
    run: Run, tools: Tools, applier: Applier, action: Action, change: Change, live: Snapshot, label: str, *, confirm: bool
) -> Delivered | Failure:
    """Once an edit is on its way its result is recorded, whoever stopped waiting for it and whatever went wrong with it."""
    run.delivering = True
    try:
        outcome = await applier.apply(change, live, label, confirm=confirm)
    except Exception:
        logger.exception("an edit failed in an unforeseen way; what the documents hold decides")
        outcome = look(change, tools.snapshot())
    finally:
        run.delivering = False
    run.settle(Resulted(action.id, action.input, outcome))
    return outcome


def recover_delivery(run: Run, live: Snapshot) -> None:
    """Settle an apply or a revert whose result was never recorded, by what the documents hold now."""
    pending = run.state.delivery
    if pending is None:
        return
    draft = run.state.steps[pending.action.step].draft
    if draft is not None:
        change = draft.change if pending.action.verb is Delivery.APPLY else draft.inverse
        run.commit(Resulted(pending.action.id, pending.action.input, look(change, live)))


def look(change: Change, live: Snapshot) -> Delivered | Failure:
    """What became of an edit that nobody reported on."""
    after = [f for f in change.files if digest_at(live, f.path) == f.after]
    if len(after) == len(change.files):
        return Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))
    if all(digest_at(live, f.path) == f.before for f in change.files):
        return Failure(Bucket.RUNTIME, FailureClass.CANCELLED, "cancelled", "it ended before anything was changed")
    names = ", ".join(f.path.name for f in after) or "none"
    message = f"an edit was cut short and its documents have changed since; changed by it: {names}"
    return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", message, tuple(f.path for f in after))
