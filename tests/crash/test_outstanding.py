"""A process that dies while an edit of two documents is on its way: what the documents hold when they are opened again decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.crash import Child, Editor, Killed, Rig

Rigged = Callable[[str], Rig]

BEFORE = {"a.txt": "\N{GRINNING FACE} word1 word2 tail\n", "b.txt": "other word1\nword2"}
AFTER = {"a.txt": "\N{GRINNING FACE} done1 word2 tail\n", "b.txt": "other done1\nword2"}
HALF = {"a.txt": AFTER["a.txt"], "b.txt": BEFORE["b.txt"]}
TYPED = {"a.txt": AFTER["a.txt"], "b.txt": "other word1\nword2 and more"}
OTHER = {"a.txt": "\N{GRINNING FACE} word1 word2 tale\n", "b.txt": "another word1\nword2"}


@dataclass
class Reopened:
    """The new process after it has taken the run up, and the editor."""

    rig: Rig
    state_dir: Path
    editor: Editor
    child: Child

    @property
    def run(self) -> dict[str, Any]:
        """The run that was interrupted, as a person sees it."""
        return next(run for run in self.child.do("settle")["runs"] if not run["undoes"])


def reopened(rig: Rig, texts: Mapping[str, str], *, revert: bool = False) -> Reopened:
    """A process dies when the first edit, or the revert of it, has left for the editor; then the documents hold these texts."""
    editor, state_dir = rig.editor(), rig.state_dir()
    child = rig.child(state_dir, editor)
    assert child.do("begin")["done"]
    if revert:
        assert child.do("apply", 0)["done"]
    child.die = "edit arrived"
    with pytest.raises(Killed):
        child.do("revert" if revert else "apply", 0)
    editor.texts, editor.asked, editor.changes = dict(texts), 0, 0
    return _taken_up(Reopened(rig, state_dir, editor, rig.child(state_dir, editor)))


def _taken_up(desk: Reopened) -> Reopened:
    assert desk.child.do("recover")["done"]
    return desk


@pytest.fixture
def two(rig: Rigged) -> Rig:
    return rig("two documents")


def test_the_text_after_it_is_recorded(two: Rig) -> None:
    desk = reopened(two, AFTER)
    assert (desk.run["statuses"], desk.run["attention"]) == (["applied", "ready"], "")
    assert desk.editor.asked == 0
    assert desk.child.do("apply", 1)["done"]
    assert desk.run["ending"] == "done"


def test_the_text_before_it_makes_the_step_ready_again(two: Rig) -> None:
    desk = reopened(two, BEFORE)
    assert (desk.run["statuses"], desk.run["attention"]) == (["ready", "ready"], "")
    assert desk.editor.texts == BEFORE
    assert desk.child.do("apply", 0)["done"]
    assert desk.editor.texts == AFTER


def test_replayed_apply_is_noop(two: Rig) -> None:
    """On the text after it nothing is sent, on another text it is refused."""
    desk = reopened(two, AFTER)
    again = desk.child.do("apply", 0)
    assert (again["done"], again["said"]) == (False, "step 1 is applied already")
    assert (desk.editor.asked, desk.editor.texts) == (0, AFTER)
    desk = reopened(two, OTHER)
    again = desk.child.do("apply", 0)
    assert not again["done"]
    assert "wants attention" in again["said"]
    assert (desk.editor.asked, desk.editor.texts) == (0, OTHER)


def test_some_of_the_documents_are_finished(two: Rig) -> None:
    desk = reopened(two, HALF)
    assert desk.run["attention"] == "an edit was cut short when it had reached a.txt: finish it, or revert to undo it"
    assert desk.editor.texts == HALF
    assert desk.child.do("finish")["said"] == "finished: word 1"
    assert (desk.editor.texts, desk.editor.changes) == (AFTER, 1)
    assert (desk.run["statuses"], desk.run["attention"]) == (["applied", "ready"], "")
    assert not desk.child.do("finish")["done"]


def test_some_of_the_documents_are_undone(two: Rig) -> None:
    desk = reopened(two, HALF)
    assert desk.child.do("revert", 0)["done"]
    assert desk.editor.texts == BEFORE
    assert (desk.run["statuses"], desk.run["attention"]) == (["ready", "ready"], "")
    # Nothing of the half that was undone is in the way of the whole.
    assert desk.child.do("apply", 0)["done"]
    assert desk.child.do("apply", 1)["done"]
    assert desk.run["ending"] == "done"
    assert [desk.child.do("revert", 0)["said"] for _ in range(2)] == ["applied: Revert: word 2", "applied: Revert: word 1"]
    assert desk.editor.texts == BEFORE


def test_what_was_undone_by_hand_needs_no_edit(two: Rig) -> None:
    desk = reopened(two, HALF)
    desk.editor.texts = dict(BEFORE)
    desk.child.do("changed", desk.editor.texts)
    assert desk.child.do("revert", 0)["done"]
    assert (desk.run["statuses"], desk.run["attention"], desk.editor.asked) == (["ready", "ready"], "", 0)


def test_a_half_over_which_somebody_typed_is_not_finished(two: Rig) -> None:
    desk = reopened(two, TYPED)
    assert desk.run["attention"] == "an edit was cut short when it had reached a.txt and the buffer changed: b.txt"
    refused = desk.child.do("finish")
    assert (refused["done"], refused["said"]) == (False, "not finished: b.txt has changed since; revert to undo the half that is there")
    assert (desk.editor.asked, desk.editor.texts) == (0, TYPED)
    assert desk.child.do("revert", 0)["done"]
    assert desk.editor.texts == {"a.txt": BEFORE["a.txt"], "b.txt": TYPED["b.txt"]}


def test_another_text_wants_attention_and_is_left_alone(two: Rig) -> None:
    desk = reopened(two, OTHER)
    assert desk.run["attention"] == "an edit was cut short and the buffer changed: a.txt, b.txt"
    for asked in ("finish", "apply"):
        assert not desk.child.do(asked, *([0] if asked == "apply" else []))["done"]
    assert (desk.editor.asked, desk.editor.texts) == (0, OTHER)
    assert desk.child.do("resume")["done"]
    assert (desk.run["statuses"], desk.run["attention"]) == (["ready", "ready"], "")
    assert desk.child.do("apply", 0)["done"]
    assert desk.editor.texts == {"a.txt": "\N{GRINNING FACE} done1 word2 tale\n", "b.txt": "another done1\nword2"}


@pytest.mark.parametrize(
    ("texts", "does", "left", "status"),
    [
        (BEFORE, "", BEFORE, "reverted"),
        (AFTER, "", AFTER, "applied"),
        ({"a.txt": BEFORE["a.txt"], "b.txt": AFTER["b.txt"]}, "finish", BEFORE, "reverted"),
        ({"a.txt": BEFORE["a.txt"], "b.txt": AFTER["b.txt"]}, "revert", AFTER, "applied"),
    ],
)
def test_a_revert_is_settled_in_the_same_way(two: Rig, texts: Mapping[str, str], does: str, left: Mapping[str, str], status: str) -> None:
    desk = reopened(two, texts, revert=True)
    if does:
        assert "reached a.txt" in desk.run["attention"]
        assert desk.child.do(does, *([0] if does == "revert" else []))["done"]
    assert (desk.run["statuses"][0], desk.run["attention"], desk.editor.texts) == (status, "", left)


@pytest.mark.parametrize("does", ["finish", "revert"])
def test_a_kill_while_half_an_edit_is_put_right(two: Rig, count: Callable[[str, int], None], does: str) -> None:
    """Whoever asks again gets there, and no document is edited twice."""
    args = [0] if does == "revert" else []
    desk = reopened(two, HALF)
    passed = len(desk.child.life.passed)
    assert desk.child.do(does, *args)["done"]
    kills = range(0, len(desk.child.life.passed) - passed, 1 if does == "finish" else 3)
    want = desk.editor.texts
    for kill in kills:
        desk = reopened(two, HALF)
        desk.child.kill = len(desk.child.life.passed) + kill
        with pytest.raises(Killed):
            desk.child.do(does, *args)
        desk.child = two.child(desk.state_dir, desk.editor)
        _taken_up(desk)
        if desk.run["attention"]:
            assert desk.child.do(does, *args)["done"]
        assert (desk.editor.texts, desk.run["attention"], desk.editor.changes) == (want, "", 1)
        assert desk.run["statuses"][0] == ("applied" if does == "finish" else "ready")
        desk.child.end()
    count("kills while half an edit is put right", len(kills))
