"""The attempts of a run: what was planned, what applied, what was made, what failed and how the plan was revised."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from surefoot.core.findings import CheckRun, Diagnostic
from surefoot.core.findings import Evidence as Found
from surefoot.core.plan import Constraint
from surefoot.core.sites import Symbol
from surefoot.core.text import relative
from surefoot.report.attempt import Attempt, Beat, Catcher, Check, Draft, Evidence, Fault, Finding, Line, Mark, Spend
from surefoot.report.seen import Act, Seen, grouped
from surefoot.report.telling import outcome_words
from surefoot.report.titles import sites_words
from surefoot.run.events import Phase, Resulted
from surefoot.run.outcomes import (
    Bucket,
    Constrained,
    Drafted,
    Failure,
    FailureClass,
    Noted,
    Outcome,
    Planned,
    Refused,
    Role,
    Spent,
    Validated,
    Verified,
)
from surefoot.run.state import RunState
from surefoot.run.words import failure_words

_DRAFTING = frozenset({Phase.PLAN, Phase.CONSTRAIN, Phase.EDIT})
_BEYOND_RULES = frozenset({"moved", "cancelled"})


def attempts_of(acts: Sequence[Act], last: Seen) -> tuple[Attempt, ...]:
    """The attempts in order; `last` is the run's last event."""
    draftings: dict[int, int] = defaultdict(int)
    out: list[Attempt] = []
    for group in grouped(acts):
        action = group[0].action
        draftings[action.step] += action.attempt == 1
        out.append(_attempt(group, draftings[action.step], last))
    return tuple(out)


def _attempt(acts: Sequence[Act], drafting: int, last: Seen) -> Attempt:
    first = acts[0]
    told = first.intended.before or first.intended.after
    results = tuple(a.result for a in acts if a.result is not None)
    return Attempt(
        seq=first.intended.seq,
        step=first.action.step + 1,
        drafting=drafting,
        number=first.action.attempt,
        title=_title(acts),
        end=_end(acts, last),
        planned=_planned(acts),
        note=Line(first.intended.seq, told.note) if told.note else None,
        constraints=tuple(Line(first.intended.seq, constraint_words(told, c)) for c in told.constraints),
        rules=tuple(Line(r.seq, rule) for r, o in _bodies(results) if isinstance(o, Constrained) for rule in o.rules),
        draft=next((_draft(r, o) for r, o in reversed(_bodies(results)) if isinstance(o, Drafted)), None),
        evidence=next((_evidence(r, o.evidence) for r, o in reversed(_bodies(results)) if isinstance(o, Validated)), None),
        verified=tuple(Line(r.seq, rule) for r, o in _bodies(results) if isinstance(o, Verified) for rule in o.rules if rule != o.broken),
        refused=next((Line(r.seq, o.reason) for r, o in _bodies(results) if isinstance(o, Refused)), None),
        candidates=tuple(_candidate(r, c) for r, o in _bodies(results) if isinstance(o, Refused) for c in o.candidates),
        faults=tuple(fault for act in acts if (fault := fault_of(act)) is not None),
        revised=next((Line(r.seq, o.note) for r, o in _bodies(results) if isinstance(o, Noted)), None),
        learnt=tuple(Line(r.seq, constraint_words(r.after, c)) for r, o in _bodies(results) if isinstance(o, Noted) for c in o.constraints),
        spent=spent_of(results),
        beats=tuple(map(beat_of, acts)),
    )


def _bodies(results: Iterable[Seen]) -> list[tuple[Seen, Outcome]]:
    return [(r, r.event.outcome) for r in results if isinstance(r.event, Resulted)]


def _candidate(seen: Seen, symbol: Symbol) -> Line:
    place = symbol.place
    return Line(seen.seq, f"{relative(seen.after.root, place.path)}:{place.line}:{place.column} {symbol.kind} {symbol.name}")


def _title(acts: Sequence[Act]) -> str:
    state, index = acts[-1].intended.after, acts[-1].action.step
    return state.steps[index].planned.title if 0 <= index < len(state.steps) else "the plan"


def _planned(acts: Sequence[Act]) -> Line | None:
    """What was meant to be done: the intent of the step at work, or what the first plan says."""
    for act in reversed(acts):
        if isinstance(act.outcome, Planned) and act.result is not None:
            index = max(act.action.step, 0)
            steps = act.result.after.steps
            words = steps[index].planned.intent if act.action.step >= 0 and index < len(steps) else act.outcome.summary
            return Line(act.result.seq, words)
    state, index = acts[0].intended.after, acts[0].action.step
    return Line(acts[0].intended.seq, state.steps[index].planned.intent) if 0 <= index < len(state.steps) else None


def _end(acts: Sequence[Act], last: Seen) -> Mark:
    act = acts[-1]
    mark = mark_of(act.outcome)
    if mark is not Mark.DONE:
        return mark
    if act.action.verb is Phase.VERIFY or (act.action.verb is Phase.PLAN and act.action.step < 0):
        return Mark.DONE
    if act.action.verb is Phase.REPLAN:
        return Mark.FAILED
    red = isinstance(act.outcome, Validated) and not act.outcome.evidence.green
    if red:
        return Mark.FAILED
    at_work = act.result is not None and last.after.open and last.after.phase is not Phase.IDLE and last.after.attempt == act.action.attempt
    return Mark.PENDING if at_work and last.after.step == act.action.step else Mark.STOPPED


