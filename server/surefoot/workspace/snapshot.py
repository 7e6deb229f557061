"""A frozen view of all text under one root, and the overlays that candidates make of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.errors import TextError, TextMoved
from surefoot.core.text import TextFile, Unreadable, digest
from surefoot.workspace.disk import read_file
from surefoot.workspace.listing import list_files


class Pins:
    """What was read from disk under one root, kept so that a second read says the same."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._texts: dict[Path, TextFile | Unreadable | None] = {}
        self._files: frozenset[Path] | None = None

    def read(self, path: Path) -> TextFile | Unreadable | None:
        if path not in self._texts:
            self._texts[path] = read_file(path)
        return self._texts[path]

    def files(self) -> frozenset[Path]:
        if self._files is None:
            self._files = frozenset(list_files(self._root))
        return self._files


class Snapshot:
    """Open buffers over the files of one root, each file pinned at its first read.

    Two reads of one path always agree, whatever happens on disk meanwhile, and so do a snapshot and the overlays made of it. `unusable` are
    buffers that hold no text that could be edited. Pickles to another process as its root and its overlay; there files are pinned anew.
    """

    def __init__(
        self,
        root: Path,
        overlay: Mapping[Path, TextFile] | None = None,
        unusable: Mapping[Path, Unreadable] | None = None,
        pins: Pins | None = None,
    ) -> None:
        self._root = root
        self._overlay = MappingProxyType(dict(overlay or {}))
        self._unusable = MappingProxyType(dict(unusable or {}))
        self._pins = pins or Pins(root)
        self._files: tuple[Path, ...] | None = None

    @property
    def root(self) -> Path:
        return self._root

    @property
    def overlay(self) -> Mapping[Path, TextFile]:
        """The texts that stand over the disk: open buffers and candidate edits."""
        return self._overlay

    @property
    def over(self) -> Mapping[Path, TextFile | Unreadable]:
        """The same, and the open buffers that hold no text that could be edited."""
        return {**self._unusable, **self._overlay}

    def read(self, path: Path) -> TextFile | Unreadable | None:
        """The text of `path`, why it cannot be used, or None where there is none."""
        return self._overlay.get(path) or self._unusable.get(path) or self._pins.read(path)

    def files(self) -> Sequence[Path]:
        """Every file that ignore rules leave, and every text of the overlay under the root, sorted."""
        if self._files is None:
            inside = {p for p in (*self._overlay, *self._unusable) if p.is_relative_to(self._root)}
            self._files = tuple(sorted(inside | self._pins.files()))
        return self._files

    def with_change(self, change: Change) -> "Snapshot":
        """The overlay that `change` makes. Raises TextMoved if a text is not the one that the change was made for."""
        edited = {edit.path: self._edited(edit) for edit in change.files}
        return Snapshot(self._root, {**self._overlay, **edited}, self._unusable, self._pins)

    def edit(self, path: Path, edits: Sequence[TextEdit]) -> FileEdit:
        """Bind edits to the text that stands at `path`. Raises TextError where there is none."""
        held = self.read(path)
        if not isinstance(held, TextFile):
            raise TextError(f"{path} cannot be edited: {held.reason if held else 'there is no such file'}")
        ordered = tuple(sorted(edits, key=lambda e: (e.start, e.end)))
        return FileEdit(path, held.digest, digest(apply_edits(held.data, ordered)), ordered)

    def _edited(self, edit: FileEdit) -> TextFile:
        held = self.read(edit.path)
        if not isinstance(held, TextFile) or held.digest != edit.before:
            raise TextMoved(f"{edit.path} is not the text that the change was made for")
        return TextFile.of(edit.path, apply_edits(held.data, edit.edits), held.version)

    def __getstate__(self) -> tuple[Path, dict[Path, TextFile], dict[Path, Unreadable]]:
        return self._root, dict(self._overlay), dict(self._unusable)

    def __setstate__(self, state: tuple[Path, dict[Path, TextFile], dict[Path, Unreadable]]) -> None:
        self.__init__(*state)
