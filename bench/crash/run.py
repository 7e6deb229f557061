"""Kill a process at every boundary of every sample run, and 200 more twice; print what came of it.

Small tales of the same kind are in `tests/crash`. Exits with 1 when a kill made a difference.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.support.crash import Nursery, Rig
from tests.support.crash_samples import SAMPLES
from tests.support.crash_tales import Tale, cut, differences, doubles, half_a_row, no_index, place, sweep, told


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print one table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--doubles", type=int, default=200, help="pairs of kills, the second during the recovery (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="which pairs (default 1)")
    options = parser.parse_args(argv)
    started, wrong, total = time.monotonic(), list[str](), Counter[str]()
    nursery = Nursery()
    print(f"{'sample run':<28}{'single':>8}{'double':>8}{'torn':>8}{'repeated calls':>16}{'wrong':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for number, sample in enumerate(SAMPLES):
            share = options.doubles // len(SAMPLES) + (number < options.doubles % len(SAMPLES))
            row, found = _played(Rig(nursery, sample, Path(folder) / str(number)), share, options.seed)
            print(f"{sample.name:<28}" + "".join(f"{row[key]:>{width}}" for key, width in COLUMNS))
            total += row
            wrong += found
    nursery.close()
    print(f"{'all':<28}" + "".join(f"{total[key]:>{width}}" for key, width in COLUMNS))
    kills = total["single"] + 2 * total["double"] + total["torn"]
    print(f"{kills} kills in {time.monotonic() - started:.0f} s; {len(wrong)} of {total['tales']} tales came out differently")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


COLUMNS = (("single", 8), ("double", 8), ("torn", 8), ("repeated", 16), ("wrong", 8))


def _played(rig: Rig, pairs: int, seed: int) -> tuple[Counter[str], list[str]]:
    base = Tale(rig).play()
    single = told(rig, sweep(base))
    double = told(rig, doubles(rig, base, pairs, seed))
    appended = sweep(base, ("after append",))
    torn = [tale for tear in (cut, half_a_row, no_index) for tale in told(rig, appended, tear)]
    tales = [*single, *double, *torn]
    wrong = [f"{place(tale)}: {'; '.join(found)}" for tale in tales if (found := differences(base, tale))]
    wrong += base.faults
    counts = {"single": len(single), "double": len(double), "torn": len(torn), "tales": len(tales), "wrong": len(wrong)}
    return Counter(counts | {"repeated": sum(tale.repeats() for tale in tales)}), wrong


if __name__ == "__main__":
    sys.exit(main())
