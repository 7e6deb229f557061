"""What parent and child say to each other: one JSON value a line, over one end of a pair of sockets each."""

import json
import socket
from typing import Any


class Gone(Exception):
    """The other end is no more."""


class Wire:
    """One end. Reading waits for the other end, without a limit: whoever kills it closes it."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._read = sock.makefile("rb")

    def say(self, **message: object) -> None:
        """Send one message. Raises Gone."""
        try:
            self._sock.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise Gone from error

    def hear(self) -> dict[str, Any]:
        """The next message. Raises Gone."""
        try:
            line = self._read.readline()
        except OSError as error:
            raise Gone from error
        if not line.endswith(b"\n"):
            raise Gone
        return json.loads(line)

    def close(self) -> None:
        self._read.close()
        self._sock.close()
