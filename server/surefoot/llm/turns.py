"""One turn of a model: why it stopped decides what comes next, and every reason ends in an answer or in a failure that says what."""

import json
from collections.abc import Sequence
from typing import assert_never

from surefoot.llm.ask import Ask, Deaf, Exchange, Hear, Said, Turn
from surefoot.llm.capabilities import ALL, PROBE, Capabilities
from surefoot.llm.config import ModelConfig
from surefoot.llm.reply import Reply, StopReason, Text, ToolUse
from surefoot.llm.request import Going
from surefoot.llm.transport import Transport
from surefoot.run.limits import TRUNCATIONS
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Role

NOT_ACCEPTED = "400"
"""The one failure that says something of what an endpoint can do."""


_ASKED = Ask(Role.DISTILLER, ("Answer with ready set to true.",), schema=PROBE, limit=200)


class Turns:
    """Asks one endpoint; what it can do is found out once."""

    def __init__(self, config: ModelConfig, transport: Transport) -> None:
        self._transport = transport
        self._able = ALL if config.endpoint.official else None

    async def turn(self, ask: Ask, hear: Hear) -> Turn:
        """One clean turn: cut answers are put right first."""
        exchanges: list[Exchange] = []
        able = await self._capabilities(exchanges) if ask.schema else self._able or ALL
        going: Going | None = None
        limit = ask.limit
        for _ in range(TRUNCATIONS):
            result, exchange = await self._transport.exchange(ask, limit, able, hear, going)
            exchanges.append(exchange)
            if isinstance(result, Failure):
                return Turn(result, tuple(exchanges))
            if result.stop.reason is not StopReason.MAX_TOKENS:
                return Turn(_read(ask, result, going), tuple(exchanges))
            if ask.schema or ask.tools:
                limit *= 2
            elif ask.go_on:
                going = Going((going.said if going is not None else "") + _text(result), ask.go_on)
            else:
                return Turn(_output("cut", f"the answer is longer than {limit} tokens"), tuple(exchanges))
        why = f"the answer was cut {TRUNCATIONS} times in a row, last at {limit} tokens: ask for less at once"
        return Turn(_output("truncated", why, FailureClass.PERMANENT), tuple(exchanges))

    async def close(self) -> None:
        """Let go of the connections."""
        await self._transport.close()

    async def _capabilities(self, exchanges: list[Exchange]) -> Capabilities:
        """What the endpoint does, found out by one small question where it is not the provider's own; a failure is asked again."""
        if self._able is None:
            result, exchange = await self._transport.exchange(_ASKED, _ASKED.limit, ALL, Deaf())
            exchanges.append(exchange)
            if isinstance(result, Failure) and result.code != NOT_ACCEPTED:
                return ALL
            refused = isinstance(result, Failure)
            held = not isinstance(result, Failure) and _is_object(_text(result))
            self._able = Capabilities(structured=held, tools=True, caches=not refused)
        return self._able


def _read(ask: Ask, reply: Reply, going: Going | None) -> Said | Failure:
    """What a reply that was not cut says."""
    match reply.stop.reason:
        case StopReason.END_TURN | StopReason.STOP_SEQUENCE | StopReason.TOOL_USE:
            return _said(ask, reply, going)
        case StopReason.REFUSAL:
            about = f" ({reply.stop.category})" if reply.stop.category else ""
            return _output("refusal", f"the model refuses this request{about}: say it otherwise, or do it by hand", FailureClass.PERMANENT)
        case StopReason.CONTEXT_EXCEEDED:
            return _output(
                "context", "the request is more than the model can hold: name a smaller part of the task", FailureClass.PERMANENT
            )
        case StopReason.PAUSE_TURN:
            return _output("pause", "the model paused in place of an answer")
        case StopReason.UNKNOWN | StopReason.MAX_TOKENS:
            return _output("unknown stop", "the model stopped for a reason that is not known here")
        case _:
            assert_never(reply.stop.reason)


def _said(ask: Ask, reply: Reply, going: Going | None) -> Said | Failure:
    uses = tuple(block for block in reply.blocks if isinstance(block, ToolUse))
    if uses:
        return _misused(ask, uses) or Said("", uses)
    text = (going.said if going is not None else "") + _text(reply)
    return Said(text) if text.strip() else _output("empty", "the model answered nothing")


def _misused(ask: Ask, uses: Sequence[ToolUse]) -> Failure | None:
    """Why a wish for tools cannot be granted. Names that were made up are not repeated."""
    known = [tool.name for tool in ask.tools]
    if any(use.name not in known for use in uses):
        there = f"there are {', '.join(known)}" if known else "answer without one"
        return _output("unknown tool", f"the answer names a tool that does not exist; {there}")
    bad = next((use for use in uses if not _is_object(use.input)), None)
    return _output("tool input", f"the input of {bad.name} is no JSON object") if bad is not None else None


def _text(reply: Reply) -> str:
    return "".join(block.text for block in reply.blocks if isinstance(block, Text))


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _output(code: str, message: str, cls: FailureClass = FailureClass.SEMANTIC) -> Failure:
    return Failure(Bucket.OUTPUT, cls, code, message)
