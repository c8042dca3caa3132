"""``turnmark score``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnmark.cli.columns import columns_option, from_option
from turnmark.cli.detect import detect_option
from turnmark.cli.endpoint import judge_first, judge_first_options
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.intervals import intervals_option
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.marking_options import marking_options
from turnmark.cli.output import say, say_json
from turnmark.cli.progress import line_progress
from turnmark.cli.suite_help import DETECTORS
from turnmark.cli.table import print_scored, say_unscored
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.distributing.engines import EngineName, engine
from turnmark.pipeline.distributing.job import score_job
from turnmark.pipeline.publishing.report import PAGES_UP_TO, ReportOptions, write_report
from turnmark.pipeline.scoring.checked import STRATA
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import TRACE
from turnmark.schemas.results.summary import DEFAULT_SUITE, IntervalMethod
from turnmark.schemas.turn_eval import LabelBy
from turnmark.suites.file_kinds import suite_of
from turnmark.suites.registry import suite_names

if TYPE_CHECKING:
    from turnmark.pipeline.judging.judge import JudgeReport
    from turnmark.pipeline.scoring.judge_first import JudgeFirst


def _fields(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(field.strip() for field in value.split(",") if field.strip())


@click.command("score")
@click.argument("traces", metavar="TRACE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--suite", help=f"One of: {', '.join(suite_names())}; told by the file when left out.")
@detect_option(f"Detector set; the first of its suite when left out. {DETECTORS}.")
@from_option
@columns_option
@click.option("--dataset", type=click.Path(path_type=Path), help="Ground truth for traces that do not carry their own.")
@marking_options
@click.option(
    "--by", callback=_fields,
    help=f"Break figures down by these fields of the dialogue: {', '.join(STRATA)}. Each suite has its own default.",
)  # fmt: skip
@intervals_option
@click.option("--run-id", help="Replaces the trace's own; needed when several traces disagree.")
@judge_first_options
@click.option(
    "--judge-workers", type=click.IntRange(min=1),
    help="Calls of --judge at once; those of its configuration when left out.",
)  # fmt: skip
@click.option("--workers", default=1, show_default=True, type=int, help="Processes; the result is the same bytes.")
@click.option(
    "--engine", "engine_name", type=click.Choice(["local", "ray"]), default="local", show_default=True,
    help="ray (extra ray): partitions on the cluster at RAY_ADDRESS, else on --workers processes of a new one.",
)  # fmt: skip
@click.option(
    "--parts", metavar="FOLDER",
    help="Keep what is scored there, by partition; the same command goes on after a kill. A path, or a URL of fsspec.",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="Run folder; runs/RUN_ID when left out.")
@click.option(
    "--pages/--no-pages", default=None,
    help=f"A linked page for each dialogue to review; by default for runs of up to {PAGES_UP_TO} turns.",
)  # fmt: skip
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def score_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    traces: tuple[Path, ...],
    suite: str | None,
    detect: str | None,
    source_format: str | None,
    columns: tuple[tuple[str, str], ...],
    dataset: Path | None,
    packs: tuple[Path, ...],
    ignore_memory_keys: bool,
    compliance_by: LabelBy,
    possible: str | None,
    earlier_turns: bool,
    by: tuple[str, ...] | None,
    intervals: IntervalMethod,
    run_id: str | None,
    judge_workers: int | None,
    workers: int,
    engine_name: EngineName,
    parts: str | None,
    out: Path | None,
    pages: bool | None,
    language: str | None,
    form: str,
    **judging: Any,
) -> int:
    """Score recorded dialogues (trace v1, plain, .gz or .zst) and write rows, evidence, summary and report.

    A run folder may be given in place of its trace. With --judge a model is asked first, into OUT/judgements.jsonl;
    with --only-undecided just what rules leave open. Bad lines are listed in problems.jsonl and left out; the rest goes
    on. Exits with 3 when lines were left out, or rows or verdicts failed.
    """
    files = tuple(path / TRACE if path.is_dir() else path for path in traces)
    request = ScoreRequest(
        traces=files,
        out=out,
        suite=suite or suite_of(files[0], source_format) or DEFAULT_SUITE,
        detect=detect,
        dataset=dataset,
        packs=packs,
        ignore_memory_keys=ignore_memory_keys,
        earlier_turns=earlier_turns,
        compliance_by=compliance_by,
        possible=possible,
        by=by,
        intervals=intervals,
        run_id=run_id,
        workers=workers,
        columns=columns,
        judge_workers=judge_workers,
        source_format=source_format,
    )
    quiet = not sys.stderr.isatty()
    first, judged, lost = judge_first(judging), None, False
    if first is not None:
        request, judged, lost = _judged(request, first, quiet=quiet)
    with line_progress("scoring", quiet=quiet) as progress:
        if engine_name == "local" and parts is None:
            result = score(request, progress)
        else:
            result = score_job(request, engine(engine_name, workers), parts, progress=progress)
    options = ReportOptions(pages=pages, language=language, packs=packs)
    _, page = write_report(result.folder, result.worst, options, result.turns, result.summary)
    texts = texts_for(language, result.folder, request.suite)
    if form == "json":
        say_json(result.summary)
        say_unscored(result, texts, err=True)
    else:
        if judged is not None:
            _print_judged(judged, result.folder, texts)
        print_scored(result, texts)
        say(filled(texts, "cli_report", path=page))
    return SOME_FAILED if result.rejected_lines or result.failed_rows or lost else 0


# What asks models is loaded only where one is asked.


def _judged(request: ScoreRequest, first: JudgeFirst, *, quiet: bool) -> tuple[ScoreRequest, JudgeReport, bool]:
    """Ask the model; what is scored then, what came of it, and whether something was lost."""
    from turnmark.cli.judge import judging_progress, some_lost  # noqa: PLC0415 - see above
    from turnmark.pipeline.scoring.judge_first import judged_first  # noqa: PLC0415 - see above

    with judging_progress(quiet=quiet) as listener:
        request, judged = judged_first(request, first, listener)
    return request, judged, some_lost(judged)


def _print_judged(judged: JudgeReport, folder: Path, texts: Texts) -> None:
    from turnmark.cli.judge import print_judged  # noqa: PLC0415 - see above
    from turnmark.pipeline.scoring.judge_first import JUDGEMENTS  # noqa: PLC0415 - see above

    print_judged(judged, folder / JUDGEMENTS, texts)
