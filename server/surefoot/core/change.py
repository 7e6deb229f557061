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
    out: list[TextEdit] = []
    shift = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        length = len(edit.text.encode("utf-8"))
        start = edit.start + shift
        out.append(TextEdit(start, start + length, data[edit.start : edit.end].decode("utf-8")))
        shift += length - (edit.end - edit.start)
    return tuple(out)


def size_of(before: bytes, after: bytes) -> Size:
    """How many lines a diff of the two texts adds and removes."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    added = removed = 0
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += i2 - i1
            added += j2 - j1
    return Size(added, removed)


def unified_diff(name: str, before: bytes, after: bytes) -> str:
    """A unified diff of one file with three lines of context, as `git apply` reads it."""
    old, new = (_lines(side) for side in (before, after))
    out: list[str] = []
    for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
        out.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(out)


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "replace")
    return [line + "\n" for line in text.split("\n")[:-1]] + ([text.rsplit("\n", 1)[-1]] if not text.endswith("\n") and text else [])
