"""A comparison of runs as Markdown, as charts, and as a self-contained page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TypeVar

from turnmark.locale.texts import Texts, filled, named, texts_of
from turnmark.report.charts.charts import Bar, Chart, forest, joint_trend
from turnmark.report.pages.environment import rendered
from turnmark.report.pages.markdown import escaped, table
from turnmark.report.view.names import worded_name
from turnmark.report.view.number_format import interval, number, signed
from turnmark.report.view.tables import known_metric, main_measures
from turnmark.schemas.results.comparison import (
    NOT_DECIDED,
    ComparedMeasure,
    Comparison,
    PairComparison,
    TableCell,
    TableRow,
)
from turnmark.schemas.results.summary import Resampling

_LEAST_P = 0.001


Row = TypeVar("Row", ComparedMeasure, TableRow)


def p_text(value: float | None, na: str = "n/a") -> str:
    """``0.032``, ``< 0.001``."""
    if value is None:
        return na
    return "< 0.001" if value < _LEAST_P else f"{value:.3f}"


def verdict(one: ComparedMeasure, pair: PairComparison, texts: Texts) -> str:
    """Who is better, in words."""
    name = "undone" if one.undecided_could_undo else one.better
    return filled(texts, f"better_{name}", first=pair.first, second=pair.second)


def basis(one: ComparedMeasure | TableRow, texts: Texts) -> str:
    """Of how many turns the figures of a measure are, where not everything was decided; else empty.

    Of a pair also what the difference could be.
    """
    if not one.to_decide:
        return ""
    if isinstance(one, TableRow):
        rows = max((cell.rows for cell in one.cells), default=0)
        return filled(texts, "decided_in_all", count=rows, all=one.to_decide)
    said = filled(texts, "decided_in_both", count=one.pairs, all=one.to_decide)
    if not one.undecided_bounds:
        return said
    least, most = (signed(bound) for bound in one.undecided_bounds)
    bounds = filled(texts, "range", low=least, high=most)
    return f"{said}{texts['semicolon']}{filled(texts, 'difference_bounds', bounds=bounds)}"


def basis_lines(rows: Sequence[ComparedMeasure] | Sequence[TableRow], texts: Texts) -> list[str]:
    """What the figures of a table are of, a sentence a measure of which not everything was decided; none else."""
    told = [f"{row.code} {row.measure}{texts['colon']}{said}" for row in rows if (said := basis(row, texts))]
    return [texts["basis_note"], *told] if told else []


def verdict_line(pair: PairComparison, texts: Texts) -> str:
    """How many measures each system of a pair is better on, and how many are open; only measures with a figure."""
    called = [one.better for one in with_values(pair.measures)]
    return filled(
        texts, "verdict_line", first=pair.first, second=pair.second, better=called.count("first"),
        worse=called.count("second"), undecided=called.count("undecided"),
    )  # fmt: skip


def leads(cell: TableCell, cells: Sequence[TableCell]) -> bool:
    """Whether a cell is set in bold: the best of its row, where any other figure of the row is not as good."""
    return cell.best and any(other.value is not None and not other.best for other in cells)


def how(resampling: Resampling, texts: Texts) -> str:
    """How differences, intervals and p-values were made."""
    return filled(
        texts, "how_difference", draws=resampling.resamples, seed=resampling.seed, level=f"{100 * resampling.level:g}",
        method=named(texts, "compared", resampling.method.partition(" and ")[0]),
    )  # fmt: skip


def all_systems_title(comparison: Comparison, texts: Texts) -> str:
    """What the table of all systems rests on: the turns that all have, or those of each group."""
    if len(comparison.groups) > 1:
        return texts["all_systems_grouped"]
    return filled(texts, "all_systems", turns=comparison.paired_turns)


def group_lines(comparison: Comparison, texts: Texts) -> list[str]:
    """A sentence a group of systems, where no turn is common to all; none otherwise."""
    if len(comparison.groups) < 2:
        return []
    return [
        filled(texts, "group" if len(group.systems) > 1 else "group_alone", systems=", ".join(group.systems),
               turns=group.turns, dialogs=group.dialogs)
        for group in comparison.groups
    ]  # fmt: skip


def missing_lines(pair: PairComparison, texts: Texts) -> list[str]:
    """Of the metrics that failed in some pairs a sentence each number of pairs: how far differences could move.

    What each difference could have been stands in the file of the comparison.
    """
    alike: dict[tuple[int, float], list[ComparedMeasure]] = {}
    for measure in pair.measures:
        if measure.missing and measure.missing_bounds:
            alike.setdefault((measure.missing, measure.coverage or 0.0), []).append(measure)
    return [
        filled(texts, "missing_pairs", metrics=", ".join(dict.fromkeys(one.code for one in own)), count=missing,
               coverage=f"{100 * coverage:.1f}", most=number(max(map(_moved, own))))
        for (missing, coverage), own in alike.items()
    ]  # fmt: skip


def _moved(one: ComparedMeasure) -> float:
    """How far a difference lies from the least and greatest that it could be, as a part of the scale."""
    difference = one.difference or 0.0
    return max(abs(bound - difference) for bound in one.missing_bounds or ()) / _span(one.metric, one.measure)


def with_values(rows: Sequence[Row]) -> list[Row]:
    """The rows of a table in which there is anything to read: a pair, or a figure of any system."""
    return [row for row in rows if _has_values(row)]


def without_values(rows: Sequence[ComparedMeasure] | Sequence[TableRow], texts: Texts) -> str:
    """A sentence that names the measures `with_values` leaves out; empty when there are none."""
    left = [f"{row.code} {row.measure}" for row in rows if not _has_values(row)]
    return filled(texts, "no_values", measures=", ".join(left)) if left else ""


def _has_values(row: ComparedMeasure | TableRow) -> bool:
    if isinstance(row, ComparedMeasure):
        return row.pairs > 0
    return any(cell.value is not None for cell in row.cells)


def render_comparison_markdown(comparison: Comparison, language: str = "en") -> str:
    """The whole comparison as GitHub's Markdown."""
    texts = texts_of(language, comparison.suite)
    lines = [f"# {texts['comparison']}: {escaped(' · '.join(comparison.systems))}", "", texts["table_note"], ""]
    lines += [f"## {all_systems_title(comparison, texts)}", ""]
    lines += [f"- {escaped(line)}" for line in group_lines(comparison, texts)]
    lines += [""] if len(comparison.groups) > 1 else []
    head = [texts["metric"], texts["measure"], *map(escaped, comparison.systems)]
    rows = [
        [
            escaped(row.code),
            _named(row.measure, upward=row.upward),
            *(_cell(cell, row.cells, row.high, "**{}**", "{}†") for cell in row.cells),
        ]
        for row in with_values(comparison.table)
    ]
    lines += table(head, rows, numbers_from=2)
    left = without_values(comparison.table, texts)
    lines += ["", escaped(left)] if left else []
    lines += _listed(basis_lines(comparison.table, texts))
    for pair in comparison.pairs:
        lines += ["", f"## {escaped(filled(texts, 'against', first=pair.first, second=pair.second))}", ""]
        lines += _warnings(pair, texts)
        lines += _measures(pair, pair.measures, texts)
        lines += _listed(basis_lines(pair.measures, texts))
        lines += [line for said in missing_lines(pair, texts) for line in ("", escaped(said))]
        for field, values in pair.strata.items():
            for value, measures in values.items():
                where = texts["colon"].join((named(texts, "field", field), worded_name(value, texts)))
                lines += ["", f"### {escaped(where)}", "", *_measures(pair, measures, texts)]
        lines += _changed(pair, texts)
    return "\n".join([*lines, "", how(comparison.resampling, texts), ""])


