"""The engine of runs that adopt a change which was checked already: a background proposal, or the way back from an applied step."""

from collections.abc import Callable, Sequence
from pathlib import Path

from surefoot.core.change import Change
from surefoot.core.errors import TextError
from surefoot.core.findings import Evidence
from surefoot.core.plan import PlannedStep, Stage, Take
from surefoot.core.sites import Ledger
from surefoot.engines.protocol import Draft, Plan, Refusal
from surefoot.run.view import View
from surefoot.workspace.snapshot import Snapshot


class Adopt:
    """Plans one step with a given change, and vouches for it with the evidence that the change already has."""

    name = "adopt"

    def __init__(self, title: str, change: Change, evidence: Evidence) -> None:
        self._title, self._change, self._evidence = title, change, evidence

    async def plan(self, view: View) -> Plan | Refusal:
        """One step: the change as it is."""
        step = PlannedStep(self._title, self._title, Stage.WIDE, tuple(Take(path) for path in self._change.paths))
        return Plan((step,), Ledger(()), "")

    async def edit(self, view: View) -> Draft | Refusal:
        """The change, if the texts are still those it was made for."""
        return Draft(self._change, (), (), Ledger(()))

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        """The evidence that the change has. Raises TextError when a text that it depends on has moved."""
        if change.digest != self._evidence.change:
            raise TextError("the change is not the one that was checked")
        return self._evidence
