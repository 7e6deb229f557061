"""The test mini-language: one text holds what is tested, the files, a cursor, marks on the code, and what must come out.

    The shadowed name is left alone.

    -- billing.py --
    def total$0(items):
        return sum(items)
    -- api.py --
    def invoice(items):
        return total(items)
        #      ^^^^^ @exact.call
    total([1])
    # <- @exact.call
    -- @after/billing.py --
    def total(items, tax):
        return sum(items)

Text before the first header is prose. `$0` is a cursor (two are a selection) and `\\$0` a literal `$0`. A mark line holds only a comment:
carets mark those columns of the last code line above, `<-` marks the word that starts at the column of the comment. Mark lines and
cursors are not part of the files. Sections whose name starts with `@` are kept as they stand, under the name without `@`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_HEADER = re.compile(r"^-- (\S(?:.*\S)?) --$")
_MARK_LINE = re.compile(r"^\s*(?P<lead>#|//|\{?/\*|<!--|\"\"\")?\s*(?:<-|\^+)\s*@\S")
_CARETS = re.compile(r"(\^+)\s*@([^\s*}]+)")
_ARROW = re.compile(r"<-\s*@([^\s*}]+)")
_CURSOR = re.compile(r"\\?\$0")
_WORD = re.compile(r"[\w$]+")


@dataclass(frozen=True)
class Mark:
    """A labelled range of one file: byte offsets, and the start as people count (from 1, columns in code points)."""

    path: str
    start: int
    end: int
    line: int
    column: int
    label: str


@dataclass(frozen=True)
class Cursor:
    """A `$0`: a byte offset in one file, and its place as people count."""

    path: str
    offset: int
    line: int
    column: int


@dataclass(frozen=True)
class Fixture:
    """One parsed case. `files` and `sections` keep the order they were written in."""

    prose: str
    files: Mapping[str, str]
    cursors: tuple[Cursor, ...]
    marks: tuple[Mark, ...]
    sections: Mapping[str, str]

    @property
    def cursor(self) -> Cursor:
        """The only cursor. Raises ValueError when there is none or more than one."""
        if len(self.cursors) != 1:
            raise ValueError(f"the case has {len(self.cursors)} cursors, one was expected")
        return self.cursors[0]

    def write_to(self, folder: Path) -> Path:
        """Write every file below `folder`, byte for byte, and return `folder`."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8"))
        return folder


def parse(text: str) -> Fixture:
    """Read one case. Raises ValueError for a name used twice, a mark without code above it, or a mark outside its line."""
    prose, parts = _split(text)
    files: dict[str, str] = {}
    sections: dict[str, str] = {}
    cursors: list[Cursor] = []
    marks: list[Mark] = []
    for name, lines in parts:
        held = sections if name.startswith("@") else files
        key = name.removeprefix("@")
        if key in held:
            raise ValueError(f"{name} is there twice")
        if held is sections:
            held[key] = "".join(line + "\n" for line in lines)
            continue
        file = _FileReader(name)
        for line in lines:
            file.take(line)
        held[key] = file.text
        cursors += file.cursors
        marks += file.marks
    return Fixture(prose, files, tuple(cursors), tuple(marks), sections)


def _split(text: str) -> tuple[str, list[tuple[str, list[str]]]]:
    prose: list[str] = []
    parts: list[tuple[str, list[str]]] = []
    for line in text.removesuffix("\n").split("\n"):
        if (header := _HEADER.match(line)) is not None:
            parts.append((header[1], []))
        else:
            (parts[-1][1] if parts else prose).append(line)
    return "\n".join(prose).strip(), parts


class _FileReader:
    """Builds one file line by line; remembers how columns as written map to columns of the last code line."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = ""
        self.cursors: list[Cursor] = []
        self.marks: list[Mark] = []
        self._lines = 0
        self._start = 0
        self._last = ""
        self._removed: list[tuple[int, int]] = []

    def take(self, line: str) -> None:
        if (mark := _MARK_LINE.match(line)) is not None:
            self._mark(line, mark.start("lead"))
        else:
            self._code(line)

    def _code(self, written: str) -> None:
        self._start = len(self.text.encode("utf-8"))
        self._lines += 1
        self._removed = []
        kept = ""
        at = 0
        for found in _CURSOR.finditer(written):
            kept += written[at : found.start()]
            at = found.end()
            if found[0].startswith("\\"):
                kept += "$0"
                self._removed.append((found.start(), 1))
            else:
                self.cursors.append(Cursor(self.path, self._start + len(kept.encode("utf-8")), self._lines, len(kept) + 1))
                self._removed.append((found.start(), 2))
        self._last = kept + written[at:]
        self.text += self._last + "\n"

    def _mark(self, line: str, lead: int) -> None:
        if self._lines == 0:
            raise ValueError(f"{self.path}: the mark {line.strip()!r} has no code above it")
        for found in _CARETS.finditer(line):
            self._add(self._column(found.start(1)), self._column(found.end(1)), found[2])
        if (arrow := _ARROW.search(line)) is not None:
            column = self._column(max(lead, 0))
            word = _WORD.match(self._last, column)
            self._add(column, word.end() if word else column + 1, arrow[1])

    def _column(self, written: int) -> int:
        return written - sum(width for at, width in self._removed if at < written)

    def _add(self, start: int, end: int, label: str) -> None:
        if end > len(self._last):
            raise ValueError(f"{self.path}:{self._lines}: the mark @{label} is outside the line {self._last!r}")
        first = self._start + len(self._last[:start].encode("utf-8"))
        last = first + len(self._last[start:end].encode("utf-8"))
        self.marks.append(Mark(self.path, first, last, self._lines, start + 1, label))
