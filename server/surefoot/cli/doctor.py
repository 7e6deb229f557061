"""`surefoot doctor`: which checkers there are for a project, whether its models answer, and how to get what is missing."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli.models import ask
from surefoot.cli.parsers import App, Commands
from surefoot.core.value import value
from surefoot.workspace.environment import for_programs

if TYPE_CHECKING:
    from surefoot.checks.checker import Checker

_EXAMPLE = """examples:
  surefoot doctor                       what there is for the project in this folder
  surefoot doctor --install             also install TypeScript 7 into Surefoot's cache folder, with npm
  surefoot doctor --root shop --json    the same for a program to read
"""


@value
class Row:
    """One tool as a person sees it. `detail` says how to get it, or what keeps it from working here."""

    tool: str
    found: bool
    version: str
    path: str
    home: str
    detail: str


def add(subparsers: Commands) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "doctor",
        help="which checkers there are, whether the models answer, and how to get what is missing",
        description="Lists the checkers that Surefoot finds for a project: the project's own first, then those that come with Surefoot. "
        "Where there is a key, each model is asked one small question.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--install", action="store_true", help="install what is missing: TypeScript 7, through npm, into Surefoot's cache folder"
    )
    parser.add_argument("--root", type=Path, default=Path(), metavar="DIR", help="the project's folder (default: this one)")
    parser.add_argument("--json", action="store_true", help="print JSON alone on standard output")


def run(args: argparse.Namespace, app: App) -> int:
    """0 when every checker was found and every model answers, 1 when one does not, 2 when there is no such folder."""
    root: Path = args.root.resolve()
    if not os.path.isdir(root):
        print(f"{args.root} is not a folder; name the project's folder with --root", file=sys.stderr)
        return 2
    trouble = _install() if args.install else ""
    rows = look(root)
    # What installs asks nobody: it runs where there is no person, and may run often.
    models = None if args.install else ask(root)
    if args.json:
        print(json.dumps({"tools": [_shown(row) for row in rows], "model": models.shown() if models else None}, indent=2))
    else:
        print("\n".join((*(_line(row) for row in rows), *(models.lines() if models else ()))))
    if trouble:
        print(trouble, file=sys.stderr)
    well = all(row.found for row in rows) and (models is None or models.well)
    return 0 if well and not trouble else 1


def look(root: Path) -> tuple[Row, ...]:
    """Every checker of the table, as found for `root`."""
    from surefoot.checks.table import CHECKERS

    return tuple(_row(checker, root) for checker in CHECKERS if checker.wanted(root / f"any{next(iter(checker.languages))}", root))


def _row(checker: "Checker", root: Path) -> Row:
    from surefoot.checks.checker import Missing
    from surefoot.checks.settings import CheckSettings

    sample = root / f"any{next(iter(checker.languages))}"
    tool = checker.find(sample, root, CheckSettings())
    if isinstance(tool, Missing):
        return Row(checker.name, False, "", "", "", tool.reason)
    tried = (checker.obstacle(tool, config, root) for config in checker.governs(sample, root))
    obstacle = next((reason for reason in tried if reason), "")
    return Row(checker.name, True, tool.version or _version(tool.path), str(tool.path), tool.home, obstacle)


def _version(path: Path) -> str:
    nothing, env = subprocess.DEVNULL, for_programs()
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True, timeout=10, stdin=nothing, env=env)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = done.stdout.split()
    return words[1] if len(words) > 1 else ""


def _install() -> str:
    """Installs what can be installed; what went wrong, "" if nothing did."""
    from surefoot.checks.install import install_typescript
    from surefoot.core.errors import CheckerUnavailable

    print("Installing TypeScript 7 into Surefoot's cache folder, unless it is there ...", file=sys.stderr)
    try:
        install_typescript()
    except CheckerUnavailable as error:
        return str(error)
    return ""


def _shown(row: Row) -> dict[str, str]:
    status = "found" if row.found else "missing"
    return {"tool": row.tool, "status": status, "version": row.version, "path": row.path, "home": row.home, "detail": row.detail}


def _line(row: Row) -> str:
    if not row.found:
        return f"{row.tool:<12} missing    {row.detail}"
    whose = "the project's own" if row.home == "project" else "comes with Surefoot"
    line = f"{row.tool:<12} {row.version:<10} {whose}  {row.path}"
    return f"{line}\n{'':<12} but {row.detail}" if row.detail else line
