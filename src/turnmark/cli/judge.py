"""``turnmark judge``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from turnmark.cli.endpoint import cascade_options, endpoint_config, endpoint_options
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.named_values import named_values
from turnmark.cli.output import say, say_json
from turnmark.cli.suite_help import EARLIER_TURNS, of_suites, suites_with
from turnmark.judges.llm.estimate import Estimate
from turnmark.pipeline.judging.judge import JudgeReport, estimate, judge
from turnmark.report.view.deciders import judge_named
from turnmark.runs.folder import TRACE
from turnmark.suites.judging import JUDGED_UNASKED, JudgeRequest

_MOST_SHOWN = 10


@click.command("judge", epilog=f"{of_suites('judge')}.")
@click.argument("cases", metavar="CASES...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--config", type=click.Path(path_type=Path), help="YAML file that describes the model and its limits.")
@endpoint_options
@click.option("--repeat", type=int, help="Ask for verdicts that often and take the majority.")
@click.option(
    "--judge-option", "options", multiple=True, metavar="NAME=VALUE", callback=named_values,
    help="Any other setting of the configuration; may come many times.",
)  # fmt: skip
@click.option(
    "--suite", default=JUDGED_UNASKED, show_default=True, help=f"One of: {suites_with(lambda suite: suite.judging)}."
)
@click.option("--rubric", type=click.Path(path_type=Path), help="Grade by this rubric (YAML) instead of the metrics.")
@click.option(
    "--metric", "metrics", multiple=True,
    help="A metric by name, among those that the suite asks a model for; all of them when left out.",
)  # fmt: skip
@click.option("--pack", "packs", multiple=True, type=click.Path(path_type=Path), help=f"{of_suites('judge --pack')}.")
@click.option("--dataset", type=click.Path(path_type=Path), help="Ground truth for traces that do not carry their own.")
@click.option("--earlier-turns", is_flag=True, help=f"As for turnmark score: {EARLIER_TURNS}.")
@cascade_options
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("judgements.jsonl"), show_default=True,
    help="File for the judgements.",
)  # fmt: skip
@click.option("--estimate", "only_estimate", is_flag=True, help="Say what it would take, and send nothing.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def judge_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    cases: tuple[Path, ...],
    config: Path | None,
    options: dict[str, Any],
    suite: str,
    rubric: Path | None,
    metrics: tuple[str, ...],
    packs: tuple[Path, ...],
    dataset: Path | None,
    earlier_turns: bool,
    only_undecided: bool,
    audit: float,
    entailment: Path | None,
    limits: Path | None,
    weights: Path | None,
    out: Path,
    only_estimate: bool,
    form: str,
    **overrides: Any,
) -> int:
    """Judge recorded answers by a language model and write its judgements.

    turnmark score --suite SUITE --detect judged --pack JUDGEMENTS computes the figures from them, as often as you like,
    and never asks the model. What a suite asks for stands below; with --rubric each answer gets a grade by your own
    rubric instead. With --only-undecided rules judge first and the model is asked what they leave open; every verdict
    says who decided it.

    The key is read from the environment variable OPENAI_API_KEY. Run again after a stop: answers are kept, only what is
    missing is asked for. Exits with 3 when verdicts failed or lines could not be read.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    request = JudgeRequest(
        tuple(path / TRACE if path.is_dir() else path for path in cases),
        endpoint_config(config, {**options, **given}, "--judge-option"), out, metrics or None, suite, rubric, packs,
        dataset, earlier_turns, only_undecided, audit, entailment, limits, weights,
    )  # fmt: skip
    if only_estimate:
        result = estimate(request)
        if form == "json":
            say_json(result)
        else:
            _print_estimate(result)
        return 0
    with judging_progress(quiet=not sys.stderr.isatty()) as listener:
        report = judge(request, listener)
    if form == "json":
        say_json(report)
    else:
        print_judged(report, out)
    return SOME_FAILED if some_lost(report) else 0


def some_lost(report: JudgeReport) -> bool:
    """Whether verdicts failed, lines could not be read, or the model was given up."""
    return bool(report.cases_with_failures or report.problems or report.gave_up)


