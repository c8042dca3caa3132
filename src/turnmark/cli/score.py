"""``turnmark score``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from turnmark.cli.detect import detect_option
from turnmark.cli.intervals import intervals_option
from turnmark.cli.output import say, say_json
from turnmark.cli.progress import line_progress
from turnmark.cli.table import print_summary
from turnmark.metrics.finance.compliance_columns import LabelBy
from turnmark.pipeline.publishing.report import PAGES_UP_TO, ReportOptions, write_report
from turnmark.pipeline.scoring.score import STRATA, score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import TRACE
from turnmark.schemas.results.summary import DEFAULT_SUITE, IntervalMethod
from turnmark.suites.registry import suite_definitions, suite_names

SOME_FAILED = 3
DETECTORS = "; ".join(f"{suite.name}: {', '.join(suite.detect)}" for suite in suite_definitions())


def _fields(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(field.strip() for field in value.split(",") if field.strip())


compliance_option = click.option(
    "--compliance-by",
    type=click.Choice(["words", "events", "either"]),
    default="words",
    show_default=True,
    help="finance: what M4's label goes by: the reply's words, what the assistant's own check reported, or the graver.",
)


@click.command("score")
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--suite", default=DEFAULT_SUITE, show_default=True, help=f"One of: {', '.join(suite_names())}.")
@detect_option(f"Detector set; the first of its suite when left out. {DETECTORS}.")
@click.option("--dataset", type=click.Path(path_type=Path), help="Ground truth for traces that do not carry their own.")
@click.option(
    "--pack",
    "packs",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Rules laid over the shipped ones; rag: weights, judgements, the folder of a model.",
)
@click.option("--ignore-memory-keys", is_flag=True, help="For agents without memory: M1 asks for no key.")
@compliance_option
@click.option("--earlier-turns", is_flag=True, help="rag, clinical: what earlier turns were told supports answers too.")
@click.option(
    "--by", callback=_fields,
    help=f"Break figures down by these fields of the dialogue: {', '.join(STRATA)}. Each suite has its own default.",
)  # fmt: skip
@intervals_option
@click.option("--run-id", help="Replaces the trace's own; needed when several traces disagree.")
@click.option("--workers", default=1, show_default=True, type=int, help="Processes; the result is the same bytes.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder; runs/RUN_ID when left out.")
@click.option(
    "--pages/--no-pages", default=None,
    help=f"A linked page for each dialogue to review; by default for runs of up to {PAGES_UP_TO} turns.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def score_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    traces: tuple[Path, ...],
    suite: str,
    detect: str | None,
    dataset: Path | None,
    packs: tuple[Path, ...],
    ignore_memory_keys: bool,
    compliance_by: LabelBy,
    earlier_turns: bool,
    by: tuple[str, ...] | None,
    intervals: IntervalMethod,
    run_id: str | None,
    workers: int,
    out: Path | None,
    pages: bool | None,
    form: str,
) -> int:
    """Score recorded dialogues (trace v1, plain, .gz or .zst) and write rows, evidence, summary and report.

    A run folder may be given in place of its trace. Bad lines are listed in problems.jsonl and left out; the rest
    goes on. Exits with 3 when lines were left out or rows failed.
    """
    request = ScoreRequest(
        traces=tuple(path / TRACE if path.is_dir() else path for path in traces),
        out=out,
        suite=suite,
        detect=detect,
        dataset=dataset,
        packs=packs,
        ignore_memory_keys=ignore_memory_keys,
        earlier_turns=earlier_turns,
        compliance_by=compliance_by,
        by=by,
        intervals=intervals,
        run_id=run_id,
        workers=workers,
    )
    with line_progress("scoring", quiet=not sys.stderr.isatty()) as progress:
        result = score(request, progress)
    _, page = write_report(result.folder, result.worst, ReportOptions(pages=pages, packs=packs), result.turns)
    if form == "json":
        say_json(result.summary)
    else:
        print_summary(result.summary)
        if result.rejected_lines:
            say(f"{result.rejected_lines} lines could not be read: see {result.folder / 'problems.jsonl'}")
        if result.warnings:
            say(f"{result.warnings} warnings: see {result.folder / 'problems.jsonl'}")
        if result.failed_rows:
            say(f"rows with a metric that failed: {result.failed_rows}; the report says why")
        say(f"report: {page}")
    return SOME_FAILED if result.rejected_lines or result.failed_rows else 0
