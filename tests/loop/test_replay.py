"""A recorded run is decided again: byte for byte the same, or the first difference is named."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from surefoot.core.change import Size
from surefoot.journal.story import Entry
from surefoot.loop.replay import Replayed, replay
from surefoot.run.events import Advanced, Closed, Event, Intended, Permitted, Phase, Resulted
from surefoot.run.outcomes import Constrained, Drafted, Noted, Verified
from surefoot.run.view import View
from tests.support.scripts import Bench, Wordcheck, Words

RUNS = 200


def say(number: int, view: View) -> str:
    """The first draft of every second word is bad, the one after a constraint is good."""
    return f"done{number}" if number % 2 or view.constraints else f"bad{number}"


async def worked(folder: Path, seed: int) -> tuple[Bench, str]:
    """A run that a seed decides: how many steps, which fail at first, and what a person does to it."""
    chance = random.Random(seed)
    steps = chance.randint(1, 4)
    bad = tuple(f"bad{n}" for n in range(1, steps + 1))
    text = " ".join(f"word{n}" for n in range(1, steps + 1))
    bench = Bench(folder, text, Words(Path(), steps, says=say), Wordcheck(bad=bad if chance.random() < 0.8 else (*bad, "done3")))
    name = (await bench.drafted()).run
    for _ in range(chance.randint(0, 5)):
        state = bench.state(name)
        match chance.randint(0, 11):
            case 0 | 1 | 2 | 3 | 4 | 5 if state.next_step >= 0:
                await bench.runs.apply(name, state.next_step, confirm=False)
            case 6 | 7 if state.open:
                await bench.runs.revert(name)
            case 8 | 9 if state.open and state.next_step >= 0:
                bench.runs.skip(name, state.next_step)
            case 10:
                bench.type(bench.text, bench.text + " more")
            case _:
                pass
        await bench.runs.drafted(name)
    if chance.random() < 0.3:
        await bench.runs.cancel(name)
    return bench, name


async def check_replay(bench: Bench, name: str) -> Replayed:
    journal = bench.runs.journal
    done = await replay(journal.read(name).entries, journal.blob)
    assert done.first is None, done.first
    return done


async def test_two_hundred_runs_replay_to_the_same_bytes(tmp_path: Path) -> None:
    events = computed = 0
    for seed in range(RUNS):
        bench, name = await worked(tmp_path / str(seed), seed)
        done = await check_replay(bench, name)
        events, computed = events + done.events, computed + done.computed
        await bench.runs.close()
    # What people, editor and texts did is taken as it was recorded; nearly all else is decided again.
    assert computed > 0.85 * events


async def recorded(folder: Path) -> tuple[list[Entry], Callable[[str], bytes | None]]:
    """A run of two steps, one of which was drafted twice, applied to its end."""
    bench = Bench(folder, "word1 word2", Words(Path(), 2, says=say), Wordcheck(bad=("bad2",)))
    name = (await bench.drafted()).run
    for index in range(2):
        assert (await bench.runs.apply(name, index, confirm=False)).done
    await bench.runs.drafted(name)
    return list(bench.runs.journal.read(name).entries), bench.runs.journal.blob


def _drafted(event: Resulted) -> Resulted:
    assert isinstance(event.outcome, Drafted)
    return replace(event, outcome=replace(event.outcome, size=Size(9, 1)))


TAMPERED: tuple[tuple[str, type, Callable[[Any], bool], Callable[[Any], Event], str], ...] = (
    ("another action", Intended, lambda e: True, lambda e: replace(e, action=replace(e.action, attempt=2)), "action.attempt"),
    ("a ruling by somebody", Permitted, lambda e: True, lambda e: replace(e, reason="because"), "reason"),
    ("another size", Resulted, lambda e: isinstance(e.outcome, Drafted), lambda e: _drafted(e), "outcome.size.added"),
    (
        "a rule that did not apply",
        Resulted,
        lambda e: isinstance(e.outcome, Constrained),
        lambda e: replace(e, outcome=Constrained(("no rule",))),
        "outcome.rules",
    ),
    (
        "another note",
        Resulted,
        lambda e: isinstance(e.outcome, Noted),
        lambda e: replace(e, outcome=replace(e.outcome, note="Do it.")),
        "outcome.note",
    ),
    (
        "a rule that held",
        Resulted,
        lambda e: isinstance(e.outcome, Verified),
        lambda e: replace(e, outcome=Verified((), "the evidence is green")),
        "outcome.rules",
    ),
    ("another way", Advanced, lambda e: e.to is Phase.VERIFY, lambda e: replace(e, to=Phase.REPLAN), "to"),
    ("another end", Closed, lambda e: True, lambda e: replace(e, reason="all is well"), "reason"),
)


@pytest.mark.parametrize(("name", "kind", "which", "tamper", "field"), TAMPERED, ids=[t[0] for t in TAMPERED])
async def test_the_first_difference_is_named(
    name: str, kind: type, which: Callable[[Any], bool], tamper: Callable[[Any], Event], field: str, tmp_path: Path
) -> None:
    entries, text = await recorded(tmp_path)
    at = next(i for i, e in enumerate(entries) if isinstance(e.event, kind) and which(e.event))
    entries[at] = replace(entries[at], event=tamper(entries[at].event))
    first = (await replay(entries, text)).first
    assert first is not None
    assert (first.seq, first.kind, first.field) == (at + 1, entries[at].event.kind, field)


async def test_an_event_too_many_or_too_few_is_found(tmp_path: Path) -> None:
    entries, text = await recorded(tmp_path)
    for missing in range(1, len(entries) - 1):
        done = await replay([*entries[:missing], *entries[missing + 1 :]], text)
        assert done.first is not None, entries[missing].event
        assert done.first.seq > missing
    twice = await replay([*entries[:5], entries[4], *entries[5:]], text)
    assert twice.first is not None


async def test_a_text_that_was_not_kept_is_taken_as_recorded(tmp_path: Path) -> None:
    entries, text = await recorded(tmp_path)
    whole, without = await replay(entries, text), await replay(entries, lambda name: None)
    drafts = sum(isinstance(e.event, Resulted) and isinstance(e.event.outcome, Drafted) for e in entries)
    assert without == replace(whole, computed=whole.computed - drafts)
