"""Plan: every site first, then ordered steps; the steps before the one at work stay as they are."""

from surefoot.engines.protocol import Failed, Look, Plan, Refusal
from surefoot.loop.ports import Paid, Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import overlay_for
from surefoot.loop.view import seen_by, view_of
from surefoot.report.ledgers import planned_words
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome, Planned, Reading, Refused


async def plan(run: Run, tools: Tools) -> Paid:
    """Ask the engine for the steps that are still to do on the text that the drafted ones leave."""
    tools.progress.report("finding every site")
    at = max(run.state.step, 0)
    texts = overlay_for(run.state, at, tools.snapshot())
    answer = await tools.engine.plan(view_of(run.state, at, texts, await seen_by(run.state, texts, tools.staff.reader)))
    if not isinstance(answer, Plan):
        return Paid(answered(run, answer), answer.exchanges)
    tools.progress.report(f"planned: {planned_words(answer.ledger, answer.summary)}")
    return Paid(_planned(answer), answer.exchanges)


def _planned(answer: Plan) -> Outcome:
    if not answer.steps:
        return Failure(Bucket.CONSTRAINT, FailureClass.SEMANTIC, "empty", "the plan has no step")
    return Planned(answer.steps, answer.ledger, answer.summary)


def answered(run: Run, answer: Refusal | Look | Failed) -> Outcome:
    """What an engine says when it has no plan or draft. What its model said goes beside the run, not into it."""
    match answer:
        case Refusal():
            return Refused(answer.reason, answer.candidates)
        case Look():
            return Reading(answer.reads)
        case Failed():
            run.trace("answer", answer.failure.message, answer.raw)
            return answer.failure
