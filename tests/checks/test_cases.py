"""What the real tools say of a change on an overlay: the cases in `fixtures/checks/cases`, one verdict each."""

from pathlib import Path

import pytest

from surefoot.checks.settings import CheckSettings
from tests.checks.support import FIXTURES, evidence_of, render
from tests.support.fixture import parse

CASES = sorted((FIXTURES / "cases").glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
async def test_case(path: Path, tmp_path: Path, settings: CheckSettings) -> None:
    case = parse(path.read_text(encoding="utf-8"))
    evidence, _ = await evidence_of(case, tmp_path, settings)
    assert render(evidence, tmp_path) == case.sections["evidence"]


def test_there_are_cases() -> None:
    assert len(CASES) >= 20
