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
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.named_values import named_values
from turnmark.cli.output import say, say_json
from turnmark.cli.suite_help import EARLIER_TURNS, of_suites, suites_with
from turnmark.judges.llm.estimate import Estimate
from turnmark.locale.texts import Texts, filled
from turnmark.pipeline.judging.judge import JudgeReport, estimate, judge
from turnmark.report.view.deciders import judge_named
from turnmark.report.view.number_format import number
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
@language_option
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
    language: str | None,
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
    texts = texts_for(language, cases[0], suite)
    if only_estimate:
        result = estimate(request)
        if form == "json":
            say_json(result)
        else:
            _print_estimate(result, texts)
        return 0
    with judging_progress(quiet=not sys.stderr.isatty()) as listener:
        report = judge(request, listener)
    if form == "json":
        say_json(report)
    else:
        print_judged(report, out, texts)
    return SOME_FAILED if some_lost(report) else 0


def some_lost(report: JudgeReport) -> bool:
    """Whether verdicts failed, lines could not be read, or the model was given up."""
    return bool(report.cases_with_failures or report.problems or report.gave_up)


def _print_estimate(result: Estimate, texts: Texts) -> None:
    say(
        filled(
            texts, "judge_estimate", cases=result.cases, calls=result.calls, cached=result.cached,
            read=result.input_tokens, written=result.output_tokens, cost=_cost(result.cost, texts),
        )
    )  # fmt: skip
    everything, whole = result.everything, result.whole
    if everything is None:
        return
    say(
        filled(
            texts, "judge_asked", asked=result.asked, verdicts=result.verdicts, characters=whole.prompt_characters
        )
    )  # fmt: skip
    tokens = whole.input_tokens + whole.output_tokens
    say(
        filled(
            texts, "judge_everything", calls=everything.calls, characters=everything.prompt_characters,
            read=everything.input_tokens, written=everything.output_tokens,
            call_part=_part(whole.calls, everything.calls, texts),
            character_part=_part(whole.prompt_characters, everything.prompt_characters, texts),
            token_part=_part(tokens, everything.input_tokens + everything.output_tokens, texts),
        )
    )  # fmt: skip


def _cost(value: float | None, texts: Texts) -> str:
    return "" if value is None else filled(texts, "judge_cost", cost=f"{value:.4f}")


def _part(some: int, all_of_it: int, texts: Texts) -> str:
    return f"{100 * some / all_of_it:.0f} %" if all_of_it else texts["na"]


def print_judged(report: JudgeReport, out: Path, texts: Texts) -> None:
    """What came of judging, and where it lies."""
    spent = report.spent
    if report.rubric is not None:
        say(
            filled(
                texts, "judge_rubric", rubric=report.rubric, count=report.verdicts - report.failed_verdicts,
                mean=number(report.mean, na=texts["na"]), failed=report.failed_verdicts, cases=report.cases,
            )
        )  # fmt: skip
    say(
        filled(
            texts, "judge_done", cases=report.cases, verdicts=report.verdicts, failed=report.failed_verdicts,
            lost=report.cases_with_failures, calls=spent.calls, cached=spent.cached, read=spent.input_tokens,
            written=spent.output_tokens, cost=_cost(spent.cost or None, texts),
        )
    )  # fmt: skip
    if report.by:
        counts = [
            filled(texts, "decided_count", judge=judge_named(name, texts), count=count)
            for name, count in report.by.items() if name
        ]  # fmt: skip
        counts.append(filled(texts, "judge_open", count=report.by.get("", 0)))
        say(filled(texts, "judge_decided", counts=", ".join(counts)))
    _print_audit(report, texts)
    for reason, count in sorted(report.reasons.items(), key=lambda item: (-item[1], item[0])):
        say("  " + filled(texts, "judge_times", count=count, reason=reason))
    for problem in report.problems:
        say(f"  {problem}")
    if report.stopped:
        say(filled(texts, "judge_stopped", what=report.stopped))
    if report.gave_up:
        say(filled(texts, "judge_gave_up", what=report.gave_up))
    say(filled(texts, "judge_written", path=out))


def _print_audit(report: JudgeReport, texts: Texts) -> None:
    if not report.audited:
        return
    line = filled(texts, "judge_audited", count=report.audited, contradicted=report.contradicted)
    say(line + (f" {texts['judge_audited_both']}" if report.contradicted else ""))
    for item in report.contradictions[:_MOST_SHOWN]:
        first = f"{item.label} {judge_named(item.by, texts)}" + (f" ({item.reason})" if item.reason else "")
        other = f"{item.other_label} {judge_named(item.other_by, texts)}" + (
            f" ({item.other_reason})" if item.other_reason else ""
        )
        parts = {"case": item.case, "relation": item.relation, "claim": repr(item.claim), "said": first, "other": other}
        say("  " + filled(texts, "judge_contradiction", **parts))
    if report.contradicted > _MOST_SHOWN:
        say("  " + filled(texts, "cli_more", count=report.contradicted - _MOST_SHOWN))


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
