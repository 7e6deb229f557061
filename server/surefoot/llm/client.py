"""The provider's SDK, imported when the first request is made and not before, with every setting given and none taken from elsewhere."""

import os
from typing import TYPE_CHECKING, cast

from surefoot.core.errors import Unusable
from surefoot.llm.config import Endpoint, Provider

if TYPE_CHECKING:
    from ssl import SSLContext

    from anthropic import AsyncAnthropic
    from anthropic.lib.bedrock import AsyncAnthropicBedrock
    from anthropic.lib.vertex import AsyncAnthropicVertex

    Client = AsyncAnthropic | AsyncAnthropicBedrock | AsyncAnthropicVertex

LOCAL_KEY = "local"
"""What is sent to a server of one's own that wants no key. Without one, the SDK would send the user's real key there."""


def client_of(endpoint: Endpoint) -> "Client":
    """A client of this endpoint that tries nothing again by itself. Raises Unusable where its parts are not installed."""
    import anthropic

    http = anthropic.DefaultAsyncHttpxClient(trust_env=not endpoint.local, verify=_verify(endpoint.ca))
    headers = {**_withheld(endpoint), **endpoint.headers}
    try:
        match endpoint.provider:
            case Provider.ANTHROPIC:
                return anthropic.AsyncAnthropic(
                    api_key=endpoint.key or LOCAL_KEY,
                    base_url=endpoint.base_url,
                    timeout=endpoint.seconds,
                    max_retries=0,
                    default_headers=headers,
                    http_client=http,
                    open_telemetry=False,
                )
            case Provider.BEDROCK:
                from anthropic.lib.bedrock import AsyncAnthropicBedrock

                return AsyncAnthropicBedrock(
                    aws_region=endpoint.region or None, timeout=endpoint.seconds, max_retries=0, default_headers=headers, http_client=http
                )
            case Provider.VERTEX:
                from anthropic.lib.vertex import AsyncAnthropicVertex

                return AsyncAnthropicVertex(
                    region=endpoint.region or "global",
                    project_id=endpoint.project or anthropic.NOT_GIVEN,
                    timeout=endpoint.seconds,
                    max_retries=0,
                    default_headers=headers,
                    http_client=http,
                )
    except ImportError as error:
        raise Unusable(f"the client for {endpoint.provider} is not installed: pip install 'anthropic[{endpoint.provider}]'") from error


def _withheld(endpoint: Endpoint) -> "dict[str, str]":
    """What keeps headers of the environment, which the SDK adds by itself, from an address that the environment does not name."""
    from anthropic import Omit

    if endpoint.trusted:
        return {}
    lines = os.environ.get("ANTHROPIC_CUSTOM_HEADERS", "").split("\n")
    return {line.partition(":")[0].strip(): cast(str, Omit()) for line in lines if ":" in line}


def _verify(ca: str) -> "SSLContext | bool":
    """How certificates are checked: by the system's own, and by those of a file where one is named. Raises Unusable."""
    if not ca:
        return True
    import ssl

    try:
        context = ssl.create_default_context()
        context.load_verify_locations(cafile=ca)
        return context
    except (OSError, ssl.SSLError) as error:
        raise Unusable(f"model.ca: {ca} holds no certificates that can be read: {error}") from error
