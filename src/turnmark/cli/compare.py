"""``turnmark compare``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec
from rich.console import Console

from turnmark.cli.altered import folder_of, warn_of_altered
from turnmark.cli.intervals import intervals_option
from turnmark.cli.language import language_option
from turnmark.cli.output import say, say_json
from turnmark.cli.table import Column, print_columns, wide_console
from turnmark.locale.texts import Texts, filled, texts_of
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import STRATA
from turnmark.pipeline.publishing.export import DEFAULT_FORMATS, FORMATS, export_comparison
from turnmark.pipeline.publishing.run_language import run_language
from turnmark.report.pages.comparison import (
    all_systems_title,
    basis_lines,
    group_lines,
    missing_lines,
    p_text,
    render_comparison_html,
    render_comparison_markdown,
    scale_of,
    verdict,
    verdict_line,
    with_values,
    without_values,
)
from turnmark.report.pages.latex import comparison_tables
from turnmark.report.view.number_format import interval, number, signed
from turnmark.runs.folder import write_whole
from turnmark.schemas.results.comparison import ComparedMeasure, Comparison, PairComparison
from turnmark.schemas.results.summary import IntervalMethod
from turnmark.stats.paired import DEFAULT_DRAWS
from turnmark.stats.resampling import DEFAULT_SEED


def _fields(_context: click.Context, _parameter: click.Parameter, value: str) -> tuple[str, ...]:
    return tuple(field.strip() for field in value.split(",") if field.strip())


@click.command("compare")
@click.argument("runs", metavar="RUN RUN...", nargs=-1, required=True)
@click.option("--by", default="", callback=_fields, help=f"Also within the values of: {', '.join(STRATA)}.")
@click.option("--wanted", type=float, help="A difference; tells how many dialogues would be needed to find it.")
@click.option("--draws", default=DEFAULT_DRAWS, show_default=True, type=click.IntRange(2), help="Resamples, and swaps.")
@click.option("--seed", default=DEFAULT_SEED, show_default=True, type=click.IntRange(0))
@click.option("--level", default=0.95, show_default=True, type=click.FloatRange(0, 1, min_open=True, max_open=True))
@intervals_option
@click.option("--out", type=click.Path(path_type=Path), help="Folder for comparison.{html,md,tex,json}.")
@click.option("--export", "export_to", type=click.Path(path_type=Path), help="Folder for tables and charts as files.")
@click.option(
    "--formats", default=",".join(DEFAULT_FORMATS), show_default=True, callback=_fields,
    help=f"What --export writes, with commas between: some of {', '.join(FORMATS)}.",
)  # fmt: skip
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown", "latex"]), default="table",
              show_default=True)  # fmt: skip
def compare_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    runs: tuple[str, ...],
    by: tuple[str, ...],
    wanted: float | None,
    draws: int,
    seed: int,
    level: float,
    intervals: IntervalMethod,
    out: Path | None,
    export_to: Path | None,
    formats: tuple[str, ...],
    language: str | None,
    form: str,
) -> None:
    """Compare scored runs turn by turn: RUN is a folder, or FOLDER@SYSTEM where one run holds several systems.

    Every run is compared with the first: difference with its interval, paired permutation test with dialogues kept
    whole, corrected for all measures, effect size, and the smallest difference that could have been found. Turns that
    only one run has are counted and named. More than two runs also stand in one table; those that share no turn with
    the first form groups of their own.
    """
    lang = language or run_language(folder_of(runs[0]))
    request = CompareRequest(runs, draws, seed, level, by, wanted, intervals, lang)
    comparison = compare(request)
    for run in runs:
        warn_of_altered(str(run))
    if out is not None:
        write_comparison(out, comparison, lang)
    if export_to is not None:
        written = export_comparison(comparison, export_to, formats, lang)
        say(filled(texts_of(lang), "cli_exported", count=len(written), path=export_to), err=True)
    if form == "json":
        say_json(comparison)
    elif form == "markdown":
        say(render_comparison_markdown(comparison, lang), nl=False)
    elif form == "latex":
        say(comparison_tables(comparison), nl=False)
    else:
        print_comparison(comparison, lang)
        if out is not None:
            say(filled(texts_of(lang), "cli_page", path=out / "comparison.html"))


def write_comparison(out: Path, comparison: Comparison, language: str = "en") -> Path:
    """Write a comparison in every form into a folder; returns the page."""
    as_json = msgspec.json.format(msgspec.json.encode(comparison), indent=2)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "comparison.json", as_json + b"\n")
    write_whole(out / "comparison.md", render_comparison_markdown(comparison, language).encode("utf-8", "replace"))
    write_whole(out / "comparison.tex", comparison_tables(comparison).encode("utf-8", "replace"))
    page = out / "comparison.html"
    write_whole(page, render_comparison_html(comparison, language).encode("utf-8", "replace"))
    return page


def print_comparison(comparison: Comparison, language: str = "en") -> None:
    """Every run against the first, as tables."""
    console = wide_console()
    texts = texts_of(language, comparison.suite)
    if len(comparison.systems) > 2:
        _print_all(comparison, console, texts)
    for pair in comparison.pairs:
        _print_pair(pair, console, texts)


def _print_all(comparison: Comparison, console: Console, texts: Texts) -> None:
    """Every system in one table: the best with a star, a dagger where not significantly worse."""
    rows, na = with_values(comparison.table), texts["na"]
    names = [f"{row.code} {row.measure}" + ("" if row.upward else " ↓") for row in rows]
    columns = [Column(texts["measure"], names, 0, number=False)]
    for index, system in enumerate(comparison.systems):
        cells = [(row.cells[index], row.high) for row in rows]
        shown = [number(cell.value, high, na=na) + ("*" if cell.best else "†" if cell.close else "")
                 for cell, high in cells]  # fmt: skip
        columns.append(Column(system, shown, 1 + index))
    title = f"{all_systems_title(comparison, texts)}. {texts['table_note_plain']}"
    if not print_columns(console, title, columns, [row.code for row in rows]):
        console.print(texts["columns_left"], markup=False)
    for line in (*basis_lines(comparison.table, texts), *group_lines(comparison, texts)):
        console.print(line, markup=False)


def _print_pair(pair: PairComparison, console: Console, texts: Texts) -> None:
    title = filled(texts, "against", first=pair.first, second=pair.second)
    console.print(verdict_line(pair, texts), markup=False, style="bold")
    shown = with_values(pair.measures)
    if shown and not print_columns(console, title, _columns(pair, shown, texts), [item.code for item in shown]):
        console.print(texts["columns_left"], markup=False)
    if left := without_values(pair.measures, texts):
        console.print(left)
    for line in basis_lines(pair.measures, texts):
        console.print(line, markup=False)
    for line in pair.signature_differences:
        console.print(f"{texts['signature_warning']} {line}", markup=False)
    unpaired = pair.unpaired
    if unpaired.only_first or unpaired.only_second:
        console.print(
            filled(
                texts, "unpaired", first=pair.first, second=pair.second, first_count=unpaired.only_first,
                second_count=unpaired.only_second,
            ), markup=False,
        )  # fmt: skip
    for line in missing_lines(pair, texts):
        console.print(line, markup=False)


def _columns(pair: PairComparison, measures: Sequence[ComparedMeasure], texts: Texts) -> list[Column]:
    """The columns of a pair; the smaller the rank the sooner a narrow terminal shows one."""
    na = texts["na"]
    highs = [scale_of(measure.metric, measure.measure)[1] for measure in measures]
    wide = max((len(measure.code) for measure in measures), default=0)
    names = [f"{measure.code:<{wide}} {measure.measure}" + ("" if measure.upward else " ↓") for measure in measures]
    firsts = [number(measure.first, high, na=na) for measure, high in zip(measures, highs, strict=True)]
    seconds = [number(measure.second, high, na=na) for measure, high in zip(measures, highs, strict=True)]
    return [
        Column(texts["measure"], names, 0, number=False),
        Column(pair.first, firsts, 4),
        Column(pair.second, seconds, 4),
        Column(texts["difference"], [signed(measure.difference, na=na) for measure in measures], 1),
        Column(texts["interval"], [interval(measure.interval, texts) for measure in measures], 3),
        Column(texts["p_value"], [p_text(measure.p_value, na) for measure in measures], 7),
        Column(texts["p_holm"], [p_text(measure.p_holm, na) for measure in measures], 5),
        Column(texts["detectable"], [number(measure.detectable, na=na) for measure in measures], 8),
        Column(texts["win_tie_loss"], [f"{measure.wins}/{measure.ties}/{measure.losses}" for measure in measures], 6),
        Column(texts["verdict"], [verdict(measure, pair, texts) for measure in measures], 2, number=False, wraps=True),
    ]
