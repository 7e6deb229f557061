"""The work of each phase, and what becomes of it when it fails: every action gets a result."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from surefoot.core.errors import JournalError, SurefootError, TextMoved
from surefoot.loop.constrain import constrain
from surefoot.loop.edit import edit
from surefoot.loop.idle import sweep
from surefoot.loop.plan import plan
from surefoot.loop.ports import Tools
from surefoot.loop.replan import replan
from surefoot.loop.run import Run
from surefoot.loop.validate import validate
from surefoot.loop.verify import verify
from surefoot.run.events import Action, Phase
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome

logger = logging.getLogger(__name__)

PHASES: Mapping[Phase, Callable[[Run, Tools], Awaitable[Outcome]]] = {
    Phase.PLAN: plan,
    Phase.CONSTRAIN: constrain,
    Phase.EDIT: edit,
    Phase.VALIDATE: validate,
    Phase.VERIFY: verify,
    Phase.IDLE: sweep,
    Phase.REPLAN: replan,
}


async def effect(run: Run, tools: Tools, action: Action) -> Outcome:
    """Run the pending action; an error outside, a cancellation and a fault of our own are results, too. Raises JournalError."""
    if run.state.work is None or not run.state.work.allowed or not isinstance(action.verb, Phase):
        return Failure(Bucket.CONSTRAINT, FailureClass.PERMANENT, "denied", "the policy does not allow this")
    try:
        return await PHASES[action.verb](run, tools)
    except asyncio.CancelledError:
        if not run.cancelled:
            raise
        return Failure(Bucket.TOOL, FailureClass.CANCELLED, "cancelled", "cancelled by a person")
    except TextMoved:
        return Failure(Bucket.CONSTRAINT, FailureClass.TRANSIENT, "moved", "the text moved while the step was drafted")
    except JournalError:
        raise
    except SurefootError as error:
        return Failure(Bucket.TOOL, FailureClass.PERMANENT, "unavailable", str(error))
    except Exception as error:
        # Whatever a phase does wrong, its action gets a result: a run that waits for ever for nobody would be worse than one that ends.
        logger.exception("phase %s failed", action.verb)
        words = f"Surefoot itself failed ({type(error).__name__}); its log says more"
        return Failure(Bucket.TOOL, FailureClass.PERMANENT, "crashed", words)