def mark_of(outcome: Outcome | None) -> Mark:
    """How an action ended that came back with this."""
    match outcome:
        case None:
            return Mark.PENDING
        case Failure(cls=FailureClass.CANCELLED):
            return Mark.CANCELLED
        case Failure(code="moved"):
            return Mark.MOVED
        case Failure():
            return Mark.FAILED
        case Refused():
            return Mark.REFUSED
        case _:
            return Mark.FAILED if failure_words(outcome) else Mark.DONE


def beat_of(act: Act) -> Beat:
    """One action as a beat of the timeline."""
    action = act.action
    seq = act.result.seq if act.result is not None else act.intended.seq
    words = outcome_words(act.intended.after, act.outcome) if act.outcome is not None else "no result yet"
    return Beat(seq, act.intended.at, act.seconds, action.verb, action.step + 1, action.attempt, mark_of(act.outcome), words)


def _draft(seen: Seen, drafted: Drafted) -> Draft:
    files = tuple(relative(seen.after.root, p) for p in drafted.change.paths)
    size, change = drafted.size, drafted.change
    return Draft(seen.seq, change.digest, files, size.added, size.removed, sites_words(drafted.tally), drafted.diff)


def _evidence(seen: Seen, found: Found) -> Evidence:
    root = seen.after.root
    return Evidence(
        seen.seq,
        found.verdict,
        tuple(_check(seen, c) for c in found.checks),
        tuple(_finding(seen, d) for d in found.new),
        tuple(_finding(seen, d) for d in found.fixed),
        tuple(Line(seen.seq, words) for words in found.not_run),
        tuple(Line(seen.seq, f"{relative(root, u.path)} ({u.reason})") for u in found.not_scanned),
    )


def _check(seen: Seen, c: CheckRun) -> Check:
    return Check(seen.seq, c.tool, c.version, c.status, len(c.scope), round(c.seconds * 1000), c.detail)


def _finding(seen: Seen, d: Diagnostic) -> Finding:
    place = d.place
    return Finding(seen.seq, relative(seen.after.root, place.path), place.line, place.column, d.tool, d.code, d.severity, d.message)


def constraint_words(state: RunState, c: Constraint) -> str:
    """A constraint with where it comes from."""
    where = f"{relative(state.root, c.path)}{f':{c.line}' if c.line else ''}: " if c.path is not None else ""
    return f"{where}{c.text} ({c.origin})"


def fault_of(act: Act) -> Fault | None:
    """Why the result of an action does not hold, None when it does or when text moved under it."""
    outcome, seen = act.outcome, act.result
    if seen is None:
        return None
    verb = str(act.action.verb)
    match outcome:
        case Failure() if outcome.code not in _BEYOND_RULES:
            caught = Catcher.RULE if outcome.bucket is Bucket.CONSTRAINT and act.action.verb in _DRAFTING else Catcher.NOBODY
            names = (outcome.code,) if caught is Catcher.RULE else ()
            return Fault(seen.seq, verb, caught, names, outcome.bucket, outcome.cls, outcome.code, outcome.message)
        case Validated(evidence=found) if found.new:
            names = tuple(dict.fromkeys(f"{d.tool} {d.code}".strip() for d in found.new))
            words = failure_words(outcome)
            return Fault(seen.seq, verb, Catcher.CHECK, names, Bucket.VALIDATION, FailureClass.SEMANTIC, "findings", words)
        case Validated(evidence=found) if not found.green:
            words = failure_words(outcome)
            return Fault(seen.seq, verb, Catcher.NOBODY, (), Bucket.TOOL, FailureClass.PERMANENT, found.verdict, words)
        case Verified(broken=broken) if broken:
            judged = isinstance(seen.event, Resulted) and any(s.role is Role.JUDGE for s in seen.event.spent)
            caught = Catcher.JUDGE if judged else Catcher.RULE
            return Fault(seen.seq, verb, caught, (broken,), Bucket.CONSTRAINT, FailureClass.SEMANTIC, "rule", failure_words(outcome))
        case _:
            return None


def spent_of(results: Iterable[Seen]) -> tuple[Spend, ...]:
    """What model calls used, each role apart; nothing for a role that was not asked."""
    calls = [(r.seq, s) for r in results if isinstance(r.event, Resulted) for s in r.event.spent]
    return tuple(_spend(role, of_role) for role in Role if (of_role := [(n, s) for n, s in calls if s.role is role]))


def _spend(role: Role, calls: Sequence[tuple[int, Spent]]) -> Spend:
    return Spend(
        tuple(n for n, _ in calls),
        role,
        sum(s.read for _, s in calls),
        sum(s.written for _, s in calls),
        sum(s.cache_read for _, s in calls),
        sum(s.cache_written for _, s in calls),
        sum(s.micros for _, s in calls),
    )
