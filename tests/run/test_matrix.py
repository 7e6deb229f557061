"""Every kind of event with every fault: each is told by its kind, its rule, its field, its run and its action, changes nothing but
`attention`, and leaves no byte of itself behind."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, product
from pathlib import Path

import pytest

from surefoot.core.errors import Rejected
from surefoot.core.plan import Task
from surefoot.journal.journal import Journal
from surefoot.journal.shape import decode, encode, state_hash
from surefoot.loop.view import view_of
from surefoot.report.text import render
from surefoot.run.events import Intended, Resumed, Started
from surefoot.run.fold import fold
from surefoot.run.legality import check
from surefoot.run.limits import Limits
from surefoot.run.requests import Apply, Resume, allowed
from surefoot.run.state import RunState
from surefoot.workspace.snapshot import Snapshot
from tests.run.malformed import FAULTS, KINDS, NO_MEANING, STORY, Given, Mutant, Prefix, carrying, mutants, specimens
from tests.run.onward import onward
from tests.support.scripts import Bench, Wordcheck
from tests.support.story import CANARY

CELLS = tuple(cell for cell in product(KINDS, FAULTS) if cell not in NO_MEANING)
MUTANTS = 1_257


def test_the_matrix_is_complete() -> None:
    """A new kind of event has specimens, and each of its cells has mutants or a reason why it says nothing."""
    assert [kind for kind in KINDS if not specimens(kind)] == []
    silent = {(kind, fault) for kind, fault in product(KINDS, FAULTS) if not mutants(kind, fault)}
    assert silent == set(NO_MEANING)
    assert all(NO_MEANING.values())


def test_no_rule_was_loosened() -> None:
    """The mutants are made from legal events, and those that a rule lets through are left out: so many there were at least."""
    assert sum(len(mutants(kind, fault)) for kind, fault in CELLS) >= MUTANTS


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_mutants_are_made_from_is_legal(kind: str) -> None:
    for prefix, event in specimens(kind):
        for i, before in enumerate(prefix):
            assert check(fold(prefix[:i]), before) is None
        assert check(fold(prefix), event) is None


@pytest.mark.parametrize(("kind", "fault"), CELLS, ids=[f"{kind}-{fault}" for kind, fault in CELLS])
def test_malformed_event_matrix(kind: str, fault: str, tmp_path: Path) -> None:
    by_prefix = groupby(sorted(mutants(kind, fault), key=lambda m: len(m.prefix)), key=lambda m: m.prefix)
    for number, (prefix, group) in enumerate(by_prefix):
        check_rejected(tmp_path / str(number), prefix, tuple(group), kind, fault)


def check_rejected(folder: Path, prefix: Prefix, group: tuple[Mutant, ...], kind: str, fault: str) -> None:
    """Each mutant is rejected at the door of a run that has come as far as `prefix`; then the run is resumed and comes to its end."""
    journal = Journal(Path("/x"), folder)
    if not prefix:
        check_refused_at_the_start(journal, group)
        return
    said: list[str] = []
    state = journal.commit(None, *prefix, at=1.0)
    for mutant in group:
        before = journal.rows.events("r1")
        given = carrying(mutant.given)
        if not state.open:
            said.append(check_refused(journal, state, given, kind, fault))
            assert journal.rows.events("r1") == before, mutant.words
            continue
        halted = journal.commit(state, given, at=2.0)
        check_halted(state, halted, kind if fault != "torn row" else "", mutant)
        assert journal.rows.events("r1")[: len(before)] == before, mutant.words
        assert journal.load("r1") == halted
        said += [halted.attention, repr(halted), refusal_of(halted)]
        # A run whose state is itself one that wants attention keeps it: the mutant was made for that very state.
        state = journal.commit(halted, Resumed(halted.events), at=3.0) if not state.attention else halted
    for event in tuple(onward(state)):
        state = journal.commit(state, event, at=4.0)
        said.append(repr(view_of(state, state.step, Snapshot(folder))))
    assert not state.open
    check_no_trace(journal, said)


def check_refused_at_the_start(journal: Journal, group: tuple[Mutant, ...]) -> None:
    for mutant in group:
        with pytest.raises(Rejected) as caught:
            journal.commit(None, carrying(mutant.given), at=1.0)
        assert caught.value.rule
        assert caught.value.field
        assert CANARY not in str(caught.value)
    assert journal.runs() == ()
    check_no_trace(journal, [])


def check_refused(journal: Journal, state: RunState, given: Given, kind: str, fault: str) -> str:
    """A closed run is final: there is nothing to halt, and the event is refused to whoever built it."""
    with pytest.raises(Rejected) as caught:
        journal.commit(state, given, at=2.0)
    broken = caught.value
    assert (broken.kind, broken.run) == (kind if fault != "torn row" else "", "r1")
    assert broken.rule
    assert broken.field
    return str(broken)


def check_halted(state: RunState, halted: RunState, kind: str, mutant: Mutant) -> None:
    assert halted.halted is not None, mutant.words
    told = halted.halted
    at_work = [s.action.id for s in (state.work, state.delivery, state.settled) if s is not None]
    assert told.event == kind, mutant.words
    assert told.rule, mutant.words
    assert told.field, mutant.words
    assert told.action in (at_work or [""]) or told.action == action_begun_by(carrying(mutant.given)), mutant.words
    assert replace(halted, attention=state.attention, halted=state.halted, events=state.events) == state, mutant.words
    same = replace(halted, attention=state.attention, halted=state.halted, events=state.events)
    assert state_hash(same) == state_hash(state)


def action_begun_by(given: Given) -> str:
    """An intent names its action by a digest, which holds nothing of what it was made from."""
    try:
        event = decode(given) if isinstance(given, bytes) else given
    except Rejected:
        return ""
    return event.action.id if isinstance(event, Intended) else ""


def refusal_of(halted: RunState) -> str:
    """What a person is told who goes on as if nothing had happened; and they may resume."""
    assert allowed(halted, Resume()) == ""
    refusal = allowed(halted, Apply(0))
    assert "wants attention" in refusal
    return refusal


def check_no_trace(journal: Journal, said: list[str]) -> None:
    entries = journal.read("r1").entries if journal.runs() else ()
    said = [*said, render(entries), repr(entries)]
    stored = b"".join(path.read_bytes() for path in sorted(journal.folder.iterdir()))
    journal.close()
    stored += b"".join(path.read_bytes() for path in sorted(journal.folder.iterdir()))
    assert [text for text in said if CANARY in text] == []
    assert CANARY.encode() not in stored


def test_the_search_would_find_the_canary(tmp_path: Path) -> None:
    """An event that is legal carries it everywhere: into the journal, the state and the report."""
    journal = Journal(Path("/x"), tmp_path)
    started = STORY[0]
    assert isinstance(started, Started)
    journal.commit(None, replace(started, task=Task(CANARY)), at=1.0)
    with pytest.raises(AssertionError):
        check_no_trace(journal, [])


def test_a_second_value_under_one_name_goes_nowhere(tmp_path: Path) -> None:
    """Bytes may hold what their event does not; what is stored is made from the event."""
    journal = Journal(Path("/x"), tmp_path)
    state = journal.commit(None, *STORY[:2], at=1.0)
    body = encode(STORY[2])
    assert body.count(b'"reason":""') == 1
    state = journal.commit(state, body.replace(b'"reason":""', f'"reason":"{CANARY}","reason":""'.encode()), at=2.0)
    assert state == fold(STORY[:3])
    check_no_trace(journal, [])


@pytest.mark.parametrize(("field", "given"), [("allowed", '"true"'), ("allowed", "1"), ("action", "7"), ("reason", "null")])
def test_a_value_of_another_type_is_not_taken_for_what_it_looks_like(field: str, given: str) -> None:
    data = json.loads(encode(STORY[2]))
    with pytest.raises(Rejected) as caught:
        decode(json.dumps({**data, field: json.loads(given)}).encode())
    assert (caught.value.kind, caught.value.field) == ("permitted", f"permitted.{field}")


def put_at_the_door(state: RunState) -> Iterator[Given]:
    """Every mutant of the matrix that is malformed for this run, too."""
    for kind, fault in CELLS:
        for mutant in mutants(kind, fault):
            given = carrying(mutant.given)
            if isinstance(given, bytes) or check(state, given) is not None:
                yield given


async def test_a_run_at_work_halts_for_each_of_them_and_comes_to_its_end(tmp_path: Path) -> None:
    """The real loop, with a check under way: nothing of any of them is in a later view, row, report or message."""
    bench = Bench(tmp_path, "word1 word2", checks=Wordcheck(gate=asyncio.Event()))
    run = bench.runs.begin(Task("words"), bench.tools, Limits())
    await bench.checks.started.wait()
    calls = len(bench.engine.views)
    said: list[str] = []
    halts = 0
    for given in list(put_at_the_door(run.state))[::9]:
        before = run.state
        run.commit(given)  # type: ignore[arg-type]
        assert replace(run.state, attention="", halted=None, events=before.events) == before
        said.append(run.state.attention)
        run.commit(Resumed(run.state.events))
        halts += 1
    run.commit(b"{")  # type: ignore[arg-type]
    assert bench.checks.gate is not None
    bench.checks.gate.set()
    await bench.runs.drafted(run.state.run)
    assert halts > 100
    assert len(bench.engine.views) == calls
    assert "wants attention" in (await bench.runs.apply(run.state.run, 0, confirm=False)).message
    assert bench.runs.resume(run.state.run).done
    await bench.runs.drafted(run.state.run)
    assert (await bench.runs.apply(run.state.run, 0, confirm=False)).done
    await bench.runs.drafted(run.state.run)
    assert not run.state.open
    assert bench.text == "done1 word2"
    texts = [str(view.texts.read(bench.path)) for view in bench.engine.views]
    entries = bench.runs.journal.read(run.state.run).entries
    said += [*texts, *map(repr, bench.engine.views), *map(repr, bench.states), *bench.progress.said, render(entries)]
    await bench.runs.close()
    assert [text for text in said if CANARY in text] == []
    assert CANARY.encode() not in b"".join(path.read_bytes() for path in sorted(bench.runs.journal.folder.iterdir()))
