"""The mutation check: plants errors in public code, has the named tool's own command line report each, and asks Surefoot about each alone.

Exits with 1 when a planted error passed with a tick, with 3 when something needed cannot be fetched, installed or run.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.mutation.measure import LANGUAGES, Measured, measure
from bench.mutation.plant import Kind
from bench.real.fetch import cache_folder
from bench.real.project import Project
from bench.real.targets import Unfit, read_targets

PACKAGES = ("click", "rxjs")
EPILOG = """examples:
  python -m bench.mutation.run
  python -m bench.mutation.run --only rxjs --json
  python -m bench.mutation.run --repo examples/shop --language python --each 5"""


def main(argv: Sequence[str] | None = None) -> int:
    """0 when no planted error passed with a tick."""
    args = _arguments(argv)
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="surefoot-mutation-") as scratch:
        try:
            for name, language, root in _code(args, Path(scratch)):
                done = measure(root, language, args.each, args.seed, lambda line, name=name: print(f"{name}: {line}", file=sys.stderr))
                rows.append(shown(name, done))
        except Unfit as error:
            print(error, file=sys.stderr)
            return 3
    print(json.dumps({"rows": rows}, indent=2) if args.json else "\n".join(map(_line, rows)))
    return 1 if any(row["passed"] for row in rows) else 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Plants errors that a tool reports, and counts those that Surefoot lets pass.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--each", type=int, default=50, help="errors of each of the five kinds in each code base (default: 50)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PACKAGES)
    parser.add_argument("--repo", type=Path, help="a local folder in place of the packages; it is copied")
    parser.add_argument("--language", choices=tuple(LANGUAGES), default="python")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(argv)


def _code(args: argparse.Namespace, scratch: Path) -> list[tuple[str, str, Path]]:
    if args.repo is not None:
        copy = scratch / args.repo.name
        shutil.copytree(args.repo, copy)
        return [(args.repo.name, args.language, copy)]
    made: list[tuple[str, str, Path]] = []
    for target in read_targets():
        if target.name in PACKAGES and args.only in (None, target.name):
            root = scratch / target.name
            Project(target, root).prepare(cache_folder())
            made.append((target.label, target.language, root))
    return made


def shown(name: str, done: Measured) -> dict[str, object]:
    """One code base as a row."""
    seconds = [answer.seconds for answer in done.answers]
    return {
        "code": name,
        "tool": done.tool,
        "kinds": {str(kind): len(done.of(kind)) for kind in Kind},
        "confirmed": len(done.answers),
        "caught": sum(answer.verdict == "new" for answer in done.answers),
        "not validated": sum(answer.verdict in ("unavailable", "masked") for answer in done.answers),
        "passed": [f"{a.error.kind}: {a.error.path}:{a.error.line} {a.error.text.strip()}" for a in done.passed],
        "out of reach": [f"{e.kind}: {e.path}:{e.line} {e.text.strip()}" for e in done.out_of_reach],
        "milliseconds": round(statistics.median(seconds) * 1000) if seconds else 0,
    }


def _line(row: dict[str, object]) -> str:
    passed, beyond = row["passed"], row["out of reach"]
    assert isinstance(passed, list)
    assert isinstance(beyond, list)
    return (
        f"{row['code']}: of {row['confirmed']} errors that {row['tool']} reports, {row['caught']} were caught, "
        f"{row['not validated']} were not validated, {len(passed)} passed; median {row['milliseconds']} ms; "
        f"{len(beyond)} planted ones are out of the tool's reach\n"
        f"  {row['kinds']}" + "".join(f"\n  PASSED {line}" for line in passed)
    )


if __name__ == "__main__":
    sys.exit(main())
