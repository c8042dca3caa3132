"""The report as one self-contained HTML page.

The page asks for nothing: style, drawings and a short script for searching are in it, and its Content-Security-Policy
forbids everything else. Without the script everything but the search works.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.locale.texts import ENGLISH, Texts, named
from turnmark.report.charts import svg as plot
from turnmark.report.charts.charts import strata_charts, trends
from turnmark.report.charts.histogram import distributions
from turnmark.report.pages.environment import rendered
from turnmark.report.pages.sign_off import overrides_said, sign_off
from turnmark.report.view import notices
from turnmark.report.view.claims import TRAITS
from turnmark.report.view.counted import counting, nothing_line, with_figures
from turnmark.report.view.coverage import bounds_lines, coverage, not_computed
from turnmark.report.view.data import DialogLink, ReportData
from turnmark.report.view.deciders import decider_lines
from turnmark.report.view.findings import counts, found_in, kind_counted, kinds_found
from turnmark.report.view.names import told_name
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.quotes import worst_quotes
from turnmark.report.view.tables import fields_without_values, main_blocks, other_blocks, strata_tables
from turnmark.report.view.triage import MOST_A_DIALOG, MOST_LINKED, MOST_OF_A_METRIC, worst_dialogs, worst_of
from turnmark.report.view.turn import TurnPage, turn_page
from turnmark.report.view.undecided import none_found, open_line, open_turns
from turnmark.schemas.marks import FAULT_KINDS
from turnmark.schemas.results.summary import EvalSummary
from turnmark.stats.by_turn import MINIMUM_ROWS

MOST_LINKS = 200
MOST_OVERRIDES = 200
MOST_SHOWN = 20
PAGES = "report/"
"""Where linked pages lie, seen from the main page."""

_STATES = ("normal", "empty", "echo", "error_text", "refusal", "truncated", "wrong_language", "near_duplicate")


class Filter(NamedTuple):
    """One choice of the filter over turns: a kind of fault, how it is called, how many turns have it."""

    kind: str
    name: str
    turns: int


def render_html(data: ReportData, texts: Texts = ENGLISH) -> str:
    """The page of one run. The same data gives the same bytes."""
    summary = data.summary
    links = data.pages.links if data.pages else ()
    hrefs = {link.dialog_id: PAGES + link.href for link in links}
    pages = [turn_page(view, texts, data.rules, hrefs.get(view.dialog_id, "")) for view in data.worst]
    states = _states(summary, texts)
    covered = coverage(data, texts)
    strata = strata_tables(summary)
    blocks = [*main_blocks(summary), *other_blocks(summary)]
    quotes = worst_quotes(data.worst, texts)
    kinds = kinds_found(found_in(data), data.worst)
    turns_of, dialogs_of = worst_of(data.worst), worst_dialogs(summary)
    return rendered(
        "page.html.j2",
        texts,
        script=bool(pages),
        summary=summary,
        run_id_short=clipped(summary.run_id, 60),
        signoff=sign_off(data, texts, kinds),
        masked=data.masked,
        found=[(kind_counted(kind, texts), count) for kind, count in counts(data)],
        found_of="found_dialogs" if data.turns else "found_turns",
        quotes=quotes,
        counting=counting(summary, kinds),
        nothing_counted=nothing_line(summary, texts),
        facts=_facts(data, texts),
        warnings=notices.warnings(summary, texts, data.altered),
        none_found=texts["nothing_known"] if data.altered else none_found(summary, texts),
        open_line=open_line(summary, texts),
        open_turns=open_turns(data.worst, texts),
        notes=notices.notes(summary, data.manifest, texts),
        states=states,
        states_bar=plot.stacked([(state, count) for state, _, count in states]),
        main=with_figures(summary, main_blocks(summary), kinds),
        others=with_figures(summary, other_blocks(summary)),
        strata=strata,
        without_values=", ".join(named(texts, "field", field) for field in fields_without_values(summary)),
        strata_charts={field: strata_charts(tables, field, texts) for field, tables in strata.items()},
        covered=covered,
        not_computed=not_computed(covered, texts) + bounds_lines(data.summary, texts),
        deciders=decider_lines(summary, texts),
        trends=trends(summary, data.turns, texts),
        trend_rows=MINIMUM_ROWS,
        worst_of=turns_of,
        worst_dialogs=dialogs_of,
        leading=list({block.name: block for block in blocks if block.name in {**turns_of, **dialogs_of}}.values()),
        distributions=distributions(summary, data.pages.turn_bars if data.pages else {}, texts),
        interval_title=notices.interval_title(summary, texts),
        counters=_counters(summary, texts),
        method=notices.method(summary, texts),
        signature=notices.signature_lines(summary),
        problems=data.problems,
        problems_more=data.problem_count - len(data.problems),
        overrides=data.overrides[:MOST_OVERRIDES],
        overrides_more=len(data.overrides) - MOST_OVERRIDES,
        overrides_said=overrides_said(data.overrides, len({problem.line for problem in data.override_problems}), texts),
        override_problems=data.override_problems[:MOST_SHOWN],
        linked=data.pages is not None,
        links=most_flagged(links),
        links_prefix=PAGES,
        hrefs=hrefs,
        dialogs_linked=len(links),
        turns_flagged=sum(link.flagged for link in links),
        most_linked=MOST_LINKED,
        turns=pages,
        filters=_filters(pages, texts),
        most_a_dialog=MOST_A_DIALOG,
        most_of_a_metric=MOST_OF_A_METRIC,
    )


def render_index(run_id: str, links: Sequence[DialogLink], texts: Texts = ENGLISH) -> str:
    """The list of all linked pages, for runs that have more of them than the main page lists."""
    return rendered("index.html.j2", texts, script=False, run_id=run_id, links=links, links_prefix="")


def most_flagged(links: Sequence[DialogLink]) -> list[DialogLink]:
    """The links that the main page lists: the dialogues with most flagged turns, in the order of the run."""
    first = sorted(links, key=lambda link: (-link.flagged, link.number))[:MOST_LINKS]
    return sorted(first, key=lambda link: link.number)


def _facts(data: ReportData, texts: Texts) -> list[tuple[str, str]]:
    summary = data.summary
    facts = (
        ("model", told_name(summary.model_name, texts)),
        ("dataset", summary.dataset_path),
        ("runner", (data.manifest or {}).get("runner")),
        ("detectors", texts.get(f"detect_{summary.detect}", summary.detect)),
        ("fingerprint", summary.config_fingerprint),
    )
    return [(texts[name], str(value)) for name, value in facts if value]


def _states(summary: EvalSummary, texts: Texts) -> list[tuple[str, str, int]]:
    """Reply states that occur: class, name, count. A state that this version does not know is drawn as other."""
    return [
        (state if state in _STATES else "other", named(texts, "state", state), count)
        for state, count in summary.reply_states.items()
        if count
    ]


def _counters(summary: EvalSummary, texts: Texts) -> list[tuple[str, int]]:
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


def _filters(pages: Sequence[TurnPage], texts: Texts) -> list[Filter]:
    counts = {kind: sum(kind in page.kinds for page in pages) for kind in (*FAULT_KINDS, *TRAITS)}
    return [Filter(kind, texts[f"kind_{kind}"], count) for kind, count in counts.items() if count]
