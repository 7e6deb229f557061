"""Which function a finding is in, so that the same finding is known again wherever its line has moved."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from surefoot.core.findings import Diagnostic
from surefoot.core.text import TextFile, Texts
from surefoot.syntax.index import Index


async def with_functions(found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
    """The findings with the functions and classes around them, read from the texts that they were found in."""
    return await asyncio.to_thread(_named, found, texts) if found else ()


def _named(found: Sequence[Diagnostic], texts: Texts) -> tuple[Diagnostic, ...]:
    index = Index()
    out: list[Diagnostic] = []
    for one in found:
        held = texts.read(one.place.path)
        outline = index.outline(held) if isinstance(held, TextFile) else None
        out.append(replace(one, function=outline.enclosing(one.place.start)) if outline is not None else one)
    return tuple(out)
