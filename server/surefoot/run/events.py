"""The accepted facts of a run. The journal holds nothing else, and the state is nothing but their fold."""

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Literal

from surefoot.core.findings import Input
from surefoot.core.plan import Constraint, Task
from surefoot.core.value import value
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Outcome, Spent


class Lane(StrEnum):
    """Drafting ahead, and delivering to the user's text: each has at most one action pending."""

    WORK = "work"
    DELIVERY = "delivery"


class Phase(StrEnum):
    """What the work lane is doing."""

    PLAN = "plan"
    CONSTRAIN = "constrain"
    EDIT = "edit"
    VALIDATE = "validate"
    VERIFY = "verify"
    IDLE = "idle"
    REPLAN = "replan"


class Delivery(StrEnum):
    """What the delivery lane is doing."""

    APPLY = "apply"
    REVERT = "revert"


class Ending(StrEnum):
    """How a run closed."""

    DONE = "done"
    REFUSED = "refused"
    ESCALATED = "escalated"
    LIMIT = "limit"
    CANCELLED = "cancelled"


class Authority(StrEnum):
    """Who ruled on an action."""

    POLICY = "policy"
    PERSON = "person"


@value
class Action:
    """One effect that may run: what, for which step and attempt, on which input. `step` is -1 for the run as a whole."""

    run: str
    lane: Lane
    verb: Phase | Delivery
    step: int
    attempt: int
    n: int
    input: str

    @property
    def id(self) -> str:
        """Names the action by everything that makes it what it is."""
        parts = f"{self.run}\0{self.verb}\0{self.step}\0{self.attempt}\0{self.n}\0{self.input}"
        return hashlib.sha256(parts.encode()).hexdigest()[:16]


@value
class Started:
    run: str
    root: Path
    task: Task
    engine: str
    limits: Limits
    documents: tuple[Input, ...]
    kind: Literal["started"] = "started"


@value
class Intended:
    action: Action
    kind: Literal["intended"] = "intended"


@value
class Permitted:
    action: str
    allowed: bool
    by: Authority
    reason: str = ""
    kind: Literal["permitted"] = "permitted"


@value
class Resulted:
    """What an action came back with, and what the model calls in it used."""

    action: str
    input: str
    outcome: Outcome
    spent: tuple[Spent, ...] = ()
    kind: Literal["resulted"] = "resulted"


@value
class Advanced:
    """The work lane goes on because of a result. `ending` says how the run will end once its ready steps are dealt with: no step is
    begun any more, and `reason` says why."""

    source: Phase
    to: Phase
    step: int
    because: str
    ending: Ending | None = None
    reason: str = ""
    kind: Literal["advanced"] = "advanced"


@value
class Skip:
    """Leave one step out."""

    step: int
    kind: Literal["skip"] = "skip"


@value
class Constrain:
    """A constraint in a person's words for what is drafted from now on."""

    constraint: Constraint
    kind: Literal["constrain"] = "constrain"


@value
class Waive:
    """Let one site be: the change neither edits it nor waits for it. The place is that of the text when the next draft is made."""

    path: Path
    line: int
    column: int
    reason: str
    kind: Literal["waive"] = "waive"


@value
class Overrule:
    """Take a step whose change holds, whatever the judge had against it."""

    step: int
    kind: Literal["overrule"] = "overrule"


Request = Skip | Constrain | Waive | Overrule
"""What a person may say to a run, apart from deliveries and its end."""


@value
class Told:
    request: Request
    kind: Literal["told"] = "told"


@value
class Moved:
    """Text moved under the run: which documents, the waiting steps that no longer hold, and stale ones that hold again.

    `void` are stale steps whose evidence did not see what moved: it is no good even when the texts that it names come back.
    """

    files: tuple[Path, ...]
    stale: tuple[int, ...]
    held: tuple[int, ...] = ()
    void: tuple[int, ...] = ()
    kind: Literal["moved"] = "moved"


@value
class Halted:
    """A rejected event, by its kind and digest only: its payload is nowhere in here.

    `event` is "row" for a stored row that does not read; `aside` is then how many rows were set aside from there on, and `edited` names the
    documents that those rows say were edited.
    """

    event: str
    rejected: str
    rule: str
    field: str
    action: str
    aside: int = 0
    edited: tuple[Path, ...] = ()
    kind: Literal["halted"] = "halted"


@value
class Resumed:
    """A person lets the run go on from its first `since` events, the last valid state."""

    since: int
    kind: Literal["resumed"] = "resumed"


@value
class Report:
    """What the run leaves, in three parts that are never empty."""

    accomplished: tuple[str, ...]
    remaining: tuple[str, ...]
    workspace: tuple[str, ...]


@value
class Closed:
    ending: Ending
    reason: str
    report: Report
    kind: Literal["closed"] = "closed"


Event = Started | Intended | Permitted | Resulted | Advanced | Told | Moved | Halted | Resumed | Closed
