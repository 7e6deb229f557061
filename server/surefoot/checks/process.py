"""A child process in a group of its own: its errors are drained, its end is noticed, and nothing of it is left behind."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.core.errors import CheckerUnavailable
from surefoot.workspace.environment import for_programs

_KEPT = 4096
_STREAM_LIMIT = 1024 * 1024


class ChildProcess:
    """One running program with pipes. Standard error is read all the time, so a talkative child never blocks; its last words are kept."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._words = bytearray()
        self._drain = asyncio.create_task(self._read_errors())

    @classmethod
    async def start(cls, argv: Sequence[str], cwd: Path, env: Mapping[str, str]) -> "ChildProcess":
        """Raises CheckerUnavailable if the program cannot be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=cwd,
                env=for_programs(env),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_STREAM_LIMIT,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            raise CheckerUnavailable(f"{argv[0]} could not be started: {error.strerror or error}") from error
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    @property
    def output(self) -> asyncio.StreamReader:
        assert self._process.stdout is not None
        return self._process.stdout

    def write(self, data: bytes) -> None:
        """Queue bytes for the child; `flush` waits until it takes them."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(data)

    async def flush(self) -> None:
        """Wait until the child has room. A pipe that broke is found out by the reader, which knows the reason."""
        with contextlib.suppress(ConnectionError):
            if self._process.stdin is not None:
                await self._process.stdin.drain()

    async def end(self, patience: float = 0.0) -> None:
        """Leave no process of the group: wait `patience` seconds for a polite end, then kill."""
        with contextlib.suppress(TimeoutError):
            if patience and self.alive:
                await asyncio.wait_for(self._process.wait(), patience)
        self._kill()
        await self._process.wait()
        self._drain.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._drain
        if self._process.stdin is not None:
            self._process.stdin.close()

    async def how_it_ended(self) -> str:
        """How the child ended and the last line it said, for a person. Ends it if only its output did."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 1.0)
        self._kill()
        code = await self._process.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._drain), 1.0)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        lines = self._words.decode("utf-8", "replace").strip().splitlines()
        return f"{how}: {lines[-1][:200]}" if lines else how

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            elif self.alive:
                self._process.kill()

    async def _read_errors(self) -> None:
        stream = self._process.stderr
        while stream is not None and (chunk := await stream.read(65536)):
            self._words += chunk
            del self._words[:-_KEPT]
