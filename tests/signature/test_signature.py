"""Changed signatures as data: every case under tests/cases/signature, with each kind of line end and with a byte order mark."""

from pathlib import Path

import pytest

from tests.support.check_signature import check_signature

FOLDER = Path(__file__).parents[1] / "cases" / "signature"
CASES = sorted(FOLDER.rglob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
async def test_signature(case: Path, tmp_path: Path) -> None:
    await check_signature(case.read_text("utf-8"), tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
async def test_bytes_around_the_edits_stay(case: Path, tmp_path: Path) -> None:
    await check_signature(case.read_text("utf-8"), tmp_path, newline="\r\n", bom=True)
