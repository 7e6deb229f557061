"""Where a fault is planted so that a checker which looks at the file cannot miss it.

At the end of a Python file it may stand behind a `raise SystemExit`, where nothing is reported; at the very top it would push aside a
docstring, a `from __future__` or a comment that speaks for the whole file. So it goes before the first statement after those.
"""

import io
import tokenize
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

from surefoot.checks.checker import Proof
from surefoot.checks.messages import Item
from surefoot.core.text import LineIndex, TextFile
from surefoot.core.value import value

_QUIET = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})
_WARNING = 2


class Sight(StrEnum):
    """Whether a checker looks at a file: it spoke of what was planted there, kept silent, or stopped at a syntax error before it."""

    SEES = "sees"
    BLIND = "blind"
    MASKED = "masked"


@value
class Planted:
    """A text with a fault in it, on the lines from `first` to `last` (from 0)."""

    file: TextFile
    first: int
    last: int

    def sight(self, items: Iterable[Item], proof: Proof, is_syntax: Callable[[str], bool]) -> Sight:
        """What the answer shows: the checker has to speak of the fault itself, not of something else that it finds there."""
        bad = [item for item in items if item.severity <= _WARNING]
        here = [item.message for item in bad if self.first <= item.range.start.line <= self.last]
        if all(any(says in message for message in here) for says in (proof.says, *proof.kinds)):
            return Sight.SEES
        return Sight.MASKED if any(is_syntax(str(item.code)) for item in bad) else Sight.BLIND


def plant(file: TextFile, proof: Proof) -> Planted:
    """`file` with the fault of `proof` in it."""
    at = _first_statement(file.data) if proof.early else len(file.data)
    lead = "" if at < len(file.data) or not file.data else "\n\n"
    text = f"{lead}{proof.planted}"
    first = len(LineIndex(file.data[:at]).starts) - 1
    made = TextFile.of(file.path, file.data[:at] + text.encode("utf-8") + file.data[at:])
    return Planted(made, first, first + text.count("\n"))


def _first_statement(data: bytes) -> int:
    """The byte at which the first Python statement after docstring and future imports starts its line; the end where there is none."""
    for number, line in enumerate(_statements(data)):
        text = [token.string for token in line]
        if (number == 0 and all(token.type == tokenize.STRING for token in line)) or text[:2] == ["from", "__future__"]:
            continue
        row, column = line[0].start
        return sum(len(part) for part in io.BytesIO(data).readlines()[: row - 1]) if column == 0 else len(data)
    return len(data)


def _statements(data: bytes) -> Iterator[list[tokenize.TokenInfo]]:
    """The logical lines of a Python text up to the first that cannot be read; only as much is read as is asked for."""
    line: list[tokenize.TokenInfo] = []
    try:
        for token in tokenize.tokenize(io.BytesIO(data).readline):
            if token.type == tokenize.NEWLINE:
                yield line
                line = []
            elif token.type not in _QUIET:
                line.append(token)
    except (SyntaxError, tokenize.TokenError, UnicodeDecodeError):
        return
