"""``turnmark export``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say
from turnmark.errors import UsageError
from turnmark.pipeline.publishing.mlflow_export import EXPERIMENT, MlflowRequest, export_mlflow
from turnmark.pipeline.publishing.writers.registry import MLFLOW, SHIPPED, write_run, writer

_MOST_SHOWN = 10


@click.command("export")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--to", "target", metavar="FORMAT", required=True,
    help=f"{MLFLOW}, or files: {', '.join(SHIPPED)}, and what other packages add (entry points turnmark.writers).",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="A new folder for the files of one run; else RUN.FORMAT.")
@click.option(
    "--send", "sent", is_flag=True,
    help="langfuse, langsmith, otlp-json: send the files to the address in the environment, from where it broke off.",
)  # fmt: skip
@click.option(
    "--tracking-uri", help="Of the store: an address, or sqlite:///FILE; that of MLflow itself when left out."
)
@click.option("--experiment", default=EXPERIMENT, show_default=True, help="The MLflow experiment that the runs join.")
@click.option(
    "--files/--no-files", default=True, show_default=True,
    help="The files of a run go along to MLflow; they hold the texts of its dialogues.",
)  # fmt: skip
@language_option
def export_command(  # noqa: PLR0913 - one parameter an option
    runs: tuple[Path, ...],
    target: str,
    out: Path | None,
    tracking_uri: str | None,
    experiment: str,
    *,
    files: bool,
    sent: bool,
    language: str | None,
) -> int:
    """Write scored runs as files of other tools, or into MLflow (extra mlflow). Else nothing is sent without --send.

    Figures have the ends of their intervals; what is not decided is said to be so and is never 0. A run whose figures
    MLflow has already is named, not written twice. Exits with 3 when something that was sent was rejected. For tables
    and charts as files see `turnmark report --export`.
    """
    if target != MLFLOW:
        _write_files(runs, target, out, sent=sent)
        return _send(runs, target, out) if sent else 0
    if sent:
        message = "--send: says nothing about --to mlflow, which writes into a store; leave it out"
        raise UsageError(message)
    if out is not None:
        message = "--out: says nothing about --to mlflow; leave it out, or name a store with --tracking-uri"
        raise UsageError(message)
    for run in runs:
        exported = export_mlflow(MlflowRequest(run, tracking_uri, experiment, files))
        key = "cli_stored_already" if exported.there_already else "cli_stored"
        say(texts_for(language, run)[key].format(run=run, target=target, id=exported.run_id))
    return 0


def _folder(run: Path, target: str, out: Path | None) -> Path:
    folder = run.resolve()
    return out or folder.with_name(f"{folder.name}.{target}")


def _send(runs: tuple[Path, ...], target: str, out: Path | None) -> int:
    """Send what was written; the exit code."""
    from turnmark.pipeline.publishing.sending import Sender, send  # noqa: PLC0415 - only what sends needs HTTP

    chosen = writer(target)
    if not isinstance(chosen, Sender):
        message = f"--send: says nothing about --to {target}, whose files are not sent anywhere; leave it out"
        raise UsageError(message)
    lost = False
    for run in runs:
        result = send(_folder(run, target, out), chosen)
        lost = lost or bool(result.rejected or result.left_out)
        rest = [f"{result.rejected} rejected"] if result.rejected else []
        rest += [f"{result.left_out} left out (no run id)"] if result.left_out else []
        say(", ".join([f"{run}: {result.accepted} {result.noun} accepted by {target}", *rest]))
        for heading, reasons in (("rejected", result.errors), ("warning", result.warnings)):
            for reason in reasons[:_MOST_SHOWN]:
                say(f"{heading}: {reason}")
    return SOME_FAILED if lost else 0


def _write_files(runs: tuple[Path, ...], target: str, out: Path | None, *, sent: bool) -> None:
    """Write the files; those that are there to be sent are sent as they are."""
    if out is not None and len(runs) > 1:
        message = f"--out {out}: expected one run, found {len(runs)}; export them one by one, or leave --out out"
        raise UsageError(message)
    for run in runs:
        folder = _folder(run, target, out)
        if sent and folder.is_dir():
            say(f"{folder}: is there; its files are sent as they are")
            continue
        for path in write_run(run, target, folder):
            say(str(path))
