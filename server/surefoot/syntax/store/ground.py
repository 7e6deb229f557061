"""The files of one root as they are on disk, and which of them hold a word, without reading those that were read before.

A file whose stamp is the one that its words were read under is answered for by the stored words. Any other file is read at every question
until the words are stored again, so that an answer is complete whatever is stored.
"""

import os
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar, cast

from surefoot.core.text import Unreadable
from surefoot.core.value import value
from surefoot.syntax.languages import language_named, language_of
from surefoot.syntax.mentions import is_binary
from surefoot.syntax.outline import Outline
from surefoot.syntax.store.codec import unpack
from surefoot.syntax.store.files import Files
from surefoot.syntax.store.rows import Lost, Row, Rows, rows_of
from surefoot.syntax.store.uses import Uses
from surefoot.syntax.store.words import holds_all, numbers_of, slots_with
from surefoot.workspace.disk import read_bytes
from surefoot.workspace.listing import list_stamped, stamp_of

T = TypeVar("T")

KEPT = 40
"""Tables that are kept of what the names of files and the settings say: a few for each family of languages."""

RULES = frozenset({".gitignore", ".git"})
"""Names that decide which files count."""


class Abandoned(Exception):
    """Nobody waits for the answer any more."""


@value
class Hits:
    """Files that may hold what was asked for, sorted, and those that nobody could look into."""

    files: Sequence[Path]
    troubles: Sequence[Unreadable]


