"""Dead ends: a run that ended, or waits, because something that it needs did not work."""

import shlex
from collections.abc import Iterator, Sequence

from surefoot.core.findings import CheckStatus
from surefoot.report.account import DeadEnd, Status
from surefoot.report.attempt import Line
from surefoot.report.seen import Act, Seen
from surefoot.run.events import Lane, Phase
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Validated
from surefoot.run.state import RunState
from surefoot.run.words import failure_words


def dead_end_of(acts: Sequence[Act], last: Seen, status: Status) -> DeadEnd | None:
    """The tool that the run came to nothing on: what it said each time, and what can be done. None when it was not a tool."""
    state = last.after
    worked = [a for a in acts if a.action.lane is Lane.WORK and a.outcome is not None and a.action.verb is not Phase.IDLE]
    stuck = not state.open or bool(state.attention) or state.winding is not None
    if not worked or not stuck or state.halted is not None or state.halfway is not None or not _is_stuck(worked[-1]):
        return None
    tool = _tool(worked[-1], state)
    tried = tuple(_tried(a) for a in worked if _is_stuck(a) and _tool(a, state) == tool)
    others = (*_others(worked[-1]), *_advice(worked[-1], state))
    return DeadEnd(status.seq, tool, _error(worked[-1]), tried, tuple(Line(status.seq, words) for words in others))


def _is_stuck(act: Act) -> bool:
    match act.outcome:
        case Failure(bucket=Bucket.TOOL | Bucket.TRANSPORT, cls=cls):
            return cls is not FailureClass.CANCELLED
        case Validated(evidence=found):
            return not found.green and not found.new
        case _:
            return False


def _tool(act: Act, state: RunState) -> str:
    match act.outcome:
        case Validated(evidence=found):
            return ", ".join(dict.fromkeys(c.tool for c in found.checks if c.status is not CheckStatus.CLEAN)) or "the checks"
        case Failure(bucket=Bucket.TRANSPORT):
            return "the model's service"
        case _:
            return f"the engine {state.engine}" if act.action.verb in {Phase.PLAN, Phase.EDIT} else f"the tools of {act.action.verb}"


def _tried(act: Act) -> Line:
    seen, action = act.result or act.intended, act.action
    where = f"{action.verb}{f', step {action.step + 1}' if action.step >= 0 else ''}, attempt {action.attempt}"
    return Line(seen.seq, f"{where}: {_error(act)}")


def _error(act: Act) -> str:
    return failure_words(act.outcome) if act.outcome is not None else "no result"


def _others(act: Act) -> Iterator[str]:
    """Checks that could look all the same."""
    if isinstance(act.outcome, Validated):
        for check in act.outcome.evidence.checks:
            if check.status is CheckStatus.CLEAN:
                yield f"{check.tool} could look at the same change and found nothing new; that alone is not enough to offer it"


def _advice(act: Act, state: RunState) -> Iterator[str]:
    if isinstance(act.outcome, Failure) and act.outcome.bucket is Bucket.TRANSPORT:
        yield f"once the way to the service is right: surefoot resume {state.run}"
        return
    yield "surefoot doctor says which checkers there are, and how to get the missing ones"
    yield f"start the task again once the tool works: surefoot run {shlex.quote(state.task.text)}"
