"""A project's settings: what they set, and where and how each mistake is told."""

from pathlib import Path

import pytest

from surefoot.core.errors import Unusable
from surefoot.policy.settings import limits_of
from surefoot.run.limits import Limits

GOOD = (
    ("surefoot.toml", "", Limits()),
    ("surefoot.toml", "[limits]\ntokens = 50_000\n", Limits(tokens=50_000)),
    ("surefoot.toml", "limits = { tokens = 50000, dollars = 2.5 }\n", Limits(tokens=50_000, micros=2_500_000)),
    ("surefoot.toml", "[limits]\ndollars = 1\ndiff_soft = 30\ndiff_hard = 90\n", Limits(micros=1_000_000, diff_soft=30, diff_hard=90)),
    ("pyproject.toml", '[project]\nname = "x"\n', Limits()),
    ("pyproject.toml", "[tool.surefoot.limits]\ntokens = 9000\n", Limits(tokens=9_000)),
    # Whoever owns a broken pyproject.toml is told by his own tools.
    ("pyproject.toml", "[tool.surefoot.limits\n", Limits()),
    ("pyproject.toml", "tool = 3\n", Limits()),
)
BAD = (
    ("surefoot.toml", "[limits]\ntokens = 5\n", "surefoot.toml:2:1: limits.tokens: input should be greater than or equal to 1000"),
    (
        "surefoot.toml",
        "[limits]\n\n  token = 5\n",
        "surefoot.toml:3:3: limits.token: there is no such setting here; there are tokens",
    ),
    ("surefoot.toml", '[limits]\ntokens = "many"\n', "surefoot.toml:2:1: limits.tokens: input should be a valid integer"),
    ("surefoot.toml", "# first\n[limit]\ntokens = 1\n", "surefoot.toml:2:1: limit: there is no such setting here; there are limits"),
    ("surefoot.toml", "limits = 3\n", "surefoot.toml:1:1: limits: "),
    ("surefoot.toml", "[limits\n", "surefoot.toml:1:8: "),
    ("pyproject.toml", "[tool.surefoot]\nlimit = 3\n", "pyproject.toml:2:1: limit: there is no such setting here"),
)


def test_without_a_file_the_defaults_stand(tmp_path: Path) -> None:
    assert limits_of(tmp_path) == Limits()


@pytest.mark.parametrize(("name", "text", "limits"), GOOD)
def test_settings_are_read(name: str, text: str, limits: Limits, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert limits_of(tmp_path) == limits


@pytest.mark.parametrize(("name", "text", "words"), BAD)
def test_a_mistake_is_told_with_its_place_and_what_would_be_right(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Unusable) as told:
        limits_of(tmp_path)
    assert str(told.value).startswith(words), str(told.value)


def test_a_file_of_ones_own_comes_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / "surefoot.toml").write_text("[limits]\ntokens = 7000\n")
    (tmp_path / "pyproject.toml").write_text("[tool.surefoot.limits]\ntokens = 9000\n")
    assert limits_of(tmp_path).tokens == 7_000
