"""Values as bytes and back, for any value class: what it has is read from its annotations, so a new field needs nothing here.

The bytes are `marshal`'s, which belong to one version of Python: whoever keeps them keeps that version with them. Mappings and sequences
of a value that is unpacked are lazy: an item becomes a value when it is asked for, because most of a file's facts are never looked at.
"""

import dataclasses
import marshal
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, cast

from surefoot.syntax.store.packed import (
    ByName,
    ByNumber,
    ByPair,
    ByWord,
    Filling,
    Items,
    Pool,
    items_raw,
    names_raw,
    numbers_raw,
    pairs_raw,
    values_raw,
)

T = TypeVar("T")

Down = Callable[[Any], Any]
"""A value as tuples, strings and numbers."""
Up = Callable[[Any], Any]
"""The way back."""

_KEYS: tuple[tuple[Any, Any, Any], ...] = (
    (int, numbers_raw, ByNumber),
    (tuple[int, int], pairs_raw, ByPair),
    (tuple[int, str], names_raw, ByName),
    (str, tuple, ByWord),
)
"""The kinds of keys that a mapping of values may have: how they are packed, and the mapping that has them again."""


def pack(held: object) -> bytes:
    """A value as bytes."""
    pools: dict[type | None, Filling] = {}
    fields = _fields(type(held))
    for field in fields:
        if field.pool is not None and field.pool not in pools:
            pools[field.pool] = Filling(_ways(field.pool)[0])
    parts = [field.down(getattr(held, field.name), pools.get(field.pool)) for field in fields]
    return marshal.dumps((*parts, tuple(pool.raw() for pool in pools.values())))


def unpack(cls: type[T], data: bytes) -> T:
    """The value that `pack` was given. Raises ValueError, EOFError or TypeError for other bytes."""
    raw, fields = marshal.loads(data), _fields(cls)
    if len(raw) != len(fields) + 1:
        raise ValueError(f"{cls.__name__} has {len(fields)} fields, not {len(raw) - 1}")
    kinds = dict.fromkeys(field.pool for field in fields if field.pool is not None)
    pools: dict[type | None, Pool[Any]] = {kind: Pool(part, _up(kind)) for kind, part in zip(kinds, raw[-1], strict=True)}
    return cls(*(field.up(part, pools.get(field.pool)) if field.up else part for field, part in zip(fields, raw, strict=False)))


class _Field(NamedTuple):
    """A field of a value that is packed; `pool` is the class of the values that it has many of."""

    name: str
    pool: type | None
    down: Callable[[Any, Any], Any]
    up: Callable[[Any, Any], Any] | None


@cache
def _fields(cls: type) -> tuple[_Field, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(_field(field.name, hints[field.name]) for field in dataclasses.fields(cls))


def _field(name: str, hint: Any) -> _Field:  # noqa: ANN401  # an annotation may be anything
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and dataclasses.is_dataclass(inside[0]):
        return _Field(name, cast(type, inside[0]), items_raw, Items)
    if origin is Mapping and (kind := _pooled(inside[1])) is not None:
        return _of_mapping(name, kind, inside[0], several=kind is not inside[1])
    turn, back = _ways(hint)

    def down(held: Any, pool: Any) -> Any:  # noqa: ANN401
        return turn(held)

    def up(raw: Any, pool: Any) -> Any:  # noqa: ANN401
        return back(raw) if back is not None else raw

    return _Field(name, None, down, up if back is not None else None)


def _of_mapping(name: str, kind: type, keys: Any, *, several: bool) -> _Field:  # noqa: ANN401  # an annotation may be anything
    keys_raw, made = next((keys_raw, made) for key, keys_raw, made in _KEYS if key == keys)

    def down(held: Any, pool: Any) -> Any:  # noqa: ANN401
        return keys_raw(tuple(held)), values_raw(tuple(held.values()), pool, several)

    def up(raw: Any, pool: Any) -> Any:  # noqa: ANN401
        return made(*raw, pool)

    return _Field(name, kind, down, up)


def _pooled(hint: Any) -> type | None:  # noqa: ANN401  # an annotation may be anything
    """The class of the values that a mapping leads to, one or several at a time; None where it leads to no values of ours."""
    inside = typing.get_args(hint)
    kind = inside[0] if typing.get_origin(hint) is tuple and inside[-1] is Ellipsis else hint
    return cast(type, kind) if dataclasses.is_dataclass(kind) else None


def _up(kind: type) -> Up:
    up = _ways(kind)[1]
    assert up is not None  # as all classes have
    return up


@cache
def _ways(kind: Any) -> tuple[Down, Up | None]:  # noqa: ANN401  # an annotation may be anything
    """How values of an annotation are turned into raw ones and back; None where the raw one is the value."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _of_class(cast(type, kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return (lambda held: held._value_), {each.value: each for each in kind}.__getitem__
    if origin in (types.UnionType, typing.Union):
        return _of_optional(*_ways(*(each for each in inside if each is not types.NoneType)))
    if origin is tuple and inside[-1] is Ellipsis:
        return _of_items(*_ways(inside[0]))
    if origin is Mapping:
        return _of_map(*_ways(inside[1]))
    return (lambda held: held), None


def _of_optional(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    return (lambda held: None if held is None else down(held)), (lambda raw: None if raw is None else up(raw)) if up else None


def _of_items(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    if up is None:
        return (lambda held: held), None
    return (lambda held: tuple([down(each) for each in held])), lambda raw: tuple([up(each) for each in raw])


def _of_map(down: Down, up: Up | None) -> tuple[Down, Up | None]:
    back: Up = lambda raw: {key: up(each) for key, each in raw.items()} if up else raw  # noqa: E731  # beside its counterpart
    return (lambda held: {key: down(each) for key, each in held.items()}), back if up else None


def _of_class(cls: type) -> tuple[Down, Up]:
    hints = typing.get_type_hints(cls)
    names = [field.name for field in dataclasses.fields(cls)]
    get = attrgetter(*names)
    # Not asked for their ways yet: a class may hold itself.
    others = [(index, hints[name]) for index, name in enumerate(names) if not _is_raw(hints[name])]
    turns: list[tuple[int, Down]] = []
    returns: list[tuple[int, Up]] = []

    def down(held: object) -> tuple[object, ...]:
        if not turns:
            turns.extend((index, _ways(hint)[0]) for index, hint in others)
        parts = list(get(held))
        for index, turn in turns:
            if parts[index] is not None:
                parts[index] = turn(parts[index])
        return tuple(parts)

    def up(raw: Any) -> object:  # noqa: ANN401  # whatever marshal gave
        if not returns:
            returns.extend((index, turn) for index, hint in others if (turn := _ways(hint)[1]) is not None)
        parts = list(raw)
        for index, turn in returns:
            if parts[index] is not None:
                parts[index] = turn(parts[index])
        return cls(*parts)

    return down, up


def _is_raw(hint: Any) -> bool:  # noqa: ANN401  # an annotation may be anything
    """Whether values of this annotation, and all that is in them, go to marshal as they are."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union, tuple):
        return all(_is_raw(part) for part in typing.get_args(hint))
    return hint in (str, int, bool, bytes, types.NoneType, Ellipsis)
