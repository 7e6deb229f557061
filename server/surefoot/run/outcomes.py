"""What an action can come back with: one body per phase and delivery, or a failure with one bucket and one class."""

from enum import StrEnum
from pathlib import Path
from typing import Literal

from surefoot.core.change import Change, Size
from surefoot.core.findings import Evidence
from surefoot.core.plan import Constraint, PlannedStep
from surefoot.core.sites import Ledger, Symbol
from surefoot.core.value import value


class Role(StrEnum):
    """Who a model call was made for; each is counted apart."""

    EDITOR = "editor"
    DISTILLER = "distiller"
    JUDGE = "judge"


@value
class Spent:
    """What one model call used: tokens as the provider counts them, those of its cache apart, and millionths of a dollar."""

    role: Role
    read: int
    written: int
    cache_read: int = 0
    cache_written: int = 0
    micros: int = 0

    @property
    def tokens(self) -> int:
        return self.read + self.written + self.cache_read + self.cache_written


@value
class Span:
    """Lines of a file, from 1, both ends included."""

    path: Path
    first: int
    last: int
    kind: Literal["span"] = "span"


@value
class SitesOf:
    """Every site of the symbols with this name; `path` narrows it to what is defined in one file, None takes all."""

    name: str
    path: Path | None = None
    kind: Literal["sites"] = "sites"


@value
class SymbolsIn:
    """What a file defines."""

    path: Path
    kind: Literal["symbols"] = "symbols"


@value
class Search:
    """The lines that hold these very words, in files whose path has `within` in it."""

    words: str
    within: str = ""
    kind: Literal["search"] = "search"


@value
class NotRead:
    """A read that cannot be done as it was asked for, and why; nothing is executed for it."""

    tool: str
    why: str
    kind: Literal["not read"] = "not read"


Read = Span | SitesOf | SymbolsIn | Search | NotRead
"""A look at the code, answered anew from the live text whenever it is shown."""


@value
class Reading:
    """plan or edit: what the engine asks to see before it answers. It is shown in the next look, as the text then stands."""

    reads: tuple[Read, ...]
    kind: Literal["reading"] = "reading"


@value
class Planned:
    """plan: the steps that replace the unfinished tail, and every site they were made from."""

    steps: tuple[PlannedStep, ...]
    ledger: Ledger
    summary: str
    kind: Literal["planned"] = "planned"


@value
class Constrained:
    """constrain: the rules that apply to the step, in words."""

    rules: tuple[str, ...]
    kind: Literal["constrained"] = "constrained"


@value
class Tally:
    """How the sites of a ledger stand, and in how many files they are. `likely` are those of the `listed` ones that may be the symbol."""

    sites: int
    files: int
    updated: int
    fits: int
    waived: int
    pending: int
    listed: int
    likely: int = 0


@value
class Drafted:
    """edit: the change of one step, past its gate, the change that takes it back, and its unified diff.

    `shape` names the syntax trees of the texts that it makes: changes of one shape say the same.
    """

    change: Change
    inverse: Change
    size: Size
    impacted: tuple[Path, ...]
    renames: tuple[tuple[str, str], ...]
    tally: Tally
    diff: str
    shape: str = ""
    kind: Literal["drafted"] = "drafted"


@value
class Validated:
    """validate: what the checks said about exactly this change."""

    evidence: Evidence
    kind: Literal["validated"] = "validated"


@value
class Verified:
    """verify: the rules that held for the change and its evidence, in words; a broken one is in `broken`.

    `judged` says that a judge was asked after all rules held; `objection` is then its reason against the change, "" where it has none.
    """

    rules: tuple[str, ...]
    broken: str = ""
    judged: bool = False
    objection: str = ""
    kind: Literal["verified"] = "verified"


@value
class Swept:
    """idle: the first step that no longer holds, -1 when all hold."""

    stale: int
    kind: Literal["swept"] = "swept"


@value
class Noted:
    """replan: one correction for a fresh look, what the next draft must satisfy, and what the next plan is shown beside the sites."""

    note: str
    constraints: tuple[Constraint, ...]
    reads: tuple[Span, ...] = ()
    kind: Literal["noted"] = "noted"


@value
class Refused:
    """plan or edit: the engine cannot be sure, and says why; what there is to choose from."""

    reason: str
    candidates: tuple[Symbol, ...] = ()
    kind: Literal["refused"] = "refused"


@value
class Landed:
    """One document of an apply or a revert: its digest before and after."""

    path: Path
    before: str
    after: str


@value
class Delivered:
    """apply or revert: the documents whose text is now the after-text, as the editor or the disk showed them."""

    files: tuple[Landed, ...]
    kind: Literal["delivered"] = "delivered"


class Bucket(StrEnum):
    """Where a failure comes from."""

    CONSTRAINT = "constraint"
    VALIDATION = "validation"
    RUNTIME = "runtime"
    TRANSPORT = "transport"
    TOOL = "tool"
    OUTPUT = "output"


class FailureClass(StrEnum):
    """What may be done about a failure."""

    TRANSIENT = "transient"
    PERMANENT = "permanent"
    SEMANTIC = "semantic"
    CANCELLED = "cancelled"


@value
class Failure:
    """An expected bad end: one bucket, one class, a code (`denied`, `moved`, `size`, …) and a sentence for a person.

    `changed` names documents that an apply that failed half-way did change; `candidate` and `shape` the draft that did not pass its gate.
    """

    bucket: Bucket
    cls: FailureClass
    code: str
    message: str
    changed: tuple[Path, ...] = ()
    candidate: str = ""
    shape: str = ""
    kind: Literal["failure"] = "failure"


Body = Reading | Planned | Constrained | Drafted | Validated | Verified | Swept | Noted | Refused | Delivered
Outcome = Body | Failure
