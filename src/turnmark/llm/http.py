"""HTTP for language models: one session for all calls, bodies of a bounded size, and every fault a `CallFailure`.

aiohttp, because it takes a fifth of the processor time that httpx takes for a call. It is loaded on first use.
"""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

import msgspec

from turnmark.errors import MissingExtraError
from turnmark.llm.protocol import CallFailure
from turnmark.llm.retry import retry_after_seconds
from turnmark.llm.secrets import Secrets
from turnmark.llm.sse import EventParser, ServerSentEvent

if TYPE_CHECKING:
    import aiohttp

_LARGEST_BODY = 64 << 20
_LONGEST_EXCERPT = 200
_CONNECT_SECONDS = 15.0
RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
"""Statuses after which the same call may succeed; 52x are those of common proxies, 529 says overloaded."""
_QUOTA_CODES = ("insufficient_quota", "billing_hard_limit_reached")
"""Said with status 429 by endpoints whose account is empty; no wait helps."""


class HttpReply(NamedTuple):
    """A reply of status 2xx, whole."""

    content_type: str
    body: bytes


class HttpClient:
    """Sends requests over shared connections; made anywhere, used in one event loop until it is closed by `aclose`.

    After that it may be used again, also in another loop. Redirects are not followed, since they would carry keys
    elsewhere. Proxies are those of the environment.
    """

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[str, str | None] = {}

    async def fetch(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> HttpReply:
        """The whole reply. Raises: CallFailure for anything but a status of 2xx with a whole body."""
        async with self._call(method, url, headers, body, seconds) as response:
            return HttpReply(response.content_type, await _whole(response))

    async def stream(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> AsyncIterator[ServerSentEvent | HttpReply]:
        """The events of a stream as they come; a server that does not stream gives one `HttpReply` instead.

        ``seconds`` are those until the end of the stream. Raises: CallFailure.
        """
        async with self._call(method, url, headers, body, seconds) as response:
            if response.content_type != "text/event-stream":
                yield HttpReply(response.content_type, await _whole(response))
                return
            parser = EventParser()
            size = 0
            while chunk := await response.content.readany():
                size += len(chunk)
                _refuse_oversize(size)
                for event in parser.feed(chunk):
                    yield event

    async def aclose(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @cached_property
    def _aiohttp(self) -> Any:
        return require_http()

    @asynccontextmanager
    async def _call(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        aiohttp = self._aiohttp
        if self._session is None:
            # The limit of connections is that of the caller, so that no call waits in two queues.
            connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=30)
            self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        limits = aiohttp.ClientTimeout(total=seconds, sock_connect=min(seconds, _CONNECT_SECONDS))
        try:
            async with self._session.request(
                method,
                url,
                headers=headers,
                data=body,
                timeout=limits,
                allow_redirects=False,
                proxy=self._proxy(url),
            ) as response:
                if not 200 <= response.status < 300:
                    raise self._refused(response, await _whole(response))
                yield response
        except (aiohttp.ClientError, TimeoutError, asyncio.IncompleteReadError, OSError, ValueError) as error:
            self._broken(error, url, seconds)

    def _proxy(self, url: str) -> str | None:
        """The proxy that the environment names for this address."""
        parts = urlsplit(url)
        if parts.netloc not in self._proxies:
            proxies = urllib.request.getproxies_environment()
            bypassed = urllib.request.proxy_bypass_environment(parts.netloc, proxies)  # type: ignore[attr-defined]
            self._proxies[parts.netloc] = None if bypassed else proxies.get(parts.scheme)
        return self._proxies[parts.netloc]

    def _refused(self, response: aiohttp.ClientResponse, body: bytes) -> CallFailure:
        """What a reply of another status than 2xx means."""
        excerpt = self._secrets.mask(_error_text(body))
        empty_account = any(code in excerpt for code in _QUOTA_CODES)
        advice = {
            401: "; check the key and the name of the variable that holds it",
            403: "; check what the key may do",
            404: "; check base URL and model",
        }.get(response.status, "")
        if 300 <= response.status < 400:
            advice = f"; the address moved to {self._secrets.mask(response.headers.get('Location', 'nowhere'))}"
        return CallFailure(
            f"HTTP {response.status} {response.reason or ''}".rstrip() + f": {excerpt}{advice}",
            kind="rate_limit" if response.status == 429 else "http",
            retryable=response.status in RETRYABLE and not empty_account,
            retry_after=retry_after_seconds(response.headers),
            status=response.status,
        )

    def _broken(self, error: Exception, url: str, seconds: float) -> NoReturn:
        """Raise what an exception of the network means.

        The cause is cut off: exceptions of aiohttp hold the request with its headers, and so the key.
        """
        aiohttp = self._aiohttp
        parts = urlsplit(url)
        host = self._secrets.mask(parts.netloc.rpartition("@")[2])
        if isinstance(error, TimeoutError):
            message = f"{host}: no whole answer in {seconds:g} s"
            raise CallFailure(message, kind="timeout", retryable=True) from None
        if isinstance(error, aiohttp.InvalidURL | ValueError) and not isinstance(error, OSError):
            said = self._secrets.mask(str(error))
            message = f"{host or self._secrets.mask(url)!r}: {said}; expected a URL and headers that HTTP allows"
            raise CallFailure(message, kind="connection") from None
        detail = self._secrets.mask(str(error)) or type(error).__name__
        message = f"{host}: the connection broke: {detail[:_LONGEST_EXCERPT]}"
        raise CallFailure(message, kind="connection", retryable=True) from None


def is_address(url: str) -> bool:
    """Whether a text is the address of a server: with a scheme that is spoken here, and a host."""
    try:
        parts = urlsplit(url)
    except ValueError:  # half a bracket of an address
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def require_http() -> Any:
    """The library of calls, asked for before many calls, so that these do not fail one by one.

    Raises: MissingExtraError when it is not installed.
    """
    try:
        import aiohttp  # noqa: PLC0415 - an extra, loaded on first use
    except ImportError as error:
        message = "calls over HTTP need aiohttp: pip install 'turnmark[http]'"
        raise MissingExtraError(message) from error
    return aiohttp


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    chunks = []
    size = 0
    while chunk := await response.content.readany():
        chunks.append(chunk)
        size += len(chunk)
        _refuse_oversize(size)
    return b"".join(chunks)


def _refuse_oversize(size: int) -> None:
    if size > _LARGEST_BODY:
        message = f"the reply is longer than {_LARGEST_BODY >> 20} MB"
        raise CallFailure(message, kind="invalid_reply")


def _error_text(body: bytes) -> str:
    """What an error body says, in one short line: ``error.message``, ``message`` or ``detail``, or how it begins."""
    try:
        result = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        result = body.decode("utf-8", "replace")
    if isinstance(result, dict):
        inner = result.get("error", result)
        if isinstance(inner, dict):
            code = inner.get("code")
            said = inner.get("message") or inner.get("detail") or inner
            result = f"{said} ({code})" if isinstance(code, str) else said
        else:
            result = inner
    text = " ".join(str(result).split())
    return text if len(text) <= _LONGEST_EXCERPT else text[:_LONGEST_EXCERPT] + "…"
