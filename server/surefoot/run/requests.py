"""What a person or a client may ask of a run: tested against its state and refused with a sentence, never an error.

A double click, a button that has gone stale and an answer that comes late are all requests that no longer fit.
"""

from typing import assert_never

from surefoot.core.text import relative
from surefoot.core.value import value
from surefoot.run.events import Constrain, Delivery, Overrule, Skip, Waive
from surefoot.run.legality import deliverable, told
from surefoot.run.state import OVER, RunState, StepState, StepStatus


@value
class Apply:
    """Put a ready step into the text. `change` is the digest of the change that was shown, where one was."""

    step: int
    change: str = ""


@value
class Revert:
    """Take the last applied step back."""


@value
class Cancel:
    """Stop drafting and close; what was applied stays."""


@value
class Resume:
    """Go on from the last valid state."""


@value
class Finish:
    """Bring an edit that reached only some of its documents to the others."""


Request = Apply | Revert | Skip | Constrain | Waive | Overrule | Cancel | Resume | Finish


def allowed(state: RunState, request: Request) -> str:
    """Why a request does not fit the run as it is, in a sentence for a person; "" when it does."""
    if state.closed is not None:
        return f"run {state.run} is closed ({state.closed.ending})"
    match request:
        case Apply():
            return _unready(state, "applied") or _apply(state, request)
        case Revert():
            return _unready(state, "reverted") or ("" if state.last_applied >= 0 else f"no step of run {state.run} is applied")
        case Skip():
            return _skip(state, request)
        case Waive():
            return _waive(state, request)
        case Overrule():
            return "" if told(state, request) is None else f"step {request.step + 1} does not wait for anybody to overrule the judge"
        case Constrain() | Cancel():
            return ""
        case Resume():
            return _resume(state)
        case Finish():
            return _finish(state)
        case _:
            assert_never(request)


def _resume(state: RunState) -> str:
    if state.halfway is not None:
        return "an edit was cut short: finish it, or undo it; a run that forgot it would not know what it did"
    return "" if state.attention else f"run {state.run} does not wait for you to resume it"


def _finish(state: RunState) -> str:
    if state.halfway is None:
        return f"run {state.run} has no edit that was cut short"
    verb = Delivery.REVERT if state.steps[state.halfway.step].status is StepStatus.APPLIED else Delivery.APPLY
    why = deliverable(state, verb, state.halfway.step)
    return f"not finished: {why}; undo the half that is there" if why else ""


def _unready(state: RunState, done: str) -> str:
    if state.attention:
        return f"run {state.run} wants attention first: {state.attention}"
    return f"another step is being {done} right now" if state.delivery is not None else ""


def _apply(state: RunState, request: Apply) -> str:
    index, following = request.step, state.next_step
    if not state.steps:
        return "there is no step to apply yet"
    if following < 0 or not 0 <= index < len(state.steps):
        return "no step is left to apply"
    step = state.steps[index]
    if request.change and (step.draft is None or step.draft.change.digest != request.change):
        return "not applied: the step was drafted again since it was shown; look at it first"
    if not deliverable(state, Delivery.APPLY, index):
        return ""
    if index != following:
        return f"step {index + 1} is {step.status} already" if step.status in OVER else _order(state, following)
    return _why_not(step, index)


def _order(state: RunState, following: int) -> str:
    first = state.steps[following]
    why = f", and it was refused: {first.reason}" if first.status is StepStatus.REFUSED else ": steps are applied in order"
    return f"step {following + 1} comes first{why}"


def _why_not(step: StepState, index: int) -> str:
    if step.status is StepStatus.REFUSED:
        return f"step {index + 1} was refused: {step.reason}"
    if step.stuck:
        return f"step {index + 1} cannot be drafted on the text as it is: {step.reason}"
    return f"step {index + 1} is still being drafted and checked; try again when it is ready"


def _waive(state: RunState, request: Waive) -> str:
    broken = told(state, request)
    return (
        f"{relative(state.root, request.path)}:{request.line}:{request.column} is not waived: {broken.rule}" if broken is not None else ""
    )


def _skip(state: RunState, request: Skip) -> str:
    if told(state, request) is None:
        return ""
    if not 0 <= request.step < len(state.steps):
        return f"run {state.run} has no step {request.step + 1}"
    status = state.steps[request.step].status
    return f"step {request.step + 1} is {status if status in OVER else 'at work: try again soon'}"
