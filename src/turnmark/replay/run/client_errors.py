"""What an exception of the software that an agent uses says of the call: SDKs of models, HTTP libraries, sockets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from turnmark.llm.http import RETRYABLE
from turnmark.llm.retry import retry_after_seconds
from turnmark.replay.protocol import AgentFailure, FailureKind

_MOST_CAUSES = 8
_STATUSES = ("status_code", "http_status", "status", "code")


def failure_of(error: Exception) -> AgentFailure:
    """The failure that an exception means.

    SDKs raise exceptions with a status (``status_code``, or that of a ``response``) and headers; frameworks wrap them.
    A status after which the same call may succeed is tried again, after as long as ``Retry-After`` asks.
    """
    if isinstance(error, AgentFailure):
        return error
    message = f"{type(error).__name__}: {error}"
    for cause in _causes(error):
        status = _status(cause)
        if status is not None:
            return AgentFailure(
                message,
                kind="rate_limit" if status == 429 else "http",
                retryable=status in RETRYABLE,
                retry_after=_retry_after(cause),
                status=status,
            )
        kind = _kind(cause)
        if kind is not None:
            return AgentFailure(message, kind=kind, retryable=kind == "connection")
    return AgentFailure(message)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and those that it was raised from."""
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)


def _status(error: BaseException) -> int | None:
    """The HTTP status of an error reply."""
    for holder in (error, getattr(error, "response", None)):
        for name in _STATUSES:
            value = getattr(holder, name, None)
            if isinstance(value, int) and not isinstance(value, bool) and 400 <= value < 600:
                return int(value)
    return None


def _retry_after(error: BaseException) -> float | None:
    for holder in (getattr(error, "response", None), error):
        headers: Any = getattr(holder, "headers", None)
        if isinstance(headers, Mapping):
            named = {str(name).title(): str(value) for name, value in headers.items()}
            if (seconds := retry_after_seconds(named)) is not None:
                return seconds
    return None


def _kind(error: BaseException) -> FailureKind | None:
    """What a failure without a status was; SDKs have classes of their own, and names that say it."""
    name = type(error).__name__
    if isinstance(error, TimeoutError) or name.endswith(("Timeout", "TimeoutError", "TimeoutException")):
        return "timeout"
    if isinstance(error, ConnectionError) or name.endswith(("ConnectError", "ConnectionError", "RemoteProtocolError")):
        return "connection"
    return None
