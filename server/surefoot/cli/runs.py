"""`surefoot runs`: what was done here."""

import argparse
import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from surefoot.cli import archive, report
from surefoot.cli.common import OK, finish, print_json, root_of
from surefoot.cli.parsers import App, Commands, add_root, command
from surefoot.core.errors import JournalError

if TYPE_CHECKING:
    from surefoot.journal.journal import Journal

EPILOG = """example:
  surefoot runs list --root .
  surefoot runs report r1a2b3c4 --root . --output report.html
  surefoot runs export r1a2b3c4 --output run.json --root .
  surefoot runs import run.json --root .
  surefoot runs gc --days 30 --root ."""


def add(commands: Commands) -> None:
    """Describe the command and its parts."""
    parser = command(commands, "runs", "list runs, show one, print its report, move one as a file, let old ones go", EPILOG)
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    add_root(parts.add_parser("list", help="every run of the root, newest first"))
    show = parts.add_parser("show", help="the steps of a run")
    show.add_argument("run", metavar="RUN")
    add_root(show)
    report.add(parts)
    archive.add(parts)


def run(args: argparse.Namespace, app: App) -> int:
    """Read the journal; only `import` and `gc` change it."""
    if args.part == "report":
        return finish(report.work(args))
    return finish(archive.work(args) if args.part in archive.PARTS else _runs(args))


async def _runs(args: argparse.Namespace) -> int:
    from surefoot.cli.steps import as_json, print_run
    from surefoot.journal.journal import Journal, state_dir

    journal = Journal(root_of(args), state_dir())
    try:
        if args.part == "list":
            _list(journal, json=args.json)
            return OK
        state = journal.load(args.run)
        if args.json:
            print_json(as_json(state, ""))
        else:
            print_run(state)
        return OK
    finally:
        journal.close()


def _list(journal: "Journal", *, json: bool) -> None:
    from surefoot.report.titles import status_of

    rows: list[dict[str, str | int]] = []
    for row in journal.runs():
        status, steps = row.ending or "attention", row.steps or 0
        # A closed run is final: its row says it all.
        if not row.ending or row.steps is None:
            with contextlib.suppress(JournalError):
                state = journal.load(row.id)
                status, steps = status_of(state), len(state.steps)
        rows.append({"id": row.id, "task": row.task, "status": status, "started": _time(row.started), "steps": steps})
    if json:
        print_json({"runs": rows})
    else:
        _table([[str(cell) for cell in row.values()] for row in rows])


def _time(at: float) -> str:
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):
        return "unknown"


def _table(rows: list[list[str]]) -> None:
    if not rows:
        print("no runs yet: surefoot run TASK starts one")
        return
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
