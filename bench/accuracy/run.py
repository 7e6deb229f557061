"""Recall and precision of the site index on public code that nobody tuned it on, against what language servers say together.

Code is fetched from its registry by name, version and hash; which symbols are asked about was drawn by a fixed seed (symbols/), and what
the servers said is kept (truth/). Exits with 1 when a goal is missed, with 3 when something needed cannot be fetched, installed or run.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.accuracy.audit import audited, read_audit
from bench.accuracy.codebases import CodeBase, prepare, read_codebases
from bench.accuracy.score import KINDS, Score, score
from bench.accuracy.table import as_markdown, as_text, differences_text, meets_goals
from bench.accuracy.truth import TRUTH, make_truth, read_truth, write_truth
from bench.real.targets import Unfit

RESULTS = Path(__file__).with_name("results")
EPILOG = """examples:
  python -m bench.accuracy.run
  python -m bench.accuracy.run --only scrapy --differences
  python -m bench.accuracy.run --only scrapy --fresh     ask the language servers again"""


@dataclass(frozen=True, slots=True)
class Result:
    """The score of one code base, before and after its audit, and the code it was measured with."""

    base: CodeBase
    score: Score
    seconds: float


def main(argv: Sequence[str] | None = None) -> int:
    """0 when every code base could be measured and the goals are met."""
    options = _parser().parse_args(argv)
    if options.published:
        print("\n\n".join(f"{title}\n\n{table}" for title, table in published().items()))
        return 0
    try:
        bases = chosen_bases(options.only)
    except Unfit as error:
        print(f"bench/accuracy: {error}", file=sys.stderr)
        return 2
    results: list[Result] = []
    missing: list[str] = []
    for base in bases:
        try:
            results.append(measure(base, options.fresh))
        except Unfit as error:
            missing.append(f"{base.name}: {error}")
    _show(results, options)
    for line in missing:
        print(f"bench/accuracy: {line}", file=sys.stderr)
    return 3 if missing else 0 if all(meets_goals(result.base, result.score) for result in results) else 1


def published() -> dict[str, str]:
    """The tables of docs/accuracy.md by their marks: the first figures of both rounds, and the latest of all."""
    first, bases = read_results("first"), read_codebases()
    rounds = {f"round {number}": as_markdown([base for base in bases if base.round == number], first) for number in (1, 2)}
    return {**rounds, "latest": as_markdown(bases, read_results("latest"))}


def chosen_bases(names: Sequence[str]) -> list[CodeBase]:
    """Entries of the list, by short name. Raises Unfit for a name that is none."""
    bases = read_codebases()
    if unknown := set(names) - {base.short for base in bases}:
        raise Unfit(f"no code base is called {', '.join(sorted(unknown))}; there are {', '.join(base.short for base in bases)}")
    return [base for base in bases if not names or base.short in names]


def measure(base: CodeBase, fresh: bool) -> Result:
    """Fetch, find out the truth where it is not kept, and compare. Raises Unfit."""
    print(f"{base.name} {base.version}", file=sys.stderr, flush=True)
    prepare(base)
    if fresh or not (TRUTH / f"{base.short}.json").exists():
        write_truth(base, make_truth(base, fresh))
    truth = read_truth(base)
    began = time.monotonic()
    return Result(base, score(base, truth), time.monotonic() - began)


def as_data(result: Result) -> dict[str, object]:
    """The counts of one code base for programs."""
    verdicts = read_audit(result.base)
    rows = {
        kind: {
            "symbols": row.symbols,
            "references": row.references,
            "found": row.found,
            "tiers": dict(row.tiers),
            "strings_and_comments": dict(row.beside),
            "exact": row.exact,
            "confirmed": row.confirmed,
            "audited": asdict(audited(row, result.score.differences, verdicts)),
        }
        for kind, row in result.score.rows.items()
    }
    return {"version": result.base.version, "seconds": round(result.seconds, 1), **rows}


def record(results: Sequence[Result], name: str, commit: str, folder: Path = RESULTS) -> None:
    """Write figures to results/NAME.json. What `first` holds stays as it is, but for what an audit of those very figures makes of them."""
    held = read_results(name, folder)
    for result in results:
        now = {"commit": commit, "date": time.strftime("%Y-%m-%d"), **as_data(result)}
        before = held.get(result.base.short)
        if name != "first" or before is None or _raw(before) == _raw(now):
            held[result.base.short] = now if before is None or name != "first" else {**now, "date": before["date"]}
    (folder / f"{name}.json").write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")


def read_results(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """What results/NAME.json holds, by code base; empty before the first time."""
    path = folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _raw(figures: Mapping[str, Any]) -> object:
    """Figures of one code base without the date and the audit."""
    rows = [{key: value for key, value in figures[kind].items() if key != "audited"} for kind in KINDS]
    return figures["commit"], rows


def _show(results: Sequence[Result], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps({result.base.short: as_data(result) for result in results}, indent=2))
    elif results:
        print(as_text([(result.base, result.score) for result in results]))
    if options.differences:
        for result in results:
            print(differences_text(result.base, result.score))
    if options.calls:
        lines = [
            f"{r.base.short} {s.path}:{s.line}:{s.column} {s.name} {p}:{line}:{col}" for r in results for s, (p, line, col) in r.score.calls
        ]
        options.calls.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if options.record:
        commit = options.commit or subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
        record(results, options.record, commit)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.accuracy.run", description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this code base only; may be given again")
    parser.add_argument("--fresh", action="store_true", help="ask the language servers again")
    parser.add_argument("--differences", action="store_true", help="print every place where both sides disagree, with what the audit says")
    parser.add_argument("--calls", type=Path, metavar="FILE", help="write every call of a chosen symbol that is exact or family")
    parser.add_argument("--record", choices=("first", "latest"), help="keep the figures in results/; the first ones are frozen")
    parser.add_argument("--commit", default="", help="what to call the code that was measured (default: the commit of this checkout)")
    parser.add_argument("--published", action="store_true", help="print the kept figures as in docs/accuracy.md, measure nothing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser


if __name__ == "__main__":
    sys.exit(main())
