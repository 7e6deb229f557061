"""What Surefoot's own questions cost in CPU time, in one process: figures of a machine that has other work to do, where a clock on the wall
tells of that work.

Prints milliseconds for the functions that `bench.index.run` asks about: with all facts stored, over unsaved buffers, with nothing stored.
"""

import argparse
import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bench.index import ours
from bench.index.inputs import drawn, workspaces
from bench.index.run import NAMES, at
from bench.real.targets import Unfit

from surefoot.core.sites import Target
from surefoot.core.text import TextFile
from surefoot.syntax.index import Index
from surefoot.syntax.sites import find_sites
from surefoot.syntax.store.ground import Ground
from surefoot.syntax.worker import COLLECTED
from surefoot.workspace.snapshot import Snapshot


def main(argv: Sequence[str] | None = None) -> int:
    """0 when everything was measured, 3 when a package cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m bench.index.cpu", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this workspace only: django, typeorm or large")
    options = parser.parse_args(argv)
    gc.set_threshold(*COLLECTED)
    try:
        for place in workspaces(options.only or ["django", "typeorm"]):
            print(place.name)
            _measure(place.root, [symbol.name for symbol in drawn(place.root, NAMES)])
    except Unfit as error:
        print(f"bench/index: {error}", file=sys.stderr)
        return 3
    return 0


def _measure(root: Path, names: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="surefoot-index-") as folder:
        subprocess.run([sys.executable, "-c", ours.BUILD, str(root), folder], capture_output=True, check=True)
        ground, index = Ground(root, Path(folder)), Index()
        look = _spent(ground.refresh)
        again = _spent(ground.refresh)
        _told("stored", [_asked(root, {}, name, index, ground) for name in names])
        over = ours.buffers(root)
        _told("unsaved", [_asked(root, over, name, index, ground) for name in names[: ours.BUFFERS]])
        ground.close()
    _told("nothing stored", [_asked(root, {}, name, Index(), None) for name in names[:3]])
    print(f"  look at all files {1e3 * look:.0f}, again {1e3 * again:.0f}; memory {ours.resident()} MiB", flush=True)


def _asked(root: Path, over: Mapping[Path, TextFile], name: str, index: Index, ground: Ground | None) -> float:
    return _spent(lambda: find_sites(Snapshot(root, over), Target(name=name), index, ground=ground))


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _told(what: str, times: Sequence[float]) -> None:
    print(f"  {what:<15} p50 {1e3 * at(times, 0.5):.1f}, p95 {1e3 * at(times, 0.95):.1f}, max {1e3 * max(times):.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
