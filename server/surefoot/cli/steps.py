"""How a run is shown in the terminal and as JSON (`run`, `apply`, `resume`)."""

import sys
from collections.abc import Mapping

from surefoot.cli.common import ATTENTION, CANCELLED, LIMIT, OK, REFUSED
from surefoot.core.findings import CheckRun, Diagnostic, Evidence
from surefoot.core.sites import Site, SiteStatus, Symbol, Tier
from surefoot.core.text import relative
from surefoot.report.titles import counted, status_of, step_title
from surefoot.report.words import money
from surefoot.run.events import Ending
from surefoot.run.outcomes import Refused
from surefoot.run.state import OVER, RunState, StepState, unverified

_EXIT: Mapping[Ending, int] = {
    Ending.DONE: OK,
    Ending.REFUSED: REFUSED,
    Ending.ESCALATED: REFUSED,
    Ending.LIMIT: LIMIT,
    Ending.CANCELLED: CANCELLED,
}
_SHOWN = 10
"""Likely sites that are printed; the report lists all of them."""
_RED, _GREEN, _CYAN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[1m", "\x1b[0m"


def exit_code(state: RunState) -> int:
    """0 when all steps are ready or applied; else what the documentation of `run` lists."""
    if state.attention:
        return ATTENTION
    if (ended := state.closed or state.winding) is not None:
        return _EXIT[ended.ending]
    return OK if state.steps and all(s.offered or s.status in OVER for s in state.steps) else REFUSED


def as_json(state: RunState, report: str, candidates: tuple[Symbol, ...] = (), refused: str = "") -> object:
    """The answer of `run`, `apply` and `resume`; `refused` says why an apply did not go through."""
    refused = refused or why_not(state)
    return {
        "run": state.run,
        "status": status_of(state),
        "steps": [_step(state, s) for s in state.steps],
        "left": [_site(state, s) for s in _left(state)],
        "refused": {"reason": refused, "candidates": [_symbol(state, c) for c in candidates]} if refused else None,
        "report": report,
    }


def _left(state: RunState) -> list[Site]:
    """Sites that may be the symbol and are left alone, as they were when the run was planned."""
    entries = state.ledger.entries if state.ledger is not None else ()
    return [e.site for e in entries if e.site.tier is Tier.LIKELY and e.status is SiteStatus.PENDING]


def _site(state: RunState, s: Site) -> object:
    place = {"path": relative(state.root, s.place.path), "line": s.place.line, "column": s.place.column}
    return {**place, "kind": s.kind, "tier": s.tier, "reason": s.reason, "text": s.text}


def why_not(state: RunState) -> str:
    """Why a run came to no good end or cannot go on, "" when it did or can."""
    if state.closed is not None:
        return "" if state.closed.ending is Ending.DONE else state.closed.reason
    if state.attention:
        return state.attention
    if state.winding is not None:
        return state.winding.reason
    return next((s.reason or "a step is not ready" for s in state.steps if not s.offered and s.status not in OVER), "")


def _step(state: RunState, step: StepState) -> object:
    draft = step.draft
    return {
        "title": step.planned.title,
        "status": step.status,
        "files": [relative(state.root, p) for p in draft.change.paths] if draft else [],
        "added": draft.size.added if draft else 0,
        "removed": draft.size.removed if draft else 0,
        "sites": draft.tally.sites if draft else 0,
        "diff": draft.diff if draft else "",
        "evidence": _evidence(state, step.evidence) if step.evidence else None,
    }


def _evidence(state: RunState, evidence: Evidence) -> object:
    return {
        "verdict": evidence.verdict,
        "checks": [_check(c) for c in evidence.checks],
        "new": [finding(state, d) for d in evidence.new],
        "fixed": [finding(state, d) for d in evidence.fixed],
        "not_run": list(evidence.not_run),
        "not_scanned": [{"path": relative(state.root, u.path), "reason": u.reason} for u in evidence.not_scanned],
    }


def _check(c: CheckRun) -> object:
    ms = round(c.seconds * 1000)
    return {"tool": c.tool, "version": c.version, "scope": len(c.scope), "ms": ms, "status": c.status, "detail": c.detail}


def finding(state: RunState, d: Diagnostic) -> object:
    """One diagnostic as JSON."""
    place = {"path": relative(state.root, d.place.path), "line": d.place.line, "column": d.place.column}
    return {**place, "code": d.code, "severity": d.severity, "message": d.message, "tool": d.tool}


def _symbol(state: RunState, s: Symbol) -> object:
    return {"name": s.name, "kind": s.kind, "path": relative(state.root, s.place.path), "line": s.place.line, "column": s.place.column}


def print_run(state: RunState, refusal: Refused | None = None) -> None:
    """The steps with their evidence and diffs, then what to do next."""
    colour = sys.stdout.isatty()
    for number, step in enumerate(state.steps, 1):
        print(_paint(f"{number}. [{step.status}] {step_title(step)}", _BOLD, colour=colour))
        for words in step.evidence.not_run if step.evidence else ():
            print(f"   {words}")
        if step.draft is not None:
            print(_coloured(step.draft.diff) if colour else step.draft.diff, end="")
        print()
    _print_left(state)
    for candidate in refusal.candidates if refusal else ():
        place = candidate.place
        print(f"  {relative(state.root, place.path)}:{place.line}:{place.column}  {candidate.kind} {candidate.name}")
    if state.tokens:
        print(f"The model used {state.tokens:,} tokens, {money(state.micros)}.")
    print(_ending(state))


def _print_left(state: RunState) -> None:
    left = _left(state)
    if left:
        print(f"{counted(len(left), 'likely site')} left alone, look for yourself:")
    for site in left[:_SHOWN]:
        print(f"  {relative(state.root, site.place.path)}:{site.place.line}:{site.place.column}  {site.text}  ({site.reason})")
    if len(left) > _SHOWN:
        print(f"  and {len(left) - _SHOWN} more, listed in the report")
    if left:
        print()


def _ending(state: RunState) -> str:
    if state.attention:
        ways = "--finish or --undo" if state.halfway is not None else "(look first: surefoot runs report)"
        return f"{state.run} wants attention: {state.attention}. Go on: surefoot resume {state.run} {ways} --root {state.root}"
    if state.closed is not None:
        return f"{state.run} {state.closed.ending}: {state.closed.reason}{_ways_on(state)}"
    if (opposed := next((i for i, s in enumerate(state.steps, 1) if unverified(s)), 0)) and not any(s.offered for s in state.steps):
        how = f"surefoot resume {state.run} --overrule {opposed} --root {state.root}"
        return f"{state.run}: step {opposed} holds and is unverified: {state.steps[opposed - 1].objection} If you see it otherwise: {how}"
    if state.winding is not None:
        ready = sum(s.offered for s in state.steps)
        what = f"{counted(ready, 'step')} before that can still be applied: surefoot apply {state.run} --root {state.root}"
        return f"{state.run} {state.winding.ending}: {state.winding.reason}. {what}"
    if why := why_not(state):
        return f"{state.run}: not ready: {why}. Try again: surefoot apply {state.run} --root {state.root}"
    return f"{state.run}: every step is ready. Apply: surefoot apply {state.run} --root {state.root}"


def _ways_on(state: RunState) -> str:
    """What there is to do about a run that a model could not finish."""
    stuck = state.closed is not None and state.closed.ending is Ending.ESCALATED and state.engine == "claude"
    if not stuck or state.task.stronger:
        return ""
    return f". Say the task otherwise, or let the stronger model try: surefoot resume {state.run} --stronger --root {state.root}"


def _coloured(diff: str) -> str:
    paints = {"+": _GREEN, "-": _RED, "@": _CYAN}
    lines = diff.splitlines(keepends=True)
    return "".join(f"{paints[line[0]]}{line.rstrip()}{_PLAIN}\n" if line[:1] in paints else line for line in lines)


def _paint(text: str, code: str, *, colour: bool) -> str:
    return f"{code}{text}{_PLAIN}" if colour else text
