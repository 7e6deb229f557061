"""The loop over one run: plan, constrain, edit, validate, verify, or re-plan."""

from surefoot.loop.moving import notice
from surefoot.loop.phases import effect
from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.run.events import Action, Closed, Ending, Intended, Permitted, Phase, Resulted
from surefoot.run.fold import step as folded
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Failure
from surefoot.run.report import report_of
from surefoot.run.state import RunState

PATIENCE = 3
"""Times in a row that text may move under one drafting; after that the run waits until it is told of a change."""


async def draft(run: Run, tools: Tools) -> None:
    """Draft until all steps wait for a person, the run is closed, or it wants attention."""
    if run.state.attention or not run.state.open:
        return
    await _take_up(run, tools)
    notice(run, tools)
    left = PATIENCE
    for _ in range(run.state.limits.actions):
        match next_action(run.state):
            case None:
                return
            case Closing() as closing:
                if not _may_close(run):
                    return
                run.commit(close(run.state, closing))
            case Action() as action:
                left = left - 1 if await _act(run, tools, action) == "moved" else PATIENCE if action.verb is Phase.VERIFY else left
                if left <= 0:
                    return
                if run.state.phase is Phase.IDLE:
                    notice(run, tools)


async def _take_up(run: Run, tools: Tools) -> None:
    """Finish what an earlier drafting began: an action without a result, or a result that has led nowhere yet."""
    if run.state.work is not None and run.state.work.allowed is None:
        action = run.state.work.action
        permit = tools.policy.permit(action)
        run.commit(Permitted(action.id, permit.allowed, permit.by, permit.reason))
    if run.state.work is not None:
        await _finish(run, tools, run.state.work.action)
    elif run.state.settled is not None:
        _lead_on(run, None, run.state)


async def _act(run: Run, tools: Tools, action: Action) -> str:
    """One action: intent and ruling, then the effect; the code of its failure, "" when it did not fail."""
    permit = tools.policy.permit(action)
    run.commit(Intended(action), Permitted(action.id, permit.allowed, permit.by, permit.reason))
    return await _finish(run, tools, action) if run.state.work is not None else ""


async def _finish(run: Run, tools: Tools, action: Action) -> str:
    """The effect, its result, and where that leads, recorded together."""
    done = await effect(run, tools, action)
    resulted = Resulted(action.id, action.input, done.outcome, tuple(exchange.spent for exchange in done.exchanges))
    _lead_on(run, resulted, folded(run.state, resulted))
    return done.outcome.code if isinstance(done.outcome, Failure) else ""


def _lead_on(run: Run, resulted: Resulted | None, after: RunState) -> None:
    match advance(after):
        case Closing() as closing if _may_close(run):
            following = (close(after, closing),)
        case Closing() | None:
            following = ()
        case advanced:
            following = (advanced,)
    if resulted is not None:
        run.settle(resulted, *following)
    elif following:
        run.commit(*following)


def _may_close(run: Run) -> bool:
    """A run closes when nothing is on its way to the person's text; until then its last result stays settled."""
    return run.state.delivery is None


def close(state: RunState, closing: Closing) -> Closed:
    """The last event of a run, with its report."""
    return Closed(closing.ending, closing.reason, report_of(state, closing.reason))


CANCELLED = Closing(Ending.CANCELLED, "cancelled by a person")
