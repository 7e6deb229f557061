"""An account is made of events and nothing else: every claim names one, every number counts some."""

import dataclasses
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import get_args, get_origin, get_type_hints

import pytest

from surefoot.core.change import Change
from surefoot.engines.protocol import Draft, Refusal
from surefoot.journal.story import Entry
from surefoot.report.account import Account
from surefoot.report.attempt import Mark
from surefoot.report.forms import Form, written
from surefoot.report.gather import account_of
from surefoot.report.page import page
from surefoot.report.words import ENDS, MARKS
from surefoot.run.limits import Limits
from surefoot.run.state import StepStatus
from surefoot.run.view import View
from tests.report.samples import CANARY, SAMPLES, account
from tests.support.scripts import Bench, Words
from tests.support.story import STORY


@pytest.mark.parametrize("name", SAMPLES)
async def test_every_ending_has_a_report_in_three_parts(name: str, tmp_path: Path) -> None:
    told = await account(name, tmp_path)
    assert told.status.word == SAMPLES[name][1]
    assert told.status.reason
    assert all(line.text for part in (told.accomplished, told.remaining) for line in part)
    assert told.accomplished
    assert told.remaining
    assert told.workspace.text
    for form in Form:
        text = written(told, form).decode("utf-8")
        assert told.status.word in text
        assert CANARY not in text


@pytest.mark.parametrize("name", SAMPLES)
async def test_the_parts_are_those_of_the_closing_event(name: str, tmp_path: Path) -> None:
    """A close ends the step that was at work, which its own report still calls one that is drafted."""
    bench, run = await SAMPLES[name][0](tmp_path)
    closed = bench.runs.journal.read(run).whole.closed
    if closed is not None:
        told = account_of(bench.runs.journal.read(run).entries)
        assert tuple(line.text for line in told.accomplished) == closed.report.accomplished
        assert [line.text for line in told.remaining] == [words.replace("drafting:", "refused:") for words in closed.report.remaining]


def reached(kind: object, found: set[type]) -> set[type]:
    """Every type that a value of a type can hold."""
    if get_origin(kind) in (tuple, UnionType):
        for part in get_args(kind):
            if part is not Ellipsis:
                reached(part, found)
    elif isinstance(kind, type) and kind not in found:
        found.add(kind)
        if dataclasses.is_dataclass(kind):
            for hint in get_type_hints(kind).values():
                reached(hint, found)
    return found


def claims(cls: type) -> set[type]:
    """The types reached from `cls` that say something without naming an event."""
    bare = {str, int, float, bool, NoneType, Limits}
    values = {kind for kind in reached(cls, set()) if kind not in bare and not issubclass(kind, StrEnum)}
    return {kind for kind in values if not {"seq", "events"} & set(get_type_hints(kind)) and _says(kind)}


def _says(kind: type) -> bool:
    return bool({str, int, float, bool} & {part for hint in get_type_hints(kind).values() for part in (hint, *get_args(hint))})


def test_a_claim_without_an_event_cannot_be_made() -> None:
    assert claims(Account) == set()


def test_a_claim_without_an_event_is_found() -> None:
    @dataclasses.dataclass
    class Boast:
        text: str

    @dataclasses.dataclass
    class Told:
        boasts: tuple[Boast, ...]

    Told.__annotations__["boasts"] = tuple[Boast, ...]
    assert claims(Told) == {Boast}


def events_of(held: object) -> list[int]:
    """Every event that an account names."""
    if isinstance(held, tuple):
        return [n for each in held for n in events_of(each)]
    if not dataclasses.is_dataclass(held) or isinstance(held, type):
        return []
    named = [n for name in ("events", "hits") for n in getattr(held, name, ())]
    own = [held.seq] if hasattr(held, "seq") else []  # type: ignore[attr-defined]
    return own + named + [n for f in dataclasses.fields(held) for n in events_of(getattr(held, f.name))]


@pytest.mark.parametrize("name", SAMPLES)
async def test_nothing_is_told_of_what_has_not_happened(name: str, tmp_path: Path) -> None:
    bench, run = await SAMPLES[name][0](tmp_path)
    entries = bench.runs.journal.read(run).entries
    for count in range(1, len(entries) + 1):
        named = events_of(account_of(entries[:count]))
        assert named
        assert min(named) >= 1
        assert max(named) <= count


def test_a_story_without_its_last_events_tells_less() -> None:
    entries = [Entry(float(n), event) for n, event in enumerate(STORY)]
    whole, part = account_of(entries), account_of(entries[:-4])
    assert (whole.status.word, part.status.word) == ("done", "open")
    assert [line.text for line in whole.accomplished] == ["applied: Rename a to b"]
    assert [line.text for line in part.accomplished] == ["nothing was applied"]
    assert (whole.workspace.text, part.workspace.text) == ("1 document: 1 applied", "1 document: 1 pending")


def test_no_event_no_account() -> None:
    with pytest.raises(ValueError, match="begins with its start"):
        account_of(())


