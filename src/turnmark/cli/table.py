"""The summary as a table on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from turnmark.metrics.catalog import SUITES
from turnmark.report.numbers import interval
from turnmark.schemas.summary import EvalSummary

_NOT_AVAILABLE = "n/a"
_PIPE_WIDTH = 140
_WIDE = 110


def wide_console() -> Console:
    """The terminal as it is; a file or pipe gets lines wide enough for every table.

    Names of runs, rules and dialogues are data: brackets in them are no markup.
    """
    console = Console(highlight=False, markup=False)
    return console if console.is_terminal else Console(highlight=False, markup=False, width=_PIPE_WIDTH)


def print_summary(summary: EvalSummary) -> None:
    """Print every figure with its interval and counts, after what makes the run doubtful."""
    console = wide_console()
    turns = summary.counters.get("total_turn_pairs", 0)
    abnormal = turns - summary.reply_states.get("normal", 0)
    if summary.flags:
        console.print(f"{abnormal} of {turns} replies are not normal: these figures say little.", style="bold red")
    if summary.reply_states:
        states = ", ".join(f"{state} {count}" for state, count in summary.reply_states.items() if count)
        console.print(f"replies: {states}", markup=False)
    table = Table(title=f"{summary.run_id} · {summary.suite} · {summary.detect}", title_justify="left")
    table.add_column("metric", no_wrap=True)
    table.add_column("figure", overflow="fold")  # in a narrow terminal names fold, numbers stay whole
    numbers = ["micro", "95 % interval", "macro", "eligible", "skipped", "failed"]
    shown = numbers if console.width >= _WIDE else ["micro", "95 % interval", "eligible"]
    for name in shown:
        table.add_column(name, justify="right", no_wrap=True)
    for metric in SUITES.get(summary.suite or "", ()):
        result = summary.metrics.get(metric.name)
        if result is None:
            continue
        for place, measure in enumerate(metric.measures):
            if measure.name not in result.micro:
                continue
            known = result.denominators.get(measure.name, 1) > 0
            figures = {
                "micro": f"{result.micro[measure.name]:.3f}" if known else _NOT_AVAILABLE,
                "95 % interval": interval(result.intervals.get(measure.name)),
                "macro": f"{result.macro[measure.name]:.3f}" if known and measure.name in result.macro else "",
            }
            for count in ("eligible", "skipped", "failed"):
                figures[count] = str(result.counts[f"{count}_count"]) if place == 0 else ""
            table.add_row(
                metric.code if place == 0 else "",
                measure.name,
                *(figures[name] for name in shown),
                end_section=place == len(metric.measures) - 1,
            )
    console.print(table)
