"""``turnmark selftest``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from rich.table import Table

from turnmark.cli.detect import detect_option
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say, say_json
from turnmark.cli.table import wide_console
from turnmark.locale.texts import Texts, filled, named
from turnmark.pipeline.selftest.run import DEFAULT_AT_LEAST, DEFAULT_TURNS, SelfTestRequest, selftest
from turnmark.report.pages.selftest import FEW, missed, render_selftest, shown
from turnmark.runs.folder import write_whole
from turnmark.schemas.results.selftest import LanguageTest, SelfTest
from turnmark.schemas.results.summary import DEFAULT_SUITE


@click.command("selftest")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--suite", help=f"Suite of a file of dialogues.  [default: that of the run, else {DEFAULT_SUITE}]")
@detect_option("Detector set.  [default: that of the run, else that of the suite]")
@click.option("--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="Pack of the run (may repeat).")
@click.option("--seed", default=0, show_default=True, help="Seed of the sample of turns and of what is changed.")
@click.option("--max-turns", default=DEFAULT_TURNS, show_default=True, type=click.IntRange(1), help="Most turns taken.")
@click.option(
    "--at-least", default=DEFAULT_AT_LEAST, show_default=True, type=click.FloatRange(0, 1),
    help="Sensitivity and specificity that a measure must have.",
)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="Also write selftest.md and selftest.json here.")
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown"]), default="table", show_default=True)
def selftest_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    run: Path,
    suite: str | None,
    detect: str | None,
    packs: tuple[Path, ...],
    seed: int,
    max_turns: int,
    at_least: float,
    out: Path | None,
    language: str | None,
    form: str,
) -> int:
    """Plant errors in turns of RUN and see which measures notice them.

    RUN is the folder of a scored run, or a file of dialogues. Sensitivity is how often a measure moved as it must where
    an error was planted; specificity how often it stayed where nothing was said differently. Exits with 1 when the
    interval of either lies below --at-least for some measure.
    """
    result = selftest(SelfTestRequest(run, suite, detect, packs, seed, max_turns, at_least))
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        written = msgspec.json.format(msgspec.json.encode(result), indent=2)
        write_whole(out / "selftest.json", written + b"\n")
        write_whole(out / "selftest.md", render_selftest(result).encode("utf-8", "replace"))
    if form == "json":
        say_json(result)
    elif form == "markdown":
        say(render_selftest(result), nl=False)
    else:
        _print(result, texts_for(language, run))
    return int(any(measure.verdict == "below" for measure in result.measures))


def _print(result: SelfTest, texts: Texts) -> None:
    title = filled(texts, "selftest_title", run=result.run, turns=result.turns, dialogs=result.dialogs)
    table = Table(title=title, title_justify="left")
    least = filled(texts, "selftest_at_least", share=f"{result.at_least:g}")
    heads = (texts["selftest_measure"], texts["selftest_sensitivity"], texts["selftest_specificity"], least)
    for name in heads:
        table.add_column(name, overflow="fold")
    for item in result.measures:
        if not item.sensitivity.total and not item.specificity.total:
            continue
        verdict = named(texts, "selftest", item.verdict)
        table.add_row(item.measure, shown(item.sensitivity, texts), shown(item.specificity, texts), verdict)
    console = wide_console()
    console.print(table, markup=False)
    for item in result.measures:
        lower = [f"{part.language} {part.sensitivity.value:.2f}" for part in item.languages if _is_low(part, result)]
        if lower:
            line = filled(texts, "selftest_weak_in", measure=item.measure, languages=", ".join(lower))
            console.print(line, markup=False)
    for error in missed(result):
        noticed = shown(error.moved, texts)
        if error.not_decided:
            noticed += ", " + filled(texts, "judge_open", count=error.not_decided)
        line = filled(texts, "selftest_misses", measure=error.measure, error=error.meaning, noticed=noticed)
        console.print(line, markup=False)
    untested = [item.measure for item in result.measures if item.note]
    if untested:
        console.print(filled(texts, "selftest_untested", measures=", ".join(untested)), markup=False)
    unseen = sum(item.expected != "same" for item in result.surprises)
    console.print(filled(texts, "selftest_rest", unseen=unseen, moved=len(result.surprises) - unseen), markup=False)


def _is_low(part: LanguageTest, result: SelfTest) -> bool:
    """Whether a language misses more errors than are allowed, on enough turns to say so."""
    value = part.sensitivity.value
    return value is not None and part.sensitivity.total >= FEW and value < result.at_least
