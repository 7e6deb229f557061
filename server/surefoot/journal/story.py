"""What the rows of one run say: its events as far as they are whole, and the first row that is not."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from surefoot.core.errors import JournalError, Rejected
from surefoot.core.value import value
from surefoot.journal.chain import first, link
from surefoot.journal.rows import Row
from surefoot.journal.shape import decode
from surefoot.run.events import Event, Halted, Resulted
from surefoot.run.fold import step
from surefoot.run.outcomes import Delivered, Failure
from surefoot.run.state import RunState


@value
class Entry:
    """One accepted event and when it was accepted, in seconds since the epoch."""

    at: float
    event: Event


@value
class Damage:
    """A row that cannot be believed: which rule it breaks and where; nothing of what it holds but its digest.

    `aside` counts it and the rows after it. `edited` are documents that rows after it say were edited: those that are as they were written.
    """

    seq: int
    digest: str
    rule: str
    field: str
    aside: int = 1
    edited: tuple[Path, ...] = ()

    @property
    def halted(self) -> Halted:
        """The event that halts the run on what is whole before this row."""
        return Halted("row", self.digest, self.rule, self.field, "", self.aside, self.edited)


@value
class Story:
    """A run as it is stored. `whole` is the state before the first damaged row, `state` the one to show."""

    entries: tuple[Entry, ...]
    whole: RunState
    damage: Damage | None = None

    @property
    def state(self) -> RunState:
        """The state that the rows make. A damaged run wants attention, whatever it was before, and is open again."""
        if self.damage is None or not self.whole.open:
            return self.whole
        return step(self.whole, self.damage.halted)


def told(run: str, rows: Sequence[Row]) -> Story | None:
    """The story of stored rows, None where there are none. Raises JournalError when not even the first row reads."""
    state: RunState | None = None
    entries: list[Entry] = []
    before, expected = first(run), 1
    damage: Damage | None = None
    for index, row in enumerate(rows):
        event = _event(row, before, expected)
        if isinstance(event, Damage):
            damage = replace(event, aside=len(rows) - index, edited=tuple(_edited(rows[index:])))
            break
        entries.append(Entry(row.at, event))
        state = step(state, event)
        before, expected = row.hash, expected + 1
    if state is None:
        if damage is not None:
            raise JournalError(f"run {run} cannot be read, other runs can: its first row is damaged ({damage.rule})")
        return None
    return Story(tuple(entries), state, damage)


def _edited(rows: Sequence[Row]) -> Iterator[Path]:
    """Documents that were edited, by those rows after the first that follow on the one before them as it was written."""
    for before, row in pairwise(rows):
        event = _event(row, before.hash, row.seq)
        if isinstance(event, Resulted):
            yield from _landed(event)


def _landed(event: Resulted) -> tuple[Path, ...]:
    match event.outcome:
        case Delivered(files=files):
            return tuple(f.path for f in files)
        case Failure(changed=changed):
            return changed
        case _:
            return ()


def _event(row: Row, before: str, expected: int) -> Event | Damage:
    """The event of a row that stands in its place in the chain, or what is wrong with it."""
    where, digest = f"row {row.seq}", hashlib.sha256(row.body).hexdigest()[:32]
    if row.seq != expected or row.hash != link(before, row.seq, row.at, row.body):
        return Damage(row.seq, digest, "a stored row is as it was written, after the one before it", where)
    try:
        event = decode(row.body)
    except Rejected as broken:
        return Damage(row.seq, digest, broken.rule, f"{where}, {broken.field}" if broken.field else where)
    if event.kind != row.kind:
        return Damage(row.seq, digest, "a stored row is of the kind that it says", where)
    return event
