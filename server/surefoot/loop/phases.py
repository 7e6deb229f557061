"""The work of each phase, and what becomes of it when it fails: every action gets a result."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from surefoot.core.errors import JournalError, SurefootError, TextMoved
from surefoot.llm.ask import Exchange
from surefoot.loop.constrain import constrain
from surefoot.loop.edit import edit
from surefoot.loop.idle import sweep
from surefoot.loop.plan import plan
from surefoot.loop.ports import Paid, Tools
from surefoot.loop.replan import replan
from surefoot.loop.run import Run
from surefoot.loop.validate import validate
from surefoot.loop.verify import verify
from surefoot.run.events import Action, Phase
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome

logger = logging.getLogger(__name__)

MOVED = "the text moved while the step was drafted"

CANCELLED_WORK = Failure(Bucket.TOOL, FailureClass.CANCELLED, "cancelled", "cancelled by a person")

PHASES: Mapping[Phase, Callable[[Run, Tools], Awaitable[Outcome | Paid]]] = {
    Phase.PLAN: plan,
    Phase.CONSTRAIN: constrain,
    Phase.EDIT: edit,
    Phase.VALIDATE: validate,
    Phase.VERIFY: verify,
    Phase.IDLE: sweep,
    Phase.REPLAN: replan,
}


async def effect(run: Run, tools: Tools, action: Action) -> Paid:
    """Run the pending action; an error outside, a cancellation and a fault of our own are results, too. Raises JournalError."""
    if run.state.work is None or not run.state.work.allowed or not isinstance(action.verb, Phase):
        return Paid(Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "denied", "the policy does not allow this"))
    try:
        done = await PHASES[action.verb](run, tools)
        paid = done if isinstance(done, Paid) else Paid(done)
        _keep(run, paid.exchanges)
        return paid
    except asyncio.CancelledError:
        if not run.cancelled:
            raise
        return Paid(CANCELLED_WORK)
    except JournalError:
        raise
    except Exception as error:
        return Paid(_failure(action.verb, error))


def _keep(run: Run, exchanges: Sequence[Exchange]) -> None:
    """What was said to a model and what it answered goes beside the run, as do the tries that it took: for people, never for a view."""
    for exchange in exchanges:
        for retry in exchange.retries:
            run.trace("retry", f"{exchange.spent.role}: {retry.why}; try {retry.number} of {retry.most} after {retry.wait:g} s")
        told = f"{exchange.spent.role} {exchange.model}, templates {exchange.prompt}, {exchange.seconds:.2f} s"
        run.trace("request", told, exchange.request)
        run.trace("response", told, exchange.response)


def _failure(verb: Phase, error: Exception) -> Failure:
    if isinstance(error, TextMoved):
        return Failure(Bucket.CONSTRAINT, FailureClass.TRANSIENT, "moved", MOVED)
    if isinstance(error, SurefootError):
        return Failure(Bucket.TOOL, FailureClass.PERMANENT, "unavailable", str(error))
    # Whatever a phase does wrong, its action gets a result: a run that waits for ever for nobody would be worse than one that ends.
    logger.error("phase %s failed", verb, exc_info=error)
    words = f"Surefoot itself failed ({type(error).__name__}); its log says more"
    return Failure(Bucket.TOOL, FailureClass.PERMANENT, "crashed", words)
