"""``turnmark export``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.cli.output import say
from turnmark.pipeline.publishing.mlflow_export import EXPERIMENT, MlflowRequest, export_mlflow


@click.command("export")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--to", "target", type=click.Choice(["mlflow"]), required=True, help="Where the runs go to.")
@click.option(
    "--tracking-uri", help="Of the store: an address, or sqlite:///FILE; that of MLflow itself when left out."
)
@click.option("--experiment", default=EXPERIMENT, show_default=True, help="The experiment that the runs join.")
@click.option(
    "--files/--no-files", default=True, show_default=True,
    help="The files of a run go along; they hold the texts of its dialogues.",
)  # fmt: skip
def export_command(
    runs: tuple[Path, ...], target: str, tracking_uri: str | None, experiment: str, *, files: bool
) -> int:
    """Write scored runs into MLflow (extra mlflow): settings as parameters, figures with the ends of their intervals.

    Figures without anything to count are left out. A run whose figures are there already is named, not written twice.
    For tables and charts as files see `turnmark report --export`.
    """
    for run in runs:
        exported = export_mlflow(MlflowRequest(run, tracking_uri, experiment, files))
        already = " (there already)" if exported.there_already else ""
        say(f"{run}: {target} run {exported.run_id}{already}")
    return 0
