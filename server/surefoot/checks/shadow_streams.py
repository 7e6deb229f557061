"""What a program in a shadow prints, up to a bound, until it is over or its time is."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from surefoot.checks.outcome import Ended
from surefoot.checks.shadow import Asked

_KEPT = 64 * 1024
"""Bytes of standard error that are kept, the last ones."""
_CHUNK = 64 * 1024


class _Flooded(Exception):
    """More output than anybody reads."""


async def heard(
    asked: Asked, output: asyncio.StreamReader, errors: asyncio.StreamReader, over: Awaitable[int], end: Callable[[], Awaitable[None]]
) -> Ended:
    """What a started program did. `over` gives its exit code, negative for a signal; `end` ends it with all that it started."""
    began = time.monotonic()
    said, told = bytearray(), bytearray()
    work = asyncio.gather(_all(output, said, asked.most), _last(errors, told), over)
    late = flooded = False
    code = 0
    try:
        async with asyncio.timeout(asked.seconds):
            code = (await work)[2]
    except TimeoutError:
        late = True
    except _Flooded:
        flooded = True
    finally:
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError, _Flooded):
            await work
        await end()
    seconds = asked.seconds if late else time.monotonic() - began
    return Ended(asked.name, code, bytes(said), bytes(told), seconds, timed_out=late, flooded=flooded)


async def _all(stream: asyncio.StreamReader, into: bytearray, most: int) -> None:
    while chunk := await stream.read(_CHUNK):
        into += chunk
        if len(into) > most:
            raise _Flooded


async def _last(stream: asyncio.StreamReader, into: bytearray) -> None:
    while chunk := await stream.read(_CHUNK):
        into += chunk
        del into[:-_KEPT]
