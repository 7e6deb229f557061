"""`Journal.commit`: the one door through which a run changes."""

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from surefoot.core.errors import JournalError, Rejected
from surefoot.core.value import value
from surefoot.journal.shape import decode, encode
from surefoot.run.events import Closed, Event, Halted, Resulted, Started
from surefoot.run.fold import fold, step
from surefoot.run.legality import check
from surefoot.run.state import RunState

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (id TEXT PRIMARY KEY, task TEXT NOT NULL, started REAL NOT NULL, ended TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS events (
  run TEXT NOT NULL REFERENCES runs(id), seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;
"""


@value
class RunRow:
    """One run in the list: `started` in seconds since the epoch, `ending` "" while it is open."""

    id: str
    task: str
    started: float
    ending: str


@value
class Entry:
    """One accepted event and when it was accepted, in seconds since the epoch."""

    at: float
    event: Event


def state_dir() -> Path:
    """Where journals live: the user's state folder (honours XDG_STATE_HOME)."""
    return user_state_path("surefoot", appauthor=False)


def folder_of(root: Path, state_dir: Path) -> Path:
    """Where the journal of one workspace lives."""
    key = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return state_dir / "workspaces" / f"{root.name or 'root'}-{key}"


class Journal:
    """The runs of one workspace, in SQLite (WAL, synchronous FULL, mode 0600). Raises JournalError when it cannot be used."""

    def __init__(self, root: Path, state_dir: Path) -> None:
        self.folder = folder_of(root, state_dir)
        self._locks: dict[str, FileLock] = {}
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = self.folder / "journal.sqlite"
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._migrate()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"the journal in {self.folder} cannot be opened: {error}") from error

    def _migrate(self) -> None:
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found > _SCHEMA_VERSION:
            raise JournalError(f"the journal in {self.folder} was written by a newer Surefoot (schema {found})")
        self._db.executescript(_SCHEMA)
        self._db.execute(f"PRAGMA user_version={_SCHEMA_VERSION}")

    def commit(self, state: RunState | None, *events: Event, at: float) -> RunState:
        """Shape, legality, one durable transaction, fold.

        A rejected event of an open run changes nothing but `attention`: what is stored then is `Halted`, and none of `events`. `at` is in
        seconds since the epoch. Raises Rejected where there is no open run to halt, JournalError when nothing was stored.
        """
        after, rows = state, list[tuple[Event, bytes]]()
        for event in events:
            try:
                rows.append((event, _accepted(after, event)))
            except Rejected as broken:
                if state is None or not state.open:
                    raise
                return self.commit(state, _halted(event, broken), at=at)
            after = step(after, event)
        if after is None:
            raise JournalError("nothing to commit")
        self._append(after.run, rows, at)
        return after

    def _append(self, run: str, rows: list[tuple[Event, bytes]], at: float) -> None:
        with self._transaction():
            (seq,) = self._db.execute("SELECT COALESCE(MAX(seq), 0) FROM events WHERE run = ?", (run,)).fetchone()
            for number, (event, body) in enumerate(rows, seq + 1):
                if isinstance(event, Started):
                    self._db.execute("INSERT INTO runs (id, task, started) VALUES (?, ?, ?)", (run, event.task.text, at))
                self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", (run, number, at, event.kind, body))
                if isinstance(event, Closed):
                    self._db.execute("UPDATE runs SET ended = ? WHERE id = ?", (event.ending, run))

    @contextlib.contextmanager
    def _transaction(self) -> Generator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise JournalError(f"the journal in {self.folder} could not be written: {error}") from error

    def load(self, run: str) -> RunState:
        """The state of a stored run. Raises JournalError for a run that is not there or a row that does not read."""
        state = fold(entry.event for entry in self.entries(run))
        if state is None:
            raise JournalError(f"there is no run {run}: `surefoot runs list` shows those of this root")
        return state

    def entries(self, run: str) -> tuple[Entry, ...]:
        """The accepted events of a run, in order. Raises JournalError for a row that does not read."""
        out: list[Entry] = []
        for seq, at, body in self._db.execute("SELECT seq, at, body FROM events WHERE run = ? ORDER BY seq", (run,)).fetchall():
            try:
                out.append(Entry(at, decode(body)))
            except JournalError as error:
                raise JournalError(f"run {run} cannot be read, other runs can: row {seq} of it is damaged ({error})") from None
        return tuple(out)

    def runs(self) -> tuple[RunRow, ...]:
        """Every run of this workspace, newest first."""
        rows = self._db.execute("SELECT id, task, started, ended FROM runs ORDER BY started DESC, id").fetchall()
        return tuple(RunRow(*row) for row in rows)

    def own(self, run: str) -> bool:
        """Take the run for this process; False when another process has it."""
        lock = self._locks.setdefault(run, FileLock(self.folder / f"{run}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        return True

    def disown(self, run: str) -> None:
        """Give the run up, so that another process may own it."""
        if (lock := self._locks.pop(run, None)) is not None:
            lock.release()

    def close(self) -> None:
        """Release every run and the database."""
        for run in tuple(self._locks):
            self.disown(run)
        self._db.close()


def _accepted(state: RunState | None, event: Event) -> bytes:
    body = encode(event)
    broken = check(state, event)
    if broken is not None:
        raise Rejected(event.kind, broken.rule, broken.field, state.run if state else "", _action_of(event))
    return body


def _action_of(event: Event) -> str:
    return event.action if isinstance(event, Resulted) else ""


def _halted(event: Event, broken: Rejected) -> Halted:
    return Halted(hashlib.sha256(repr(event).encode()).hexdigest()[:32], broken.rule, broken.field, broken.action)
