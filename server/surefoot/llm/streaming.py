"""A streamed answer, put together into the message that would have come whole: by the bytes that came, never by a guess.

Server-sent events as the HTML standard has them, section 9.2; the kinds of events are those of the Messages API.
"""

import json
from typing import cast

from pydantic import JsonValue

from surefoot.llm.refusals import read_json, told_error
from surefoot.run.outcomes import Bucket, Failure, FailureClass

CUT = Failure(Bucket.TRANSPORT, FailureClass.TRANSIENT, "connection", "the connection to the provider broke in the middle of an answer")
BROKEN = Failure(Bucket.TRANSPORT, FailureClass.SEMANTIC, "truncated", "a piece of the provider's answer is not whole JSON")

Object = dict[str, JsonValue]


class Assembly:
    """Takes the lines of a stream as they come. `characters` counts what has come of the answer so far."""

    def __init__(self) -> None:
        self._message: Object | None = None
        self._blocks: dict[int, Object] = {}
        self._inputs: dict[int, str] = {}
        self._over = False
        self.failure: Failure | None = None
        self.characters = 0

    def line(self, line: str) -> None:
        """One line of the stream. What comes after a failure or the end is of no interest."""
        if self.failure is not None or self._over or not line.startswith("data:"):
            return
        try:
            held = read_json(line[5:].strip().encode("utf-8"))
        except ValueError:
            self.failure = BROKEN
            return
        if isinstance(held, dict):
            self._event(held)

    def body(self) -> bytes | Failure:
        """The whole message as JSON, or why there is none."""
        if self.failure is not None:
            return self.failure
        if self._message is None or not self._over:
            return CUT
        blocks: list[JsonValue] = []
        for number in sorted(self._blocks):
            block = self._blocks[number]
            if number in self._inputs:
                try:
                    block["input"] = read_json((self._inputs[number] or "{}").encode("utf-8"))
                except ValueError:
                    block["input"] = None
            blocks.append(block)
        return json.dumps({**self._message, "content": blocks}).encode("utf-8")

    def _event(self, event: Object) -> None:
        match event.get("type"):
            case "message_start" if isinstance(message := event.get("message"), dict):
                self._message = dict(message)
            case "content_block_start" if isinstance(block := event.get("content_block"), dict):
                self._begin(_number(event), dict(block))
            case "content_block_delta" if isinstance(delta := event.get("delta"), dict):
                self._add(_number(event), delta)
            case "message_delta" if self._message is not None:
                self._end(event)
            case "message_stop":
                self._over = True
            case "error":
                self.failure = told_error(event)
            case _:
                pass

    def _begin(self, number: int, block: Object) -> None:
        self._blocks[number] = block
        if block.get("type") == "tool_use":
            self._inputs[number] = ""

    def _add(self, number: int, delta: Object) -> None:
        block = self._blocks.get(number)
        if block is None:
            self.failure = BROKEN
            return
        for field, into in (("text", "text"), ("thinking", "thinking"), ("signature", "signature")):
            if isinstance(piece := delta.get(field), str):
                block[into] = f"{block.get(into) or ''}{piece}"
                self.characters += len(piece)
        if isinstance(piece := delta.get("partial_json"), str):
            self._inputs[number] = self._inputs.get(number, "") + piece
            self.characters += len(piece)

    def _end(self, event: Object) -> None:
        message = cast(Object, self._message)
        for part in ("delta", "usage"):
            if isinstance(held := event.get(part), dict):
                known = message.get("usage") if part == "usage" else None
                given = {name: each for name, each in held.items() if each is not None}
                if part == "usage":
                    message["usage"] = {**(known if isinstance(known, dict) else {}), **given}
                else:
                    message.update(held)


def _number(event: Object) -> int:
    return index if isinstance(index := event.get("index"), int) else -1
