"""The background flow: fixes for what a person looks at, each validated before anyone sees it. No run, no journal, no model."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

from surefoot.core.errors import CheckerUnavailable
from surefoot.core.findings import Diagnostic, Evidence, ToolFix, Verdict
from surefoot.core.proposal import Proposal
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.loop.edit import diff_of, measure
from surefoot.loop.ports import Validator
from surefoot.loop.texts import digest_at
from surefoot.report.titles import proposal_title
from surefoot.run.words import findings_words
from surefoot.workspace.snapshot import Snapshot

FixSource = Callable[[Snapshot, Path, int, int, Sequence[Diagnostic]], Awaitable[Sequence[ToolFix]]]
"""Fixes for the findings between two byte offsets of a file, unchecked."""

KEPT = 64
"""Looks that are remembered; the oldest goes first."""

_Key = tuple[Path, str, int, int, tuple[Diagnostic, ...]]


@value
class Look:
    """What came of one look. `unable` is why a check could not say, "" where all of them could: else it is worth another look."""

    proposals: tuple[Proposal, ...]
    unable: str = ""


class Background:
    """Validated fixes by file, text and place. A look at a text that has moved is of no use, so the text's digest is part of its key;
    so are the findings that the editor tells of, which other servers make.

    A cursor on its way through a file leaves a look at every stop. Such looks, which nobody waits for, give way to the next one in their
    file.
    """

    def __init__(self, validator: Validator, fixes: FixSource) -> None:
        self._validator = validator
        self._fixes = fixes
        self._looks: OrderedDict[_Key, asyncio.Task[Look]] = OrderedDict()
        self._passing: set[_Key] = set()

    async def propose(
        self, texts: Snapshot, path: Path, start: int, end: int, diagnostics: Sequence[Diagnostic], wait: float
    ) -> tuple[Proposal, ...]:
        """What is validated for this place by now, waiting at most `wait` seconds; the look goes on when the wait is over.

        Raises CheckerUnavailable when somebody waited and there is nothing to show because a check could not say.
        """
        look = self._look(texts, (path, digest_at(texts, path), start, end, tuple(diagnostics)), passing=wait <= 0)
        if not look.done():
            await asyncio.wait({look}, timeout=wait)
        held = result_of(look)
        if held is None:
            return ()
        if wait > 0 and held.unable and not held.proposals:
            raise CheckerUnavailable(held.unable)
        return tuple(p for p in held.proposals if still_holds(p, texts))

    def find(self, proposal: str, texts: Snapshot) -> Proposal | None:
        """The proposal of this id, if it is still remembered: one that holds on these texts before one that does not."""
        known = [p for look in self._looks.values() if (held := result_of(look)) for p in held.proposals if p.id == proposal]
        return next((p for p in known if still_holds(p, texts)), known[-1] if known else None)

    def moved(self, path: Path) -> None:
        """Stop looking at a text that is being typed in."""
        self._give_up([key for key, look in self._looks.items() if key[0] == path and not look.done()])

    def close(self) -> None:
        """Stop all looks."""
        for look in self._looks.values():
            look.cancel()
        self._looks.clear()
        self._passing.clear()

    def _look(self, texts: Snapshot, key: _Key, *, passing: bool) -> asyncio.Task[Look]:
        if passing:
            self._give_up([k for k in self._passing if k[0] == key[0] and k != key and not self._looks[k].done()])
        else:
            self._passing.discard(key)
        look = self._looks.get(key)
        if look is None or (look.done() and not _worth_keeping(look, texts)):
            look = asyncio.create_task(self._validated(texts, key))
            self._looks[key] = look
            if passing:
                self._passing.add(key)
        self._looks.move_to_end(key)
        self._give_up(tuple(self._looks)[:-KEPT])
        return look

    def _give_up(self, keys: Iterable[_Key]) -> None:
        for key in keys:
            self._looks.pop(key).cancel()
            self._passing.discard(key)

    async def _validated(self, texts: Snapshot, key: _Key) -> Look:
        path, _, start, end, diagnostics = key
        proposals: dict[str, Proposal] = {}
        unable = ""
        for fix in await self._fixes(texts, path, start, end, diagnostics):
            change = fix.change
            if change.digest in proposals or not all(isinstance(texts.read(p), TextFile) for p in change.paths):
                continue
            evidence = await self._validator.validate(change, texts, fix.impacted)
            if evidence.verdict in {Verdict.UNAVAILABLE, Verdict.MASKED}:
                unable = unable or findings_words(evidence)
            if evidence.green and answers(fix, evidence):
                title = proposal_title(fix.title, measure(change, texts), evidence)
                proposals[change.digest] = Proposal(change.digest[:16], title, change, evidence, fix.answers, diff_of(change, texts))
        return Look(tuple(proposals.values()), unable)


def result_of(look: asyncio.Task[Look]) -> Look | None:
    """What a look came to, None while it goes on and when it failed."""
    return look.result() if look.done() and not look.cancelled() and look.exception() is None else None


def _worth_keeping(look: asyncio.Task[Look], texts: Snapshot) -> bool:
    held = result_of(look)
    return held is not None and not held.unable and all(still_holds(p, texts) for p in held.proposals)


def answers(fix: ToolFix, evidence: Evidence) -> bool:
    """True when the findings fall; a finding that none of our tools makes has to be believed."""
    ours = {check.tool for check in evidence.checks}
    return bool(evidence.fixed) or fix.answers.tool not in ours


def still_holds(proposal: Proposal, texts: Snapshot) -> bool:
    """True while every text that the evidence depends on stands."""
    return all(digest_at(texts, i.path) == i.digest for i in proposal.evidence.inputs)
