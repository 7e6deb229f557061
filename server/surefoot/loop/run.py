"""A run in this process: its state, and the one way to change it."""

import time
from collections.abc import Callable

from surefoot.journal.journal import Journal
from surefoot.run.events import Event
from surefoot.run.state import RunState


class Run:
    """Holds the folded state of one run; every change goes through the journal first. `cancelled` is set before its work is
    stopped, `delivering` while an edit is on its way."""

    def __init__(self, journal: Journal, state: RunState, changed: Callable[[RunState], None]) -> None:
        self._journal = journal
        self._changed = changed
        self.state = state
        self.cancelled = False
        self.delivering = False

    @classmethod
    def begin(cls, journal: Journal, started: Event, changed: Callable[[RunState], None]) -> "Run":
        """A new run: its start is in the journal when this returns. Raises JournalError."""
        return cls(journal, journal.commit(None, started, at=time.time()), changed)

    def commit(self, *events: Event) -> None:
        """Accept events, all or none; a rejected one halts the run. Raises JournalError when nothing could be stored."""
        self.state = self._journal.commit(self.state, *events, at=time.time())
        self._changed(self.state)
