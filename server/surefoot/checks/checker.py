"""What one checker is, as a record: how to find it, how to start it, what must make it speak."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pydantic import JsonValue

from surefoot.checks.settings import CheckSettings
from surefoot.core.findings import Diagnostic
from surefoot.core.text import Texts
from surefoot.core.value import value


class CheckKind(StrEnum):
    """The order of the offer gate: what is broken as text, then lint, then types."""

    SYNTAX = "syntax"
    LINT = "lint"
    TYPES = "types"


@value
class Tool:
    """A program that was found; `home` says whose it is, the project's or Surefoot's. `version` is "" until the tool runs."""

    path: Path
    version: str
    home: str


@value
class Missing:
    """No usable program, and what a person can do about it."""

    reason: str


class Dialect(StrEnum):
    """How a child is asked: LSP with pull diagnostics, LSP that only pushes them, or the protocol of TypeScript's own tsserver."""

    PULL = "pull"
    PUSH = "push"
    TSSERVER = "tsserver"


@value
class Launch:
    """How a child server is started, in which `dialect` it is asked, and what it is told.

    `configuration` answers `workspace/configuration` by section.

    One that `reports` says when it has loaded the project (rust-analyzer's `experimental/serverStatus`); answers before that have gaps.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    options: JsonValue
    configuration: Mapping[str, JsonValue]
    reports: bool = False
    dialect: Dialect = Dialect.PULL


class Server(Protocol):
    """What starts a child: a checker, or a language server that is only asked."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> Mapping[str, str]: ...

    @property
    def find(self) -> Callable[[Path, Path, CheckSettings], Tool | Missing]: ...

    @property
    def launch(self) -> Callable[[Tool, Texts], Launch]: ...

    def speaks(self, path: Path) -> bool: ...


@value
class Proof:
    """What shows that a checker looks at a file: text that is added to it in memory and must be reported.

    What is reported has to stand on the planted lines and hold `says`; where one kind of fault says nothing of another, each of `kinds` has
    to be reported as well. An `early` text goes before the first Python statement, any other to the end. `reason` says what it means when
    nothing is reported: the file is not checked, or, where the proof is not `fatal`, only its syntax is.
    """

    planted: str
    says: str
    reason: str
    fatal: bool = True
    early: bool = False
    kinds: tuple[str, ...] = ()


@value
class Checker:
    """One tool that speaks LSP.

    `languages` maps a file's suffix to LSP's language id. `alone` means that what it says of a file depends on that file only. `kin` maps
    codes that tell the same fact in other words (with a suggestion, say) to one of them. `required`: without it an edited file counts as
    not validated. `unresolved` are codes for a module that is not found; `stubs` what other files see in place of a module if it is there;
    `keeps` says whether a finding with a code counts in a file at all.

    `governs` names the settings files that a file may be checked under, if the tool has to be tried with them, `fingerprint` the state of
    one of them with all that it builds on; `obstacle` says why its settings keep the tool from seeing what is there, "" if nothing does.
    `noise` names findings that say more of the machine than of the code: they are compared like all others, and not shown.

    `wanted` says whether a project means a file to be looked at by this tool; `instead` names the checker that looks where this one cannot,
    or after it has failed too often.
    """

    name: str
    kind: CheckKind
    languages: Mapping[str, str]
    alone: bool
    required: bool
    find: Callable[[Path, Path, CheckSettings], Tool | Missing]
    launch: Callable[[Tool, Texts], Launch]
    proof: Callable[[Path, Texts], Proof]
    kin: Mapping[str, str]
    is_syntax: Callable[[str], bool]
    unresolved: frozenset[str]
    stubs: Callable[[Path], tuple[Path, ...]]
    keeps: Callable[[Path, str, Texts], bool]
    governs: Callable[[Path, Path], tuple[Path, ...]]
    fingerprint: Callable[[Path], str]
    obstacle: Callable[[Tool, Path, Path], str]
    noise: Callable[[Diagnostic, Texts], bool] = lambda found, texts: False
    wanted: Callable[[Path, Path], bool] = lambda path, root: True
    instead: str = ""

    def speaks(self, path: Path) -> bool:
        return path.suffix in self.languages
