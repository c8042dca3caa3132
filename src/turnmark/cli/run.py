"""``turnmark run``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from turnmark.cli.progress import line_progress, replay_progress
from turnmark.cli.replay import SOME_FAILED, print_result, replay_options, resumable, some_failed
from turnmark.cli.score import DETECTORS
from turnmark.cli.table import print_summary
from turnmark.pipeline.replay import ReplayRequest
from turnmark.pipeline.report import ReportOptions
from turnmark.pipeline.run import run
from turnmark.pipeline.suites import SUITES
from turnmark.pipeline.worker import ScoreRequest


@click.command("run")
@replay_options
@click.option("--suite", default="finance", show_default=True, help=f"One of: {', '.join(SUITES)}.")
@click.option("--detect", help=f"Detector set; the first of its suite when left out. {DETECTORS}.")
@click.option(
    "--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="Rules laid over the shipped ones."
)
@click.option("--ignore-memory-keys", is_flag=True, help="For agents without memory: M1 asks for no key.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def run_command(
    suite: str, detect: str | None, packs: tuple[Path, ...], ignore_memory_keys: bool, form: str, **settings: Any
) -> int:
    """Play a dataset with an agent, score what it said and write the report, all into one run folder.

    The same as `turnmark replay`, then `turnmark score` on its trace. Exits with 3 when turns or rows failed or lines
    could not be read.
    """
    scoring = ScoreRequest(traces=(), suite=suite, detect=detect, packs=packs, ignore_memory_keys=ignore_memory_keys)
    quiet = not sys.stderr.isatty()
    with (
        resumable(),
        replay_progress(quiet=quiet) as listener,
        line_progress("scoring", quiet=quiet) as progress,
    ):
        result = run(
            ReplayRequest(**settings), scoring,
            report=ReportOptions(packs=packs), listener=listener, progress=progress,
        )  # fmt: skip
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(result.scored.summary), indent=2))
    else:
        print_result(result.replayed)
        print_summary(result.scored.summary)
        click.echo(f"report: {result.page}")
    failed = some_failed(result.replayed) or result.scored.rejected_lines or result.scored.failed_rows
    return SOME_FAILED if failed else 0
