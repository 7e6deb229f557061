"""Titles say what a step does, to how many sites, its size and its checks; and what was left."""

import pytest

from surefoot.core.change import Size
from surefoot.report.titles import sites_words, size_words
from surefoot.run.outcomes import Tally


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (Tally(3, 2, 3, 0, 0, 0, 0, 0), "3 sites in 2 files"),
        (Tally(1, 1, 1, 0, 0, 0, 4, 0), "1 site in 1 file"),
        (Tally(12, 7, 9, 2, 1, 0, 0, 0), "12 sites in 7 files: 9 updated, 2 fit, 1 waived"),
        (Tally(3, 1, 2, 0, 0, 1, 0, 0), "3 sites in 1 file: 2 updated, 1 still to do"),
        (Tally(3, 2, 3, 0, 0, 0, 9, 1), "3 sites in 2 files, 1 likely left"),
        (Tally(3, 2, 2, 1, 0, 0, 9, 5), "3 sites in 2 files: 2 updated, 1 fit, 5 likely left"),
        (Tally(0, 0, 0, 0, 0, 0, 0, 0), ""),
    ],
)
def test_sites(tally: Tally, words: str) -> None:
    assert sites_words(tally) == words


@pytest.mark.parametrize(("size", "words"), [(Size(3, 3), "+3 −3"), (Size(1, 0), "+1"), (Size(0, 2), "−2"), (Size(0, 0), "")])
def test_size(size: Size, words: str) -> None:
    assert size_words(size) == words
