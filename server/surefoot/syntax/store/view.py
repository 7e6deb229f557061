"""All text under one root for one question: open buffers over the files on disk, searched by their words."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from surefoot.core.text import TextFile, Texts, Unreadable
from surefoot.syntax.store.ground import Ground, Hits


class View:
    """A snapshot that can be asked where a name is. The ground was looked at before."""

    def __init__(self, texts: Texts, ground: Ground, stopped: Callable[[], bool] = lambda: False) -> None:
        self.root = texts.root
        self._texts = texts
        self._ground = ground
        self._stopped = stopped
        self._over = {path: held for path, held in texts.over.items() if path.is_relative_to(texts.root)}

    @property
    def over(self) -> Mapping[Path, TextFile | Unreadable]:
        """The open buffers below the root."""
        return self._over

    def read(self, path: Path) -> TextFile | Unreadable | None:
        """The text of `path`, why it cannot be used, or None where there is none."""
        return self._texts.read(path)

    def files(self) -> Sequence[Path]:
        """Every file that is not ignored, and every open buffer, sorted; the same object while the same files are there."""
        return self._files

    def holding(self, *names: str) -> Hits:
        """The files that may hold all of these names, and those that nobody could look into. Raises Abandoned."""
        hits = self._ground.holding(*names, stopped=self._stopped)
        if not self._over:
            return hits
        words = [name.encode("utf-8") for name in names]
        files = [path for path in hits.files if path not in self._over]
        files += [path for path, held in self._over.items() if isinstance(held, TextFile) and all(word in held.data for word in words)]
        troubles = [held for held in hits.troubles if held.path not in self._over]
        return Hits(sorted(files, key=str), [*troubles, *(held for held in self._over.values() if isinstance(held, Unreadable))])

    @cached_property
    def known(self) -> frozenset[Path]:
        """The files as a set."""
        return frozenset(self._files) if self._files is not self._ground.files else self._ground.known

    @cached_property
    def _files(self) -> Sequence[Path]:
        files = self._ground.files
        new = self._over.keys() - self._ground.known
        return tuple(sorted((*files, *new), key=str)) if new else files