class Ground:
    """One root, looked at again at each `refresh`; nothing is looked at before the first. Without a `folder` nothing is stored."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        self.root = root
        self.files = Files(root, {})
        """Every file; the same object as long as the same files are there."""
        self._folder = folder
        self._above = f"{root}{os.sep}"
        self._store: Rows | None = None
        self._written = self._last = self._last_segment = 0
        self._looked = False
        self._stamps: dict[str, int] = {}
        self._closed: list[Unreadable] = []
        self._passed: set[str] = set()
        self._rows: dict[str, Row] = {}
        self._segments: dict[int, tuple[array[int], dict[int, str]]] = {}
        self._stale: set[str] = set()
        self._troubled: dict[str, Unreadable] = {}
        self._kept: OrderedDict[object, object] = OrderedDict()

    @property
    def stale(self) -> int:
        """How many files have to be read at each question."""
        return len(self._stale)

    def refresh(self, moved: Iterable[Path] | None = None) -> None:
        """Look at the disk: at these paths alone, or at all of it where nobody can say what moved."""
        written = self._load()
        if not self._looked or moved is None or not self._follow(moved, written):
            self._look(written)
        else:
            self._compare(written)

    def holding(self, *names: str, stopped: Callable[[], bool] = lambda: False) -> Hits:
        """The files that hold all of these names; of some it is known only that they hold the same words. Raises Abandoned."""
        numbers = [number for name in names for number in numbers_of(name)]
        known = self._known(numbers) if numbers else self._rows.keys() & self._stamps.keys() - self._stale - self._troubled.keys()
        troubles = [*self._closed, *self._troubled.values()]
        found = {*known, *self._read(names, troubles, stopped)}
        return Hits([self.files.path(name) for name in sorted(found)], troubles)

    def outline(self, key: str) -> Outline | None:
        """The stored outline of a text."""
        return self._fact(Outline, lambda store: store.outline(key))

    def uses(self, key: str) -> Uses | None:
        """The stored uses of a text."""
        return self._fact(Uses, lambda store: store.uses(key))

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """What was made under this key since the last change of the names of files or of a text that is no code."""
        if key not in self._kept:
            self._kept[key] = make()
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return cast(T, self._kept[key])

    def close(self) -> None:
        """Let go of what is stored."""
        if self._store is not None:
            self._store.close()
            self._store = None

    # What is on disk

    def _look(self, written: set[str]) -> None:
        listing = list_stamped(self.root)
        before, self._stamps = self._stamps, dict(listing.stamps)
        self._closed = [Unreadable(self.root / folder, f"the folder cannot be opened: {why}") for folder, why in listing.closed.items()]
        self._closed += [Unreadable(self.root / link, "a link that leads out of the root is not followed") for link in listing.outward]
        self._looked = True
        if self._stamps.keys() == before.keys():
            moved = {name for name, number in self._stamps.items() if before[name] != number} if self._stamps != before else set[str]()
            if any(language_named(name) is None for name in moved):
                self._kept.clear()
            self._compare(moved | written)
            return
        self.files = Files(self.root, dict.fromkeys(self._stamps))
        self._kept.clear()
        self._rows = {name: row for name, row in self._rows.items() if name in self._stamps}
        used = {row.segment for row in self._rows.values()}
        self._segments = {number: held for number, held in self._segments.items() if number in used}
        self._stale.clear()
        self._troubled.clear()
        self._compare(self._stamps)

    def _follow(self, moved: Iterable[Path], changed: set[str]) -> bool:
        """Take in what moved; False where that may have changed which files there are."""
        for path in moved:
            name = str(path).removeprefix(self._above).replace(os.sep, "/")
            if name in self._stamps:
                self._stamps[name] = stamp_of(str(path))
                changed.add(name)
                if language_of(path) is None:
                    self._kept.clear()
                if not self._stamps[name] or path.name in RULES:
                    return False
            elif name not in self._passed and (
                path.name in RULES or os.path.exists(path) or any(n.startswith(name + "/") for n in self._stamps)
            ):
                self._passed = set() if path.name in RULES else self._passed | {name}
                return False
        return True

    def _compare(self, names: Iterable[str]) -> None:
        """Which of these files the stored words still speak of."""
        for name in names:
            self._stale.discard(name)
            self._troubled.pop(name, None)
            number, row = self._stamps.get(name), self._rows.get(name)
            if number is None or is_binary(name):
                continue
            if row is None or row.stamp != number:
                self._stale.add(name)
            elif row.trouble:
                self._troubled[name] = Unreadable(self.files.path(name), row.trouble)

    def _read(self, names: Sequence[str], troubles: list[Unreadable], stopped: Callable[[], bool]) -> Iterable[str]:
        """The files that have to be read, and hold all names."""
        for name in self._stale:
            if stopped():
                raise Abandoned
            data = read_bytes(self._above + name)
            if isinstance(data, Unreadable):
                troubles.append(data)
            elif data is not None and holds_all(data, names):
                yield name
            elif data is not None and not data.isascii() and (trouble := not_text(data)):
                troubles.append(Unreadable(self.files.path(name), trouble))

    # What is stored

    def _known(self, numbers: Sequence[int]) -> set[str]:
        found: set[str] | None = None
        for number in numbers:
            having = {owners.get(slot, "") for words, owners in self._segments.values() for slot in slots_with(words, number)}
            found = having if found is None else found & having
        return {name for name in found or () if name in self._stamps and name not in self._stale}

    def _load(self) -> set[str]:
        """Read what was stored since; the names of the files that it speaks of."""
        if self._store is None and self._folder is not None:
            self._store = rows_of(self.root, self._folder, make=False)
        rows = self._ask(self._news) or ()
        for row in rows:
            if (before := self._rows.get(row.name)) is not None and before.segment in self._segments:
                self._segments[before.segment][1].pop(before.slot, None)
            self._rows[row.name] = row
            if row.segment in self._segments:
                self._segments[row.segment][1][row.slot] = row.name
        self._last = rows[-1].id if rows else self._last
        return {row.name for row in rows}

    def _news(self, store: Rows) -> Sequence[Row]:
        if (written := store.moved()) == self._written and self._last:
            return ()
        for number, words in store.segments(self._last_segment):
            self._segments[number] = (array("I", words), {})
            self._last_segment = number
        self._written = written
        return store.files(self._last)

    def _fact(self, cls: type[T], question: Callable[[Rows], bytes | None]) -> T | None:
        packed = self._ask(question)
        try:
            return None if packed is None else unpack(cls, zlib.decompress(packed))
        except (ValueError, TypeError, EOFError, zlib.error):
            self.close()  # half a row, however it came about
            return None

    def _ask(self, question: Callable[[Rows], T]) -> T | None:
        if self._store is None:
            return None
        try:
            return question(self._store)
        except Lost:
            self.close()
            return None


def not_text(data: bytes) -> str:
    """Why bytes are no UTF-8, "" where they are."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8 (byte {error.start})"
    return ""
