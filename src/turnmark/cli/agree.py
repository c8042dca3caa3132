"""``turnmark agree``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from turnmark.cli.table import wide_console
from turnmark.detectors.finance.sets import DEFAULT, DETECTOR_SETS
from turnmark.pipeline.agree import Agreement, agree, as_json

SOME_FAILED = 3
_MOST_SHOWN = 40
_NOT_AVAILABLE = "n/a"


@click.command("agree")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--suite", default="finance", show_default=True, type=click.Choice(["finance"]))
@click.option("--detect", default=DEFAULT, show_default=True, help=f"One of: {', '.join(DETECTOR_SETS)}.")
@click.option(
    "--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="Rules laid over the shipped ones."
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def agree_command(labels: Path, suite: str, detect: str, packs: tuple[Path, ...], form: str) -> int:  # noqa: ARG001 - one suite so far
    """Compare detectors with the labels of careful readers: precision, recall, F1, kappa, with intervals.

    Every figure stands beside what keywords alone and the commonest label would reach; every disagreement is listed
    with the words that the detectors went by. Exits with 3 when some lines of the file could not be read.
    """
    agreement = agree(labels, detect, packs)
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(as_json(agreement)), indent=2))
    else:
        _print(agreement)
    return SOME_FAILED if agreement.problems else 0


def _print(agreement: Agreement) -> None:
    console = wide_console()
    for problem in agreement.problems:
        console.print(str(problem), markup=False)
    console.print(_table(agreement))
    console.print(f"{len(agreement.disagreements)} disagreements")
    for cell in agreement.disagreements[:_MOST_SHOWN]:
        quotes = " | ".join(f"{piece.rule}: {piece.quote}" for piece in cell.evidence) or "no evidence"
        console.print(
            f"{cell.id} {cell.field} {cell.label}: readers {cell.gold}, detectors {cell.predicted} ({quotes})",
            markup=False,
        )
    if len(agreement.disagreements) > _MOST_SHOWN:
        console.print("… --format json lists all")


def _table(agreement: Agreement) -> Table:
    table = Table(title=f"{agreement.labels} labels", title_justify="left")
    for name in ("field", "label"):
        table.add_column(name)
    for name in ("precision", "recall", "F1 / accuracy", "95 % interval", "kappa", "n", "literal", "majority"):
        table.add_column(name, justify="right", no_wrap=True)
    for field, figures in agreement.figures.items():
        baselines = [agreement.baselines[name].get(field, {}) for name in ("literal", "majority")]
        if "accuracy" in figures:
            _row(table, field, "accuracy", figures, baselines, score="accuracy")
        if "f1" in figures:
            _row(table, field, "", figures, baselines)
        for label, own in figures.items():
            if isinstance(own, dict) and "tp" in own:
                _row(table, field, label, own, [baseline.get(label, {}) for baseline in baselines])
    return table


def _row(
    table: Table, field: str, label: str, figures: dict[str, Any], baselines: list[dict[str, Any]], score: str = "f1"
) -> None:
    interval = figures["intervals"].get(score)
    table.add_row(
        field,
        label,
        _number(figures.get("precision")),
        _number(figures.get("recall")),
        _number(figures[score]),
        _NOT_AVAILABLE if interval is None else f"{interval[0]:.2f} – {interval[1]:.2f}",
        _number(figures.get("kappa")),
        str(figures["n"]),
        *(_number(baseline.get(score)) for baseline in baselines),
    )


def _number(value: float | None) -> str:
    return _NOT_AVAILABLE if value is None else f"{value:.3f}"
