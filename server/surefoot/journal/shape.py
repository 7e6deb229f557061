"""The boundary between events and bytes: an unknown field, a missing one or a wrong type is refused."""

import hashlib
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from surefoot.core.errors import Rejected
from surefoot.run.events import Event
from surefoot.run.state import RunState

_KINDS = frozenset(
    {"started", "intended", "permitted", "resulted", "advanced", "told", "moved", "halted", "resumed", "closed"},
)


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


@cache
def _states() -> TypeAdapter[RunState]:
    return TypeAdapter(RunState)


def shaped(given: Event | bytes) -> tuple[Event, bytes]:
    """An event and its bytes, each proven to make the other. Raises Rejected, naming kind and field and never the content.

    Bytes that were given are made anew: what the event does not hold (the first of two values under one name) goes no further.
    """
    event = decode(given) if isinstance(given, bytes) else given
    return event, encode(event)


def encode(event: Event) -> bytes:
    """The JSON of an event, proven to read back as the same event. Raises Rejected."""
    try:
        data = _adapter().dump_json(event, warnings="error")
        same = _adapter().validate_json(data, strict=True) == event
    except (ValidationError, ValueError) as error:
        raise Rejected(_kind_of(event), "an event has its shape", _field(error), "", "") from None
    if not same:
        raise Rejected(event.kind, "an event reads back as itself", "kind", "", "")
    return data


def decode(data: bytes) -> Event:
    """The event of these bytes. Raises Rejected."""
    try:
        return _adapter().validate_json(data, strict=True)
    except ValidationError as error:
        raise Rejected(_told_kind(error), "an event has its shape", _field(error), "", "") from None


def state_hash(state: RunState) -> str:
    """Names a state by all that it holds."""
    return hashlib.sha256(_states().dump_json(state)).hexdigest()


def schema() -> dict[str, Any]:
    """The JSON Schema of events."""
    return _adapter().json_schema()


def _kind_of(event: object) -> str:
    kind = getattr(event, "kind", "")
    return kind if kind in _KINDS else ""


def _told_kind(error: ValidationError) -> str:
    """The kind that the bytes claim, where it is one that there is."""
    where = error.errors(include_input=False, include_context=False, include_url=False)[0]["loc"]
    return str(where[0]) if where and where[0] in _KINDS else ""


def _field(error: Exception) -> str:
    """Where the first fault is. A name that the bytes made up is not repeated."""
    if not isinstance(error, ValidationError):
        return "text"
    first = error.errors(include_input=False, include_context=False, include_url=False)[0]
    parts = [str(part) for part in first["loc"]] or ["bytes" if first["type"] == "json_invalid" else "kind"]
    if first["type"] in {"extra_forbidden", "unexpected_keyword_argument"} and parts:
        parts[-1] = "a field that it does not have"
    return ".".join(parts)
