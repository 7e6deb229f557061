"""The background flow: fixes for what a person looks at, each validated before anyone sees it. No run, no journal, no model."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from surefoot.core.findings import Diagnostic, Evidence, ToolFix, Verdict
from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.loop.edit import diff_of, measure
from surefoot.loop.ports import Validator
from surefoot.loop.texts import digest_at
from surefoot.report.titles import proposal_title
from surefoot.workspace.snapshot import Snapshot

FixSource = Callable[[Snapshot, Path, int, int, Sequence[Diagnostic]], Awaitable[Sequence[ToolFix]]]
"""Fixes for the findings between two byte offsets of a file, unchecked."""

KEPT = 64
"""Looks that are remembered; the oldest goes first."""

_Key = tuple[Path, str, int, int, tuple[Diagnostic, ...]]


@value
class Look:
    """What came of one look. `complete` is False when a check could not say: then it is worth another look."""

    proposals: tuple[Proposal, ...]
    complete: bool


class Background:
    """Validated fixes by file, text and place. A look at a text that has moved is of no use, so the text's digest is part of its key;
    so are the findings that the editor tells of, which other servers make."""

    def __init__(self, validator: Validator, fixes: FixSource) -> None:
        self._validator = validator
        self._fixes = fixes
        self._looks: OrderedDict[_Key, asyncio.Task[Look]] = OrderedDict()

    async def propose(
        self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic], wait: float
    ) -> tuple[Proposal, ...]:
        """What is validated for this place by now, waiting at most `wait` seconds; the look goes on when the wait is over."""
        look = self._look(texts, path, start, end, diagnostics)
        if not look.done():
            await asyncio.wait({look}, timeout=wait)
        held = result_of(look)
        return tuple(p for p in held.proposals if still_holds(p, texts)) if held else ()

    def find(self, proposal: str, texts: Snapshot) -> Proposal | None:
        """The proposal of this id, if it is still remembered: one that holds on these texts before one that does not."""
        known = [p for look in self._looks.values() if (held := result_of(look)) for p in held.proposals if p.id == proposal]
        return next((p for p in known if still_holds(p, texts)), known[-1] if known else None)

    def moved(self, path: Path) -> None:
        """Stop looking at a text that is being typed in."""
        for key in [k for k, look in self._looks.items() if k[0] == path and not look.done()]:
            self._looks.pop(key).cancel()

    def close(self) -> None:
        """Stop all looks."""
        for look in self._looks.values():
            look.cancel()
        self._looks.clear()

    def _look(self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic]) -> asyncio.Task[Look]:
        key = (path, digest_at(texts, path), start, end, tuple(diagnostics))
        look = self._looks.get(key)
        if look is None or (look.done() and not _worth_keeping(look, texts)):
            look = asyncio.create_task(self._validated(texts, path, start, end, diagnostics))
            self._looks[key] = look
        self._looks.move_to_end(key)
        while len(self._looks) > KEPT:
            self._looks.popitem(last=False)[1].cancel()
        return look

    async def _validated(self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic]) -> Look:
        proposals: dict[str, Proposal] = {}
        complete = True
        for fix in await self._fixes(texts, path, start, end, diagnostics):
            change = fix.change
            if change.digest in proposals or not all(isinstance(texts.read(p), TextFile) for p in change.paths):
                continue
            evidence = await self._validator.validate(change, texts)
            complete = complete and evidence.verdict not in {Verdict.UNAVAILABLE, Verdict.MASKED}
            if evidence.green and answers(fix, evidence):
                title = proposal_title(fix.title, measure(change, texts), evidence)
                proposals[change.digest] = Proposal(change.digest[:16], title, change, evidence, fix.answers, diff_of(change, texts))
        return Look(tuple(proposals.values()), complete)


def result_of(look: asyncio.Task[Look]) -> Look | None:
    """What a look came to, None while it goes on and when it failed."""
    return look.result() if look.done() and not look.cancelled() and look.exception() is None else None


def _worth_keeping(look: asyncio.Task[Look], texts: Snapshot) -> bool:
    held = result_of(look)
    return held is not None and held.complete and all(still_holds(p, texts) for p in held.proposals)


def answers(fix: ToolFix, evidence: Evidence) -> bool:
    """True when the findings fall; a finding that none of our tools makes has to be believed."""
    ours = {check.tool for check in evidence.checks}
    return bool(evidence.fixed) or fix.answers.tool not in ours


def still_holds(proposal: Proposal, texts: Snapshot) -> bool:
    """True while every text that the evidence depends on stands."""
    return all(digest_at(texts, i.path) == i.digest for i in proposal.evidence.inputs)
