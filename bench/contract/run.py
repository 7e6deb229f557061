"""Mutants at the door of random runs: each carries a canary, and the canary of a rejected one must be nowhere afterwards.

Searched are every byte of the journal's files, every later view of an engine, every report, and every message. Exits with 1 when a canary
leaks, when a rejection does not name its kind, rule, field, run and action, or when it changes anything but `attention`.
"""

import argparse
import hashlib
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.contract.mutants import CANARY, FAULTS, Mutant, Pool, mutant
from bench.contract.walks import ROOT, onward, started

from surefoot.core.errors import JournalError, Rejected
from surefoot.journal.journal import Journal
from surefoot.journal.shape import decode, encode
from surefoot.loop.view import view_of
from surefoot.report.text import render
from surefoot.run.events import Event, Intended, Resumed
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot

KINDS = ("started", "intended", "permitted", "resulted", "advanced", "told", "moved", "halted", "resumed", "closed")
RUNS = 40
"""Runs of one journal; then its files are searched, and the next one begins."""

LONGEST = 400
"""Events of one run, its halts and resumes included."""

MEMORY = Path("/dev/shm")
"""Where files cost no disk, on Linux: a hundred thousand durable rows would wear one for nothing."""


@dataclass
class Count:
    """What became of the mutants. `canaries` are those that must be nowhere, `unnamed` rejections that do not say all they must."""

    rejected: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    unstored: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    canaries: set[str] = field(default_factory=set)
    leaks: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    runs: int = 0
    events: int = 0

    @property
    def tried(self) -> int:
        return self.rejected.total() + self.accepted.total() + self.unstored.total()

    @property
    def good(self) -> bool:
        return not (self.leaks or self.unnamed or self.changed)

    def search(self, where: str, text: str) -> None:
        """Note every canary of a rejected mutant that stands in a text."""
        self.leaks += [f"{found} in {where}" for found in CANARY.findall(text) if found in self.canaries]


