"""From sites to edits: the new name in place of the old one, with the word around it kept meaning what it meant."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.sites import Site, SiteKind, SymbolKind
from surefoot.core.text import TextFile, Texts, digest
from surefoot.engines.refactor.clash import MEMBERS
from surefoot.syntax.words import Shape, Word, words


def rename_edits(file: TextFile, sites: Iterable[Site], kind: SymbolKind, old: str, new: str) -> list[TextEdit]:
    """One edit for each site of one file, all of which are spelled `old`."""
    standing = {word.start: word for word in words(file.path, file.data, old)}
    return [_edit(site, standing.get(site.place.start), kind, old, new) for site in sites]


def by_file(sites: Iterable[Site]) -> Iterator[tuple[Path, list[Site]]]:
    """Sites grouped by path, in path and text order."""
    ordered = sorted(sites, key=lambda s: (s.place.path, s.place.start))
    for path, group in groupby(ordered, key=lambda s: s.place.path):
        yield path, list(group)


def change_of(texts: Texts, edits: Iterable[tuple[Path, Iterable[TextEdit]]]) -> Change:
    """Edits bound to the texts that they were made for. A file without edits is left out."""
    return Change(tuple(_bound(texts, path, tuple(sorted(held, key=lambda e: (e.start, e.end)))) for path, held in edits if held))


def _bound(texts: Texts, path: Path, edits: tuple[TextEdit, ...]) -> FileEdit:
    file = texts.read(path)
    assert isinstance(file, TextFile), f"sites were found in {path}, so it has a text"
    return FileEdit(path, file.digest, digest(apply_edits(file.data, edits)), edits)


def _edit(site: Site, word: Word | None, kind: SymbolKind, old: str, new: str) -> TextEdit:
    start, end, text = site.place.start, site.place.end, new
    shape = word.shape if word is not None else Shape.PLAIN
    if shape is Shape.TWICE and word is not None:
        end, text = word.end, f"{new} as {new}"
    elif shape in {Shape.SHORTHAND, Shape.PATTERN} and site.kind not in {SiteKind.IMPORT, SiteKind.REEXPORT}:
        text = f"{new}: {old}" if kind in MEMBERS else f"{old}: {new}"
    return TextEdit(start, end, text)
