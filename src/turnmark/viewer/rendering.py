"""Answers of the viewer: pages of its templates in the language that was asked for, and JSON."""

from __future__ import annotations

from functools import cache
from importlib import resources
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from turnmark.locale.texts import LANGUAGES, Texts, texts_of
from turnmark.report.pages.environment import environment_of, template_text

_TEMPLATES = ("frame.html.j2", "runs.html.j2", "run.html.j2", "dialog.view.html.j2")


def asked_texts(request: Request, suite: str | None = None) -> Texts:
    """The words of the language that a request asks for, English otherwise."""
    language = request.query_params.get("lang", "en")
    return texts_of(language if language in LANGUAGES else "en", suite)


def _languages(request: Request) -> list[tuple[str, str, str]]:
    """The languages of the interface: code, own name, and this page in it."""
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "lang"]
    return [
        (code, name, f"{request.url.path}?{urlencode([*asked, ('lang', code)])}") for code, name in LANGUAGES.items()
    ]


def html(
    request: Request,
    template: str,
    texts: Texts,
    script: str = "",
    allowed: str = "form-action 'self'",
    suite: str = "",
    **values: object,
) -> HTMLResponse:
    """A page that no other page may frame."""
    values |= {"suite": suite, "languages": _languages(request), "csrf": request.app.state.csrf}
    page = HTMLResponse(
        template_text(environment(), template, texts, script, allowed, more_style=own_file("viewer.css"), **values)
    )
    page.headers["Content-Security-Policy"] = "frame-ancestors 'none'"  # the page's own policy stands in the page
    return page


def json_response(value: object) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json")


@cache
def environment() -> Environment:
    """The templates, compiled when it is made and not when the first page is asked for."""
    folder = resources.files("turnmark.viewer").joinpath("templates")
    made = environment_of({name: folder.joinpath(name).read_text("utf-8") for name in _TEMPLATES})
    for name in _TEMPLATES:
        made.get_template(name)
    return made


@cache
def own_file(name: str) -> str:
    """The text of a template, a script or a style sheet of the viewer."""
    return resources.files("turnmark.viewer").joinpath("templates", name).read_text("utf-8")
