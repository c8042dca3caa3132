"""``turnmark agree``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.table import Table

from turnmark.cli.agree_clinical import print_clinical
from turnmark.cli.output import say_json
from turnmark.cli.table import wide_console
from turnmark.detectors.finance.sets import DEFAULT, DETECTOR_SETS
from turnmark.errors import UsageError
from turnmark.judges.catalog import SPELLINGS, make_judge
from turnmark.pipeline.labelling.clinical import agree_clinical
from turnmark.pipeline.labelling.clinical import as_json as agree_clinical_as_json
from turnmark.pipeline.labelling.finance import Agreement, agree, as_json
from turnmark.pipeline.labelling.rag import RagAgreement, agree_rag
from turnmark.pipeline.labelling.rag import as_json as agree_rag_as_json
from turnmark.report.view.number_format import interval
from turnmark.schemas.labels.rag import RELATIONS

SOME_FAILED = 3
_MOST_SHOWN = 40
_NOT_AVAILABLE = "n/a"
_OPTIONS_OF = {"finance": ("detect", "packs"), "clinical": ("config",), "rag": ("metric", "judge", "weights")}
"""The options that belong to one suite."""


@click.command("agree")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--suite", default="finance", show_default=True, type=click.Choice(["finance", "clinical", "rag"]))
@click.option("--detect", default=DEFAULT, show_default=True, help=f"finance: one of {', '.join(DETECTOR_SETS)}.")
@click.option(
    "--pack", "packs", multiple=True, type=click.Path(path_type=Path), help="Rules laid over the shipped ones."
)
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path, file_okay=False),
    help="clinical: folder of your rules and slots.",
)
@click.option("--metric", type=click.Choice(list(RELATIONS)), help="rag: what the labels are about.")
@click.option("--judge", default="rules", show_default=True, help=f"rag: one of {', '.join(SPELLINGS)}.")
@click.option("--weights", type=click.Path(path_type=Path), help="rag: weights that `turnmark calibrate` wrote.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.pass_context
def agree_command(  # noqa: PLR0913, PLR0917 - one argument an option
    context: click.Context,
    labels: Path,
    suite: str,
    detect: str,
    packs: tuple[Path, ...],
    config: Path | None,
    metric: str | None,
    judge: str,
    weights: Path | None,
    form: str,
) -> int:
    """Compare detectors or a judge with the labels of careful readers, with intervals.

    finance: precision, recall, F1 and kappa of the detectors, beside what keywords alone and the commonest label would
    reach. clinical: facts, hallucinations, safety rules and use of slots, by language and half, beside literal
    phrases. rag: AUROC, balanced accuracy, kappa and rank correlation of the judge for one --metric, beside plain
    overlap of words. Every disagreement is listed with the words that decided. Exits with 3 when some lines of the
    file could not be read.
    """
    _refuse_foreign(context, suite)
    if suite == "clinical":
        return _clinical(labels, config, form)
    if suite == "rag":
        return _rag(labels, metric, judge, weights, form)
    agreement = agree(labels, detect, packs)
    if form == "json":
        say_json(as_json(agreement))
    else:
        _print(agreement)
    return SOME_FAILED if agreement.problems else 0


def _refuse_foreign(context: click.Context, suite: str) -> None:
    """Raises: UsageError for options that were given and say nothing about this suite."""
    given = [
        parameter
        for parameter in context.command.params
        if parameter.name is not None
        and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        and parameter.name in {name for names in _OPTIONS_OF.values() for name in names}
        and parameter.name not in _OPTIONS_OF[suite]
    ]
    if given:
        names = ", ".join(parameter.opts[0] for parameter in given)
        message = f"{names}: says nothing about suite {suite}; leave it out, or choose another --suite"
        raise UsageError(message)


def _clinical(labels: Path, config: Path | None, form: str) -> int:
    agreement = agree_clinical(labels, config)
    if form == "json":
        say_json(agree_clinical_as_json(agreement))
    else:
        print_clinical(agreement)
    return SOME_FAILED if any(problem.severity == "error" for problem in agreement.problems) else 0


def _rag(labels: Path, metric: str | None, judge: str, weights: Path | None, form: str) -> int:
    if metric is None:
        message = f"--suite rag: expected --metric, one of {list(RELATIONS)}, found none"
        raise UsageError(message)
    if judge == "judged":
        message = (
            f"--judge: expected one of {list(SPELLINGS)}, found 'judged'; recorded judgements are about cases, "
            "and labelled rows are none"
        )
        raise UsageError(message)
    agreement = agree_rag(labels, metric, make_judge(judge, weights))
    if form == "json":
        say_json(agree_rag_as_json(agreement))
    else:
        _print_rag(agreement)
    return SOME_FAILED if agreement.problems else 0


def _print_rag(agreement: RagAgreement) -> None:
    console = wide_console()
    for problem in agreement.problems[:_MOST_SHOWN]:
        console.print(str(problem), markup=False)
    figures = agreement.figures
    table = Table(title=f"{agreement.metric}: {figures['n']} labelled rows, judge {figures['judge']}")
    for name in ("figure", "judge", "95 % interval", "overlap", "claim alone"):
        table.add_column(name, justify="left" if name == "figure" else "right", no_wrap=True)
    bounds = {**figures["intervals"], "spearman": figures.get("spearman_interval")}
    for name in ("auroc", "balanced_accuracy", "kappa", "spearman"):
        found = bounds.get(name)
        table.add_row(
            name,
            _number(figures[name]),
            interval(found),
            _number(figures.get(f"{name}_overlap")),
            _number(figures.get(f"{name}_claim_only")),
        )
    console.print(table)
    wrong = agree_rag_as_json(agreement)["disagreements"]
    console.print(f"{len(wrong)} disagreements at the threshold")
    for row in wrong[:_MOST_SHOWN]:
        console.print(
            f"{row['id']}: readers {row['label']}, judge {row['score']:.2f} {row['reason']} ({row['quote'][:120]})",
            markup=False,
        )
    if len(wrong) > _MOST_SHOWN:
        console.print("… --format json lists all")


def _print(agreement: Agreement) -> None:
    console = wide_console()
    for problem in agreement.problems:
        console.print(str(problem), markup=False)
    console.print(_table(agreement))
    console.print(f"{len(agreement.disagreements)} disagreements")
    for cell in agreement.disagreements[:_MOST_SHOWN]:
        quotes = " | ".join(f"{piece.rule}: {piece.quote}" for piece in cell.evidence) or "no evidence"
        console.print(
            f"{cell.id} {cell.field} {cell.label}: readers {cell.gold}, detectors {cell.predicted} ({quotes})",
            markup=False,
        )
    if len(agreement.disagreements) > _MOST_SHOWN:
        console.print("… --format json lists all")


def _table(agreement: Agreement) -> Table:
    table = Table(title=f"{agreement.labels} labels", title_justify="left")
    for name in ("field", "label"):
        table.add_column(name)
    for name in ("precision", "recall", "F1 / accuracy", "95 % interval", "kappa", "n", "literal", "majority"):
        table.add_column(name, justify="right", no_wrap=True)
    for field, figures in agreement.figures.items():
        baselines = [agreement.baselines[name].get(field, {}) for name in ("literal", "majority")]
        if "accuracy" in figures:
            _row(table, field, "accuracy", figures, baselines, score="accuracy")
        if "f1" in figures:
            _row(table, field, "", figures, baselines)
        for label, own in figures.items():
            if isinstance(own, dict) and "tp" in own:
                _row(table, field, label, own, [baseline.get(label, {}) for baseline in baselines])
    return table


def _row(
    table: Table, field: str, label: str, figures: dict[str, Any], baselines: list[dict[str, Any]], score: str = "f1"
) -> None:
    bounds = figures["intervals"].get(score)
    table.add_row(
        field,
        label,
        _number(figures.get("precision")),
        _number(figures.get("recall")),
        _number(figures[score]),
        interval(bounds),
        _number(figures.get("kappa")),
        str(figures["n"]),
        *(_number(baseline.get(score)) for baseline in baselines),
    )


def _number(value: float | None) -> str:
    return _NOT_AVAILABLE if value is None else f"{value:.3f}"
