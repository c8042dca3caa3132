"""Which figures count what was found, so that they stand beside it, and which metrics had nothing to count."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from turnmark.locale.texts import Texts, filled, named
from turnmark.report.view.number_format import interval, number, rests_on
from turnmark.report.view.tables import MeasureRow, MetricBlock, known_metric, main_blocks, other_blocks, reported
from turnmark.schemas.marks import FaultKind
from turnmark.schemas.results.summary import EvalSummary


class Counting(NamedTuple):
    """A figure that counts a kind of fault, and the code of its metric."""

    kind: FaultKind
    code: str
    row: MeasureRow


def counting(summary: EvalSummary, kinds: Sequence[FaultKind]) -> list[Counting]:
    """The figures that count these kinds of fault, in the order of the kinds; only those that counted anything."""
    blocks = [*main_blocks(summary), *other_blocks(summary)]
    return [
        Counting(kind, block.code, row)
        for kind in kinds
        for block in blocks
        for row in block.rows
        if row.overall.value is not None and kind in kinds_of(block.name, row.name)
    ]


def with_figures(
    summary: EvalSummary, blocks: Sequence[MetricBlock], kinds: Collection[FaultKind] = ()
) -> list[MetricBlock]:
    """The blocks of metrics that counted anything; those that count these kinds of fault stand first."""
    shown = [block for block in blocks if block.name not in without_figures(summary)]
    first = [block for block in shown if any(kinds_of(block.name, row.name) & set(kinds)
             for row in block.rows if row.overall.value is not None)]  # fmt: skip
    return [*first, *(block for block in shown if block not in first)]


def without_figures(summary: EvalSummary) -> list[str]:
    """The names of the metrics that had nothing to count in any measure."""
    blocks = [*main_blocks(summary), *other_blocks(summary)]
    counted = {block.name for block in blocks if any(row.overall.value is not None for row in block.rows)}
    return [name for name in reported(summary) if name not in counted]


def nothing_line(summary: EvalSummary, texts: Texts) -> str:
    """The metrics without anything to count in one line; empty where there is none."""
    known = [(name, known_metric(name)) for name in without_figures(summary)]
    told = [f"{metric.code} {texts.get(f'metric_{name}', metric.title)}" if metric else name for name, metric in known]
    return filled(texts, "metrics_without", metrics=texts["comma"].join(told)) if told else ""


def counting_lines(found: Sequence[Counting], texts: Texts) -> list[str]:
    """Each kind of fault with its figures in one line, for a terminal or a text file."""
    lines: dict[str, list[str]] = {}
    for one in found:
        overall, high = one.row.overall, one.row.high
        span = interval(overall.interval, texts, high) if overall.interval else ""
        beside = texts["comma"].join(filter(None, (rests_on(overall, texts, high), span)))
        figure = f"{one.code} {named(texts, 'measure', one.row.name)} {number(overall.value, high)}"
        lines.setdefault(texts[f"kind_{one.kind}"], []).append(f"{figure} ({beside})" if beside else figure)
    return [f"{kind}{texts['colon']}{' · '.join(figures)}" for kind, figures in lines.items()]


def kinds_of(metric: str, measure: str) -> set[FaultKind]:
    """The kinds of fault that a measure counts."""
    known = known_metric(metric)
    if known is None:
        return set()
    return {kind for own, kind in (*known.faults(), *known.counted()) if own.name == measure and kind != "mark"}
