"""The parts of `surefoot runs` that move runs and let them go: export, import, gc."""

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli.common import OK, print_json, root_of, say
from surefoot.cli.parsers import add_root
from surefoot.core.errors import JournalError
from surefoot.run.limits import RETENTION_BYTES, RETENTION_DAYS

if TYPE_CHECKING:
    from surefoot.cli.parsers import Commands
    from surefoot.journal.journal import Journal

PARTS = frozenset({"export", "import", "gc"})
_MIB = 1024 * 1024


def add(parts: "Commands") -> None:
    """Describe the parts."""
    export = parts.add_parser("export", help="write a run to one file, its secrets covered; code and paths stay in it")
    export.add_argument("run", metavar="RUN")
    export.add_argument("--output", metavar="FILE", type=Path, required=True, help="the file to write")
    add_root(export)
    taken = parts.add_parser("import", help="take an exported run in, to read and to replay it")
    taken.add_argument("file", metavar="FILE", type=Path)
    add_root(taken)
    gc = parts.add_parser("gc", help="let closed runs go that are old, or the oldest of too many; never an open one")
    gc.add_argument("--days", type=float, default=RETENTION_DAYS, help=f"how long a closed run is kept (default {RETENTION_DAYS})")
    gc.add_argument("--mib", type=int, default=RETENTION_BYTES // _MIB, help="how much room runs may take, in MiB (default 1024)")
    add_root(gc)


async def work(args: argparse.Namespace) -> int:
    """Do the part that was named. Raises JournalError."""
    from surefoot.journal.journal import Journal, state_dir

    journal = Journal(root_of(args), state_dir())
    try:
        match args.part:
            case "export":
                return _export(journal, args)
            case "import":
                return _import(journal, args)
            case _:
                return _gc(journal, args)
    finally:
        journal.close()


def _export(journal: "Journal", args: argparse.Namespace) -> int:
    from surefoot.journal.bundle import dump
    from surefoot.policy.secrets import covered, secrets_in

    data = dump(journal, args.run, secrets_in, covered)
    try:
        args.output.write_bytes(data)
    except OSError as error:
        raise JournalError(f"{args.output} could not be written: {error.strerror or error}") from error
    if args.json:
        print_json({"run": args.run, "output": str(args.output), "bytes": len(data)})
    else:
        say(
            f"surefoot: {args.run} is in {args.output} ({len(data)} bytes); it holds code and paths of the project: look before you send it"
        )
    return OK


def _import(journal: "Journal", args: argparse.Namespace) -> int:
    from surefoot.journal.bundle import load

    try:
        data = args.file.read_bytes()
    except OSError as error:
        raise JournalError(f"{args.file} could not be read: {error.strerror or error}") from error
    taken = load(journal, data)
    if args.json:
        print_json({"run": taken.run, "known": taken.known})
    else:
        what = "is here already" if taken.known else f"is here now: surefoot runs report {taken.run}, surefoot replay {taken.run}"
        say(f"surefoot: {taken.run} {what}")
    return OK


def _gc(journal: "Journal", args: argparse.Namespace) -> int:
    from surefoot.journal.retention import collect, compact

    freed = collect(journal, time.time(), args.days, args.mib * _MIB)
    compact(journal)
    if args.json:
        print_json({"gone": list(freed.runs), "before": freed.before, "after": freed.after})
    else:
        let_go, kept = (freed.before - freed.after) / _MIB, freed.after / _MIB
        say(f"surefoot: {len(freed.runs)} closed runs let go, {let_go:.1f} MiB freed, {kept:.1f} MiB kept")
    return OK
