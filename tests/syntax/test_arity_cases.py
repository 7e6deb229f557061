"""What becomes of calls when a signature changes, as data: one case a file, below the language that it is about."""

from pathlib import Path

import pytest

from surefoot.syntax.arity_rules import rules_of
from surefoot.syntax.index import Index
from surefoot.syntax.languages import LANGUAGES
from tests.support.check_arity import check_arity

CASES = Path(__file__).parents[1] / "cases" / "arity"


@pytest.fixture(scope="module")
def index() -> Index:
    return Index()


@pytest.mark.parametrize("case", sorted(CASES.rglob("*.txt")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_calls_under_a_new_signature(case: Path, tmp_path: Path, index: Index) -> None:
    check_arity(case, tmp_path, index)


@pytest.mark.parametrize("language", [language.name for language in LANGUAGES if (CASES / language.name).is_dir()])
def test_a_language_with_cases_has_a_line(language: str) -> None:
    assert rules_of(language) is not None


def test_a_language_without_a_line_has_no_rules() -> None:
    assert rules_of("cobol") is None
