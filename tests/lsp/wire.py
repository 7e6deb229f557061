"""A client that speaks raw messages over stdio, so that a test can send what no library would."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

PATIENCE = 20.0
"""Seconds that any single wait of a test may take before it fails."""

Message = dict[str, Any]


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Raw:
    """One server process, and every message that came from it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.heard: list[Message] = []
        self._came = asyncio.Event()
        self.reader = asyncio.create_task(self._read())

    def send(self, **message: object) -> None:
        self.put(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def put(self, data: bytes) -> None:
        """Bytes as they are, whatever they are."""
        assert self.process.stdin
        self.process.stdin.write(data)

    async def answer(self, number: int) -> Message:
        """The answer to request `number`."""
        return await self.until(lambda m: m.get("id") == number and "method" not in m)

    async def ask(self, number: int, method: str, params: object = None) -> Message:
        self.send(id=number, method=method, params=params)
        return await self.answer(number)

    async def logged(self, words: str) -> Message:
        return await self.until(lambda m: m.get("method") == "window/logMessage" and words in m["params"]["message"])

    async def until(self, fits: Callable[[Message], bool]) -> Message:
        async with asyncio.timeout(PATIENCE):
            while not (found := [m for m in self.heard if fits(m)]):
                self._came.clear()
                await self._came.wait()
        return found[0]

    async def ended(self) -> int:
        """The exit code, once the process is gone and everything it said has been read."""
        async with asyncio.timeout(PATIENCE):
            await self.reader
            return await self.process.wait()

    async def _read(self) -> None:
        assert self.process.stdout
        while header := await self.process.stdout.readline():
            assert header.lower().startswith(b"content-"), header
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = await self.process.stdout.readline()
            self.heard.append(json.loads(await self.process.stdout.readexactly(length)))
            self._came.set()


@asynccontextmanager
async def speaking(*command: str, greet: bool = True) -> AsyncGenerator[Raw]:
    """A server process, greeted; killed at the end if it still runs."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", *command, stdin=pipe, stdout=pipe, stderr=pipe)
    raw = Raw(process)
    try:
        if greet:
            await raw.ask(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            raw.send(method="initialized", params={})
        yield raw
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raw.reader.cancel()
        await asyncio.wait({raw.reader})
        process._transport.close()  # pyright: ignore - its pipes outlive a killed process and warn
