"""The syntax gate: what is broken as text, before any tool is asked."""

import asyncio
from collections.abc import Iterable, Mapping
from pathlib import Path

from surefoot.core.findings import Diagnostic
from surefoot.syntax.gate import parse_faults
from surefoot.syntax.languages import language_of

TOOL = "syntax"


def has_gate(path: Path) -> bool:
    """Whether there is a parser for this kind of file."""
    return language_of(path) is not None


async def faults(texts: Mapping[Path, bytes]) -> tuple[Diagnostic, ...]:
    """What does not parse, parsed one file at a time beside the loop, so that a cancelled check stops between two files."""
    found: list[Diagnostic] = []
    for path, data in texts.items():
        found += await asyncio.to_thread(parse_faults, path, data)
    return tuple(found)


async def broken(texts: Mapping[Path, bytes], suspects: Iterable[Path]) -> frozenset[Path]:
    """Which of the suspects, files in which a tool reported a syntax error, do not parse; without a parser the tool is believed."""
    named = set(suspects)
    failing = await faults({path: texts[path] for path in named if has_gate(path)})
    return frozenset({d.place.path for d in failing} | {path for path in named if not has_gate(path)})
