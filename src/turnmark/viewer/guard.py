"""Who may ask: with a token only those that carry it; what writes must come from a page of the viewer."""

from __future__ import annotations

import hmac
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

COOKIE = "turnmark_token"


class Guard(BaseHTTPMiddleware):
    """Writes come from our own pages only; with a token nothing is shown without it; headers that pages need."""

    def __init__(self, app: Any, token: str | None) -> None:
        super().__init__(app)
        self._token = token

    async def dispatch(self, request: Request, call_next: RequestResponseEndpoint) -> Response:
        """Refuse, or answer with the headers."""
        if self._token is not None:
            given = request.query_params.get("token")
            if given is not None and hmac.compare_digest(given.encode(), self._token.encode()):
                answer: Response = RedirectResponse(str(request.url.remove_query_params("token")), 303)
                answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
                return answer
            if not hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._token.encode()):
                return PlainTextResponse("a token is needed: open the address that `turnmark view` printed", 403)
        if request.method != "GET" and not _own_origin(request):
            return PlainTextResponse("this request does not come from a page of the viewer", 403)
        answer = await call_next(request)
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["X-Frame-Options"] = "DENY"
        answer.headers["Referrer-Policy"] = "no-referrer"
        answer.headers["Cache-Control"] = "no-store"
        answer.headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        return answer


def _own_origin(request: Request) -> bool:
    origin = request.headers.get("origin", "")
    return bool(origin) and urlsplit(origin).netloc == request.headers.get("host", "")
