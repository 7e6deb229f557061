"""A run in this process: its state, and the one way to change it."""

import logging
import time
from collections.abc import Callable
from typing import Protocol

from surefoot.journal.journal import NOTHING, Aside
from surefoot.run.events import Event, Resulted
from surefoot.run.state import RunState

logger = logging.getLogger(__name__)


class Door(Protocol):
    """Where events are accepted: the journal."""

    def commit(self, state: RunState | None, *events: Event | bytes, at: float, aside: Aside = NOTHING) -> RunState: ...


class Run:
    """Holds the folded state of one run; every change goes through the journal first. `cancelled` is set before its work is
    stopped, `delivering` while an edit is on its way; `landed` is called when that is over, whoever still waits for it."""

    def __init__(self, journal: Door, state: RunState, changed: Callable[[RunState], None]) -> None:
        self._journal = journal
        self._changed = changed
        self._aside = NOTHING
        self.state = state
        self.cancelled = False
        self.delivering = False
        self.landed: Callable[[], None] = _nothing

    @classmethod
    def begin(cls, journal: Door, started: Event, changed: Callable[[RunState], None]) -> "Run":
        """A new run: its start is in the journal when this returns. Raises JournalError."""
        return cls(journal, journal.commit(None, started, at=time.time()), changed)

    def commit(self, *events: Event) -> None:
        """Accept events, all or none; a rejected one halts the run. Raises JournalError when nothing could be stored."""
        self.state = self._journal.commit(self.state, *events, at=time.time(), aside=self._aside)
        self._aside = NOTHING
        self._changed(self.state)

    def settle(self, resulted: Resulted, *following: Event) -> None:
        """Record a result and what it leads to; a result that nobody waits for any more is dropped."""
        waiting = [p.action.id for p in (self.state.work, self.state.delivery) if p is not None]
        if not self.state.open or resulted.action not in waiting:
            logger.warning("the result of action %s came too late and is dropped", resulted.action)
            return
        self.commit(resulted, *following)

    def keep(self, text: bytes) -> None:
        """Hold a text beside the run, from its next event on."""
        self._aside = Aside((*self._aside.texts, text), self._aside.traces)

    def trace(self, kind: str, words: str, raw: bytes = b"") -> None:
        """Note something beside the run that is no event, with the raw text that it speaks of, at its next event."""
        action = self.state.work.action.id if self.state.work is not None else ""
        self._aside = Aside(self._aside.texts, (*self._aside.traces, (action, kind, words, raw)))


def _nothing() -> None:
    """Nobody wants to know."""
