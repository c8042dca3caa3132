"""``turnmark compare``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.table import Table

from turnmark.cli.table import wide_console
from turnmark.pipeline.compare import CompareRequest, compare
from turnmark.pipeline.outcomes import STRATA
from turnmark.report.comparison import (
    comparison_texts,
    p_text,
    render_comparison_html,
    render_comparison_latex,
    render_comparison_markdown,
    verdict,
)
from turnmark.report.numbers import interval, number, signed
from turnmark.report.texts import LANGUAGES, filled
from turnmark.runs.folder import write_whole
from turnmark.schemas.comparison import Comparison
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
@click.option("--out", type=click.Path(path_type=Path), help="Folder for comparison.{html,md,tex,json}.")
@click.option("--lang", default="en", show_default=True, type=click.Choice(sorted(LANGUAGES)))
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown", "latex"]), default="table",
              show_default=True)  # fmt: skip
def compare_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    runs: tuple[str, ...],
    by: tuple[str, ...],
    wanted: float | None,
    draws: int,
    seed: int,
    level: float,
    out: Path | None,
    lang: str,
    form: str,
) -> None:
    """Compare scored runs turn by turn: RUN is a folder, or FOLDER@SYSTEM where one run holds several systems.

    Every run is compared with the first: difference with its interval, paired permutation test with dialogues kept
    whole, corrected for all measures, effect size, and the smallest difference that could have been found. Turns that
    only one run has are counted and named.
    """
    comparison = compare(CompareRequest(runs, draws=draws, seed=seed, level=level, by=by, wanted=wanted))
    as_json = msgspec.json.format(msgspec.json.encode(comparison), indent=2)
    if out is not None:
        write_comparison(out, comparison, lang)
    if form == "json":
        click.echo(as_json)
    elif form == "markdown":
        click.echo(render_comparison_markdown(comparison, lang), nl=False)
    elif form == "latex":
        click.echo(render_comparison_latex(comparison), nl=False)
    else:
        print_comparison(comparison, lang)
        if out is not None:
            click.echo(f"page: {out / 'comparison.html'}")


def write_comparison(out: Path, comparison: Comparison, language: str = "en") -> Path:
    """Write a comparison in every form into a folder; returns the page."""
    as_json = msgspec.json.format(msgspec.json.encode(comparison), indent=2)
    out.mkdir(parents=True, exist_ok=True)
    write_whole(out / "comparison.json", as_json + b"\n")
    write_whole(out / "comparison.md", render_comparison_markdown(comparison, language).encode("utf-8", "replace"))
    write_whole(out / "comparison.tex", render_comparison_latex(comparison).encode("utf-8", "replace"))
    page = out / "comparison.html"
    write_whole(page, render_comparison_html(comparison, language).encode("utf-8", "replace"))
    return page


def print_comparison(comparison: Comparison, language: str = "en") -> None:
    """Every run against the first, as tables."""
    console = wide_console()
    texts = comparison_texts(language, comparison.suite)
    for pair in comparison.pairs:
        title = filled(texts, "against", first=pair.first, second=pair.second)
        table = Table(title=title, title_justify="left")
        for name in ("metric", "measure"):
            table.add_column(texts[name], overflow="fold")
        for name in ("first", "second", "difference", "interval", "p_value", "p_holm", "detectable", "win_tie_loss"):
            table.add_column(texts.get(name, name), justify="right", no_wrap=True)
        table.add_column(texts["verdict"], overflow="fold")
        for one in pair.measures:
            table.add_row(
                one.code,
                one.measure if one.upward else f"{one.measure} ↓",
                number(one.first),
                number(one.second),
                signed(one.difference),
                interval(one.interval, texts),
                p_text(one.p_value),
                p_text(one.p_holm),
                number(one.detectable),
                f"{one.wins}/{one.ties}/{one.losses}",
                verdict(one, pair, texts),
            )
        console.print(table)
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
