"""What the engine knows of code. It parses nothing itself: parsing holds the interpreter's lock, and with it the event loop."""

from collections.abc import Iterator, Sequence

from surefoot.core.sites import Scan, Target
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import SiteFinder
from surefoot.syntax.words import Asked, Page

AT_ONCE = 256 * 1024
"""Bytes of source in one question: others get their turn, and a cancelled task is given up, between two of them."""


class Reader:
    """Asks the finder, and keeps nothing."""

    def __init__(self, finder: SiteFinder) -> None:
        self._finder = finder

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Every site of the target."""
        return await self._finder.find(texts, target)

    async def pages(self, asked: Sequence[Asked], old: str, new: str) -> list[Page]:
        """How both names stand in each file whose words of `old` are to be replaced."""
        return [page for part in _parts(asked) for page in await self._finder.pages(part, old, new)]

    async def starts(self, file: TextFile, container: str, name: str) -> Sequence[int]:
        """Where a name is first bound in each scope that bears this dotted path, in text order."""
        return await self._finder.starts(file, container, name)


def _parts(asked: Sequence[Asked]) -> Iterator[list[Asked]]:
    part: list[Asked] = []
    size = 0
    for each in asked:
        if part and size + len(each.file.data) > AT_ONCE:
            yield part
            part, size = [], 0
        part.append(each)
        size += len(each.file.data)
    if part:
        yield part
