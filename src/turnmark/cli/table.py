"""The summary as a table on the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from rich.cells import cell_len, chop_cells
from rich.console import Console
from rich.table import Table
from rich.text import Text

from turnmark.cli.output import printable, say
from turnmark.locale.texts import Texts, filled, named
from turnmark.pipeline.scoring.score import ScoreResult
from turnmark.report.view.counted import nothing_line, with_figures
from turnmark.report.view.deciders import decider_lines
from turnmark.report.view.findings import found_lines
from turnmark.report.view.notices import small_line, unread_constraints
from turnmark.report.view.number_format import count, decided_of, interval, number
from turnmark.report.view.problems import worded_problem
from turnmark.report.view.tables import whole_blocks
from turnmark.runs.folder import PROBLEMS
from turnmark.schemas.results.summary import EvalSummary

_PIPE_WIDTH = 140
_BORDER = 3
_JOINT = re.compile(r"(?<=[_./-])")
_MOST_LINES = 3
_WHOLE = 20
_LOWER = "↓"
"""Marks figures of which less is better, as in the report."""


class _PlainConsole(Console):
    """A console for data: names of runs, rules and dialogues hold no markup and no emoji codes, and do nothing."""

    def __init__(self, width: int | None = None) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, width=width)

    def render_str(self, text: str, **options: Any) -> Text:
        """The text as it is drawn, wherever it stands: printed, in a cell, in a title."""
        return super().render_str(printable(text), **options)


def wide_console() -> Console:
    """The terminal as it is; a file or pipe gets lines wide enough for every table."""
    console = _PlainConsole()
    return console if console.is_terminal else _PlainConsole(width=_PIPE_WIDTH)


class Column(NamedTuple):
    """A column of a table that drops columns where the terminal is narrow, those with the greatest rank first.

    Names and numbers stay whole; a column that ``wraps`` breaks between words, and within one only after its joints.
    """

    title: str
    cells: Sequence[str]
    rank: int
    number: bool = True
    wraps: bool = False

    @property
    def width(self) -> int:
        """The places that its cells and its head need; a head takes at most `_MOST_LINES` lines."""
        cells = (_widest(cell) if self.wraps else cell_len(cell) for cell in self.cells)
        width = max(*cells, _longest(self.title), 1)
        while len(_pieces(self.title, width)) > _MOST_LINES:
            width += 1
        return width


def print_columns(console: Console, title: str, columns: Sequence[Column], groups: Sequence[str]) -> bool:
    """Print a table with a line between groups of rows; returns whether all columns fitted."""
    clean = [each._replace(title=printable(each.title), cells=[*map(printable, each.cells)]) for each in columns]
    shown = _fitting(clean, console.width)
    table = Table(title=title, title_justify="left")
    for column in shown:
        head = "\n".join(_pieces(column.title, column.width))
        justify: Literal["left", "right"] = "right" if column.number else "left"
        table.add_column(Text(head), justify=justify, no_wrap=not column.wraps, min_width=column.width, overflow="fold")
    for index, group in enumerate(groups):
        ends = index + 1 == len(groups) or groups[index + 1] != group
        table.add_row(*(Text(_cell(column, index), overflow="fold") for column in shown), end_section=ends)
    console.print(table)
    return len(shown) == len(columns)


def _fitting(columns: Sequence[Column], width: int) -> list[Column]:
    chosen: set[int] = set()
    left = width - 1
    for place in sorted(range(len(columns)), key=lambda place: (columns[place].rank, place)):
        left -= columns[place].width + _BORDER
        if left < 0 and columns[place].rank > 0:
            break
        chosen.add(place)
    return [column for place, column in enumerate(columns) if place in chosen]


def _pieces(text: str, width: int) -> list[str]:
    """The text in lines of that many places at most, broken between words, after joints of names, at last anywhere."""
    lines = [""]
    for word in text.split():
        for index, part in enumerate(_JOINT.split(word)):
            line = f"{lines[-1]} {part}" if lines[-1] and index == 0 else lines[-1] + part
            if lines[-1] and cell_len(line) > width:
                lines.append("")
                line = part
            *whole, lines[-1] = chop_cells(line, width) or [""]
            lines[-1:-1] = whole
    return lines


def _cell(column: Column, index: int) -> str:
    """A cell in lines of its column; one that stays whole as it is."""
    text = column.cells[index]
    return "\n".join(_pieces(text, column.width)) if column.wraps else text


def _widest(text: str) -> int:
    """The longest word, whole where it is no longer than `_WHOLE`; else its longest part between joints."""
    words = (cell_len(word) for word in text.split())
    whole = max(words, default=0)
    return whole if whole <= _WHOLE else _longest(text)


def _longest(text: str) -> int:
    return max((cell_len(part) for word in text.split() for part in _JOINT.split(word)), default=0)


def print_summary(summary: EvalSummary, texts: Texts) -> None:
    """Print every figure with its interval and counts, after what makes the run doubtful."""
    console = wide_console()
    turns = summary.counters.get("total_turn_pairs", 0)
    abnormal = turns - summary.reply_states.get("normal", 0)
    if summary.flags:
        console.print(filled(texts, "cli_not_normal", abnormal=abnormal, turns=turns), style="bold red")
    if summary.reply_states:
        states = [f"{named(texts, 'state', state)} {count}" for state, count in summary.reply_states.items() if count]
        console.print(filled(texts, "cli_replies", states=", ".join(states)), markup=False)
    columns, groups = _figures(summary, texts)
    print_columns(console, f"{summary.run_id} · {summary.suite} · {summary.detect}", columns, groups)
    lower = texts["method_lower"] if any(cell.endswith(_LOWER) for cell in columns[1].cells) else ""
    for line in (lower, nothing_line(summary, texts), small_line(summary, texts)):
        if line:
            console.print(line, markup=False)
    for line in decider_lines(summary, texts):
        console.print(line, markup=False)


def say_unscored(scored: ScoreResult, texts: Texts, *, err: bool = False) -> None:
    """Say what of the input no metric could use: nothing at all, or limits that only the chat holds."""
    if scored.nothing_counted:
        say(filled(texts, "cli_warning", what=worded_problem(scored.nothing_counted, texts)), err=err)
    if scored.limit_columns:
        columns = ", ".join(scored.limit_columns)
        say(filled(texts, "cli_limits_read", columns=columns), err=err)
    if scored.chat_limits:
        say(filled(texts, "cli_chat_limits", count=scored.chat_limits), err=err)


def print_scored(scored: ScoreResult, texts: Texts) -> None:
    """Print the figures of a scored run, what of its input could not be used, and what was found."""
    print_summary(scored.summary, texts)
    problems = scored.folder / PROBLEMS
    if scored.rejected_lines:
        say(filled(texts, "cli_rejected", count=scored.rejected_lines, path=problems))
    if scored.warnings:
        say(filled(texts, "cli_warnings", count=scored.warnings, path=problems))
    say_unscored(scored, texts)
    if scored.failed_rows:
        say(filled(texts, "cli_failed_rows", count=scored.failed_rows))
    if scored.summary.unread_constraints:
        say(unread_constraints(scored.summary, texts))
    for line in found_lines(scored.turns.faults, scored.worst, scored.summary, texts):
        say(line)


def _figures(summary: EvalSummary, texts: Texts) -> tuple[list[Column], list[str]]:
    """The columns of a summary, and of each row its metric; what was decided only where not everything was."""
    rows: list[tuple[str, ...]] = []
    groups: list[str] = []
    for block in with_figures(summary, whole_blocks(summary)):
        for index, row in enumerate(block.rows):
            counts = (block.eligible, block.skipped, block.failed) if index == 0 else (None, None, None)
            figure = row.overall
            rows.append(
                (
                    block.code if index == 0 else "", row.name if row.upward else f"{row.name} {_LOWER}",
                    number(figure.value, na=texts["na"]),
                    *((decided_of(figure, texts), interval(figure.bounds, texts)) if figure.bounds
                      else ("", "")),
                    interval(figure.interval, texts),
                    number(row.macro.value, na=""),
                    *(count(each, na="") for each in counts),
                )
            )  # fmt: skip
            groups.append(block.name)
    heads = (
        texts["cli_metric"], texts["cli_figure"], texts["cli_micro"], texts["cli_decided"], texts["cli_bounds"],
        texts["interval"], texts["cli_macro"], texts["cli_eligible"], texts["cli_skipped"], texts["cli_failed"],
    )  # fmt: skip
    ranks = (0, 0, 1, 2, 3, 4, 6, 5, 7, 8)
    cells = list(zip(*rows, strict=True)) or [()] * len(heads)
    columns = [Column(head, own, rank, number=index > 1)
               for index, (head, own, rank) in enumerate(zip(heads, cells, ranks, strict=True))]  # fmt: skip
    return [column for column in columns if column.rank not in (2, 3) or any(column.cells)], groups
