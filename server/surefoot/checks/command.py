"""What one check that is a program run to its end is, as a record: when a project uses it, what it is told, what its output means."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from pathlib import Path

from surefoot.checks.checker import CheckKind, Missing, Proof, Tool
from surefoot.checks.settings import CheckSettings
from surefoot.core.findings import Severity
from surefoot.core.text import TextFile, Texts, Units
from surefoot.core.value import value


class Gate(StrEnum):
    """When a check runs: for every candidate, once at the end of a run, or when a person asks."""

    OFFER = "offer"
    RUN = "run"
    MANUAL = "manual"


@value
class Said:
    """How a program ended and what it printed."""

    code: int
    stdout: bytes
    stderr: bytes

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")


@value
class Found:
    """One finding as a program tells it: lines and columns from 1, the end after the last character, 0 for what it does not tell."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Severity
    code: str
    message: str


@value
class Scratch:
    """A file that is nowhere but in the shadow, and text by which another file uses it wrongly, which is reported with `says` in it."""

    file: TextFile
    planted: str
    says: str


@value
class Command:
    """One program that checks files and ends.

    `uses` is the folder or settings file under which the project uses it for a file, None where it does not. `tell` makes the arguments of
    tool, place, files and a folder for caches; all of them as the program sees them. `good` are the exit codes with which its output
    counts; `read` makes findings of the output, ValueError for what is none, CheckerUnavailable for what says that it could not look.

    `alone`, `required`, `kin` and `is_syntax` are as in `Checker`; `masks` says that a syntax error anywhere hides the rest. Without
    `seconds` its time limit is that of all checks. `watched`: what it reads are files of the kinds that are watched, so that what it said
    holds as long as none of them moves.
    """

    name: str
    kind: CheckKind
    suffixes: frozenset[str]
    alone: bool
    required: bool
    uses: Callable[[Path, Texts], Path | None]
    find: Callable[[Path, Path, CheckSettings], Tool | Missing]
    tell: Callable[[Path, Path, Sequence[Path], Path], tuple[str, ...]]
    read: Callable[[Said], tuple[Found, ...]]
    proof: Callable[[Path, Texts], Proof]
    good: frozenset[int]
    gate: Gate = Gate.OFFER
    units: Units = Units.UTF32
    masks: bool = False
    seconds: float | None = None
    kin: Mapping[str, str] = field(default_factory=dict[str, str])
    is_syntax: Callable[[str], bool] = lambda code: code == "syntax"
    scratch: Callable[[Path, Texts], Scratch | None] = lambda path, texts: None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    watched: bool = True

    def speaks(self, path: Path) -> bool:
        return not self.suffixes or path.suffix in self.suffixes
