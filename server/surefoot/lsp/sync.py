"""A document after the client's changes, by the letter of the protocol.

pygls splits lines as `str.splitlines` does, which puts an edit on the wrong line once a text holds a form feed, a NEL or a U+2028; so the
changes are applied here. The text stays a `str`: a client may send half a surrogate pair in one change and the other half in the next.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from lsprotocol import types as t

from surefoot.core.text import Units

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE_END = re.compile(r"\r\n|\n|\r")


def changed(text: str, changes: Sequence[t.TextDocumentContentChangeEvent], units: Units) -> str:
    """`text` after the `changes`, each made on what the one before it left."""
    for change in changes:
        if isinstance(change, t.TextDocumentContentChangePartial):
            starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
            start, end = (_index(text, starts, place, units) for place in (change.range.start, change.range.end))
            text = _whole(text[:start] + change.text + text[max(start, end) :])
        else:
            text = change.text
    return text


def _index(text: str, starts: Sequence[int], place: t.Position, units: Units) -> int:
    """Where a position is in `text`; one past the end of its line, or of the text, means that end."""
    if place.line >= len(starts):
        return len(text)
    start = starts[place.line]
    stop = starts[place.line + 1] if place.line + 1 < len(starts) else len(text)
    line = text[start:stop].rstrip("\r\n")
    if units is Units.UTF32 or line.isascii():
        return start + min(place.character, len(line))
    ends = list(_running(line, units))
    return start + bisect_right(ends, place.character)


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
