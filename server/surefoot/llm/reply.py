"""The boundary for a provider's response: status, headers and bytes become a reply or a failure, and nothing else of them goes further.

A field that is not known is dropped. That it came, where, and a digest of what it held are kept beside the reply, so that a person can see
that something was left out; the value itself is in the recorded body only. Of a response that is no message, not a word is passed on.
"""

import json
import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from surefoot.core.text import digest
from surefoot.core.value import value
from surefoot.llm.refusals import misshapen, not_json, read_json, refused_by_status, told_error
from surefoot.llm.wire import MessagePart, Part, RedactedPart, TextPart, ThinkingPart, ToolUsePart
from surefoot.run.outcomes import Failure


class StopReason(StrEnum):
    """Why a model stopped. `unknown` is a reason that this version does not know; `said` has the word for it."""

    END_TURN = "end_turn"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_USE = "tool_use"
    PAUSE_TURN = "pause_turn"
    REFUSAL = "refusal"
    CONTEXT_EXCEEDED = "model_context_window_exceeded"
    UNKNOWN = "unknown"


@value
class Stop:
    """Why a model stopped: `said` as the provider named it ("" for what is no plain word), `category` of a refusal."""

    reason: StopReason
    said: str
    category: str = ""


@value
class Text:
    """Free text of a model."""

    text: str


@value
class Thinking:
    """What a model thought; it goes back unchanged or not at all."""

    text: str
    signature: str


@value
class Redacted:
    """Thoughts that only the provider can read."""

    data: str


@value
class ToolUse:
    """A tool that the model wants to be used; `input` is the JSON of an object, unchecked."""

    id: str
    name: str
    input: str


Block = Text | Thinking | Redacted | ToolUse


@value
class Usage:
    """Tokens of one request. All input is `input` + `cache_written` + `cache_read`."""

    input: int
    output: int
    cache_written: int = 0
    cache_read: int = 0


@value
class Quarantined:
    """Something that was dropped: where it was, and the digest of its JSON."""

    field: str
    digest: str


@value
class Reply:
    """One whole answer of a model. `request` is the provider's number for it, "" where none came."""

    id: str
    model: str
    blocks: tuple[Block, ...]
    stop: Stop
    usage: Usage
    request: str = ""
    quarantine: tuple[Quarantined, ...] = ()


P = TypeVar("P", bound=Part)
_Known = TextPart | ThinkingPart | RedactedPart | ToolUsePart
_WORD = re.compile(r"[A-Za-z][\w-]{0,39}", re.ASCII)
_REQUEST = re.compile(r"[\w-]{1,80}", re.ASCII)


class _Misshapen(Exception):
    """JSON that is no message; the text names the field."""


def normalise(status: int, headers: Mapping[str, str], body: bytes) -> Reply | Failure:
    """The reply in a whole (not streamed) response, or one failure of one class. No message has a word of the body in it."""
    if status != 200:
        return refused_by_status(status, body)
    try:
        held = read_json(body)
    except ValueError as error:
        return not_json(body, str(error))
    if isinstance(held, dict) and held.get("type") == "error":
        return told_error(held)
    try:
        return _reply(held, headers)
    except _Misshapen as error:
        return misshapen(str(error))


def _reply(held: JsonValue, headers: Mapping[str, str]) -> Reply:
    """Raises _Misshapen."""
    message = _parsed(MessagePart, held, ())
    parts = [(number, raw, _part(number, raw)) for number, raw in enumerate(message.content)]
    dropped = list(_unknown(message, ()))
    for number, raw, part in parts:
        dropped += _unknown(part, ("content", number)) if part is not None else [_quarantined(("content", number), raw)]
    usage = message.usage
    return Reply(
        id=message.id,
        model=message.model,
        blocks=tuple(_block(part) for _, _, part in parts if part is not None),
        stop=_stop(message),
        usage=Usage(usage.input_tokens, usage.output_tokens, usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0),
        request=_request(headers),
        quarantine=tuple(dropped),
    )


def _part(number: int, raw: dict[str, JsonValue]) -> _Known | None:
    kind = raw.get("type")
    if not isinstance(kind, str):
        raise _Misshapen(f"content.{number}.type")
    place = ("content", number)
    match kind:
        case "text":
            return _parsed(TextPart, raw, place)
        case "thinking":
            return _parsed(ThinkingPart, raw, place)
        case "redacted_thinking":
            return _parsed(RedactedPart, raw, place)
        case "tool_use":
            return _parsed(ToolUsePart, raw, place)
        case _:
            return None


def _block(part: _Known) -> Block:
    match part:
        case TextPart():
            return Text(part.text)
        case ThinkingPart():
            return Thinking(part.thinking, part.signature)
        case RedactedPart():
            return Redacted(part.data)
        case ToolUsePart():
            return ToolUse(part.id, part.name, json.dumps(part.input, ensure_ascii=False))


def _stop(message: MessagePart) -> Stop:
    said = message.stop_reason
    reason = next((known for known in StopReason if known == said), StopReason.UNKNOWN)
    category = message.stop_details.category if message.stop_details else None
    return Stop(reason, _plain(said), _plain(category or ""))


def _plain(word: str) -> str:
    """A word of the provider, only if it is one."""
    return word if _WORD.fullmatch(word) else ""


def _request(headers: Mapping[str, str]) -> str:
    found = next((held for name, held in headers.items() if name.lower() == "request-id"), "")
    return found if _REQUEST.fullmatch(found) else ""


def _parsed(model: type[P], held: JsonValue, place: tuple[str | int, ...]) -> P:
    try:
        return model.model_validate(held)
    except ValidationError as error:
        raise _Misshapen(_path((*place, *error.errors(include_input=False, include_url=False)[0]["loc"])) or "the whole") from None


def _unknown(part: Part, place: tuple[str | int, ...]) -> Iterator[Quarantined]:
    """What came along with a part, and with the parts in it."""
    for name, held in (part.model_extra or {}).items():
        yield _quarantined((*place, name), held)
    for name in type(part).model_fields:
        if isinstance(inner := getattr(part, name), Part):
            yield from _unknown(inner, (*place, name))


def _quarantined(place: tuple[str | int, ...], held: JsonValue) -> Quarantined:
    return Quarantined(_path(place), digest(json.dumps(held, sort_keys=True).encode()))


def _path(place: tuple[str | int, ...]) -> str:
    """Where something is; a name that is no plain word stands as its digest."""
    return ".".join(str(step) if isinstance(step, int) or _WORD.fullmatch(step) else f"#{digest(step.encode())[:8]}" for step in place)
