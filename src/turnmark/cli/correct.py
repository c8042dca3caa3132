"""``turnmark correct``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from turnmark.cli.altered import folder_of
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say_json
from turnmark.cli.table import wide_console
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.labelling.correct import CorrectRequest, correct
from turnmark.report.view.number_format import interval, number
from turnmark.schemas.labels.correction import CorrectedMeasure, Correction
from turnmark.stats.resampling import DEFAULT_SEED

_MOST_SHOWN = 10


@click.command("correct")
@click.argument("run")
@click.option("--labels", required=True, type=click.Path(path_type=Path), help="People's labels of turns of the run.")
@click.option("--next", "next_labels", default=20, show_default=True, type=click.IntRange(0),
              help="How many turns to propose for the next labels.")  # fmt: skip
@click.option("--seed", default=DEFAULT_SEED, show_default=True, type=click.IntRange(0))
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def correct_command(run: str, labels: Path, next_labels: int, seed: int, language: str | None, form: str) -> int:
    """Correct a run's figures by people's labels on a sample of its turns; raw figures stay beside them.

    Says how far marks and people agree, how many cases the marks missed, what the figures are after correction, with
    intervals, and which turns to label next so that these narrow most. Exits with 3 when some labels could not be used.
    """
    correction = correct(CorrectRequest(run, labels, next_labels, seed))
    if form == "json":
        say_json(correction)
    else:
        _print(correction, texts_for(language, folder_of(run)))
    return SOME_FAILED if correction.unused else 0


def _print(correction: Correction, texts: Texts) -> None:
    console = wide_console()
    for line in correction.unused[:_MOST_SHOWN]:
        console.print(line, markup=False)
    title = filled(texts, "correct_title", run=correction.run, count=correction.labels)
    table = Table(title=title, title_justify="left")
    table.add_column(texts["correct_measure"], overflow="fold")
    heads = [texts["correct_rows"], texts["correct_labelled"], texts["correct_raw"], texts["correct_corrected"]]
    for name in (*heads, texts["interval"], "Rogan-Gladen", texts["interval"], "kappa"):
        table.add_column(name, justify="right", no_wrap=True)
    na = texts["na"]
    for measure in correction.measures:
        table.add_row(
            measure.measure, str(measure.rows), str(measure.labelled), number(measure.raw, na=na),
            number(measure.powered, na=na), interval(measure.powered_interval, texts),
            number(measure.rogan_gladen, na=na), interval(measure.rogan_gladen_interval, texts),
            number(measure.kappa, na=na),
        )  # fmt: skip
    console.print(table)
    for measure in correction.measures:
        for line in _said(measure, texts):
            console.print(line, markup=False)


def _said(one: CorrectedMeasure, texts: Texts) -> list[str]:
    lines = []
    if one.not_decided:
        lines.append(filled(texts, "correct_undecided", measure=one.measure, count=one.not_decided, rows=one.rows))
    if one.unmarked_checked:
        low, high = one.missed_in_run_interval or (0.0, float(one.rows))
        lines.append(
            filled(
                texts, "correct_missed", measure=one.measure, missed=one.missed, checked=one.unmarked_checked,
                about=f"{one.missed_in_run:.0f}", low=f"{low:.0f}", high=f"{high:.0f}",
            )
        )  # fmt: skip
    if one.alpha is not None:
        alpha = f"{one.alpha:.3f}"
        lines.append(filled(texts, "correct_alpha", measure=one.measure, count=one.annotators, alpha=alpha))
    lines += [f"  {line}" for line in one.disagreements[:_MOST_SHOWN]]
    if one.label_next:
        turns = "; ".join(one.label_next[:_MOST_SHOWN])
        lines.append(filled(texts, "correct_next", measure=one.measure, turns=turns))
    return lines
