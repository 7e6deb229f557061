"""`account_of`: the account of a run, from its events alone."""

from collections.abc import Iterator, Sequence

from surefoot.core.sites import REQUIRED_TIERS
from surefoot.core.sites import Entry as LedgerEntry
from surefoot.core.text import relative
from surefoot.journal.story import Damage, Entry
from surefoot.report.account import Account, Happened, Head, Intervention, Landing, SiteLine, Sites, Status
from surefoot.report.attempt import Attempt, Line, Step
from surefoot.report.cover import safe
from surefoot.report.ends import dead_end_of
from surefoot.report.figures import figures_of
from surefoot.report.ledgers import planned_words
from surefoot.report.places import workspace_of
from surefoot.report.seen import Act, Seen, acts_of, seen_of
from surefoot.report.telling import event_words, moved_words, outcome_words, ruled_words, told_words
from surefoot.report.titles import status_of, step_title
from surefoot.report.work_lane import attempts_of, beat_of, mark_of
from surefoot.run.events import Advanced, Closed, Halted, Lane, Moved, Permitted, Phase, Resulted, Resumed, Told
from surefoot.run.outcomes import Delivered, Planned
from surefoot.run.report import report_of
from surefoot.run.state import OVER, RunState, StepStatus
from surefoot.run.words import halted_words

_OPEN = "the run is still open"


def account_of(entries: Sequence[Entry], damage: Damage | None = None) -> Account:
    """What these events tell; `damage` is the first row after them that cannot be believed. Raises ValueError without any event."""
    seen = seen_of(entries, damage)
    if not seen:
        raise ValueError("a run begins with its start")
    acts = acts_of(seen)
    last = seen[-1]
    attempts = attempts_of(acts, last)
    since = _since(seen)
    status = _status(seen)
    steps = _steps(last.after, since, attempts)
    account = Account(
        head=_head(seen[0]),
        status=status,
        accomplished=_accomplished(last.after, since, status),
        remaining=_remaining(last.after, since, status),
        workspace=workspace_of(seen, acts, since),
        planning=tuple(a for a in attempts if a.step == 0),
        steps=steps,
        landings=tuple(_landing(a) for a in acts if a.action.lane is Lane.DELIVERY),
        interventions=tuple(_interventions(seen)),
        sweeps=tuple(beat_of(a) for a in acts if a.action.verb is Phase.IDLE),
        dead_end=dead_end_of(acts, last, status),
        sites=_sites(seen),
        figures=figures_of(attempts),
        journal=tuple(Happened(s.seq, s.at, s.event.kind, event_words(s.after, s.event)) for s in seen),
    )
    return safe(account)


def _head(first: Seen) -> Head:
    state = first.after
    return Head(first.seq, state.run, state.task.text, state.root.as_posix(), state.engine, first.at, state.limits)


def _status(seen: Sequence[Seen]) -> Status:
    """The status and the event that brought it: the close, what halted the run, or what made it begin nothing more."""
    state = seen[-1].after
    word = str(status_of(state))
    if state.closed is not None:
        reason = state.closed.reason
    elif state.attention:
        reason = state.attention
    else:
        reason = state.winding.reason if state.winding is not None else _OPEN
    brought = _brought(seen)
    return Status(brought.seq, word, reason, brought.at, state.closed is not None)


def _brought(seen: Sequence[Seen]) -> Seen:
    last = seen[-1]
    for each in reversed(seen):
        before, after = each.before, each.after
        if last.after.closed is not None:
            return last
        if last.after.attention and (before is None or before.attention != after.attention):
            return each
        if not last.after.attention and isinstance(each.event, Advanced) and each.event.ending is not None:
            return each
    return last


def _since(seen: Sequence[Seen]) -> tuple[int, ...]:
    """For each step of the last state, the event that gave it its status."""
    since: dict[int, int] = {}
    for each in seen:
        before = each.before.steps if each.before is not None else ()
        for index, now in enumerate(each.after.steps):
            if index >= len(before) or before[index].status != now.status or index not in since:
                since[index] = each.seq
    return tuple(since[i] for i in range(len(seen[-1].after.steps)))