def _listed(said: Sequence[str]) -> list[str]:
    """A sentence and a list of those behind it."""
    return ["", escaped(said[0]), "", *(f"- {escaped(line)}" for line in said[1:])] if said else []


def _warnings(pair: PairComparison, texts: Texts) -> list[str]:
    lines = []
    if pair.signature_differences:
        said = "; ".join(pair.signature_differences)
        lines += ["> [!WARNING]", f"> {texts['signature_warning']} {escaped(said)}", ""]
    if pair.unpaired.only_first or pair.unpaired.only_second:
        counted = filled(
            texts, "unpaired", first=pair.first, second=pair.second, first_count=pair.unpaired.only_first,
            second_count=pair.unpaired.only_second,
        )  # fmt: skip
        lines += [escaped(counted), *(f"- {escaped(name)}" for name in pair.unpaired.examples), ""]
    return lines


def _measures(pair: PairComparison, measures: Sequence[ComparedMeasure], texts: Texts) -> list[str]:
    head = [
        texts["metric"], texts["measure"], escaped(pair.first), escaped(pair.second), texts["difference"],
        texts["interval"], texts["p_value"], texts["p_holm"], texts["p_bh"], texts["effect"], texts["detectable"],
        texts["win_tie_loss"], texts["dialogs"], texts["verdict"],
    ]  # fmt: skip
    rows = []
    for measure in with_values(measures):
        na = texts["na"]
        needed = f" ({texts['needed']}: {measure.dialogs_needed:,})" if measure.dialogs_needed else ""
        rows.append(
            [
                escaped(measure.code),
                _named(measure.measure, upward=measure.upward),
                number(measure.first, na=na),
                number(measure.second, na=na),
                signed(measure.difference, na=na),
                escaped(interval(measure.interval, texts)),
                p_text(measure.p_value, na),
                p_text(measure.p_holm, na),
                p_text(measure.p_bh, na),
                number(measure.effect, na=na),
                number(measure.detectable, na=na) + needed,
                f"{measure.wins} / {measure.ties} / {measure.losses}",
                str(measure.dialogs),
                escaped(verdict(measure, pair, texts)),
            ]
        )
    return table(head, rows, numbers_from=2)


