"""From a run folder to its pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.publishing.dialog_pages import PageWriter
from turnmark.pipeline.publishing.overrides import Overrides, read_overrides
from turnmark.pipeline.publishing.rule_sources import RuleSources
from turnmark.pipeline.publishing.run_language import run_language
from turnmark.pipeline.publishing.run_turns import lines, turn_sums, worst_turns
from turnmark.report.pages.dialogue import render_dialog
from turnmark.report.pages.markdown import render_markdown
from turnmark.report.pages.run import MOST_LINKS, render_html, render_index
from turnmark.report.view.data import OverrideView, ReportData, TurnView
from turnmark.report.view.masking import masked, masked_views
from turnmark.report.view.triage import worst_dialogs
from turnmark.runs.folder import (
    PROBLEMS,
    REPORT_HTML,
    REPORT_MARKDOWN,
    REPORT_PAGES,
    clear_pages,
    read_manifest,
    read_summary,
    write_whole,
)
from turnmark.runs.integrity import altered
from turnmark.runs.lock import locked
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.problems import Problem
from turnmark.schemas.results.summary import EvalSummary
from turnmark.stats.by_turn import TurnSums

MOST_PROBLEMS = 20
PAGES_UP_TO = 2_000
"""Turns of a run up to which pages of single dialogues are written unasked."""


class ReportOptions(NamedTuple):
    """How a report is made. ``pages`` None: pages of single dialogues for runs of up to `PAGES_UP_TO` turns.

    ``language`` None: that of the data. ``packs`` are the user's packs of the scoring, so that the sources of their
    rules are known.
    """

    pages: bool | None = None
    language: str | None = "en"
    mask: bool = False
    packs: tuple[Path, ...] = ()


def write_report(
    folder: Path,
    worst: Sequence[TurnView] | None = None,
    options: ReportOptions | None = None,
    turns: TurnSums | None = None,
    summary: EvalSummary | None = None,
) -> tuple[Path, Path]:
    """Write ``report.md``, ``report.html`` and linked pages into a scored run folder; returns the first two paths.

    ``worst`` are the turns to show, ``turns`` the figures by turn number and ``summary`` all others when scoring has
    them at hand; else they are read from the folder, with the same result. The pages depend on the folder's files only:
    the same folder gives the same bytes. A folder without rows, evidence or trace gives pages without turns. Linked
    pages of an earlier report are removed.

    Raises: UsageError for a language that there is not, or a folder that another process writes to; DataError when the
    summary is missing or wrong, or a file cannot be read.
    """
    options = options or ReportOptions()
    if options.language is not None:
        _checked(options.language)
    if summary is None:
        read_summary(folder)  # a folder that holds no run is refused before a lock is laid into it
    with locked(folder):
        language = options.language or run_language(folder)
        return _written(folder, gather(folder, worst, options._replace(language=language), turns, summary), language)


def _written(folder: Path, data: ReportData, language: str) -> tuple[Path, Path]:
    texts = texts_of(language, data.summary.suite)
    links = data.pages.links if data.pages else ()
    written = {link.href for link in links}
    if len(links) > MOST_LINKS:
        written.add("index.html")
        index = render_index(data.summary.run_id, links, texts)
        write_whole(folder / REPORT_PAGES / "index.html", index.encode("utf-8", "replace"))
    pages = folder / REPORT_MARKDOWN, folder / REPORT_HTML
    write_whole(
        pages[0],
        render_markdown(data.summary, texts, data.worst, data.manifest, data.altered).encode("utf-8", "replace"),
    )
    write_whole(pages[1], render_html(data, texts).encode("utf-8", "replace"))
    clear_pages(folder, keep=written)
    return pages


def gather(
    folder: Path,
    worst: Sequence[TurnView] | None = None,
    options: ReportOptions | None = None,
    turns: TurnSums | None = None,
    summary: EvalSummary | None = None,
) -> ReportData:
    """What the page of a run shows, read from its folder; writes the pages of single dialogues on its way.

    Raises: DataError, as `write_report`.
    """
    options = options or ReportOptions(pages=False)
    summary = read_summary(folder) if summary is None else summary
    change = masked_views if options.mask else None
    overrides = read_overrides(folder)
    sources = RuleSources(summary, options.packs)
    if worst is None or change:
        worst = worst_turns(folder, change)
    if options.mask:
        overrides = _masked_overrides(overrides)
    worst = overrides.beside(worst)
    problems, problem_count = _problems(folder / PROBLEMS, mask=options.mask)
    pages = None
    if _wanted(summary, options.pages):
        also = {dialog_id for worst_dialog in worst_dialogs(summary).values() for dialog_id in worst_dialog}
        writer = PageWriter(folder, sources, overrides, change, also)
        render = partial(render_dialog, texts=texts_of(options.language or "en", summary.suite))
        pages = writer.write(summary.run_id, render, masked=options.mask)
    return ReportData(
        summary=summary,
        manifest=read_manifest(folder),
        problems=problems,
        problem_count=problem_count,
        worst=worst,
        rules=sources.of_views(worst),
        pages=pages,
        overrides=overrides.views,
        override_problems=overrides.problems,
        masked=options.mask,
        turns=turn_sums(folder, summary.suite_name) if turns is None else turns,
        # What scoring hands over was written a moment ago.
        altered=[Path(problem.file).name for problem in altered(folder)] if turns is None else (),
    )


def _checked(language: str) -> None:
    if language not in LANGUAGES:
        message = f"--lang: expected one of {sorted(LANGUAGES)}, found {language!r}"
        raise UsageError(message)


def _wanted(summary: EvalSummary, pages: bool | None) -> bool:
    return summary.counters.get("total_turn_pairs", 0) <= PAGES_UP_TO if pages is None else pages


def _masked_overrides(overrides: Overrides) -> Overrides:
    def hidden(one: OverrideView) -> OverrideView:
        said = one.override
        return one._replace(
            override=msgspec.structs.replace(said, reason=masked(said.reason), label=masked(said.label))
        )

    by_turn = {key: [hidden(one) for one in views] for key, views in overrides.by_turn.items()}
    problems = [msgspec.structs.replace(problem, found=masked(problem.found)) for problem in overrides.problems]
    return Overrides([hidden(one) for one in overrides.views], problems, by_turn)


def _problems(path: Path, *, mask: bool) -> tuple[list[Problem], int]:
    """The first problems of the input, and how many there are."""
    shown: list[Problem] = []
    count = 0
    reader = Reader(Problem)
    for line in lines(path):
        count += 1
        if len(shown) < MOST_PROBLEMS and not isinstance(decoded := reader.decode(line), list):
            problem = decoded.value
            shown.append(msgspec.structs.replace(problem, found=masked(problem.found)) if mask else problem)
    return shown, count
