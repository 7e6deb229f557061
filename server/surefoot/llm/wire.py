"""The parts of a Messages API response as they come over the wire.

A field that is declared is known, whether Surefoot reads it or not; whatever else comes along is kept apart by `extra` and goes no further.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, NonNegativeInt


class Part(BaseModel):
    """Types are as they are written: no number is read out of a string."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class TextPart(Part):
    """Free text."""

    type: Literal["text"]
    text: str
    citations: JsonValue = None


class ThinkingPart(Part):
    """What a model thought before it answered; servers other than the provider's own leave the signature out."""

    type: Literal["thinking"]
    thinking: str
    signature: str = ""


class RedactedPart(Part):
    """Thoughts that only the provider can read."""

    type: Literal["redacted_thinking"]
    data: str


class ToolUsePart(Part):
    """A tool that the model wants to be used."""

    type: Literal["tool_use"]
    id: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(min_length=1)]
    input: dict[str, JsonValue]
    caller: JsonValue = None


class UsagePart(Part):
    """Tokens of one request."""

    input_tokens: NonNegativeInt
    output_tokens: NonNegativeInt
    cache_creation_input_tokens: NonNegativeInt | None = None
    cache_read_input_tokens: NonNegativeInt | None = None
    cache_creation: JsonValue = None
    output_tokens_details: JsonValue = None
    server_tool_use: JsonValue = None
    service_tier: JsonValue = None
    inference_geo: JsonValue = None
    speed: JsonValue = None


class StopPart(Part):
    """Why a model would not answer."""

    type: str | None = None
    category: str | None = None
    explanation: str | None = None


class MessagePart(Part):
    """A whole answer; its blocks are read one by one, because a block of an unknown type is no fault."""

    id: Annotated[str, Field(min_length=1)]
    type: Literal["message"]
    role: Literal["assistant"]
    model: Annotated[str, Field(min_length=1)]
    content: list[dict[str, JsonValue]]
    stop_reason: Annotated[str, Field(min_length=1)]
    stop_sequence: str | None = None
    stop_details: StopPart | None = None
    usage: UsagePart
    container: JsonValue = None
    context_management: JsonValue = None
    diagnostics: JsonValue = None
