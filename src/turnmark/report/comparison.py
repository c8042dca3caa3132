"""A comparison of runs as Markdown, as LaTeX tables for a paper (booktabs), and as a self-contained page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from turnmark.report.charts import Bar, Chart, forest
from turnmark.report.environment import rendered
from turnmark.report.markdown import escaped, table
from turnmark.report.numbers import interval, number
from turnmark.report.tables import known_metric, main_measures
from turnmark.report.texts import LANGUAGES, filled, named
from turnmark.report.texts_comparison import COMPARISON_TEXTS
from turnmark.schemas.comparison import ComparedMeasure, Comparison, PairComparison, TableCell
from turnmark.schemas.summary import Resampling

_LATEX = re.compile(r"[\\{}$&#^_~%]")
_LATEX_NAMES = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


def comparison_texts(language: str) -> Mapping[str, str]:
    """The words of the interface with those of comparisons. Raises: KeyError for a language that there is not."""
    return {**LANGUAGES[language], **COMPARISON_TEXTS[language]}


def p_text(value: float | None, na: str = "n/a") -> str:
    """``0.032``, ``< 0.001``."""
    if value is None:
        return na
    return "< 0.001" if value < _STARS[0][0] else f"{value:.3f}"


def signed(value: float | None, na: str = "n/a") -> str:
    """A difference with its sign, three decimals."""
    return na if value is None else f"{value:+.3f}"


def verdict(one: ComparedMeasure, pair: PairComparison, texts: Mapping[str, str]) -> str:
    """Who is better, in words."""
    return filled(texts, f"better_{one.better}", first=pair.first, second=pair.second)


def how(resampling: Resampling, texts: Mapping[str, str]) -> str:
    """How differences, intervals and p-values were made."""
    return filled(
        texts, "how_difference", draws=resampling.resamples, seed=resampling.seed, level=f"{100 * resampling.level:g}",
        method=named(texts, "compared", resampling.method.partition(" and ")[0]),
    )  # fmt: skip


def all_systems_title(comparison: Comparison, texts: Mapping[str, str]) -> str:
    """What the table of all systems rests on: the turns that all have, or those of each group."""
    if len(comparison.groups) > 1:
        return texts["all_systems_grouped"]
    return filled(texts, "all_systems", turns=comparison.paired_turns)


def group_lines(comparison: Comparison, texts: Mapping[str, str]) -> list[str]:
    """A sentence a group of systems, where no turn is common to all; none otherwise."""
    if len(comparison.groups) < 2:
        return []
    return [
        filled(texts, "group" if len(group.systems) > 1 else "group_alone", systems=", ".join(group.systems),
               turns=group.turns, dialogs=group.dialogs)
        for group in comparison.groups
    ]  # fmt: skip


def missing_lines(pair: PairComparison, texts: Mapping[str, str]) -> list[str]:
    """A sentence for each measure that failed in some pairs: what the difference could have been."""
    return [
        filled(texts, "missing_pairs", measure=f"{one.code} {one.measure}", count=one.missing,
               coverage=f"{100 * (one.coverage or 0.0):.1f}", low=signed(one.missing_bounds[0]),
               high=signed(one.missing_bounds[1]))
        for one in pair.measures if one.missing and one.missing_bounds
    ]  # fmt: skip


def render_comparison_markdown(comparison: Comparison, language: str = "en") -> str:
    """The whole comparison as GitHub's Markdown."""
    texts = comparison_texts(language)
    lines = [f"# {texts['comparison']}: {escaped(' · '.join(comparison.systems))}", "", texts["table_note"], ""]
    lines += [f"## {all_systems_title(comparison, texts)}", ""]
    lines += [f"- {escaped(line)}" for line in group_lines(comparison, texts)]
    lines += [""] if len(comparison.groups) > 1 else []
    head = [texts["metric"], texts["measure"], *map(escaped, comparison.systems)]
    rows = [
        [
            escaped(row.code),
            _named(row.measure, upward=row.upward),
            *(_cell(cell, "**{}**", "{}†") for cell in row.cells),
        ]
        for row in comparison.table
    ]
    lines += table(head, rows, numbers_from=2)
    for pair in comparison.pairs:
        lines += ["", f"## {escaped(filled(texts, 'against', first=pair.first, second=pair.second))}", ""]
        lines += _warnings(pair, texts)
        lines += _measures(pair, pair.measures, texts)
        lines += [line for said in missing_lines(pair, texts) for line in ("", escaped(said))]
        for field, values in pair.strata.items():
            for value, measures in values.items():
                lines += ["", f"### {escaped(f'{field}: {value}')}", "", *_measures(pair, measures, texts)]
        lines += _changed(pair, texts)
    return "\n".join([*lines, "", how(comparison.resampling, texts), ""])


def _warnings(pair: PairComparison, texts: Mapping[str, str]) -> list[str]:
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


