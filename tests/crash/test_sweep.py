"""A process that is killed anywhere in a run: the next one goes on, and what comes of it is what would have come of it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.crash import KINDS, Rig
from tests.support.crash_samples import SAMPLES
from tests.support.crash_tales import Tale, Tear, cut, differences, doubles, half_a_row, no_index, place, sweep, told

Rigged = Callable[[str], Rig]
Count = Callable[[str, int], None]

NAMED = tuple(kind for kind in KINDS if kind != "in the transaction")
AT_EVERY = ("one step", "two documents", "both lanes", "refused", "a fix is accepted")
SHARE = 4
"""Of the longer samples every so-manieth boundary is taken here; the bench takes all, and those inside of a transaction, too."""


def check_tales(rig: Rig, base: Tale, kills: list[tuple[int, ...]], tear: Tear | None = None) -> list[Tale]:
    """Whatever the kills, the buffers and the state are those of the tale without any."""
    assert base.faults == []
    tales = told(rig, kills, tear)
    assert [(place(tale), found) for tale in tales if (found := differences(base, tale))] == []
    return tales


@pytest.mark.parametrize("name", [sample.name for sample in SAMPLES])
def test_a_kill_at_the_boundaries_of_a_run(rig: Rigged, count: Count, name: str) -> None:
    rigged = rig(name)
    base = Tale(rigged).play()
    kills = sweep(base, NAMED)
    kills = kills if name in AT_EVERY else kills[len(name) % SHARE :: SHARE]
    check_tales(rigged, base, kills)
    count("single kills", len(kills))


@pytest.mark.parametrize(("kind", "repeats"), [("after effect", [1, 1, 1, 0]), ("after append", [0] * 14)])
def test_only_a_call_whose_answer_was_lost_is_made_again(rig: Rigged, kind: str, repeats: list[int]) -> None:
    """The last look at the text before a step is applied is no action: it is simply taken again."""
    rigged = rig("one step")
    base = Tale(rigged).play()
    assert [tale.repeats() for tale in check_tales(rigged, base, sweep(base, (kind,)))] == repeats


def test_a_kill_inside_of_a_transaction(rig: Rigged, count: Count) -> None:
    rigged = rig("one step")
    base = Tale(rigged).play()
    kills = sweep(base, ("in the transaction",))
    check_tales(rigged, base, kills)
    count("kills inside of a transaction", len(kills))


@pytest.mark.parametrize("tear", [cut, half_a_row, no_index], ids=lambda tear: tear.__name__)
def test_a_torn_tail(rig: Rigged, count: Count, tear: Tear) -> None:
    """The machine died while a row was being written: what it left of that is as if it had not been."""
    rigged = rig("one step")
    base = Tale(rigged).play()
    kills = sweep(base, ("after append",))
    check_tales(rigged, base, kills, tear)
    count("torn tails", len(kills))


@pytest.mark.parametrize(("name", "kills"), [("a step fails and recovers", 7), ("two documents", 7), ("both lanes", 6)])
def test_a_second_kill_during_the_recovery(rig: Rigged, count: Count, name: str, kills: int) -> None:
    rigged = rig(name)
    base = Tale(rigged).play()
    check_tales(rigged, base, doubles(rigged, base, kills, seed=20_26))
    count("double kills", kills)


def test_a_run_of_several_lives_is_one_run(rig: Rigged) -> None:
    """Killed every few boundaries, over and over, until it is through."""
    rigged = rig("two documents")
    base = Tale(rigged).play()
    tale = Tale(rigged, (9,) * 12).play()
    assert differences(base, tale) == []
    assert len(tale.runs) == 1
    assert sum(len(life.passed) for life in tale.lives) > len(base.lives[0].passed)


def test_what_the_rig_looks_at_can_be_wrong(rig: Rigged) -> None:
    """A rig that finds nothing has to be able to find something."""
    rigged = rig("one step")
    base, tale = Tale(rigged).play(), Tale(rigged, (20,)).play()
    assert differences(base, tale) == []
    tale.editor.texts["a.txt"] += " "
    tale.editor.changes += 1
    tale.runs = [tale.runs[0] | {"normal": "another"}]
    tale.lives[1].calls += tale.lives[0].calls * 2
    tale.faults.append("lost: r1")
    assert len(differences(base, tale)) == 5


def test_an_edit_that_is_asked_for_twice_is_counted(rig: Rigged) -> None:
    """The buffers alone do not tell it."""
    rigged = rig("skip and revert")
    once = replace(rigged.sample, commands=(("begin",), ("apply", 0)))
    twice = replace(rigged.sample, commands=(("begin",), ("apply", 0), ("revert", 0), ("apply", 0)))
    base, tale = (Tale(replace(rigged, sample=sample, folder=rigged.folder / str(n))).play() for n, sample in enumerate((once, twice)))
    assert tale.editor.texts == base.editor.texts
    assert any("edits changed text" in found for found in differences(base, tale))
