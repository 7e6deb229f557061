"""Steps and the attempts at them, as values that name their events: see `account`."""

from enum import StrEnum

from surefoot.core.value import value


class Mark(StrEnum):
    """How an action or an attempt ended."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    MOVED = "moved"
    CANCELLED = "cancelled"
    STOPPED = "stopped"
    PENDING = "pending"


class Catcher(StrEnum):
    """What noticed that a draft does not hold, "" where nothing had to."""

    RULE = "rule"
    CHECK = "check"
    JUDGE = "judge"
    NOBODY = ""


@value
class Line:
    """A sentence."""

    seq: int
    text: str


@value
class Check:
    """One tool's part of a verdict: how many files it looked at, and in how many milliseconds."""

    seq: int
    tool: str
    version: str
    status: str
    files: int
    ms: int
    detail: str


@value
class Finding:
    """One finding, placed from 1 in the text that was checked."""

    seq: int
    path: str
    line: int
    column: int
    tool: str
    code: str
    severity: str
    message: str


@value
class Evidence:
    """What the checks said of one draft: what it brings, what it takes away, and what was not looked at."""

    seq: int
    verdict: str
    checks: tuple[Check, ...]
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    not_run: tuple[Line, ...]
    not_scanned: tuple[Line, ...]


@value
class Draft:
    """A change that passed its gate, as a unified diff. `change` is its digest."""

    seq: int
    change: str
    files: tuple[str, ...]
    added: int
    removed: int
    sites: str
    diff: str


@value
class Fault:
    """Why something did not hold: in which phase, what noticed it and by which names, its bucket, class and code."""

    seq: int
    phase: str
    caught: Catcher
    names: tuple[str, ...]
    bucket: str
    cls: str
    code: str
    text: str


@value
class Spend:
    """Tokens and money (millionths of a dollar) of the model calls of one role."""

    events: tuple[int, ...]
    role: str
    read: int
    written: int
    cache_read: int
    cache_written: int
    micros: int

    @property
    def tokens(self) -> int:
        return self.read + self.written + self.cache_read + self.cache_written


@value
class Beat:
    """One action: what, for which step (0 for the run as a whole) and attempt, from its intent to its result, and what came out."""

    seq: int
    at: float
    seconds: float
    verb: str
    step: int
    attempt: int
    end: Mark
    text: str


@value
class Attempt:
    """One attempt at a step, or at the first plan (`step` 0): what it knew and made, what failed, and how the plan was revised.

    `drafting` counts how often the step was begun anew on other text; `note` and `constraints` are what the attempt was told; `rules` what
    it was held to; `verified` the rules that were found to hold; `candidates` what there is to choose from after a refusal.
    """

    seq: int
    step: int
    drafting: int
    number: int
    title: str
    end: Mark
    planned: Line | None
    note: Line | None
    constraints: tuple[Line, ...]
    rules: tuple[Line, ...]
    draft: Draft | None
    evidence: Evidence | None
    verified: tuple[Line, ...]
    refused: Line | None
    candidates: tuple[Line, ...]
    faults: tuple[Fault, ...]
    revised: Line | None
    learnt: tuple[Line, ...]
    spent: tuple[Spend, ...]
    beats: tuple[Beat, ...]


@value
class Step:
    """One step as it stands now, with all attempts at it."""

    seq: int
    number: int
    title: str
    label: str
    intent: str
    status: str
    reason: str
    attempts: tuple[Attempt, ...]
