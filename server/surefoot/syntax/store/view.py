"""All text under one root for one question: open buffers over the files on disk, searched by their words."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeVar, cast

from surefoot.core.text import TextFile, Texts, Unreadable
from surefoot.syntax.languages import language_of
from surefoot.syntax.store.files import Files
from surefoot.syntax.store.ground import Ground, Hits
from surefoot.syntax.store.words import holds_all
from surefoot.workspace.disk import read_file

T = TypeVar("T")


class View:
    """A snapshot that can be asked where a name is. The ground was looked at before."""

    def __init__(self, texts: Texts, ground: Ground, stopped: Callable[[], bool] = lambda: False) -> None:
        self.root = texts.root
        self._texts = texts
        self._ground = ground
        self._stopped = stopped
        self._once: dict[object, object] = {}
        self._over = {path: held for path, held in texts.over.items() if path.is_relative_to(texts.root)}
        self._read: dict[Path, TextFile | Unreadable | None] = {}

    @property
    def over(self) -> Mapping[Path, TextFile | Unreadable]:
        """The open buffers below the root."""
        return self._over

    def read(self, path: Path) -> TextFile | Unreadable | None:
        """The text of `path`, why it cannot be used, or None where there is none."""
        if path not in self._read:
            self._read[path] = self._texts.read(path)
        return self._read[path]

    def files(self) -> Files:
        """Every file that is not ignored, and every open buffer; the same object while the same files are there."""
        return self._files

    def holding(self, *names: str) -> Hits:
        """The files that may hold all of these names, and those that nobody could look into. Raises Abandoned."""
        return self.once(("holding", names), lambda: self._holding(names))

    def _holding(self, names: Sequence[str]) -> Hits:
        hits = self._ground.holding(*names, stopped=self._stopped)
        if not self._over:
            return hits
        files = [path for path in hits.files if path not in self._over]
        files += [path for path, held in self._over.items() if isinstance(held, TextFile) and holds_all(held.data, names)]
        troubles = [held for held in hits.troubles if held.path not in self._over]
        return Hits(sorted(files, key=str), [*troubles, *(held for held in self._over.values() if isinstance(held, Unreadable))])

    def kept(self, name: str, make: Callable[[Texts, Files], T]) -> T:
        """What `make` makes of the names of all files and of the texts that are no code, made again only when one of those changes.

        The texts that it is given outlive this view: it must read no code in them.
        """
        if self._new or self._settings:
            state = ((*sorted(map(str, self._new)), *(held.digest for held in self._settings.values())),)
            return self._ground.kept((name, state), lambda: make(_Settings(self.root, self._files, self._settings), self._files))
        return self._ground.kept((name, ()), lambda: make(_Settings(self.root, self._files, {}), self._files))

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What `make` made for this question, the first time that it was needed."""
        if key not in self._once:
            self._once[key] = make()
        return cast(T, self._once[key])

    @cached_property
    def _new(self) -> frozenset[Path]:
        return frozenset(path for path in self._over if path not in self._ground.files)

    @cached_property
    def _settings(self) -> Mapping[Path, TextFile]:
        return {path: held for path, held in self._over.items() if isinstance(held, TextFile) and language_of(path) is None}

    @cached_property
    def _files(self) -> Files:
        return self._ground.files.adding(self._new)


class _Settings:
    """Texts that are no code, from the disk and from open buffers."""

    def __init__(self, root: Path, files: Files, over: Mapping[Path, TextFile]) -> None:
        self.root = root
        self.over = over
        self._files = files

    def files(self) -> Files:
        return self._files

    def read(self, path: Path) -> TextFile | Unreadable | None:
        return self.over.get(path) or read_file(path)
