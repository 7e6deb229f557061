"""Text as bytes, and the one place where bytes, lines and the units of the three position encodings meet.

Offsets are byte indexes into the UTF-8 text exactly as it stands (BOM and CRLF included). Lines end at `\\r\\n`, `\\n` or `\\r` and at
nothing else (LSP 3.17, `Position`): form feed, NEL and U+2028 are ordinary characters.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Protocol

from surefoot.core.errors import OutsideText
from surefoot.core.value import value


class Units(StrEnum):
    """What a column counts: the three position encodings of LSP. Code points are `utf-32`."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def digest(data: bytes) -> str:
    """The name of a text: the first 32 hex digits of its SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


@value
class TextFile:
    """One text as it stood when it was read. `version` is the LSP number of an open buffer, None for a file on disk."""

    path: Path
    data: bytes
    digest: str
    version: int | None = None

    @classmethod
    def of(cls, path: Path, data: bytes, version: int | None = None) -> "TextFile":
        return cls(path, data, digest(data), version)

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")


@value
class Unreadable:
    """A file that is there and cannot be used as text, and why: it is reported, never counted as empty."""

    path: Path
    reason: str


class Texts(Protocol):
    """A frozen view of all text under one root: open buffers over files, each pinned at its first read."""

    @property
    def root(self) -> Path: ...

    @property
    def over(self) -> Mapping[Path, TextFile | Unreadable]:
        """What stands over the files on disk: open buffers and candidate edits."""
        ...

    def read(self, path: Path) -> TextFile | Unreadable | None:
        """The text of `path` (absolute), None where there is no such file."""
        ...

    def files(self) -> Sequence[Path]:
        """Every file that is not ignored, and every open buffer, absolute and sorted."""
        ...


class LineIndex:
    """Where the lines of one text start, and its columns in any unit."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        # The last position that was asked for: the next one is often in the same line, which may be the whole of a large text.
        self._last = (-1, Units.UTF8, 0, 0)
        # A line and where it starts, up to which lines were counted: to count on takes a fraction of finding all lines.
        self._counted = (0, 0) if b"\r" not in data else None

    @cached_property
    def starts(self) -> list[int]:
        # Bytes end a line where LSP does, and nowhere else.
        lines = self._data.splitlines(keepends=True)
        starts = [0, *accumulate(map(len, lines))]
        return starts if not lines or lines[-1].endswith((b"\n", b"\r")) else starts[:-1]

    def line_of(self, offset: int) -> int:
        """0-based line that holds the byte `offset`."""
        return bisect_right(self.starts, offset) - 1

    def line_at(self, offset: int) -> tuple[int, int]:
        """0-based line that holds the byte `offset`, and where it starts."""
        if self._counted is None or offset < self._counted[1]:
            self._counted = None
            line = self.line_of(offset)
            return line, self.starts[line]
        line, start = self._counted
        last = self._data.rfind(b"\n", start, offset)
        if last >= 0:
            self._counted = line, start = line + self._data.count(b"\n", start, last + 1), last + 1
        return line, start

    def line_bytes(self, line: int, most: int | None = None) -> bytes:
        """The bytes of a 0-based line without its line end, the first `most` of them where that is given."""
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self._data)
        return self._data[start : end if most is None else min(end, start + most)].rstrip(b"\r\n")

    def line_around(self, offset: int, most: int) -> tuple[bytes, bytes]:
        """The line that holds the byte `offset`, without its line end: `most` bytes of it before that byte, and as many from there on."""
        start = max(self.line_at(offset)[1], offset - most)
        return self._data[start:offset], (self._data[offset : offset + most].splitlines() or [b""])[0]

    def position(self, offset: int, units: Units = Units.UTF32) -> tuple[int, int]:
        """(line, column), both 0-based, of a byte offset. Raises OutsideText."""
        if not 0 <= offset <= len(self._data):
            raise OutsideText(f"byte {offset} is outside a text of {len(self._data)} bytes")
        line, start = self.line_at(offset)
        width = 0
        if self._last[:2] == (line, units) and self._last[2] <= offset:
            start, width = self._last[2:]
        width += _width(self._data[start:offset], units)
        if offset == len(self._data) or self._data[offset] & 0xC0 != 0x80:  # between two characters
            self._last = (line, units, offset, width)
        return line, width

    def offset(self, line: int, column: int, units: Units = Units.UTF32) -> int:
        """Byte offset of a 0-based position; a column past the line's end means its end (LSP 3.17).

        Raises OutsideText for a line that is not there.
        """
        if not 0 <= line < len(self.starts):
            raise OutsideText(f"line {line + 1} is outside a text of {len(self.starts)} lines")
        text = self.line_bytes(line)
        if units is Units.UTF8:
            return self.starts[line] + min(column, len(text))
        decoded = text.decode("utf-8", "surrogateescape")
        if units is Units.UTF16:
            head = decoded.encode("utf-16-le", "surrogatepass")[: 2 * column].decode("utf-16-le", "ignore")
        else:
            head = decoded[:column]
        return self.starts[line] + len(head.encode("utf-8", "surrogateescape"))


def _width(data: bytes, units: Units) -> int:
    if units is Units.UTF8:
        return len(data)
    text = data.decode("utf-8", "replace")
    return len(text) if units is Units.UTF32 else len(text.encode("utf-16-le")) // 2


@value
class Place:
    """A range of bytes in one file, and its start as people count: line and column from 1, columns in code points."""

    path: Path
    start: int
    end: int
    line: int
    column: int

    @classmethod
    def of(cls, path: Path, start: int, end: int, index: LineIndex) -> "Place":
        line, column = index.position(start)
        return cls(path, start, end, line + 1, column + 1)


def relative(root: Path, path: Path) -> str:
    """A path as people and outputs name it: relative to the root, with `/`."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
