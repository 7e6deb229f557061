"""The process that parses and resolves, so that the event loop never does: parsing holds the interpreter's lock."""

import asyncio
import gc
import importlib
import os
import signal
import threading
from collections.abc import Callable, MutableSequence, Sequence
from concurrent.futures import BrokenExecutor, Future
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from surefoot.core.findings import Diagnostic
from surefoot.core.sites import Ledger, Scan, Symbol, Target
from surefoot.core.text import TextFile, Texts
from surefoot.workspace.watching import Watching

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from surefoot.syntax.declared import Declared
    from surefoot.syntax.standing import Edited
    from surefoot.syntax.store.builder import Built
    from surefoot.syntax.store.ground import Ground
    from surefoot.syntax.words import Asked, Page
    from surefoot.syntax.written import Shaped

P = ParamSpec("P")
T = TypeVar("T")

ASKED_AT_ONCE = 64
"""Questions that can be given up while they are answered; an older one is answered to its end."""

ROOTS = 8
"""Roots whose files are known at the same time."""

COLLECTED = (50_000, 20, 50)
"""Thresholds of the garbage collector in the worker: it holds many values that stay, and makes few circles."""

_ALL = -1


class SiteWorker:
    """One worker process, started when it is first needed. Lives on the event loop's thread.

    A question whose task is cancelled is never begun, or given up between two files. A worker that dies is started again once for the
    question it died of; a second death is raised as BrokenExecutor. `watching` tells what moved on disk; without it, and where nobody
    watches, each search looks at all files. Stored facts are used from `folder`, by default the user's cache folder.
    """

    def __init__(self, watching: Watching | None = None, folder: Path | None = None) -> None:
        self._watching = watching
        self._folder = folder
        self._marks: dict[Path, int] = {}
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._numbers = count(1)
        # Shared with the worker: the numbers of questions that are given up, each in the slot of its remainder.
        self._given_up: MutableSequence[int] | None = None

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Every site of `target` in `texts`, which travel to the worker as their root and their overlay."""
        mark, moved = self._moved(texts.root)
        found = await self._ask(_find, texts, target, moved, self._folder)
        self._looked(texts.root, mark)
        return found

    async def look(self, root: Path) -> None:
        """Have the files of a root looked at, so that the first search finds them known."""
        mark, moved = self._moved(root)
        await self._ask(_look, root, moved, self._folder)
        self._looked(root, mark)

    async def index(self, root: Path, told: "Callable[[Built], None]") -> None:
        """Bring the stored facts of a root up to date, in a process of its own; `told` hears how far it is. Nothing waits for it."""
        from surefoot.syntax.store.builder import build
        from surefoot.syntax.store.rows import index_folder

        await build(root, self._folder or index_folder(), _alone, told)

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

    async def declared(self, file: TextFile) -> "tuple[Declared, ...]":
        """What a file defines."""
        return await self._ask(_declared, file)

    async def standing(self, before: Texts, after: Texts, target: Target, edited: "Edited") -> Ledger:
        """How the sites of `target` in `before` stand after a change of free form, which leads to `after`."""
        mark, moved = self._moved(before.root)
        found = await self._ask(_standing, before, after, target, edited, moved, self._folder)
        self._looked(before.root, mark)
        return found

    async def shaped(self, texts: Texts, target: Target, fresh: str) -> "Shaped":
        """How the definitions and calls of `target` are written; `fresh` is a name that one of its parameters may get."""
        mark, moved = self._moved(texts.root)
        found = await self._ask(_shaped, texts, target, fresh, moved, self._folder)
        self._looked(texts.root, mark)
        return found

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

    def _moved(self, root: Path) -> tuple[int, Sequence[Path] | None]:
        """The mark of now, and what moved below a root since the last answer."""
        if self._watching is None:
            return 0, None
        mark = self._watching.mark
        return mark, self._watching.since(root, self._marks[root]) if root in self._marks else None

    def _looked(self, root: Path, mark: int) -> None:
        """Remember the mark of an answer. A root that is forgotten is looked at as a whole again."""
        self._marks.pop(root, None)
        if len(self._marks) == ROOTS:
            self._marks.pop(next(iter(self._marks)))
        self._marks[root] = mark

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
    """The worker's cache of parsed files, bounded by its own budget, the roots that it knows, and what it must not go on with."""

    def __init__(self) -> None:
        from surefoot.syntax.index import Index

        self.index = Index()
        self.given_up: Sequence[int] = ()
        self._grounds: dict[Path, Ground] = {}

    def ground(self, root: Path, moved: Sequence[Path] | None, folder: Path | None) -> "Ground":
        """What is known of a root, now that these files moved."""
        from surefoot.syntax.store.ground import Ground
        from surefoot.syntax.store.rows import index_folder

        ground = self._grounds.pop(root, None) or Ground(root, folder or index_folder())
        if len(self._grounds) == ROOTS:
            self._grounds.pop(next(iter(self._grounds))).close()
        self._grounds[root] = ground
        ground.refresh(moved)
        return ground

    def stopped(self, number: int) -> bool:
        """Whether nobody waits for the answer to this question any more."""
        return bool(self.given_up) and self.given_up[number % ASKED_AT_ONCE] in (number, _ALL)


@cache
def _desk() -> _Desk:
    return _Desk()


def _begin(given_up: Sequence[int]) -> None:
    importlib.import_module("surefoot.syntax.sites")  # a quarter of a second, before anybody asks

    _alone()
    gc.set_threshold(*COLLECTED)
    _desk().given_up = given_up


def _alone() -> None:
    """Standard output is the parent's wire, its interrupts are its own, and the process ends when it does."""
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)


def _find(number: int, texts: Texts, target: Target, moved: Sequence[Path] | None, folder: Path | None) -> Scan:
    from surefoot.syntax.sites import find_sites

    ground = _desk().ground(texts.root, moved, folder)
    return find_sites(texts, target, _desk().index, lambda: _desk().stopped(number), ground)


def _look(number: int, root: Path, moved: Sequence[Path] | None, folder: Path | None) -> None:
    ground = _desk().ground(root, moved, folder)
    _desk().index.grammars.prepare(ground.files.names)


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


def _declared(number: int, file: TextFile) -> "tuple[Declared, ...]":
    from surefoot.syntax.declared import declared_in

    return declared_in(_desk().index, file)


def _standing(
    number: int, before: Texts, after: Texts, target: Target, edited: "Edited", moved: Sequence[Path] | None, folder: Path | None
) -> Ledger:
    from surefoot.syntax.standing import standing

    ground = _desk().ground(before.root, moved, folder)
    return standing(before, after, target, edited, _desk().index, ground)


def _shaped(number: int, texts: Texts, target: Target, fresh: str, moved: Sequence[Path] | None, folder: Path | None) -> "Shaped":
    from surefoot.syntax.written_calls import shaped

    return shaped(texts, target, fresh, _desk().index, _desk().ground(texts.root, moved, folder))


def _pid(number: int) -> int:
    return os.getpid()
