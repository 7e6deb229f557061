"""The state of a run: what `fold` makes of its events, and nothing else."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from surefoot.core.findings import Evidence, Input
from surefoot.core.plan import Constraint, PlannedStep, Task
from surefoot.core.sites import Ledger, Waiver
from surefoot.core.value import value
from surefoot.run.events import Action, Closed, Ending, Halted, Phase
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Drafted, Landed, Outcome, Read


class StepStatus(StrEnum):
    """Where a step stands; several may be ready, only the first unapplied can be applied."""

    PLANNED = "planned"
    DRAFTING = "drafting"
    READY = "ready"
    APPLIED = "applied"
    STALE = "stale"
    SKIPPED = "skipped"
    REFUSED = "refused"
    REVERTED = "reverted"


OVER = frozenset({StepStatus.APPLIED, StepStatus.SKIPPED})
"""Statuses in which a step needs nothing more."""


@value
class StepState:
    """One step: its plan, its draft with the evidence for that very draft, and what it left when applied.

    `seen` and `shapes` name the drafts that it had; `raised` are fingerprints of findings that its drafts brought, `cleared` those that
    went away again, and `back` those of them that the last check found once more. `turns` are its model turns; `objection` is what the
    judge last had against its draft.

    `held` is set once the step has been ready: from then on no moving text can close the run because of it. A `stuck` step is stale and
    cannot be drafted on the text as it is; it waits until that moves again.
    """

    planned: PlannedStep
    status: StepStatus = StepStatus.PLANNED
    draft: Drafted | None = None
    evidence: Evidence | None = None
    landed: tuple[Landed, ...] = ()
    seen: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    turns: int = 0
    attempts: int = 0
    verify_rounds: int = 0
    objection: str = ""
    reason: str = ""
    held: bool = False
    stuck: bool = False

    @property
    def offered(self) -> bool:
        """The step may be applied if the texts still stand: it waits, and its evidence is green for its very change."""
        return self.status in {StepStatus.READY, StepStatus.REVERTED} and green(self)


def unverified(step: StepState) -> bool:
    """True for a step that holds and that only the judge is against: a person may overrule that."""
    return step.status is StepStatus.REFUSED and bool(step.objection) and green(step)


def green(step: StepState) -> bool:
    """True when a step has green evidence for the very change that it holds."""
    return step.draft is not None and step.evidence is not None and step.evidence.green and step.evidence.change == step.draft.change.digest


@value
class Pending:
    """An action whose result is awaited; `allowed` is None until somebody ruled on it."""

    action: Action
    allowed: bool | None = None


@value
class Halfway:
    """A step whose edit reached only some of its documents."""

    step: int
    changed: tuple[Path, ...]


@value
class Settled:
    """The last result of the work lane, until the run advances because of it."""

    action: Action
    outcome: Outcome


@value
class Winding:
    """How the run ends once the steps that are ready have been dealt with, and why."""

    ending: Ending
    reason: str


@value
class RunState:
    """One run after `events` accepted facts.

    `step` is the index of the step at work, -1 for none; `draft` the change under check; `why` the last failure in a sentence, `failed` the
    phase that it was in; `reading` what the engine asked to see. `turns` are the model turns before there is a step; `tokens` and `micros`
    (millionths of a dollar) what all model calls used. `aside` are documents that rows which were set aside say were edited: how they stand
    is not known.
    """

    run: str
    root: Path
    task: Task
    engine: str
    limits: Limits
    documents: tuple[Input, ...]
    events: int = 1
    phase: Phase = Phase.PLAN
    step: int = -1
    work: Pending | None = None
    delivery: Pending | None = None
    settled: Settled | None = None
    steps: tuple[StepState, ...] = ()
    ledger: Ledger | None = None
    summary: str = ""
    constraints: tuple[Constraint, ...] = ()
    waived: tuple[Waiver, ...] = ()
    notes: tuple[str, ...] = ()
    draft: Drafted | None = None
    why: str = ""
    failed: Phase | None = None
    reading: tuple[Read, ...] = ()
    plan_attempts: int = 0
    turns: int = 0
    tokens: int = 0
    micros: int = 0
    actions: int = 0
    winding: Winding | None = None
    attention: str = ""
    halted: Halted | None = None
    aside: tuple[Path, ...] = ()
    halfway: Halfway | None = None
    closed: Closed | None = None

    @property
    def open(self) -> bool:
        return self.closed is None

    @property
    def note(self) -> str:
        return self.notes[-1] if self.notes else ""

    @property
    def at(self) -> StepState | None:
        """The step at work."""
        return self.steps[self.step] if 0 <= self.step < len(self.steps) else None

    @property
    def turn(self) -> int:
        """Model turns that the step at work, or the first plan, has used."""
        return self.at.turns if self.at is not None else self.turns

    @property
    def attempt(self) -> int:
        """The attempt at work, from 1."""
        return 1 + (self.at.attempts if self.at is not None else self.plan_attempts)

    @property
    def next_step(self) -> int:
        """Index of the first step that is neither applied nor skipped, -1 when there is none."""
        return next((i for i, s in enumerate(self.steps) if s.status not in OVER), -1)

    @property
    def last_applied(self) -> int:
        """Index of the last applied step, -1 when there is none."""
        return next((i for i in reversed(range(len(self.steps))) if self.steps[i].status is StepStatus.APPLIED), -1)

    def with_step(self, index: int, step: StepState) -> "RunState":
        return replace(self, steps=(*self.steps[:index], step, *self.steps[index + 1 :]))
