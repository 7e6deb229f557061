"""The example shop works as it is, and `npm start` renames in a copy of it."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHOP = ROOT / "examples" / "shop"
TSC = ["node", str(ROOT / "node_modules" / "typescript" / "bin" / "tsc")]


def run(command: list[str], folder: Path) -> str:
    """Standard output of `command`; its other words when it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_shop(shop: Path, built: Path) -> None:
    """Its Python tests pass, its TypeScript checks, and its TypeScript tests pass once compiled, which old Nodes need."""
    run([sys.executable, "-B", "-m", "unittest", "-q"], shop)
    run([*TSC, "--project", str(shop), "--noEmit", "false", "--outDir", str(built)], shop)
    (built / "package.json").write_text('{"type": "module"}')
    run(["node", "--test", "test/prices.test.js"], built)


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file below `folder`."""
    files = [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_the_shop_is_green(tmp_path: Path) -> None:
    check_shop(SHOP, tmp_path)


def test_a_broken_shop_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "test_red.py").write_text(
        "import unittest\n\nclass Red(unittest.TestCase):\n    def test_red(self):\n        self.fail('red')\n"
    )
    with pytest.raises(AssertionError, match="red"):
        check_shop(tmp_path, tmp_path)


def test_the_main_job_renames_in_a_copy(tmp_path: Path) -> None:
    before = contents(SHOP)
    told = run([sys.executable, str(ROOT / "examples" / "drive_shop.py"), "--keep", str(tmp_path / "kept")], ROOT)
    assert contents(SHOP) == before, "the shop itself was written"
    copy = tmp_path / "kept" / "shop"
    assert told.count("applied; report: ") == 2, told
    for old, new, files in [("getPrice(", "priceFor(", 2), ("get_stock(", "free_stock(", 3)]:
        sources = [file.read_text(encoding="utf-8") for file in copy.rglob("*.[tp][sy]")]
        assert not any(old in text for text in sources)
        assert sum(new in text for text in sources) >= files
    check_shop(copy, tmp_path / "built")
    assert all(report.stat().st_size for report in (tmp_path / "kept" / "reports").glob("*.md"))
