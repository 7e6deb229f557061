"""`@value`: the one way to declare a value, so that all of them are frozen and refuse unknown fields when read back."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a frozen, slotted dataclass that pydantic reads strictly: an unknown field is an error."""
    made = dataclass(frozen=True, slots=True)(cls)
    made.__pydantic_config__ = {"extra": "forbid"}  # type: ignore[attr-defined]
    return made