def _changed(pair: PairComparison, texts: Texts) -> list[str]:
    if not pair.changed:
        return []
    lines = ["", f"### {filled(texts, 'changed', shown=len(pair.changed), total=pair.changed_total)}"]
    for turn in pair.changed:
        changes = "; ".join(worded_change(change, texts) for change in turn.changes)
        lines += ["", f"**{escaped(turn.dialog_id)} · {turn.turn_pair_id}**: {escaped(changes)}", ""]
        lines.append(f"- {texts['user']}: {escaped(turn.user_text)}")
        for name, reply, evidence in (
            (pair.first, turn.first_reply, turn.first_evidence),
            (pair.second, turn.second_reply, turn.second_evidence),
        ):
            lines.append(f"- {escaped(name)}: {escaped(reply)}")
            lines += [f"  - {escaped(piece)}" for piece in evidence]
    return lines


def _named(measure: str, *, upward: bool) -> str:
    return escaped(measure) + ("" if upward else " ↓")


def _cell(cell: TableCell, cells: Sequence[TableCell], high: float, best: str, close: str) -> str:
    shown = number(cell.value, high)
    return best.format(shown) if leads(cell, cells) else close.format(shown) if cell.close else shown


def system_charts(comparison: Comparison, texts: Texts) -> list[Chart]:
    """A chart for each main measure: every system's figure with its own interval."""
    results = []
    for row in comparison.table:
        if row.measure in main_measures(known_metric(row.metric)) and any(cell.value is not None for cell in row.cells):
            title = f"{texts['systems']}: {named(texts, 'measure', row.measure)} ({row.measure})"
            bars = [
                Bar(name, cell.value, cell.interval) for name, cell in zip(comparison.systems, row.cells, strict=True)
            ]
            drawing = forest(title, bars, (row.low, row.high), texts)
            results.append(Chart(f"systems-{row.measure}", row.code, row.measure, drawing))
    return results


def trend_charts(comparison: Comparison, texts: Texts) -> list[Chart]:
    """A chart for each main measure of turns: every system's figure by turn number, all in one picture."""
    results = []
    for row in comparison.table:
        if row.trend and row.measure in main_measures(known_metric(row.metric)):
            title = f"{texts['trends']}: {named(texts, 'measure', row.measure)} ({row.measure})"
            lines = [
                (name, [(point.turn, point.value) for point in points])
                for name, points in zip(comparison.systems, row.trend, strict=True)
            ]
            drawing = joint_trend(title, lines, (row.low, row.high), texts)
            results.append(Chart(f"trends-{row.measure}", row.code, row.measure, drawing))
    return results


