"""Surefoot's own figures on one workspace, in processes that are started for them."""

import asyncio
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.accuracy.choose import Chosen
from bench.real.targets import Unfit

from surefoot.core.sites import Target
from surefoot.core.text import TextFile
from surefoot.syntax.worker import SiteWorker
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from surefoot.workspace.watching import Watching

BUFFERS = 40
KEYS = 400
BUILD = """
import gc, json, os, resource, sys, time
from pathlib import Path
from surefoot.syntax.store.build import Build
from surefoot.syntax.store.rows import rows_of
gc.disable()
root = Path(sys.argv[1])
rows = rows_of(root, Path(sys.argv[2]), make=True)
began, built = time.process_time(), None
work = Build(root, rows, lambda: time.time_ns() + 10**10)
words = 0.0
while built is None or built.done < built.total:
    built = work.slice(0.25)
    gc.collect(0)
seconds = time.process_time() - began
files = rows.files()
code = sum(os.path.getsize(root / row.name) for row in files if row.facts)
every = sum(os.path.getsize(root / row.name) for row in files)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps([len(files), code, every, seconds, peak, os.path.getsize(rows.path)]))
"""


@dataclass(slots=True)
class Figures:
    """Times in seconds, sizes in bytes, memory in MiB."""

    files: int = 0
    code: int = 0
    every: int = 0
    build: float = 0.0
    builder: int = 0
    stored: int = 0
    cold: list[float] = field(default_factory=list[float])
    warm: list[float] = field(default_factory=list[float])
    unwatched: list[float] = field(default_factory=list[float])
    dirty: list[float] = field(default_factory=list[float])
    keys: list[float] = field(default_factory=list[float])
    worker: int = 0
    server: int = 0
    sites: int = 0


def measure(root: Path, symbols: Sequence[Chosen]) -> Figures:
    """All figures of one workspace."""
    figures = Figures()
    folder = Path(tempfile.mkdtemp(prefix="surefoot-index-"))
    try:
        # The page cache is warm for everybody: the names were drawn from these very files.
        for symbol in symbols[:3]:
            figures.cold.append(asyncio.run(_cold(root, symbol, folder / "none")))
        _built(root, folder / "facts", figures)
        asyncio.run(_warm(root, symbols, folder / "facts", figures))
        figures.keys = _keys(root)
        figures.server = _server(root)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return figures


async def _cold(root: Path, symbol: Chosen, folder: Path) -> float:
    """To the first complete answer of a worker that has just been started, as it is with the first file that is opened."""
    worker = SiteWorker(folder=folder)
    try:
        await worker.pid()
        began = time.perf_counter()
        await worker.find(Snapshot(root), Target(name=symbol.name))
        return time.perf_counter() - began
    finally:
        await worker.close()


def _built(root: Path, folder: Path, figures: Figures) -> None:
    done = subprocess.run([sys.executable, "-c", BUILD, str(root), str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unfit(f"the index was not built: {done.stderr[-400:]}")
    figures.files, figures.code, figures.every, figures.build, figures.builder, figures.stored = json.loads(done.stdout)


async def _warm(root: Path, symbols: Sequence[Chosen], folder: Path, figures: Figures) -> None:
    session = Session([root])
    session.watched = True
    worker, blind = SiteWorker(Watching(session), folder), SiteWorker(folder=folder)
    try:
        await worker.look(root)
        for symbol in symbols:
            began = time.perf_counter()
            scan = await worker.find(Snapshot(root), Target(name=symbol.name))
            figures.warm.append(time.perf_counter() - began)
            figures.sites += len(scan.sites)
        over = buffers(root)
        for symbol in symbols[:40]:
            began = time.perf_counter()
            await worker.find(Snapshot(root, over), Target(name=symbol.name))
            figures.dirty.append(time.perf_counter() - began)
        figures.worker = resident(await worker.pid())
        await blind.look(root)
        for symbol in symbols[:10]:
            began = time.perf_counter()
            await blind.find(Snapshot(root), Target(name=symbol.name))
            figures.unwatched.append(time.perf_counter() - began)
    finally:
        await worker.close()
        await blind.close()


def buffers(root: Path) -> dict[Path, TextFile]:
    """Open documents with a change that is not saved."""
    files = sorted(path for suffix in ("py", "ts") for path in root.rglob(f"*.{suffix}") if 8_000 < path.stat().st_size < 60_000)
    drawn = random.Random(1).sample(files, min(BUFFERS, len(files)))
    return {path: TextFile.of(path, path.read_bytes() + f"\n# {path.name}\n".encode(), 2) for path in drawn}


def _keys(root: Path) -> list[float]:
    """Seconds until one typed character is in the session, as the server takes it in."""
    from lsprotocol import types as t

    from surefoot.core.text import Units
    from surefoot.lsp.sync import changed

    times: list[float] = []
    session = Session([root])
    draw = random.Random(2)
    for number, (path, held) in enumerate(buffers(root).items()):
        text = held.text
        session.open(path.as_uri(), path, "python", 1, text)
        for key in range(KEYS // BUFFERS):
            line = draw.randrange(text.count("\n"))
            place = t.Range(t.Position(line, 0), t.Position(line, 0))
            began = time.perf_counter()
            text = changed(text, [t.TextDocumentContentChangePartial(range=place, text="x")], Units.UTF16)
            session.change(path.as_uri(), number * KEYS + key + 2, text)
            times.append(time.perf_counter() - began)
    return times


def _server(root: Path) -> int:
    """The memory of a server that has answered `initialize`."""
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}}
    )
    with subprocess.Popen(
        [sys.executable, "-m", "surefoot", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        server.stdin.flush()
        server.stdout.readline()
        server.stdin.write(b'Content-Length: 52\r\n\r\n{"jsonrpc":"2.0","method":"initialized","params":{}}')
        server.stdin.flush()
        time.sleep(3.0)  # it builds its service meanwhile
        held = resident(server.pid)
        server.kill()
    return held


def resident(pid: int | str = "self") -> int:
    """Resident memory of a process in MiB; 0 where there is no /proc."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))
