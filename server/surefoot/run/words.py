"""Sentences about results, for reasons and reports."""

from surefoot.core.findings import Evidence
from surefoot.run.events import Halted
from surefoot.run.outcomes import Failure, Outcome, Validated, Verified


def failure_words(outcome: Outcome) -> str:
    """Why a result does not hold, in a sentence; "" for one that does."""
    match outcome:
        case Failure():
            return outcome.message
        case Validated():
            return "" if outcome.evidence.green else findings_words(outcome.evidence)
        case Verified():
            return f"the rule {outcome.broken!r} does not hold" if outcome.broken else outcome.objection
        case _:
            return ""


def findings_words(evidence: Evidence) -> str:
    """The first new finding and how many there are, or why there is no verdict."""
    if not evidence.new:
        unable = "; ".join(f"{c.tool}: {c.detail or c.status}" for c in evidence.checks if c.status not in {"clean", "later"})
        return f"not validated: {unable or '; '.join(evidence.not_run) or 'no check could run'}"
    first = evidence.new[0]
    rest = len(evidence.new) - 1
    more = f" (and {rest} more)" if rest else ""
    where = f"{first.place.path.name}:{first.place.line}:{first.place.column}"
    return f"{first.tool} finds something new at {where}: {first.message} [{first.code}]{more}"


def halted_words(event: Halted) -> str:
    """What stopped a run: the rule, what broke it and where; nothing of its content."""
    what = "a stored row" if event.event == "row" else f"an event of kind {event.event or 'unknown'}"
    where = f" at {event.field}" if event.field else ""
    about = f" (action {event.action})" if event.action else ""
    return f"{what} broke the rule “{event.rule}”{where}{about}{_aside_words(event)}"


def _aside_words(event: Halted) -> str:
    """What is not known any more, because it stood in rows that cannot be believed."""
    if not event.aside:
        return ""
    rows = "1 row was" if event.aside == 1 else f"{event.aside} rows were"
    names = ", ".join(sorted(path.name for path in event.edited))
    return f"; {rows} set aside" + (f", which say that {names} had been edited" if names else "")