def difference_charts(comparison: Comparison, texts: Texts) -> list[Chart]:
    """A chart for each pair: the differences of the main measures as parts of their scales, around zero."""
    results = []
    for pair in comparison.pairs:
        shown = [item for item in pair.measures if item.measure in main_measures(known_metric(item.metric))]
        bars = []
        for item in shown:
            span = _span(item.metric, item.measure)
            label = f"{item.code} {named(texts, 'measure', item.measure)}" + ("" if item.upward else " ↓")
            bounds = None if item.interval is None else (item.interval[0] / span, item.interval[1] / span)
            value = None if item.difference is None else item.difference / span
            bars.append(Bar(label, value, bounds, signed(item.difference, na=texts["na"])))
        if any(bar.value is not None for bar in bars):
            reach = _reach(shown)
            title = filled(texts, "against", first=pair.first, second=pair.second)
            drawing = forest(f"{texts['difference']}: {title}", bars, (-reach, reach), texts, signs=True)
            results.append(Chart(f"difference-{pair.second}-{pair.first}", "", "difference", drawing))
    return results


def worded_change(change: str, texts: Texts) -> str:
    """What changed in a turn (``M3 risk_coverage 0.00 → 1.00``) in words: the measure, and what was decided."""
    code, _, rest = change.partition(" ")
    measure, space, values = rest.partition(" ")
    values = values.replace(NOT_DECIDED, texts["not_decided"])
    values = _PARTLY.sub(lambda found: f"({filled(texts, 'partly_decided', decided=found[1], all=found[2])})", values)
    return f"{code} {named(texts, 'measure', measure)}{space}{values}"


_PARTLY = re.compile(r"\((\S+) of (\S+) decided\)")


def by_metric(rows: Sequence[Row]) -> list[tuple[str, list[Row]]]:
    """Rows gathered by their metric, in the order in which these come."""
    results: dict[str, list[Row]] = {}
    for row in rows:
        results.setdefault(row.metric, []).append(row)
    return list(results.items())


def scale_of(metric: str, measure: str) -> tuple[float, float]:
    """The ends of a measure's scale; 0 and 1 for one that this version does not know."""
    known = known_metric(metric)
    result = next((item for item in known.measures if item.name == measure), None) if known else None
    return (result.low, result.high) if result else (0.0, 1.0)


def _span(metric: str, measure: str) -> float:
    low, high = scale_of(metric, measure)
    return high - low


def _reach(measures: Sequence[ComparedMeasure]) -> float:
    """How far the drawings of differences reach to both sides: the furthest bound, up to the next tenth of a scale."""
    furthest = max(
        (abs(bound) / _span(measure.metric, measure.measure)
         for measure in measures for bound in (*(measure.interval or ()), measure.difference or 0.0)),
        default=0.0,
    )  # fmt: skip
    return min(max(math.ceil(furthest * 10), 1), 10) / 10


def render_comparison_html(comparison: Comparison, language: str = "en", back: tuple[str, str] | None = None) -> str:
    """The comparison as one page that asks for nothing. The same comparison gives the same bytes.

    ``back`` is the address of the page before and its name, where there is one.
    """
    texts = texts_of(language, comparison.suite)
    return rendered(
        "comparison.html.j2",
        texts,
        script=False,
        comparison=comparison,
        one_table=len(comparison.systems) == 2 and len(comparison.groups) < 2,
        all_systems_title=all_systems_title(comparison, texts),
        group_lines=group_lines(comparison, texts),
        missing_lines=missing_lines,
        with_values=with_values,
        without_values=without_values,
        how=how(comparison.resampling, texts),
        charts=[*system_charts(comparison, texts), *trend_charts(comparison, texts)],
        p_text=p_text,
        verdict=verdict,
        verdict_line=verdict_line,
        basis=basis,
        basis_lines=basis_lines,
        leads=leads,
        by_metric=by_metric,
        worded_change=worded_change,
        high_of=lambda metric, measure: scale_of(metric, measure)[1],
        span_of=_span,
        reach_of=_reach,
        back=back,
    )
