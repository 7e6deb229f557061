"""Edits of lists between brackets that leave everything else in them as it stands: comments, line breaks, the last comma.

Lists lie inside of one another: `f(f(1))` gives one argument that is a call itself. So inner lists are edited first, and the text of an
entry that moves is taken with the edits inside of it.
"""

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from surefoot.core.change import TextEdit, apply_edits
from surefoot.core.value import value
from surefoot.syntax.written import Piece

Put = tuple[int, str | None]
"""An entry of the new list: the index of an old one or -1, and its text, None where it is as it stands."""


class FileEdits:
    """The edits of one text, made from the inside out."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._edits: list[TextEdit] = []

    @property
    def edits(self) -> tuple[TextEdit, ...]:
        """In ascending order."""
        return tuple(sorted(self._edits, key=lambda e: (e.start, e.end)))

    def text(self, start: int, end: int) -> str:
        """What these bytes are by now."""
        inside = [TextEdit(e.start - start, e.end - start, e.text) for e in self._edits if start <= e.start and e.end <= end]
        return apply_edits(self.data[start:end], inside).decode("utf-8")

    def replace(self, start: int, end: int, text: str) -> None:
        """Put a text in the place of some bytes and of all edits inside of them."""
        self._edits = [e for e in self._edits if not (start <= e.start and e.end <= end and end > start)]
        if start < end or text:
            self._edits.append(TextEdit(start, end, text))


@value
class Span:
    """What stands between two brackets, and the entries there."""

    open: int
    close: int
    pieces: tuple[Piece, ...]


def relist(edits: FileEdits, span: Span, put: Sequence[Put]) -> bool:
    """Make the entries of a list those of `put`; False where they are so already."""
    old = span.pieces
    if [index for index, _ in put] == list(range(len(old))) and all(text is None for _, text in put):
        return False
    texts = [text if text is not None else edits.text(old[index].start, old[index].end) for index, text in put]
    if not old:
        edits.replace(span.open, span.open, ", ".join(texts))
    elif not put:
        first, last = old[0].start, _past_comma(edits.data, old[-1].end, span.close)
        around = edits.data[span.open : first] + edits.data[last : span.close]
        edits.replace(*((first, last) if around.strip() else (span.open, span.close)), "")
    elif sorted(index for index, _ in put) == list(range(len(old))):
        _in_place(edits, old, put, texts)
    else:
        _rearranged(edits, span, put, texts)
    return True


def _in_place(edits: FileEdits, old: Sequence[Piece], put: Sequence[Put], texts: Sequence[str]) -> None:
    """The same entries in another order, or written otherwise: each takes the place of the one that stood there."""
    for piece, (index, text), made in zip(old, put, texts, strict=True):
        if text is not None or old[index] is not piece:
            edits.replace(piece.start, piece.end, made)


def _rearranged(edits: FileEdits, span: Span, put: Sequence[Put], texts: Sequence[str]) -> None:
    old = span.pieces
    kept = SequenceMatcher(None, range(len(old)), [index for index, _ in put], autojunk=False).get_matching_blocks()
    changes: list[Callable[[], None]] = []
    at = to = 0
    for i, j, size in kept:
        changes += _gap(edits, span, (at, i), texts[to:j])
        for k in range(size):
            if put[j + k][1] is not None:
                changes.append(_replacing(edits, old[i + k], texts[j + k]))
        at, to = i + size, j + size
    for change in changes:
        change()


def _gap(edits: FileEdits, span: Span, dropped: tuple[int, int], fresh: Sequence[str]) -> Iterator[Callable[[], None]]:
    """Old entries give way to new ones between two that stay."""
    old, (first, last) = span.pieces, dropped
    shared = min(last - first, len(fresh))
    for piece, text in zip(old[first : first + shared], fresh, strict=False):
        yield _replacing(edits, piece, text)
    if last - first > shared:
        yield lambda: _drop(edits, span, first + shared, last)
    elif len(fresh) > shared:
        yield lambda: _insert(edits, span, last, fresh[shared:])


def _replacing(edits: FileEdits, piece: Piece, text: str) -> Callable[[], None]:
    return lambda: edits.replace(piece.start, piece.end, text)


def _drop(edits: FileEdits, span: Span, first: int, last: int) -> None:
    old = span.pieces
    if last < len(old):
        edits.replace(old[first].start, old[last].start, "")
    elif old[first].alone:
        # With the whole line goes what is said about it behind the comma.
        edits.replace(old[first - 1].end, _last_line(edits.data, old[-1].end, span.close), "")
        if edits.data[old[first - 1].end : old[first].start].lstrip().startswith(b",") and _has_comma(edits.data, old[-1].end, span.close):
            edits.replace(old[first - 1].end, old[first - 1].end, ",")
    else:
        edits.replace(old[first - 1].end, old[-1].end, "")


def _insert(edits: FileEdits, span: Span, before: int, texts: Sequence[str]) -> None:
    data, old = edits.data, span.pieces
    if before < len(old):
        piece = old[before]
        gap = f",{_newline(data, piece.start)}{_indent(data, piece.start)}" if piece.alone else ", "
        edits.replace(piece.start, piece.start, "".join(text + gap for text in texts))
        return
    last = old[-1]
    if not last.alone:
        edits.replace(last.end, last.end, "".join(f", {text}" for text in texts))
        return
    indent = _indent(data, last.start)
    newline = _newline(data, last.start)
    comma = _has_comma(data, last.end, span.close)
    line = _line_end(data, last.end, span.close)
    made = f",{newline}{indent}".join(texts)
    if line < 0:
        edits.replace(last.end, last.end, f",{newline}{indent}{made}")
    elif comma:
        edits.replace(line, line, f"{newline}{indent}{made},")
    elif not data[last.end : line].strip():
        edits.replace(last.end, last.end, f",{newline}{indent}{made}")
    else:
        edits.replace(last.end, last.end, ",")
        edits.replace(line, line, f"{newline}{indent}{made}")


def _newline(data: bytes, start: int) -> str:
    """How the line before the one of a byte ends."""
    at = data.rfind(b"\n", 0, start)
    return "\r\n" if at > 0 and data[at - 1 : at] == b"\r" else "\n"


def _indent(data: bytes, start: int) -> str:
    return data[data.rfind(b"\n", 0, start) + 1 : start].decode("utf-8").removeprefix("\ufeff")


def _has_comma(data: bytes, end: int, close: int) -> bool:
    return data[end:close].lstrip().startswith(b",")


def _past_comma(data: bytes, end: int, close: int) -> int:
    rest = data[end:close]
    return end + len(rest) - len(rest.lstrip()) + 1 if _has_comma(data, end, close) else end


def _line_end(data: bytes, end: int, close: int) -> int:
    at = data.find(b"\n", end, close)
    return at - 1 if at > 0 and data[at - 1 : at] == b"\r" and at - 1 >= end else at


def _last_line(data: bytes, end: int, close: int) -> int:
    """Where the line of the last entry ends, or the entry where the bracket is closed in the same line."""
    line = _line_end(data, end, close)
    return line if line >= 0 else _past_comma(data, end, close)