def _accomplished(state: RunState, since: Sequence[int], status: Status) -> tuple[Line, ...]:
    applied = tuple(Line(since[i], f"applied: {s.planned.title}") for i, s in enumerate(state.steps) if s.status is StepStatus.APPLIED)
    return applied or (Line(status.seq, report_of(state, status.reason).accomplished[0]),)


def _remaining(state: RunState, since: Sequence[int], status: Status) -> tuple[Line, ...]:
    """As the closing report says it, each with its event."""
    words = report_of(state, status.reason).remaining
    left = tuple(since[i] for i, s in enumerate(state.steps) if s.status not in OVER) or (status.seq,)
    return tuple(Line(seq, text) for seq, text in zip(left, words, strict=True))


def _steps(state: RunState, since: Sequence[int], attempts: Sequence[Attempt]) -> tuple[Step, ...]:
    steps = [
        Step(
            seq=since[index],
            number=index + 1,
            title=step.planned.title,
            label=step_title(step),
            intent=step.planned.intent,
            status=step.status,
            reason=step.reason,
            attempts=tuple(a for a in attempts if a.step == index + 1),
        )
        for index, step in enumerate(state.steps)
    ]
    for number in sorted({a.step for a in attempts if a.step > len(state.steps)}):
        former = tuple(a for a in attempts if a.step == number)
        title = former[-1].title
        steps.append(Step(former[-1].seq, number, title, title, "", "replaced", "a later plan has no such step", former))
    return tuple(steps)


def _landing(act: Act) -> Landing:
    state, outcome = act.intended.after, act.outcome
    seen = act.result or act.intended
    title = state.steps[act.action.step].planned.title
    files = tuple(relative(state.root, f.path) for f in outcome.files) if isinstance(outcome, Delivered) else ()
    words = outcome_words(state, outcome) if outcome is not None else "no result yet"
    ruled = act.ruling.event if act.ruling is not None else None
    by = str(ruled.by) if isinstance(ruled, Permitted) and ruled.allowed else ""
    return Landing(seen.seq, seen.at, act.seconds, act.action.verb, act.action.step + 1, title, by, mark_of(outcome), files, words)


def _interventions(seen: Sequence[Seen]) -> Iterator[Intervention]:
    for each in seen:
        match each.event:
            case Told():
                yield Intervention(each.seq, each.at, "told", told_words(each.after, each.event))
            case Moved():
                yield Intervention(each.seq, each.at, "moved", moved_words(each.after, each.event))
            case Halted():
                yield Intervention(each.seq, each.at, "halted", halted_words(each.event))
            case Permitted(allowed=False):
                yield Intervention(each.seq, each.at, "ruled", ruled_words(each.before or each.after, each.event))
            case Resumed() | Closed(ending="cancelled"):
                yield Intervention(each.seq, each.at, each.event.kind, event_words(each.after, each.event))
            case _:
                pass


def _sites(seen: Sequence[Seen]) -> Sites | None:
    planned = next((s for s in reversed(seen) if isinstance(s.event, Resulted) and isinstance(s.event.outcome, Planned)), None)
    if planned is None or (ledger := planned.after.ledger) is None or not (ledger.entries or ledger.not_scanned):
        return None
    root = planned.after.root
    unseen = tuple(Line(planned.seq, f"{relative(root, u.path)} ({u.reason})") for u in ledger.not_scanned)
    return Sites(planned.seq, planned_words(ledger, planned.after.summary), tuple(_site(planned, e) for e in ledger.entries), unseen)


def _site(planned: Seen, entry: LedgerEntry) -> SiteLine:
    site = entry.site
    path = relative(planned.after.root, site.place.path)
    required = site.tier in REQUIRED_TIERS
    where = (path, site.place.line, site.place.column)
    return SiteLine(planned.seq, *where, site.kind, site.tier, entry.status, site.reason, site.function, site.text, required)
