"""Malformed events, made from legal ones: every kind of event with every fault that it can have."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, get_args

from surefoot.core.plan import Constraint
from surefoot.journal.shape import decode, encode
from surefoot.run.events import Advanced, Closed, Constrain, Ending, Event, Halted, Intended, Moved, Phase, Resumed, Skip, Told, Waive
from surefoot.run.fold import fold
from surefoot.run.legality import check
from surefoot.run.next import Closing
from surefoot.run.report import report_of
from surefoot.run.state import RunState
from tests.run.onward import whole
from tests.support.story import CANARY, PATH, STEP

Given = Event | bytes
Prefix = tuple[Event, ...]

KINDS: tuple[str, ...] = tuple(next(str(f.default) for f in fields(kind) if f.name == "kind") for kind in get_args(Event))
STORY = whole("r1")
OTHER = whole("r2", replace(STEP, title="Rename c to d"))
READY = next(i for i, e in enumerate(STORY) if isinstance(e, Intended) and e.action.lane == "delivery")
"""How many events of the story it takes until its step waits for a person."""

STALE = (*STORY[:READY], Moved((PATH,), (0,)))
HALT = Halted("resulted", "0" * 32, "a rule", "a.field", "")
CONSTRAINT = Constraint("person", None, 0, "keep it small")
WAIVE = Waive(PATH, 1, 1, "it is generated")

_OWN: Mapping[str, tuple[tuple[Prefix, Event], ...]] = {
    "told": ((STORY[:READY], Told(Skip(0))), (STALE, Told(Constrain(CONSTRAINT))), (STORY[:1], Told(WAIVE))),
    "moved": ((STORY[:READY], STALE[-1]), (STALE, Moved((), (), (0,)))),
    "halted": ((STORY[:READY], HALT),),
    "resumed": (((*STORY[:READY], HALT), Resumed(READY + 1)),),
}


@dataclass(frozen=True)
class Mutant:
    """Events that are accepted, and what is then put at the door; `words` says what is wrong with it."""

    prefix: Prefix
    given: Given
    words: str


def specimens(kind: str) -> tuple[tuple[Prefix, Event], ...]:
    """Legal events of a kind, each with the events before it."""
    return _OWN.get(kind) or tuple((STORY[:i], e) for i, e in enumerate(STORY) if e.kind == kind)


IDENTITIES: Mapping[str, tuple[str, ...]] = {
    "started": ("run",),
    "intended": ("action.run", "action.input"),
    "permitted": ("action",),
    "resulted": ("action", "input"),
    "advanced": ("because",),
    "told": ("request.step", "request.constraint", "request.path"),
    "moved": ("stale",),
    "halted": ("rejected",),
    "resumed": ("since",),
    "closed": (),
}
"""The fields that say what an event is about."""


def missing_id(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        for path in IDENTITIES[kind]:
            if (gone := _without(event, path)) is not None:
                yield Mutant(prefix, _bytes(gone), f"no {path}")
            if _blank_is_a_fault(event, path):
                yield Mutant(prefix, _bytes(_set(_json(event), path, "")), f"empty {path}")


def illegal_transition(kind: str) -> Iterator[Mutant]:
    """Too early; once everything is over, for what is never too early; and to where its state does not lead."""
    for prefix, event in specimens(kind):
        early = tuple(_illegal(event, (STORY[:i] for i in range(1, len(prefix)))))
        yield from early or _illegal(event, (STORY[:i] for i in (1, len(STORY))))
        for other in _elsewhere(event, fold(prefix)):
            yield from _illegal(other, (prefix,))


def unmatched_result(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        for field in ("action", "because"):
            if isinstance(getattr(event, field, None), str) and kind != "halted":
                yield Mutant(prefix, replace(event, **{field: "0" * 16}), f"{field} of nothing")
                yield from _illegal(event, (STORY[:1], STORY[:READY]))


def completion_without_result(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        if isinstance(event, Advanced):
            yield Mutant(prefix[:-1], event, "its action has no result")
        if isinstance(event, Closed):
            waiting = [STORY[:i] for i in range(1, len(STORY)) if (s := fold(STORY[:i])) and (s.work or s.delivery)]
            yield from _illegal(event, (*waiting, STORY[:READY]))
            yield from _illegal(replace(event, ending=Ending.CANCELLED), waiting)


def stale(kind: str) -> Iterator[Mutant]:
    """It was legal once, and the run has gone on since."""
    for prefix, event in specimens(kind):
        told = prefix == STORY[: len(prefix)] and event == STORY[len(prefix)] if len(prefix) < len(STORY) else False
        yield from _illegal(event, (STORY[:i] for i in range(len(prefix) + 2, len(STORY) + 1)) if told else _gone_on(prefix))
        if kind == "resumed":
            yield Mutant((*prefix, HALT), event, "it was halted again since")


def duplicate(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        yield from _illegal(event, ((*prefix, event),))


def cross_run(kind: str) -> Iterator[Mutant]:
    """The same event of another run, at the same place."""
    for prefix, _ in specimens(kind):
        if kind in _OWN or prefix != STORY[: len(prefix)] or not prefix:
            continue
        yield from _illegal(OTHER[len(prefix)], (prefix,))
    if kind == "started":
        yield from _illegal(OTHER[0], (STORY[:1], STORY[:READY]))


def extra_field(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        for path in _objects(_json(event)):
            for name, value in (("extra", CANARY), (CANARY, 1)):
                data = _set(_json(event), f"{path}.{name}".lstrip("."), value)
                yield Mutant(prefix, _bytes(data), f"{name} in {path or 'it'}")


def torn_row(kind: str) -> Iterator[Mutant]:
    for prefix, event in specimens(kind):
        body = _bytes(planted(event))
        for end in (0, 1, len(body) // 2, len(body) - 2, len(body) - 1):
            yield Mutant(prefix, body[:end], f"{end} of {len(body)} bytes")


FAULTS: Mapping[str, Callable[[str], Iterator[Mutant]]] = {
    "missing id": missing_id,
    "illegal transition": illegal_transition,
    "unmatched result": unmatched_result,
    "completion without result": completion_without_result,
    "stale": stale,
    "duplicate": duplicate,
    "cross-run": cross_run,
    "extra field": extra_field,
    "torn row": torn_row,
}

_ANSWERS = "it answers no action"
_BEGINS = "it completes nothing"
_NAMELESS = "it names no run and no action: the run is the one at whose door it is put"

NO_MEANING: Mapping[tuple[str, str], str] = {
    **{(kind, "unmatched result"): _ANSWERS for kind in ("started", "intended", "told", "moved", "halted", "resumed", "closed")},
    **{(kind, "completion without result"): _BEGINS for kind in ("started", "intended", "permitted", "told", "moved", "halted", "resumed")},
    ("resulted", "completion without result"): "it is the result",
    **{(kind, "cross-run"): _NAMELESS for kind in ("told", "moved", "halted", "resumed")},
    ("closed", "missing id"): "it names nothing: a run has one end",
    ("halted", "stale"): "that an event was rejected stays true for as long as the run is open",
    ("halted", "duplicate"): "one event may be rejected twice",
    ("closed", "stale"): "nothing comes after it but what its duplicate says",
}
"""Cells of the matrix that say nothing, each with its reason."""


def mutants(kind: str, fault: str) -> tuple[Mutant, ...]:
    """All malformed events of a cell."""
    return tuple(FAULTS[fault](kind))


def planted(event: Event) -> dict[str, Any]:
    """The JSON of an event with the canary in a text of it, where it has one."""
    data = _json(event)
    for path in _texts(data):
        return _set(data, path, CANARY)
    return data


def carrying(given: Given) -> Given:
    """The same fault with the canary in it, where it can carry one."""
    return given if isinstance(given, bytes) else decode(_bytes(planted(given)))


_TEXTS = ("reason", "summary", "diff", "detail", "rule", "message", "text", "rules.0", "files.0", "input", "because")


def _texts(data: dict[str, Any]) -> Iterator[str]:
    """Paths to texts of an event, the ones that no rule looks at first."""
    every = tuple(_leaves(data))
    yield from (path for end in _TEXTS for path in every if f".{path}".endswith(f".{end}"))


def _gone_on(prefix: Prefix) -> list[Prefix]:
    """States while a person applies the step, and after it; a run that was halted has been resumed."""
    state = fold(prefix)
    assert state is not None
    rest: list[Event] = []
    if state.attention:
        rest = [Resumed(state.events)]
    held: list[Event] = [Moved((), (), (0,))] if prefix == STALE else []
    begun = len(prefix) if prefix == STORY[: len(prefix)] else READY
    return [(*prefix, *rest, *held, *STORY[begun:i]) for i in range(READY + 1, len(STORY))]


def _illegal(event: Event, prefixes: Iterable[Prefix]) -> Iterator[Mutant]:
    for prefix in prefixes:
        if prefix and check(fold(prefix), event) is not None:
            yield Mutant(prefix, event, f"{event.kind} after {len(prefix)} events, the last of them {prefix[-1].kind}")


def _elsewhere(event: Event, state: RunState | None) -> Iterator[Event]:
    if isinstance(event, Advanced):
        yield from (replace(event, to=phase) for phase in Phase if phase is not event.to)
        yield replace(event, ending=Ending.LIMIT, reason=CANARY)
    if isinstance(event, Intended):
        yield from (Intended(replace(event.action, verb=phase)) for phase in Phase if phase is not event.action.verb)
        yield from (Intended(replace(event.action, **{field: 7})) for field in ("step", "attempt", "n"))
    if isinstance(event, Closed) and state is not None:
        for ending in Ending:
            if ending not in {event.ending, Ending.CANCELLED}:
                yield Closed(ending, CANARY, report_of(state, Closing(ending, CANARY).reason))


def _blank_is_a_fault(event: Event, path: str) -> bool:
    found = _found(_json(event), path)
    # Nothing but its own digest says what the input of work is; what a rejected delivery quotes is known.
    return isinstance(found, str) and (path != "action.input" or (isinstance(event, Intended) and event.action.lane == "delivery"))


def _without(event: Event, path: str) -> dict[str, Any] | None:
    data = _json(event)
    before, _, last = path.rpartition(".")
    at = _found(data, before)
    if not isinstance(at, dict) or last not in at:
        return None
    del at[last]
    return data


def _json(event: Event) -> dict[str, Any]:
    return json.loads(encode(event))


def _bytes(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _found(data: object, path: str) -> object:
    """What stands at a path, None where nothing does."""
    for part in filter(None, path.split(".")):
        if isinstance(data, list) and part.isdigit():
            data = data[int(part)]
        elif isinstance(data, dict):
            data = data.get(part)
        else:
            return None
    return data


def _set(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    before, _, last = path.rpartition(".")
    at = _found(data, before)
    if isinstance(at, list):
        at[int(last)] = value
    elif isinstance(at, dict):
        at[last] = value
    return data


def _objects(data: object, path: str = "") -> Iterator[str]:
    """Paths to all objects of a document."""
    if isinstance(data, dict):
        yield path
    for key, inner in _inside(data):
        yield from _objects(inner, f"{path}.{key}".lstrip("."))


def _leaves(data: object, path: str = "") -> Iterator[str]:
    """Paths to all texts of a document."""
    if isinstance(data, str):
        yield path
    for key, inner in _inside(data):
        yield from _leaves(inner, f"{path}.{key}".lstrip("."))


def _inside(data: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(data, dict):
        return data.items()
    return enumerate(data) if isinstance(data, list) else ()
