"""Replay: a recorded run is worked through once more, with recorded answers of engine, checks, editor and people in place of the world.

Whatever Surefoot itself decides is decided again: what comes next, who may, the gate of a draft, the rules, where a result leads, how it
ends and what the report says. Each event is compared with the recorded one byte for byte.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import cast

from surefoot.core.change import Change
from surefoot.core.text import TextFile
from surefoot.core.value import value
from surefoot.journal.journal import NOTHING, Aside
from surefoot.journal.shape import encode
from surefoot.journal.story import Entry
from surefoot.loop.driver import CANCELLED, close
from surefoot.loop.phases import effect
from surefoot.loop.ports import Staff, Tools
from surefoot.loop.recorded import Recorded, RecordedTexts, taken
from surefoot.loop.run import Run
from surefoot.policy.permits import Permissions
from surefoot.run.events import Action, Advanced, Closed, Delivery, Ending, Event, Intended, Lane, Permitted, Phase, Resulted
from surefoot.run.fold import step
from surefoot.run.legality import check
from surefoot.run.next import Closing, advance, next_action
from surefoot.run.outcomes import Drafted, Noted
from surefoot.run.state import RunState


@value
class Difference:
    """The first event that comes out otherwise: its number from 1, its kind, the field, and both values in words."""

    seq: int
    kind: str
    field: str
    recorded: str
    now: str


@value
class Replayed:
    """`events` were recorded; of them `computed` were made again and the rest is what the world said; `first` is where they differ."""

    events: int
    computed: int
    first: Difference | None


async def replay(entries: Sequence[Entry], text: Callable[[str], bytes | None], *, masked: bool = False) -> Replayed:
    """Work through a recorded run again. `text` gives a kept text by its digest; `masked` says that secrets in them are covered."""
    state: RunState | None = None
    computed = 0
    for seq, entry in enumerate(entries, 1):
        made = await _made(state, entry.event, text, masked=masked) if state is not None else None
        if made is not None:
            computed += 1
            if (first := _differs(seq, entry.event, made)) is not None:
                return Replayed(len(entries), computed, first)
        elif (broken := check(state, entry.event)) is not None:
            return Replayed(len(entries), computed, Difference(seq, entry.event.kind, broken.field, "accepted", f"breaks “{broken.rule}”"))
        state = step(state, entry.event)
    return Replayed(len(entries), computed, None)


async def _made(state: RunState, event: Event, text: Callable[[str], bytes | None], *, masked: bool) -> Event | str | None:
    """The event as it is made now, words where none would be; None for one that the world made."""
    match event:
        case Intended():
            return _intended(state, event)
        case Permitted():
            return _permitted(state, event)
        case Resulted():
            return await _resulted(state, event, text, masked=masked)
        case Advanced():
            following = advance(state)
            return following if isinstance(following, Advanced) else "the run does not go on here"
        case Closed():
            return _closed(state, event)
        case _:
            return None


def _intended(state: RunState, event: Intended) -> Event | str:
    verb, index = event.action.verb, event.action.step
    if event.action.lane is Lane.WORK:
        action = next_action(state)
        return Intended(action) if isinstance(action, Action) else "nothing is begun here"
    draft = state.steps[index].draft if 0 <= index < len(state.steps) else None
    if draft is None or not isinstance(verb, Delivery):
        return "there is nothing to deliver"
    change = draft.change if verb is Delivery.APPLY else draft.inverse
    return Intended(Action(state.run, Lane.DELIVERY, verb, index, 1, state.actions, change.digest))


def _permitted(state: RunState, event: Permitted) -> Event | str:
    pending = next((p for p in (state.work, state.delivery) if p is not None and p.action.id == event.action), None)
    if pending is None:
        return "nothing waits for a ruling"
    permit = Permissions().permit(pending.action)
    return Permitted(event.action, permit.allowed, permit.by, permit.reason)


async def _resulted(state: RunState, event: Resulted, text: Callable[[str], bytes | None], *, masked: bool) -> Event | None:
    if state.work is None or state.work.action.id != event.action or taken(event.outcome) or _in_other_words(state, event):
        return None
    change = event.outcome.change if isinstance(event.outcome, Drafted) else Change(())
    texts = _texts(state.root, change, text)
    if texts is None:
        return None
    run = Run(_Shut(), state, lambda state: None)
    world = Recorded(event)
    staff = Staff(world, judge=world if world.judged else None)
    done = await effect(run, Tools(staff, world, Permissions(), lambda: texts, world), state.work.action)
    spent = tuple(exchange.spent for exchange in done.exchanges)
    return Resulted(event.action, state.work.action.input, world.completed(done.outcome, masked=masked), spent)


def _in_other_words(state: RunState, event: Resulted) -> bool:
    """Whether a correction is in a model's words, or shows more of the code: both were held against code that is not kept."""
    at = state.at
    modelled = bool(event.spent) or (at is not None and bool(at.objection))
    return state.phase is Phase.REPLAN and (modelled or (isinstance(event.outcome, Noted) and bool(event.outcome.reads)))


def _texts(root: Path, change: Change, text: Callable[[str], bytes | None]) -> RecordedTexts | None:
    """The texts that a draft was made for, None where one of them was too large to be kept."""
    held: dict[Path, TextFile] = {}
    for edit in change.files:
        if (data := text(edit.before)) is None:
            return None
        held[edit.path] = TextFile.of(edit.path, data)
    return RecordedTexts(root, held, change.digest)


def _closed(state: RunState, event: Closed) -> Event | str:
    if event.ending is Ending.CANCELLED and event.reason == CANCELLED.reason:
        return close(state, CANCELLED)
    for closing in (advance(state), next_action(state)):
        if isinstance(closing, Closing):
            return close(state, closing)
    return "the run does not end here"


class _Shut:
    """A door that nothing passes: a replay records nothing."""

    def commit(self, state: RunState | None, *events: Event | bytes, at: float, aside: Aside = NOTHING) -> RunState:
        raise AssertionError("a replay commits nothing")


def _differs(seq: int, recorded: Event, made: Event | str) -> Difference | None:
    if isinstance(made, str):
        return Difference(seq, recorded.kind, "", "accepted", made)
    if encode(made) == encode(recorded):
        return None
    field, before, now = _first(recorded, made, "")
    return Difference(seq, recorded.kind, field, before, now)


def _first(recorded: object, made: object, field: str) -> tuple[str, str, str]:
    """The innermost field where two values differ."""
    for name, before, now in _parts(recorded, made):
        if before != now:
            return _first(before, now, f"{field}.{name}" if field else name)
    return field, _short(recorded), _short(made)


def _parts(recorded: object, made: object) -> Iterator[tuple[str, object, object]]:
    """The fields or items of two values that are built alike."""
    if isinstance(recorded, tuple) or isinstance(made, tuple):
        one, other = cast(tuple[object, ...], recorded), cast(tuple[object, ...], made)
        if type(one) is type(other) and len(one) == len(other):
            yield from ((str(i), before, now) for i, (before, now) in enumerate(zip(one, other, strict=True)))
    elif is_dataclass(recorded) and type(recorded) is type(made):
        yield from ((f.name, getattr(recorded, f.name), getattr(made, f.name)) for f in fields(recorded))


def _short(held: object) -> str:
    text = repr(held)
    return text if len(text) <= 200 else text[:199] + "…"
