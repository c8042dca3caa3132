"""Tables ready for a paper: LaTeX with booktabs, figures with their intervals, marks of significance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnmark.locale.texts import Texts
from turnmark.report.pages.comparison import by_metric, leads, scale_of, with_values
from turnmark.report.view.control_characters import visible
from turnmark.report.view.data import ReportData
from turnmark.report.view.failures import Failure
from turnmark.report.view.number_format import number
from turnmark.report.view.tables import main_blocks
from turnmark.schemas.results.comparison import Comparison, PairComparison, TableCell
from turnmark.schemas.results.summary import Interval, Resampling

_SPECIAL = re.compile(r"[\\{}$&#^_~%<>|\"]")
_NAMES = {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
}  # fmt: skip
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
_NEEDS = "% needs \\usepackage{booktabs}"


def latex(text: object) -> str:
    """Any text as one line of LaTeX that shows just these characters."""
    line = " ".join(visible(str(text)).split())
    return _SPECIAL.sub(lambda found: _NAMES.get(found[0], f"\\{found[0]}"), line)


def figure(value: float | None, high: float = 1.0) -> str:
    """A number; a minus is one of mathematics."""
    return number(value, high).replace("\N{MINUS SIGN}", "$-$")


def bounds(interval: Interval, high: float = 1.0) -> str:
    """An interval in brackets, where no sign can be taken for a dash."""
    return "n/a" if interval is None else f"[{figure(interval[0], high)}, {figure(interval[1], high)}]"


def main_table(data: ReportData) -> str:
    """The main table of a run: figures with intervals, and how many rows each metric rests on."""
    summary = data.summary
    lines = [
        _NEEDS,
        "\\begin{tabular}{llrrrrrrr}",
        "\\toprule",
        f"Metric & Measure & Value & {_level(summary.resampling)} & Macro & $n$ & Eligible & Skipped & Failed \\\\",
    ]
    for block in main_blocks(summary):
        lines.append("\\midrule")
        for index, row in enumerate(block.rows):
            size = row.overall.denominator
            counts = (block.eligible, block.skipped, block.failed) if index == 0 else ("", "", "")
            cells = (
                latex(block.code or block.name) if index == 0 else "", _measure(row.name, upward=row.upward),
                figure(row.overall.value, row.high), bounds(row.overall.interval, row.high),
                figure(row.macro.value, row.high), "n/a" if size is None else f"{size:.0f}",
                *("n/a" if count is None else str(count) for count in counts),
            )  # fmt: skip
            lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}"]) + "\n"


def failure_appendix(found: Sequence[Failure], texts: Texts) -> str:
    """Representative failures as a description list. Texts in Chinese or Korean need XeLaTeX or LuaLaTeX."""
    lines = ["% Chinese and Korean need XeLaTeX or LuaLaTeX with xeCJK, luatexja or kotex", "\\begin{description}"]
    for item in found:
        lines.append(f"\\item[{{{latex(item.title)}}}] \\texttt{{{latex(item.where)}}}\\\\")
        said = [(texts["user"], item.user_text), (texts["reply"], item.reply)]
        said += [(texts["why_shown"], "; ".join(item.reasons))]
        said += [(texts["evidence"], piece) for piece in item.evidence]
        lines.append("\\\\\n".join(f"\\textit{{{latex(name)}}}: {latex(text)}" for name, text in said if text))
    return "\n".join([*lines, "\\end{description}"]) + "\n"


def comparison_tables(comparison: Comparison) -> str:
    """All systems in one table, then each pair in one of its own."""
    return "\n".join([systems_table(comparison), *(pair_table(pair, comparison) for pair in comparison.pairs)])


def systems_table(comparison: Comparison) -> str:
    """Every system's figure, its interval below; the best in bold, a dagger where one is not significantly worse."""
    columns = len(comparison.systems) + 2
    lines = [
        _NEEDS,
        "\\begin{tabular}{ll" + "r" * len(comparison.systems) + "}",
        "\\toprule",
        " & ".join(["Metric", "Measure", *map(latex, comparison.systems)]) + r" \\",
    ]
    for _, rows in by_metric(with_values(comparison.table)):
        lines.append("\\midrule")
        for index, row in enumerate(rows):
            code = latex(row.code) if index == 0 else ""
            cells = [_cell(cell, row.cells, row.high) for cell in row.cells]
            lines.append(" & ".join([code, _measure(row.measure, upward=row.upward), *cells]) + r" \\")
            if any(cell.interval for cell in row.cells):
                below = [f"{{\\scriptsize {bounds(cell.interval, row.high)}}}" for cell in row.cells]
                lines.append(" & ".join(["", "", *below]) + r" \\")
    note = (
        "Bold: best. $\\dagger$: not significantly worse than the best (paired permutation test, dialogues kept "
        f"whole). Brackets: {_level(comparison.resampling)}."
    )
    lines += ["\\bottomrule", f"\\multicolumn{{{columns}}}{{l}}{{\\footnotesize {note}}} \\\\", "\\end{tabular}"]
    return "\n".join(lines) + "\n"


def pair_table(pair: PairComparison, comparison: Comparison) -> str:
    """Two systems and their difference; stars are thresholds of the p-value after Holm's correction."""
    head = ["Metric", "Measure", latex(pair.first), latex(pair.second), "Difference", _level(comparison.resampling)]
    lines = [_NEEDS, "\\begin{tabular}{llrrrr}", "\\toprule", " & ".join(head) + r" \\"]
    for _, rows in by_metric(with_values(pair.measures)):
        lines.append("\\midrule")
        for index, row in enumerate(rows):
            high = scale_of(row.metric, row.measure)[1]
            stars = next(
                (f"^{{{mark}}}" for limit, mark in _STARS if row.p_holm is not None and row.p_holm < limit), ""
            )
            difference = "n/a" if row.difference is None else f"${row.difference:+.3f}{stars}$"
            cells = [
                latex(row.code) if index == 0 else "", _measure(row.measure, upward=row.upward),
                figure(row.first, high), figure(row.second, high),
                difference, bounds(row.interval),
            ]  # fmt: skip
            lines.append(" & ".join(cells) + r" \\")
    note = "$^{*}$, $^{**}$, $^{***}$: $p < 0.05$, $0.01$, $0.001$ after Holm's correction."
    lines += ["\\bottomrule", f"\\multicolumn{{6}}{{l}}{{\\footnotesize {note}}} \\\\", "\\end{tabular}"]
    return "\n".join(lines) + "\n"


def _level(resampling: Resampling | None) -> str:
    return f"{100 * resampling.level:g}\\% CI" if resampling else "Interval"


def _measure(name: str, *, upward: bool) -> str:
    return latex(name) + ("" if upward else r" $\downarrow$")


def _cell(cell: TableCell, cells: Sequence[TableCell], high: float) -> str:
    shown = figure(cell.value, high)
    return f"\\textbf{{{shown}}}" if leads(cell, cells) else f"{shown}$^\\dagger$" if cell.close else shown
