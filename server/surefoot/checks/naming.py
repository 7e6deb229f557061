"""What outlines say for checks: which function a finding is in, wherever its line has moved, what may stand there instead, and where a
renamed name is defined."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace

from surefoot.checks.admissible import Admissible
from surefoot.checks.baseline import Renames
from surefoot.checks.links import Link, link_of
from surefoot.core.change import Change
from surefoot.core.findings import Diagnostic
from surefoot.core.text import TextFile, Texts
from surefoot.syntax.index import Index
from surefoot.workspace.snapshot import Snapshot

MOST_LOOKED_UP = 16
"""Findings for which it is looked up what may stand in their place: no plan is told of more."""


class Namer:
    """Reads the texts that findings were found in; keeps its grammars and outlines, which are used by one thread at a time."""

    def __init__(self) -> None:
        self._index = Index()
        self._lock = threading.Lock()

    async def with_functions(self, found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
        """The findings with the functions and classes around them."""
        return await asyncio.to_thread(self._named, found, texts) if found else ()

    async def with_alternatives(self, found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
        """The findings with the functions around them and, for the first of them, with what may stand in their place."""
        return await asyncio.to_thread(self._answered, await self.with_functions(found, texts), texts) if found else ()

    async def link(self, change: Change, before: Snapshot, after: Snapshot, renames: Renames) -> Link | None:
        """Which files define what a change renames."""
        return await asyncio.to_thread(self._link, change, before, after, renames) if renames else None

    def _link(self, change: Change, before: Snapshot, after: Snapshot, renames: Renames) -> Link | None:
        with self._lock:
            return link_of(self._index, change, before, after, renames)

    def _named(self, found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
        # Whoever waited may be gone, and the thread goes on: the next one waits here.
        with self._lock:
            return tuple(self._one(found_here, texts) for found_here in found)

    def _answered(self, found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
        with self._lock:
            admissible = Admissible(self._index, texts)
            looked = [replace(one, admissible=admissible.of(one)) for one in found[:MOST_LOOKED_UP]]
        return (*looked, *found[MOST_LOOKED_UP:])

    def _one(self, found: Diagnostic, texts: Texts) -> Diagnostic:
        held = texts.read(found.place.path)
        outline = self._index.outline(held) if isinstance(held, TextFile) else None
        return found if outline is None else replace(found, function=outline.enclosing(found.place.start))