def _measures(pair: PairComparison, measures: Sequence[ComparedMeasure], texts: Mapping[str, str]) -> list[str]:
    head = [
        texts["metric"], texts["measure"], escaped(pair.first), escaped(pair.second), texts["difference"],
        texts["interval"], texts["p_value"], texts["p_holm"], texts["p_bh"], texts["effect"], texts["detectable"],
        texts["win_tie_loss"], texts["dialogs"], texts["verdict"],
    ]  # fmt: skip
    rows = []
    for one in measures:
        na = texts["na"]
        needed = f" ({texts['needed']}: {one.dialogs_needed:,})" if one.dialogs_needed else ""
        rows.append(
            [
                escaped(one.code), _named(one.measure, upward=one.upward), number(one.first, na=na),
                number(one.second, na=na), signed(one.difference, na), interval(one.interval, na=na),
                p_text(one.p_value, na), p_text(one.p_holm, na), p_text(one.p_bh, na), number(one.effect, na=na),
                number(one.detectable, na=na) + needed, f"{one.wins} / {one.ties} / {one.losses}", str(one.dialogs),
                escaped(verdict(one, pair, texts)),
            ]
        )  # fmt: skip
    return table(head, rows, numbers_from=2)


def _changed(pair: PairComparison, texts: Mapping[str, str]) -> list[str]:
    if not pair.changed:
        return []
    lines = ["", f"### {filled(texts, 'changed', shown=len(pair.changed), total=pair.changed_total)}"]
    for turn in pair.changed:
        lines += ["", f"**{escaped(turn.dialog_id)} · {turn.turn_pair_id}**: {escaped('; '.join(turn.changes))}", ""]
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


def _cell(cell: TableCell, best: str, close: str) -> str:
    shown = number(cell.value)
    return best.format(shown) if cell.best else close.format(shown) if cell.close else shown


def latex(text: object) -> str:
    """Any text as LaTeX that shows just these characters."""
    return _LATEX.sub(lambda found: _LATEX_NAMES.get(found[0], f"\\{found[0]}"), str(text))


def render_comparison_latex(comparison: Comparison) -> str:
    """Tables ready for a paper: all systems (best in bold, a dagger where not significantly worse), then each pair.

    Needs the package booktabs. One star a threshold of 0.05, 0.01 and 0.001 of the p-value after Holm's correction.
    """
    columns = "l" * 2 + "r" * len(comparison.systems)
    lines = [
        "% needs \\usepackage{booktabs}",
        "\\begin{tabular}{" + columns + "}",
        "\\toprule",
        " & ".join(["Metric", "Measure", *map(latex, comparison.systems)]) + r" \\",
        "\\midrule",
    ]
    for row in comparison.table:
        arrow = "" if row.upward else r" $\downarrow$"
        cells = [_cell(cell, r"\textbf{{{}}}", r"{}$^\dagger$") for cell in row.cells]
        lines.append(" & ".join([latex(row.code), latex(row.measure) + arrow, *cells]) + r" \\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    for pair in comparison.pairs:
        lines += ["", "\\begin{tabular}{llrrrr}", "\\toprule"]
        names = [latex(pair.first), latex(pair.second)]
        percent = latex(f"{100 * comparison.resampling.level:g}%")
        lines += [" & ".join(["Metric", "Measure", *names, "Difference", f"{percent} CI"]) + r" \\", "\\midrule"]
        for one in pair.measures:
            stars = next((mark for limit, mark in _STARS if one.p_holm is not None and one.p_holm < limit), "")
            difference = f"${signed(one.difference)}$" + (f"$^{{{stars}}}$" if stars else "")
            bounds = "n/a" if one.interval is None else f"[{one.interval[0]:.3f}, {one.interval[1]:.3f}]"
            cells = [latex(one.code), latex(one.measure), number(one.first), number(one.second), difference, bounds]
            lines.append(" & ".join(cells) + r" \\")
        lines += ["\\bottomrule", "\\end{tabular}"]
    return "\n".join(lines) + "\n"


def system_charts(comparison: Comparison, texts: Mapping[str, str]) -> list[Chart]:
    """A chart for each main measure: every system's figure with its own interval."""
    found = []
    for row in comparison.table:
        if row.measure in main_measures(known_metric(row.metric)) and any(cell.value is not None for cell in row.cells):
            title = f"{texts['systems']}: {named(texts, 'measure', row.measure)} ({row.measure})"
            bars = [
                Bar(name, cell.value, cell.interval) for name, cell in zip(comparison.systems, row.cells, strict=True)
            ]
            drawing = forest(title, bars, (row.low, row.high), texts)
            found.append(Chart(f"systems-{row.measure}", row.code, row.measure, drawing))
    return found


def render_comparison_html(comparison: Comparison, language: str = "en") -> str:
    """The comparison as one page that asks for nothing. The same comparison gives the same bytes."""
    texts = comparison_texts(language)
    return rendered(
        "comparison.html.j2",
        texts,
        script=False,
        comparison=comparison,
        all_systems_title=all_systems_title(comparison, texts),
        group_lines=group_lines(comparison, texts),
        missing_lines=missing_lines,
        how=how(comparison.resampling, texts),
        charts=system_charts(comparison, texts),
        p_text=p_text,
        signed=signed,
        verdict=verdict,
    )
