"""The one mutable server state: which folders are open, and which documents the client holds."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from surefoot.core.text import TextFile, Unreadable
from surefoot.core.value import value
from surefoot.workspace.disk import read_file, text_of
from surefoot.workspace.snapshot import Snapshot

BOM = b"\xef\xbb\xbf"


class What(StrEnum):
    """What happened to a text."""

    OPENED = "opened"
    CHANGED = "changed"
    SAVED = "saved"
    CLOSED = "closed"
    DISK = "disk"
    ROOTS = "roots"


@value
class Touch:
    """One thing that happened: to the text at `path`, or to the set of roots (then `path` is the root)."""

    path: Path
    what: What


@value
class Document:
    """An open buffer under the client's own name for it.

    `path` is None for what is no file (untitled, git, a notebook cell): known, never edited. `text` is None there. `raw` is what the
    client holds, to the letter; `text` what stands for the file. Editors drop a byte order when they open a file and put
    it back when they save: with `hidden_bom` the text has the mark and the client's positions do not count it, so that a buffer and its
    file have the same digest.
    """

    uri: str
    path: Path | None
    language: str
    version: int
    raw: str
    text: TextFile | Unreadable | None
    hidden_bom: bool = False


class Session:
    """Roots and open documents. Whoever wants to know of changes listens; whoever works takes a snapshot first."""

    def __init__(self, roots: Iterable[Path] = ()) -> None:
        self._roots: tuple[Path, ...] = tuple(dict.fromkeys(roots))
        self._documents: dict[str, Document] = {}
        self._listeners: list[Callable[[Touch], None]] = []
        self.watched = False
        """Whether the client tells of everything that moves on disk."""

    @property
    def roots(self) -> tuple[Path, ...]:
        return self._roots

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(self._documents.values())

    def set_roots(self, roots: Iterable[Path]) -> None:
        """Replace the open folders; the listeners hear of each that came or went."""
        before, self._roots = set(self._roots), tuple(dict.fromkeys(roots))
        for root in sorted(before ^ set(self._roots)):
            self._tell(Touch(root, What.ROOTS))

    def root_of(self, path: Path) -> Path | None:
        """The innermost open folder that holds `path`."""
        return max((r for r in self._roots if path.is_relative_to(r)), key=lambda r: len(r.parts), default=None)

    def named(self, path: Path) -> Path:
        """The one path for a file that links may name in many ways: below its root without links, as the listing has it."""
        if (root := self.root_of(path)) is None or not os.path.exists(path):
            return path
        real, real_root = Path(os.path.realpath(path)), Path(os.path.realpath(root))
        return root / real.relative_to(real_root) if real.is_relative_to(real_root) else path

    def document(self, uri: str) -> Document | None:
        """The open document that the client calls `uri`."""
        return self._documents.get(uri)

    def document_at(self, path: Path) -> Document | None:
        """The open document over the file at `path`."""
        return next((d for d in self._documents.values() if d.path == path), None)

    def open(self, uri: str, path: Path | None, language: str, version: int, text: str) -> Document:
        """Take over a buffer that the client opened; `path` is None for what is no file."""
        named = path and self.named(path)
        return self._hold(Document(uri, named, language, version, text, None, _hides_bom(named, text)), What.OPENED)

    def change(self, uri: str, version: int, text: str) -> Document | None:
        """The whole new text of a buffer; None, and nothing changes, where no such buffer is open."""
        held = self._documents.get(uri)
        return held and self._hold(replace(held, version=version, raw=text, text=None), What.CHANGED)

    def close(self, uri: str) -> None:
        """Forget a buffer: from now on the file on disk is the text."""
        held = self._documents.pop(uri, None)
        if held and held.path:
            self._tell(Touch(held.path, What.CLOSED))

    def saved(self, uri: str) -> None:
        """The client wrote a buffer to disk."""
        held = self._documents.get(uri)
        if held and held.path:
            self._tell(Touch(held.path, What.SAVED))

    def touched(self, paths: Iterable[Path]) -> None:
        """Files were made, changed or deleted on disk. An open buffer stands above its file: nothing is told for it."""
        open_paths = {d.path for d in self._documents.values()}
        for path in paths:
            if path not in open_paths:
                self._tell(Touch(path, What.DISK))

    def snapshot(self, root: Path) -> Snapshot:
        """A frozen view: the open buffers as they are now over the files of `root`, none of them read yet."""
        texts: dict[Path, TextFile] = {}
        unusable: dict[Path, Unreadable] = {}
        for document in self._documents.values():
            if isinstance(document.text, TextFile):
                texts[document.text.path] = document.text
            elif document.text is not None:
                unusable[document.text.path] = document.text
        return Snapshot(root, texts, unusable)

    def listen(self, hear: Callable[[Touch], None]) -> Callable[[], None]:
        """Call `hear` after each change of a text or a root, until the returned function is called."""
        self._listeners.append(hear)
        return lambda: self._listeners.remove(hear) if hear in self._listeners else None

    def _hold(self, held: Document, what: What) -> Document:
        document = replace(held, text=_text(held, held.path)) if held.path else held
        self._documents[held.uri] = document
        if held.path:
            self._tell(Touch(held.path, what))
        return document

    def _tell(self, touch: Touch) -> None:
        for hear in tuple(self._listeners):
            hear(touch)


def _text(held: Document, path: Path) -> TextFile | Unreadable:
    try:
        data = held.raw.encode("utf-8")
    except UnicodeEncodeError:
        return Unreadable(path, "the open buffer holds half a character (a lone surrogate)")
    return text_of(path, BOM + data if held.hidden_bom else data, held.version)


def _hides_bom(path: Path | None, text: str) -> bool:
    if path is None or text.startswith("\ufeff"):
        return False
    file = read_file(path)
    return isinstance(file, TextFile) and file.data.startswith(BOM)
