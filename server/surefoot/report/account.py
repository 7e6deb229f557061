"""The account of a run: what happened, as values that name the events they are from. Reports are rendered from nothing else.

A claim without an event cannot be made here. Every value has `seq`, the number of its event in the journal from 1, or `events`, the events
that it counts: a number is the length of such a list, never a number that somebody wrote down. Times are seconds since the epoch, paths
are relative to the root, digests name texts.
"""

from enum import StrEnum

from surefoot.core.value import value
from surefoot.report.attempt import Attempt, Beat, Line, Mark, Spend, Step
from surefoot.run.limits import Limits


class Stand(StrEnum):
    """How a document stands: `cut short` is one that an edit which failed half-way changed, `not known` one that rows which were set aside
    say was edited."""

    APPLIED = "applied"
    REVERTED = "reverted"
    PENDING = "pending"
    UNTOUCHED = "untouched"
    CUT_SHORT = "cut short"
    UNKNOWN = "not known"


@value
class Head:
    """What was asked, where, and what it may use up."""

    seq: int
    run: str
    task: str
    root: str
    engine: str
    started: float
    limits: Limits


@value
class Status:
    """open, attention, done, refused, escalated, limit or cancelled, since when, and why. `closed` says that nothing can follow."""

    seq: int
    word: str
    reason: str
    at: float
    closed: bool


@value
class Document:
    """A document that a step was about. `text` is the digest of its text as the run knows it; steps are numbered from 1."""

    seq: int
    path: str
    stand: Stand
    text: str
    applied: tuple[int, ...]
    reverted: tuple[int, ...]
    pending: tuple[int, ...]


@value
class Workspace:
    """Every document that the run was about, and how many stand how, in words."""

    seq: int
    text: str
    documents: tuple[Document, ...]


@value
class Landing:
    """One apply or revert: of which step, in which documents, who let it go ahead ("" for nobody yet), and whether it came through."""

    seq: int
    at: float
    seconds: float
    verb: str
    step: int
    title: str
    by: str
    end: Mark
    files: tuple[str, ...]
    text: str


@value
class Intervention:
    """What came from outside the loop: a person, text that moved, a ruling, a halt."""

    seq: int
    at: float
    kind: str
    text: str


@value
class SiteLine:
    """A site of the ledger that the plan was made from."""

    seq: int
    path: str
    line: int
    column: int
    kind: str
    tier: str
    status: str
    reason: str
    function: str
    text: str
    required: bool


@value
class Sites:
    """Every site when the run was last planned."""

    seq: int
    summary: str
    entries: tuple[SiteLine, ...]
    not_scanned: tuple[Line, ...]


@value
class Count:
    """How often something happened: the events are the count."""

    name: str
    events: tuple[int, ...]

    @property
    def number(self) -> int:
        return len(self.events)


@value
class Rate:
    """How many of some attempts came out in a way: both are lists of events."""

    name: str
    hits: tuple[int, ...]
    events: tuple[int, ...]

    @property
    def share(self) -> float | None:
        """None when there is nothing to divide by."""
        return len(self.hits) / len(self.events) if self.events else None


@value
class ToolUse:
    """What one check was asked for: how often each status came back, and its milliseconds."""

    tool: str
    events: tuple[int, ...]
    clean: int
    new: int
    unable: int
    ms: int
    slowest_ms: int


@value
class Figures:
    """Counters of the run: what rules, checks and the judge caught, by name; failures as `bucket: code`; how often each rule applied."""

    by_rule: tuple[Count, ...]
    by_check: tuple[Count, ...]
    by_judge: tuple[Count, ...]
    failures: tuple[Count, ...]
    applied: tuple[Count, ...]
    tools: tuple[ToolUse, ...]
    spent: tuple[Spend, ...]
    first_try: Rate
    retries: Rate
    recovery: Rate
    second_edit_failure: Rate


@value
class DeadEnd:
    """A run that ended because something that it needs did not work: how often it was tried, what it said last, and what else there is."""

    seq: int
    tool: str
    error: str
    tried: tuple[Line, ...]
    alternatives: tuple[Line, ...]

    @property
    def attempts(self) -> int:
        return len(self.tried)


@value
class Happened:
    """One event of the journal in a sentence."""

    seq: int
    at: float
    kind: str
    text: str


@value
class Account:
    """All that can be told of a run. `accomplished`, `remaining` and `workspace` are never empty."""

    head: Head
    status: Status
    accomplished: tuple[Line, ...]
    remaining: tuple[Line, ...]
    workspace: Workspace
    planning: tuple[Attempt, ...]
    steps: tuple[Step, ...]
    landings: tuple[Landing, ...]
    interventions: tuple[Intervention, ...]
    sweeps: tuple[Beat, ...]
    dead_end: DeadEnd | None
    sites: Sites | None
    figures: Figures
    journal: tuple[Happened, ...]
