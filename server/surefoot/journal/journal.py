"""`Journal.commit`: the one door through which a run changes."""

import hashlib
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_state_path

from surefoot.core.errors import JournalError, Rejected
from surefoot.core.text import digest
from surefoot.core.value import value
from surefoot.journal.rows import Rows, RunRow, Trace
from surefoot.journal.shape import encode, shaped
from surefoot.journal.story import Story, told
from surefoot.run.events import Advanced, Closed, Event, Halted, Intended, Permitted, Resulted, Started
from surefoot.run.fold import step
from surefoot.run.legality import check
from surefoot.run.limits import BLOB_BYTES
from surefoot.run.state import RunState


@value
class Aside:
    """What is kept beside a run with its next event: texts, and traces with the raw text that they speak of."""

    texts: tuple[bytes, ...] = ()
    traces: tuple[tuple[str, str, str, bytes], ...] = ()


NOTHING = Aside()


def state_dir() -> Path:
    """Where journals live: the user's state folder (honours XDG_STATE_HOME)."""
    return user_state_path("surefoot", appauthor=False)


def folder_of(root: Path, state_dir: Path) -> Path:
    """Where the journal of one workspace lives."""
    key = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return state_dir / "workspaces" / f"{root.name or 'root'}-{key}"


class Journal:
    """The runs of one workspace. Raises JournalError when its file cannot be used."""

    def __init__(self, root: Path, state_dir: Path) -> None:
        self.folder = folder_of(root, state_dir)
        self._locks: dict[str, FileLock] = {}
        self.rows = Rows(self.folder)

    def commit(self, state: RunState | None, *events: Event | bytes, at: float, aside: Aside = NOTHING) -> RunState:
        """Shape, legality, one durable transaction, fold.

        An event may come as its bytes. A rejected event of an open run changes nothing but `attention`: what is stored then is `Halted`,
        and none of `events`. `at` is in seconds since the epoch. Raises Rejected where there is no open run to halt, JournalError
        when nothing was stored.
        """
        after, rows = state, list[tuple[Event, bytes]]()
        for given in events:
            try:
                event, body = _accepted(after, given)
            except Rejected as broken:
                if state is None or not state.open:
                    raise
                return self._halt(state, given, broken, at)
            rows.append((event, body))
            after = step(after, event)
        if after is None:
            raise JournalError("nothing to commit")
        self._append(state, after, rows, at, aside)
        return after

    def _halt(self, state: RunState, given: Event | bytes, broken: Rejected, at: float) -> RunState:
        digest = hashlib.sha256(given if isinstance(given, bytes) else repr(given).encode()).hexdigest()[:32]
        return self.commit(state, Halted(broken.kind, digest, broken.rule, broken.field, broken.action), at=at)

    def _append(self, before: RunState | None, after: RunState, rows: list[tuple[Event, bytes]], at: float, aside: Aside) -> None:
        run = after.run
        with self.rows.transaction():
            for event, _ in rows:
                if isinstance(event, Started):
                    self.rows.run("INSERT INTO runs (id, task, started) VALUES (?, ?, ?)", (run, event.task.text, at))
                if isinstance(event, Closed):
                    values = (event.ending, at, len(after.steps), run)
                    self.rows.run("UPDATE runs SET ended = ?, closed = ?, steps = ? WHERE id = ?", values)
            self.rows.append(run, before.events if before is not None else 0, ((event.kind, body) for event, body in rows), at)
            for text in aside.texts:
                self._keep(run, text)
            for action, kind, words, raw in aside.traces:
                name = self._keep(run, raw) if raw else ""
                self.rows.run("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", (run, at, action, kind, words, name))

    def _keep(self, run: str, data: bytes) -> str:
        name = digest(data)
        if len(data) <= BLOB_BYTES:
            self.rows.keep(run, name, data)
        return name

    def read(self, run: str) -> Story:
        """All that a run's rows say, as far as they are whole. Raises JournalError for a run that is not there."""
        story = told(run, self.rows.events(run))
        if story is None:
            raise JournalError(f"there is no run {run}: `surefoot runs list` shows those of this root")
        return story

    def load(self, run: str) -> RunState:
        """The state of a stored run; one with a damaged row wants attention. Raises JournalError."""
        return self.read(run).state

    def mend(self, story: Story, at: float) -> RunState:
        """Set the damaged tail of a run aside, for good and unharmed, and halt the run on what is whole before it, in one transaction.

        Raises JournalError. Only for the process that owns the run and has just read its story.
        """
        if story.damage is None:
            return story.state
        whole, halted = story.whole, story.damage.halted
        with self.rows.transaction():
            values = (whole.run, whole.events)
            self.rows.run("INSERT INTO set_aside SELECT run, seq, at, kind, body, hash FROM events WHERE run = ? AND seq > ?", values)
            self.rows.run("DELETE FROM events WHERE run = ? AND seq > ?", values)
            self.rows.append(whole.run, whole.events, ((halted.kind, encode(halted)),), at)
        return step(whole, halted)

    def traces(self, run: str) -> tuple[Trace, ...]:
        """What was seen beside a run, in order."""
        found = self.rows.query("SELECT at, action, kind, words, digest FROM traces WHERE run = ? ORDER BY rowid", (run,))
        return tuple(Trace(*row) for row in found)

    def blob(self, name: str) -> bytes | None:
        """A raw text by its digest, None where it is not kept."""
        return self.rows.blob(name)

    def runs(self) -> tuple[RunRow, ...]:
        """Every run of this workspace, newest first."""
        return self.rows.runs()

    def row(self, run: str) -> RunRow | None:
        """A run as it stands in the list, None where there is none of that name."""
        return next((row for row in self.runs() if row.id == run), None)

    def origin(self, run: str) -> str:
        """Where a run comes from, "" for one of this workspace."""
        return next((row.origin for row in self.runs() if row.id == run), "")

    def own(self, run: str) -> bool:
        """Take the run for this process; False when another process has it."""
        lock = self._locks.setdefault(run, FileLock(self.folder / f"{run}.lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            del self._locks[run]
            return False
        return True

    def free(self, run: str) -> bool:
        """True while no process works on the run."""
        if not self.own(run):
            return False
        self.disown(run)
        return True

    def disown(self, run: str) -> None:
        """Give the run up, so that another process may own it."""
        if (lock := self._locks.pop(run, None)) is not None:
            lock.release()

    def close(self) -> None:
        """Release every run and the database."""
        for run in tuple(self._locks):
            self.disown(run)
        self.rows.close()


def _accepted(state: RunState | None, given: Event | bytes) -> tuple[Event, bytes]:
    run = state.run if state is not None else ""
    try:
        event, body = shaped(given)
    except Rejected as broken:
        raise Rejected(broken.kind, broken.rule, broken.field, run, _action_of(state, None)) from None
    if (wrong := check(state, event)) is not None:
        raise Rejected(event.kind, wrong.rule, wrong.field, run, _action_of(state, event))
    return event, body


def _action_of(state: RunState | None, event: Event | None) -> str:
    """The action that a rejected event is about: never a name that the event made up, else the one at work."""
    if isinstance(event, Intended):
        return event.action.id
    known = [s.action.id for s in (state.work, state.delivery, state.settled) if s is not None] if state is not None else []
    named = event.action if isinstance(event, Permitted | Resulted) else event.because if isinstance(event, Advanced) else ""
    return named if named in known else next(iter(known), "")
