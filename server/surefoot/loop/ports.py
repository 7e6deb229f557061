"""What the loop needs of the world."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from surefoot.core.change import Change
from surefoot.core.findings import Evidence
from surefoot.core.text import Texts
from surefoot.core.value import value
from surefoot.engines.protocol import Engine
from surefoot.policy.permits import Permit
from surefoot.run.events import Action
from surefoot.run.outcomes import Delivered, Failure, Outcome, Spent
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


@value
class Paid:
    """What a phase came back with, and what the model calls in it used."""

    outcome: Outcome
    spent: tuple[Spent, ...] = ()


@dataclass(frozen=True, slots=True)
class Tools:
    """What one run works with. `snapshot` gives the live text; a run that needs no checker need not wait for its turn (`queues`)."""

    engine: Engine
    validator: Validator
    policy: Policy
    snapshot: Callable[[], Snapshot]
    progress: Progress
    queues: bool = True
