"""The process that parses and resolves, so that the event loop never does: parsing holds the interpreter's lock."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, MutableSequence, Sequence
from concurrent.futures import BrokenExecutor, Future
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from surefoot.core.findings import Diagnostic
from surefoot.core.sites import Scan, Symbol, Target
from surefoot.core.text import TextFile, Texts

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from surefoot.syntax.words import Asked, Page

P = ParamSpec("P")
T = TypeVar("T")

ASKED_AT_ONCE = 64
"""Questions that can be given up while they are answered; an older one is answered to its end."""

_ALL = -1


class SiteWorker:
    """One worker process, started when it is first needed. Lives on the event loop's thread.

    A question whose task is cancelled is never begun, or given up between two files. A worker that dies is started again once for the
    question it died of; a second death is raised as BrokenExecutor.
    """

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._numbers = count(1)
        # Shared with the worker: the numbers of questions that are given up, each in the slot of its remainder.
        self._given_up: MutableSequence[int] | None = None

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Every site of `target` in `texts`, which travel to the worker as their root and their overlay."""
        return await self._ask(_find, texts, target)

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None:
        """The name under a byte of one file and what it is there, None where there is no name."""
        return await self._ask(_symbol_at, file, offset)

    async def parse_errors(self, files: Sequence[TextFile]) -> tuple[Diagnostic, ...]:
        """What does not parse in these texts."""
        return await self._ask(_parse_errors, tuple(files))

    async def pages(self, asked: "Sequence[Asked]", old: str, new: str) -> "tuple[Page, ...]":
        """How both names stand in each of these files."""
        return await self._ask(_pages, tuple(asked), old, new)

    async def starts(self, file: TextFile, container: str, name: str) -> tuple[int, ...]:
        """Where a name is first bound in each scope that bears this dotted path, in text order."""
        return await self._ask(_starts, file, container, name)

    async def pid(self) -> int:
        """The worker process."""
        return await self._ask(_pid)

    async def close(self) -> None:
        """End the worker, whatever it is at; further questions are refused with RuntimeError."""
        self._closed = True
        if self._given_up is not None:
            self._given_up[:] = [_ALL] * ASKED_AT_ONCE
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, work: Callable[Concatenate[int, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await self._answer(work, *args, **kwargs)
        except BrokenExecutor:
            self._pool = None
            return await self._answer(work, *args, **kwargs)

    async def _answer(self, work: Callable[Concatenate[int, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._closed:
            raise RuntimeError("the worker is closed")
        number = next(self._numbers)
        sent: Future[T] = self._started().submit(work, number, *args, **kwargs)
        try:
            return await asyncio.wrap_future(sent)
        except asyncio.CancelledError:
            if sent.running() and self._given_up is not None:
                self._given_up[number % ASKED_AT_ONCE] = number
            raise

    def _started(self) -> "ProcessPoolExecutor":
        if self._pool is None:
            # Imported when a worker is needed: a server that only starts does without.
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            context = multiprocessing.get_context("spawn")
            given_up: MutableSequence[int] = context.RawArray("q", ASKED_AT_ONCE)
            self._pool = ProcessPoolExecutor(1, context, _begin, (given_up,))
            self._given_up = given_up
        return self._pool


# What runs in the worker.


class _Desk:
    """The worker's cache of parsed files, bounded by its own budget, and what it must not go on with."""

    def __init__(self) -> None:
        from surefoot.syntax.index import Index

        self.index = Index()
        self.given_up: Sequence[int] = ()

    def stopped(self, number: int) -> bool:
        """Whether nobody waits for the answer to this question any more."""
        return bool(self.given_up) and self.given_up[number % ASKED_AT_ONCE] in (number, _ALL)


@cache
def _desk() -> _Desk:
    return _Desk()


def _begin(given_up: Sequence[int]) -> None:
    """Standard output is the parent's wire, its interrupts are its own, and the worker ends when it does."""
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _desk().given_up = given_up


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def _find(number: int, texts: Texts, target: Target) -> Scan:
    from surefoot.syntax.sites import find_sites

    return find_sites(texts, target, _desk().index, lambda: _desk().stopped(number))


def _symbol_at(number: int, file: TextFile, offset: int) -> Symbol | None:
    from surefoot.syntax.targets import symbol_here

    return symbol_here(_desk().index, file, offset)


def _parse_errors(number: int, files: tuple[TextFile, ...]) -> tuple[Diagnostic, ...]:
    from surefoot.syntax.gate import parse_faults

    return tuple(fault for file in files for fault in parse_faults(file.path, file.data))


def _pages(number: int, asked: "tuple[Asked, ...]", old: str, new: str) -> "tuple[Page, ...]":
    from surefoot.syntax.sites import Abandoned
    from surefoot.syntax.words import page_of

    pages: list[Page] = []
    for each in asked:
        if _desk().stopped(number):
            raise Abandoned
        pages.append(page_of(_desk().index, each, old, new))
    return tuple(pages)


def _starts(number: int, file: TextFile, container: str, name: str) -> tuple[int, ...]:
    from surefoot.syntax.words import starts_of

    return starts_of(_desk().index, file, container, name)


def _pid(number: int) -> int:
    return os.getpid()
