"""What the loop needs of the world."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from surefoot.core.change import Change
from surefoot.core.findings import Evidence
from surefoot.core.plan import Task
from surefoot.core.text import Texts
from surefoot.core.value import value
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.protocol import Distiller, Engine, Judge
from surefoot.llm.ask import Exchange
from surefoot.policy.permits import Permit
from surefoot.run.events import Action
from surefoot.run.outcomes import Delivered, Failure, Outcome, Read
from surefoot.run.view import Excerpt
from surefoot.workspace.snapshot import Snapshot


class Editable(Texts, Protocol):
    """Texts that a change can be laid over."""

    def with_change(self, change: Change) -> "Texts": ...


class Validator(Protocol):
    """The one validator of all three flows."""

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence: ...


class Applier(Protocol):
    """Puts a checked change into the user's text, and believes only what comes back.

    With `reopens` documents may come back later with text that was never saved: an editor that starts again.
    """

    @property
    def reopens(self) -> bool: ...

    async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
        """Apply `change`, which was made on `texts`, as one edit named `label`.

        `confirm` asks for a look first where the editor can show one. A failure with code `moved` means that nothing was changed because a
        text is no longer the one the change was made for; `partial` names in `changed` the documents that did change; `denied` that a
        person said no.
        """
        ...


class Progress(Protocol):
    """Where a person sees what is going on."""

    def report(self, message: str, percentage: int | None = None) -> None: ...


class Policy(Protocol):
    """Rules on actions before they run."""

    def permit(self, action: Action) -> Permit: ...


class Reader(Protocol):
    """Answers what an engine asks to see, from texts as they stand."""

    async def read(self, read: Read, texts: Snapshot) -> Excerpt: ...


@value
class Paid:
    """What a phase came back with, and the exchanges with a model that it took."""

    outcome: Outcome
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Staff:
    """Who works on a run: the engine, and where that asks a model, a reader for it, a judge, a distiller, and what knows the code."""

    engine: Engine
    reader: Reader | None = None
    judge: Judge | None = None
    distiller: Distiller | None = None
    surveyor: Surveyor | None = None


class Staffing(Protocol):
    """Chooses who works on a task."""

    def __call__(self, task: Task, progress: Progress, engine: str = "") -> Staff:
        """The staff for a task, with the engine of this name where one is named. Raises Unusable when it is not here."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What one run works with. `snapshot` gives the live text; a run that needs no checker need not wait for its turn (`queues`)."""

    staff: Staff
    validator: Validator
    policy: Policy
    snapshot: Callable[[], Snapshot]
    progress: Progress
    queues: bool = True

    @property
    def engine(self) -> Engine:
        return self.staff.engine
