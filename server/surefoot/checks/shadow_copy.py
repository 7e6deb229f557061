"""A shadow where there are no namespaces: a plain copy of the tree beside it, with paths translated both ways.

Files are copied by sharing their blocks where the file system can, else into memory where there is such a place. Packages are not copied:
each stands in the copy as one link to where it is, except those that are links into the tree itself, which lead into the copy.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from surefoot.checks.outcome import Ended
from surefoot.checks.shadow import Asked, Laid, ShadowKind
from surefoot.checks.shadow_streams import heard
from surefoot.core.errors import CheckerUnavailable
from surefoot.workspace.environment import for_programs

_MEMORY = Path("/dev/shm")
_LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".tox", ".nox"})
_LAST_WORDS_SECONDS = 1.0
_CHUNK = 64 * 1024
_PACKAGES = "node_modules"
_CLONE = 0x40049409
"""The request of Linux that makes one file share the blocks of another."""
State = tuple[int, int, int, int]
_FOLDER = (0, 0, 0, 0)
"""The state of every folder: what is in it has one of its own."""


class CopyShadow:
    """Keeps the copy in step with the tree: what has another state than when it was copied, here or there, is copied again."""

    kind = ShadowKind.COPY

    def __init__(self, root: Path, folder: Path, reason: str) -> None:
        self.reason = reason
        self._root, self._given, self._folder = root.resolve(), root, folder
        self._place = folder / "tree" / self._root.name
        self._copied: Mapping[Path, tuple[State, State]] = {}

    @classmethod
    async def open(cls, root: Path, state: Path, reason: str) -> "CopyShadow":
        """Raises CheckerUnavailable where the copy cannot be made."""
        try:
            folder = await asyncio.to_thread(_home, root, state)
        except OSError as error:
            raise CheckerUnavailable(f"no shadow could be made: {error.strerror or error}") from error
        made = cls(root, folder, reason)
        try:
            await made.lay({})
        except BaseException:
            await made.close()
            raise
        return made

    async def lay(self, laid: Laid) -> None:
        try:
            await asyncio.shield(asyncio.to_thread(self._lay, laid))
        except OSError as error:
            raise CheckerUnavailable(f"no shadow could be made: {error.strerror or error}") from error

    def _lay(self, laid: Laid) -> None:
        (self._folder / "tmp").mkdir(exist_ok=True)
        self._place.mkdir(parents=True, exist_ok=True)
        seen, there = dict(_states(self._root)), dict(_states(self._place))
        for place in there:
            if self._root / place.relative_to(self._place) not in seen:
                _remove(place)
        copied: dict[Path, tuple[State, State]] = {}
        for path, state in seen.items():
            place = self.inside(path)
            known = self._copied.get(path)
            if known is None or known != (state, there.get(place)):
                _copy(path, place, state, self)
                known = (state, _FOLDER if state == _FOLDER else _state(place))
            copied[path] = known
        self._copied = copied
        for path, data in laid.items():
            place = self.inside(path)
            if not place.is_relative_to(self._place):
                continue
            if data is None:
                place.unlink(missing_ok=True)
            else:
                _write(place, data, path)

    async def run(self, asked: Asked) -> Ended:
        pipe = asyncio.subprocess.PIPE
        env = {**for_programs(asked.env), **{name: str(self._folder / "tmp") for name in ("TMPDIR", "TMP", "TEMP")}}
        process = await asyncio.create_subprocess_exec(
            *asked.argv,
            cwd=self.inside(asked.cwd),
            env=env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=pipe,
            stderr=pipe,
            start_new_session=os.name == "posix",
        )

        output, errors = process.stdout, process.stderr
        assert output is not None
        assert errors is not None

        async def over() -> int:
            code = await process.wait()
            _end(process)
            return code

        async def end() -> None:
            """A process that left the group may hold the pipes open: it is not waited for."""
            _end(process)
            rest = [asyncio.ensure_future(part) for part in (process.wait(), _drained(output), _drained(errors))]
            await asyncio.wait(rest, timeout=_LAST_WORDS_SECONDS)
            for part in rest:
                part.cancel()

        return await heard(asked, output, errors, over(), end)

    def inside(self, path: Path) -> Path:
        for root in (self._given, self._root):
            if path.is_relative_to(root):
                return self._place / path.relative_to(root)
        return path

    def outside(self, path: Path) -> Path:
        for place in (self._place, self._root):
            if path.is_relative_to(place):
                return self._given / path.relative_to(place)
        return path

    async def close(self) -> None:
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)


async def _drained(stream: asyncio.StreamReader) -> None:
    """Until there is no more to come: asyncio does not see the end of a process whose pipes are full."""
    while await stream.read(_CHUNK):
        pass


def _home(root: Path, state: Path) -> Path:
    """Where the copy goes: beside Surefoot's other caches where files can share their blocks, else into memory, else there all the same."""
    state.mkdir(parents=True, exist_ok=True)
    sample = next((path for path, _ in _states(root) if path.is_file()), None)
    if sample is not None:
        with tempfile.TemporaryDirectory(dir=state) as tried:
            if _cloned(sample, Path(tried) / "sample"):
                return Path(tempfile.mkdtemp(prefix="shadow-", dir=state)).resolve()
    memory = _MEMORY if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="surefoot-shadow-", dir=memory or state)).resolve()


def _states(root: Path) -> Iterator[tuple[Path, State]]:
    """Every folder, file and link that is copied, with what tells that it has changed. Environments and packages count as one link each."""
    for here, inner, names in os.walk(root):
        folder = Path(here)
        linked = [name for name in inner if (folder / name).is_symlink() or (folder / name / "pyvenv.cfg").is_file()]
        if folder.name == _PACKAGES or (folder.parent.name == _PACKAGES and folder.name.startswith("@")):
            linked += [name for name in inner if name not in linked and not name.startswith("@")]
        inner[:] = [name for name in inner if name not in _LEFT_OUT and name not in linked]
        for name in inner:
            yield folder / name, _FOLDER
        for path in (folder / name for name in (*names, *linked)):
            with contextlib.suppress(OSError):
                yield path, _state(path)


def _state(path: Path) -> State:
    held = path.lstat()
    return held.st_mtime_ns, held.st_size, held.st_ino, held.st_mode


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def _copy(path: Path, place: Path, state: State, shadow: CopyShadow) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(place) and not (state == _FOLDER and place.is_dir() and not place.is_symlink()):
        _remove(place)
    if state == _FOLDER:
        place.mkdir(exist_ok=True)
    elif path.is_symlink():
        # A link within the tree leads to its copy; any other to where it leads from the tree.
        place.symlink_to(shadow.inside(path.resolve()))
    elif path.is_dir():
        place.symlink_to(path)
    elif not _cloned(path, place):
        shutil.copyfile(path, place)
        shutil.copymode(path, place)


def _write(place: Path, data: bytes, real: Path) -> None:
    """A file of its own: what stands there may be a link."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(place):
        _remove(place)
    place.write_bytes(data)
    if real.is_file():
        shutil.copymode(real, place)


def _cloned(path: Path, place: Path) -> bool:
    """Whether the copy could be made to share the blocks of the original; where not, there is none."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        with path.open("rb") as source, place.open("wb") as made:
            fcntl.ioctl(made.fileno(), _CLONE, source.fileno())
    except OSError:
        place.unlink(missing_ok=True)
        return False
    shutil.copymode(path, place)
    return True


def _end(process: asyncio.subprocess.Process) -> None:
    """Leave nothing of its group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.kill()
