"""The one wrapper around all handlers: what went wrong becomes a code of the protocol and a sentence for a person."""

import functools
import logging
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInternalError

from surefoot.core.errors import SurefootError, TextError, Unusable

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


def answers(method: str, handler: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """`handler`, whose errors are the answers of a well-behaved server."""

    @functools.wraps(handler)
    async def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await handler(*args, **kwargs)
        except JsonRpcException:
            raise
        except SurefootError as error:
            raise JsonRpcException(message=str(error), code=_code(error)) from error
        except Exception as error:
            logger.exception("%s failed", method)
            raise JsonRpcInternalError(message=f"Surefoot could not answer {method}; its log says why") from error

    return wrapped


def hears(method: str, handler: Callable[P, None]) -> Callable[P, None]:
    """`handler` of a notification: nobody waits for an answer, so that an error goes to the log."""

    @functools.wraps(handler)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            handler(*args, **kwargs)
        except Exception:
            logger.exception("%s failed", method)

    return wrapped


def _code(error: SurefootError) -> int:
    if isinstance(error, Unusable | TextError):
        return t.ErrorCodes.InvalidParams.value
    return t.LSPErrorCodes.RequestFailed.value
