"""The bench of the journal: its long run is a run, and its figures are there."""

import pytest
from bench.journal import run


def test_every_figure_is_printed_beside_its_goal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition("goal ")[2].partition(":")[0] for line in lines if "goal" in line] == ["5 ms", "3 x", "3 x", "300 ms"]


def test_the_95th_of_100_times() -> None:
    assert run.p95([float(n) for n in range(100)]) == 95.0
