"""The table of ``turnmark agree --suite clinical``."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from turnmark.cli.table import wide_console
from turnmark.pipeline.labelling.clinical import FIGURES, ClinicalAgreement, as_json
from turnmark.report.view.number_format import interval

_MOST_SHOWN = 40
_NOT_AVAILABLE = "n/a"


def print_clinical(agreement: ClinicalAgreement) -> None:
    """Figures over all items, by language and half, beside literal phrases; then the disagreements."""
    console = wide_console()
    for problem in agreement.problems[:_MOST_SHOWN]:
        console.print(str(problem), markup=False)
    console.print(_table(agreement.figures))
    rows = as_json(agreement)["disagreements"]
    console.print(f"{len(rows)} disagreements")
    for row in rows[:_MOST_SHOWN]:
        console.print(
            f"{row['id']} {row['field']} {row['label']}: readers {row['gold']}, detectors {row['predicted']} "
            f"({row['quote'][:120]})",
            markup=False,
        )
    if len(rows) > _MOST_SHOWN:
        console.print("… --format json lists all")


def _table(figures: dict[str, Any]) -> Table:
    parts = {**figures["languages"], **figures["halves"], "literal": figures["baselines"]["literal"]}
    table = Table(title=f"{figures['labels']} labelled answers", title_justify="left")
    table.add_column("figure", no_wrap=True)
    for name in ("all", "95 % interval", *parts):
        table.add_column(name, justify="right", no_wrap=True)
    for path in FIGURES:
        bounds = figures["intervals"][path]
        table.add_row(
            path,
            _number(value_at(figures, path)),
            interval(bounds),
            *(_number(value_at(part, path)) for part in parts.values()),
        )
    return table


def value_at(figures: dict[str, Any], path: str) -> float | None:
    """The figure at a path such as ``facts.patient_claim.accuracy``."""
    found: Any = figures
    for name in path.split("."):
        found = found[name]
    return found  # type: ignore[no-any-return]


def _number(value: float | None) -> str:
    return _NOT_AVAILABLE if value is None else f"{value:.3f}"
