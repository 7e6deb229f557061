"""The index of each open folder, built behind a person's back; who has to wait long enough to wonder sees how far it is."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.core.errors import SurefootError
from surefoot.syntax.languages import language_of
from surefoot.workspace.session import Touch, What

if TYPE_CHECKING:
    from surefoot.lsp.host import Host
    from surefoot.lsp.progress import Reports
    from surefoot.syntax.store.builder import Built

BEGINS_AFTER = 3.0
"""Seconds after the first file of code was opened: what the person is waiting for comes first."""

SHOWN_AFTER = 2.0
"""Seconds that building takes before it is shown."""

MOVED = 200
"""Files that move before the index is brought up to date: until then they are read whenever somebody asks."""


class Indexing:
    """Builds the index of a root with its first open file of code, and again after many files moved."""

    def __init__(self, host: "Host", begins_after: float = BEGINS_AFTER, shown_after: float = SHOWN_AFTER) -> None:
        self._host = host
        self._begins_after = begins_after
        self._shown_after = shown_after
        self._moved: dict[Path, int] = {}
        self._building: set[Path] = set()
        host.session.listen(self._heard)

    def opened(self, path: Path) -> None:
        """A file was opened: the first one of a root begins."""
        root = self._host.session.root_of(path)
        if root is not None and root not in self._moved and language_of(path) is not None:
            self._begin(root)

    def _heard(self, touch: Touch) -> None:
        if touch.what is What.ROOTS:
            for gone in self._moved.keys() - set(self._host.session.roots):
                self._moved.pop(gone)
        root = self._host.session.root_of(touch.path)
        if touch.what is What.DISK and root in self._moved:
            self._moved[root] += 1
            if self._moved[root] >= MOVED and root not in self._building:
                self._begin(root)

    def _begin(self, root: Path) -> None:
        self._moved[root] = 0
        self._building.add(root)
        self._host.spawn(self._built(root))

    async def _built(self, root: Path) -> None:
        progress = _Progress()
        try:
            await asyncio.sleep(self._begins_after)
            service = await self._host.service()
            building = asyncio.ensure_future(service.index(root, progress.told))

            def stop() -> None:
                building.cancel()

            try:
                await asyncio.wait([building], timeout=self._shown_after)
                if not building.done():
                    async with self._host.bar.show("Surefoot", stop) as reports:
                        progress.show(reports)
                        await asyncio.wait([building])
            finally:
                stop()
            if not building.cancelled():
                building.result()
        except SurefootError:
            pass  # it is an index: everything can be asked without it
        finally:
            self._building.discard(root)


class _Progress:
    """What a person reads of it."""

    def __init__(self) -> None:
        self._reports: Reports | None = None
        self._last: Built | None = None

    def show(self, reports: "Reports") -> None:
        self._reports = reports
        if self._last is not None:
            self.told(self._last)

    def told(self, built: "Built") -> None:
        self._last = built
        if self._reports is not None:
            self._reports.report(f"Indexing {built.files:,} files", min(99, 100 * built.done // max(built.total, 1)))
