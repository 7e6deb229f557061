"""Values as bytes and back, for any value class: what it has is read from its annotations, so a new field needs nothing here.

The bytes are `marshal`'s, which belong to one version of Python: whoever keeps them keeps that version with them. Mappings and sequences
of a value that is unpacked are lazy: an item becomes a value when it is asked for, because most of a file's facts are never looked at.
"""

import dataclasses
import marshal
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, overload

T = TypeVar("T")
K = TypeVar("K")

Seen = dict[int, tuple[object, ...]]
Down = Callable[[Any, Seen], Any]
"""A value as tuples, strings and numbers; what was met before is the same tuple again, and marshal writes it once."""
Up = Callable[[Any], Any]
"""The way back."""


def pack(held: object) -> bytes:
    """A value as bytes."""
    return marshal.dumps(_ways(type(held))[0](held, {}))


def unpack(cls: type[T], data: bytes) -> T:
    """The value that `pack` was given. Raises ValueError, EOFError or TypeError for other bytes."""
    raw = marshal.loads(data)
    turns = _lazily(cls)
    if len(raw) != len(turns):
        raise ValueError(f"{cls.__name__} has {len(turns)} fields, not {len(raw)}")
    return cls(*(turn(part) if turn else part for turn, part in zip(turns, raw, strict=True)))


class LazyMap(Mapping[K, T]):
    """A mapping whose values are made when they are asked for, and then kept."""

    __slots__ = ("_made", "_raw", "_turn")

    def __init__(self, raw: Mapping[K, object], turn: Up) -> None:
        self._raw = raw
        self._turn = turn
        self._made: dict[K, T] = {}

    def __getitem__(self, key: K) -> T:
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._turn(self._raw[key])
        return made

    def __contains__(self, key: object) -> bool:
        return key in self._raw

    def __iter__(self) -> Iterator[K]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


class LazyItems(Sequence[T]):
    """A sequence whose items are made when they are asked for, and then kept."""

    __slots__ = ("_made", "_raw", "_turn")

    def __init__(self, raw: Sequence[object], turn: Up) -> None:
        self._raw = raw
        self._turn = turn
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self._raw))))
        made = self._made.get(index)
        if made is None:
            made = self._made[index] = self._turn(self._raw[index])
        return made

    def __len__(self) -> int:
        return len(self._raw)


@cache
def _lazily(cls: type) -> tuple[Up | None, ...]:
    """How the fields of a value come back: what holds many values, without making any."""
    hints = typing.get_type_hints(cls)
    return tuple(_field(hints[field.name]) for field in dataclasses.fields(cls))


def _field(hint: object) -> Up | None:
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    many = _ways(inside[-1] if origin is Mapping else inside[0])[1] if origin in (Mapping, tuple) else None
    if many is None:
        return _ways(hint)[1]
    return (lambda raw: LazyMap[Any, Any](raw, many)) if origin is Mapping else (lambda raw: LazyItems[Any](raw, many))


@cache
def _ways(kind: Any) -> tuple[Down, Up | None]:  # noqa: ANN401  # an annotation may be anything
    """How values of an annotation are turned into raw ones and back; None where the raw one is the value."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _of_class(cast(type, kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return (lambda held, _: held._value_), {each.value: each for each in kind}.__getitem__
    if origin in (types.UnionType, typing.Union):
        return _of_optional(*_ways(*(each for each in inside if each is not types.NoneType)))
    if origin is tuple and inside[-1] is Ellipsis:
        return _of_items(*_ways(inside[0]))
    if origin is Mapping:
        return _of_map(*_ways(inside[1]))
    return (lambda held, _: held), None


def _of_optional(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    return (lambda held, seen: None if held is None else down(held, seen)), (lambda raw: None if raw is None else up(raw)) if up else None


def _of_items(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    if up is None:
        return (lambda held, _: held), None
    return (lambda held, seen: tuple([down(each, seen) for each in held])), lambda raw: tuple([up(each) for each in raw])


def _of_map(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    back: Up = lambda raw: {key: up(each) for key, each in raw.items()} if up else raw  # noqa: E731  # beside its counterpart
    return (lambda held, seen: {key: down(each, seen) for key, each in held.items()}), back if up else None


def _of_class(cls: type) -> tuple[Down, Up]:
    hints = typing.get_type_hints(cls)
    names = [field.name for field in dataclasses.fields(cls)]
    get = attrgetter(*names)
    # Not asked for their ways yet: a class may hold itself.
    others = [(index, hints[name]) for index, name in enumerate(names) if not _is_raw(hints[name])]
    turns: list[tuple[int, Down]] = []

    def down(held: object, seen: Seen) -> tuple[object, ...]:
        if (made := seen.get(id(held))) is None:
            if not turns:
                turns.extend((index, _ways(hint)[0]) for index, hint in others)
            parts = list(get(held))
            for index, turn in turns:
                if parts[index] is not None:
                    parts[index] = turn(parts[index], seen)
            made = seen[id(held)] = tuple(parts)
        return made

    def up(raw: Any) -> object:  # noqa: ANN401  # whatever marshal gave
        parts = list(raw)
        for index, hint in others:
            if (turn := _ways(hint)[1]) is not None and parts[index] is not None:
                parts[index] = turn(parts[index])
        return cls(*parts)

    return down, up


def _is_raw(hint: Any) -> bool:  # noqa: ANN401  # an annotation may be anything
    """Whether values of this annotation, and all that is in them, go to marshal as they are."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union, tuple):
        return all(_is_raw(part) for part in typing.get_args(hint))
    return hint in (str, int, bool, bytes, types.NoneType, Ellipsis)
