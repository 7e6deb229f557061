"""Searches for the same functions with Surefoot and with others on the same code, in one run, and prints the ratios.

Everything is fetched from its registry by name, version and hash. Exits with 1 when ast-grep is faster at a question, with 3 when something
needed cannot be fetched, installed or run.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from bench.index import ours, rivals
from bench.index.inputs import drawn, workspaces
from bench.real.targets import Unfit

NAMES = 60


def main(argv: Sequence[str] | None = None) -> int:
    """0 when everything was measured and no search of ast-grep's was faster."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.index.run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this workspace only: django, typeorm or large")
    parser.add_argument("--names", type=int, default=NAMES, help=f"functions to look for (default {NAMES})")
    parser.add_argument("--json", action="store_true", help="print all of it for programs")
    options = parser.parse_args(argv)
    slower = False
    results: list[object] = []
    try:
        for place in workspaces(options.only or ["django", "typeorm", "large"]):
            symbols = drawn(place.root, options.names)
            print(f"{place.name}: {len(symbols)} functions", file=sys.stderr, flush=True)
            figures = ours.measure(place.root, symbols)
            others = rivals.measure(place, symbols)
            results.append({"workspace": place.name, "ours": asdict(figures), "others": [asdict(other) for other in others]})
            grep = next(other for other in others if other.name == "ast-grep")
            slower |= any(theirs < mine for theirs, mine in zip(grep.times, figures.warm, strict=False))
            if not options.json:
                print(as_text(place.name, figures, others), flush=True)
    except Unfit as error:
        print(f"bench/index: {error}", file=sys.stderr)
        return 3
    if options.json:
        print(json.dumps(results, indent=2))
    return 1 if slower else 0


def at(times: Sequence[float], part: float) -> float:
    """The time that this part of them does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def as_text(name: str, figures: ours.Figures, others: Sequence[rivals.Rival]) -> str:
    """One block of lines; each rival's time is also said as so many times ours."""
    mine = at(figures.warm, 0.5)
    mb = figures.code / 1e6
    out = [
        "",
        f"{name}: {figures.files:,} files, {figures.every / 1e6:.0f} MB, of which {mb:.0f} MB are parsed; {figures.sites:,} sites found",
        f"  index            {figures.build:.1f} s of one CPU, {mb / figures.build:.1f} MB/s; {figures.stored / 1e6:.0f} MB on disk",
        f"  cold, complete   {_ms(figures.cold)}",
        f"  warm             {_ms(figures.warm)}",
        f"  nobody watches   {_ms(figures.unwatched)}",
        f"  {ours.BUFFERS} dirty buffers {_ms(figures.dirty)}",
        f"  keystroke        p95 {1e3 * at(figures.keys, 0.95):.2f} ms",
        f"  memory           worker {figures.worker} MiB, server {figures.server} MiB; while it builds {figures.builder} MiB more",
    ]
    for other in others:
        first = f"; first answer after {other.first:.1f} s" if other.first else ""
        out.append(f"  {other.name:<16} {_ms(other.times)}: {at(other.times, 0.5) / mine:.1f} times ours{first}")
    return "\n".join(out)


def _ms(times: Sequence[float]) -> str:
    return f"p50 {1e3 * at(times, 0.5):.1f} ms, p95 {1e3 * at(times, 0.95):.1f} ms, max {1e3 * at(times, 1.0):.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
