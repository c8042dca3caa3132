"""Who may ask: by a name of this machine, with the token where one is needed, and to write from our own pages only."""

from __future__ import annotations

import hmac
import ipaddress
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

COOKIE = "turnmark_token"
CSRF = "x-turnmark-csrf"
"""The header that brings back what a page of this viewer holds (``<meta name="csrf">``); needed to write."""
LONGEST_VALUE = 2000
"""Characters of one value in an address: longer than any name of a run, dialogue or measure."""


class Guard(BaseHTTPMiddleware):
    """Refuses other hosts, foreign pages that write, and whoever has no token; adds the headers that pages need."""

    def __init__(self, app: Any, token: str | None, hosts: tuple[str, ...], csrf: str) -> None:
        super().__init__(app)
        self._token = token
        self._csrf = csrf
        self._hosts = frozenset(host.lower() for host in hosts)

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Refuse, or answer with the headers."""
        if not self._is_ours(request.headers.get("host", "")):
            return PlainTextResponse("this viewer does not answer to that name; see --also-known-as", 400)
        for name, value in request.query_params.multi_items():
            if "\0" in value or len(value) > LONGEST_VALUE:
                return PlainTextResponse(
                    f"{name[:40]!r}: expected at most {LONGEST_VALUE} characters, none of them NUL", 400
                )
        if self._token is not None:
            given = request.query_params.get("token")
            if given is not None and hmac.compare_digest(given.encode(), self._token.encode()):
                answer: Response = RedirectResponse(str(request.url.remove_query_params("token")), 303)
                answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
                return answer
            if not hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._token.encode()):
                return PlainTextResponse("a token is needed: open the address that `turnmark view` printed", 403)
        if request.method not in ("GET", "HEAD") and not self._may_write(request):
            return PlainTextResponse("this request does not come from a page of the viewer; load the page again", 403)
        answer = await call_next(request)
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["X-Frame-Options"] = "DENY"
        answer.headers["Referrer-Policy"] = "no-referrer"
        answer.headers["Cache-Control"] = "no-store"
        answer.headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        return answer

    def _may_write(self, request: Request) -> bool:
        """Whether a page of ours asks: by its origin, and by what only such a page can have read."""
        given = request.headers.get(CSRF, "")
        return _own_origin(request) and hmac.compare_digest(given.encode(), self._csrf.encode())

    def _is_ours(self, host: str) -> bool:
        """Whether a request names this machine: by a name that it has, or by an address.

        A page of another host that lets its own name point here (DNS rebinding) sends that name.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self._hosts or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _own_origin(request: Request) -> bool:
    origin = request.headers.get("origin", "")
    try:
        return bool(origin) and urlsplit(origin).netloc == request.headers.get("host", "")
    except ValueError:
        return False
