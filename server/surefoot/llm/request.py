"""The body of a request, made from an `Ask`: the same bytes for the same question, whatever came before it."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from pydantic import JsonValue

from surefoot.core.value import value
from surefoot.llm.ask import Ask
from surefoot.llm.capabilities import Capabilities

_CACHED: Mapping[str, str] = MappingProxyType({"type": "ephemeral"})


@value
class Going:
    """What was said so far of a free text that was cut, and the words that ask for the rest."""

    said: str
    go_on: str


@value
class Body:
    """What is sent to the Messages API, but for `stream`; `rest` are the fields beside those that every request has."""

    model: str
    limit: int
    messages: tuple[Mapping[str, object], ...]
    rest: Mapping[str, object]


def body_of(ask: Ask, model: str, limit: int, able: Capabilities, going: Going | None = None) -> Body:
    """The body for a question, of at most `limit` tokens of answer."""
    blocks = [_block(text, cached=able.caches and number == ask.stable) for number, text in enumerate(ask.blocks, 1)]
    if ask.schema and not able.structured:
        blocks.append(_block(ask.schema, cached=False))
    messages: list[Mapping[str, object]] = [{"role": "user", "content": blocks}]
    if going is not None:
        messages += [{"role": "assistant", "content": going.said}, {"role": "user", "content": going.go_on}]
    rest: dict[str, object] = {}
    if ask.system:
        rest["system"] = [{"type": "text", "text": ask.system, **({"cache_control": dict(_CACHED)} if able.caches else {})}]
    if ask.tools and able.tools:
        rest["tools"] = [{"name": t.name, "description": t.description, "input_schema": closed(json.loads(t.schema))} for t in ask.tools]
    if ask.schema and able.structured:
        rest["output_config"] = {"format": {"type": "json_schema", "schema": closed(json.loads(ask.schema))}}
    return Body(model, limit, tuple(messages), rest)


def _block(text: str, *, cached: bool) -> dict[str, object]:
    return {"type": "text", "text": text, **({"cache_control": dict(_CACHED)} if cached else {})}


_UNTOLD = frozenset({"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern", "default", "title"})
"""Keywords that the provider does not hold an answer to; ours does, when it reads it."""


def closed(schema: JsonValue) -> JsonValue:
    """A JSON Schema with the keywords that providers take, and no object that has more fields than it names."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # A field of an object may be called like a keyword; then what stands under it is a schema.
    made = {name: closed(held) for name, held in schema.items() if name not in _UNTOLD or isinstance(held, dict)}
    return {**made, "additionalProperties": False} if made.get("type") == "object" else made


def text_of(blocks: Sequence[str]) -> int:
    """Tokens of some texts, as nearly as can be told without asking: four bytes each."""
    return -(-sum(len(block.encode("utf-8")) for block in blocks) // 4)
