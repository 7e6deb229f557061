"""What a journal lets go, and what it never does."""

import random
from pathlib import Path

import pytest

from surefoot.core.errors import JournalError
from surefoot.core.text import digest
from surefoot.journal.journal import Aside, Journal
from surefoot.journal.retention import collect, compact
from surefoot.run.limits import BLOB_BYTES
from tests.support.story import STORY, renamed

DAY = 86_400.0


def filled(journal: Journal, ended: dict[str, float], weight: int = 0) -> None:
    """A run of each name, with `weight` bytes beside it; one that ended at -1 is open."""
    for name, at in ended.items():
        story = renamed(name)
        whole = story if at >= 0 else story[:-1]
        aside = Aside(texts=(name.encode() * (weight // len(name)),)) if weight else Aside()
        journal.commit(None, *whole, at=max(at, 0.0), aside=aside)


def on_disk(journal: Journal) -> int:
    return sum(file.stat().st_size for file in journal.folder.glob("journal.sqlite*"))


def names(journal: Journal) -> set[str]:
    return {row.id for row in journal.runs()}


def test_old_closed_runs_go_and_open_ones_stay(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    filled(journal, {"old": 1 * DAY, "young": 95 * DAY, "open": -1})
    (journal.folder / "reports").mkdir()
    (journal.folder / "reports" / "old.html").write_text("x")
    freed = collect(journal, now=100 * DAY)
    assert freed.runs == ("old",)
    assert names(journal) == {"young", "open"}
    assert not (journal.folder / "reports" / "old.html").exists()
    with pytest.raises(JournalError, match="there is no run old"):
        journal.load("old")
    assert journal.load("open").open
    assert collect(journal, now=100 * DAY).runs == ()
    journal.close()


def test_the_oldest_closed_runs_make_room_and_an_open_one_never_does(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    with_noise = {f"r{n}": n * DAY for n in range(1, 6)}
    filled(journal, {"open": -1, **with_noise})
    for name in with_noise:
        with journal.rows.transaction():
            # Random bytes do not compress: each run takes its full weight.
            journal.rows.keep(name, f"blob of {name}", random.Random(name).randbytes(200_000))
    freed = collect(journal, now=6 * DAY, size=500_000)
    assert freed.runs == ("r1", "r2", "r3")
    assert freed.before > 1_000_000 > 500_000 >= freed.after
    assert names(journal) == {"open", "r4", "r5"}
    assert journal.blob("blob of r1") is None
    assert journal.blob("blob of r5") is not None
    size = on_disk(journal)
    compact(journal)
    assert on_disk(journal) < size / 2
    assert collect(journal, now=6 * DAY, size=0).runs == ("r4", "r5")
    assert names(journal) == {"open"}
    journal.close()


def test_a_text_that_two_runs_keep_stays_with_the_other(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    for name, at in (("old", 1 * DAY), ("young", 99 * DAY)):
        journal.commit(None, *renamed(name), at=at, aside=Aside(texts=(b"shared",)))
    collect(journal, now=100 * DAY)
    assert journal.blob(digest(b"shared")) == b"shared"
    collect(journal, now=200 * DAY)
    assert journal.blob(digest(b"shared")) is None
    journal.close()


def test_a_raw_text_over_the_cap_leaves_its_digest_alone(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    large = b"x" * (BLOB_BYTES + 1)
    journal.commit(None, STORY[0], at=1.0, aside=Aside(traces=(("", "answer", "too much", large), ("", "answer", "little", b"y"))))
    first, second = journal.traces("r1")
    assert (first.words, journal.blob(first.digest)) == ("too much", None)
    assert (second.words, journal.blob(second.digest)) == ("little", b"y")
    journal.close()


def test_what_was_written_into_the_list_by_hand_stops_nobody(tmp_path: Path) -> None:
    journal = Journal(Path("/x"), tmp_path)
    filled(journal, {"old": 1 * DAY, "open": -1})
    with journal.rows.transaction():
        journal.rows.run("UPDATE runs SET closed = 'abc', started = 'abc', steps = 'abc' WHERE id = 'old'")
    assert names(journal) == {"old", "open"}
    assert all(isinstance(row.started, float) for row in journal.runs())
    assert collect(journal, now=100 * DAY).runs == ("old",)
    assert names(journal) == {"open"}
    journal.close()


def test_a_run_that_is_open_again_by_the_time_it_is_let_go_stays(tmp_path: Path) -> None:
    journal, other = Journal(Path("/x"), tmp_path), Journal(Path("/x"), tmp_path)
    filled(journal, {"old": 1 * DAY, "mended": 2 * DAY})
    with other.rows.transaction():
        other.rows.run("UPDATE runs SET ended = '', closed = NULL WHERE id = 'mended'")
    assert collect(journal, now=100 * DAY).runs == ("old",)
    assert names(journal) == {"mended"}
    journal.close()
    other.close()
