"""The crash rig: the editor and the person, who outlive the process that is killed at a boundary of a run and started again.

A tale is one sample run with its kills. Its boundaries are numbered over each life; what the editor does with an edit counts, too: the
edit has arrived, the documents hold it.
"""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from surefoot.core.change import TextEdit, apply_edits
from surefoot.core.text import digest
from tests.support.crash_samples import Sample
from tests.support.crash_wire import Wire

ROOT = Path(__file__).resolve().parent.parent.parent


class Nursery:
    """One interpreter that forks the children: start it once, it ends with this object's `close`."""

    def __init__(self) -> None:
        self._sock, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.support.crash_child", str(theirs.fileno())]
        self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=(theirs.fileno(),))
        theirs.close()
        self._read = self._sock.makefile("rb")
        self._lock = threading.Lock()

    def born(self, life: Mapping[str, Any]) -> tuple[int, Wire]:
        """A child of its own process: its id, and the wire to it."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            socket.send_fds(self._sock, [json.dumps(life).encode()], [theirs.fileno()])
            return int(self._answer()["pid"]), Wire(ours)

    def gone(self, pid: int) -> None:
        """Wait until a child that ends is no more, and its locks with it."""
        with self._lock:
            self._sock.sendall(json.dumps({"reap": pid}).encode())
            self._answer()

    def close(self) -> None:
        """End the interpreter."""
        self._read.close()
        self._sock.close()
        self._process.wait()

    def _answer(self) -> dict[str, Any]:
        line = self._read.readline()
        assert line, "the nursery has died"
        return json.loads(line)


class Killed(Exception):
    """The child was killed where the tale says."""


Boundary = tuple[str, str]
"""Where a child was, and in what."""

KINDS = ("before append", "in the transaction", "after append", "after effect", "edit arrived", "edit in the text")
"""All kinds of boundaries. What comes before an observation is recorded is the edit in the text."""


@dataclass
class Life:
    """What one process came to: its boundaries, the actions that its calls were made for, and the state of each run after its last
    commit, with that after the one before."""

    passed: list[Boundary] = field(default_factory=list[Boundary])
    calls: list[str] = field(default_factory=list[str])
    states: dict[str, tuple[str | None, str]] = field(default_factory=dict[str, tuple[str | None, str]])
    recovery: int = 0
    """Boundaries up to the end of the recovery."""


@dataclass
class Editor:
    """The buffers, which outlive every server. `cut` stops an edit after so many documents."""

    texts: dict[str, str]
    changes: int = 0
    asked: int = 0
    cut: int | None = None

    def apply(self, files: Sequence[Sequence[Any]]) -> None:
        """A versioned edit: all of it, or nothing when a document is another by now."""
        self.asked += 1
        if any(digest(self.texts[name].encode()) != before for name, before, _ in files):
            return
        for name, _, edits in files[: self.cut]:
            after = apply_edits(self.texts[name].encode(), [TextEdit(*edit) for edit in edits]).decode()
            self.changes += after != self.texts[name]
            self.texts[name] = after


@dataclass
class Child:
    """One life of the server, killed when it comes to its boundary number `kill`, or to the next of the kind `die`."""

    nursery: Nursery
    editor: Editor
    pid: int
    wire: Wire
    kill: int | None = None
    die: str = ""
    watch: Callable[[str, str], None] = lambda where, what: None
    ended: bool = False
    life: Life = field(default_factory=Life)

    def do(self, does: str, *args: object) -> dict[str, Any]:
        """Ask for something; the answer. Raises Killed."""
        self.wire.say(do=does, args=args)
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """Let the child go on from boundary to boundary until it answers. Raises Killed."""
        while True:
            said = self.wire.hear()
            if "at" in said:
                self._pass(said["at"], said["what"])
                self.wire.say(go=True)
            elif "call" in said:
                self.life.calls.append(said["action"])
            elif "edit" in said:
                self._pass("edit arrived")
                self.editor.apply(said["edit"])
                self._pass("edit in the text")
                self.wire.say(texts=self.editor.texts)
            else:
                assert said["unwanted"] == []
                return said

    def _pass(self, where: str, what: str = "") -> None:
        self.life.passed.append((where, what))
        self.watch(where, what)
        if where == self.die or (self.kill is not None and len(self.life.passed) > self.kill):
            self.wire.say(tell=True)
            self.life.states = {run: tuple(states) for run, states in self.wire.hear()["states"].items()}
            self.end()
            raise Killed

    def end(self) -> None:
        """Kill the process, where it still lives; its files are free when this returns."""
        if self.ended:
            return
        self.ended = True
        os.kill(self.pid, signal.SIGKILL)
        self.nursery.gone(self.pid)
        self.wire.close()


@dataclass
class Rig:
    """Where the tales of one sample play: one root whose files never change, a state folder for each tale."""

    nursery: Nursery
    sample: Sample
    folder: Path
    numbers: Callable[[], int] = field(default_factory=lambda: itertools.count().__next__)
    children: list[Child] = field(default_factory=list[Child])

    def __post_init__(self) -> None:
        self.root = self.folder / "root"
        self.root.mkdir(parents=True, exist_ok=True)
        for name, text in self.sample.texts.items():
            (self.root / name).write_bytes(text.encode())

    def state_dir(self) -> Path:
        """A new one."""
        return self.folder / f"state{self.numbers()}"

    def child(self, state_dir: Path, editor: Editor, kill: int | None = None, *, greedy: bool = False) -> Child:
        """A server process on this root, with the documents open as the editor holds them."""
        life = {"root": str(self.root), "state": str(state_dir), "sample": self.sample.name, "texts": editor.texts, "greedy": greedy}
        child = Child(self.nursery, editor, *self.nursery.born(life), kill)
        self.children.append(child)
        return child

    def close(self) -> None:
        """End whatever child lives."""
        for child in self.children:
            child.end()

    def editor(self) -> Editor:
        return Editor(dict(self.sample.texts))
