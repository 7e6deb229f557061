"""The names of many files, of which a `Path` is made only where somebody wants one: a workspace has tens of thousands, a question a few."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import overload


class Files(Sequence[Path]):
    """Files below a root in the order of their names, which have `/` between their parts."""

    def __init__(self, root: Path, names: Mapping[str, object]) -> None:
        self.root = root
        self._above = f"{root}{os.sep}"
        self._names = names
        self._paths: dict[str, Path] = {}

    @classmethod
    def of(cls, root: Path, paths: Iterable[Path]) -> "Files":
        """These files, of which those that are not below the root are left out."""
        above = f"{root}{os.sep}"
        texts = map(str, paths)
        return cls(root, dict.fromkeys(sorted(_name(text, above) for text in texts if text.startswith(above))))

    def adding(self, paths: Iterable[Path]) -> "Files":
        """The same files and some more."""
        more = Files.of(self.root, paths).names
        return Files(self.root, dict.fromkeys(sorted((*self._names, *more)))) if more else self

    @property
    def names(self) -> Collection[str]:
        """Every name, sorted."""
        return self._names.keys()

    def path(self, name: str) -> Path:
        """The path of a file by its name."""
        made = self._paths.get(name)
        if made is None:
            made = self._paths[name] = Path(self._above + name)
        return made

    def name(self, path: Path) -> str | None:
        """The name of a path below the root, whether it is a file or not."""
        text = str(path)
        return _name(text, self._above) if text.startswith(self._above) else None

    def at(self, text: str) -> Path | None:
        """The file of an absolute path that is still a string."""
        name = _name(text, self._above) if text.startswith(self._above) else ""
        return self.path(name) if name in self._names else None

    def ending(self, *suffixes: str) -> Iterator[Path]:
        """The files whose names end like this."""
        return (self.path(name) for name in self._names if name.endswith(suffixes))

    def called(self, *names: str) -> Iterator[Path]:
        """The files of these names, in any folder."""
        return (self.path(name) for name in self._names if name.endswith(names) and name.rpartition("/")[2] in names)

    def below(self, folder: Path) -> Iterator[Path]:
        """The files in a folder and in those below it."""
        if folder == self.root:
            return iter(self)
        above = self.name(folder)
        return (self.path(name) for name in self._names if above is not None and name.startswith(f"{above}/"))

    def __contains__(self, path: object) -> bool:
        return self.name(path) in self._names if isinstance(path, Path) else False

    def __iter__(self) -> Iterator[Path]:
        return map(self.path, self._names)

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, index: int) -> Path: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Path]: ...
    def __getitem__(self, index: int | slice) -> Path | Sequence[Path]:
        names = list(self._names)[index]
        return self.path(names) if isinstance(names, str) else tuple(map(self.path, names))


def _name(text: str, above: str) -> str:
    name = text[len(above) :]
    return name if os.sep == "/" else name.replace(os.sep, "/")
