"""The summary as a table on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from turnmark.metrics.catalog import SUITES
from turnmark.schemas.summary import EvalSummary, Interval

_NOT_AVAILABLE = "n/a"


def print_summary(summary: EvalSummary) -> None:
    """Print every figure with its interval and counts, after what makes the run doubtful."""
    console = Console(highlight=False, soft_wrap=False)
    turns = summary.counters.get("total_turn_pairs", 0)
    abnormal = turns - summary.reply_states.get("normal", 0)
    if summary.flags:
        console.print(f"[bold red]{abnormal} of {turns} replies are not normal: these figures say little.[/]")
    if summary.reply_states:
        states = ", ".join(f"{state} {count}" for state, count in summary.reply_states.items() if count)
        console.print(f"replies: {states}", markup=False)
    table = Table(title=f"{summary.run_id} · {summary.suite} · {summary.detect}", title_justify="left")
    for name in ("metric", "figure"):
        table.add_column(name, no_wrap=True)
    for name in ("micro", "95 % interval", "macro", "eligible", "skipped", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    for metric in SUITES.get(summary.suite or "", ()):
        result = summary.metrics.get(metric.name)
        if result is None:
            continue
        for place, measure in enumerate(metric.measures):
            known = result.denominators.get(measure.name, 1) > 0
            counts = [str(result.counts[name]) for name in ("eligible_count", "skipped_count", "failed_count")]
            table.add_row(
                metric.code if place == 0 else "",
                measure.name,
                f"{result.micro[measure.name]:.3f}" if known else _NOT_AVAILABLE,
                _interval(result.intervals.get(measure.name)),
                f"{result.macro[measure.name]:.3f}" if known and measure.name in result.macro else "",
                *(counts if place == 0 else ("", "", "")),
                end_section=place == len(metric.measures) - 1,
            )
    console.print(table)


def _interval(interval: Interval) -> str:
    return _NOT_AVAILABLE if interval is None else f"{interval[0]:.3f} – {interval[1]:.3f}"
