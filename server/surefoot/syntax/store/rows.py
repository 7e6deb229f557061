"""The file that facts are kept in: SQLite in the user's cache folder, one for each root and version of the facts.

It is a cache. What cannot be read is thrown away, and what cannot be written is done without: `Lost` says so, and no person hears of it.
"""

import contextlib
import hashlib
import os
import shutil
import sqlite3
from collections.abc import Collection, Generator, Iterable
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_cache_path

from surefoot.syntax.store.version import facts_version

UNUSED_DAYS = 60
"""Facts of a root that nobody wrote to for so long are deleted."""

OTHER_DAYS = 2
"""Facts of another version of Surefoot are kept for so long after they were last written to."""

WAIT_SECONDS = 5.0
"""How long one process waits while another writes."""

_DAY = 86400
_ROOT = "root"
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_TABLES = """
CREATE TABLE IF NOT EXISTS file (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, stamp INTEGER NOT NULL, facts INTEGER NOT NULL,
  segment INTEGER NOT NULL, slot INTEGER NOT NULL, trouble TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS segment (id INTEGER PRIMARY KEY AUTOINCREMENT, words BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS facts (id INTEGER PRIMARY KEY, key TEXT NOT NULL, outline BLOB NOT NULL, uses BLOB NOT NULL);
"""


class Row(NamedTuple):
    """What is known of one file, by its name below the root. A tuple, because there are tens of thousands of them.

    `stamp` is 0 where the disk cannot tell whether it changed since. `facts` is the number of its facts, 0 for a file that is not parsed;
    its words are in `slot` of `segment`, or `trouble` says why it is no text.
    """

    id: int
    name: str
    stamp: int
    facts: int
    segment: int
    slot: int
    trouble: str


class Lost(Exception):
    """The facts cannot be read or written. What could be done about it was done: a broken file is deleted."""


class Rows:
    """One file of facts, open in one process. Every method raises Lost."""

    def __init__(self, path: Path, make: bool) -> None:
        self.path = path
        with self._told():
            self._db = sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)
            if make:
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.executescript(_TABLES)
            self._db.execute("PRAGMA synchronous=NORMAL")

    def close(self) -> None:
        self._db.close()

    def files(self, after: int = 0) -> list[Row]:
        """The rows that were written after the one with this number, in the order of writing."""
        with self._told():
            return list(map(Row._make, self._db.execute("SELECT * FROM file WHERE id > ? ORDER BY id", (after,))))

    def segments(self, after: int = 0) -> list[tuple[int, bytes]]:
        """Segments that were written after the one with this number."""
        with self._told():
            return self._db.execute("SELECT id, words FROM segment WHERE id > ? ORDER BY id", (after,)).fetchall()

    def moved(self) -> int:
        """A number that changes when another process has written."""
        with self._told():
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def outline(self, key: str) -> bytes | None:
        """The packed outline of a text, by its key."""
        return self._fact("SELECT key, outline FROM facts WHERE id = ?", key)

    def uses(self, key: str) -> bytes | None:
        """The packed uses of a text, by its key."""
        return self._fact("SELECT key, uses FROM facts WHERE id = ?", key)

    def known(self) -> set[int]:
        """The numbers of all facts that are there."""
        with self._told():
            return {int(found[0]) for found in self._db.execute("SELECT id FROM facts")}

    @contextlib.contextmanager
    def writing(self) -> Generator[None]:
        """All that is written in the block, or nothing."""
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def put_segment(self, words: bytes) -> int:
        """Write a segment; its number."""
        return int(self._db.execute("INSERT INTO segment (words) VALUES (?)", (words,)).lastrowid or 0)

    def put_files(self, rows: Iterable[Row]) -> None:
        """Write rows in place of those of the same name; each gets a new number."""
        self._db.executemany(
            "INSERT OR REPLACE INTO file (name, stamp, facts, segment, slot, trouble) VALUES (?, ?, ?, ?, ?, ?)", [row[1:] for row in rows]
        )

    def put_facts(self, key: str, outline: bytes, uses: bytes) -> None:
        """Write the facts of one text."""
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?)", (fact_number(key), key, outline, uses))

    def forget(self, names: Collection[str], segments: Collection[int]) -> None:
        """Delete files that are gone, segments that no file needs, and facts of no file."""
        self._db.executemany("DELETE FROM file WHERE name = ?", [(name,) for name in names])
        self._db.executemany("DELETE FROM segment WHERE id = ?", [(number,) for number in segments])
        self._db.execute("DELETE FROM facts WHERE id NOT IN (SELECT facts FROM file)")

    def _fact(self, question: str, key: str) -> bytes | None:
        with self._told():
            found = self._db.execute(question, (fact_number(key),)).fetchone()
        return found[1] if found is not None and found[0] == key else None

    @contextlib.contextmanager
    def _told(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) in _BROKEN:
                throw_away(self.path)
            raise Lost(str(error)) from error


def fact_number(key: str) -> int:
    """The number under which facts are found; the key itself is compared, too."""
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=7).digest()) or 1


def index_folder() -> Path:
    """Where facts are kept: the user's cache folder (honours XDG_CACHE_HOME)."""
    return user_cache_path("surefoot", appauthor=False) / "index"


def rows_of(root: Path, folder: Path, make: bool) -> Rows | None:
    """The facts of a root, None where there are none and none are to be made, or where the disk does not let us."""
    home = folder / f"{root.name or 'root'}-{hashlib.sha256(str(root).encode('utf-8', 'surrogateescape')).hexdigest()[:16]}"
    path = home / f"{facts_version()}.sqlite"
    if not make and not os.path.exists(path):
        return None
    try:
        if make:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            (home / _ROOT).write_bytes(os.fsencode(root))
    except OSError:
        return None
    # A broken file is thrown away by the first try; the second one begins anew.
    for _ in range(2 if make else 1):
        with contextlib.suppress(Lost):
            return Rows(path, make)
    return None


def throw_away(path: Path) -> None:
    """Delete a file of facts that cannot be read, with what belongs to it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        with contextlib.suppress(OSError):
            path.with_name(name).unlink()


def tidy(rows: Rows, now: float) -> None:
    """Delete the facts of other versions, and of roots that are gone or were not looked at for a long time."""
    home = rows.path.parent
    with contextlib.suppress(OSError):
        for other in home.iterdir():
            if not other.name.startswith((rows.path.name, _ROOT)) and other.stat().st_mtime < now - OTHER_DAYS * _DAY:
                other.unlink()
        for other in home.parent.iterdir():
            if other != home and (_root_is_gone(other) or other.stat().st_mtime < now - UNUSED_DAYS * _DAY):
                shutil.rmtree(other)


def _root_is_gone(home: Path) -> bool:
    try:
        return not Path(os.fsdecode((home / _ROOT).read_bytes())).is_dir()
    except OSError:
        return False
