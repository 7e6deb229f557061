"""The report of a run as Markdown: what it left, each step with its attempts, diffs and checks, and its counters."""

import re
from collections.abc import Iterator, Sequence

from surefoot.journal.story import Damage, Entry
from surefoot.report.account import Account, Count, DeadEnd, SiteLine, Sites
from surefoot.report.attempt import Attempt, Check, Draft, Evidence, Finding, Line, Mark, Step
from surefoot.report.gather import account_of
from surefoot.report.titles import counted
from surefoot.report.words import (
    ENDS,
    MARKS,
    attempt_words,
    document_words,
    draft_words,
    landing_words,
    lasting,
    next_words,
    rate_words,
    rates_of,
    spend_words,
    time_words,
    tool_words,
)

_ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|(?<=!)\[")
"""What a viewer of Markdown would take for a tag or load as a picture."""


def render(entries: Sequence[Entry], damage: Damage | None = None) -> str:
    """The report that these events make."""
    return markdown(account_of(entries, damage)) if entries else "No such run.\n"


def markdown(account: Account) -> str:
    """The whole report; nothing in it comes from anywhere but the account."""
    parts = (_head(account), _dead_end(account.dead_end), _planning(account), _steps(account), _sites(account.sites))
    return "\n".join((*(line for part in parts for line in part), *_happened(account), *_figures(account), ""))


def _plain(text: str) -> str:
    """Text in one line, in which nothing is a tag or a picture."""
    return _ACTIVE.sub(r"\\\g<0>", " ".join(text.split()))


def _head(account: Account) -> Iterator[str]:
    head, status = account.head, account.status
    yield f"# {_plain(head.task)}"
    yield ""
    ended = f" · ended {time_words(status.at)}" if status.closed else ""
    yield f"Run `{head.run}` · **{status.word}** · started {time_words(head.started)}{ended} · {_plain(head.root)}"
    wants = "Wants attention: " if status.word == "attention" else ""
    yield from ("", f"{wants}{_plain(status.reason)}.", "")
    if command := next_words(account):
        yield from (f"To go on: `{command}`", "")
    yield f"Accomplished: {_joined(account.accomplished)}."
    yield from ("", f"Remaining: {_joined(account.remaining)}.")
    yield from ("", f"Workspace: {account.workspace.text}.", "")
    for document in account.workspace.documents:
        words = document_words(document)
        yield f"- `{document.path}`: {document.stand}{f' ({words})' if words else ''}, text {document.text[:8] or 'unknown'}"
    if account.workspace.documents:
        yield ""


def _joined(lines: Sequence[Line]) -> str:
    return "; ".join(_plain(line.text) for line in lines)


def _dead_end(dead_end: DeadEnd | None) -> Iterator[str]:
    if dead_end is None:
        return
    yield from ("## Dead end", "")
    yield f"{_plain(dead_end.tool)} did not work, tried {counted(dead_end.attempts, 'time')}. The last error: {_plain(dead_end.error)}."
    yield ""
    yield from (f"- tried: {_plain(line.text)}" for line in dead_end.tried)
    yield from (f"- instead: {_plain(line.text)}" for line in dead_end.alternatives)
    yield ""


def _planning(account: Account) -> Iterator[str]:
    if any(a.end is not Mark.DONE for a in account.planning):
        yield from ("## Planning", "")
        for attempt in account.planning:
            yield from (f"#### {attempt_words(attempt).capitalize()}: {ENDS[attempt.end]}", "")
            yield from _told(attempt)
            yield from _learnt(attempt)
            yield ""


def _steps(account: Account) -> Iterator[str]:
    if not account.steps:
        return
    yield "## Steps"
    for step in account.steps:
        yield from ("", f"### {step.number}. {MARKS[step.status]} {_plain(step.label)}", "")
        yield f"{step.status.capitalize()}{f': {_plain(step.reason)}' if step.reason else ''}. {_plain(step.intent)}"
        yield from _attempts(step)
    yield ""


def _attempts(step: Step) -> Iterator[str]:
    for attempt in step.attempts:
        yield ""
        if len(step.attempts) > 1 or attempt.end is not Mark.DONE:
            yield from (f"#### {attempt_words(attempt).capitalize()}: {ENDS[attempt.end]}", "")
        yield from _told(attempt)
        if attempt.evidence is not None:
            yield from evidence_lines(attempt.evidence)
        yield from _learnt(attempt)
        if attempt.draft is not None:
            yield from _diff(attempt.draft)


def _told(attempt: Attempt) -> Iterator[str]:
    """What the attempt went by."""
    if attempt.number > 1 and attempt.planned is not None:
        yield f"- planned: {_plain(attempt.planned.text)}"
    if attempt.note is not None:
        yield f"- told: {_plain(attempt.note.text)}"
    yield from (f"- must hold: {_plain(c.text)}" for c in attempt.constraints)
    if attempt.rules:
        yield f"- rules: {_joined(attempt.rules)}"


def _learnt(attempt: Attempt) -> Iterator[str]:
    """What failed and what was made of it."""
    yield from (f"- failed in {f.phase}: {_plain(f.text)}" for f in attempt.faults)
    if attempt.refused is not None:
        yield f"- refused: {_plain(attempt.refused.text)}"
    yield from (f"  - {_plain(c.text)}" for c in attempt.candidates)
    if attempt.revised is not None:
        yield f"- re-planned: {_plain(attempt.revised.text)}"
    yield from (f"  - learnt: {_plain(c.text)}" for c in attempt.learnt)
    yield from (f"- {spend_words(s)}" for s in attempt.spent)


def evidence_lines(evidence: Evidence) -> Iterator[str]:
    """What ran, on how many files, what it said, and what did not run."""
    yield from (f"- {_check(c)}" for c in evidence.checks)
    yield from (f"  - new: {_finding(f)}" for f in evidence.new)
    yield from (f"  - fixed: {_finding(f)}" for f in evidence.fixed)
    yield from (f"- {_plain(line.text)}" for line in evidence.not_run)
    yield from (f"- not scanned: {_plain(line.text)}" for line in evidence.not_scanned)


def _check(check: Check) -> str:
    detail = f" ({_plain(check.detail)})" if check.detail else ""
    tool = f"{check.tool} {check.version}".rstrip()
    return f"{tool}: {check.status} over {counted(check.files, 'file')} in {lasting(check.ms / 1000)}{detail}"


def _finding(f: Finding) -> str:
    return f"{f.path}:{f.line}:{f.column} {f.tool} {f.code}: {_plain(f.message)}"


def _diff(draft: Draft) -> Iterator[str]:
    longest = max((len(run) for run in re.findall(r"`+", draft.diff)), default=0)
    fence = "`" * max(3, longest + 1)
    yield from ("", draft_words(draft), "", f"{fence}diff", draft.diff.rstrip("\n"), fence)


def _sites(sites: Sites | None) -> Iterator[str]:
    if sites is None:
        return
    yield from (f"## Sites when planned: {_plain(sites.summary)}", "")
    yield from (f"- {_site(e)}" for e in sites.entries if e.required)
    listed = [e for e in sites.entries if not e.required]
    if listed:
        yield from ("", f"Listed and left alone ({len(listed)}):", "")
        yield from (f"- {_site(e)}" for e in listed)
    yield from (f"- not scanned: {_plain(line.text)}" for line in sites.not_scanned)
    yield ""


def _site(e: SiteLine) -> str:
    return f"`{e.path}:{e.line}:{e.column}` {e.kind}, {e.tier} ({_plain(e.reason)}){f' in {_plain(e.function)}' if e.function else ''}"


def _happened(account: Account) -> Iterator[str]:
    """Deliveries and what came from outside, in order."""
    landed = [(x.seq, f"{time_words(x.at)}: {x.verb} of step {x.step}: {landing_words(x)}") for x in account.landings]
    outside = [(i.seq, f"{time_words(i.at)}: {i.text}") for i in account.interventions]
    if lines := sorted((*landed, *outside)):
        yield from ("## Deliveries and what came from outside", "")
        yield from (f"- {_plain(text)}" for _, text in lines)
        yield ""


def _figures(account: Account) -> Iterator[str]:
    figures = account.figures
    yield from ("## Counters", "")
    yield from (f"- {rate.name}: {rate_words(rate)}" for rate in rates_of(figures))
    yield f"- caught by rules: {_counts(figures.by_rule)}"
    yield f"- caught by checks: {_counts(figures.by_check)}"
    yield f"- caught by the judge: {_counts(figures.by_judge)}"
    yield f"- failures: {_counts(figures.failures)}"
    yield from (f"- {use.tool}: {tool_words(use)}" for use in figures.tools)
    yield from (f"- {spend_words(s)}" for s in figures.spent)
    if not figures.spent:
        yield "- no model was asked"


def _counts(counts: Sequence[Count]) -> str:
    return "; ".join(f"{_plain(c.name)} ({c.number})" for c in counts) or "nothing"
