"""The outside of a message: what it is, before anybody looks at what it says."""

from collections.abc import Mapping
from typing import Literal, cast

from surefoot.core.value import value

Id = int | str


@value
class Request:
    """Wants an answer under `id`."""

    id: Id
    method: str


@value
class Notification:
    """Wants none."""

    method: str


@value
class Answer:
    """Answers the request `id` of ours; `whole` is false for one that is neither a result nor an error."""

    id: Id
    whole: bool


@value
class Misfit:
    """No message at all. `answered` says that somebody may be waiting, under `id` where it can be told; `reason` has no word of it."""

    id: Id | None
    answered: bool
    reason: str


def read_envelope(data: object) -> Request | Notification | Answer | Misfit:
    """What a parsed body is, by the letter of JSON-RPC 2.0."""
    if not isinstance(data, dict):
        return Misfit(None, True, "a message is one object")
    held = cast("dict[str, object]", data)
    named = _id(held.get("id"))
    if "method" not in held:
        return _answer(held, named)
    asks = "id" in held
    method = held["method"]
    if not isinstance(method, str):
        return Misfit(named, asks, "a method is named by a text")
    if held.get("jsonrpc") != "2.0":
        return Misfit(named, asks, "a message says that it is JSON-RPC 2.0")
    if not isinstance(held.get("params"), dict | list | None):
        return Misfit(named, asks, "parameters are an object or an array")
    if not asks:
        return Notification(method)
    return Misfit(None, True, "an id is a whole number or a text") if named is None else Request(named, method)


def contents(data: Mapping[str, object], kind: Literal["message", "answer"]) -> dict[str, object]:
    """The fields that a message of its kind has; whatever else came along is left behind."""
    fields = ("jsonrpc", "id", "method", "params") if kind == "message" else ("jsonrpc", "id", "result", "error")
    return {name: data[name] for name in fields if name in data}


def _answer(held: Mapping[str, object], named: Id | None) -> Answer | Misfit:
    if named is None:
        # An error without an id is how the other side says that it could not read us: there is nothing to answer.
        return Misfit(None, "error" not in held, "a message has a method, or the id of a request")
    return Answer(named, held.get("jsonrpc") == "2.0" and ("result" in held) != ("error" in held))


def _id(given: object) -> Id | None:
    return given if isinstance(given, int | str) and not isinstance(given, bool) else None
