"""``turnmark agree``."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import click
from rich.table import Table

from turnmark.cli.detect import detect_option
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import language_option, texts_for
from turnmark.cli.output import say_json
from turnmark.cli.suite_help import of_suites, suites_with
from turnmark.cli.table import wide_console
from turnmark.errors import UsageError
from turnmark.locale.texts import Texts, filled, named
from turnmark.pipeline.labelling.agree import agree
from turnmark.schemas.results.summary import DEFAULT_SUITE
from turnmark.suites.labelling.agreement import Agreement, AgreeRequest, as_json

_MOST_SHOWN = 40
_LONGEST = 120
_COLUMNS = {"F1 / accuracy": "f1", "95 % interval": "interval", "claim alone": "claim"}
"""Columns whose texts go by another name."""


@click.command("agree", epilog=f"{of_suites('agree')}.")
@click.argument("labels", type=click.Path(path_type=Path), required=False)
@click.option(
    "--shipped", is_flag=True, help="Compare with the labelled set that ships for the suite, in place of LABELS."
)
@click.option(
    "--suite", default=DEFAULT_SUITE, show_default=True, help=f"One of: {suites_with(lambda suite: suite.labels)}."
)
@detect_option(f"{of_suites('agree --detect')}.")
@click.option(
    "--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="Rules laid over the shipped ones."
)
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"{of_suites('agree --config')}.",
)
@click.option("--metric", help=f"{of_suites('agree --metric')}.")
@click.option("--judge", help=f"{of_suites('agree --judge')}.  [default: rules]")
@click.option("--weights", type=click.Path(path_type=Path), help=f"{of_suites('agree --weights')}.")
@language_option
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def agree_command(  # noqa: PLR0913, PLR0917 - one argument an option
    labels: Path | None,
    shipped: bool,
    suite: str,
    detect: str | None,
    packs: tuple[Path, ...],
    config: Path | None,
    metric: str | None,
    judge: str | None,
    weights: Path | None,
    language: str | None,
    form: str,
) -> int:
    """Compare detectors or a judge with the labels of careful readers, with intervals.

    Every disagreement is listed with the words that decided. Exits with 3 when some lines of the file could not be
    read. What is compared, and beside what:
    """
    labels = _labels(labels, suite, shipped=shipped)
    result = agree(labels, suite, AgreeRequest(detect, packs, config, metric, judge, weights))
    if form == "json":
        say_json(as_json(result))
    else:
        texts = texts_for(language, labels, suite)
        _print(result, texts)
        if shipped:
            wide_console().print(texts["agree_shipped"], markup=False)
    return SOME_FAILED if any(problem.severity == "error" for problem in result.problems) else 0


def _labels(labels: Path | None, suite: str, *, shipped: bool) -> Path:
    """The file to compare with: the one that is named, or the one that ships."""
    if (labels is None) != shipped:
        message = "agree: expected a file LABELS or --shipped, found " + ("both" if shipped else "neither")
        raise UsageError(message)
    if labels is not None:
        return labels
    path = Path(str(resources.files("turnmark"))) / "examples" / "labelled" / f"{suite}.jsonl"
    if not path.is_file():
        message = f"agree: no labelled set ships for the suite {suite!r}; name a file of labels instead of --shipped"
        raise UsageError(message)
    return path


def _print(found: Agreement, texts: Texts) -> None:
    console = wide_console()
    for problem in found.problems[:_MOST_SHOWN]:
        console.print(str(problem), markup=False)
    key, parts = found.table.title
    table = Table(title=filled(texts, key, **parts), title_justify="left")
    for index, name in enumerate(found.table.columns):
        text = not index or name == "label"
        head = named(texts, "agree_column", _COLUMNS.get(name, name))
        table.add_column(head, justify="left" if text else "right", no_wrap=not text)
    for row in found.table.rows:
        table.add_row(*row)
    console.print(table)
    console.print(filled(texts, "agree_disagreements", count=len(found.disagreements)))
    for cell in found.disagreements[:_MOST_SHOWN]:
        parts = {
            "id": cell.id, "field": cell.field, "label": cell.label, "gold": cell.gold, "predicted": cell.predicted,
            "words": cell.words[:_LONGEST] or texts["agree_no_words"],
        }  # fmt: skip
        if cell.score is None:
            line = filled(texts, "agree_cell", **parts)
        else:
            line = filled(texts, "agree_cell_scored", score=f"{cell.score:.2f}", reason=cell.reason, **parts)
        console.print(line, markup=False)
    if len(found.disagreements) > _MOST_SHOWN:
        console.print(texts["agree_all"])