DOCUMENTS = {
    "done": ("applied", (1, 2, 3), (), ()),
    "cancelled": ("applied", (1,), (), ()),
    "ready": ("pending", (), (), (1, 2)),
    "reverted": ("reverted", (), (1,), (2,)),
    "escalated": ("untouched", (), (), ()),
    "winding": ("pending", (), (), (1,)),
    "cut short": ("cut short", (), (), (1,)),
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_how_the_document_stands(name: str, tmp_path: Path) -> None:
    bench, run = await SAMPLES[name][0](tmp_path)
    (document,) = account_of(bench.runs.journal.read(run).entries).workspace.documents
    assert (document.path, (str(document.stand), document.applied, document.reverted, document.pending)) == ("words.txt", DOCUMENTS[name])
    held = bench.snapshot().read(bench.path)
    assert held is not None
    assert document.text == getattr(held, "digest", "")


async def test_a_late_success_shows_what_was_learnt_each_time(tmp_path: Path) -> None:
    (step,) = (await account("recovered", tmp_path)).steps
    first, second, third = step.attempts
    assert [a.end for a in step.attempts] == ["failed", "failed", "done"]
    assert first.revised is not None
    assert second.revised is not None
    assert third.draft is not None
    assert second.note is not None
    assert third.note is not None
    assert (second.note.text, third.note.text) == (first.revised.text, second.revised.text)
    assert "no-worse1" in first.revised.text
    assert "no-bad1" in second.revised.text
    assert "+good1" in third.draft.diff
    assert [c.text for c in third.constraints] == [c.text for a in (first, second) for c in a.learnt]


@pytest.mark.parametrize("name", ["done", "recovered", "escalated"])
async def test_each_attempt_has_its_plan_rules_diff_checks_and_correction(name: str, tmp_path: Path) -> None:
    for step in (await account(name, tmp_path)).steps:
        for attempt in step.attempts:
            assert attempt.planned is not None
            assert attempt.planned.text
            assert attempt.rules
            assert attempt.draft is not None
            assert attempt.draft.diff
            assert attempt.evidence is not None
            assert attempt.evidence.checks
            assert bool(attempt.faults) == (attempt.end == "failed")
        assert all(a.revised is not None for a in step.attempts[:-1])


DEAD_ENDS = {
    "no tool": ("wordcheck", 1, "not validated: wordcheck: unavailable", "surefoot doctor"),
    "no service": ("the model's service", 3, "the service did not answer within 30 seconds", "surefoot resume r"),
}


@pytest.mark.parametrize("name", SAMPLES)
async def test_dead_end_report(name: str, tmp_path: Path) -> None:
    end = (await account(name, tmp_path)).dead_end
    if name not in DEAD_ENDS:
        assert end is None
        return
    tool, attempts, error, other = DEAD_ENDS[name]
    assert end is not None
    assert (end.tool, end.attempts, end.error) == (tool, attempts, error)
    assert all(error in line.text for line in end.tried)
    assert any(other in line.text for line in end.alternatives)


async def test_what_came_from_outside_is_told(tmp_path: Path) -> None:
    told = await account("told", tmp_path)
    assert [(i.kind, i.text) for i in told.interventions] == [
        ("moved", "words.txt moved; steps 1, 2 no longer hold"),
        ("told", "a person demands: keep <script>alert(1)</script> out"),
        ("told", "a person leaves step 2 out"),
    ]


async def test_secrets_are_covered(tmp_path: Path) -> None:
    key = "gh" + "p_" + "a1B2" * 9
    bench = Bench(tmp_path, "word1", Words(Path(), says=lambda n, v: f"token = '{key}'"))
    run = (await bench.drafted()).run
    told = account_of(bench.runs.journal.read(run).entries)
    for form in Form:
        text = written(told, form).decode()
        assert key not in text
        assert "*" * len(key) in text


class Astray(Words):
    """Once astray, it edits a file that its plan does not name, and plans one step less after that."""

    astray = False

    async def edit(self, view: View) -> Draft | Refusal:
        drafted = await super().edit(view)
        if not self.astray or isinstance(drafted, Refusal):
            return drafted
        self.astray, self.steps = False, 1
        other = self.path.parent / "other.txt"
        (edit,) = drafted.change.files
        return replace(drafted, change=Change((replace(edit, path=other),)))


async def test_attempts_at_a_step_that_a_later_plan_has_not_are_still_told(tmp_path: Path) -> None:
    engine = Astray(Path(), steps=2)
    bench = Bench(tmp_path, "word1 word2", engine)
    run = (await bench.drafted()).run
    engine.astray = True
    (bench.path.parent / "other.txt").write_text("word1 word2 ")
    bench.type("word2", "word2 ")
    await bench.runs.drafted(run)
    told = account_of(bench.runs.journal.read(run).entries)
    assert [(s.number, s.status) for s in told.steps] == [(1, "ready"), (2, "replaced")]
    assert [(a.drafting, a.number, a.end) for a in told.steps[0].attempts] == [(1, 1, "done"), (2, 1, "failed"), (2, 2, "done")]
    assert [a.end for a in told.steps[1].attempts] == ["done"]
    assert "step 2" in page(told).lower()


def test_every_status_has_its_mark() -> None:
    assert {*StepStatus} < {*MARKS}
    assert {*Mark} == {*ENDS}
