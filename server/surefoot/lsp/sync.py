"""A document after the client's changes, by the letter of the protocol.

pygls splits lines as `str.splitlines` does, which puts an edit on the wrong line once a text holds a form feed, a NEL or a U+2028; so the
changes are applied here. The text stays a `str`: a client may send half a surrogate pair in one change and the other half in the next.

A text under change is a list of its lines, each with its end; the last one has none. Many changes then cost little more than one: each
touches its own lines, and nothing counts the lines anew.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from lsprotocol import types as t

from surefoot.core.text import Units

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def changed(text: str, changes: Sequence[t.TextDocumentContentChangeEvent], units: Units) -> str:
    """`text` after the `changes`, each made on what the one before it left."""
    lines = _lines(text)
    for change in changes:
        if isinstance(change, t.TextDocumentContentChangePartial):
            _change(lines, change.range, change.text, units)
        else:
            lines = _lines(change.text)
    return "".join(lines)


def _lines(text: str) -> list[str]:
    lines = _LINE.findall(text)
    if not lines or lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return lines


def _change(lines: list[str], held: t.Range, text: str, units: Units) -> None:
    """Put `text` in place of a range. The line before it is taken in, too: its `\\r` and a first `\\n` of the text become one line end."""
    start, end = (_place(lines, place, units) for place in (held.start, held.end))
    first, last = max(start[0] - 1, 0), max(start[0], end[0])
    before = "".join(lines[first : start[0]]) + lines[start[0]][: start[1]]
    after = lines[last][max(start, end)[1] :]
    made = _lines(_whole(before + text + after))
    if last + 1 < len(lines):
        made.pop()
    lines[first : last + 1] = made


def _place(lines: Sequence[str], place: t.Position, units: Units) -> tuple[int, int]:
    """The line of a position and an index in it; one past the end of its line, or of the text, means that end."""
    if place.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[place.line].rstrip("\r\n")
    if units is Units.UTF32 or line.isascii():
        return place.line, min(place.character, len(line))
    return place.line, bisect_right(list(_running(line, units)), place.character)


def _running(line: str, units: Units) -> Iterable[int]:
    """Units up to and including each character."""
    width = 0
    for character in line:
        code = ord(character)
        width += (1 if code < 0x10000 else 2) if units is Units.UTF16 else 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
        yield width


def _whole(text: str) -> str:
    """Two halves of a surrogate pair that met become the character that they are."""
    if not _PAIR.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
