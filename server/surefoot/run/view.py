"""What an engine may see. There is no field for failed edits, raw errors, rejected events or history."""

from dataclasses import dataclass

from surefoot.core.plan import Constraint, PlannedStep, Task
from surefoot.core.sites import Waiver
from surefoot.core.text import Texts
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Read


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What a read answers now. `failed` says that there is no answer, and the text why."""

    read: Read
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """One clean look at the task: the texts as the steps before leave them, and what the next draft must satisfy.

    `excerpts` are what the engine asked to see, read anew; `turns_left` how many model turns it has before nothing new is begun.
    `waived` are sites that a person lets be.
    """

    task: Task
    step: PlannedStep | None
    done: tuple[PlannedStep, ...]
    texts: Texts
    constraints: tuple[Constraint, ...]
    note: str
    limits: Limits
    excerpts: tuple[Excerpt, ...] = ()
    turns_left: int = 0
    waived: tuple[Waiver, ...] = ()
