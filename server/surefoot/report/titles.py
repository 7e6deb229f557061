"""Titles: what a step does, how many sites in how many files, its size, and the checks that ran."""

from surefoot.core.change import Size
from surefoot.core.findings import CheckStatus, Evidence
from surefoot.run.outcomes import Tally
from surefoot.run.state import RunState, StepState


def step_title(step: StepState) -> str:
    """Such as `Rename total to sum_all · 3 sites in 3 files · +3 −3 · ty ✓ ruff ✓`."""
    parts = [step.planned.title]
    if step.draft is not None:
        parts += [sites_words(step.draft.tally), size_words(step.draft.size)]
    if step.evidence is not None:
        parts.append(checks_words(step.evidence))
    return " · ".join(p for p in parts if p)


def proposal_title(what: str, size: Size, evidence: Evidence) -> str:
    """Such as `Import Path from pathlib · +1 · ty ✓ ruff ✓`."""
    named = what[:1].upper() + what[1:]
    return " · ".join(p for p in (named, size_words(size), checks_words(evidence)) if p)


def size_words(size: Size) -> str:
    """Such as `+3 −1`; a side that is zero is left out."""
    return " ".join(p for p in (f"+{size.added}" if size.added else "", f"−{size.removed}" if size.removed else "") if p)


def sites_words(tally: Tally) -> str:
    """Such as `12 sites in 7 files: 9 updated, 2 fit, 1 waived, 3 likely left`; plain when all were updated and none is doubtful."""
    if not tally.sites:
        return ""
    whole = f"{counted(tally.sites, 'site')} in {counted(tally.files, 'file')}"
    parts = [(tally.updated, "updated"), (tally.fits, "fit"), (tally.waived, "waived"), (tally.pending, "still to do")]
    shown = ", ".join(f"{n} {word}" for n, word in parts if n)
    left = f", {tally.likely} likely left" if tally.likely else ""
    return (whole if tally.updated == tally.sites else f"{whole}: {shown}") + left


def checks_words(evidence: Evidence) -> str:
    """Such as `ty ✓ ruff ✓`: a tick for what came back clean, a cross for new findings, a dash for what could not say,
    `later` for what takes too long to run for each step.

    That a text parses goes without saying where a tool that knows more has looked.
    """
    marks = {
        CheckStatus.CLEAN: "✓",
        CheckStatus.NEW: "✗",
        CheckStatus.MASKED: "– masked",
        CheckStatus.UNAVAILABLE: "–",
        CheckStatus.LATER: "later",
    }
    named = [c for c in evidence.checks if c.tool != "syntax" or c.status is not CheckStatus.CLEAN]
    return " ".join(f"{check.tool} {marks[check.status]}" for check in named or evidence.checks)


def counted(number: int, noun: str) -> str:
    """Such as `1 file` and `3 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def status_of(state: RunState) -> str:
    """One word for the list of runs: open, attention, or how it closed; for one that only its ready steps keep open, how it will close."""
    if state.closed is not None:
        return state.closed.ending
    return "attention" if state.attention else state.winding.ending if state.winding is not None else "open"
