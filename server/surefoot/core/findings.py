"""What checkers say, and the evidence it makes."""

from enum import StrEnum
from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.text import Place, Unreadable
from surefoot.core.value import value


class Severity(StrEnum):
    """How bad a finding is, in LSP's order."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@value
class Diagnostic:
    """One finding of one tool, placed in the text that was checked. `symbol` is the word at the place, `function` what encloses it.

    `admissible` is what may stand there instead, nearest first: real members and names, or the parameters that a call takes.
    """

    place: Place
    tool: str
    code: str
    severity: Severity
    message: str
    symbol: str = ""
    function: str = ""
    admissible: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """The same finding wherever its line has moved: code, symbol, enclosing function."""
        return f"{self.tool}:{self.code}:{self.symbol}:{self.function}"


class Verdict(StrEnum):
    """What the checks together say. Only `clean` with full scope earns a tick."""

    CLEAN = "clean"
    NEW = "new"
    MASKED = "masked"
    UNAVAILABLE = "unavailable"


class CheckStatus(StrEnum):
    """How one check ended."""

    CLEAN = "clean"
    NEW = "new"
    MASKED = "masked"
    UNAVAILABLE = "unavailable"
    LATER = "later"
    """It takes too long for every candidate and runs once, at the end."""


@value
class CheckRun:
    """One tool's part of a verdict: `scope` lists the files it looked at, `seconds` what it took.

    `detail` says why it could not look, how to get it, or for one that did in what it looked at the files.
    """

    tool: str
    version: str
    status: CheckStatus
    scope: tuple[Path, ...]
    seconds: float
    detail: str = ""


@value
class Input:
    """A text that a verdict depends on, by its digest ("" for a file that was not there)."""

    path: Path
    digest: str


@value
class Evidence:
    """A verdict bound to the digests of its inputs: it holds while every one of them still stands.

    `change` is the digest of the change that was checked; `new` are findings the change brings, `fixed` those it takes away; `not_run`
    names checks that did not run, and why; `not_scanned` the files that could not be looked at.
    """

    change: str
    verdict: Verdict
    inputs: tuple[Input, ...]
    checks: tuple[CheckRun, ...]
    new: tuple[Diagnostic, ...]
    fixed: tuple[Diagnostic, ...]
    not_run: tuple[str, ...] = ()
    not_scanned: tuple[Unreadable, ...] = ()

    @property
    def green(self) -> bool:
        return self.verdict is Verdict.CLEAN


@value
class Findings:
    """What the checkers find in texts as they stand, and how each tool fared: one that could not look is `unavailable`, never silent."""

    diagnostics: tuple[Diagnostic, ...]
    checks: tuple[CheckRun, ...]


@value
class ToolFix:
    """An unchecked change that a tool offers, or that its message suggests, for one diagnostic. `origin` names the tool.

    `impacted` are files that may use a name which the change takes away: they have to be checked with it.
    """

    title: str
    change: Change
    origin: str
    answers: Diagnostic
    impacted: tuple[Path, ...] = ()
