"""What is not shown: findings that say more of the machine than of the code. They are compared like all others."""

from pathlib import Path

import pytest

from surefoot.checks.validate import Validator
from surefoot.core.change import Change, TextEdit
from surefoot.core.findings import Verdict
from surefoot.workspace.snapshot import Snapshot

CODE = "import requests\nfrom shop.stok import x\n\nprint(requests, x)\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    (tmp_path / "a.py").write_text(CODE)
    return tmp_path


async def test_a_package_is_not_said_to_be_missing_where_nobody_knows_what_is_installed(root: Path) -> None:
    validator = Validator(root)
    found = await validator.diagnose(Snapshot(root), [root / "a.py"])
    await validator.close()
    assert [(d.place.line, d.symbol) for d in found.diagnostics if d.tool == "ty"] == [(2, "shop")]


async def test_a_change_that_imports_such_a_package_anew_is_not_clean_all_the_same(root: Path) -> None:
    texts = Snapshot(root)
    validator = Validator(root)
    evidence = await validator.validate(Change((texts.edit(root / "a.py", (TextEdit(0, 0, "import nowhere_to_be_found\n"),)),)), texts)
    await validator.close()
    assert evidence.verdict is Verdict.NEW
