"""The report as one self-contained HTML page.

The page asks for nothing: style and drawings are in it, there is no script, and its Content-Security-Policy forbids
everything else. Every text goes through `visible` and is escaped on its way into the page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from turnmark.language.script import detect_language
from turnmark.report import notices, numbers, plot
from turnmark.report.data import FAULT_KINDS, ReportData
from turnmark.report.highlight import visible
from turnmark.report.tables import main_blocks, other_blocks, strata_tables
from turnmark.report.texts import filled, named
from turnmark.report.texts_en import ENGLISH
from turnmark.report.turn import TurnPage, turn_page
from turnmark.report.worst import MOST_A_DIALOG
from turnmark.schemas.summary import EvalSummary

_TEMPLATES = ("page.html.j2", "figures.html.j2", "turn.html.j2")
_JOINT = re.compile("(?<=[_.])")
_STATES = ("normal", "empty", "echo", "error_text", "refusal", "truncated", "wrong_language", "near_duplicate")


class Filter(NamedTuple):
    """One choice of the filter over turns: a kind of fault, how it is called, how many turns have it."""

    kind: str
    name: str
    turns: int


def render_html(data: ReportData, texts: Mapping[str, str] = ENGLISH) -> str:
    """The page of one run. The same data gives the same bytes."""
    summary = data.summary
    style = _style()
    pages = [turn_page(view, texts) for view in data.worst]
    return _environment().get_template("page.html.j2").render(
        t=texts,
        summary=summary,
        style=Markup(style),  # noqa: S704 - our own file
        style_hash=_content_hash(style),
        facts=_facts(data, texts),
        warnings=notices.warnings(summary, texts),
        notes=notices.notes(summary, data.manifest, texts),
        states=_states(summary, texts),
        states_bar=plot.stacked([(state, count) for state, _, count in _states(summary, texts)]),
        main=main_blocks(summary),
        others=other_blocks(summary),
        strata=strata_tables(summary),
        interval_title=notices.interval_title(summary, texts),
        counters=_counters(summary, texts),
        method=notices.method(summary, texts),
        signature=notices.signature_lines(summary),
        problems=data.problems,
        problems_more=data.problem_count - len(data.problems),
        turns=pages,
        filters=_filters(pages, texts),
        most_a_dialog=MOST_A_DIALOG,
        n=numbers,
        plot=plot,
        filled=filled,
        named=named,
        lang=detect_language,
    )  # fmt: skip


@cache
def _environment() -> Environment:
    folder = resources.files("turnmark.report").joinpath("templates")
    environment = Environment(
        loader=DictLoader({name: folder.joinpath(name).read_text("utf-8") for name in _TEMPLATES}),
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
def _style() -> str:
    return resources.files("turnmark.report").joinpath("templates", "style.css").read_text("utf-8")


def _content_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _facts(data: ReportData, texts: Mapping[str, str]) -> list[tuple[str, str]]:
    summary = data.summary
    facts = (
        ("model", summary.model_name or texts["unknown"]),
        ("dataset", summary.dataset_path),
        ("runner", (data.manifest or {}).get("runner")),
        ("detectors", texts.get(f"detect_{summary.detect}", summary.detect)),
        ("fingerprint", summary.config_fingerprint),
    )
    return [(texts[name], str(value)) for name, value in facts if value]


def _states(summary: EvalSummary, texts: Mapping[str, str]) -> list[tuple[str, str, int]]:
    """Reply states that occur: class, name, count. A state that this version does not know is drawn as other."""
    return [
        (state if state in _STATES else "other", named(texts, "state", state), count)
        for state, count in summary.reply_states.items()
        if count
    ]


def _counters(summary: EvalSummary, texts: Mapping[str, str]) -> list[tuple[str, int]]:
    counters = [(texts.get(name, name), count) for name, count in summary.counters.items()]
    if summary.input:
        counts = summary.input
        counters += [
            (texts["files"], counts.files),
            (texts["lines"], counts.lines),
            (texts["rejected_lines"], counts.rejected_lines),
            (texts["input_warnings"], counts.warnings),
        ]
    return counters


def _filters(pages: Sequence[TurnPage], texts: Mapping[str, str]) -> list[Filter]:
    counts = {kind: sum(kind in page.kinds for page in pages) for kind in FAULT_KINDS}
    return [Filter(kind, texts[f"kind_{kind}"], count) for kind, count in counts.items() if count]
