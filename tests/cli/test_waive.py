"""`surefoot run --waive`: a person lets one site be, and the checks still have to hold."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SHOP = {
    "stock.py": "def get_stock() -> int:\n    return 1\n",
    "names.py": 'NAMES = ["stock.get_stock", "stock.other"]\n\nOTHER = "stock.get_stock"\n',
    "use.py": "from stock import get_stock\n\nprint(get_stock())\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in SHOP.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(root: Path, *more: str) -> tuple[int, Any, str]:
    words = [sys.executable, "-m", "surefoot", "run", "rename get_stock to stock_of", "--root", str(root), "--json", *more]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def test_strings_that_are_let_be_are_asked_about_no_more(root: Path) -> None:
    code, answer, _ = run(root)
    assert code == 3
    assert "2 strings resolve" in answer["refused"]["reason"]
    code, answer, err = run(root, "--waive", "names.py:1:17", "--waive", "names.py:3:16", "--apply")
    assert (code, answer["status"]) == (0, "done"), err
    assert (root / "names.py").read_text() == SHOP["names.py"]
    assert (root / "stock.py").read_text().startswith("def stock_of(")
    report = Path(answer["report"]).with_suffix(".md").read_text()
    assert "a person lets the site at names.py:1:17 be: asked for with --waive" in report
    assert "5 sites in 3 files: 3 updated, 2 waived" in report


def test_a_use_that_is_let_be_breaks_and_is_not_offered(root: Path) -> None:
    code, answer, _ = run(root, "--waive", "use.py:1:19", "--waive", "names.py:1:17", "--waive", "names.py:3:16", "--apply")
    assert code == 3
    assert "use.py" in answer["refused"]["reason"]
    assert {name: (root / name).read_text() for name in SHOP} == SHOP


@pytest.mark.parametrize(
    ("place", "code", "words"),
    [
        ("names.py", 2, "give a site as PATH:LINE:COLUMN"),
        ("names.py:90:1", 2, "names.py:90:1 is no place"),
        ("gone.py:1:1", 2, "there is no such file"),
        ("names.py:2:1", 3, "no site of `get_stock` stands at names.py:2:1"),
    ],
)
def test_a_place_that_is_no_site(root: Path, place: str, code: int, words: str) -> None:
    got, answer, err = run(root, "--waive", place)
    assert got == code
    assert words in (answer["refused"]["reason"] if answer else err)


def test_the_ledger_is_counted_in_the_plan_in_the_step_and_in_the_report(root: Path) -> None:
    (root / "use.py").write_text("from stock import get_stock as g\nfrom stock import get_stock\n\nprint(get_stock(), g())\n")
    code, answer, err = run(root, "--waive", "names.py:1:17", "--waive", "names.py:3:16", "--apply")
    assert (code, answer["status"]) == (0, "done"), err
    planned, done = "8 sites in 3 files: 4 to update, 2 fit, 2 waived", "8 sites in 3 files: 4 updated, 2 fit, 2 waived"
    assert f"  planned: {planned}\n" in err
    [step] = answer["steps"]
    assert step["sites"] == 8
    page = Path(answer["report"])
    words = page.with_suffix(".md").read_text()
    assert f"## Sites when planned: {planned}" in words
    assert f"Rename get_stock to stock_of · {done} · +4 −4" in words
    assert f"{planned}." in page.read_text()
    assert done in page.read_text()
