"""Asks a model over the wire: streamed, tried again with the same bytes where the way there failed, closed at once when nobody waits."""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

from surefoot.core.value import value
from surefoot.llm.ask import Ask, Exchange, Hear, Retry
from surefoot.llm.capabilities import Capabilities
from surefoot.llm.client import client_of
from surefoot.llm.config import ModelConfig
from surefoot.llm.refusals import refused_by_status
from surefoot.llm.reply import Reply, normalise
from surefoot.llm.request import Body, Going, body_of, text_of
from surefoot.llm.streaming import CUT, Assembly
from surefoot.run.limits import TRANSPORT_RETRIES, TRANSPORT_WAIT_CAP_SECONDS
from surefoot.run.outcomes import Bucket, Failure, FailureClass, Role, Spent

if TYPE_CHECKING:
    from anthropic.types import MessageParam

    from surefoot.llm.client import Client

_SLOW = Failure(Bucket.TRANSPORT, FailureClass.TRANSIENT, "timeout", "the provider did not answer in time")
_AWAY = Failure(
    Bucket.TRANSPORT,
    FailureClass.TRANSIENT,
    "connection",
    "the provider could not be reached: look at the network, the proxy and the address that is asked",
)
_UNTRUSTED = Failure(
    Bucket.TRANSPORT,
    FailureClass.PERMANENT,
    "certificate",
    "the certificate of the provider is not trusted: name the file of its authority as `ca` in [model] of surefoot.toml",
)
_TOLD_AFTER = 1000
"""Characters after which whoever listens hears of the next piece of an answer."""


@value
class Answered:
    """One try: what came of it, with the bytes both ways and how long the provider asks to be left alone, in seconds."""

    result: Reply | Failure
    request: bytes
    response: bytes
    wait: float = 0.0


class Transport:
    """One client for one event loop. Its retries are its own: a request that was tried again is one exchange with the tries in it."""

    def __init__(self, config: ModelConfig, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._config = config
        self._sleep = sleep
        self._client: Client | None = None

    async def exchange(
        self, ask: Ask, limit: int, able: Capabilities, hear: Hear, going: Going | None = None
    ) -> tuple[Reply | Failure, Exchange]:
        """One request, with at most `limit` tokens of answer, and what came of it in the end."""
        model = self._config.models.of(ask.role)
        body = body_of(ask, model, limit, able, going)
        retries: list[Retry] = []
        began = time.monotonic()
        answered = await self._once(body, ask.role, hear)
        for number in range(1, TRANSPORT_RETRIES + 1):
            if not isinstance(answered.result, Failure) or answered.result.cls is not FailureClass.TRANSIENT:
                break
            wait = max(self._config.endpoint.base_seconds * 2 ** (number - 1), min(answered.wait, TRANSPORT_WAIT_CAP_SECONDS))
            retries.append(Retry(number, TRANSPORT_RETRIES, answered.result.code, wait))
            hear.waiting(ask.role, retries[-1])
            await self._sleep(wait)
            answered = await self._once(body, ask.role, hear)
        spent = self._spent(ask, model, answered.result)
        seconds = time.monotonic() - began
        return answered.result, Exchange(answered.request, answered.response, model, ask.prompt, spent, tuple(retries), seconds)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def _once(self, body: Body, role: Role, hear: Hear) -> Answered:
        """One try. Whatever goes wrong on the way is a failure of one class."""
        if self._client is None:
            self._client = await asyncio.to_thread(client_of, self._config.endpoint)
        import anthropic
        import httpx2

        try:
            return await self._streamed(self._client, body, role, hear)
        except anthropic.APIStatusError as error:
            given = await error.response.aread()
            wait = _wait(error.response.headers.get("retry-after"))
            return Answered(refused_by_status(error.response.status_code, given), _sent(error.request), given, wait)
        except anthropic.APITimeoutError as error:
            return Answered(_SLOW, _sent(error.request), b"")
        except anthropic.APIConnectionError as error:
            return Answered(_UNTRUSTED if _is_certificate(error) else _AWAY, _sent(error.request), b"")
        except httpx2.TimeoutException:
            return Answered(_SLOW, b"", b"")
        except httpx2.HTTPError:
            return Answered(CUT, b"", b"")

    async def _streamed(self, client: "Client", body: Body, role: Role, hear: Hear) -> Answered:
        assembly, told, kept = Assembly(), 0, list[str]()
        messages = cast("list[MessageParam]", list(body.messages))
        async with client.messages.with_streaming_response.create(
            model=body.model, max_tokens=body.limit, messages=messages, extra_body=body.rest, stream=True
        ) as response:
            headers = dict(response.headers)
            request = _sent(response.http_request)
            if "event-stream" not in response.headers.get("content-type", ""):
                whole = await response.read()
                return Answered(normalise(200, headers, whole), request, whole)
            async for line in response.iter_lines():
                kept.append(line)
                assembly.line(line)
                if assembly.characters - told >= _TOLD_AFTER:
                    told = assembly.characters
                    hear.writing(role, told)
        whole = assembly.body()
        raw = "\n".join(kept).encode("utf-8")
        return Answered(whole if isinstance(whole, Failure) else normalise(200, headers, whole), request, raw)

    def _spent(self, ask: Ask, model: str, result: Reply | Failure) -> Spent:
        """What the provider says it took; of a request that failed, nothing is charged and only its size is known."""
        if isinstance(result, Failure):
            return Spent(ask.role, 0, 0)
        usage = result.usage
        micros = self._config.price(model).micros(usage.input, usage.output, usage.cache_read, usage.cache_written)
        return Spent(ask.role, usage.input or text_of(ask.blocks), usage.output, usage.cache_read, usage.cache_written, micros)


def _sent(request: object) -> bytes:
    """The body of a request as it left."""
    content = getattr(request, "content", b"")
    return content if isinstance(content, bytes) else b""


def _is_certificate(error: BaseException | None, depth: int = 8) -> bool:
    """Whether the first cause of an error is a certificate that was not accepted."""
    if error is None or depth == 0:
        return False
    return isinstance(error, ssl.SSLCertVerificationError) or _is_certificate(error.__cause__ or error.__context__, depth - 1)


def _wait(header: str | None) -> float:
    """Seconds that a provider asks for, 0 where it names none."""
    try:
        return max(float(header or 0), 0.0)
    except ValueError:
        return 0.0
