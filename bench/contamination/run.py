"""What a failed edit costs the next one: the product's loop beside a transcript that only grows.

The model is made up, and led astray by what it reads (`world.py`): this shows that nothing that failed reaches a later request, and what
clean windows cost; it says nothing of how well any real model works. Exits with 1 when a goal of recovery is missed or any request has a
trace of what failed in it.
"""

import argparse
import asyncio
import itertools
import json
import math
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.contamination.runs import Count, appended, ours
from bench.contamination.wire import over_the_wire
from bench.contamination.world import CLEAN, PARTS, POISONED, Model

MEMORY = next((str(path) for path in (Path("/dev/shm"),) if path.is_dir()), None)
"""Where files cost no disk, on Linux."""

RATES = (CLEAN, POISONED, 0.5, 0.8, 1.0)
SHARE, BASELINE, MOVES, TOKENS, OVERHEAD = 0.92, (0.18, 0.24), 0.01, 0.15, 1.12


@dataclass(frozen=True)
class Outcome:
    """One task: what it took, whether each edit was right, and how many requests had a trace of what failed in them."""

    count: Count
    succeeded: tuple[bool, ...]
    contaminated: int


def mine(task: int, *, forced: bool, poisoned: float = POISONED) -> Outcome:
    """One task of the product's loop, in a process of its own."""
    return asyncio.run(looped(task, forced=forced, poisoned=poisoned))


async def looped(task: int, *, forced: bool, poisoned: float = POISONED) -> Outcome:
    """One task of the product's loop."""
    model = Model(task, poisoned, forced)
    folder = Path(tempfile.mkdtemp(dir=MEMORY))
    try:
        count, _ = await ours(folder, model)
    finally:
        shutil.rmtree(folder)
    return Outcome(count, tuple(model.succeeded), model.contaminated)


def grown(task: int, *, forced: bool, poisoned: float = POISONED) -> Outcome:
    """One task of the transcript that only grows."""
    model = Model(task, poisoned, forced)
    return Outcome(appended(model), tuple(model.succeeded), model.contaminated)


def lower_bound(hits: int, of: int) -> float:
    """The lower end of Wilson's 95 % interval."""
    if not of:
        return 0.0
    z, share = 1.96, hits / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return (middle - spread) / (1 + z * z / of)


def recovered(outcomes: Sequence[Outcome]) -> float:
    return sum(o.count.recovered for o in outcomes) / len(outcomes)


def after_the_failure(outcome: Outcome, kinds: Iterable[str]) -> int:
    """Tokens of all requests but the first of each kind: what the retries took."""
    later = sum(sum(outcome.count.requests.get(kind, [])[1:]) for kind in kinds) + sum(outcome.count.requests.get("judge", []))
    tries = max(len(outcome.succeeded) - 1, 0)
    return later + outcome.count.written * tries // max(len(outcome.succeeded), 1)


def per_recovery(outcomes: Sequence[Outcome], kinds: Iterable[str]) -> float:
    return sum(after_the_failure(o, kinds) for o in outcomes) / max(sum(o.count.recovered for o in outcomes), 1)


def growth(outcomes: Iterable[Outcome]) -> float:
    """The largest retry request beside the first one of its kind."""
    return max(size / sizes[0] for o in outcomes for kind, sizes in o.count.requests.items() if kind != "judge" for size in sizes)


def main() -> int:
    """Run it all and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--failures", type=int, default=2_000, help="first failures to recover from (2000)")
    parser.add_argument("--sweep", type=int, default=300, help="tasks for each rate of a poisoned window (300)")
    parser.add_argument("--wire", type=int, default=100, help="tasks over real HTTP (100)")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="print the figures for programs")
    args = parser.parse_args()
    with ProcessPoolExecutor(args.processes) as pool:

        def each(work: Callable[[int], Outcome], tasks: int) -> list[Outcome]:
            return list(pool.map(work, range(tasks), chunksize=max(tasks // 50, 1)))

        clean = each(partial(mine, forced=True), args.failures)
        transcript = each(partial(grown, forced=True), args.failures)
        free = each(partial(mine, forced=False), args.failures)
        swept = {rate: recovered(each(partial(mine, forced=True, poisoned=rate), args.sweep)) for rate in RATES}
    wired = asyncio.run(over_the_wire(args.wire))
    figures = told(clean, transcript, free, swept, wired)
    if args.json:
        json.dump(figures, sys.stdout, indent=2)
        print()
    else:
        show(figures)
    return 0 if reached(figures) else 1


def told(
    clean: Sequence[Outcome], transcript: Sequence[Outcome], free: Sequence[Outcome], swept: dict[float, float], wired: Sequence[Outcome]
) -> dict[str, float]:
    """The figures by name."""
    first = [o.succeeded[0] for o in free]
    second = [o.succeeded[1] for o in free if len(o.succeeded) > 1]
    lucky = [o for o in free if len(o.succeeded) == 1]
    bare = sum(o.count.requests["edit"][0] for o in transcript) / len(transcript)
    edits = sum(o.count.requests["edit"][0] for o in lucky) / max(len(lucky), 1)
    whole = sum(o.count.read for o in lucky) / max(len(lucky), 1)
    return {
        "first failures": len(clean),
        "recovered": recovered(clean),
        "recovered, lower bound": lower_bound(sum(o.count.recovered for o in clean), len(clean)),
        "transcript recovered": recovered(transcript),
        "closed form, clean": 1 - (1 - (1 - CLEAN) ** PARTS) ** 2,
        "closed form, transcript": 1 - (1 - (1 - POISONED) ** PARTS) ** 2,
        **{f"recovered at a poisoned rate of {rate}": share for rate, share in swept.items()},
        "requests with a trace": sum(o.contaminated for o in itertools.chain(clean, free, wired)),
        "tokens after the failure for a recovery": per_recovery(clean, ("plan", "edit")),
        "the same of the transcript": per_recovery(transcript, ("edit",)),
        "share": per_recovery(clean, ("plan", "edit")) / per_recovery(transcript, ("edit",)),
        "largest retry request, times the first": growth(clean),
        "first edits right": sum(first) / len(first),
        "second edits right": sum(second) / max(len(second), 1),
        "tokens of one bare request with the whole module": bare,
        "tokens of an edit request": edits,
        "all requests of a task that goes well, times the bare one": whole / bare,
        "over HTTP: recovered": recovered(wired) if wired else 0.0,
        "over HTTP: tasks": len(wired),
    }


def reached(figures: dict[str, float]) -> bool:
    """Whether the goals of recovery and of cost hold."""
    swept = [share for name, share in figures.items() if name.startswith("recovered at")]
    return (
        figures["recovered, lower bound"] >= SHARE
        and BASELINE[0] <= figures["transcript recovered"] <= BASELINE[1]
        and max(swept) - min(swept) <= MOVES
        and figures["requests with a trace"] == 0
        and figures["share"] <= TOKENS
        and figures["all requests of a task that goes well, times the bare one"] <= OVERHEAD
        and figures["largest retry request, times the first"] <= 1.08
        and figures["second edits right"] >= figures["first edits right"] - 0.02
    )


def show(figures: dict[str, float]) -> None:
    """One figure a line."""
    for name, number in figures.items():
        shown = f"{number:,.0f}" if number == int(number) or number > 100 else f"{number:.3f}"
        print(f"{name:62} {shown:>10}")


if __name__ == "__main__":
    sys.exit(main())
