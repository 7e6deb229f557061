"""Which files of a root the checked files import, directly and through others: what a checker says hangs on them as well.

Read off the text by pattern, without a parser: a word in a string that looks like an import adds a file too many, which costs nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from surefoot.core.text import TextFile, Texts
from surefoot.syntax.languages import language_of
from surefoot.syntax.modules import Modules

MOST = 400
"""Files in a closure; beyond, those nearest to the checked files count."""

_FROM = re.compile(rb"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n;#]*)", re.MULTILINE)
_IMPORT = re.compile(rb"(?:^|[;:])[ \t]*import[ \t]+([^\n;#]+)", re.MULTILINE)
_NAME = re.compile(rb"[\w.]+")
_ECMA = re.compile(rb"""(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\breference\s+path\s*=\s*)["']([^"'\n]+)["']""")


class Closure:
    """Follows imports over one snapshot."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._modules = Modules(texts)

    def of(self, files: Iterable[Path], instead: Mapping[Path, TextFile]) -> frozenset[Path]:
        """Everything that `files` import, nearest first up to `MOST`, also by the texts of `instead` where a file is about to have one."""
        wave = list(dict.fromkeys(files))
        found: dict[Path, None] = {}
        seen = set(wave)
        for _ in range(MOST):  # each wave but the last finds a file
            if not wave or len(found) >= MOST:
                break
            held = [file for path in wave for file in (self._texts.read(path), instead.get(path))]
            named = dict.fromkeys(path for file in held if isinstance(file, TextFile) for path in self._imported(file))
            wave = [path for path in named if path not in seen][: MOST - len(found)]
            found.update(dict.fromkeys(wave))
            seen.update(wave)
        return frozenset(found)

    def find(self, importer: Path, source: str) -> Path | None:
        """The file of this root that `source` means in `importer`."""
        return self._modules.find(importer, source)

    def _imported(self, file: TextFile) -> Iterator[Path]:
        language = language_of(file.path)
        if language is None:
            return
        found = self._python(file) if language.family == "python" else self._ecma(file)
        for path in found:
            if path is not None and path.suffix:
                yield path
                if path.suffix == ".py" and (stub := path.with_suffix(".pyi")) in self._modules.files:
                    yield stub

    def _python(self, file: TextFile) -> Iterator[Path | None]:
        for source, names in _FROM.findall(file.data):
            *outer, package = (self._modules.find(file.path, name) for name in _prefixes(_text(source)))
            yield from (*outer, package)
            if package is not None:
                yield from (self._modules.submodule(package, _text(name)) for name in _NAME.findall(names))
        for names in _IMPORT.findall(file.data):
            for name in names.split(b","):
                if (word := _NAME.match(name.strip())) is not None:
                    yield from (self._modules.find(file.path, part) for part in _prefixes(_text(word[0])))

    def _ecma(self, file: TextFile) -> Iterator[Path | None]:
        for source in _ECMA.findall(file.data):
            yield self._modules.find(file.path, _text(source))


def _prefixes(source: str) -> list[str]:
    """A dotted name and the packages that it leads through, outermost first."""
    parts = source.lstrip(".").split(".")
    dots = source[: len(source) - len(source.lstrip("."))]
    return [dots + ".".join(parts[: number + 1]) for number in range(len(parts))]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
