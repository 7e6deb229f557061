"""The report of a run as Markdown: what was planned, each step with its diff and its checks, and how it ended."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from surefoot.core.findings import CheckRun, Diagnostic, Evidence
from surefoot.core.sites import REQUIRED_TIERS, Entry, Ledger
from surefoot.core.text import relative
from surefoot.journal.story import Entry as Row
from surefoot.report.titles import counted, step_title
from surefoot.run.events import Closed, Moved, Resulted, Told
from surefoot.run.fold import fold
from surefoot.run.outcomes import Delivered, Noted, Refused
from surefoot.run.state import RunState, StepState
from surefoot.run.words import failure_words

_MARKS: Mapping[str, str] = {
    "applied": "✔",
    "ready": "●",
    "refused": "✘",
    "skipped": "–",
    "reverted": "↩",
    "stale": "…",
    "planned": "○",
    "drafting": "◌",
}


def render(rows: Sequence[Row]) -> str:
    """The whole report; nothing in it comes from anywhere but these events."""
    state = fold(row.event for row in rows)
    if state is None:
        return "No such run.\n"
    return "\n".join((*_head(state, rows), *_steps(state), *_sites(state), *_story(state, rows), ""))


def status_of(state: RunState) -> str:
    """One word for the list of runs: open, attention, or how it closed; for one that only its ready steps keep open, how it will close."""
    if state.closed is not None:
        return state.closed.ending
    return "attention" if state.attention else state.winding.ending if state.winding is not None else "open"


def _head(state: RunState, rows: Sequence[Row]) -> Iterator[str]:
    yield f"# {state.task.text}"
    yield ""
    yield f"Run `{state.run}` · **{status_of(state)}** · started {_time(rows[0].at)} · {state.root}"
    if state.closed:
        yield ""
        yield f"{state.closed.reason}."
    if state.attention:
        yield ""
        yield f"Wants attention: {state.attention}."
    yield ""


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _steps(state: RunState) -> Iterator[str]:
    if not state.steps:
        return
    yield "## Steps"
    for number, step in enumerate(state.steps, 1):
        yield ""
        yield f"### {number}. {_MARKS[step.status]} {step_title(step)}"
        yield ""
        yield f"{step.status.capitalize()}{f': {step.reason}' if step.reason else ''}. {step.planned.intent}"
        yield from _evidence(state, step)
        if step.draft is not None:
            yield from ("", "```diff", step.draft.diff.rstrip("\n"), "```")
    yield ""


def _evidence(state: RunState, step: StepState) -> Iterator[str]:
    if step.evidence is None:
        return
    yield ""
    yield from evidence_lines(state, step.evidence)


def evidence_lines(state: RunState, evidence: Evidence) -> Iterator[str]:
    """What ran, on which files, what it said, and what did not run."""
    for check in evidence.checks:
        yield f"- {_check(check)}"
    for finding in evidence.new:
        yield f"  - new: {_finding(state, finding)}"
    for finding in evidence.fixed:
        yield f"  - fixed: {_finding(state, finding)}"
    yield from (f"- {words}" for words in evidence.not_run)
    yield from (f"- not scanned: {relative(state.root, u.path)} ({u.reason})" for u in evidence.not_scanned)


def _check(check: CheckRun) -> str:
    detail = f" ({check.detail})" if check.detail else ""
    tool = f"{check.tool} {check.version}".rstrip()
    return f"{tool}: {check.status} over {counted(len(check.scope), 'file')} in {check.seconds * 1000:.0f} ms{detail}"


def _finding(state: RunState, d: Diagnostic) -> str:
    return f"{relative(state.root, d.place.path)}:{d.place.line}:{d.place.column} {d.tool} {d.code}: {d.message}"


def _sites(state: RunState) -> Iterator[str]:
    if state.ledger is None or not state.ledger.entries:
        return
    yield f"## Sites when planned: {state.summary}"
    yield ""
    yield from (f"- {_entry(state, e)}" for e in state.ledger.entries if e.site.tier in REQUIRED_TIERS)
    listed = [e for e in state.ledger.entries if e.site.tier not in REQUIRED_TIERS]
    if listed:
        yield from ("", f"Listed and left alone ({len(listed)}):", "")
        yield from (f"- {_entry(state, e)}" for e in listed)
    yield from _not_scanned(state, state.ledger)
    yield ""


def _not_scanned(state: RunState, ledger: Ledger) -> Iterator[str]:
    yield from (f"- not scanned: {relative(state.root, u.path)} ({u.reason})" for u in ledger.not_scanned)


def _entry(state: RunState, entry: Entry) -> str:
    place = entry.site.place
    where = f"{relative(state.root, place.path)}:{place.line}:{place.column}"
    inside = f" in {entry.site.function}" if entry.site.function else ""
    return f"`{where}` {entry.site.kind}, {entry.site.tier} ({entry.site.reason}){inside}"


def _story(state: RunState, rows: Sequence[Row]) -> Iterator[str]:
    lines = [line for row in rows if (line := _line(row))]
    if lines:
        yield "## What happened"
        yield ""
        yield from (f"- {line}" for line in lines)
    if state.closed:
        for name, part in (("Accomplished", state.closed.report.accomplished), ("Remaining", state.closed.report.remaining)):
            yield from ("", f"{name}: {'; '.join(part)}.")
        yield from ("", f"Workspace: {'; '.join(state.closed.report.workspace)}.")


def _line(row: Row) -> str:
    match row.event:
        case Resulted(outcome=Refused(reason=reason)):
            return f"refused: {reason}"
        case Resulted(outcome=Noted(note=note)):
            return f"re-planned: {note}"
        case Resulted(outcome=Delivered(files=files)):
            return f"{_time(row.at)}: delivered to {counted(len(files), 'file')}"
        case Resulted(outcome=outcome) if failure_words(outcome):
            return failure_words(outcome)
        case Moved(stale=stale):
            return f"the text moved under {counted(len(stale), 'step')}"
        case Told(request=request):
            return f"a person said: {request.kind}"
        case Closed(ending=ending):
            return f"{_time(row.at)}: {ending}"
        case _:
            return ""
