"""Validate: the checks of the offer gate on the overlay, baseline subtracted, edited and impacted files alike."""

from surefoot.loop.ports import Tools
from surefoot.loop.run import Run
from surefoot.loop.texts import overlay_for
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Outcome, Validated


async def validate(run: Run, tools: Tools) -> Outcome:
    """Evidence for exactly the change that was drafted."""
    state = run.state
    draft = state.draft
    if draft is None:
        return Failure(Bucket.OUTPUT, FailureClass.PERMANENT, "no draft", "there is nothing to check")
    texts = overlay_for(state, state.step, tools.snapshot())
    where = f"step {state.step + 1} of {len(state.steps)}"
    evidence = await tools.validator.validate(
        draft.change, texts, draft.impacted, draft.renames, lambda tool: tools.progress.report(f"{where}: checking with {tool}")
    )
    return Validated(evidence)
