"""Responses that are no message: which class of failure each one is. No message has a word of the body in it."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import JsonValue
from pydantic_core import from_json

from surefoot.run.outcomes import Bucket, Failure, FailureClass

LARGEST = 32 * 1024 * 1024
"""Bytes; a longer body is no message."""

_PASSING = frozenset({"rate_limit_error", "api_error", "timeout_error", "overloaded_error"})
"""Errors that the provider names and that go away by themselves."""

_LASTING = frozenset(
    {
        "invalid_request_error",
        "authentication_error",
        "billing_error",
        "permission_error",
        "not_found_error",
        "request_too_large",
    }
)
_SPENT = "enforced_spend_limit_reached"
_REFUSALS: Mapping[int, str] = MappingProxyType(
    {
        400: "the provider does not accept this request: `surefoot doctor` tells whether model and address are right",
        401: "the provider does not accept the key: set another one in ANTHROPIC_API_KEY",
        402: "the provider asks for payment: look at the account that the key belongs to",
        403: "the key may not do this: use a key that may ask this model, or name another model in surefoot.toml",
        404: "the provider does not know this model or address: see [model] in surefoot.toml",
        413: "the request is too large for the provider: name a smaller part of the task",
        429: "the provider takes no more requests for now",
        529: "the provider is overloaded",
    }
)
"""What a status means, and what a person can do about it."""


def read_json(body: bytes) -> JsonValue:
    """Strict JSON. Raises ValueError."""
    if len(body) > LARGEST:
        raise ValueError("too long")
    held: JsonValue = from_json(body, allow_inf_nan=False)
    return held


def not_json(body: bytes, why: str) -> Failure:
    """A response that says success and is not JSON; `why` is what the parser said of it."""
    if not body.strip():
        return _semantic("empty", "the provider answered nothing")
    if body.lstrip()[:1] == b"<":
        return _semantic("html", "the provider answered a web page in place of a message")
    if why.startswith("EOF"):
        return _semantic("truncated", f"the provider's answer breaks off after {len(body)} bytes")
    return _semantic("not json", f"the provider answered {len(body)} bytes that are not JSON")


def refused_by_status(status: int, body: bytes) -> Failure:
    """A status that is no success; of the body only the one code counts that makes another try pointless."""
    if 100 <= status < 400:
        return _semantic(str(status), f"the provider answered with status {status} in place of a message")
    passing = status in (408, 409, 429) or status >= 500
    if status == 429 and _code(body) == _SPENT:
        return _failure(FailureClass.PERMANENT, "429", "the spending limit of this key is reached")
    why = _REFUSALS.get(status, "the provider has trouble" if passing else "the provider refused the request")
    return _failure(FailureClass.TRANSIENT if passing else FailureClass.PERMANENT, str(status), f"{why} (status {status})")


def misshapen(field: str) -> Failure:
    """JSON that is no message, because of one field."""
    return _semantic("shape", f"the provider's answer is no message: {field} is missing, or not of its type")


def told_error(held: dict[str, JsonValue]) -> Failure:
    """An error that came with a status of success."""
    error = held.get("error")
    kind = error.get("type") if isinstance(error, dict) else None
    if isinstance(kind, str) and kind in _PASSING:
        return _failure(FailureClass.TRANSIENT, kind, "the provider has trouble, and said so in place of an answer")
    if isinstance(kind, str) and kind in _LASTING:
        return _failure(FailureClass.PERMANENT, kind, "the provider refused the request, and said so in place of an answer")
    return _semantic("error", "the provider answered with an error that is not known")


def _code(body: bytes) -> JsonValue:
    try:
        held = read_json(body)
    except ValueError:
        return None
    for name in ("error", "details", "error_code"):
        held = held.get(name) if isinstance(held, dict) else None
    return held


def _semantic(code: str, message: str) -> Failure:
    return _failure(FailureClass.SEMANTIC, code, message)


def _failure(cls: FailureClass, code: str, message: str) -> Failure:
    return Failure(Bucket.TRANSPORT, cls, code, message)
