"""Mutants of events: one random fault each, made in the JSON of an event, and a canary of its own in every one."""

import json
import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot.journal.shape import encode
from surefoot.run.events import Event

CANARY = re.compile(r"canary-[0-9a-f]{6}-[0-9a-f]{8}")
"""What every mutant carries, and what is searched for."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Mutant:
    """A malformed event as its bytes. `fault` names what was done to it, `kind` the kind of event that its bytes claim, if they do."""

    fault: str
    kind: str
    canary: str
    given: bytes


@dataclass
class Pool:
    """Legal events to make mutants from: the one that is due, earlier ones of the run, and ones of other runs."""

    due: Event
    earlier: list[Event] = field(default_factory=list)
    others: list[Event] = field(default_factory=list)


def mutant(rng: random.Random, number: int, pool: Pool) -> Mutant:
    """A malformed event; now and then it is legal all the same."""
    canary = f"canary-{number:06x}-{rng.getrandbits(32):08x}"
    fault = rng.choice(tuple(_FAULTS))
    source = pool.due
    older = {"stale": pool.earlier, "cross-run": pool.others}.get(fault)
    if older:
        source = rng.choice([e for e in older if e.kind != "resumed"] or older)
    data: Json = json.loads(encode(source))
    given = _FAULTS[fault](rng, data, canary)
    if canary.encode() not in given:
        fault, given = "unknown field", _unknown(rng, data, canary)
    return Mutant(fault, _claimed(given), canary, given)


def _edited(rng: random.Random, data: Json, canary: str) -> bytes:
    """A text becomes the canary, whatever it was."""
    return _bytes(_carrying(rng, data, canary, ()))


def _dropped(rng: random.Random, data: Json, canary: str) -> bytes:
    place = rng.choice([p for p in _places(data) if isinstance(p.key, str)])
    del place.holder[place.key]
    return _bytes(_carrying(rng, data, canary))


def _swapped(rng: random.Random, data: Json, canary: str) -> bytes:
    one, two = rng.choices(list(_places(data)), k=2)
    one.holder[one.key], two.holder[two.key] = two.value, one.value
    # A value that now holds itself is no document any more.
    return _bytes(_carrying(rng, data, canary)) if _finite(data) else b""


def _retyped(rng: random.Random, data: Json, canary: str) -> bytes:
    place = rng.choice(list(_places(data)))
    place.holder[place.key] = rng.choice((canary, [canary], {canary: 1}, {"kind": canary}, None, 7, -1.5, True, [], {}))
    return _bytes(_carrying(rng, data, canary))


def _numbered(rng: random.Random, data: Json, canary: str) -> bytes:
    numbers = [p for p in _places(data) if isinstance(p.value, int | float)]
    if numbers:
        place = rng.choice(numbers)
        place.holder[place.key] = rng.choice((-1, 0, 1, 2, 10**6, 10**30, 0.5, not place.value))
    return _bytes(_carrying(rng, data, canary))


def _as_it_is(rng: random.Random, data: Json, canary: str) -> bytes:
    """The fault is where it comes from."""
    return _bytes(_carrying(rng, data, canary))


def _truncated(rng: random.Random, data: Json, canary: str) -> bytes:
    whole = _bytes(_carrying(rng, data, canary, ()))
    found = whole.find(canary.encode())
    return whole[: rng.randint(found + len(canary), len(whole) - 1)] if found >= 0 else b""


def _unknown(rng: random.Random, data: Json, canary: str) -> bytes:
    holder = rng.choice([data, *(p.value for p in _places(data) if isinstance(p.value, dict))])
    name, value = rng.choice((("extra", canary), (canary, 1), (canary, canary), ("Kind", canary), ("", canary)))
    holder[name] = value
    return _bytes(data)


def _twice(rng: random.Random, data: Json, canary: str) -> bytes:
    """One name with two values, the first of them the canary."""
    name = rng.choice(tuple(data))
    return b'{"' + name.encode() + b'":"' + canary.encode() + b'",' + _bytes(data)[1:]


_FAULTS: Mapping[str, Callable[[random.Random, Json, str], bytes]] = {
    "edited field": _edited,
    "dropped field": _dropped,
    "swapped values": _swapped,
    "other type": _retyped,
    "other number": _numbered,
    "stale": _as_it_is,
    "cross-run": _as_it_is,
    "truncated": _truncated,
    "unknown field": _unknown,
    "name twice": _twice,
}
FAULTS = tuple(_FAULTS)

_FREE = frozenset(
    {"reason", "summary", "text", "message", "detail", "diff", "title", "intent", "note", "broken", "rule", "field", "version"}
)
"""Texts that no rule looks at, so that a canary there is not itself what makes an event illegal."""


@dataclass(frozen=True)
class _Place:
    """Where a value stands in a document."""

    holder: Any
    key: str | int
    value: object


def _places(data: object) -> Iterator[_Place]:
    pairs: Iterable[tuple[str | int, object]] = (
        data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    )
    for key, value in pairs:
        yield _Place(data, key, value)
        yield from _places(value)


def _carrying(rng: random.Random, data: Json, canary: str, free: Collection[object] = _FREE) -> Json:
    """The document with the canary in one of its texts, a free one where there is one."""
    texts = [p for p in _places(data) if isinstance(p.value, str) and p.key != "kind"]
    chosen = [p for p in texts if p.key in free] or [p for p in texts if p.key == "input" and free] or texts
    if chosen and canary not in json.dumps(data):
        place = rng.choice(chosen)
        place.holder[place.key] = canary
    return data


def _finite(data: Json) -> bool:
    try:
        json.dumps(data)
    except (ValueError, RecursionError):
        return False
    return True


def _bytes(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _claimed(given: bytes) -> str:
    """The kind that these bytes say they are, "" where they say none."""
    try:
        data = json.loads(given)
    except ValueError:
        return ""
    kind = data.get("kind") if isinstance(data, dict) else None
    return kind if isinstance(kind, str) else ""
