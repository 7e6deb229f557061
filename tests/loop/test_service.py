"""What a person can ask, over scripted parts: reverts across runs, fixes from the menu, runs of an earlier process."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from surefoot.core.change import Change, TextEdit, apply_edits
from surefoot.core.errors import CheckerUnavailable
from surefoot.core.findings import Diagnostic, Evidence, Findings, Severity, ToolFix, Verdict
from surefoot.core.plan import Task
from surefoot.core.sites import Scan, Symbol, Target
from surefoot.core.text import LineIndex, Place, TextFile, Texts
from surefoot.loop.staffing import staffed
from surefoot.policy.permits import Permissions
from surefoot.run.limits import Limits
from surefoot.run.outcomes import Bucket, Delivered, Failure, FailureClass
from surefoot.run.state import RunState
from surefoot.service import Parts, Service
from surefoot.syntax.store.builder import Built
from surefoot.workspace.session import Session
from surefoot.workspace.snapshot import Snapshot
from tests.support.scripts import Editor, Quiet, Wordcheck, Words


class Checks(Wordcheck):
    """A checker of a desktop. `under_way` are the changes that it is looking at."""

    def __init__(self) -> None:
        super().__init__()
        self.under_way: list[Change] = []

    async def validate(
        self,
        change: Change,
        texts: Snapshot,
        also: Sequence[Path] = (),
        renames: tuple[tuple[str, str], ...] = (),
        on_check: Callable[[str], None] | None = None,
    ) -> Evidence:
        self.under_way.append(change)
        try:
            return await super().validate(change, texts, also, renames, on_check)
        finally:
            self.under_way.remove(change)

    async def diagnose(self, texts: Snapshot, paths: Sequence[Path]) -> Findings:
        return Findings((), ())

    async def close(self) -> None:
        pass


class Finder:
    async def find(self, texts: Texts, target: Target) -> Scan:
        return Scan("", (), (), ())

    async def look(self, root: Path) -> None:
        pass

    async def index(self, root: Path, told: Callable[[Built], None]) -> None:
        pass

    async def symbol_at(self, file: TextFile, offset: int) -> Symbol | None:
        return None

    async def close(self) -> None:
        pass


class Desktop:
    """A service over two open buffers, as after a start of the process; `again` starts it anew on the same journal."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir()
        self.state_dir = folder / "state"
        self.session = Session((self.root,))
        self.editor = Editor(self.session)
        self.checks = Checks()
        self.engine = Words(self.root / "a.txt")
        self.finder = Finder()
        for name, text in (("a.txt", "word1 word2"), ("b.txt", "word1 word2")):
            path = self.root / name
            path.write_text(text)
            self.session.open(path.as_uri(), path, "plaintext", 1, text)
        self.service = self._built()

    def _built(self) -> Service:
        parts = Parts(
            lambda root: (self.checks, self.fixes),
            self.finder,
            self.engine,
            lambda root: staffed(self.engine),
            Permissions(),
            self.editor,
            self.state_dir,
            lambda root: Limits(),
            self.seen,
        )
        return Service(self.session, parts)

    def seen(self, state: RunState) -> None:
        pass

    async def again(self) -> None:
        await self.service.close()
        self.service = self._built()

    async def fixes(self, texts: Snapshot, path: Path, start: int, end: int, told: Sequence[Diagnostic]) -> Sequence[ToolFix]:
        held = texts.read(path)
        assert isinstance(held, TextFile)
        found = Diagnostic(Place.of(path, 0, 5, LineIndex(held.data)), "other", "no-word", Severity.ERROR, "no words", "word")
        change = Change((texts.edit(path, (TextEdit(0, 5, "fixed"),)),))
        return (ToolFix("Fix it", change, "other", found, (self.root / "b.txt",)),)

    def text(self, name: str = "a.txt") -> str:
        document = self.session.document_at(self.root / name)
        assert document is not None
        assert isinstance(document.text, TextFile)
        return document.text.text

    def type(self, name: str, old: str, new: str) -> None:
        document = self.session.document_at(self.root / name)
        assert document is not None
        assert isinstance(document.text, TextFile)
        at = document.text.data.index(old.encode())
        edited = apply_edits(document.text.data, (TextEdit(at, at + len(old), new),))
        self.session.change(document.uri, document.version + 1, edited.decode())

    async def done(self, name: str = "a.txt") -> str:
        """A run over one file from start to end; its name."""
        self.engine.path = self.root / name
        run = self.service.start(self.root, Task(f"words of {name}"), Quiet())
        reply = await self.service.apply_all(self.root, run.state.run)
        assert reply.done, reply.message
        return run.state.run


@pytest.fixture
def desktop(tmp_path: Path) -> Desktop:
    return Desktop(tmp_path)


async def test_reverts_go_back_through_closed_runs_one_by_one(desktop: Desktop) -> None:
    await desktop.done("a.txt")
    await desktop.done("b.txt")
    assert (await desktop.service.revert(desktop.root)).message == "applied: Revert: word 1"
    assert (desktop.text("a.txt"), desktop.text("b.txt")) == ("done1 word2", "word1 word2")
    assert (await desktop.service.revert(desktop.root)).done
    assert (desktop.text("a.txt"), desktop.text("b.txt")) == ("word1 word2", "word1 word2")
    assert (await desktop.service.revert(desktop.root)).message == "there is no applied step to revert"


async def test_a_revert_does_not_jump_over_a_later_step_that_has_changed(desktop: Desktop) -> None:
    await desktop.done("a.txt")
    await desktop.done("b.txt")
    desktop.type("b.txt", "done1", "mine")
    reply = await desktop.service.revert(desktop.root)
    assert not reply.done
    assert "b.txt has changed" in reply.message
    assert desktop.text("a.txt") == "done1 word2"


