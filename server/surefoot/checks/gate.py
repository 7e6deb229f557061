"""The syntax gate: what is broken as text, before any tool is asked."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path

from surefoot.core.findings import Diagnostic
from surefoot.core.text import TextFile, Texts
from surefoot.syntax.gate import parse_faults
from surefoot.syntax.languages import language_of

TOOL = "syntax"
_KEPT = 512


def has_gate(path: Path) -> bool:
    """Whether there is a parser for this kind of file."""
    return language_of(path) is not None


class SyntaxGate:
    """Parses texts and remembers what did not parse in them: the texts after one step are those before the next."""

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[Path, str], tuple[Diagnostic, ...]] = OrderedDict()

    async def faults(self, texts: Texts, paths: Iterable[Path]) -> tuple[Diagnostic, ...]:
        """What does not parse, one file at a time beside the loop, so that a cancelled check stops between two files."""
        found: list[Diagnostic] = []
        for path in paths:
            held = texts.read(path)
            if isinstance(held, TextFile):
                found += await self._of(held)
        return tuple(found)

    async def broken(self, texts: Texts, suspects: Iterable[Path]) -> frozenset[Path]:
        """Which of the files in which a tool reported a syntax error do not parse; without a parser the tool is believed."""
        named = frozenset(suspects)
        failing = await self.faults(texts, filter(has_gate, named))
        return frozenset({d.place.path for d in failing} | {path for path in named if not has_gate(path)})

    async def _of(self, file: TextFile) -> tuple[Diagnostic, ...]:
        key = (file.path, file.digest)
        if key not in self._found:
            self._found[key] = await asyncio.to_thread(parse_faults, file.path, file.data)
        self._found.move_to_end(key)
        while len(self._found) > _KEPT:
            self._found.popitem(last=False)
        return self._found[key]