def main(argv: Sequence[str] | None = None) -> int:
    """Fuzz, print one table, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100_000, help="how many (default 100,000)")
    parser.add_argument("--seed", type=int, default=1, help="of the generator (default 1)")
    options = parser.parse_args(argv)
    began = time.perf_counter()
    base = MEMORY if MEMORY.is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="surefoot-contract-", dir=base))
    try:
        count = fuzz(options.mutants, options.seed, folder)
    finally:
        shutil.rmtree(folder)
    print(table(count))
    print(f"seed {options.seed}, {time.perf_counter() - began:.0f} s")
    for words in (*count.leaks, *count.unnamed, *count.changed)[:20]:
        print(words, file=sys.stderr)
    return 0 if count.good else 1


def fuzz(mutants: int, seed: int, folder: Path) -> Count:
    """Put this many mutants at the door of random runs."""
    rng = random.Random(seed)
    count = Count()
    others: list[Event] = []
    for number in range(mutants):
        if count.tried >= mutants:
            break
        journal = Journal(ROOT, folder / str(number))
        said: list[str] = []
        for _ in range(RUNS):
            if count.tried < mutants:
                others = [*others, *_Walk(rng, journal, count, others, said.append, mutants).run()][-300:]
        _search(journal, count, said)
        shutil.rmtree(folder / str(number))
    return count


def _search(journal: Journal, count: Count, said: list[str]) -> None:
    count.search("a message or a view", "\n".join(said))
    stored = b"".join(path.read_bytes() for path in sorted(journal.folder.iterdir()))
    journal.close()
    stored += b"".join(path.read_bytes() for path in sorted(journal.folder.iterdir()))
    count.search("the journal", stored.decode("utf-8", "replace"))


class _Walk:
    """One random run, with mutants at its door before each of its events."""

    def __init__(
        self, rng: random.Random, journal: Journal, count: Count, others: list[Event], say: Callable[[str], None], most: int
    ) -> None:
        self._rng, self._journal, self._count, self._others, self._say, self._most = rng, journal, count, others, say, most
        self._texts = Snapshot(ROOT)
        self._events: list[Event] = []
        self._bodies: list[bytes] = []
        self._state: RunState | None = None

    def run(self) -> list[Event]:
        """The events of the run, its mutants left out."""
        first = started(self._rng, f"r{self._count.runs}")
        self._count.runs += 1
        self._bombard(Pool(first, [], self._others), 1)
        # Its mutant may have been legal, and then it has the name.
        first = replace(first, run=f"{first.run}w")
        self._commit(first)
        for _ in range(LONGEST):
            if self._state is None or not self._state.open:
                break
            self._bombard(Pool(onward(self._rng, self._state), self._events, self._others), self._rng.randint(0, 5))
            if self._state.open:
                self._commit(onward(self._rng, self._state))
        self._bombard(Pool(self._events[-1], self._events, self._others), 2)
        self._finish(first.run)
        return self._events

    def _commit(self, event: Event) -> None:
        self._state = self._journal.commit(self._state, event, at=1.0)
        self._events.append(event)
        self._bodies.append(encode(event))
        self._count.events += 1
        self._say(repr(view_of(self._state, self._state.step, self._texts)))

    def _bombard(self, pool: Pool, times: int) -> None:
        for _ in range(times):
            if self._count.tried >= self._most or (self._events and self._state is not None and not self._state.open and times > 2):
                return
            self._try(mutant(self._rng, self._count.tried, pool))

    def _try(self, made: Mutant) -> None:
        before, count = self._state, self._count
        count.kinds[made.kind if made.kind in KINDS else "none"] += 1
        count.phases[before.phase if before is not None else "start"] += 1
        try:
            after = self._journal.commit(before, made.given, at=2.0)
        except Rejected as broken:
            self._refused(made, broken)
            return
        except JournalError as error:
            count.unstored[made.fault] += 1
            count.canaries.add(made.canary)
            self._say(str(error))
            return
        rejected = after.halted is not None and after.halted.rejected == hashlib.sha256(made.given).hexdigest()[:32]
        if not rejected or before is None:
            self._accepted(made, before, after)
            return
        self._halted(made, before, after)

    def _accepted(self, made: Mutant, before: RunState | None, after: RunState) -> None:
        """Legal by chance: it is part of its run from now on. What only its bytes held must be nowhere."""
        self._count.accepted[made.fault] += 1
        if made.fault == "name twice":
            self._count.canaries.add(made.canary)
        if before is None:
            # A run of its own, which nobody goes on with.
            return
        self._state = after
        self._bodies.append(self._journal.rows.events(after.run)[-1].body)

    def _refused(self, made: Mutant, broken: Rejected) -> None:
        self._count.rejected[made.fault] += 1
        self._count.canaries.add(made.canary)
        run = self._state.run if self._state is not None else ""
        if not (self._kind(made) == broken.kind and broken.rule and broken.field and broken.run == run):
            self._count.unnamed.append(f"{broken} ({made.fault})")
        self._say(str(broken))

    def _halted(self, made: Mutant, before: RunState, after: RunState) -> None:
        count, told = self._count, after.halted
        assert told is not None
        count.rejected[made.fault] += 1
        count.canaries.add(made.canary)
        at_work = [s.action.id for s in (before.work, before.delivery, before.settled) if s is not None]
        named = told.action in (at_work or [""]) or (told.event == "intended" and told.action == _begun(made))
        if not (told.event == self._kind(made) and told.rule and told.field and named and after.run == before.run):
            count.unnamed.append(f"{told} ({made.fault})")
        if replace(after, attention=before.attention, halted=before.halted, events=before.events) != before:
            count.changed.append(f"{made.fault} of {made.kind} changed the state")
        self._say(after.attention)
        self._bodies.append(encode(told))
        self._state = after
        if not before.attention and self._rng.random() < 0.9:
            self._commit(Resumed(after.events))

    def _kind(self, made: Mutant) -> str:
        return made.kind if made.kind in KINDS else ""

    def _finish(self, run: str) -> None:
        story = self._journal.read(run)
        if [row.body for row in self._journal.rows.events(run)] != self._bodies or story.state != self._state:
            self._count.changed.append(f"run {run} is not stored as it was accepted")
        self._say(render(story.entries))
        self._say(repr(story.state))


def _begun(made: Mutant) -> str:
    """The action that an intent of these bytes would begin: a digest, which holds nothing of what it is made from."""
    try:
        event = decode(made.given)
    except Rejected:
        return ""
    return event.action.id if isinstance(event, Intended) else ""


def table(count: Count) -> str:
    """What became of the mutants of each fault."""
    lines = [f"{'fault':<16}{'rejected':>10}{'legal':>8}{'not stored':>12}"]
    for fault in FAULTS:
        lines.append(f"{fault:<16}{count.rejected[fault]:>10}{count.accepted[fault]:>8}{count.unstored[fault]:>12}")
    lines.append(f"{'all':<16}{count.rejected.total():>10}{count.accepted.total():>8}{count.unstored.total():>12}")
    kinds = ", ".join(f"{kind} {n}" for kind, n in count.kinds.most_common())
    phases = ", ".join(f"{phase} {n}" for phase, n in count.phases.most_common())
    named = count.rejected.total() - len(count.unnamed)
    return "\n".join(
        (
            *lines,
            f"kinds: {kinds}",
            f"put at the door in: {phases}",
            f"{count.runs} runs, {count.events} events",
            f"named in full: {named} of {count.rejected.total()}; changed more than attention: {len(count.changed)}",
            f"canaries that must be nowhere: {len(count.canaries)}; leaks: {len(count.leaks)}",
        )
    )


if __name__ == "__main__":
    sys.exit(main())
