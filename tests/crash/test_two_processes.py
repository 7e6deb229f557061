"""Two processes on one workspace share its journal, and neither takes a run from the other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tests.support.crash import Rig

Rigged = Callable[[str], Rig]


@pytest.fixture
def rigged(rig: Rigged) -> Rig:
    return rig("a step fails and recovers")


def test_both_draft_their_own_runs_at_once(rigged: Rig) -> None:
    state_dir = rigged.state_dir()
    children = [rigged.child(state_dir, rigged.editor()) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        replies = list(pool.map(lambda child: child.do("begin"), children))
    assert [reply["done"] for reply in replies] == [True, True]
    names = {reply["said"] for reply in replies}
    for child in children:
        # The journal is read anew: every row is there, in its place in its chain, and nobody else's.
        held = child.do("find")
        assert {run["run"] for run in held["runs"]} == names
        assert [run["statuses"] for run in held["runs"]] == [["ready"] * 3] * 2


def test_one_waits_while_the_other_writes(rigged: Rig) -> None:
    state_dir = rigged.state_dir()
    one, other = (rigged.child(state_dir, rigged.editor()) for _ in range(2))
    assert other.do("begin")["done"]
    inside, waits = Event(), Event()

    def hold(where: str, what: str) -> None:
        if where == "in the transaction" and not inside.is_set():
            inside.set()
            assert waits.wait(60)

    def tell(where: str, what: str) -> None:
        if where == "before append":
            waits.set()

    one.watch, other.watch = hold, tell
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(one.do, "begin")
        assert inside.wait(60)
        # It comes to its own write while the transaction of the first is open, and is through once that is.
        assert other.do("skip", 2)["done"]
        assert begun.result()["done"]


def test_a_run_of_another_process_is_not_taken_up(rigged: Rig) -> None:
    state_dir = rigged.state_dir()
    owner, other = (rigged.child(state_dir, rigged.editor()) for _ in range(2))
    run = owner.do("begin")["said"]
    refused = other.do("take up", run)
    words = f"run {run} is being worked on by another Surefoot process; close that one first"
    assert (refused["done"], refused["said"]) == (False, words)
    owner.end()
    assert other.do("take up", run)["done"]
    assert other.do("apply", 0)["done"]


def test_a_run_that_another_process_wrote_all_the_same_goes_no_further_here(rigged: Rig) -> None:
    state_dir, editor = rigged.state_dir(), rigged.editor()
    owner, thief = rigged.child(state_dir, editor), rigged.child(state_dir, rigged.editor(), greedy=True)
    run = owner.do("begin")["said"]
    assert thief.do("take up", run)["done"]
    assert thief.do("skip", 2)["done"]
    written = thief.do("find")["said"]
    for does, step in (("apply", 0), ("skip", 1)):
        refused = owner.do(does, step)
        assert not refused["done"]
        assert f"run {run} has " in refused["said"]
        assert "another process has written it; nothing was done" in refused["said"]
    assert (editor.asked, editor.texts) == (0, dict(rigged.sample.texts))
    assert thief.do("find")["said"] == written
