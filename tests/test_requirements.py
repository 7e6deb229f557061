"""A requirement that is called resolved has a test that exists."""

from pathlib import Path

import pytest

from tests.support.requirements import collect_tests, faults, read_requirements

ROOT = Path(__file__).resolve().parent.parent
COLLECTED = {"tests/test_a.py::test_one", "tests/test_a.py::test_two[rename_three_files]", "tests/vscode/a.test.mjs::the menu opens"}


def test_every_resolved_requirement_has_its_tests() -> None:
    requirements = read_requirements((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))
    assert faults(requirements, collect_tests(ROOT)) == []


@pytest.mark.parametrize(
    ("resolved", "tests", "expected"),
    [
        ('["A1"]', 'A1 = ["tests/test_a.py::test_one"]', []),
        ('["A1"]', 'A1 = ["tests/test_a.py::test_two"]', []),
        ('["A2"]', 'A2 = ["tests/vscode/a.test.mjs::the menu opens"]', []),
        ('["rename_three_files"]', 'rename_three_files = ["tests/test_a.py::test_two[rename_three_files]"]', []),
        ('["A1"]', "", ["A1: resolved in first, but no test shows it"]),
        ('["A1"]', "A1 = []", ["A1: resolved in first, but no test shows it"]),
        ('["A3"]', 'A3 = ["tests/test_a.py::test_one"]', ["A3: no such requirement"]),
        ("[]", 'A1 = ["tests/test_a.py::test_gone"]', ["A1: tests/test_a.py::test_gone does not exist"]),
        ("[]", 'rename_three_files = ["tests/test_a.py::test_one"]', ["rename_three_files: none of its tests bears that name"]),
    ],
)
def test_faults_are_named(resolved: str, tests: str, expected: list[str]) -> None:
    text = f'[ids]\nA = 2\nnames = ["rename_three_files"]\n[resolved]\nfirst = {resolved}\n[tests]\n{tests}\n'
    assert faults(read_requirements(text), COLLECTED) == expected


def test_collection_sees_pytest_and_node_tests(tmp_path: Path) -> None:
    (tmp_path / "test_small.py").write_text("def test_one():\n    pass\n")
    suite = tmp_path / "tests" / "vscode" / "menu.test.mjs"
    suite.parent.mkdir(parents=True)
    suite.write_text('test("the menu opens", () => {});\n')
    assert collect_tests(tmp_path) == {"test_small.py::test_one", "tests/vscode/menu.test.mjs::the menu opens"}
