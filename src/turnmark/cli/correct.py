"""``turnmark correct``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.output import say_json
from turnmark.cli.table import wide_console
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
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def correct_command(run: str, labels: Path, next_labels: int, seed: int, form: str) -> int:
    """Correct a run's figures by people's labels on a sample of its turns; raw figures stay beside them.

    Says how far marks and people agree, how many cases the marks missed, what the figures are after correction, with
    intervals, and which turns to label next so that these narrow most. Exits with 3 when some labels could not be used.
    """
    correction = correct(CorrectRequest(run, labels, next_labels, seed))
    if form == "json":
        say_json(correction)
    else:
        _print(correction)
    return SOME_FAILED if correction.unused else 0


def _print(correction: Correction) -> None:
    console = wide_console()
    for line in correction.unused[:_MOST_SHOWN]:
        console.print(line, markup=False)
    table = Table(title=f"{correction.run}: {correction.labels} labels", title_justify="left")
    table.add_column("measure", overflow="fold")
    for name in ("rows", "labelled", "raw", "corrected", "95 % interval", "Rogan-Gladen", "95 % interval", "kappa"):
        table.add_column(name, justify="right", no_wrap=True)
    for measure in correction.measures:
        table.add_row(
            measure.measure, str(measure.rows), str(measure.labelled), number(measure.raw), number(measure.powered),
            interval(measure.powered_interval), number(measure.rogan_gladen), interval(measure.rogan_gladen_interval),
            number(measure.kappa),
        )  # fmt: skip
    console.print(table)
    for measure in correction.measures:
        for line in _said(measure):
            console.print(line, markup=False)


def _said(one: CorrectedMeasure) -> list[str]:
    lines = []
    if one.not_decided:
        lines.append(
            f"{one.measure}: something was not decided in {one.not_decided} of {one.rows} turns; "
            "raw counts what was, corrected all of them"
        )
    if one.unmarked_checked:
        bounds = one.missed_in_run_interval or (0.0, float(one.rows))
        lines.append(
            f"{one.measure}: {one.missed} of {one.unmarked_checked} checked turns without a mark should have had one; "
            f"in the whole run about {one.missed_in_run:.0f} are missed ({bounds[0]:.0f} to {bounds[1]:.0f})"
        )
    if one.alpha is not None:
        lines.append(f"{one.measure}: {one.annotators} annotators, Krippendorff's alpha {one.alpha:.3f}")
    lines += [f"  {line}" for line in one.disagreements[:_MOST_SHOWN]]
    if one.label_next:
        lines.append(f"{one.measure}: label next: {'; '.join(one.label_next[:_MOST_SHOWN])}")
    return lines
