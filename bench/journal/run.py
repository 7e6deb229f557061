"""What the journal costs: the two commits of an action beside a bare insert and commit of SQLite, and resuming a long run.

Both write to the same folder, turn by turn, so that a busy disk slows both. With `--strict` it exits with 2 when a goal is missed.
"""

import argparse
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tests.support.story import ROOT, STARTED, acted

from surefoot.core.change import Change, FileEdit, Size, TextEdit
from surefoot.core.findings import CheckRun, CheckStatus, Evidence, Input, Verdict
from surefoot.core.plan import PlannedStep, Stage, Take
from surefoot.core.sites import Ledger
from surefoot.core.text import digest
from surefoot.journal.journal import Journal
from surefoot.run.events import Event
from surefoot.run.fold import step as folded
from surefoot.run.outcomes import Constrained, Drafted, Outcome, Planned, Tally, Validated, Verified
from surefoot.run.state import RunState

STEPS = 125
"""A step takes four actions of four events: with the plan before them that is a run of 2,005 events."""

LOADS = 25


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the figures beside their goals, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="where to write (default: the system's folder for temporary files)")
    parser.add_argument("--strict", action="store_true", help="exit with 2 when a goal is missed")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        bare, commits = _written(Path(name))
        loads, busy = _loaded(Path(name))
    pairs = [first + second for first, second in zip(commits[::2], commits[1::2], strict=False)]
    median = statistics.median
    goals = (
        ("bare insert and commit, median", median(bare) * 1000, "ms", None),
        ("bare insert and commit, p95", p95(bare) * 1000, "ms", None),
        ("one commit of the journal, median", median(commits) * 1000, "ms", None),
        ("one commit of the journal, p95", p95(commits) * 1000, "ms", 5.0),
        ("an action's two commits, median", median(pairs) * 1000, "ms", None),
        ("an action's two commits / one bare insert", median(pairs) / median(bare), "x", 3.0),
        ("a commit / a bare insert", median(commits) / median(bare), "x", 3.0),
        (f"resuming a run of {1 + 4 + STEPS * 16} events, p95 of {LOADS}", p95(loads) * 1000, "ms", 300.0),
        ("of that, this process at work", p95(busy) * 1000, "ms", None),
    )
    missed = 0
    for words, figure, unit, goal in goals:
        met = "" if goal is None else f"   goal {goal:g} {unit}: {'met' if figure <= goal else 'missed'}"
        missed += goal is not None and figure > goal
        print(f"{words:<52}{figure:9.2f} {unit}{met}")
    return 2 if options.strict and missed else 0


def p95(times: Sequence[float]) -> float:
    """The time that 95 of 100 stay under."""
    return sorted(times)[int(len(times) * 0.95)]


def _written(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds of bare inserts and of the journal's commits, taking turns: one insert for each two commits."""
    bare, commits = list[float](), list[float]()
    insert = _bare(folder / "bare.sqlite")
    journal = Journal(ROOT, folder)
    state = journal.commit(None, STARTED, at=time.time())
    for events in _pairs(state):
        start = time.perf_counter()
        insert.execute("INSERT INTO events (run, body) VALUES ('r1', ?)", (b"x" * 300,))
        middle = time.perf_counter()
        bare.append(middle - start)
        for part in (events[:2], events[2:]):
            start = time.perf_counter()
            state = journal.commit(state, *part, at=time.time())
            commits.append(time.perf_counter() - start)
    journal.close()
    insert.close()
    return bare, commits


def _bare(path: Path) -> sqlite3.Connection:
    """A database as the journal sets it up, with one table."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute("CREATE TABLE events (seq INTEGER PRIMARY KEY, run TEXT, body BLOB)")
    return db


def _loaded(folder: Path) -> tuple[list[float], list[float]]:
    """Seconds from opening the journal to the state of the run, as after a new start, and the processor's share of them."""
    times, busy = list[float](), list[float]()
    for _ in range(LOADS):
        start, worked = time.perf_counter(), time.process_time()
        journal = Journal(ROOT, folder)
        state = journal.load(STARTED.run)
        times.append(time.perf_counter() - start)
        busy.append(time.process_time() - worked)
        assert state.events == 1 + 4 + STEPS * 16
        journal.close()
    return times, busy


def _pairs(state: RunState) -> Iterator[tuple[Event, ...]]:
    """The four events of every action: intent and ruling, result and where that leads."""
    for outcome in _outcomes():
        events = acted(state, outcome)
        for event in events:
            state = folded(state, event)
        yield events


def _outcomes() -> Iterator[Outcome]:
    yield Planned(tuple(_planned(n) for n in range(STEPS)), Ledger(()), f"{STEPS} sites in {STEPS} files")
    for number in range(STEPS):
        draft = _drafted(number)
        run = CheckRun("ty", "1", CheckStatus.CLEAN, draft.change.paths, 0.1)
        inputs = tuple(Input(path, digest(str(path).encode())) for path in (*draft.change.paths, *draft.impacted))
        evidence = Evidence(draft.change.digest, Verdict.CLEAN, inputs, (run, replace(run, tool="ruff")), (), ())
        yield from (Constrained(("only the planned files", "at most 50 changed lines")), draft, Validated(evidence), Verified(("green",)))


def _planned(number: int) -> PlannedStep:
    return PlannedStep(f"step {number}", f"rename the uses in file {number}", Stage.WHOLE, (Take(ROOT / f"file{number}.py"),))


def _drafted(number: int) -> Drafted:
    path = ROOT / f"file{number}.py"
    before, after = digest(b"before %d" % number), digest(b"after %d" % number)
    edits = tuple(TextEdit(at, at + 7, "fetch_user") for at in range(0, 800, 100))
    change, inverse = Change((FileEdit(path, before, after, edits),)), Change((FileEdit(path, after, before, edits),))
    diff = f"--- a/{path.name}\n+++ b/{path.name}\n" + "".join(
        f"@@ -{n} +{n} @@\n-    get_user({n})\n+    fetch_user({n})\n" for n in range(8)
    )
    impacted = tuple(ROOT / f"user{number}_{n}.py" for n in range(10))
    return Drafted(change, inverse, Size(8, 8), impacted, (("get_user", "fetch_user"),), Tally(8, 1, 8, 0, 0, 0, 0), diff)


if __name__ == "__main__":
    sys.exit(main())
