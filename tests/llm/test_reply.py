"""The boundary suite "API": whatever a provider answers is a reply or a failure of one class, and nothing unknown gets past it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.llm.refusals import LARGEST
from surefoot.llm.reply import Redacted, Reply, Stop, StopReason, Text, Thinking, ToolUse, Usage, normalise
from surefoot.run.outcomes import Bucket, Failure, FailureClass

CANARY = "canary-7f3a"
DEEP = {"a": [{"b": CANARY}]}
TRANSIENT, PERMANENT, SEMANTIC = FailureClass.TRANSIENT, FailureClass.PERMANENT, FailureClass.SEMANTIC

MESSAGE: Mapping[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "some-model",
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 3, "cache_read_input_tokens": 2},
}
USAGE: Mapping[str, Any] = MESSAGE["usage"]


def body(**changes: object) -> bytes:
    return json.dumps({**MESSAGE, **changes}).encode()


def without(name: str) -> bytes:
    return json.dumps({held: value for held, value in MESSAGE.items() if held != name}).encode()


def usage(**changes: object) -> bytes:
    return body(usage={**USAGE, **changes})


def told(**error: object) -> bytes:
    return json.dumps({"type": "error", "error": {"message": CANARY, **error}, "request_id": CANARY}).encode()


def check_failure(status: int, raw: bytes, cls: FailureClass, code: str) -> None:
    failure = normalise(status, {"content-type": CANARY}, raw)
    assert isinstance(failure, Failure)
    assert (failure.bucket, failure.cls, failure.code) == (Bucket.TRANSPORT, cls, code)
    assert failure.message
    assert CANARY not in repr(failure)


def check_reply(raw: bytes) -> Reply:
    reply = normalise(200, {"Request-Id": "req_1", "x-other": CANARY}, raw)
    assert isinstance(reply, Reply), reply
    assert CANARY not in repr(reply)
    return reply


def test_a_message_is_read_whole() -> None:
    raw = body(
        content=[
            {"type": "thinking", "thinking": "hm", "signature": "sig"},
            {"type": "redacted_thinking", "data": "xyz"},
            {"type": "text", "text": "é\u2028\U0001f600", "citations": None},
            {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a.py", "lines": [1, 2]}},
        ],
        stop_reason="tool_use",
    )
    assert check_reply(raw) == Reply(
        id="msg_1",
        model="some-model",
        blocks=(
            Thinking("hm", "sig"),
            Redacted("xyz"),
            Text("é\u2028\U0001f600"),
            ToolUse("toolu_1", "read", '{"path": "a.py", "lines": [1, 2]}'),
        ),
        stop=Stop(StopReason.TOOL_USE, "tool_use"),
        usage=Usage(10, 5, 3, 2),
        request="req_1",
    )


@pytest.mark.parametrize(
    ("raw", "blocks", "used"),
    [
        (body(content=[]), (), Usage(10, 5, 3, 2)),
        (body(usage={"input_tokens": 1, "output_tokens": 0}), (Text("hi"),), Usage(1, 0)),
        (usage(cache_read_input_tokens=None, service_tier="standard", cache_creation={"a": 1}), (Text("hi"),), Usage(10, 5, 3, 0)),
        (body(content=[{"type": "thinking", "thinking": "hm"}]), (Thinking("hm", ""),), Usage(10, 5, 3, 2)),
        (b"\n" + without("stop_sequence") + b"\n", (Text("hi"),), Usage(10, 5, 3, 2)),
    ],
)
def test_what_other_servers_leave_out(raw: bytes, blocks: tuple[object, ...], used: Usage) -> None:
    reply = check_reply(raw)
    assert (reply.blocks, reply.usage, reply.quarantine) == (blocks, used, ())


@pytest.mark.parametrize(
    ("changes", "stop"),
    [
        *(({"stop_reason": reason.value}, Stop(reason, reason.value)) for reason in StopReason),
        ({"stop_reason": "compaction"}, Stop(StopReason.UNKNOWN, "compaction")),
        ({"stop_reason": f"because of {CANARY}"}, Stop(StopReason.UNKNOWN, "")),
        (
            {"stop_reason": "refusal", "stop_details": {"category": "cyber", "explanation": CANARY}},
            Stop(StopReason.REFUSAL, "refusal", "cyber"),
        ),
    ],
)
def test_why_a_model_stopped(changes: dict[str, Any], stop: Stop) -> None:
    reply = check_reply(body(**changes))
    assert (reply.stop, reply.quarantine) == (stop, ())


@pytest.mark.parametrize(
    ("raw", "fields"),
    [
        (body(extra=CANARY), ["extra"]),
        (body(extra=DEEP, other=[CANARY]), ["extra", "other"]),
        (usage(extra_tokens=CANARY), ["usage.extra_tokens"]),
        (body(stop_details={"category": "bio", "extra": DEEP}), ["stop_details.extra"]),
        (body(content=[{"type": "text", "text": "hi", "extra": CANARY}]), ["content.0.extra"]),
        (body(content=[{"type": "text", "text": "a"}, {"type": "new_block", "text": CANARY}]), ["content.1"]),
        (body(content=[{"type": CANARY}]), ["content.0"]),
        (body(content=[{"type": "tool_use", "id": "t", "name": "n", "input": {}, "extra": DEEP}]), ["content.0.extra"]),
        (body(**{f"<b>{CANARY}</b>": 1}), None),
    ],
)
def test_what_is_unknown_is_dropped_and_said(raw: bytes, fields: list[str] | None) -> None:
    reply = check_reply(raw)
    if fields is not None:
        assert [held.field for held in reply.quarantine] == fields
    assert all(len(held.digest) == 32 for held in reply.quarantine)
    assert reply.quarantine


def test_a_digest_tells_values_apart() -> None:
    digests = {check_reply(body(extra=held)).quarantine[0].digest for held in (CANARY, DEEP, None, [], 1)}
    assert len(digests) == 5
    assert len({check_reply(body(extra=held)).quarantine[0].digest for held in ({"a": 1, "b": 2}, {"b": 2, "a": 1})}) == 1


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (f"<!doctype html><p>{CANARY}".encode(), "html"),
        (f"  <html>{CANARY}</html>".encode(), "html"),
        (body(content=[{"type": "text", "text": CANARY}])[:-4], "truncated"),
        (f'{{"{CANARY}'.encode(), "truncated"),
        (CANARY.encode(), "not json"),
        (f'{{"a": NaN, "b": "{CANARY}"}}'.encode(), "not json"),
        (body() + CANARY.encode(), "not json"),
        (b'{"a": "\xff"}', "not json"),
        (b'{"a": "\\ud800"}', "not json"),
        (b"[" * 100_000, "not json"),
        (b" " * LARGEST + body(), "not json"),
        (b"null", "shape"),
        (json.dumps([CANARY]).encode(), "shape"),
        (json.dumps({"type": CANARY}).encode(), "shape"),
        *((without(name), "shape") for name in ("id", "type", "role", "model", "content", "stop_reason", "usage")),
        (body(role="user"), "shape"),
        (body(stop_reason=None), "shape"),
        (body(content=CANARY), "shape"),
        (body(content=[CANARY]), "shape"),
        (body(content=[{"text": CANARY}]), "shape"),
        (body(content=[{"type": ["text"], "text": CANARY}]), "shape"),
        (body(content=[{"type": "text", "text": {"a": CANARY}}]), "shape"),
        (body(content=[{"type": "tool_use", "id": "", "name": CANARY, "input": {}}]), "shape"),
        (body(content=[{"type": "tool_use", "id": "t", "name": "n", "input": CANARY}]), "shape"),
        (usage(input_tokens=CANARY), "shape"),
        (usage(input_tokens="10"), "shape"),
        (usage(output_tokens=-1), "shape"),
        (usage(output_tokens=True), "shape"),
        (usage(output_tokens=1.5), "shape"),
    ],
)
def test_a_success_that_is_no_message_makes_no_sense(raw: bytes, code: str) -> None:
    check_failure(200, raw, SEMANTIC, code)


@pytest.mark.parametrize(
    ("kind", "cls", "code"),
    [
        ("overloaded_error", TRANSIENT, "overloaded_error"),
        ("rate_limit_error", TRANSIENT, "rate_limit_error"),
        ("api_error", TRANSIENT, "api_error"),
        ("invalid_request_error", PERMANENT, "invalid_request_error"),
        ("authentication_error", PERMANENT, "authentication_error"),
        (CANARY, SEMANTIC, "error"),
        ([CANARY], SEMANTIC, "error"),
        (None, SEMANTIC, "error"),
    ],
)
def test_an_error_with_a_status_of_success(kind: object, cls: FailureClass, code: str) -> None:
    check_failure(200, told(type=kind), cls, code)


def test_an_error_without_an_error() -> None:
    check_failure(200, b'{"type": "error"}', SEMANTIC, "error")


@pytest.mark.parametrize(
    ("statuses", "cls"),
    [
        ((400, 401, 402, 403, 404, 405, 413, 422), PERMANENT),
        ((408, 409, 429, 500, 502, 503, 504, 529, 599), TRANSIENT),
        ((100, 201, 204, 302), SEMANTIC),
    ],
)
@pytest.mark.parametrize("raw", [told(type="overloaded_error"), b"", f"<html>{CANARY}".encode(), body(), b'{"error": "' + b"x" * 9])
def test_a_status_decides_first(statuses: tuple[int, ...], cls: FailureClass, raw: bytes) -> None:
    for status in statuses:
        check_failure(status, raw, cls, str(status))


def test_a_spent_limit_does_not_pass() -> None:
    check_failure(429, told(type="rate_limit_error", details={"error_code": "enforced_spend_limit_reached"}), PERMANENT, "429")
    check_failure(429, told(type="rate_limit_error", details={"error_code": [CANARY]}), TRANSIENT, "429")


@pytest.mark.parametrize("number", [CANARY + " x", "a\nb", "", "x" * 81])
def test_a_number_of_a_request_that_is_none(number: str) -> None:
    reply = normalise(200, {"request-id": number}, body())
    assert isinstance(reply, Reply)
    assert reply.request == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from([*MESSAGE, "stop_details", "extra"])


@settings(max_examples=300, deadline=None)
@given(status=st.just(200) | st.integers(0, 999), raw=st.binary(max_size=64) | st.builds(lambda held: json.dumps(held).encode(), JSON))
def test_no_bytes_are_an_exception(status: int, raw: bytes) -> None:
    assert isinstance(normalise(status, {}, raw), Failure)


@settings(max_examples=300, deadline=None)
@given(changes=st.dictionaries(FIELDS, JSON, min_size=1, max_size=2))
def test_no_field_is_an_exception(changes: dict[str, Any]) -> None:
    assert isinstance(normalise(200, {}, body(**changes)), Reply | Failure)
