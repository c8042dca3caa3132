"""``turnmark export``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say
from turnmark.errors import UsageError
from turnmark.pipeline.publishing.mlflow_export import EXPERIMENT, MlflowRequest, export_mlflow
from turnmark.pipeline.publishing.writers.registry import SHIPPED, write_run

_MLFLOW = "mlflow"


@click.command("export")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--to", "target", metavar="FORMAT", required=True,
    help=f"{_MLFLOW}, or files: {', '.join(SHIPPED)}, and what other packages add (entry points turnmark.writers).",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="A new folder for the files of one run; else RUN.FORMAT.")
@click.option(
    "--tracking-uri", help="Of the store: an address, or sqlite:///FILE; that of MLflow itself when left out."
)
@click.option("--experiment", default=EXPERIMENT, show_default=True, help="The MLflow experiment that the runs join.")
@click.option(
    "--files/--no-files", default=True, show_default=True,
    help="The files of a run go along to MLflow; they hold the texts of its dialogues.",
)  # fmt: skip
@language_option
def export_command(
    runs: tuple[Path, ...],
    target: str,
    out: Path | None,
    tracking_uri: str | None,
    experiment: str,
    *,
    files: bool,
    language: str | None,
) -> int:
    """Write scored runs as files of other tools, or into MLflow (extra mlflow). Nothing is sent but to MLflow's store.

    Figures have the ends of their intervals; what is not decided is said to be so and is never 0. A run whose figures
    MLflow has already is named, not written twice. For tables and charts as files see `turnmark report --export`.
    """
    if target != _MLFLOW:
        _write_files(runs, target, out)
        return 0
    if out is not None:
        message = "--out: says nothing about --to mlflow; leave it out, or name a store with --tracking-uri"
        raise UsageError(message)
    for run in runs:
        exported = export_mlflow(MlflowRequest(run, tracking_uri, experiment, files))
        key = "cli_stored_already" if exported.there_already else "cli_stored"
        say(texts_for(language, run)[key].format(run=run, target=target, id=exported.run_id))
    return 0


def _write_files(runs: tuple[Path, ...], target: str, out: Path | None) -> None:
    if out is not None and len(runs) > 1:
        message = f"--out {out}: expected one run, found {len(runs)}; export them one by one, or leave --out out"
        raise UsageError(message)
    for run in runs:
        folder = run.resolve()
        for path in write_run(run, target, out or folder.with_name(f"{folder.name}.{target}")):
            say(str(path))
