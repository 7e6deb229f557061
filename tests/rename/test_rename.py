"""Renames as data: every case under tests/cases/rename, with each kind of line end and with a byte order mark."""

from pathlib import Path

import pytest

from tests.support.check_rename import check_rename

FOLDER = Path(__file__).parents[1] / "cases" / "rename"
CASES = sorted(FOLDER.rglob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
async def test_rename(case: Path, tmp_path: Path) -> None:
    await check_rename(case.read_text("utf-8"), tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
async def test_bytes_around_the_edits_stay(case: Path, tmp_path: Path) -> None:
    await check_rename(case.read_text("utf-8"), tmp_path, newline="\r\n", bom=True)


async def test_rename_three_files(tmp_path: Path) -> None:
    """The service, its user and its test: each call site is found before the first edit, and all three files hold at once."""
    await check_rename((FOLDER / "typescript" / "three_files.txt").read_text("utf-8"), tmp_path)
