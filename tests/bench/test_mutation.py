"""The mutation check on the shop: errors that the tools' own command lines report are planted one by one, and none passes with a tick."""

import json
from pathlib import Path

import pytest
from bench.mutation.measure import Answer, Measured
from bench.mutation.plant import PYTHON, TYPESCRIPT, Grammar, Kind, Planted, planted
from bench.mutation.run import main, shown

from surefoot.checks.install import install_typescript
from surefoot.core.findings import Verdict

SHOP = Path(__file__).parents[2] / "examples" / "shop"
LANGUAGES = {"python": (PYTHON, ".py"), "typescript": (TYPESCRIPT, ".ts")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_planted_error_passes(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    install_typescript()
    before = {path: path.read_bytes() for path in SHOP.rglob("*") if path.is_file()}
    assert main(["--repo", str(SHOP), "--language", language, "--each", "4", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["passed"], row["not validated"]) == ([], 0)
    assert row["caught"] == row["confirmed"] >= 12
    assert row["kinds"][str(Kind.CALLER)] >= 3
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(("grammar", "suffix"), LANGUAGES.values(), ids=LANGUAGES)
def test_errors_are_planted_on_one_line_each_and_by_the_seed(grammar: Grammar, suffix: str) -> None:
    files = {path.name: path.read_text() for path in SHOP.rglob(f"*{suffix}")}
    made = planted(files, grammar, 3, 7)
    assert made == planted(files, grammar, 3, 7)
    assert made != planted(files, grammar, 3, 8)
    for error in made:
        assert "\n" not in error.text
        assert error.text != files[error.path].split("\n")[error.line - 1]


def test_one_that_passes_is_named_and_fails_the_bench() -> None:
    error = Planted(Kind.TYPE, "a.py", 3, "    return object()", "return")
    row = shown("small", Measured("ty", (Answer(error, Verdict.CLEAN, 0.1), Answer(error, Verdict.NEW, 0.1)), (error,)))
    assert row["passed"] == ["type mismatch: a.py:3 return object()"]
    assert (row["caught"], row["out of reach"]) == (1, ["type mismatch: a.py:3 return object()"])
