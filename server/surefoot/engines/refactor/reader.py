"""What the engine knows of code: sites from the finder, and files that it parses itself."""

import asyncio
from collections.abc import Iterable
from threading import Lock
from typing import TYPE_CHECKING

from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import SiteFinder
from surefoot.syntax.words import Page, page_of

if TYPE_CHECKING:
    from surefoot.syntax.index import Index


class Reader:
    """Keeps nothing but parsed files, by the digest of their text, within the index's own budget. Any thread may ask; one parses."""

    def __init__(self, finder: SiteFinder) -> None:
        self._finder = finder
        self._lock = Lock()
        self._index: Index | None = None

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Every site of the target."""
        return await self._finder.find(texts, target)

    def page(self, file: TextFile, old: str, new: str, renamed: Iterable[int]) -> Page:
        """How both names stand in a file whose words of `old` at `renamed` are to be replaced."""
        with self._lock:
            return page_of(self._parsed(), file, old, new, renamed)

    async def starts(self, file: TextFile, container: str, name: str) -> list[int]:
        """Where a name is first bound in each scope that bears this dotted path, in text order."""
        return await asyncio.to_thread(self._starts, file, container, name)

    def _starts(self, file: TextFile, container: str, name: str) -> list[int]:
        with self._lock:
            outline = self._parsed().outline(file)
        if outline is None:
            return []
        inside = [(bound[0].start, scope) for (scope, called), bound in outline.bindings.items() if called == name]
        return sorted(start for start, scope in inside if outline.dotted(scope) == container)

    def _parsed(self) -> "Index":
        from surefoot.syntax.index import Index

        self._index = self._index or Index()
        return self._index
