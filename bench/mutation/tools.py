"""The named tools' own command lines over a whole project: what they report is what a planted error is held to."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.real.targets import Unfit

SECONDS = 600
_TY = re.compile(r"^(?P<path>[^:\s]+):(?P<line>\d+):\d+: (?:error|warning)\[(?P<what>.*)$")
_TSC = re.compile(r"^(?P<path>[^(\s]+)\((?P<line>\d+),\d+\): error (?P<what>.*)$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report."""

    path: str
    line: int
    what: str


def ty_says(program: Path, root: Path) -> frozenset[Line]:
    """`ty check`, whole."""
    return _lines(_TY, root, [str(program), "check", "--output-format", "concise", "--no-progress"])


def tsc_says(program: Path, root: Path) -> frozenset[Line]:
    """`tsc -p .`, whole."""
    return _lines(_TSC, root, [str(program), "-p", ".", "--noEmit", "--pretty", "false"])


def _lines(pattern: re.Pattern[str], root: Path, argv: Sequence[str]) -> frozenset[Line]:
    """Raises Unfit for a tool that gives no report."""
    done = subprocess.run(argv, cwd=root, capture_output=True, encoding="utf-8", errors="replace", timeout=SECONDS, check=False)
    if done.returncode not in (0, 1, 2):
        raise Unfit(f"{argv[0]} ended with {done.returncode}: {done.stderr.strip()[-400:]}")
    matches = (pattern.match(line) for line in done.stdout.splitlines())
    return frozenset(Line(match["path"], int(match["line"]), match["what"]) for match in matches if match is not None)
