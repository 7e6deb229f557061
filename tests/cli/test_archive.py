"""Runs as files, from the terminal: export, import, replay, resume, gc; and each bad input as one clear sentence."""

import json
import sqlite3
from pathlib import Path

import pytest

from surefoot.journal.journal import Journal, folder_of, state_dir
from tests.cli.test_cli import SHOP, run, surefoot, texts

RECORDED = Path(__file__).resolve().parent.parent / "fixtures" / "runs"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    return folder


def check_words(code: int, words: str, *command: str | Path) -> str:
    """The command ends with `code` and says `words` on standard error; the rest of what it said."""
    done = surefoot(*command)
    assert done.returncode == code, done.stderr
    assert words in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("recorded", sorted(RECORDED.glob("*.json")), ids=lambda p: p.stem)
def test_recorded_runs_of_the_sample_projects_replay(recorded: Path, tmp_path: Path) -> None:
    check_words(0, "is here now", "runs", "import", recorded, "--root", tmp_path)
    name = json.loads(recorded.read_text())["run"]
    done = surefoot("replay", name, "--root", tmp_path, "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["same"], answer["first"]) == (0, True, None), answer
    assert answer["computed"] >= 0.8 * answer["events"]


def test_there_are_recorded_runs_to_replay() -> None:
    assert len(list(RECORDED.glob("*.json"))) >= 4


def test_a_run_is_exported_imported_elsewhere_and_replayed(root: Path, tmp_path: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of", "--apply")
    name, file, other = answer["run"], tmp_path / "run.json", tmp_path / "other"
    other.mkdir()
    check_words(0, "look before you send it", "runs", "export", name, "--output", file, "--root", root)
    check_words(0, "is here now", "runs", "import", file, "--root", other)
    check_words(0, "is here already", "runs", "import", file, "--root", other)
    replayed = surefoot("replay", name, "--root", other)
    assert (replayed.returncode, "the same" in replayed.stdout) == (0, True), replayed.stdout
    listed = json.loads(surefoot("runs", "list", "--root", other, "--json").stdout)
    assert [(r["id"], r["status"], r["steps"]) for r in listed["runs"]] == [(name, "done", 1)]


def test_an_imported_run_that_is_open_is_not_worked_on(root: Path, tmp_path: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    file, other = tmp_path / "run.json", tmp_path / "other"
    other.mkdir()
    surefoot("runs", "export", answer["run"], "--output", file, "--root", root)
    surefoot("runs", "import", file, "--root", other)
    before = texts(root)
    for command in ("apply", "resume"):
        check_words(3, "it can be read and replayed", command, answer["run"], "--root", other)
    assert texts(root) == before


def test_a_hand_edited_row_stops_the_run_and_resume_goes_on_from_what_is_whole(root: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    name = answer["run"]
    with sqlite3.connect(folder_of(root, state_dir()) / "journal.sqlite") as db:
        db.execute("UPDATE events SET body = replace(body, 'stock_of', 'stock_in') WHERE run = ? AND seq > 8", (name,))
    db.close()
    shown = json.loads(surefoot("runs", "show", name, "--root", root, "--json").stdout)
    assert shown["status"] == "attention"
    check_words(3, "has a damaged row", "runs", "export", name, "--output", root / "x.json", "--root", root)
    replayed = surefoot("replay", name, "--root", root)
    assert (replayed.returncode, "is damaged" in replayed.stdout) == (1, True), replayed.stdout
    assert surefoot("apply", name, "--root", root, "--json").returncode == 4
    assert texts(root) == {path: text.encode() for path, text in SHOP.items()}
    resumed = surefoot("resume", name, "--root", root, "--json", "--apply")
    assert resumed.returncode == 0, resumed.stderr
    assert "it had stopped" in resumed.stderr
    assert "def stock_of" in (root / "stock.py").read_text()


def test_what_cannot_be_read_is_one_sentence_and_nothing_is_lost(root: Path, tmp_path: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    file = tmp_path / "run.json"
    surefoot("runs", "export", answer["run"], "--output", file, "--root", root)
    torn = tmp_path / "torn.json"
    torn.write_bytes(file.read_bytes()[:2000])
    check_words(3, "ends too early", "runs", "import", torn, "--root", root)
    check_words(3, "could not be read", "runs", "import", tmp_path / "none.json", "--root", root)
    check_words(3, "could not be written", "runs", "export", answer["run"], "--output", tmp_path, "--root", root)
    for command in (("replay", "r0"), ("resume", "r0"), ("apply", "r0"), ("runs", "show", "r0"), ("runs", "report", "r0")):
        check_words(3, "there is no run r0: `surefoot runs list`", *command, "--root", root)
    assert surefoot("runs", "export", answer["run"], "--root", root).returncode == 2
    with sqlite3.connect(folder_of(root, state_dir()) / "journal.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    check_words(3, "written by a newer Surefoot", "runs", "list", "--root", root)
    with sqlite3.connect(folder_of(root, state_dir()) / "journal.sqlite") as db:
        db.execute("PRAGMA user_version = 2")
    db.close()
    journal = Journal(root, state_dir())
    assert journal.load(answer["run"]).steps[0].offered
    journal.close()


def test_gc_lets_closed_runs_go_and_says_what_it_did(root: Path) -> None:
    run(root, "rename get_stock to stock_of", "--apply")
    _, waiting, _ = run(root, "rename missing to absent")
    check_words(0, "0 closed runs let go", "runs", "gc", "--root", root)
    check_words(0, "1 closed runs let go", "runs", "gc", "--days", "0", "--root", root)
    listed = json.loads(surefoot("runs", "list", "--root", root, "--json").stdout)
    assert [r["id"] for r in listed["runs"]] == [waiting["run"]]
