"""The loop over one run: plan, constrain, edit, validate, verify, or re-plan."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from surefoot.core.errors import SurefootError, TextError
from surefoot.loop.constrain import constrain
from surefoot.loop.edit import edit
from surefoot.loop.idle import sweep
from surefoot.loop.plan import plan
from surefoot.loop.ports import Tools
from surefoot.loop.replan import replan
from surefoot.loop.run import Run
from surefoot.loop.texts import stale_steps
from surefoot.loop.validate import validate
from surefoot.loop.verify import verify
from surefoot.run.events import Action, Closed, Intended, Moved, Permitted, Phase, Resulted
from surefoot.run.fold import step as folded
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome
from surefoot.run.report import report_of
from surefoot.run.state import RunState

PHASES: Mapping[Phase, Callable[[Run, Tools], Awaitable[Outcome]]] = {
    Phase.PLAN: plan,
    Phase.CONSTRAIN: constrain,
    Phase.EDIT: edit,
    Phase.VALIDATE: validate,
    Phase.VERIFY: verify,
    Phase.IDLE: sweep,
    Phase.REPLAN: replan,
}


async def draft(run: Run, tools: Tools) -> None:
    """Draft until all steps wait for a person, the run is closed, or it wants attention."""
    if run.state.work is not None:
        await _finish(run, tools, run.state.work.action)
    notice(run, tools)
    for _ in range(run.state.limits.actions):
        match next_action(run.state):
            case None:
                return
            case Closing() as closing:
                run.commit(_close(run.state, closing))
            case Action() as action:
                await _act(run, tools, action)
                if run.state.phase is Phase.IDLE:
                    notice(run, tools)


async def _act(run: Run, tools: Tools, action: Action) -> None:
    """One action: intent and ruling, then the effect."""
    permit = tools.policy.permit(action)
    run.commit(Intended(action), Permitted(action.id, permit.allowed, permit.by, permit.reason))
    if run.state.work is not None:
        await _finish(run, tools, action)


async def _finish(run: Run, tools: Tools, action: Action) -> None:
    """The effect, its result, and where that leads, recorded together."""
    resulted = Resulted(action.id, action.input, await _effect(run, tools, action))
    after = folded(run.state, resulted)
    match advance(after):
        case Closing() as closing:
            run.commit(resulted, _close(after, closing))
        case None:
            run.commit(resulted)
        case advanced:
            run.commit(resulted, advanced)


async def _effect(run: Run, tools: Tools, action: Action) -> Outcome:
    if run.state.work is None or not run.state.work.allowed or not isinstance(action.verb, Phase):
        return Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "denied", "the policy does not allow this")
    try:
        return await PHASES[action.verb](run, tools)
    except asyncio.CancelledError:
        if not run.cancelled:
            raise
        return Failure(Bucket.TOOL, FailureClass.CANCELLED, "cancelled", "cancelled by a person")
    except TextError:
        return Failure(Bucket.CONSTRAINT, FailureClass.TRANSIENT, "moved", "the text moved while the step was drafted")
    except SurefootError as error:
        return Failure(Bucket.TOOL, FailureClass.PERMANENT, "unavailable", str(error))


def notice(run: Run, tools: Tools) -> None:
    """Mark the waiting steps whose text has moved; nothing is offered on text that is no longer there."""
    if run.state.open and not run.state.attention and run.state.delivery is None and (stale := stale_steps(run.state, tools.snapshot())):
        run.commit(Moved((), stale))


def _close(state: RunState, closing: Closing) -> Closed:
    return Closed(closing.ending, closing.reason, report_of(state, closing.reason))
