"""Checks of a project's own, as its settings describe them: any program whose output can be read."""

import re
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import pathspec
from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from surefoot.checks.checker import CheckKind, Missing, Proof, Tool
from surefoot.checks.command import Command, Found, Gate, Said
from surefoot.checks.command_output import Fields, Pattern, json_lines, matched, sarif, severity_of
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import own_node_tool, own_python_tool
from surefoot.core.text import Texts, Units
from surefoot.core.value import value

FILES, CACHE = "{files}", "{cache}"
_FOLDER = "${workspaceFolder}"
_BROKEN = MappingProxyType(
    {
        **dict.fromkeys((".py", ".pyi"), "def (\n"),
        **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"), "const surefootPlanted = ;\n"),
    }
)
"""What no tool that reads a language can pass over."""


class Matcher(BaseModel):
    """A problem matcher as VS Code has it; its `owner`, `source` and `applyTo` mean nothing here."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")

    pattern: Pattern | Annotated[list[Pattern], Field(min_length=1)]
    severity: Literal["error", "warning", "info"] = "error"
    file_location: str | list[str] = "relative"
    owner: str = ""
    source: str = ""
    apply_to: str = ""

    @property
    def patterns(self) -> Sequence[Pattern]:
        return [self.pattern] if isinstance(self.pattern, Pattern) else self.pattern

    @property
    def base(self) -> str:
        """The folder, from the root, that file names are relative to."""
        given = self.file_location[1] if isinstance(self.file_location, list) and len(self.file_location) > 1 else ""
        return given.replace(_FOLDER, "").strip("/")

    @model_validator(mode="after")
    def _compiles(self) -> "Matcher":
        for pattern in self.patterns:
            try:
                pattern.compiled()
            except re.error as error:
                raise ValueError(f"regexp: {error}") from error
        return self


class CheckEntry(BaseModel):
    """One check of a project's own. Exactly one of `sarif`, `fields` (of JSON lines) and `matcher` says how its output is read."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[A-Za-z][\w.-]*$")]
    command: Annotated[list[str], Field(min_length=1)]
    files: Annotated[list[str], Field(min_length=1)]
    kind: Literal["syntax", "lint", "types"] = "lint"
    gate: Literal["offer", "run", "manual"] = "offer"
    seconds: Annotated[float, Field(gt=0, le=3600)] | None = None
    exits: list[int] = Field(default_factory=lambda: [0, 1])
    columns: Literal["utf-8", "utf-16", "utf-32"] = "utf-32"
    planted: str = ""
    says: str = ""
    syntax: list[str] = Field(default_factory=list[str])
    masks: bool = False
    sarif: bool = False
    fields: Fields | None = None
    matcher: Matcher | None = None

    @model_validator(mode="after")
    def _has_one_reader(self) -> "CheckEntry":
        if [self.sarif, self.fields is not None, self.matcher is not None].count(True) != 1:
            raise ValueError("say how the output is read: sarif = true, or a table fields, or a table matcher")
        return self


@value
class _Spec:
    """The files that a check is for, as ignore files name them."""

    lines: tuple[str, ...]

    def __call__(self, path: Path, texts: Texts) -> Path | None:
        spec = pathspec.GitIgnoreSpec.from_lines(self.lines)
        inside = path.is_relative_to(texts.root) and spec.match_file(path.relative_to(texts.root).as_posix())
        return texts.root if inside else None


def command_of(entry: CheckEntry) -> Command:
    """The record of a check that settings describe. One that looks at each file by itself is told the files."""
    return Command(
        name=entry.name,
        kind=CheckKind(entry.kind),
        suffixes=frozenset(),
        alone=FILES in entry.command and entry.kind != "types",
        required=True,
        uses=_Spec(tuple(entry.files)),
        find=partial(_find, entry.command[0]),
        tell=partial(_tell, tuple(entry.command[1:])),
        read=_reader(entry),
        proof=partial(_proof, entry),
        good=frozenset(entry.exits),
        gate=Gate(entry.gate),
        units=Units(entry.columns),
        masks=entry.masks,
        seconds=entry.seconds,
        is_syntax=frozenset(entry.syntax).__contains__,
        watched=False,
    )


def _find(name: str, path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    """A path from the root; else a program of the project's own environments; else one on PATH."""
    if "/" in name:
        own = root / name
        return Tool(own, "", "project") if own.is_file() else Missing(f"{name} is not there")
    own = own_python_tool(name, path, root) or own_node_tool(name, path, root)
    if own is not None:
        return Tool(own, "", "project")
    found = shutil.which(name, path=settings.search_path)
    return Tool(Path(found), "", "user") if found else Missing(f"{name} was not found, neither in the project's environments nor on PATH")


def _tell(arguments: Sequence[str], tool: Path, place: Path, files: Sequence[Path], cache: Path) -> tuple[str, ...]:
    told: list[str] = [str(tool)]
    for argument in arguments:
        told += map(str, files) if argument == FILES else [argument.replace(CACHE, str(cache))]
    return tuple(told)


def _reader(entry: CheckEntry) -> Callable[[Said], tuple[Found, ...]]:
    if entry.fields is not None:
        return partial(json_lines, fields=entry.fields)
    if entry.matcher is not None:
        return partial(_matched, entry.matcher)
    return sarif


def _matched(matcher: Matcher, said: Said) -> tuple[Found, ...]:
    found = matched(said, matcher.patterns, severity_of(matcher.severity))
    if not matcher.base:
        return found
    parts = ("line", "column", "end_line", "end_column", "severity", "code", "message")
    return tuple(Found(f"{matcher.base}/{one.file}", *(getattr(one, part) for part in parts)) for one in found)


def _proof(entry: CheckEntry, path: Path, texts: Texts) -> Proof:
    """The fault that settings name, else one that breaks the language of the file."""
    planted = entry.planted or _BROKEN.get(path.suffix, "")
    if not planted:
        return Proof(
            "", "", f"what shows that {entry.name} sees a {path.suffix or path.name} file is not known: say `planted` in the settings"
        )
    reason = f"{entry.name} does not report the fault that was planted in {path.name}"
    return Proof(planted, entry.says, reason, early=path.suffix in {".py", ".pyi"})
