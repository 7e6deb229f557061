"""`@value`: the one way to declare a value, so that all of them are frozen and refuse unknown fields when read back."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a frozen, slotted dataclass that pydantic reads strictly: an unknown field is an error."""
    made = dataclass(frozen=True, slots=True)(cls)
    made.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]
    made.__reduce__ = _reduce_of([field.name for field in fields(made)])  # type: ignore[method-assign]
    return made


def _reduce_of(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    """How a value is pickled: as a call of its class, which takes half of the time of fields that are set one by one."""
    parts = attrgetter(*names) if len(names) > 1 else None

    def reduce(self: object) -> tuple[Any, ...]:
        return type(self), parts(self) if parts is not None else tuple([getattr(self, name) for name in names])

    return reduce
