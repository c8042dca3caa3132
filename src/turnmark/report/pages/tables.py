"""The tables of a report as plain rows, its main table as LaTeX, and its charts as files of their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from turnmark.locale.texts import Texts
from turnmark.report.charts.charts import Chart, strata_charts, trends
from turnmark.report.charts.histogram import distributions
from turnmark.report.view.coverage import coverage
from turnmark.report.view.data import ReportData
from turnmark.report.view.failures import failures
from turnmark.report.view.tables import Figure, known_metric, main_blocks, other_blocks, strata_tables
from turnmark.report.view.turn import turn_page
from turnmark.schemas.results.comparison import ComparedMeasure, Comparison
from turnmark.schemas.results.summary import Interval, MetricResult
from turnmark.stats.by_turn import TurnSums

Cell = str | float | int | None
Rows = list[dict[str, Cell]]

_STYLE = (
    'text{font-family:"Noto Sans","Noto Sans CJK SC","Noto Sans CJK KR","PingFang SC","Apple SD Gothic Neo",'
    '"Microsoft YaHei","Malgun Gothic",sans-serif;font-size:9px;fill:#5e5a53}'
    ".label{font-size:10.5px;fill:#1e1d1b;paint-order:stroke;stroke:#fff;stroke-width:3px}.strong{fill:#1e1d1b}.axis{stroke:#b9b3a7;stroke-width:1}"
    ".grid-line{stroke:#e2ded5;stroke-width:1}.range{stroke:#17606e;stroke-width:3;stroke-linecap:round;"
    "stroke-opacity:.45}.dot{fill:#17606e}.few{fill:#fff;stroke:#17606e;stroke-width:1.5}.bar{fill:#17606e;fill-opacity:.75}"
    ".trend{fill:none;stroke:#17606e;stroke-width:1.5;stroke-linejoin:round}"
    ".trend.s1{stroke:#b4552d;stroke-dasharray:6 3}.trend.s2{stroke:#555;stroke-dasharray:2 2}"
    ".trend.s3{stroke:#7a5195;stroke-dasharray:9 3 2 3}"
)
_BOX = re.compile(r'<svg class="[^"]*" viewBox="0 0 (\d+) (\d+)"')
_UNSAFE = re.compile(r"[^\w.-]+")


def tables(data: ReportData, texts: Texts) -> dict[str, Rows]:
    """Every table of the page by the name of its file; a figure that there is not is None."""
    summary = data.summary
    results: dict[str, Rows] = {}
    anything_open = any(result.bounds for result in summary.metrics.values())
    for name, blocks in (("figures", main_blocks(summary)), ("other_figures", other_blocks(summary))):
        results[name] = [
            {
                "metric": block.name, "code": block.code, "measure": row.name, "upward": str(row.upward).lower(),
                **_cells(row.overall), **_error(summary.metrics[block.name], row.name),
                "macro": row.macro.value, "normal_only": row.normal.value,
                "normal_denominator": row.normal.denominator, "eligible": block.eligible, "skipped": block.skipped,
                "failed": block.failed, "coverage": summary.metrics[block.name].coverage,
                **(_undecided(row.overall) if anything_open else {}),
            }
            for block in blocks for row in block.rows
        ]  # fmt: skip
    results["strata"] = [
        {
            "field": field,
            "value": stratum.value,
            "metric": table.name,
            "measure": row.name,
            **_cells(figure),
            **(_undecided(figure) if anything_open else {}),
        }
        for field, of_field in strata_tables(summary).items()
        for table in of_field
        for stratum in table.strata
        for row, figure in zip(table.measures, stratum.figures, strict=True)
    ]
    results["coverage"] = [
        {
            "metric": item.name,
            "code": item.code,
            "eligible": item.eligible,
            **({"undecided": item.undecided} if anything_open else {}),
            "skipped": item.skipped,
            "failed": item.failed,
        }
        for item in coverage(data, texts)
    ]
    results["reasons"] = [
        {"metric": item.name, "kind": reason.kind, "reason": reason.text, "rows": reason.rows}
        for item in coverage(data, texts)
        for reason in item.reasons
    ]
    results["by_turn"] = _by_turn(data, data.turns) if data.turns else []
    results["worst_turns"] = [
        {
            "rank": rank, "dialog_id": view.dialog_id, "turn_pair_id": view.turn_pair_id, "fault": reason.kind,
            "details": "; ".join(reason.details),
        }
        for rank, view in enumerate(data.worst, 1) for reason in turn_page(view, texts, {}).reasons
    ]  # fmt: skip
    results["failures"] = [
        {
            "stands_for": item.title, "dialog_id": item.dialog_id, "turn_pair_id": item.turn_pair_id,
            "user": item.user_text, "reply": item.reply, "why": "; ".join(item.reasons),
            "evidence": " | ".join(item.evidence),
        }
        for item in failures(summary, data.worst, texts)
    ]  # fmt: skip
    return {name: rows for name, rows in results.items() if rows}


def _cells(figure: Figure) -> dict[str, Cell]:
    return {"value": figure.value, **_bounds(figure.interval), "denominator": figure.denominator}


def _undecided(figure: Figure) -> dict[str, Cell]:
    """The columns that a run has in which anything was not decided."""
    low, high = figure.bounds or (figure.value, figure.value)
    return {"decided_share": figure.decided, "lowest": low, "highest": high}


def _bounds(interval: Interval) -> dict[str, Cell]:
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def _error(result: MetricResult, measure: str) -> dict[str, Cell]:
    """The standard error, how the interval was made, and what failed rows could have done."""
    lowest, highest = result.missing_bounds.get(measure) or (None, None)
    return {
        "standard_error": result.standard_errors.get(measure),
        "interval_method": result.interval_methods.get(measure),
        "missing_low": lowest,
        "missing_high": highest,
    }


def _by_turn(data: ReportData, turns: TurnSums) -> Rows:
    results: Rows = []
    for name in data.summary.metrics:
        metric = known_metric(name)
        for index, measure in enumerate(metric.measures if metric else ()):
            for point in turns.points(name, index, (measure.low, measure.high)):
                low, high = point.interval or (None, None)
                results.append(
                    {
                        "metric": name, "measure": measure.name, "turn": point.turn, "value": point.value, "low": low,
                        "high": high, "rows": point.rows,
                    }
                )  # fmt: skip
    return results


def _undone(one: ComparedMeasure) -> dict[str, Cell]:
    """The columns that a comparison has in which anything was not decided."""
    low, high = one.undecided_bounds or (one.difference, one.difference)
    return {"lowest": low, "highest": high, "undecided_could_undo": str(bool(one.undecided_could_undo)).lower()}


def comparison_rows(comparison: Comparison) -> dict[str, Rows]:
    """The tables of a comparison by the name of their file: every system's figures, every pair's differences."""
    systems: Rows = [
        {
            "metric": row.metric, "code": row.code, "measure": row.measure, "upward": str(row.upward).lower(),
            "system": name, "value": cell.value, **_bounds(cell.interval), "best": str(cell.best).lower(),
            "not_significantly_worse": str(cell.best or cell.close).lower(),
        }
        for row in comparison.table for name, cell in zip(comparison.systems, row.cells, strict=True)
    ]  # fmt: skip
    anything_open = any(measure.undecided_bounds for pair in comparison.pairs for measure in pair.measures)
    differences: Rows = [
        {
            "first": pair.first,
            "second": pair.second,
            "field": field,
            "stratum": value,
            "metric": measure.metric,
            "code": measure.code,
            "measure": measure.measure,
            "upward": str(measure.upward).lower(),
            "first_value": measure.first,
            "second_value": measure.second,
            "difference": measure.difference,
            **_bounds(measure.interval),
            "p": measure.p_value,
            "p_holm": measure.p_holm,
            "p_bh": measure.p_bh,
            "effect": measure.effect,
            "detectable": measure.detectable,
            "better": measure.wins,
            "same": measure.ties,
            "worse": measure.losses,
            "dialogs": measure.dialogs,
            "verdict": measure.better,
            **(_undone(measure) if anything_open else {}),
        }
        for pair in comparison.pairs
        for field, value, measures in [
            ("", "", pair.measures),
            *((field, value, own) for field, values in pair.strata.items() for value, own in values.items()),
        ]
        for measure in measures
    ]
    changed: Rows = [
        {
            "first": pair.first,
            "second": pair.second,
            "dialog_id": turn.dialog_id,
            "turn_pair_id": turn.turn_pair_id,
            "changes": "; ".join(turn.changes),
            "user": turn.user_text,
            "first_reply": turn.first_reply,
            "second_reply": turn.second_reply,
        }
        for pair in comparison.pairs
        for turn in pair.changed
    ]
    results = {"systems": systems, "differences": differences, "changed_turns": changed}
    return {name: rows for name, rows in results.items() if rows}


def charts(data: ReportData, texts: Texts) -> dict[str, str]:
    """Every chart of the page as an SVG file that stands alone, by its name without ending."""
    summary = data.summary
    bars = distributions(summary, data.pages.turn_bars if data.pages else {}, texts)
    result: list[Chart] = trends(summary, data.turns, texts)
    for field, of_field in strata_tables(summary).items():
        result += strata_charts(of_field, field, texts)
    unit = {texts["dist_turns"]: "turns"}
    result += [
        Chart(f"distribution-{bar.measure}-{unit.get(bar.unit, 'dialogues')}", bar.code, bar.measure, bar.drawing)
        for bar in bars
    ]
    return standalone(result)


def _title_lines(title: str) -> list[str]:
    """A title in lines that fit its drawing; wide characters take two places. A word that is longer is parted."""
    lines, room = [""], _TITLE_LINE
    for word in re.findall(r"\S+\s*|\s+", title):
        size = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in word.rstrip())
        if size > room and lines[-1]:
            lines.append("")
            room = _TITLE_LINE
        for character in word:
            wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if wide > room and not character.isspace():
                lines.append("")
                room = _TITLE_LINE
            lines[-1] += character
            room -= wide
    return [words.strip() for words in lines]


_TITLE_LINE = 44
"""Places of one line of a title."""


def standalone(found: Iterable[Chart]) -> dict[str, str]:
    """Drawings of a page as files of their own: with a size, their colours and a white ground."""
    files = {}
    for chart in found:
        box = _BOX.match(chart.drawing)
        if box is None:
            message = f"{chart.name}: expected a drawing with a box"
            raise ValueError(message)
        width, height = int(box[1]), int(box[2])
        inside = chart.drawing[box.end() :]
        title = ET.fromstring(f"<svg{inside}").findtext("title") or ""  # noqa: S314 - our own drawing
        lines = _title_lines(title)
        top = 12 + 16 * len(lines)
        size = f'width="{width + 24}" height="{height + 12 + top}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="-12 -{top} {width + 24} {height + 12 + top}"'
        text = ET.Element("text", {"class": "label"})
        for index, words in enumerate(lines):
            ET.SubElement(text, "tspan", {"x": "0", "y": str(16 * index + 16 - top)}).text = words
        start = inside.index("</desc>") + len("</desc>")
        ground = f'<style>{_STYLE}</style><rect x="-12" y="-{top}" {size} fill="#fff"/>{ET.tostring(text, "unicode")}'
        name = _UNSAFE.sub("-", f"{chart.code}-{chart.name}".strip("-"))
        files[name] = f"{head}{inside[:start]}{ground}{inside[start:]}\n"
    return files
