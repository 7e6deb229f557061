"""What a plan says of its ledger, before any step is drafted."""

from surefoot.core.sites import Ledger
from surefoot.report.titles import counted
from surefoot.run.tallies import tally_of


def planned_words(ledger: Ledger | None, summary: str) -> str:
    """Such as `12 sites in 7 files: 9 to update, 2 fit, 1 waived, 3 likely left`; the plan's own summary where no site demands anything."""
    tally = tally_of(ledger) if ledger is not None else None
    if tally is None or not tally.sites:
        return summary
    whole = f"{counted(tally.sites, 'site')} in {counted(tally.files, 'file')}"
    parts = [(tally.pending, "to update"), (tally.updated, "updated"), (tally.fits, "fit"), (tally.waived, "waived")]
    shown = ", ".join(f"{n} {word}" for n, word in parts if n)
    left = f", {tally.likely} likely left" if tally.likely else ""
    return (whole if tally.pending == tally.sites else f"{whole}: {shown}") + left
