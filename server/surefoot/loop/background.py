"""The background flow: fixes for what a person looks at, each validated before anyone sees it. No run, no journal, no model."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from surefoot.core.findings import Diagnostic, Evidence, ToolFix
from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
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


class Background:
    """Validated fixes by file, text and place. A look at a text that has moved is of no use, so the text's digest is part of its key;
    so are the findings that the editor tells of, which other servers make."""

    def __init__(self, validator: Validator, fixes: FixSource) -> None:
        self._validator = validator
        self._fixes = fixes
        self._looks: OrderedDict[_Key, asyncio.Task[tuple[Proposal, ...]]] = OrderedDict()

    async def propose(
        self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic], wait: float
    ) -> tuple[Proposal, ...]:
        """What is validated for this place by now, waiting at most `wait` seconds; the look goes on when the wait is over."""
        look = self._look(texts, path, start, end, diagnostics)
        if not look.done():
            await asyncio.wait({look}, timeout=wait)
        if not look.done() or look.cancelled() or look.exception() is not None:
            return ()
        return tuple(p for p in look.result() if still_holds(p, texts))

    def find(self, proposal: str) -> Proposal | None:
        """The proposal of this id, if it is still remembered."""
        done = (look.result() for look in self._looks.values() if look.done() and not look.cancelled() and look.exception() is None)
        return next((p for proposals in done for p in proposals if p.id == proposal), None)

    def moved(self, path: Path) -> None:
        """Stop looking at a text that is being typed in."""
        for key in [k for k, look in self._looks.items() if k[0] == path and not look.done()]:
            self._looks.pop(key).cancel()

    def close(self) -> None:
        """Stop all looks."""
        for look in self._looks.values():
            look.cancel()
        self._looks.clear()

    def _look(
        self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic]
    ) -> asyncio.Task[tuple[Proposal, ...]]:
        key = (path, digest_at(texts, path), start, end, tuple(diagnostics))
        look = self._looks.get(key)
        if look is None or look.cancelled() or (look.done() and look.exception() is not None):
            look = asyncio.create_task(self._validated(texts, path, start, end, diagnostics))
            self._looks[key] = look
        self._looks.move_to_end(key)
        while len(self._looks) > KEPT:
            self._looks.popitem(last=False)[1].cancel()
        return look

    async def _validated(
        self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic]
    ) -> tuple[Proposal, ...]:
        proposals: dict[str, Proposal] = {}
        for fix in await self._fixes(texts, path, start, end, diagnostics):
            if fix.change.digest in proposals or not all(isinstance(texts.read(p), TextFile) for p in fix.change.paths):
                continue
            evidence = await self._validator.validate(fix.change, texts)
            if evidence.green and answers(fix, evidence):
                title = proposal_title(fix.title, measure(fix.change, texts), evidence)
                change = fix.change
                proposals[change.digest] = Proposal(change.digest[:16], title, change, evidence, fix.answers, diff_of(change, texts))
        return tuple(proposals.values())


def answers(fix: ToolFix, evidence: Evidence) -> bool:
    """True when the findings fall; a finding that none of our tools makes has to be believed."""
    ours = {check.tool for check in evidence.checks}
    return bool(evidence.fixed) or fix.answers.tool not in ours


def still_holds(proposal: Proposal, texts: Snapshot) -> bool:
    """True while every text that the evidence depends on stands."""
    return all(digest_at(texts, i.path) == i.digest for i in proposal.evidence.inputs)
