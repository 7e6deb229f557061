"""Tales: a sample run from start to end, with its kills, and what an interrupted one must have in common with the one that was not."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.crash import KINDS, Child, Editor, Killed, Life, Rig
from tests.support.crash_samples import Command

AT_A_TIME = 4
"""Tales that play side by side."""

Tear = Callable[[Path], bool]
"""Does something to the write-ahead log of a process that was killed; whether its last commit is torn by that."""


@dataclass
class Tale:
    """A sample run with its kills: what was passed in each life, and what came of it."""

    rig: Rig
    kills: tuple[int, ...] = ()
    tear: Tear | None = None

    editor: Editor = field(init=False)
    lives: list[Life] = field(default_factory=list[Life])
    runs: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.editor = self.rig.editor()

    def play(self) -> "Tale":
        """Live, be killed, live again, until the person has all that they asked for."""
        state_dir = self.rig.state_dir()
        left = list(self.rig.sample.commands)
        for number, kill in enumerate((*self.kills, None)):
            child = self.rig.child(state_dir, self.editor, kill)
            self.lives.append(child.life)
            try:
                if number:
                    self._recovered(child)
                self._live(child, left)
                child.end()
            except Killed:
                if self.tear is not None and number == 0:
                    self._torn(state_dir, child.life)
        return self

    def _live(self, child: Child, left: list[Command]) -> None:
        while left:
            if not self._has(left[0]):
                self._do(child, left[0])
            left.pop(0)
        held = json.loads(child.do("find")["said"])
        child.life.states = {run: (None, state) for run, state in held.items()}
        if held != {run["run"]: run["state"] for run in self.runs}:
            self.faults.append(f"the journal holds {held}, the runs are {self.runs}")

    def _has(self, command: Command) -> bool:
        """Whether a command has had its effect already, before the process died or in its recovery."""
        match command, self.runs:
            case (("type", str(name), _, str(new)), _):
                return str(new) in self.editor.texts[name]
            case (_, []):
                return False
            case (("begin",), _):
                return True
            case (("cancel",), [run, *_]):
                return bool(run["ending"])
            case (("accept",), [run, *_]):
                return run["ending"] == "done"
            case ((str(verb), int(step)), [run, *_]):
                status = run["statuses"][step] if step < len(run["statuses"]) else ""
                return status == "skipped" if verb == "skip" else (status == "applied") is verb.startswith("apply")
            case _:
                raise AssertionError(command)

    def _do(self, child: Child, command: Command) -> None:
        match command:
            case ("type", str(name), str(old), str(new)):
                self.editor.texts[name] = self.editor.texts[name].replace(old, new)
                reply = child.do("changed", self.editor.texts)
            case ("accept",) if self.runs and not self.runs[0]["ending"]:
                # The run that took the fix over is there; its step is ready.
                reply = child.do("apply", 0)
            case ("apply while checking", int(step)) if self.runs:
                reply = child.do("apply", step)
            case (str(verb), *args):
                reply = child.do(verb, *args)
            case _:
                raise AssertionError(command)
        if not reply["done"]:
            self.faults.append(f"{command}: {reply['said']}")
        self.runs = reply["runs"]

    def _recovered(self, child: Child) -> None:
        """A new start: what the journal holds is what was committed last, and every open run is taken up."""
        found, committed = json.loads(child.do("find")["said"]), self.committed()
        if found != committed:
            self.faults.append(f"the journal holds {found}, committed was {committed}")
        reply = child.do("recover")
        if not reply["done"]:
            self.faults.append(f"not taken up: {reply['said']}")
        self.runs = reply["runs"]
        child.life.recovery = len(child.life.passed)
        if lost := set(committed) - {run["run"] for run in self.runs}:
            self.faults.append(f"lost: {lost}")

    def committed(self) -> dict[str, str]:
        """The state of every run after its last commit that stands, in all lives so far."""
        return {run: now for life in self.lives for run, (_, now) in life.states.items()}

    def _torn(self, state_dir: Path, life: Life) -> None:
        """What a machine that died in the last write of the process would leave of it."""
        (log,) = state_dir.rglob("journal.sqlite-wal")
        assert self.tear is not None
        if self.tear(log):
            ((run, (before, _)),) = life.states.items()
            life.states = {run: (None, before)} if before else {}

    def repeats(self) -> int:
        """Calls of engine and checker that were made again for an action that had been called for before."""
        calls = Counter(action for life in self.lives for action in life.calls if action)
        return sum(count - 1 for count in calls.values())


def differences(base: Tale, tale: Tale) -> list[str]:
    """What an interrupted tale has got wrong, measured by the one without interruptions."""
    out = list(tale.faults)
    if tale.editor.texts != base.editor.texts:
        out.append(f"the buffers are {tale.editor.texts}")
    if tale.editor.changes != base.editor.changes:
        out.append(f"{tale.editor.changes} edits changed text, not {base.editor.changes}")
    if not tale.runs or tale.runs[0]["normal"] != base.runs[0]["normal"]:
        out.append(f"the last run came to {tale.runs[:1]}")
    if tale.repeats() > len(tale.kills):
        out.append(f"{tale.repeats()} calls were repeated")
    return out


def place(tale: Tale) -> str:
    """Where the kills of a tale fell, for a message."""
    parts: list[str] = []
    for life, kill in zip(tale.lives, tale.kills, strict=False):
        if kill < len(life.passed):
            parts.append(f"{kill} ({' '.join(life.passed[kill]).strip()})")
    return f"{tale.rig.sample.name}: killed at {' then '.join(parts)}"


def sweep(base: Tale, kinds: Sequence[str] = KINDS) -> list[tuple[int, ...]]:
    """A kill at every boundary of these kinds of an uninterrupted tale."""
    return [(number,) for number, (where, _) in enumerate(base.lives[0].passed) if where in kinds]


def told(rig: Rig, kills: Iterable[tuple[int, ...]], tear: Tear | None = None) -> list[Tale]:
    """Tales with these kills, some at a time."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(lambda each: Tale(rig, each, tear).play(), kills))


def doubles(rig: Rig, base: Tale, count: int, seed: int) -> list[tuple[int, ...]]:
    """So many pairs of kills, drawn with a fixed seed: the second one falls into the recovery from the first, where that comes to a
    boundary at all, else anywhere after it."""
    chance = random.Random(seed)
    first = chance.choices(sweep(base), k=count)
    seconds = (tale.lives[1] for tale in told(rig, first))
    return [(*kill, chance.randrange(life.recovery or len(life.passed) or 1)) for kill, life in zip(first, seconds, strict=True)]


# What a machine that dies in the middle of a write leaves of the write-ahead log.


def cut(log: Path) -> bool:
    """The last bytes were never written."""
    data = log.read_bytes()
    log.write_bytes(data[:-7])
    return True


def half_a_row(log: Path) -> bool:
    """The next write had begun."""
    data = log.read_bytes()
    log.write_bytes(data + data[-4120:-2000])
    return False


def no_index(log: Path) -> bool:
    """The file that processes share is lost, too."""
    log.with_name(log.name.replace("-wal", "-shm")).unlink()
    return False
