"""The world of a recorded run: each answer is the one that was recorded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from surefoot.core.change import Change, apply_edits
from surefoot.core.errors import CheckerUnavailable, TextMoved
from surefoot.core.findings import Evidence
from surefoot.core.sites import Ledger
from surefoot.core.text import TextFile
from surefoot.engines.protocol import Case, Draft, Failed, Look, Opinion, Plan, Refusal
from surefoot.llm.ask import Exchange
from surefoot.run.events import Resulted
from surefoot.run.outcomes import Drafted, Failure, Outcome, Planned, Reading, Refused, Validated, Verified
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot

_OF_THE_WORLD = frozenset({"cancelled", "crashed", "denied", "outside", "no draft"})
_OF_A_LOST_DRAFT = frozenset({"seen", "same shape", "size", "unplanned", "pending"})


def taken(outcome: Outcome) -> bool:
    """True for a result that cannot be made again: a person or the machine made it, or the draft behind it was not kept."""
    return isinstance(outcome, Failure) and (outcome.code in _OF_THE_WORLD | _OF_A_LOST_DRAFT or bool(outcome.candidate))


class RecordedTexts(Snapshot):
    """The texts that one draft was made for, as the steps before it left them; the disk is not looked at.

    `change` is the digest of what the draft makes of them.
    """

    def __init__(self, root: Path, texts: Mapping[Path, TextFile], change: str) -> None:
        super().__init__(root, texts)
        self._change = change

    def read(self, path: Path) -> TextFile | None:
        return self.overlay.get(path)

    def files(self) -> Sequence[Path]:
        return tuple(sorted(self.overlay))

    def with_change(self, change: Change) -> "RecordedTexts":
        """The texts after the draft; those of the steps before it are laid over them already."""
        if change.digest != self._change:
            return self
        after = {f.path: TextFile.of(f.path, apply_edits(self.overlay[f.path].data, f.edits)) for f in change.files}
        return RecordedTexts(self.root, {**self.overlay, **after}, self._change)


class Recorded:
    """Engine, validator and progress of one recorded result."""

    name = "recorded"
    repeats = False

    def __init__(self, event: Resulted) -> None:
        self._event = event

    async def plan(self, view: View) -> Plan | Refusal | Look | Failed:
        """The recorded plan."""
        match self._said():
            case Planned() as planned:
                return Plan(planned.steps, planned.ledger, planned.summary, self._paid())
            case Failure(code="empty"):
                return Plan((), Ledger(()), "", self._paid())
            case outcome:
                return self._otherwise(outcome)

    async def edit(self, view: View) -> Draft | Refusal | Look | Failed:
        """The recorded draft."""
        match self._said():
            case Drafted() as drafted:
                return Draft(drafted.change, drafted.impacted, drafted.renames, Ledger(()), self._paid())
            case outcome:
                return self._otherwise(outcome)

    async def validate(
        self,
        change: Change,
        texts: object,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        """The recorded evidence."""
        outcome = self._said()
        if isinstance(outcome, Validated):
            return outcome.evidence
        raise CheckerUnavailable(outcome.message if isinstance(outcome, Failure) else "no evidence was recorded")

    @property
    def judged(self) -> bool:
        """Whether a judge was asked."""
        outcome = self._event.outcome
        return outcome.judged if isinstance(outcome, Verified) else isinstance(outcome, Failure) and bool(self._event.spent)

    async def judge(self, case: Case) -> Opinion | Failed:
        """The recorded verdict."""
        match self._said():
            case Verified() as verified:
                return Opinion(verified.objection, self._paid())
            case Failure() as failure:
                return Failed(failure, self._paid())
            case _:
                return Opinion("the record holds another kind of answer", self._paid())

    def report(self, message: str, percentage: int | None = None) -> None:
        """Nobody watches."""

    def completed(self, outcome: Outcome, *, masked: bool) -> Outcome:
        """The outcome with what only the engine knew: how its sites stood, and what a covered text said."""
        recorded = self._event.outcome
        if not isinstance(outcome, Drafted) or not isinstance(recorded, Drafted):
            return outcome
        return replace(outcome, tally=recorded.tally, shape=recorded.shape if masked else outcome.shape)

    def _paid(self) -> tuple[Exchange, ...]:
        """What the model calls used; what was said in them is not needed to decide anything again."""
        return tuple(Exchange(b"", b"", "", "", spent) for spent in self._event.spent)

    def _said(self) -> Outcome:
        """The recorded outcome; one that was raised is raised again."""
        outcome = self._event.outcome
        if isinstance(outcome, Failure) and outcome.code == "moved":
            raise TextMoved(outcome.message)
        if isinstance(outcome, Failure) and outcome.code == "unavailable":
            raise CheckerUnavailable(outcome.message)
        return outcome

    def _otherwise(self, outcome: Outcome) -> Refusal | Look | Failed:
        match outcome:
            case Refused():
                return Refusal(outcome.reason, outcome.candidates, self._paid())
            case Reading():
                return Look(outcome.reads, self._paid())
            case Failure():
                return Failed(outcome, self._paid())
            case _:
                return Refusal("the record holds another kind of answer")
