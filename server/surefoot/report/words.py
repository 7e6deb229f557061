"""Numbers, times and money as people read them, for every way in which an account is shown."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from surefoot.core.change import Size
from surefoot.report.account import Account, Document, Figures, Landing, Rate, ToolUse
from surefoot.report.attempt import Attempt, Draft, Mark, Spend
from surefoot.report.titles import counted, size_words

MARKS: Mapping[str, str] = {
    "applied": "✔",
    "ready": "●",
    "refused": "✘",
    "skipped": "–",
    "reverted": "↩",
    "stale": "…",
    "planned": "○",
    "drafting": "◌",
    "replaced": "–",
}
ENDS: Mapping[Mark, str] = {
    Mark.DONE: "held",
    Mark.FAILED: "failed",
    Mark.REFUSED: "refused",
    Mark.MOVED: "the text moved",
    Mark.CANCELLED: "cancelled",
    Mark.STOPPED: "went no further",
    Mark.PENDING: "at work",
}
"""How an attempt ended, in words."""

OUTSIDE: Mapping[str, str] = {
    "told": "A person",
    "ruled": "A ruling",
    "moved": "Text moved",
    "halted": "Halted",
    "resumed": "Resumed",
    "closed": "Closed",
}
"""What an intervention is called."""

NOTHING = "–"
"""What stands where there is nothing to divide, or nothing to show."""


def time_words(at: float) -> str:
    """A moment, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def lasting(seconds: float) -> str:
    """Such as `12 ms`, `3.4 s`, `5 min` and `2 h 10 min`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def rate_words(rate: Rate) -> str:
    """Such as `3 of 4 (75 %)`, a dash when there is nothing to divide by."""
    return NOTHING if rate.share is None else f"{len(rate.hits)} of {len(rate.events)} ({rate.share:.0%})".replace("%", " %")


def rates_of(figures: Figures) -> Sequence[Rate]:
    """The rates in the order in which they are shown."""
    return (figures.first_try, figures.retries, figures.recovery, figures.second_edit_failure)


def money(micros: int) -> str:
    """Millionths of a dollar as dollars."""
    return f"${micros / 1e6:.{2 if micros >= 1e6 else 5}f}" if micros else NOTHING


def number(count: int) -> str:
    """With a thin space between thousands."""
    return f"{count:,}".replace(",", "\u202f")


def spend_words(spend: Spend) -> str:
    """Such as `editor: 1 204 tokens (1 100 read, 104 written), $0.0051`."""
    cache = (
        f", {number(spend.cache_read)} from the cache, {number(spend.cache_written)} into it"
        if spend.cache_read or spend.cache_written
        else ""
    )
    parts = f"{number(spend.read)} read, {number(spend.written)} written{cache}"
    return f"{spend.role}: {number(spend.tokens)} tokens ({parts}), {money(spend.micros)}"


def tool_words(use: ToolUse) -> str:
    """How often one check ran, what it said, and how long it took."""
    said = ", ".join(
        f"{n} {word}" for n, word in ((use.clean, "clean"), (use.new, "with new findings"), (use.unable, "not validated")) if n
    )
    return f"ran {counted(len(use.events), 'time')} ({said}), {lasting(use.ms / 1000)} in all, {lasting(use.slowest_ms / 1000)} at most"


def draft_words(draft: Draft) -> str:
    """Size and sites of a draft."""
    size = size_words(Size(draft.added, draft.removed))
    return " · ".join(p for p in (size, draft.sites) if p)


def document_words(document: Document) -> str:
    """Which steps stand how in a document."""
    parts = (("applied by", document.applied), ("reverted:", document.reverted), ("waits in", document.pending))
    return ", ".join(f"{words} step{'s' if len(steps) > 1 else ''} {', '.join(map(str, steps))}" for words, steps in parts if steps)


def attempt_words(attempt: Attempt) -> str:
    """Such as `attempt 2` and `attempt 1, drafted again`."""
    return f"attempt {attempt.number}{', drafted again' if attempt.drafting > 1 else ''}"


def landing_words(landing: Landing) -> str:
    """What was delivered, on whose word, and what came of it."""
    by = f" (allowed by {'a person' if landing.by == 'person' else 'the policy'})" if landing.by else ""
    return f"{landing.title}: {landing.text}{by}"


def next_words(account: Account) -> str:
    """What a person can do with a run that is not closed, as a command; "" for one that is."""
    head, status = account.head, account.status
    if status.closed:
        return ""
    return f"surefoot {'resume' if status.word == 'attention' else 'apply'} {head.run} --root {shlex.quote(head.root)}"


def tokens_of(account: Account) -> int:
    """Tokens of all roles."""
    return sum(s.tokens for s in account.figures.spent)
