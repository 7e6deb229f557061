"""The engine of runs that adopt a change which is there already: a background proposal, or the way back from an applied step."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.errors import TextMoved
from surefoot.core.findings import Evidence, Input
from surefoot.core.plan import PlannedStep, Stage, Take
from surefoot.core.sites import Ledger
from surefoot.core.text import TextFile, Texts
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot

_MOVED = "the text has moved since this was checked; open the menu again"
_LOST = "it was cut short before its change was recorded: start it again"


class Adopt:
    """Plans one step with a given change, as long as the texts are those it was made for."""

    name = "adopt"
    repeats = True

    def __init__(self, title: str, change: Change, impacted: tuple[Path, ...] = (), renames: tuple[tuple[str, str], ...] = ()) -> None:
        self._title, self._change, self._impacted, self._renames = title, change, impacted, renames

    async def plan(self, view: View) -> Plan | Refusal:
        """One step: the change as it is."""
        step = PlannedStep(self._title, self._title, Stage.WIDE, tuple(Take(path) for path in self._change.paths))
        return Plan((step,), Ledger(()), "")

    async def edit(self, view: View) -> Draft | Refusal:
        """The change, or a refusal when a text that it edits is no longer the one it was made for."""
        if not stands(view.texts, (Input(f.path, f.before) for f in self._change.files)):
            return Refusal(_MOVED)
        return Draft(self._change, self._impacted, self._renames, Ledger(()))


class Lost:
    """Stands for `Adopt` in a run that was cut short before the change that it was to adopt was recorded: it says so, and the run ends."""

    name = Adopt.name
    repeats = True

    async def plan(self, view: View) -> Refusal:
        return Refusal(_LOST)

    async def edit(self, view: View) -> Refusal:
        return Refusal(_LOST)


class Vouched:
    """The validator for a change that has its evidence already: it gives that very evidence while its inputs stand."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        """The evidence. Raises TextMoved when the change is another one or a text that the evidence depends on has moved."""
        if change.digest != self._evidence.change or not stands(texts, self._evidence.inputs):
            raise TextMoved(_MOVED)
        return self._evidence


def stands(texts: Texts, inputs: Iterable[Input]) -> bool:
    """True while every text is the one that is named."""
    return all((held.digest if isinstance(held := texts.read(i.path), TextFile) else "") == i.digest for i in inputs)
