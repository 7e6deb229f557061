"""The process that stores facts, the worker that uses them, and what a person sees of it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from filelock import FileLock

from surefoot.core.sites import Target
from surefoot.lsp.host import Host
from surefoot.lsp.indexing import MOVED, Indexing
from surefoot.syntax.store.builder import Built, build
from surefoot.syntax.worker import SiteWorker
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from surefoot.workspace.watching import Watching
from tests.syntax_store.support import Root


def nothing() -> None:
    """What the process begins with."""


async def test_the_process_stores_what_the_worker_finds(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n", use__py="from core import total\n")
    session = Session([root.path])
    session.watched = True
    worker, told = SiteWorker(Watching(session), root.folder), list[Built]()
    try:
        await worker.look(root.path)
        await worker.index(root.path, told.append)
        assert told[-1].done == told[-1].total
        assert told[-1].files == 2
        assert {row.name for row in root.rows().files()} == {"core.py", "use.py"}
        assert len((await worker.find(Snapshot(root.path), Target(name="total"))).sites) == 2
        root.write(use__py="import core\ncore.total()\n", more__py="from core import total\n")
        session.touched([root.path / "use.py", root.path / "more.py"])
        found = await worker.find(Snapshot(root.path), Target(name="total"))
        assert [(site.place.path.name, site.place.line) for site in found.sites] == [("core.py", 1), ("more.py", 1), ("use.py", 2)]
    finally:
        await worker.close()


async def test_two_processes_do_not_do_the_same_work(tmp_path: Path) -> None:
    root = Root(tmp_path).write(core__py="def total(): ...\n")
    path = root.rows().path
    told: list[Built] = []
    with FileLock(path.with_name(f"{path.name}.lock")):
        await build(root.path, root.folder, nothing, told.append)
    assert (told, root.rows().files()) == ([Built(1, 1)], [])


async def test_a_build_that_is_given_up_ends_and_keeps_what_it_made(tmp_path: Path) -> None:
    root = Root(tmp_path).write(**{f"m{number}__py": f"def total{number}(): ...\n" * 2000 for number in range(60)})
    begun = asyncio.Event()
    building = asyncio.create_task(build(root.path, root.folder, nothing, lambda _: begun.set()))
    await begun.wait()
    building.cancel()
    with pytest.raises(asyncio.CancelledError):
        await building
    root.build()
    root.ground.refresh()
    assert root.ground.stale == 0


class Editor:
    """What indexing needs of a host: a service that builds until it is told to end, and a bar that notes what is shown."""

    def __init__(self, root: Path) -> None:
        self.session = Session([root])
        self.end = asyncio.Event()
        self.builds = 0
        self.shown: list[str] = []
        self.seen = asyncio.Event()
        self.cancel: Callable[[], None] = nothing
        self.tasks: list[asyncio.Task[None]] = []
        self.bar = self

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def service(self) -> "Editor":
        return self

    async def index(self, root: Path, told: Callable[[Built], None]) -> None:
        self.builds += 1
        told(Built(1, 4, 1200))
        await self.end.wait()

    @asynccontextmanager
    async def show(self, title: str, cancel: Callable[[], None]) -> AsyncGenerator["Editor"]:
        self.shown.append(title)
        self.cancel = cancel
        yield self
        self.shown.append("end")

    def report(self, message: str, percentage: int) -> None:
        self.shown.append(f"{message} {percentage}%")
        self.seen.set()


async def test_who_waits_long_sees_how_far_it_is_and_can_end_it(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    indexing = Indexing(cast(Host, editor), 0, 0)
    indexing.opened(tmp_path / "notes.md")
    assert editor.tasks == []
    indexing.opened(tmp_path / "a.py")
    indexing.opened(tmp_path / "b.py")
    await editor.seen.wait()
    editor.cancel()
    await asyncio.gather(*editor.tasks)
    assert editor.shown == ["Surefoot", "Indexing 1,200 files 25%", "end"]
    assert editor.builds == 1


async def test_what_is_soon_done_is_not_shown_and_many_moves_begin_anew(tmp_path: Path) -> None:
    editor = Editor(tmp_path)
    editor.end.set()
    indexing = Indexing(cast(Host, editor), 0, 60)
    indexing.opened(tmp_path / "a.py")
    await asyncio.gather(*editor.tasks)
    editor.session.touched([tmp_path / f"{number}.py" for number in range(MOVED - 1)])
    assert len(editor.tasks) == 1
    editor.session.touched([tmp_path / "last.py"])
    await asyncio.gather(*editor.tasks)
    assert (editor.builds, editor.shown) == (2, [])
