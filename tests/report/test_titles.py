"""Titles say what a step does, to how many sites, its size and its checks; and what was left."""

from pathlib import Path

import pytest

from surefoot.core.change import Size
from surefoot.core.sites import Entry, Ledger, Site, SiteKind, SiteStatus, Tier
from surefoot.core.text import LineIndex, Place
from surefoot.report.ledgers import planned_words
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


def ledger(**counts: int) -> Ledger:
    """A ledger of so many sites of a status (of the tier `likely` for that word), two in each file."""
    entries: list[Entry] = []
    for word, count in counts.items():
        tier = Tier(word) if word in {"likely", "mention"} else Tier.EXACT
        status = SiteStatus.PENDING if word in {"likely", "mention"} else SiteStatus(word)
        for _ in range(count):
            place = Place.of(Path(f"/m{len(entries) // 2}.py"), 0, 1, LineIndex(b"f"))
            entries.append(Entry(Site(place, SiteKind.CALL, tier, "", "", False, "f", "f"), status, ""))
    return Ledger(tuple(entries))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({"pending": 3}, "3 sites in 2 files"),
        ({"pending": 3, "mention": 5}, "3 sites in 2 files"),
        ({"pending": 9, "fits": 2, "waived": 1}, "12 sites in 6 files: 9 to update, 2 fit, 1 waived"),
        ({"pending": 1, "updated": 2}, "3 sites in 2 files: 1 to update, 2 updated"),
        ({"fits": 1, "likely": 3}, "1 site in 1 file: 1 fit, 3 likely left"),
        ({"mention": 2}, "the plan's own words"),
        ({}, "the plan's own words"),
    ],
)
def test_a_plan_counts_its_ledger(counts: dict[str, int], words: str) -> None:
    assert planned_words(ledger(**counts), "the plan's own words") == words
    assert planned_words(None, "the plan's own words") == "the plan's own words"
