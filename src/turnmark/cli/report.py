"""``turnmark report``."""

from __future__ import annotations

from pathlib import Path

import click

from turnmark.pipeline.report import write_report


@click.command("report")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
def report_command(runs: tuple[Path, ...]) -> int:
    """Write report.md and report.html of scored runs again, from the files in their folders. Numbers do not move."""
    for run in runs:
        _, page = write_report(run)
        click.echo(f"report: {page}")
    return 0
