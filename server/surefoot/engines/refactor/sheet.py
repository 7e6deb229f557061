"""One file of a rename: its text, its sites that must change, and how the old and the new name stand in it."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.change import Change, FileEdit, TextEdit, apply_edits
from surefoot.core.sites import Site, SiteKind, SymbolKind
from surefoot.core.text import TextFile, Texts, digest
from surefoot.core.value import value
from surefoot.engines.refactor.reader import Reader
from surefoot.syntax.words import Asked, Page, Shape, Word

MEMBERS = frozenset({SymbolKind.METHOD, SymbolKind.FIELD})


@value
class Sheet:
    """`sites` are spelled with the old name and must change; `page` says how both names stand in the file."""

    file: TextFile
    sites: tuple[Site, ...]
    page: Page

    @property
    def path(self) -> Path:
        return self.file.path

    @property
    def words(self) -> tuple[Word, ...]:
        """The words that the sites stand on; a site in a string stands on none."""
        starts = {site.place.start for site in self.sites}
        return tuple(word for word in self.page.old if word.start in starts)

    def bare(self, sites: Iterable[Site]) -> bool:
        """Whether one of these sites needs the name in scope: it is neither a member of something nor in a string."""
        starts = {word.start for word in self.page.old if word.bare}
        return any(site.place.start in starts for site in sites)

    def lines(self, sites: Iterable[Site]) -> int:
        """How many lines a diff counts when these sites are renamed: each line once removed, once added."""
        return 2 * len({site.place.line for site in sites})

    def rename(self, sites: Iterable[Site], kind: SymbolKind, old: str, new: str) -> list[TextEdit]:
        """Edits for `sites` that keep the words around them meaning what they meant; `f as f` takes one edit for two sites."""
        standing = {word.start: word for word in self.page.old}
        edits: list[TextEdit] = []
        for site in sorted(sites, key=lambda s: s.place.start):
            if not edits or site.place.start >= edits[-1].end:
                edits.append(_edit(site, standing.get(site.place.start), kind, old, new))
        return edits


async def sheets(reader: Reader, texts: Texts, sites: Iterable[Site], old: str, new: str, also: Iterable[Path] = ()) -> list[Sheet]:
    """The sites by file, in path and text order, and the files of `also` whether they have sites or not."""
    bare = await asyncio.to_thread(_grouped, texts, sites, also)
    pages = await reader.pages([Asked(file, tuple(site.place.start for site in held)) for file, held in bare], old, new)
    return [Sheet(file, held, page) for (file, held), page in zip(bare, pages, strict=True)]


def _grouped(texts: Texts, sites: Iterable[Site], also: Iterable[Path]) -> list[tuple[TextFile, tuple[Site, ...]]]:
    held: dict[Path, list[Site]] = {path: [] for path in also}
    for site in sites:
        held.setdefault(site.place.path, []).append(site)
    return [(text_of(texts, path), tuple(sorted(held[path], key=lambda s: s.place.start))) for path in sorted(held)]


def text_of(texts: Texts, path: Path) -> TextFile:
    """The text of a file that a scan of the same texts found sites in."""
    file = texts.read(path)
    assert isinstance(file, TextFile), f"sites were found in {path}, so it has a text"
    return file


def change_of(texts: Texts, edits: Iterable[tuple[Path, Iterable[TextEdit]]]) -> Change:
    """Edits bound to the texts that they were made for. A file without edits is left out."""
    ordered = ((path, tuple(sorted(held, key=lambda e: (e.start, e.end)))) for path, held in edits)
    return Change(tuple(_bound(text_of(texts, path), held) for path, held in ordered if held))


def _bound(file: TextFile, edits: tuple[TextEdit, ...]) -> FileEdit:
    return FileEdit(file.path, file.digest, digest(apply_edits(file.data, edits)), edits)


def _edit(site: Site, word: Word | None, kind: SymbolKind, old: str, new: str) -> TextEdit:
    start, end, text = site.place.start, site.place.end, new
    shape = word.shape if word is not None else Shape.PLAIN
    if shape is Shape.TWICE and word is not None:
        end, text = word.end, f"{new} as {new}"
    elif shape in {Shape.SHORTHAND, Shape.PATTERN} and site.kind not in {SiteKind.IMPORT, SiteKind.REEXPORT}:
        text = f"{new}: {old}" if kind in MEMBERS else f"{old}: {new}"
    elif shape is Shape.PLAIN and site.shorthand:
        text = f"{old} as {new}"
    return TextEdit(start, end, text)
