"""The tables of a journal, and how an older one becomes the present one."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from surefoot.core.errors import JournalError
from surefoot.journal.chain import first, link

VERSION = 2
"""The schema that this Surefoot writes; kept in SQLite's `user_version`."""

_TABLES = """
CREATE TABLE runs (
  id TEXT PRIMARY KEY, task TEXT NOT NULL, started REAL NOT NULL, ended TEXT NOT NULL DEFAULT '',
  closed REAL, steps INTEGER, origin TEXT NOT NULL DEFAULT ''
);
CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs(id), seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) WITHOUT ROWID;
CREATE TABLE set_aside (
  run TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, body BLOB NOT NULL, hash TEXT NOT NULL
);
CREATE TABLE blobs (digest TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE kept (run TEXT NOT NULL REFERENCES runs(id), digest TEXT NOT NULL, PRIMARY KEY (run, digest)) WITHOUT ROWID;
CREATE TABLE traces (
  run TEXT NOT NULL REFERENCES runs(id), at REAL NOT NULL, action TEXT NOT NULL, kind TEXT NOT NULL, words TEXT NOT NULL,
  digest TEXT NOT NULL
);
CREATE INDEX traces_of ON traces (run);
"""


# A row that was edited by hand may hold anything in any column.
_COLUMNS_OF_1 = "seq, CAST(at AS REAL), CAST(kind AS TEXT), CAST(body AS BLOB)"


def prepare(db: sqlite3.Connection, where: str) -> None:
    """Make the tables, or bring older ones up to the present, in one transaction. Raises JournalError for a newer journal."""
    if _version(db, where) == VERSION:
        return
    db.execute("BEGIN EXCLUSIVE")
    try:
        # Another process may have done it while this one waited.
        if (found := _version(db, where)) == 0:
            _run(db, _TABLES)
        elif found < VERSION:
            for version in range(found, VERSION):
                _STEPS[version](db)
        db.execute(f"PRAGMA user_version={VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _version(db: sqlite3.Connection, where: str) -> int:
    (found,) = db.execute("PRAGMA user_version").fetchone()
    if found > VERSION:
        raise JournalError(
            f"the journal in {where} was written by a newer Surefoot (schema {found}, this one reads {VERSION}): "
            "update Surefoot; nothing was changed"
        )
    return found


def _run(db: sqlite3.Connection, script: str) -> None:
    for statement in filter(None, (part.strip() for part in script.split(";"))):
        db.execute(statement)


def _from_1(db: sqlite3.Connection) -> None:
    """Rows without a chain: each event gets the fields that it has by now, and names the row before it."""
    db.execute("ALTER TABLE runs RENAME TO runs_1")
    db.execute("ALTER TABLE events RENAME TO events_1")
    _run(db, _TABLES)
    db.execute("INSERT INTO runs (id, task, started, ended) SELECT id, task, started, ended FROM runs_1")
    for (run,) in db.execute("SELECT id FROM runs_1").fetchall():
        before = first(run)
        for seq, at, kind, body in db.execute(f"SELECT {_COLUMNS_OF_1} FROM events_1 WHERE run = ? ORDER BY seq", (run,)).fetchall():
            body = _event_of_1(body, seq)
            before = link(before, seq, at, body)
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (run, seq, at, kind, body, before))
            if kind == "closed":
                db.execute("UPDATE runs SET closed = ? WHERE id = ?", (at, run))
    db.execute("DROP TABLE events_1")
    db.execute("DROP TABLE runs_1")


def _event_of_1(body: bytes, seq: int) -> bytes:
    """An event of the first version; one that does not read stays as it is, and is found damaged when it is read."""
    try:
        event: Any = json.loads(body)
    except ValueError:
        return body
    match event:
        case {"kind": "halted"}:
            event["event"] = ""
        case {"kind": "resumed"}:
            event["since"] = seq - 1
        case {"kind": "started", "limits": dict()}:
            event["limits"] |= {"turns": 20, "wind_down": 16, "tokens": 200_000, "micros": 0, "note_words": 25, "constraint_words": 30}
        case _:
            return body
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


_STEPS: Mapping[int, Callable[[sqlite3.Connection], None]] = MappingProxyType({1: _from_1})
