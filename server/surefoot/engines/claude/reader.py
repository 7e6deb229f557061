"""Answers what a model asks to see, from texts as they stand, each look within its limits."""

import asyncio

from surefoot.core.sites import REQUIRED_TIERS, Target, Tier
from surefoot.core.text import TextFile, relative
from surefoot.engines.claude.excerpting import lines_of, piece_of
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.engines.claude.withheld import hidden, withheld
from surefoot.llm.looks import MANIFESTS, Manifest
from surefoot.run.outcomes import NotRead, Read, Search, SitesOf, Span, SymbolsIn
from surefoot.run.view import Excerpt
from surefoot.workspace.snapshot import Snapshot

LARGEST_SEARCHED = 1024 * 1024
"""Bytes of a file that is searched for words."""


class CodeReader:
    """One look at a time, cut at what its tool may show; a look that fails says why."""

    def __init__(self, surveyor: Surveyor) -> None:
        self._surveyor = surveyor

    async def read(self, read: Read, texts: Snapshot) -> Excerpt:
        """What a look shows now."""
        manifest = _manifest(read)
        if manifest is None:
            return Excerpt(read, read.why if isinstance(read, NotRead) else "", failed=True)
        try:
            async with asyncio.timeout(manifest.seconds):
                text = await self._text(read, texts)
        except TimeoutError:
            text = ""
        if not text:
            return Excerpt(read, manifest.failure, failed=True)
        return Excerpt(read, _cut(text, manifest.most))

    async def _text(self, read: Read, texts: Snapshot) -> str:
        match read:
            case Span():
                held = texts.read(read.path)
                return lines_of(held, read.first, read.last) if isinstance(held, TextFile) else ""
            case SymbolsIn():
                held = texts.read(read.path)
                found = await self._surveyor.declared(held) if isinstance(held, TextFile) else ()
                text = "\n".join(f"{d.name} ({d.kind}) lines {d.first} to {d.last}: {d.text}" for d in found)
                return piece_of(held, text) if isinstance(held, TextFile) else ""
            case SitesOf():
                return await self._sites(read, texts)
            case Search():
                return await asyncio.to_thread(_searched, read, texts)
            case NotRead():
                return ""

    async def _sites(self, read: SitesOf, texts: Snapshot) -> str:
        """How many there are; they themselves stand in the list of sites."""
        scan = await self._surveyor.find(texts, Target(name=read.name))
        count = sum(site.tier in REQUIRED_TIERS | {Tier.LIKELY} for site in scan.sites)
        return f"{count} sites, in the list above" if scan.symbols else "nothing in this code base defines that name"


def _manifest(read: Read) -> Manifest | None:
    match read:
        case Span():
            return MANIFESTS["read_excerpt"]
        case SymbolsIn():
            return MANIFESTS["list_symbols"]
        case SitesOf():
            return MANIFESTS["find_sites"]
        case Search():
            return MANIFESTS["search_text"]
        case NotRead():
            return None


def _searched(search: Search, texts: Snapshot) -> str:
    """Lines with the words, each with its place, in the order of files; the same answer however long it took."""
    wanted, found, size = search.words.encode("utf-8"), list[str](), 0
    for path in texts.files():
        name = relative(texts.root, path)
        if search.within not in name or withheld(path.relative_to(texts.root)):
            continue
        held = texts.read(path)
        if not isinstance(held, TextFile) or len(held.data) > LARGEST_SEARCHED or wanted not in held.data or hidden(path, texts.root):
            continue
        shown = piece_of(held, held.text).splitlines()
        for number, line in enumerate(held.text.splitlines(), 1):
            if search.words in line:
                found.append(f"{name}:{number}: {shown[number - 1].strip()[:200]}")
                size += len(found[-1])
        if size > MANIFESTS["search_text"].most:
            break
    return "\n".join(found) or "no line holds these words"


def _cut(text: str, most: int) -> str:
    """A text within its limit, at a line end; what is left out is said."""
    if len(text) <= most:
        return text
    kept = text[:most].rpartition("\n")[0] or text[:most]
    left = text.count("\n") - kept.count("\n")
    return f"{kept}\n(cut here: {left} more lines)"
