"""Sentences about single events: what came of an action, and each event of the journal."""

from typing import assert_never

from surefoot.core.text import relative
from surefoot.report.ledgers import planned_words
from surefoot.report.titles import counted, size_words
from surefoot.run.events import (
    Advanced,
    Authority,
    Closed,
    Constrain,
    Event,
    Halted,
    Intended,
    Moved,
    Overrule,
    Permitted,
    Resulted,
    Resumed,
    Skip,
    Started,
    Told,
    Waive,
)
from surefoot.run.outcomes import (
    Constrained,
    Delivered,
    Drafted,
    Failure,
    Noted,
    NotRead,
    Outcome,
    Planned,
    Read,
    Reading,
    Refused,
    Search,
    SitesOf,
    Span,
    Swept,
    SymbolsIn,
    Validated,
    Verified,
)
from surefoot.run.state import RunState
from surefoot.run.words import findings_words, halted_words


def outcome_words(state: RunState, outcome: Outcome) -> str:
    """What an action came back with."""
    match outcome:
        case Failure():
            return outcome.message
        case Planned():
            return f"{counted(len(outcome.steps), 'step')}: {planned_words(outcome.ledger, outcome.summary)}"
        case Reading():
            return f"asks to see {', '.join(_read_words(state, read) for read in outcome.reads)}"
        case Constrained():
            return f"held to {counted(len(outcome.rules), 'rule')}"
        case Drafted():
            return f"{size_words(outcome.size)} in {counted(len(outcome.change.files), 'file')}"
        case Validated():
            checks = counted(len(outcome.evidence.checks), "check")
            return f"{checks}, nothing new" if outcome.evidence.green else findings_words(outcome.evidence)
        case Verified():
            return _verdict_words(outcome)
        case Swept():
            return f"step {outcome.stale + 1} no longer holds" if outcome.stale >= 0 else "every step holds"
        case Noted():
            return f"re-planned: {outcome.note}"
        case Refused():
            return f"refused: {outcome.reason}"
        case Delivered():
            return f"delivered to {counted(len(outcome.files), 'file')}"
        case _:
            assert_never(outcome)


def _read_words(state: RunState, read: Read) -> str:
    match read:
        case Span():
            return f"{relative(state.root, read.path)}:{read.first}-{read.last}"
        case SitesOf():
            return f"the sites of {read.name}"
        case SymbolsIn():
            return f"the symbols of {relative(state.root, read.path)}"
        case Search():
            return f"lines with “{read.words}”"
        case NotRead():
            return f"what it may not see ({read.why})"
        case _:
            assert_never(read)


def _verdict_words(outcome: Verified) -> str:
    if outcome.broken:
        return f"the rule {outcome.broken!r} does not hold"
    held = f"{counted(len(outcome.rules), 'rule')} checked"
    if not outcome.judged:
        return held
    return f"{held}; the judge is against it: {outcome.objection}" if outcome.objection else f"{held}; the judge passes it"


def told_words(state: RunState, event: Told) -> str:
    """What a person said."""
    match event.request:
        case Skip(step=index):
            return f"a person leaves step {index + 1} out"
        case Constrain(constraint=constraint):
            return f"a person demands: {constraint.text}"
        case Overrule(step=index):
            return f"a person overrules the judge on step {index + 1}"
        case Waive(path=path, line=line, column=column, reason=reason):
            return f"a person lets the site at {relative(state.root, path)}:{line}:{column} be: {reason}"
        case _:
            assert_never(event.request)


def ruled_words(state: RunState, event: Permitted) -> str:
    """Who let an action go ahead, or did not; `state` is the run before that."""
    pending = next((p.action for p in (state.work, state.delivery) if p is not None and p.action.id == event.action), None)
    what = f"{pending.verb}{f' of step {pending.step + 1}' if pending.step >= 0 else ''}" if pending is not None else "an action"
    who = "a person" if event.by is Authority.PERSON else "the policy"
    return f"{who} {'allows' if event.allowed else 'denies'} the {what}{f': {event.reason}' if event.reason else ''}"


def moved_words(state: RunState, event: Moved) -> str:
    """Which texts moved, and what that did to the steps."""
    names = ", ".join(relative(state.root, p) for p in event.files) or "the text"
    stale = f"; {_numbered(event.stale)} no longer hold{'s' if len(event.stale) == 1 else ''}" if event.stale else ""
    held = f"; {_numbered(event.held)} hold{'s' if len(event.held) == 1 else ''} again" if event.held else ""
    return f"{names} moved{stale}{held}"


def _numbered(steps: tuple[int, ...]) -> str:
    return f"step{'s' if len(steps) > 1 else ''} {', '.join(str(i + 1) for i in steps)}"


def event_words(state: RunState, event: Event) -> str:
    """One event of the journal in a sentence; `state` is the run after it."""
    match event:
        case Started():
            return f"{event.task.text} (engine {event.engine})"
        case Intended(action=a):
            return f"{a.verb}{f', step {a.step + 1}' if a.step >= 0 else ''}, attempt {a.attempt}"
        case Permitted():
            return f"{'allowed' if event.allowed else 'denied'} by {event.by}{f': {event.reason}' if event.reason else ''}"
        case Resulted():
            return outcome_words(state, event.outcome)
        case Advanced():
            ending = f"; the run will end: {event.ending}, {event.reason}" if event.ending is not None else ""
            return f"{event.source} → {event.to}{f', step {event.step + 1}' if event.step >= 0 else ''}{ending}"
        case Told():
            return told_words(state, event)
        case Moved():
            return moved_words(state, event)
        case Halted():
            return halted_words(event)
        case Resumed():
            return f"a person lets the run go on from its first {counted(event.since, 'event')}"
        case Closed():
            return f"{event.ending}: {event.reason}"
        case _:
            assert_never(event)
