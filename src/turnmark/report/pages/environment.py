"""Templates and what every page shares: style, script, and the rules by which text gets into a page.

Every text goes through `visible` and is escaped on its way into a page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from turnmark.language.script import detect_language
from turnmark.locale.texts import Texts, filled, named
from turnmark.report.charts import svg as plot
from turnmark.report.pages.ready import ReadyLoader
from turnmark.report.view import number_format as numbers
from turnmark.report.view.control_characters import visible
from turnmark.report.view.names import worded_name

_TEMPLATES = (
    "page.html.j2", "dialog.html.j2", "index.html.j2", "figures.html.j2", "turn.html.j2", "signoff.html.j2",
    "parts.html.j2", "comparison.html.j2",
)  # fmt: skip
_JOINT = re.compile("(?<=[_.])")


def rendered(template: str, texts: Texts, *, script: bool, **values: object) -> str:
    """A page from its template, with style and, where asked for, the script for searching in it."""
    code = _own("search.js") if script else ""
    return template_text(environment(), template, texts, code, "form-action 'none'", "", **values)


def template_text(
    pages: Environment, template: str, texts: Texts, script: str, allowed: str, more_style: str,
    **values: object,
) -> str:  # fmt: skip
    """A page from a template with the shared style, and ``more_style`` after it.

    It runs nothing but ``script`` and reaches what the Content-Security-Policy directives in ``allowed`` say, no more.
    """
    style = _own("style.css") + more_style
    policy = "default-src 'none'; style-src '" + _content_hash(style) + "'"
    policy += f"; script-src '{_content_hash(script)}'" if script else ""
    return pages.get_template(template).render(
        t=texts,
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        policy=f"{policy}; base-uri 'none'; {allowed}",
        n=numbers,
        plot=plot,
        filled=filled,
        named=named,
        lang=detect_language,
        worded=worded_name,
        **values,
    )  # fmt: skip


@cache
def environment() -> Environment:
    """The templates of the reports."""
    return environment_of({})


def environment_of(more: Mapping[str, str]) -> Environment:
    """The templates of the reports and more of them by name, with automatic escaping."""
    folder = resources.files("turnmark.report").joinpath("templates")
    own = {name: folder.joinpath(name).read_text("utf-8") for name in _TEMPLATES}
    environment = Environment(
        loader=ReadyLoader({**own, **more}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalized,
    )
    environment.filters["name"] = _break_points
    return environment


def _finalized(value: object) -> object:
    """Whatever the page shows: finished markup as it is, all else as text in which nothing hides."""
    return value if isinstance(value, Markup) else visible(str(value))


def _break_points(name: str) -> Markup:
    """A technical name that may break after its underscores and dots, for narrow screens."""
    return Markup("<wbr>").join(_JOINT.split(visible(name)))


@cache
def _own(name: str) -> str:
    return resources.files("turnmark.report").joinpath("templates", name).read_text("utf-8")


def _content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
