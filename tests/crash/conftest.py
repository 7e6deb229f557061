"""One interpreter that forks the processes of all crash tests, and the count of the kills at the end."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.crash import Nursery, Rig
from tests.support.crash_samples import SAMPLES

_KILLS: pytest.StashKey[Counter[str]] = pytest.StashKey()


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    started = Nursery()
    yield started
    started.close()


@pytest.fixture
def rig(nursery: Nursery, tmp_path: Path) -> Iterator[Callable[[str], Rig]]:
    """Where the tales of the sample of this name play."""
    rigs: list[Rig] = []

    def rigged(name: str) -> Rig:
        rigs.append(Rig(nursery, next(s for s in SAMPLES if s.name == name), tmp_path))
        return rigs[-1]

    yield rigged
    for each in rigs:
        each.close()


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[str, int], None]:
    """Counts kills of a kind, for the last line of the report."""

    def add(kind: str, kills: int) -> None:
        request.config.stash.setdefault(_KILLS, Counter())[kind] += kills

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for kind, kills in config.stash.get(_KILLS, Counter[str]()).items():
        terminalreporter.write_line(f"crashes: {kills:4} {kind}")
