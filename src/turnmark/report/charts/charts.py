"""Charts with words in them: a figure over turns, and figures of several things beside each other.

Each is as wide as a phone's column, so that its words are read at their own size there and on a desktop.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from turnmark.locale.texts import Texts, filled, named
from turnmark.report.charts.svg import line, short
from turnmark.report.view.control_characters import visible
from turnmark.report.view.names import worded_name
from turnmark.report.view.number_format import number
from turnmark.report.view.tables import StrataTable, known_metric, main_measures
from turnmark.schemas.results.summary import EvalSummary, Interval
from turnmark.stats.by_turn import Point, TurnSums

MOST_TURNS = 30
"""Turn numbers that a trend shows; dialogues that are longer go on in the exported table."""

_WIDTH = 260
_TOP = 16
_PLOT = 74
_FOOT = 26
_LEFT = 24
_ROW = 30
_LABEL = 34
_STYLES = 4
"""Kinds of lines that tell systems apart; a fifth system has that of the first."""


class Chart(NamedTuple):
    """One drawing and what it shows: the metric's code, the measure, and a name that is good for a file."""

    name: str
    code: str
    measure: str
    drawing: Markup


class Bar(NamedTuple):
    """One line of a forest chart; ``value`` None where there is no figure, ``shown`` what is written in its place."""

    label: str
    value: float | None
    interval: Interval = None
    shown: str = ""


def trends(summary: EvalSummary, turns: TurnSums | None, texts: Texts) -> list[Chart]:
    """A chart for each main measure that has a figure at two turn numbers or more."""
    results = []
    for name in summary.metrics if turns else ():
        metric = known_metric(name)
        for measure in main_measures(metric):
            if metric is None or turns is None or metric.unit != "turn":
                continue
            position = metric.measure(measure)
            scale = (metric.measures[position].low, metric.measures[position].high)
            points = turns.points(name, position, scale)[:MOST_TURNS]
            if len(points) > 1:
                results.append(Chart(f"trend-{measure}", metric.code, measure, _trend(measure, points, scale, texts)))
    return results


