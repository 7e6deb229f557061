"""Between LSP's findings and ours: ranges to places, severities, the word at a place, edits to a change."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from surefoot.checks.messages import Item, Range, WireEdit, WorkspaceEdit
from surefoot.core.change import Change, TextEdit
from surefoot.core.errors import TextError
from surefoot.core.findings import Diagnostic, Severity
from surefoot.core.text import LineIndex, Place, TextFile, Units
from surefoot.workspace.snapshot import Snapshot

_BOM = b"\xef\xbb\xbf"
_WORD = re.compile(rb"[\w$]+", re.ASCII)
_SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)


class Placer:
    """Turns ranges of one text as a child was told it (without a byte order mark) into bytes of that text."""

    def __init__(self, file: TextFile, units: Units) -> None:
        self._file, self._units = file, units
        self._skew = len(_BOM) if file.data.startswith(_BOM) else 0
        self._told = LineIndex(file.data[self._skew :])
        self._index = LineIndex(file.data)

    def span(self, asked: Range) -> tuple[int, int]:
        """First byte and the one after the last. Raises TextError for a line that is not there."""
        start, end = (self._told.offset(p.line, p.character, self._units) for p in (asked.start, asked.end))
        return start + self._skew, max(start, end) + self._skew

    def told(self, offset: int) -> tuple[int, int]:
        """The line and the column, both from 0, of a byte of the text, as the child counts."""
        return self._told.position(max(0, offset - self._skew), self._units)

    def diagnostic(self, item: Item, tool: str) -> Diagnostic:
        """Raises TextError when the finding lies outside the text."""
        start, end = self.span(item.range)
        place = Place.of(self._file.path, start, end, self._index)
        severity = _SEVERITIES[item.severity - 1] if 1 <= item.severity <= len(_SEVERITIES) else Severity.ERROR
        code = "" if item.code is None else str(item.code)
        word = _WORD.match(self._file.data, start)
        return Diagnostic(place, tool, code, severity, item.message, word[0].decode() if word else "")

    def edits(self, edits: Iterable[WireEdit]) -> tuple[TextEdit, ...]:
        """Raises TextError."""
        return tuple(TextEdit(*self.span(edit.range), edit.new_text) for edit in edits)


def change_of(edit: WorkspaceEdit, texts: Snapshot, units: Units) -> Change | None:
    """A child's edit as a change of `texts`, None where it is empty, leaves the root, or does not fit the texts."""
    groups: list[tuple[str, tuple[WireEdit, ...]]] = [(d.document.uri, d.edits) for d in edit.document_changes or ()]
    groups = groups or list((edit.changes or {}).items())
    files: list[tuple[Path, tuple[TextEdit, ...]]] = []
    for uri, edits in groups:
        path = path_of(uri)
        held = texts.read(path) if path is not None and path.is_relative_to(texts.root) else None
        if path is None or not isinstance(held, TextFile):
            return None
        try:
            files.append((path, Placer(held, units).edits(edits)))
        except TextError:
            return None
    try:
        made = Change(tuple(texts.edit(path, edits) for path, edits in files if edits))
    except TextError:
        return None
    return made if made.files and len(set(made.paths)) == len(made.files) else None


def path_of(uri: str) -> Path | None:
    """The file that a URI names, None where it names none."""
    parts = urlsplit(uri)
    return Path(url2pathname(unquote(parts.path))) if parts.scheme == "file" else None
