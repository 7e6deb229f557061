"""The process that makes the facts of a root: of low priority, there while it works and no longer."""

import asyncio
import gc
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.value import value

if TYPE_CHECKING:
    from filelock import FileLock

    from surefoot.syntax.store.build import Build

SLICE_SECONDS = 0.25
"""How long the process works before it says how far it is: it ends within this time when nobody wants it any more."""

SLICES = 100_000
"""The most slices of one build: some seven hours."""

NICENESS = 10
"""By how much everything else comes first."""


@value
class Built:
    """How far it is: steps that are done, of how many, for how many files."""

    done: int
    total: int
    files: int = 0


async def build(root: Path, folder: Path, begin: Callable[[], None], told: Callable[[Built], None]) -> None:
    """Bring the stored facts of a root up to date, and tell how far it is. `begin` is called in the process before anything else.

    Cancelled, it keeps what was made. Nothing is raised where facts cannot be stored, or where another process makes them.
    """
    # Imported when facts are made: a server that only starts does without.
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin, (begin,))
    try:
        for _ in range(SLICES):
            built = await asyncio.wrap_future(pool.submit(_slice, root, folder))
            told(built)
            if built.done >= built.total:
                break
    except BrokenExecutor:
        return  # it is made again with the next start, as far as it goes
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


# What runs in the process.


class _Bench:
    """The work of this process, and the lock that keeps others from the same work."""

    def __init__(self) -> None:
        self.build: Build | None = None
        self.lock: FileLock | None = None


@cache
def _bench() -> _Bench:
    return _Bench()


def _begin(begin: Callable[[], None]) -> None:
    begin()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.disable()  # it makes a great many values and no circles; what there is of those goes between two slices


def _slice(root: Path, folder: Path) -> Built:
    from surefoot.syntax.store.rows import Lost

    bench = _bench()
    try:
        if bench.build is None:
            bench.build = _started(bench, root, folder)
        built = bench.build.slice(SLICE_SECONDS) if bench.build is not None else Built(1, 1)
    except Lost:
        built = Built(1, 1)
    gc.collect(0)
    return built


def _started(bench: _Bench, root: Path, folder: Path) -> "Build | None":
    from filelock import FileLock, Timeout

    from surefoot.syntax.store.build import Build
    from surefoot.syntax.store.rows import rows_of

    rows = rows_of(root, folder, make=True)
    if rows is None:
        return None
    bench.lock = FileLock(rows.path.with_name(f"{rows.path.name}.lock"))
    try:
        bench.lock.acquire(timeout=0)
    except (Timeout, OSError):
        return None
    return Build(root, rows)
