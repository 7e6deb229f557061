"""`surefoot runs report` and the files that a run leaves."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from surefoot.report.data import schema
from tests.cli.test_cli import SHOP, run, surefoot
from tests.report.test_forms import check_page


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A folder in which one run is done, and what that run answered."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in SHOP.items():
        (folder / name).write_text(text)
    code, answer, told = run(folder, "rename get_stock to stock_of", "--apply")
    assert code == 0, told
    return folder, answer


def is_json(text: str) -> bool:
    Draft202012Validator(schema()).validate(json.loads(text))
    return True


def is_page(text: str) -> bool:
    return "stock_of" in check_page(text).text


def is_markdown(text: str) -> bool:
    return text.startswith("# rename get_stock to stock_of\n") and "```diff" in text


def test_a_run_leaves_a_page_and_beside_it_markdown_and_json(shop: tuple[Path, Any]) -> None:
    page = Path(shop[1]["report"])
    assert page.suffix == ".html"
    assert is_page(page.read_text(encoding="utf-8"))
    assert is_markdown(page.with_suffix(".md").read_text(encoding="utf-8"))
    assert is_json(page.with_suffix(".json").read_text(encoding="utf-8"))
    assert {file.suffix for file in page.parent.iterdir()} == {".html", ".md", ".json"}


FORMATS = [
    ((), is_markdown),
    (("--format", "markdown"), is_markdown),
    (("--format", "text"), is_markdown),
    (("--format", "json"), is_json),
    (("--json",), is_json),
    (("--format", "html"), is_page),
    (("--format", "html", "--json"), is_page),
]


@pytest.mark.parametrize(("words", "fits"), FORMATS)
def test_on_standard_output(words: tuple[str, ...], fits: Callable[[str], bool], shop: tuple[Path, Any]) -> None:
    done = surefoot("runs", "report", shop[1]["run"], "--root", shop[0], *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert fits(done.stdout)


FILES = [
    ("report.html", (), is_page),
    ("report.HTM", (), is_page),
    ("report.json", (), is_json),
    ("report.md", (), is_markdown),
    ("report", (), is_markdown),
    ("report.html", ("--format", "json"), is_json),
]


@pytest.mark.parametrize(("name", "words", "fits"), FILES)
def test_in_a_file_whose_name_says_the_form(
    name: str, words: tuple[str, ...], fits: Callable[[str], bool], shop: tuple[Path, Any], tmp_path: Path
) -> None:
    file = tmp_path / name
    done = surefoot("runs", "report", shop[1]["run"], "--root", shop[0], "--output", file, *words)
    assert (done.returncode, done.stdout) == (0, "")
    assert str(file) in done.stderr
    assert fits(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("run_name", "output", "code", "words"),
    [
        ("r00000000", "report.html", 3, "there is no run r00000000"),
        ("", "no/such/folder/report.html", 2, "cannot be written"),
        ("", ".", 2, "cannot be written"),
    ],
)
def test_bad_input_is_a_sentence(run_name: str, output: str, code: int, words: str, shop: tuple[Path, Any], tmp_path: Path) -> None:
    done = surefoot("runs", "report", run_name or shop[1]["run"], "--root", shop[0], "--output", tmp_path / output)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []
