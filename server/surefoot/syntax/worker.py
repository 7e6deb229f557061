"""The process that parses and resolves, so that the event loop never does: parsing holds the interpreter's lock."""

import asyncio
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from surefoot.core.findings import Diagnostic
from surefoot.core.sites import Scan, Symbol, Target
from surefoot.core.text import TextFile, Texts

if TYPE_CHECKING:
    from surefoot.syntax.index import Index

P = ParamSpec("P")
T = TypeVar("T")


class SiteWorker:
    """One worker process, started when it is first needed. Lives on the event loop's thread.

    A question whose task is cancelled is dropped if the worker has not begun it, else its answer is. A worker that dies is started again
    once for the question it died of; a second death is raised as BrokenProcessPool.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Every site of `target` in `texts`, which travel to the worker as their root and their overlay."""
        return await self._ask(_find, texts, target)

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None:
        """The name under a byte of one file and what it is there, None where there is no name."""
        return await self._ask(_symbol_at, file, offset)

    async def parse_errors(self, files: Sequence[TextFile]) -> tuple[Diagnostic, ...]:
        """What does not parse in these texts."""
        return await self._ask(_parse_errors, tuple(files))

    async def close(self) -> None:
        """End the worker; further questions are refused with RuntimeError."""
        self._closed = True
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._sent(work, *args, **kwargs)
        except BrokenProcessPool:
            self._pool = None
            return await self._sent(work, *args, **kwargs)

    async def _sent(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise RuntimeError("the worker is closed")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return await asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))


# What runs in the worker.


@cache
def _index() -> "Index":
    """The worker's cache of parsed files: one for the life of the process, bounded by its own budget."""
    from surefoot.syntax.index import Index

    return Index()


def _find(texts: Texts, target: Target) -> Scan:
    from surefoot.syntax.sites import find_sites

    return find_sites(texts, target, _index())


def _symbol_at(file: TextFile, offset: int) -> Symbol | None:
    from surefoot.syntax.targets import symbol_here

    return symbol_here(_index(), file, offset)


def _parse_errors(files: tuple[TextFile, ...]) -> tuple[Diagnostic, ...]:
    from surefoot.syntax.gate import parse_faults

    return tuple(fault for file in files for fault in parse_faults(file.path, file.data))
