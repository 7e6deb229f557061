"""Changes as values: edits, their inverse, their size, and the texts they make."""

import difflib
import hashlib
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.errors import OutsideText, OverlappingEdits
from surefoot.core.value import value


@value
class TextEdit:
    """Bytes `start` to `end` of a text become `text`."""

    start: int
    end: int
    text: str


@value
class FileEdit:
    """The edits of one document, in ascending order, over the text whose digest is `before`; they make the text `after`."""

    path: Path
    before: str
    after: str
    edits: tuple[TextEdit, ...]


@value
class Change:
    """Edits for many documents, each bound to the text it was made for."""

    files: tuple[FileEdit, ...]

    @property
    def digest(self) -> str:
        """Names the texts that this change makes, whatever edits make them."""
        parts = "\n".join(f"{f.path}\0{f.before}\0{f.after}" for f in sorted(self.files, key=lambda f: f.path))
        return hashlib.sha256(parts.encode()).hexdigest()[:32]

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(f.path for f in self.files)


@value
class Size:
    """Lines added and removed, as git counts them."""

    added: int
    removed: int

    @property
    def changed(self) -> int:
        return self.added + self.removed

    def __add__(self, other: "Size") -> "Size":
        return Size(self.added + other.added, self.removed + other.removed)


def apply_edits(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """The text after `edits`. Raises OverlappingEdits, OutsideText."""
    out: list[bytes] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise OverlappingEdits(f"two edits claim byte {edit.start}")
        if not edit.start <= edit.end <= len(data):
            raise OutsideText(f"bytes {edit.start} to {edit.end} are outside a text of {len(data)} bytes")
        out += (data[at : edit.start], edit.text.encode("utf-8"))
        at = edit.end
    return b"".join((*out, data[at:]))


def inverse_edits(data: bytes, edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits that take the text after `edits` back to `data`."""
    ordered = sorted(edits, key=lambda e: (e.start, e.end))
    spans = zip(ordered, landed(ordered), strict=True)
    return tuple(TextEdit(start, end, data[edit.start : edit.end].decode("utf-8")) for edit, (start, end) in spans)


def landed(edits: Iterable[TextEdit]) -> tuple[tuple[int, int], ...]:
    """The bytes that each edit's text takes up once all of them are made."""
    out: list[tuple[int, int]] = []
    shift = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        length = len(edit.text.encode("utf-8"))
        out.append((edit.start + shift, edit.start + shift + length))
        shift += length - (edit.end - edit.start)
    return tuple(out)


def size_of(data: bytes, edits: Iterable[TextEdit]) -> Size:
    """How many lines `edits` add and remove, as a diff counts them. Only the lines that they touch are compared, however long the text."""
    added = removed = 0
    for start, end, inside in _touched(data, edits):
        old = data[start:end]
        new = apply_edits(old, [TextEdit(e.start - start, e.end - start, e.text) for e in inside])
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, _git_lines(old), _git_lines(new)).get_opcodes():
            if tag != "equal":
                removed += i2 - i1
                added += j2 - j1
    return Size(added, removed)


def _touched(data: bytes, edits: Iterable[TextEdit]) -> list[tuple[int, int, list[TextEdit]]]:
    """Runs of whole lines that edits share, each with its edits."""
    out: list[tuple[int, int, list[TextEdit]]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        start = data.rfind(b"\n", 0, edit.start) + 1
        end = data.find(b"\n", edit.end) + 1 or len(data)
        if out and start < out[-1][1]:
            first, last, held = out.pop()
            out.append((first, max(last, end), [*held, edit]))
        else:
            out.append((start, end, [edit]))
    return out


def _git_lines(data: bytes) -> list[bytes]:
    """Lines as git sees them: a line feed ends one, a lone carriage return does not."""
    *whole, rest = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def unified_diff(name: str, before: bytes, after: bytes) -> str:
    """A unified diff of one file with three lines of context, as `git apply` reads it."""
    old, new = ([line.decode("utf-8", "replace") for line in _git_lines(side)] for side in (before, after))
    out: list[str] = []
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        out.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(out)
