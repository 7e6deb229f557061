"""From what a program tells of a place to a finding in a text."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from surefoot.checks.command import Command, Found
from surefoot.core.errors import OutsideText
from surefoot.core.findings import Diagnostic
from surefoot.core.text import LineIndex, Place, TextFile, Units

_WORD = re.compile(rb"[\w$]+", re.ASCII)


def path_in(told: str, cwd: Path, outside: Callable[[Path], Path]) -> Path:
    """The file of the user's tree that a program means, which ran in `cwd` (as it sees it)."""
    name = told.removeprefix("file://")
    return outside(Path(os.path.normpath(cwd / name)))


def placed(found: Iterable[tuple[Path, Found]], texts: Callable[[Path], TextFile | None], command: Command) -> Iterator[Diagnostic]:
    """The findings in texts, as the command told them. Raises OutsideText for a line that a text does not have."""
    held: dict[Path, tuple[TextFile, LineIndex]] = {}
    for path, one in found:
        if path not in held:
            file = texts(path)
            if file is None:
                continue
            held[path] = (file, LineIndex(file.data))
        file, index = held[path]
        start = _offset(index, one.line, one.column, command.units)
        word = _WORD.match(file.data, start)
        end = _offset(index, one.end_line, one.end_column, command.units) if one.end_line and one.end_column else 0
        place = Place.of(path, start, max(end, word.end() if word and not end else start), index)
        yield Diagnostic(place, command.name, one.code, one.severity, one.message, word[0].decode() if word else "")


def _offset(index: LineIndex, line: int, column: int, units: Units) -> int:
    """A finding after the last line, of what is missing at the end, stands at the end."""
    last = len(index.starts)
    if line > last + 1:
        raise OutsideText(f"line {line} is outside a text of {last} lines")
    return index.offset(min(max(line, 1), last) - 1, max(column, 1) - 1 if line <= last else 1 << 30, units)
