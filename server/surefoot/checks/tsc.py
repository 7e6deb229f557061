"""TypeScript's own compiler, for projects whose version has no native server: the whole program, from its settings."""

import re
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from surefoot.checks import typescript
from surefoot.checks.checker import CheckKind, Missing, Tool
from surefoot.checks.command import Command, Found, Gate, Said, Scratch
from surefoot.checks.command_output import severity_of
from surefoot.checks.configs import governing
from surefoot.checks.settings import CheckSettings
from surefoot.checks.toolchain import node_package
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.text import TextFile, Texts, Units

_NATIVE_MAJOR = 7
_LINE = re.compile(r"(?P<file>[^(]+)\((?P<line>\d+),(?P<column>\d+)\): (?P<severity>error|warning) TS(?P<code>\d+): (?P<message>.*)$")
_GLOBAL = re.compile(r"(?:error|warning) TS\d+: (?P<message>.*)$")
_IMPORTED = MappingProxyType({".ts": ("ts", "js"), ".tsx": ("ts", "js"), ".mts": ("mts", "mjs"), ".cts": ("cts", "cjs")})


def _uses(path: Path, texts: Texts) -> Path | None:
    """The settings that claim the file, the nearest above it or one that these refer to, where the project has such a version."""
    own = node_package("typescript", path, texts.root)
    if own is None or int(own.version.partition(".")[0] or 0) >= _NATIVE_MAJOR:
        return None
    found = governing(path, texts.root)
    return found[-1] if found else None


def _find(path: Path, root: Path, settings: CheckSettings) -> Tool | Missing:
    found = node_package("typescript", path, root)
    if found is None:
        return Missing("TypeScript is not installed in the project's node_modules: npm install")
    return Tool(found.path / "lib" / "tsc.js", found.version, "project")


def _tell(tool: Path, place: Path, files: Sequence[Path], cache: Path) -> tuple[str, ...]:
    built = ("--incremental", "--tsBuildInfoFile", str(cache / "tsbuildinfo"), "--composite", "false")
    quiet = ("--noEmit", "--emitDeclarationOnly", "false", "--pretty", "false")
    return ("node", str(tool), "-p", str(place), *quiet, *built)


def _read(said: Said) -> tuple[Found, ...]:
    out: list[Found] = []
    for line in filter(str.strip, said.text.splitlines()):
        if (match := _LINE.match(line)) is not None:
            place = (int(match["line"]), int(match["column"]), 0, 0)
            out.append(Found(match["file"], *place, severity_of(match["severity"]), match["code"], match["message"]))
        elif (broad := _GLOBAL.match(line)) is not None:
            raise CheckerUnavailable(f"tsc could not look: {broad['message']}")
        elif not out or not line.startswith(" "):
            raise ValueError("a line that is none of tsc's")
    return tuple(out)


def _scratch(path: Path, texts: Texts) -> Scratch | None:
    if path.suffix not in _IMPORTED or path.name.endswith((".d.ts", ".d.mts", ".d.cts")):
        return None
    suffix, named = _IMPORTED[path.suffix]
    file = TextFile.of(path.parent / f"surefoot-scratch.{suffix}", b"export const surefootMade: string = surefootMissing;\n")
    planted = f'import {{ surefootMade }} from "./surefoot-scratch.{named}";\nsurefootMade.surefootAbsent;\n'
    return Scratch(file, planted, "surefootAbsent")


COMMAND = Command(
    name="tsc",
    kind=CheckKind.TYPES,
    suffixes=frozenset(typescript.CHECKER.languages),
    alone=False,
    required=False,
    uses=_uses,
    find=_find,
    tell=_tell,
    read=_read,
    proof=typescript.CHECKER.proof,
    good=frozenset({0, 1, 2}),
    units=Units.UTF16,
    masks=True,
    gate=Gate.RUN,
    seconds=300.0,
    kin=typescript.CHECKER.kin,
    is_syntax=typescript.CHECKER.is_syntax,
    scratch=_scratch,
)
