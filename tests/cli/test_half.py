"""An edit that was cut short between two files: the terminal says so, forgets nothing, and finishes it or takes it back."""

import json
from pathlib import Path

import pytest

from surefoot.core.change import apply_edits
from surefoot.journal.journal import Journal, state_dir
from surefoot.run.events import Action, Authority, Delivery, Intended, Lane, Permitted
from tests.cli.test_cli import SHOP, run, surefoot, texts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    return folder


def cut_short(root: Path) -> tuple[str, str]:
    """A ready run, and what a process leaves that dies after the first of its files: the run's name, and that of the file."""
    _, answer, _ = run(root, "rename get_stock to stock_of")
    journal = Journal(root, state_dir())
    state = journal.load(answer["run"])
    draft = state.steps[0].draft
    assert draft is not None
    action = Action(state.run, Lane.DELIVERY, Delivery.APPLY, 0, 1, state.actions, draft.change.digest)
    journal.commit(state, Intended(action), Permitted(action.id, True, Authority.PERSON), at=1.0)
    journal.close()
    first = draft.change.files[0]
    first.path.write_bytes(apply_edits(first.path.read_bytes(), first.edits))
    return state.run, first.path.name


def changed(root: Path) -> dict[str, bytes]:
    return {name: text.replace("get_stock", "stock_of").encode() for name, text in SHOP.items()}


def test_half_an_edit_is_said_and_never_forgotten(root: Path) -> None:
    name, file = cut_short(root)
    before = texts(root)
    applied = surefoot("apply", name, "--root", root)
    assert applied.returncode == 4
    assert f"cut short when it had reached {file}" in applied.stdout + applied.stderr
    assert f"surefoot resume {name} --finish or --undo" in applied.stdout
    resumed = surefoot("resume", name, "--root", root)
    assert (resumed.returncode, "finish it, or undo it" in resumed.stderr) == (4, True), resumed.stderr
    assert texts(root) == before
    shown = json.loads(surefoot("runs", "report", name, "--root", root, "--json").stdout)
    stands = {d["path"]: d["stand"] for d in shown["workspace"]["documents"]}
    assert stands[file] == "cut short"


def test_half_an_edit_is_finished(root: Path) -> None:
    name, _ = cut_short(root)
    done = surefoot("resume", name, "--finish", "--apply", "--root", root, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "done"
    assert texts(root) == changed(root)


def test_half_an_edit_is_undone_and_the_run_can_be_applied_after_that(root: Path) -> None:
    name, _ = cut_short(root)
    undone = surefoot("resume", name, "--undo", "--root", root, "--json")
    assert undone.returncode == 0, undone.stderr
    assert texts(root) == {file: text.encode() for file, text in SHOP.items()}
    assert json.loads(undone.stdout)["status"] == "open"
    applied = surefoot("apply", name, "--root", root, "--json")
    assert applied.returncode == 0, applied.stderr
    assert texts(root) == changed(root)