def _trend(measure: str, points: Sequence[Point], scale: tuple[float, float], texts: Texts) -> Markup:
    low, high = scale
    height = _TOP + _PLOT + _FOOT
    first, last = points[0].turn, points[-1].turn
    step = (_WIDTH - _LEFT - 24) / max(last - first, 1)

    def x(turn: int) -> float:
        return _LEFT + 12 + (turn - first) * step

    def y(value: float) -> float:
        return _TOP + _PLOT * (1 - (min(max(value, low), high) - low) / (high - low))

    parts = [line(_LEFT, y(at), _WIDTH, y(at), name) for at, name in ((high, "grid-line"), (low, "axis"))]
    parts += [_text(_LEFT - 4, y(at) + 3, f"{at:g}", "end") for at in (low, high)]
    parts += [
        line(x(point.turn), y(point.interval[0]), x(point.turn), y(point.interval[1]), "range")
        for point in points
        if point.interval
    ]
    path = "L".join(f"{short(x(point.turn))} {short(y(point.value))}" for point in points)
    parts.append(Markup('<path class="trend" d="M{}"/>').format(path))
    every = -(-len(points) // 10)
    for index, point in enumerate(points):
        parts.append(_dot(x(point.turn), y(point.value), few=point.interval is None))
        if index % every == 0:
            parts.append(_text(x(point.turn), height - 14, str(point.turn), "middle", "tick strong"))
            parts.append(_text(x(point.turn), height - 3, f"{point.rows:,}", "middle"))
    said = "; ".join(
        filled(texts, "trend_point", turn=point.turn, value=number(point.value, high), rows=point.rows)
        for point in points
    )
    title = f"{texts['trends']}: {named(texts, 'measure', measure)} ({measure})"
    return _chart(height, title, filled(texts, "trend_desc", points=said), parts)


def joint_trend(
    title: str, systems: Sequence[tuple[str, Sequence[tuple[int, float]]]], scale: tuple[float, float], texts: Texts
) -> Markup:
    """One measure over turn numbers, a line a system: its name, and turn and value of each point; dashes tell them."""
    low, high = scale
    turns = sorted({turn for _, points in systems for turn, _ in points})[:MOST_TURNS]
    step = (_WIDTH - _LEFT - 24) / max(turns[-1] - turns[0], 1)
    foot = _TOP + _PLOT + 16

    def x(turn: int) -> float:
        return _LEFT + 12 + (turn - turns[0]) * step

    def y(value: float) -> float:
        return _TOP + _PLOT * (1 - (min(max(value, low), high) - low) / (high - low))

    parts = [line(_LEFT, y(at), _WIDTH, y(at), name) for at, name in ((high, "grid-line"), (low, "axis"))]
    parts += [_text(_LEFT - 4, y(at) + 3, f"{at:g}", "end") for at in (low, high)]
    every = -(-len(turns) // 10)
    parts += [_text(x(turn), foot - 2, str(turn), "middle", "tick strong") for turn in turns[::every]]
    said = []
    for index, (name, points) in enumerate(systems):
        shown = [(turn, value) for turn, value in points if turn <= turns[-1]]
        style = f"trend s{index % _STYLES}"
        path = "L".join(f"{short(x(turn))} {short(y(value))}" for turn, value in shown)
        if shown:
            parts.append(Markup('<path class="{}" d="M{}"/>').format(style, path))
        parts += [_dot(x(turn), y(value), few=True) for turn, value in shown]
        row = foot + 14 * (index + 1)
        parts.append(Markup('<path class="{}" d="M0 {}L{} {}"/>').format(style, row - 3, _LEFT, row - 3))
        parts.append(_text(_LEFT + 6, row, _clipped(visible(name)), "start", "label"))
        told = ", ".join(f"{turn}: {number(value, high)}" for turn, value in shown)
        said.append(filled(texts, "forest_point", label=visible(name), value=told or texts["na"]))
    height = foot + 14 * len(systems) + 6
    return _chart(height, title, filled(texts, "forest_desc", points="; ".join(said)), parts)


def strata_charts(tables: Iterable[StrataTable], field: str, texts: Texts) -> list[Chart]:
    """A chart for each measure: its figure in every value of a field. A field with one value needs none."""
    results = []
    for table in tables:
        for index, row in enumerate(table.measures):
            bars = [
                Bar(worded_name(item.value, texts), item.figures[index].value, item.figures[index].interval)
                for item in table.strata
            ]
            if sum(bar.value is not None for bar in bars) > 1:
                title = f"{named(texts, 'field', field)}: {named(texts, 'measure', row.name)} ({row.name})"
                drawing = forest(title, bars, (row.low, row.high), texts)
                results.append(Chart(f"by-{field}-{row.name}", table.code, row.name, drawing))
    return results


def forest(title: str, bars: Sequence[Bar], scale: tuple[float, float], texts: Texts, *, signs: bool = False) -> Markup:
    """Each thing on a line of its own: its name, its figure as a dot and a number, its interval as a bar.

    With ``signs`` the figures are differences: a line marks zero.
    """
    low, high = scale
    numbers = [bar.shown or number(bar.value, high, na=texts["na"]) for bar in bars]
    right = _WIDTH - 8

    def x(value: float) -> float:
        return 8 + (right - 8) * (min(max(value, low), high) - low) / (high - low)

    height = _ROW * len(bars) + 14
    parts = []
    for index, bar in enumerate(bars):
        top = index * _ROW
        middle = top + 22
        parts.append(_text(0, top + 11, _clipped(visible(bar.label)), "start", "label"))
        parts.append(_text(_WIDTH, top + 11, numbers[index], "end", "label"))
        parts.append(line(8, middle, right, middle, "grid-line"))
        if bar.interval is not None:
            parts.append(line(x(bar.interval[0]), middle, x(bar.interval[1]), middle, "range"))
        if bar.value is not None:
            parts.append(_dot(x(bar.value), middle))
    ends: list[tuple[float, float]] = [(8, low), (right, high)]
    if signs:
        parts.insert(0, line(x(0), 16, x(0), height - 14, "axis"))
        ends.insert(1, (x(0), 0))
    parts += [_text(at, height - 2, f"{end:g}".replace("-", "\N{MINUS SIGN}"), "middle") for at, end in ends]
    said = "; ".join(
        filled(texts, "forest_point", label=visible(bar.label), value=shown)
        for bar, shown in zip(bars, numbers, strict=True)
    )
    return _chart(height, title, filled(texts, "forest_desc", points=said), parts)


def _clipped(label: str) -> str:
    """A name that fits its line; wide characters take two places."""
    room = _LABEL
    for index, character in enumerate(label):
        room -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if room < 0:
            return label[:index] + "…"
    return label


def _text(x: float, y: float, text: str, anchor: str, name: str = "tick") -> Markup:
    return Markup('<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>').format(
        name, short(x), short(y), anchor, text
    )


def _dot(x: float, y: float, *, few: bool = False) -> Markup:
    """A figure; hollow where it rests on too few rows for an interval."""
    return Markup('<circle class="dot{}" cx="{}" cy="{}" r="{}"/>').format(
        " few" if few else "", short(x), short(y), "2.5" if few else "3"
    )


def _chart(height: int, title: str, said: str, parts: Sequence[Markup]) -> Markup:
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img"><title>{}</title><desc>{}</desc>{}</svg>').format(
        _WIDTH, height, title, said, Markup("").join(parts)
    )