def _print_estimate(result: Estimate) -> None:
    money = "" if result.cost is None else f", cost {result.cost:.4f}"
    say(
        f"{result.cases} cases: {result.calls} calls ({result.cached} answered already), about "
        f"{result.input_tokens} tokens in and {result.output_tokens} out{money}"
    )
    everything, whole = result.everything, result.whole
    if everything is None:
        return
    say(f"the model is asked for {result.asked} of {result.verdicts} verdicts, {whole.prompt_characters} characters")
    say(
        f"judging everything: {everything.calls} calls, {everything.prompt_characters} characters of prompts, about "
        f"{everything.input_tokens} tokens in and {everything.output_tokens} out; "
        f"this takes {_part(whole.calls, everything.calls)} of the calls, "
        f"{_part(whole.prompt_characters, everything.prompt_characters)} of the characters, "
        f"{_part(whole.input_tokens + whole.output_tokens, everything.input_tokens + everything.output_tokens)} of the "
        "tokens"
    )


def _part(some: int, all_of_it: int) -> str:
    return f"{100 * some / all_of_it:.0f} %" if all_of_it else "n/a"


def print_judged(report: JudgeReport, out: Path) -> None:
    """What came of judging, and where it lies."""
    spent = report.spent
    if report.rubric is not None:
        mean = "n/a" if report.mean is None else f"{report.mean:.3f}"
        there = report.verdicts - report.failed_verdicts
        say(f"{report.rubric}: mean {mean} of {there} grades, {report.failed_verdicts} of {report.cases} failed")
    say(
        f"{report.cases} cases, {report.verdicts} verdicts, {report.failed_verdicts} failed in "
        f"{report.cases_with_failures} cases; {spent.calls} calls, {spent.cached} answers kept from before, "
        f"{spent.input_tokens} tokens in, {spent.output_tokens} out"
        + (f", cost {spent.cost:.4f}" if spent.cost else "")
    )
    if report.by:
        counts = [f"{count} {judge_named(name)}" for name, count in report.by.items() if name]
        say("decided: " + ", ".join([*counts, f"{report.by.get('', 0)} not decided"]))
    _print_audit(report)
    for reason, count in sorted(report.reasons.items(), key=lambda item: (-item[1], item[0])):
        say(f"  {count} times: {reason}")
    for problem in report.problems:
        say(f"  {problem}")
    if report.stopped:
        say(f"stopped by {report.stopped}; run again with a higher limit, it goes on where it was")
    if report.gave_up:
        say(f"stopped: {report.gave_up}. What was judged is kept: run again, it goes on where it was")
    say(f"judgements: {out}")


def _print_audit(report: JudgeReport) -> None:
    if not report.audited:
        return
    say(
        f"asked again: {report.audited} decided verdicts, of which the model contradicts {report.contradicted}"
        + (" (both stand in the judgements; the first one counts):" if report.contradicted else "")
    )
    for item in report.contradictions[:_MOST_SHOWN]:
        said = f"{item.label} {judge_named(item.by)}" + (f" ({item.reason})" if item.reason else "")
        other = f"{item.other_label} {judge_named(item.other_by)}" + (
            f" ({item.other_reason})" if item.other_reason else ""
        )
        say(f"  {item.case}: {item.relation} of {item.claim!r}: {said}; {other}")
    if report.contradicted > _MOST_SHOWN:
        say(f"  and {report.contradicted - _MOST_SHOWN} more")


@contextmanager
def judging_progress(*, quiet: bool) -> Iterator[Callable[[JudgeReport], None] | None]:
    """Shows cases done, calls, failures and cost; yields what to tell reports, or None."""
    if quiet:
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - nothing is drawn when nobody looks
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("cases", total=None)

        def tell(report: JudgeReport) -> None:
            text = f"cases, {report.spent.calls} calls, {report.failed_verdicts} verdicts failed"
            if report.spent.cost:
                text += f", cost {report.spent.cost:.4f}"
            bar.update(task, completed=report.cases, description=text)

        yield tell
