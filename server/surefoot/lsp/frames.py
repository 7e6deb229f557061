"""Frames: header lines and bodies from standard input, put right before pygls sees them.

pygls takes the length only in the one spelling it writes itself, believes any length, and loses its place for good when one was wrong.
"""

import re
from typing import BinaryIO

from pygls.io_ import StdinAsyncReader

LARGEST = 256 * 1024 * 1024
"""Bytes; a frame that claims to be larger is not believed."""

_LONGEST_LINE = 64 * 1024
_DIGITS = len(str(LARGEST))
_LENGTH = re.compile(rb"content-length:[ \t]*(\d+)[ \t]*\r?\n\Z", re.IGNORECASE)
_NOTHING = b"X-Skipped: yes\r\n"


class Frames(StdinAsyncReader):
    """What pygls reads from."""

    async def readline(self) -> bytes:
        """The next header line, empty at the end of the input. The length is found behind anything, such as the rest of a lost body."""
        stdin: BinaryIO = self.stdin
        line: bytes = await self.loop.run_in_executor(self.executor, stdin.readline, _LONGEST_LINE)
        found = _LENGTH.search(line)
        if found is None:
            return line
        digits = found[1].lstrip(b"0")
        if len(digits) > _DIGITS or int(digits or b"0") > LARGEST:
            return _NOTHING
        return b"Content-Length: %b\r\n" % (digits or b"0")
