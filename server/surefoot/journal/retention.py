"""What a journal lets go: closed runs that are old, and the oldest closed runs of one that has grown too large. Never an open run."""

import contextlib

from surefoot.core.value import value
from surefoot.journal.journal import Journal
from surefoot.journal.rows import Rows
from surefoot.run.limits import RETENTION_BYTES, RETENTION_DAYS

_DAY_SECONDS = 86_400.0
_CLOSED = "SELECT id, CAST(closed AS REAL) FROM runs WHERE closed IS NOT NULL ORDER BY CAST(closed AS REAL)"
_TABLES_OF_A_RUN = ("events", "set_aside", "kept", "traces")


@value
class Freed:
    """Names of the runs that were let go, and how many bytes the journal takes before and after."""

    runs: tuple[str, ...]
    before: int
    after: int


def collect(journal: Journal, now: float, days: float = RETENTION_DAYS, size: int = RETENTION_BYTES) -> Freed:
    """Let go of closed runs that ended over `days` ago, then of the oldest until the journal takes at most `size` bytes.

    `now` is in seconds since the epoch. A run that another process reads meanwhile is not missed by it until it asks again. Raises
    JournalError.
    """
    rows = journal.rows
    before = _used(rows)
    closed = rows.query(_CLOSED)
    if before <= size and (not closed or closed[0][1] >= now - days * _DAY_SECONDS):
        return Freed((), before, before)
    gone: list[str] = []
    with rows.transaction():
        # Asked again: what was closed a moment ago may be open by now.
        for run, ended in rows.query(_CLOSED):
            if ended >= now - days * _DAY_SECONDS and _used(rows) <= size:
                break
            _forget(rows, run)
            gone.append(run)
    for run in gone:
        _unlink(journal, run)
    return Freed(tuple(gone), before, _used(rows))


def compact(journal: Journal) -> None:
    """Give the room of what was let go back to the disk. Raises JournalError."""
    journal.rows.query("VACUUM")
    journal.rows.query("PRAGMA wal_checkpoint(TRUNCATE)")


def _used(rows: Rows) -> int:
    ((pages,),), ((free,),), ((page,),) = (rows.query(f"PRAGMA {what}") for what in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * page


def _forget(rows: Rows, run: str) -> None:
    for table in _TABLES_OF_A_RUN:
        rows.run(f"DELETE FROM {table} WHERE run = ?", (run,))
    rows.run("DELETE FROM runs WHERE id = ?", (run,))
    rows.run("DELETE FROM blobs WHERE digest NOT IN (SELECT digest FROM kept)")


def _unlink(journal: Journal, run: str) -> None:
    files = [journal.folder / f"{run}.lock", *(journal.folder / "reports").glob(f"{run}.*")]
    for file in files:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
