"""Renames widely used functions and methods of public code bases through the real server, on copies, and prints what came of it.

Everything is fetched from its registry by name, version and hash. Exits with 1 when a rename did not hold, with 3 when something needed
cannot be fetched, installed or run.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.real.fetch import cache_folder
from bench.real.measure import Row, measure
from bench.real.project import Project
from bench.real.table import as_text
from bench.real.targets import Target, Unfit, read_targets

EPILOG = """examples:
  python -m bench.real.run
  python -m bench.real.run --only rxjs --json
  python -m bench.real.run --repo ~/code/shop --language python --rename "get_stock to free_stock" --tests "python -m unittest\""""


def main(argv: Sequence[str] | None = None) -> int:
    """0 when every rename held and the projects' own checks say what they said before."""
    options = _parser().parse_args(argv)
    try:
        targets = _targets(options)
    except Unfit as error:
        print(f"bench/real: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="surefoot-real-", ignore_cleanup_errors=True) as scratch:
        work = Path(options.work).resolve() if options.work else Path(scratch).resolve()
        with state_in(work / "state"):
            rows, missing = run_all(targets, work, options.cache or cache_folder())
    if options.json:
        print(json.dumps({"rows": [row.as_json() for row in rows], "missing": missing}, indent=2))
    elif rows:
        print(as_text(rows))
    for line in missing:
        print(f"bench/real: {line}", file=sys.stderr)
    return 3 if missing else 0 if all(row.good for row in rows) else 1


@contextmanager
def state_in(folder: Path) -> Iterator[None]:
    """Journals and reports of the servers started meanwhile go there."""
    before = os.environ.get("XDG_STATE_HOME")
    os.environ["XDG_STATE_HOME"] = str(folder)
    try:
        yield
    finally:
        del os.environ["XDG_STATE_HOME"]
        if before is not None:
            os.environ["XDG_STATE_HOME"] = before


def run_all(targets: Sequence[Target], work: Path, cache: Path) -> tuple[list[Row], list[str]]:
    """A row for every rename, and what could not be run."""
    rows: list[Row] = []
    missing: list[str] = []
    for target in targets:
        project = Project(target, work / target.name.replace("/", "+"))
        try:
            print(f"{target.label}: preparing", file=sys.stderr, flush=True)
            project.prepare(cache)
            for task in target.tasks:
                print(f"{target.label}: {task}", file=sys.stderr, flush=True)
                rows.append(asyncio.run(measure(project, task)))
        except Unfit as error:
            missing.append(f"{target.label}: {error}")
    return rows, missing


def _targets(options: argparse.Namespace) -> list[Target]:
    """One local folder, or the entries of targets.toml that were asked for. Raises Unfit."""
    if options.repo:
        if not options.repo.is_dir() or not options.rename:
            raise Unfit(f"{options.repo} is no folder" if options.rename else '--repo needs --rename "OLD to NEW"')
        tasks = tuple(task if task.startswith("rename ") else f"rename {task}" for task in options.rename)
        folder = options.repo.resolve()
        return [Target(folder.name, options.language, tasks, folder=folder, typecheck=options.typecheck, tests=options.tests)]
    targets = read_targets()
    if unknown := set(options.only) - {target.name for target in targets}:
        raise Unfit(f"no target is called {', '.join(sorted(unknown))}; there are {', '.join(t.name for t in targets)}")
    return [target for target in targets if not options.only or target.name in options.only]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.real.run", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this target only; may be given again")
    parser.add_argument("--repo", type=Path, metavar="DIR", help="a local folder instead of the targets; it is copied, never written")
    parser.add_argument("--language", choices=("python", "typescript"), default="python", help="of --repo")
    parser.add_argument("--rename", action="append", default=[], metavar="OLD to NEW", help="what to rename in --repo; may be given again")
    parser.add_argument("--typecheck", default="", metavar="COMMAND", help="type check of --repo")
    parser.add_argument("--tests", default="", metavar="COMMAND", help="tests of --repo")
    parser.add_argument("--work", metavar="DIR", help="an empty or new folder for the copies, kept afterwards (default: a temporary one)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="where archives are kept (default: the user's cache folder)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
