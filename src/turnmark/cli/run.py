"""``turnmark run``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from turnmark.cli.compare import print_comparison, write_comparison
from turnmark.cli.detect import detect_option
from turnmark.cli.endpoint import judge_first, judge_first_options
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.intervals import intervals_option
from turnmark.cli.judge import print_judged, some_lost
from turnmark.cli.language import language_option
from turnmark.cli.marking_options import marking_options
from turnmark.cli.output import say, say_json
from turnmark.cli.progress import line_progress, replay_progress
from turnmark.cli.replay import print_result, replay_options, resumable, some_failed
from turnmark.cli.suite_help import DETECTORS
from turnmark.cli.table import print_scored, say_unscored
from turnmark.locale.texts import filled, texts_of
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.pipeline.playing.run import run, run_systems
from turnmark.pipeline.publishing.report import ReportOptions
from turnmark.pipeline.publishing.run_language import run_language
from turnmark.pipeline.scoring.judge_first import JUDGEMENTS
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.results.summary import DEFAULT_SUITE, IntervalMethod
from turnmark.schemas.turn_eval import LabelBy
from turnmark.suites.file_kinds import suite_played
from turnmark.suites.registry import suite_names


def _named_agents(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    systems: dict[str, str] = {}
    for text in values:
        name, sign, agent = text.partition("=")
        if not sign or not name or not agent or name in systems:
            message = f"expected NAME=AGENT with a name of its own, found {text!r}"
            raise click.BadParameter(message)
        systems[name] = agent
    return systems


@click.command("run")
@replay_options
@click.option(
    "--system", "systems", multiple=True, metavar="NAME=AGENT", callback=_named_agents,
    help="Several agents in place of one --agent: each into OUT/NAME, then all compared. Comes two times or more.",
)  # fmt: skip
@click.option("--suite", help=f"One of: {', '.join(suite_names())}; told by the dataset when left out.")
@detect_option(f"Detector set; the first of its suite when left out. {DETECTORS}.")
@marking_options
@judge_first_options
@intervals_option
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def run_command(  # noqa: PLR0913 - one parameter an option
    *,
    systems: dict[str, str],
    suite: str | None,
    detect: str | None,
    packs: tuple[Path, ...],
    ignore_memory_keys: bool,
    compliance_by: LabelBy,
    possible: str | None,
    earlier_turns: bool,
    intervals: IntervalMethod,
    language: str | None,
    form: str,
    **settings: Any,
) -> int:
    """Play a dataset with an agent, score what it said and write the report, all into one run folder.

    With --system NAME=AGENT several times, each agent gets a run folder of its own below OUT, and all are compared
    turn by turn. The same as `turnmark replay`, then `turnmark score` on its trace. With --judge a model is asked about
    what was said before it is scored, with --judge-workers calls at once. Exits with 3 when turns or rows
    failed or lines could not be read.
    """
    dataset: Path = settings["dataset"]
    first = judge_first(settings)
    judge_workers = settings["judge_workers"]
    if judge_workers is None:
        settings["judge_workers"] = judge_workers = 1 if first is None else first.config.concurrency
    scoring = ScoreRequest(
        traces=(),
        suite=suite or suite_played(dataset, dict(settings["columns"])) or DEFAULT_SUITE,
        detect=detect,
        packs=packs,
        ignore_memory_keys=ignore_memory_keys,
        intervals=intervals,
        earlier_turns=earlier_turns,
        compliance_by=compliance_by,
        possible=possible,
        judge_workers=None if first is None else judge_workers,
    )
    quiet = not sys.stderr.isatty()
    if bool(systems) == (settings["agent"] is not None):
        message = "expected one of --agent and --system, found " + ("both" if systems else "neither")
        raise click.UsageError(message)
    request = ReplayRequest(**{**settings, "agent": settings["agent"] or ""})
    comparison = None
    with (
        resumable(),
        replay_progress(quiet=quiet) as listener,
        line_progress("scoring", quiet=quiet) as progress,
    ):
        more: dict[str, Any] = {
            "judge": first,
            "report": ReportOptions(language=language, packs=packs),
            "listener": listener,
            "progress": progress,
        }
        if systems:
            results, comparison = run_systems(request, systems, scoring, **more)
        else:
            results = [run(request, scoring, **more)]
    spoken = language or run_language(results[0].scored.folder)
    page = None if comparison is None or request.out is None else write_comparison(request.out, comparison, spoken)
    texts = texts_of(spoken, scoring.suite)
    if form == "json":
        shown = results[0].scored.summary if comparison is None else comparison
        say_json(shown)
        for result in results:
            say_unscored(result.scored, texts, err=True)
    else:
        for result in results:
            print_result(result.replayed, texts)
            if result.judged is not None:
                print_judged(result.judged, result.scored.folder / JUDGEMENTS, texts)
            if comparison is None:
                print_scored(result.scored, texts)
            say(filled(texts, "cli_report", path=result.page))
        if comparison is not None:
            print_comparison(comparison, spoken)
            say(filled(texts, "cli_comparison", path=page))
    failed = [
        some_failed(item.replayed)
        or item.scored.rejected_lines
        or item.scored.failed_rows
        or (item.judged is not None and some_lost(item.judged))
        for item in results
    ]
    return SOME_FAILED if any(failed) else 0
