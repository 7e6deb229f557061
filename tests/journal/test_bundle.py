"""A run as one file: it comes back whole, holds no secret, and is refused when a byte of it is not as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.errors import JournalError, Unusable
from surefoot.journal.bundle import MASKED, Taken, dump, load, seal_of
from surefoot.journal.journal import Journal
from surefoot.loop.replay import replay
from surefoot.policy.secrets import covered, secrets_in
from surefoot.run.state import RunState
from tests.support.scripts import Bench, Wordcheck, Words

SECRET = "sk-" + "ant-api03-0123456789abcdef"


async def finished(folder: Path, text: str = "word1 word2") -> tuple[Bench, str]:
    bench = Bench(folder, text, Words(Path(), 2), Wordcheck())
    name = (await bench.drafted()).run
    for index in range(2):
        assert (await bench.runs.apply(name, index, confirm=False)).done
    await bench.runs.drafted(name)
    return bench, name


def elsewhere(folder: Path) -> Journal:
    return Journal(folder / "elsewhere", folder / "other state")


async def test_a_run_travels_and_is_the_same_there(tmp_path: Path) -> None:
    bench, name = await finished(tmp_path)
    here, there = bench.runs.journal, elsewhere(tmp_path)
    data = dump(here, name, secrets_in, covered)
    assert load(there, data) == Taken(name, known=False)
    assert load(there, data) == Taken(name, known=True)
    assert there.read(name).entries == here.read(name).entries
    assert there.read(name).damage is None
    assert (await replay(there.read(name).entries, there.blob)).first is None
    assert dump(there, name, secrets_in, covered) == data
    there.close()


async def test_secrets_are_covered_and_the_run_still_replays(tmp_path: Path) -> None:
    bench, name = await finished(tmp_path, f'key = "{SECRET}" # word1 {SECRET} word2\npassword: "correct horse"\n')
    assert SECRET.encode() in bench.runs.journal.folder.joinpath("journal.sqlite-wal").read_bytes()
    data = dump(bench.runs.journal, name, secrets_in, covered)
    assert SECRET not in data.decode()
    assert SECRET.encode() not in data
    there = elsewhere(tmp_path)
    load(there, data)
    assert there.origin(name) == MASKED
    done = await replay(there.read(name).entries, there.blob, masked=True)
    assert done.first is None, done.first
    there.close()


async def test_an_imported_run_is_for_reading_only(tmp_path: Path) -> None:
    bench, _ = await finished(tmp_path)
    waiting = Bench(tmp_path / "b", "word1", Words(Path()))
    name = (await waiting.drafted()).run
    load(bench.runs.journal, dump(waiting.runs.journal, name, secrets_in, covered))

    def tools(state: RunState) -> Any:  # noqa: ANN401 - it is never asked
        raise AssertionError(state.run)

    with pytest.raises(Unusable, match="imported"):
        bench.runs.take_up(name, tools)


def _edited(change: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bytes]:
    def edit(data: bytes) -> bytes:
        held = json.loads(data)
        change(held)
        return json.dumps(held).encode()

    return edit


BROKEN: tuple[tuple[str, Callable[[bytes], bytes], str], ...] = (
    ("cut short", lambda data: data[: len(data) // 2], "ends too early"),
    ("empty", lambda data: b"", "ends too early"),
    ("something else", lambda data: b'{"name": "left-pad"}', "not an export of a run"),
    ("a list", lambda data: b"[1, 2]", "not an export of a run"),
    ("binary", lambda data: b"\x00\xff" * 40, "ends too early"),
    ("an event changed", _edited(lambda b: b["events"][0]["event"]["task"].update(text="another")), "its seal does not fit"),
    ("an event left out", _edited(lambda b: b["events"].pop(3)), "its seal does not fit"),
    ("a field too many", _edited(lambda b: b.update(more=1)), "not an export of a run: more"),
    ("a newer version", _edited(lambda b: b.update(version=99)), "newer Surefoot"),
)


@pytest.mark.parametrize(("name", "break_it", "words"), BROKEN, ids=[b[0] for b in BROKEN])
async def test_a_broken_export_is_refused_and_nothing_is_stored(
    name: str, break_it: Callable[[bytes], bytes], words: str, tmp_path: Path
) -> None:
    bench, run = await finished(tmp_path)
    there = elsewhere(tmp_path)
    with pytest.raises(JournalError, match=words):
        load(there, break_it(dump(bench.runs.journal, run, secrets_in, covered)))
    assert there.runs() == ()
    there.close()


async def test_an_export_with_an_event_that_could_not_have_been_is_refused(tmp_path: Path) -> None:

    bench, run = await finished(tmp_path)
    held = json.loads(dump(bench.runs.journal, run, secrets_in, covered))
    del held["events"][3], held["seal"]
    there = elsewhere(tmp_path)
    with pytest.raises(JournalError, match="event 4 of this export broke the rule"):
        load(there, json.dumps({**held, "seal": seal_of(held)}).encode())
    assert there.runs() == ()
    there.close()


async def test_another_run_of_the_same_name_is_not_overwritten(tmp_path: Path) -> None:
    bench, run = await finished(tmp_path)
    data = dump(bench.runs.journal, run, secrets_in, covered)
    there = elsewhere(tmp_path)
    load(there, data)
    with there.rows.transaction():
        there.rows.run("DELETE FROM events WHERE run = ? AND seq > 4", (run,))
    with pytest.raises(JournalError, match="another run named"):
        load(there, data)
    there.close()


@pytest.mark.parametrize(
    "text",
    [
        'TOKEN = "validated" # word1 word2\n',
        'PASSWORD = "words.txt-or-so" # word1 word2\n',
        'secret = "workword" # word1 word2\n',
        'api_key = "replaced" # word1 word2\n',
    ],
)
async def test_a_secret_that_is_a_word_of_the_record_covers_text_alone(text: str, tmp_path: Path) -> None:
    bench, name = await finished(tmp_path, text)
    data = dump(bench.runs.journal, name, secrets_in, covered)
    there = elsewhere(tmp_path)
    assert load(there, data) == Taken(name, known=False)
    done = await replay(there.read(name).entries, there.blob, masked=True)
    assert done.first is None, done.first
    there.close()


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000], ids=["brackets", "braces"])
def test_what_is_nested_without_end_is_no_export(data: bytes, tmp_path: Path) -> None:
    there = elsewhere(tmp_path)
    with pytest.raises(JournalError, match="ends too early"):
        load(there, data)
    there.close()


async def test_a_time_that_no_calendar_has_is_refused(tmp_path: Path) -> None:
    bench, run = await finished(tmp_path)
    held = json.loads(dump(bench.runs.journal, run, secrets_in, covered))
    held["events"][0]["at"] = 1e300
    del held["seal"]
    there = elsewhere(tmp_path)
    with pytest.raises(JournalError, match=r"events\.0\.at is not as it should be"):
        load(there, json.dumps({**held, "seal": seal_of(held)}).encode())
    there.close()


async def test_a_kept_text_that_was_damaged_is_as_one_that_was_not_kept(tmp_path: Path) -> None:
    bench, run = await finished(tmp_path)
    journal = bench.runs.journal
    with journal.rows.transaction():
        journal.rows.run("UPDATE blobs SET body = x'00ff00'")
    done = await replay(journal.read(run).entries, journal.blob)
    assert done.first is None
    assert dump(journal, run, secrets_in, covered)
