"""What the engine knows of code, as a port: parsed elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from surefoot.core.sites import Ledger, Scan, Target
from surefoot.core.text import TextFile, Texts

if TYPE_CHECKING:
    from surefoot.syntax.declared import Declared
    from surefoot.syntax.standing import Edited


class Surveyor(Protocol):
    """Sites, definitions, and how a change leaves them."""

    async def find(self, texts: Texts, target: Target) -> Scan:
        """Where a symbol is mentioned, in the texts as they stand."""
        ...

    async def starts(self, file: TextFile, container: str, name: str) -> Sequence[int]:
        """Where a name is first bound in each scope that bears this dotted path, in text order."""
        ...

    async def declared(self, file: TextFile) -> "Sequence[Declared]":
        """What a file defines, in text order."""
        ...

    async def standing(self, before: Texts, after: Texts, target: Target, edited: "Edited") -> Ledger:
        """How the sites that `target` has in `before` stand after a change of free form, which leads to `after`."""
        ...
