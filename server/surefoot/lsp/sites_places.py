"""Where sites are, in the client's terms: its names for files, its positions in the very texts that were searched."""

from collections.abc import Callable, Mapping
from pathlib import Path

from lsprotocol import types as t

from surefoot.core.errors import OutsideText
from surefoot.core.sites import Site
from surefoot.core.text import LineIndex, Place, TextFile, Texts, Units
from surefoot.lsp.convert import Ruler, ruler
from surefoot.lsp.uris import path_of, uri_of
from surefoot.syntax.sites import LONGEST_LINE
from surefoot.workspace.session import Document


class Places:
    """The texts of one search. Reads files, so that it is worked with in a thread; keeps what it read."""

    def __init__(self, texts: Texts, documents: Mapping[Path, Document], units: Units, named: Callable[[Path], Path]) -> None:
        self._texts = texts
        self._documents = documents
        self._units = units
        self._named = named
        self._measured: dict[Path, tuple[TextFile, Ruler] | None] = {}
        self._paths: dict[str, Path | None] = {}
        self._lines: dict[Path, LineIndex] = {}

    @property
    def root(self) -> Path:
        return self._texts.root

    def uri(self, path: Path) -> str:
        """The client's own name of an open file, else ours."""
        held = self._documents.get(path)
        return held.uri if held else uri_of(path)

    def path(self, uri: str) -> Path | None:
        """The file that a URI of the client means, None for what is no file."""
        if uri not in self._paths:
            named = path_of(uri)
            self._paths[uri] = self._named(named) if named else None
        return self._paths[uri]

    def range(self, place: Place) -> t.Range | None:
        """A place as a range, None where the text is not there."""
        held = self._text(place.path)
        try:
            return held[1].range(place.start, place.end) if held else None
        except OutsideText:
            return None

    def site(self, site: Site) -> t.Range | None:
        """The range of a site, None where its file has moved on disk since it was searched."""
        held, place = self._text(site.place.path), site.place
        if held is None or held[0].data[place.start : place.end].decode("utf-8", "replace") != site.name:
            return None
        return self.range(place)

    def line(self, path: Path, number: int) -> str:
        """A line, counted from 0, as a site quotes it; "" where there is none."""
        held = self._text(path)
        if held is None:
            return ""
        lines = self._lines.setdefault(path, LineIndex(held[0].data))
        if number >= len(lines.starts):
            return ""
        return lines.line_bytes(number, 10 * LONGEST_LINE).decode("utf-8", "replace").strip()[:LONGEST_LINE]

    def _text(self, path: Path) -> tuple[TextFile, Ruler] | None:
        if path not in self._measured:
            held = self._texts.read(path)
            usable = isinstance(held, TextFile)
            self._measured[path] = (held, ruler(held, self._documents.get(path), self._units)) if usable else None
        return self._measured[path]
