"""A root with its stored facts, and answers with and without them."""

import time
from pathlib import Path

from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile
from surefoot.syntax.index import Index
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.build import Build
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.store.rows import Rows, rows_of
from surefoot.workspace.snapshot import Snapshot

LATER = 10**10
"""Nanoseconds after which every stamp is sure."""


class Root:
    """A folder of files, and beside it the folder that facts are kept in."""

    def __init__(self, home: Path) -> None:
        self.path = home / "root"
        self.folder = home / "facts"
        self.path.mkdir(exist_ok=True)
        self.ground = Ground(self.path, self.folder)

    def write(self, **files: str) -> "Root":
        """Write files; `__` in a name stands for the dot of its suffix."""
        for name, text in files.items():
            (self.path / name.replace("__", ".")).write_text(text, "utf-8")
        return self

    def rows(self) -> Rows:
        """The stored facts, made if there are none."""
        rows = rows_of(self.path, self.folder, make=True)
        assert rows is not None
        return rows

    def build(self, later: int = LATER, slices: int = 10_000) -> int:
        """Store the facts of all files as if some time had passed; the number of slices that it took."""
        rows = self.rows()
        work = Build(self.path, rows, lambda: time.time_ns() + later)
        for number in range(1, slices + 1):
            built = work.slice(0.0)
            if built.done == built.total:
                rows.close()
                return number
        raise AssertionError("the build does not end")

    def find(self, name: str, *buffers: TextFile, index: Index | None = None) -> Scan:
        """The answer with what is stored."""
        self.ground.refresh()
        return find_sites(Snapshot(self.path, {b.path: b for b in buffers}), Target(name=name), index, ground=self.ground)

    def plain(self, name: str, *buffers: TextFile) -> Scan:
        """The answer of somebody who has never seen a file of it."""
        return find_sites(Snapshot(self.path, {b.path: b for b in buffers}), Target(name=name))
