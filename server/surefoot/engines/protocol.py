"""The one way in which the loop asks for work: plan a task, then draft its steps, each on live text."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from surefoot.core.change import Change
from surefoot.core.plan import PlannedStep, Stage, Strings, Take, Task
from surefoot.core.sites import Ledger, Scan, Symbol, Target
from surefoot.core.text import TextFile, Texts
from surefoot.core.value import value
from surefoot.llm.ask import Exchange
from surefoot.run.outcomes import Failure, Read
from surefoot.syntax.words import Asked, Page

if TYPE_CHECKING:
    from surefoot.run.view import View

__all__ = [
    "Case",
    "Distiller",
    "Draft",
    "Engine",
    "Failed",
    "Judge",
    "Lesson",
    "Look",
    "Mishap",
    "Opinion",
    "Plan",
    "PlannedStep",
    "Refusal",
    "SiteFinder",
    "Stage",
    "Strings",
    "Take",
    "Task",
]


class SiteFinder(Protocol):
    """What only parsed text tells. It parses elsewhere: an engine that waits for it holds nobody up."""

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Where a symbol is mentioned, in the texts as they stand."""
        ...

    async def pages(self, asked: Sequence[Asked], old: str, new: str) -> Sequence[Page]:
        """How two names stand in each of these files."""
        ...

    async def starts(self, file: TextFile, container: str, name: str) -> Sequence[int]:
        """Where a name is first bound in each scope that bears this dotted path, in text order."""
        ...


@value
class Plan:
    """Ordered steps that answer a task, the ledger they were made from, and a summary such as "12 sites in 7 files"."""

    steps: tuple[PlannedStep, ...]
    ledger: Ledger
    summary: str
    exchanges: tuple[Exchange, ...] = ()


@value
class Draft:
    """One step's unchecked change.

    `impacted` are files that hold a site and are to be checked as well, edited or not; `renames` pairs of old and new name; `ledger` stands
    on the text that the step leaves.
    """

    change: Change
    impacted: tuple[Path, ...]
    renames: tuple[tuple[str, str], ...]
    ledger: Ledger
    exchanges: tuple[Exchange, ...] = ()


@value
class Refusal:
    """Why nothing is planned or drafted: a sentence for a person that says what to do next, and what there is to choose from."""

    reason: str
    candidates: tuple[Symbol, ...] = ()
    exchanges: tuple[Exchange, ...] = ()


@value
class Look:
    """What an engine wants to see before it answers; the next view shows it."""

    reads: tuple[Read, ...]
    exchanges: tuple[Exchange, ...]


@value
class Failed:
    """An engine's own bad end: its model could not be reached, or answered something of no use. `raw` is for a person, never for a view."""

    failure: Failure
    exchanges: tuple[Exchange, ...] = ()
    raw: bytes = b""


class Engine(Protocol):
    """Drafts plans and edits. Goes by nothing but its view; what it keeps between calls changes no answer."""

    @property
    def name(self) -> str: ...

    @property
    def repeats(self) -> bool:
        """True when the same view is always answered alike: what has none of this is never asked again to see whether a draft stands."""
        ...

    async def plan(self, view: "View") -> Plan | Refusal | Look | Failed:
        """Every site first, then ordered steps that each hold; or why that cannot be done."""
        ...

    async def edit(self, view: "View") -> Draft | Refusal | Look | Failed:
        """The change of `view.step` on `view.texts`, from sites found there and not from offsets kept since the plan."""
        ...


@value
class Case:
    """What a judge sees: the task, the final change, and how the declarations that it touches read then. Nothing of how it came about."""

    task: str
    diff: str
    declarations: str


@value
class Opinion:
    """A judge's verdict: an `objection` in one sentence, "" where it passes the change."""

    objection: str
    exchanges: tuple[Exchange, ...]


@value
class Lesson:
    """A distiller's words, unchecked."""

    words: str
    exchanges: tuple[Exchange, ...]


@value
class Mishap:
    """What a distiller sees: the task, what was attempted, the error. `runtime` asks which property of the edit would have avoided it."""

    task: str
    attempted: str
    error: str
    runtime: bool = False


class Judge(Protocol):
    """Passes or fails a final change, by task and diff alone."""

    async def judge(self, case: Case) -> Opinion | Failed: ...


class Distiller(Protocol):
    """Makes one correction of a failure that no rule knows."""

    async def distil(self, mishap: Mishap) -> Lesson | Failed: ...