async def test_reverts_survive_a_new_start(desktop: Desktop) -> None:
    name = await desktop.done("a.txt")
    await desktop.again()
    assert (await desktop.service.revert(desktop.root, name)).done
    await desktop.again()
    assert (await desktop.service.revert(desktop.root, name)).message == f"run {name} has no applied step to revert"
    assert desktop.text("a.txt") == "word1 word2"


async def test_a_run_of_an_earlier_process_is_applied(desktop: Desktop) -> None:
    run = desktop.service.start(desktop.root, Task("words"), Quiet())
    await desktop.service.drafted(desktop.root, run.state.run)
    await desktop.again()
    assert (await desktop.service.apply(desktop.root, run.state.run)).done
    assert desktop.text() == "done1 word2"


async def test_half_an_edit_is_undone_and_the_run_goes_on(desktop: Desktop) -> None:
    run = desktop.service.start(desktop.root, Task("words"), Quiet())
    await desktop.service.drafted(desktop.root, run.state.run)

    class Half(Editor):
        async def apply(self, change: Change, texts: Snapshot, label: str, *, confirm: bool) -> Delivered | Failure:
            await super().apply(change, texts, label, confirm=confirm)
            return Failure(Bucket.RUNTIME, FailureClass.PERMANENT, "partial", "only a.txt was changed", change.paths)

    whole, desktop.editor = desktop.editor, Half(desktop.session)
    await desktop.again()
    assert not (await desktop.service.apply(desktop.root, run.state.run)).done
    assert desktop.text() == "done1 word2"
    desktop.editor = whole
    await desktop.again()
    assert (await desktop.service.revert(desktop.root)).done
    assert desktop.text() == "word1 word2"
    await desktop.service.drafted(desktop.root, run.state.run)
    assert (await desktop.service.apply(desktop.root, run.state.run)).done
    assert desktop.text() == "done1 word2"


async def _propose(desktop: Desktop, wait: float = 5) -> str:
    (proposal,) = await desktop.service.propose(desktop.root / "a.txt", 0, 5, (), wait)
    return proposal.id


async def test_a_fix_is_applied_once_however_often_it_is_clicked(desktop: Desktop) -> None:
    name = await _propose(desktop)
    replies = await asyncio.gather(desktop.service.accept(name), desktop.service.accept(name))
    assert [r.done for r in replies] == [True, False]
    assert "already" in replies[1].message
    assert desktop.text() == "fixed word2"


async def test_files_that_a_fix_may_break_are_checked_with_it(desktop: Desktop) -> None:
    await _propose(desktop)
    assert desktop.checks.impacted == [(desktop.root / "b.txt",)]


async def test_a_fix_on_text_that_moved_is_refused_and_offered_anew(desktop: Desktop) -> None:
    name = await _propose(desktop)
    desktop.type("a.txt", "word2", "more")
    assert "has moved" in (await desktop.service.accept(name)).message
    assert desktop.text() == "word1 more"
    assert (await desktop.service.accept(await _propose(desktop))).done
    assert desktop.text() == "fixed more"


async def test_a_look_that_could_not_tell_is_taken_again(desktop: Desktop) -> None:
    desktop.checks.verdict = Verdict.UNAVAILABLE
    with pytest.raises(CheckerUnavailable, match="not validated: wordcheck: unavailable"):
        await desktop.service.propose(desktop.root / "a.txt", 0, 5, (), 5)
    assert await desktop.service.propose(desktop.root / "a.txt", 0, 5, (), 0) == ()
    desktop.checks.verdict = None
    assert await _propose(desktop)


async def test_a_cursor_on_its_way_leaves_one_look_behind_it(desktop: Desktop) -> None:
    desktop.checks.gate = asyncio.Event()
    path, other = desktop.root / "a.txt", desktop.root / "b.txt"
    asked = asyncio.ensure_future(desktop.service.propose(path, 0, 5, (), 5))
    await desktop.checks.started.wait()
    assert await desktop.service.propose(other, 0, 1, (), 0) == ()
    for place in range(5):
        assert await desktop.service.propose(path, place, place, (), 0) == ()
        await asyncio.sleep(0)
    assert len(desktop.checks.under_way) == 3, "the one that was asked for, the one of the other file, and the last stop"
    desktop.checks.gate.set()
    assert len(await asked) == 1
    for where, start, end in ((other, 0, 1), (path, 4, 4)):
        calls = len(desktop.checks.calls)
        assert len(await desktop.service.propose(where, start, end, (), 5)) == 1
        assert len(desktop.checks.calls) == calls, "the look went on"


async def test_a_look_that_somebody_asked_for_is_not_given_up_for_a_cursor(desktop: Desktop) -> None:
    desktop.checks.gate = asyncio.Event()
    path = desktop.root / "a.txt"
    assert await desktop.service.propose(path, 0, 5, (), 0) == ()
    asked = asyncio.ensure_future(desktop.service.propose(path, 0, 5, (), 5))
    await desktop.checks.started.wait()
    assert await desktop.service.propose(path, 6, 6, (), 0) == ()
    desktop.checks.gate.set()
    assert len(await asked) == 1


async def test_a_root_that_goes_away_takes_its_runs_with_it(desktop: Desktop) -> None:
    await desktop.done("a.txt")
    desktop.session.set_roots(())
    desktop.session.set_roots((desktop.root,))
    assert [row.task for row in desktop.service.runs(desktop.root)] == ["words of a.txt"]
    await desktop.service.close()
