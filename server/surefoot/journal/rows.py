"""The database of one workspace: rows as they are stored, without their meaning."""

import contextlib
import os
import sqlite3
import zlib
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from typing import Any

from surefoot.core.errors import JournalError
from surefoot.core.value import value
from surefoot.journal.chain import first, link
from surefoot.journal.schema import prepare

FILE = "journal.sqlite"

_RUNS = (
    "SELECT id, CAST(task AS TEXT), CAST(started AS REAL), CAST(ended AS TEXT), CAST(origin AS TEXT), CAST(steps AS INTEGER) FROM runs"
    " ORDER BY CAST(started AS REAL) DESC, id"
)
"""A row that was edited by hand may hold anything in any column."""

_BUSY_SECONDS = 5.0
"""How long a write waits for another process to finish its own."""


@value
class RunRow:
    """One run in the list: `started` in seconds since the epoch, `ending` "" while it is open, `origin` "" for a run of this workspace.

    `steps` is the number of its steps where that was noted when it closed.
    """

    id: str
    task: str
    started: float
    ending: str
    origin: str = ""
    steps: int | None = None


@value
class Row:
    """One stored event. `hash` names it by all that it holds and the row before it."""

    seq: int
    at: float
    kind: str
    body: bytes
    hash: str


@value
class Trace:
    """Something seen beside a run that is no event: a retry, a refused draft, fields that were dropped. `digest` names its raw text."""

    at: float
    action: str
    kind: str
    words: str
    digest: str = ""


class Rows:
    """SQLite (WAL, synchronous FULL, mode 0600). Raises JournalError when it cannot be opened, read or written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path = folder / FILE
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._db = sqlite3.connect(path, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.text_factory = _text
            prepare(self._db, str(folder))
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"the journal in {folder} cannot be opened: {_advice(error)}") from error

    @contextlib.contextmanager
    def transaction(self) -> Generator[None]:
        """All that is written inside is stored for good, or nothing of it is."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(f"the journal in {self.folder} could not be written, so nothing was done: {_advice(error)}") from error

    def query(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Every row of an answer."""
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"the journal in {self.folder} could not be read: {_advice(error)}") from error

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Change rows inside of a transaction; how many there were."""
        return self._db.execute(statement, values).rowcount

    def append(self, run: str, expected: int, rows: Iterable[tuple[str, bytes]], at: float) -> None:
        """Put (kind, body) after the `expected` rows that a run has, inside of a transaction.

        Raises JournalError when there are others: somebody else has written the run meanwhile.
        """
        found = self._db.execute("SELECT seq, hash FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1", (run,)).fetchone()
        seq, before = found or (0, first(run))
        if seq != expected:
            raise JournalError(f"run {run} has {seq} rows where {expected} were expected: another process has written it; nothing was done")
        for number, (kind, body) in enumerate(rows, seq + 1):
            before = link(before, number, at, body)
            self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (run, number, at, kind, body, before))

    def events(self, run: str) -> tuple[Row, ...]:
        """The stored rows of a run, in order."""
        # A row that was edited by hand may hold anything in any column.
        columns = "seq, CAST(at AS REAL), CAST(kind AS TEXT), CAST(body AS BLOB), CAST(hash AS TEXT)"
        return tuple(Row(*row) for row in self.query(f"SELECT {columns} FROM events WHERE run = ? ORDER BY seq", (run,)))

    def runs(self) -> tuple[RunRow, ...]:
        """Every run, newest first."""
        return tuple(RunRow(*row) for row in self.query(_RUNS))

    def keep(self, run: str, digest: str, data: bytes) -> None:
        """Hold a raw text beside a run, inside of a transaction."""
        self._db.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, zlib.compress(data, 1)))
        self._db.execute("INSERT OR IGNORE INTO kept VALUES (?, ?)", (run, digest))

    def blob(self, digest: str) -> bytes | None:
        """A raw text by its digest, None where it is not kept."""
        found = self._db.execute("SELECT body FROM blobs WHERE digest = ?", (digest,)).fetchone()
        try:
            return zlib.decompress(found[0]) if found else None
        except (zlib.error, TypeError):
            # A text that was damaged is as one that was never kept.
            return None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _advice(error: Exception) -> str:
    """What went wrong, and what to do about it."""
    said = str(error)
    if "full" in said or "disk I/O" in said:
        return f"{said} (is the disk full? make room, then try again)"
    if "locked" in said:
        return f"{said} (another process holds it: try again when it is done)"
    if "readonly" in said or "read-only" in said or isinstance(error, PermissionError):
        return f"{said} (make the folder writable, or name another one with XDG_STATE_HOME)"
    if "not a database" in said or "malformed" in said:
        return f"{said} (move the file away: runs begin anew without it)"
    return said
