"""The boundary between events and bytes: an unknown field, a missing one or a wrong type is refused."""

from functools import cache
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from surefoot.core.errors import JournalError, Rejected
from surefoot.run.events import Event


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def encode(event: Event) -> bytes:
    """The JSON of an event, proven to read back as the same event. Raises Rejected."""
    try:
        data = _adapter().dump_json(event, warnings="error")
        same = _adapter().validate_json(data) == event
    except (ValidationError, ValueError) as error:
        raise Rejected(event.kind, "an event has its shape", _field(error), "", "") from None
    if not same:
        raise Rejected(event.kind, "an event reads back as itself", "", "", "")
    return data


def decode(data: bytes) -> Event:
    """The event of a stored row. Raises JournalError naming the field, never the content."""
    try:
        return _adapter().validate_json(data)
    except ValidationError as error:
        raise JournalError(f"a journal row does not have the shape of an event ({_field(error)})") from None


def _field(error: Exception) -> str:
    if isinstance(error, ValidationError) and error.errors():
        return ".".join(str(part) for part in error.errors(include_input=False)[0]["loc"])
    return ""
