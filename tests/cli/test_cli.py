"""The terminal, as a person uses it: the real program in a process of its own, on real files with the real checkers."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHOP = {
    "stock.py": 'def get_stock(shelf: dict[str, int], name: str) -> int:\n    """What is left."""\n    return shelf.get(name, 0)\n',
    "orders.py": "from stock import get_stock\n\n\ndef missing(shelf: dict[str, int]) -> int:\n    return 3 - get_stock(shelf, 'tea')\n",
    "report.py": "from stock import get_stock as free\n\nprint(free({}, 'cup'))\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    return folder


def surefoot(*words: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "surefoot", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})


def run(root: Path, task: str, *more: str) -> tuple[int, Any, str]:
    done = surefoot("run", task, "--root", root, "--json", *more)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def texts(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def check_refused(root: Path, task: str, *words: str, code: int = 3) -> None:
    """The run ends with `code`, its reason holds all of `words`, and no byte and no modification time has changed."""
    before, times = texts(root), {p: p.stat().st_mtime_ns for p in root.rglob("*")}
    got, answer, err = run(root, task, "--apply")
    told = answer["refused"]["reason"] if answer else err
    assert got == code, told
    for word in words:
        assert word in told
    assert texts(root) == before
    assert {p: p.stat().st_mtime_ns for p in root.rglob("*")} == times


def test_without_apply_nothing_is_written_and_the_steps_wait(root: Path) -> None:
    before = texts(root)
    code, answer, _ = run(root, "rename get_stock to stock_of")
    assert (code, answer["status"], answer["refused"]) == (0, "open", None)
    (step,) = answer["steps"]
    assert step["files"] == ["orders.py", "report.py", "stock.py"]
    assert step["evidence"]["verdict"] == "clean"
    assert {"ruff", "ty"} <= {c["tool"] for c in step["evidence"]["checks"]}
    assert "+def stock_of(" in step["diff"]
    assert texts(root) == before


def test_a_waiting_run_is_applied_later(root: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    done = surefoot("apply", answer["run"], "--root", root, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["status"] == "done"
    assert (root / "orders.py").read_text() == SHOP["orders.py"].replace("get_stock", "stock_of")
    assert (root / "report.py").read_text() == SHOP["report.py"].replace("get_stock", "stock_of")
    again = surefoot("apply", answer["run"], "--root", root, "--json")
    assert json.loads(again.stdout)["status"] == "done"


def test_a_file_that_changed_since_is_checked_again_and_kept(root: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    with (root / "orders.py").open("a") as file:
        file.write("\n\nprint(get_stock({}, 'milk'))\n")
    done = surefoot("apply", answer["run"], "--root", root, "--json")
    assert done.returncode == 0, done.stderr
    assert "print(stock_of({}, 'milk'))" in (root / "orders.py").read_text()


def test_a_new_file_that_uses_the_old_name_is_found_before_anything_is_applied(root: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of")
    (root / "late.py").write_text("from stock import get_stock\n\nprint(get_stock({}, 'milk'))\n")
    done = surefoot("apply", answer["run"], "--root", root, "--json")
    assert done.returncode == 0, done.stderr
    assert (root / "late.py").read_text() == "from stock import stock_of\n\nprint(stock_of({}, 'milk'))\n"


def test_bytes_outside_the_edits_stay(root: Path) -> None:
    (root / "orders.py").write_bytes(b"\xef\xbb\xbf" + SHOP["orders.py"].replace("\n", "\r\n").encode().rstrip() + b"  # \xf0\x9f\x8d\xb5")
    before = (root / "orders.py").read_bytes()
    code, _, err = run(root, "rename get_stock to stock_of", "--apply")
    assert code == 0, err
    assert (root / "orders.py").read_bytes() == before.replace(b"get_stock", b"stock_of")


def test_runs_are_listed_shown_and_reported(root: Path) -> None:
    _, answer, _ = run(root, "rename get_stock to stock_of", "--apply")
    listed = json.loads(surefoot("runs", "list", "--root", root, "--json").stdout)["runs"]
    assert [(r["id"], r["status"], r["steps"]) for r in listed] == [(answer["run"], "done", 1)]
    assert "stock_of" in surefoot("runs", "show", answer["run"], "--root", root).stdout
    report = surefoot("runs", "report", answer["run"], "--root", root).stdout
    assert report == Path(answer["report"]).with_suffix(".md").read_text()
    assert "Accomplished: applied" in report


def test_a_name_that_is_not_there(root: Path) -> None:
    check_refused(root, "rename get_stok to stock_of", "get_stok", "get_stock")


def test_a_name_with_several_definitions_lists_them(root: Path) -> None:
    (root / "other.py").write_text("def get_stock() -> int:\n    return 1\n")
    code, answer, _ = run(root, "rename get_stock to stock_of")
    assert code == 3
    assert [(c["path"], c["line"]) for c in answer["refused"]["candidates"]] == [("other.py", 1), ("stock.py", 1)]
    shown = surefoot("run", "rename get_stock to stock_of", "--root", root)
    assert "stock.py:1:5" in shown.stdout
    code, answer, _ = run(root, "rename stock.py:get_stock to stock_of")
    assert code == 0


def test_a_file_that_does_not_parse_and_holds_a_site(root: Path) -> None:
    (root / "orders.py").write_text("from stock import get_stock\n\ndef broken(:\n    return get_stock({}, 'x')\n")
    check_refused(root, "rename get_stock to stock_of", "orders.py")


def test_a_read_only_file(root: Path) -> None:
    (root / "orders.py").chmod(0o444)
    before = texts(root)
    done = surefoot("run", "rename get_stock to stock_of", "--root", root, "--apply", "--json")
    assert done.returncode == 3
    assert "orders.py is read-only" in done.stderr, done.stderr
    assert texts(root) == before


def test_a_file_that_is_not_utf8_and_holds_the_name(root: Path) -> None:
    (root / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nfrom stock import get_stock\nprint(get_stock({}, '\xe9'))\n")
    before = texts(root)
    code, answer, _ = run(root, "rename get_stock to stock_of", "--apply")
    assert code == 3
    assert "latin.py" in answer["refused"]["reason"]
    assert texts(root) == before


def test_a_name_that_may_be_in_a_file_that_could_not_be_read(root: Path) -> None:
    (root / "old.py").write_bytes(b"# caf\xe9\ndef elsewhere():\n    pass\n")
    check_refused(root, "rename elsewhere to here", "old.py could not be looked at", "not UTF-8")


def test_data_and_prose_follow_where_a_person_asks_for_it(root: Path) -> None:
    (root / "pyproject.toml").write_text('[project.scripts]\nstock = "stock:get_stock"\n')
    (root / "README.md").write_text("Call `get_stock`.\n")
    code, answer, _ = run(root, "rename get_stock to stock_of including strings including comments", "--apply")
    assert (code, answer["status"]) == (0, "done")
    assert "pyproject.toml: no checker for this kind of file" in answer["steps"][0]["evidence"]["not_run"]
    assert (root / "pyproject.toml").read_text().endswith('"stock:stock_of"\n')
    assert "stock_of" in (root / "README.md").read_text()


def test_what_may_be_a_site_and_is_left_is_shown(root: Path) -> None:
    (root / "shelf.py").write_text("class Shelf:\n    def take(self) -> int:\n        return 1\n\n\ndef use(it):\n    return it.take()\n")
    code, answer, _ = run(root, "rename Shelf.take to pick")
    assert code == 0
    assert [(s["path"], s["line"], s["column"], s["tier"]) for s in answer["left"]] == [("shelf.py", 7, 15, "likely")]
    shown = surefoot("apply", answer["run"], "--root", root).stdout
    assert "1 likely left" in shown
    assert "shelf.py:7:15" in shown


def test_a_name_that_is_taken(root: Path) -> None:
    check_refused(root, "rename get_stock to missing", "missing", "orders.py")


def test_no_task_and_no_folder_are_usage(root: Path) -> None:
    check_refused(root, "please do something", "rename OLD to NEW", code=2)
    done = surefoot("run", "rename a to b", "--root", root / "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a folder" in done.stderr


def test_a_checker_that_is_missing_is_not_validated_and_says_how_to_get_it(root: Path, tmp_path: Path) -> None:
    (root / "a.ts").write_text("export function one(): number {\n  return 1;\n}\n")
    (root / "tsconfig.json").write_text('{"compilerOptions": {"strict": true}}')
    before = texts(root)
    env = {"XDG_CACHE_HOME": str(tmp_path / "empty"), "PATH": "/nonexistent"}
    done = surefoot("run", "rename one to two", "--root", root, "--apply", "--json", env=env)
    assert done.returncode == 3
    reason = json.loads(done.stdout)["refused"]["reason"]
    assert "not validated" in reason
    assert "surefoot doctor --install" in reason
    assert texts(root) == before


def test_an_unknown_run(root: Path) -> None:
    done = surefoot("apply", "r0", "--root", root)
    assert (done.returncode, done.stdout) == (3, "")
    assert "surefoot runs list" in done.stderr


@pytest.mark.parametrize("command", ["run", "apply", "sites", "runs", "doctor"])
def test_help_shows_an_example(command: str) -> None:
    assert "example" in surefoot(command, "--help").stdout


UNWRITTEN = {
    "m.py": (
        "class T:\n    def total(self) -> int:\n        return 1\n\n\n"
        "def use(items: list[T]) -> int:\n    return sum(t.total() for t in items)\n"
    ),
    "n.py": "from m import T\n\nfor t in [T()]:\n    print(t.total())\n",
    "o.py": "class Other:\n    def total(self) -> int:\n        return 2\n\n\nfor other in [Other()]:\n    print(other.total())\n",
}


def test_a_use_that_only_a_checker_can_follow_is_taken_into_the_next_plan(tmp_path: Path) -> None:
    for name, text in UNWRITTEN.items():
        (tmp_path / name).write_text(text)
    code, answer, _ = run(tmp_path, "rename T.total to whole", "--apply")
    assert code == 0, answer["refused"]
    assert (tmp_path / "m.py").read_text() == UNWRITTEN["m.py"].replace("total", "whole")
    assert (tmp_path / "n.py").read_text() == UNWRITTEN["n.py"].replace("total", "whole")
    assert (tmp_path / "o.py").read_text() == UNWRITTEN["o.py"]
    report = Path(answer["report"]).with_suffix(".md").read_text()
    assert "re-planned: The result must hold this: the use at n.py:4 is one of the symbol" in report


def test_a_refusal_after_a_check_says_what_the_check_said(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(
        "from typing import Protocol\n\n\nclass P(Protocol):\n    def go(self) -> int: ...\n\n\n"
        "class A:\n    def go(self) -> int:\n        return 1\n\n\ndef run(p: P) -> int:\n    return p.go()\n\n\nrun(A())\n"
    )
    check_refused(tmp_path, "rename A.go to walk", "ty finds something new at m.py:17")
