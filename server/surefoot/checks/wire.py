"""The frames of LSP's base protocol: read and write one JSON message on a byte stream."""

import asyncio
import json
import re

from pydantic import JsonValue, ValidationError

from surefoot.checks.messages import Incoming
from surefoot.run.limits import HEADER_LINES

_HEADER_NAME = re.compile(rb"[A-Za-z-]+")
LARGEST = 256 * 1024 * 1024
"""Bytes; a frame that claims to be larger is not believed."""


class Garbled(Exception):
    """The stream does not speak the protocol."""


def frame(message: dict[str, JsonValue]) -> bytes:
    """One message as it goes over the wire."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


async def read_message(stream: asyncio.StreamReader) -> Incoming | None:
    """The next message, None at the end of the stream. Raises Garbled."""
    body = await read_body(stream)
    try:
        return None if body is None else Incoming.model_validate_json(body)
    except ValidationError as error:
        raise Garbled(f"a message of {len(body or b'')} bytes that is not JSON-RPC") from error


async def read_body(stream: asyncio.StreamReader) -> bytes | None:
    """What the next frame holds, None at the end of the stream. Raises Garbled."""
    length = await _read_header(stream)
    if length is None:
        return None
    try:
        return await stream.readexactly(length)
    except asyncio.IncompleteReadError:
        return None


async def _read_header(stream: asyncio.StreamReader) -> int | None:
    length: int | None = None
    for _ in range(HEADER_LINES):
        try:
            line = await stream.readline()
        except ValueError as error:
            raise Garbled("a header line without an end") from error
        if not line:
            return None
        if line == b"\r\n":
            if length is None or not 0 <= length <= LARGEST:
                raise Garbled("a message without a usable length")
            return length
        name, colon, value = line.partition(b":")
        if not colon or not _HEADER_NAME.fullmatch(name):
            raise Garbled(f"{line[:60].decode('utf-8', 'replace').strip()!r} in place of a header")
        if name.strip().lower() == b"content-length":
            if not value.strip().isdigit():
                raise Garbled("a length that is not a number")
            length = int(value)
    raise Garbled(f"more than {HEADER_LINES} header lines")
