"""Deliver: a person's word puts a checked step into the text, or takes the last one back.

Requests that do not fit are refused as values.
"""

import asyncio

from surefoot.core.change import Change
from surefoot.core.value import value
from surefoot.loop.driver import notice
from surefoot.loop.ports import Applier, Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import digest_at, holds
from surefoot.policy.guards import needs_consent
from surefoot.run.events import Action, Delivery, Intended, Lane, Permitted, Resulted
from surefoot.run.legality import deliverable
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass, Landed
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot


@value
class Reply:
    """The answer to a person's request: done or refused, and a sentence."""

    done: bool
    message: str


async def apply_step(run: Run, tools: Tools, applier: Applier, index: int, *, confirm: bool) -> Reply:
    """Apply the step if its evidence still holds on the text as it is now. `confirm` asks the person to look first."""
    if refusal := _refusal(run.state, Delivery.APPLY, index):
        return Reply(False, refusal)
    step = run.state.steps[index]
    live = tools.snapshot()
    if step.draft is None or not holds(step, live):
        notice(run, tools)
        return Reply(False, f"not applied: the text has moved since “{step.planned.title}” was checked; it is being checked again")
    consent = confirm or needs_consent(step.planned, step.draft.size, run.state.limits)
    return await _deliver(run, tools, applier, Delivery.APPLY, index, step.draft.change, live, confirm=consent)


async def revert_last(run: Run, tools: Tools, applier: Applier) -> Reply:
    """Take the last applied step back, byte for byte, where its documents are still as it left them."""
    index = run.state.last_applied
    if refusal := _refusal(run.state, Delivery.REVERT, index):
        return Reply(False, refusal)
    step = run.state.steps[index]
    live = tools.snapshot()
    moved = next((f.path for f in step.landed if digest_at(live, f.path) != f.after), None)
    if step.draft is None or moved is not None:
        name = moved.name if moved else "it"
        return Reply(False, f"not reverted: {name} has changed since “{step.planned.title}” was applied; undo those edits first")
    return await _deliver(run, tools, applier, Delivery.REVERT, index, step.draft.inverse, live, confirm=False)


def _refusal(state: RunState, verb: Delivery, index: int) -> str:
    if not state.open:
        return f"run {state.run} is closed ({state.closed.ending if state.closed else ''})"
    if state.attention:
        return f"run {state.run} wants attention first: {state.attention}"
    if state.delivery is not None:
        return "another step is being applied or reverted right now"
    return deliverable(state, verb, index)


async def _deliver(
    run: Run, tools: Tools, applier: Applier, verb: Delivery, index: int, change: Change, live: Snapshot, *, confirm: bool
) -> Reply:
    action = Action(run.state.run, Lane.DELIVERY, verb, index, 1, run.state.actions, change.digest)
    permit = tools.policy.permit(action)
    run.commit(Intended(action), Permitted(action.id, permit.allowed, permit.by, permit.reason))
    if run.state.delivery is None or not permit.allowed:
        return Reply(False, run.state.attention or permit.reason)
    title = run.state.steps[index].planned.title
    label = title if verb is Delivery.APPLY else f"Revert: {title}"
    outcome = await asyncio.shield(_landed(run, applier, action, change, live, label, confirm=confirm))
    notice(run, tools)
    if isinstance(outcome, Failure):
        return Reply(False, f"not {'applied' if verb is Delivery.APPLY else 'reverted'}: {outcome.message}")
    return Reply(True, f"{'applied' if verb is Delivery.APPLY else 'reverted'}: {title}")


async def _landed(
    run: Run, applier: Applier, action: Action, change: Change, live: Snapshot, label: str, *, confirm: bool
) -> Delivered | Failure:
    """Once an edit is on its way its result is recorded, whoever stopped waiting for it."""
    outcome = await applier.apply(change, live, label, confirm=confirm)
    run.commit(Resulted(action.id, action.input, outcome))
    return outcome


def recover_delivery(run: Run, live: Snapshot) -> None:
    """Settle an apply or a revert that was under way when its process ended, by what the documents hold now."""
    pending = run.state.delivery
    if pending is None:
        return
    step = run.state.steps[pending.action.step]
    if step.draft is None:
        return
    change = step.draft.change if pending.action.verb is Delivery.APPLY else step.draft.inverse
    after = [f for f in change.files if digest_at(live, f.path) == f.after]
    before = [f for f in change.files if digest_at(live, f.path) == f.before]
    if len(after) == len(change.files):
        outcome = Delivered(tuple(Landed(f.path, f.before, f.after) for f in change.files))
    elif len(before) == len(change.files):
        outcome = Failure(Bucket.RUNTIME, FailureClass.CANCELLED, "cancelled", "the process ended before anything was changed")
    else:
        names = ", ".join(f.path.name for f in after) or "none"
        message = f"an edit was cut short and its documents have changed since; already changed: {names}"
        outcome = Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", message, tuple(f.path for f in after))
    run.commit(Resulted(pending.action.id, pending.action.input, outcome))
