"""A wider window after code failed that ran: the failing test, and how its calls come to what was edited.

What a compiler finds stands where it is wrong. What a test finds stands elsewhere, and whoever plans anew has to see both ends and the way
between them. All of it is read anew when the plan is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.findings import Diagnostic
from surefoot.core.sites import SiteKind, Target, Tier
from surefoot.core.text import TextFile, Texts
from surefoot.engines.claude.surveyor import Surveyor
from surefoot.run.outcomes import Span
from surefoot.syntax.declared import Declared, innermost

RUNTIME = frozenset({"pytest", "unittest", "vitest", "jest", "node:test", "go test", "cargo test", "junit"})
"""Tools whose findings come from code that ran."""

MOST_FAILURES = 3
"""Failing places that are shown."""

LOOKS = 12
"""Definitions whose callers are looked for on the way to a failing test."""

MOST_LINES = 80
"""Lines of one definition that are shown."""

Place = tuple[Path, Declared]


async def widened(findings: Sequence[Diagnostic], change: Change, texts: Texts, surveyor: Surveyor) -> tuple[Span, ...]:
    """What to read for findings of code that ran: each failing definition, then the callers between it and the edited ones."""
    look = _Look(texts, surveyor)
    failing = [place for f in findings if f.tool in RUNTIME and (place := await look.around(f.place.path, f.place.start)) is not None]
    failing = list(dict.fromkeys(failing))[:MOST_FAILURES]
    edited = [place for file in change.files for edit in file.edits if (place := await look.around(file.path, edit.start)) is not None]
    between = await look.way(list(dict.fromkeys(edited)), frozenset(failing)) if failing else ()
    return tuple(_span(place) for place in dict.fromkeys((*failing, *between)))


@dataclass
class _Look:
    """Looks at definitions and their callers, each file read once."""

    texts: Texts
    surveyor: Surveyor
    known: dict[Path, Sequence[Declared]] = field(default_factory=dict[Path, Sequence[Declared]])

    async def around(self, path: Path, offset: int) -> Place | None:
        """The smallest definition around a byte."""
        if path not in self.known:
            held = self.texts.read(path)
            self.known[path] = await self.surveyor.declared(held) if isinstance(held, TextFile) else ()
        found = innermost(self.known[path], offset, offset)
        return (path, found) if found is not None else None

    async def way(self, edited: Sequence[Place], failing: frozenset[Place]) -> tuple[Place, ...]:
        """The definitions on the shortest way of calls from a failing one to an edited one, both left out; () where none is found."""
        came: dict[Place, Place | None] = dict.fromkeys(edited)
        ahead = list(edited)
        for number in range(LOOKS):
            if number >= len(ahead):
                break
            for caller in await self._callers(ahead[number]):
                if caller in failing:
                    return self._back(came, ahead[number])
                if caller not in came:
                    came[caller] = ahead[number]
                    ahead.append(caller)
        return ()

    async def _callers(self, place: Place) -> list[Place]:
        path, declared = place
        held = self.texts.read(path)
        container, _, name = declared.name.rpartition(".")
        starts = await self.surveyor.starts(held, container, name) if isinstance(held, TextFile) else ()
        callers: list[Place | None] = []
        for start in starts:
            scan = await self.surveyor.find(self.texts, Target(name, str(path), start))
            calls = (s for s in scan.sites if s.kind is SiteKind.CALL and s.tier in (Tier.EXACT, Tier.FAMILY))
            callers += [await self.around(site.place.path, site.place.start) for site in calls]
        return [caller for caller in dict.fromkeys(callers) if caller is not None]

    @staticmethod
    def _back(came: "dict[Place, Place | None]", at: Place) -> tuple[Place, ...]:
        """From the caller that was found last down to what was edited, which is shown with the step itself."""
        way: list[Place] = []
        step: Place | None = at
        for _ in came:
            if step is None or came[step] is None:
                break
            way.append(step)
            step = came[step]
        return tuple(way)


def _span(place: Place) -> Span:
    path, declared = place
    return Span(path, declared.first, min(declared.last, declared.first + MOST_LINES - 1))
