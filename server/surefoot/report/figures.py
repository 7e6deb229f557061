"""Counters: what caught what, how often first and later attempts held, and what it cost. Each is a list of events."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from surefoot.core.findings import CheckStatus
from surefoot.core.value import value
from surefoot.report.account import Account, Count, Figures, Rate, ToolUse
from surefoot.report.attempt import Attempt, Catcher, Check, Fault, Mark, Spend
from surefoot.run.outcomes import Bucket

_CHARGED = frozenset({Bucket.CONSTRAINT, Bucket.VALIDATION, Bucket.RUNTIME, Bucket.OUTPUT})
"""Buckets of failures that say something about the draft: a tool or a service that did not work says nothing about it."""


def figures_of(attempts: Sequence[Attempt]) -> Figures:
    """The counters of a run from its attempts."""
    faults = [f for a in attempts for f in a.faults]
    draftings = [d for d in map(_tries, _draftings(attempts)) if d]
    failed_first = [d for d in draftings if not _held(d[0])]
    later = [a for d in draftings for a in d[1:]]
    second = [d[1] for d in draftings if len(d) > 1]
    return Figures(
        by_rule=_caught(faults, Catcher.RULE),
        by_check=_caught(faults, Catcher.CHECK),
        by_judge=_caught(faults, Catcher.JUDGE),
        failures=_counted((f"{f.bucket}: {f.code}", f.seq) for f in faults),
        applied=_counted((rule.text, rule.seq) for a in attempts for rule in a.rules),
        tools=tuple(_tools(attempts)),
        spent=tuple(_spent(s for a in attempts for s in a.spent)),
        first_try=_rate("first attempts that held", [d[0] for d in draftings if _held(d[0])], [d[0] for d in draftings]),
        retries=_rate("later attempts that held", [a for a in later if _held(a)], later),
        recovery=_rate(
            "draftings that held after a failed first attempt",
            [d[0] for d in failed_first if any(map(_held, d))],
            [d[0] for d in failed_first],
        ),
        second_edit_failure=_rate("second attempts that failed", [a for a in second if not _held(a)], second),
    )


def _draftings(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    """The attempts at each step, each drafting apart."""
    out: dict[tuple[int, int], list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.step > 0:
            out[attempt.step, attempt.drafting].append(attempt)
    return list(out.values())


def _tries(drafting: Sequence[Attempt]) -> list[Attempt]:
    """The attempts that say something about a draft: they held, or failed by what they made."""
    return [a for a in drafting if _held(a) or (a.end is Mark.FAILED and any(f.bucket in _CHARGED for f in a.faults))]


def _held(attempt: Attempt) -> bool:
    return attempt.end is Mark.DONE


def _rate(name: str, hits: Iterable[Attempt], among: Iterable[Attempt]) -> Rate:
    return Rate(name, tuple(a.seq for a in hits), tuple(a.seq for a in among))


def _caught(faults: Iterable[Fault], by: Catcher) -> tuple[Count, ...]:
    return _counted((name, f.seq) for f in faults if f.caught is by for name in f.names)


def _counted(pairs: Iterable[tuple[str, int]]) -> tuple[Count, ...]:
    """Most frequent first."""
    found: dict[str, list[int]] = defaultdict(list)
    for name, seq in pairs:
        found[name].append(seq)
    return tuple(Count(name, tuple(found[name])) for name in sorted(found, key=lambda n: (-len(found[n]), n)))


def _tools(attempts: Iterable[Attempt]) -> Iterator[ToolUse]:
    used: dict[str, list[Check]] = defaultdict(list)
    for attempt in attempts:
        for check in attempt.evidence.checks if attempt.evidence is not None else ():
            used[check.tool].append(check)
    for tool, checks in sorted(used.items()):
        clean = sum(c.status == CheckStatus.CLEAN for c in checks)
        new = sum(c.status == CheckStatus.NEW for c in checks)
        times = [c.ms for c in checks]
        yield ToolUse(tool, tuple(c.seq for c in checks), clean, new, len(checks) - clean - new, sum(times), max(times))


def _spent(spends: Iterable[Spend]) -> Iterator[Spend]:
    roles: dict[str, list[Spend]] = defaultdict(list)
    for spend in spends:
        roles[spend.role].append(spend)
    for role, of_role in roles.items():
        yield Spend(
            tuple(n for s in of_role for n in s.events),
            role,
            sum(s.read for s in of_role),
            sum(s.written for s in of_role),
            sum(s.cache_read for s in of_role),
            sum(s.cache_written for s in of_role),
            sum(s.micros for s in of_role),
        )


@value
class Total:
    """How often something happened over some runs; `runs` names those where it did."""

    name: str
    number: int
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counters:
    """What rules, checks and the judge caught, how often each rule applied, and what failed, over some runs: most frequent first."""

    by_rule: tuple[Total, ...]
    by_check: tuple[Total, ...]
    by_judge: tuple[Total, ...]
    failures: tuple[Total, ...]
    applied: tuple[Total, ...]


def counters_of(accounts: Sequence[Account]) -> Counters:
    """The counters of many runs together: a rule that catches often is too rigid, or badly worded."""
    figures = [(a.head.run, a.figures) for a in accounts]
    return Counters(
        _summed((run, f.by_rule) for run, f in figures),
        _summed((run, f.by_check) for run, f in figures),
        _summed((run, f.by_judge) for run, f in figures),
        _summed((run, f.failures) for run, f in figures),
        _summed((run, f.applied) for run, f in figures),
    )


def _summed(counts: Iterable[tuple[str, tuple[Count, ...]]]) -> tuple[Total, ...]:
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for run, of_run in counts:
        for count in of_run:
            found[count.name].append((run, count.number))
    totals = (Total(name, sum(n for _, n in hits), tuple(run for run, _ in hits)) for name, hits in found.items())
    return tuple(sorted(totals, key=lambda t: (-t.number, t.name)))
