"""Distributions: how the figures of single dialogues, and of single turns, spread over their scale, in ten bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.tables import known_metric, main_measures
from turnmark.report.view.triage import LeanRow
from turnmark.schemas.results.summary import EvalSummary

BINS = 10
_WIDTH = 220
_HEIGHT = 84
_TOP = 14
_FOOT = 14
_GAP = 2


class Distribution(NamedTuple):
    """One drawing: the measure, its name in words, what is counted, and how often each tenth of the scale occurs."""

    measure: str
    code: str
    unit: str
    total: int
    drawing: Markup


def bar_of(bars: list[int], value: float, low: float, high: float) -> None:
    """Count a value in its tenth of the scale; the upper end belongs to the last one, what lies beyond to the ends."""
    position = int((value - low) / (high - low) * BINS) if high > low else 0
    bars[min(max(position, 0), BINS - 1)] += 1


def turn_values(row: LeanRow) -> Iterator[tuple[str, float, float, float]]:
    """The figures that a single turn has: measure, value, and the ends of the scale."""
    for name, mark in row.marks.items():
        known = known_metric(name)
        for measure in known.measures if known else ():
            hits, total = mark.measures.get(measure.name, (0.0, 0.0))
            if total:
                yield measure.name, hits / total, measure.low, measure.high


def distributions(summary: EvalSummary, turn_bars: Mapping[str, Sequence[int]], texts: Texts) -> list[Distribution]:
    """A drawing for every main measure that dialogues have, each followed by that of its turns where there is one."""
    results = []
    for name, result in summary.metrics.items():
        metric = known_metric(name)
        scales = {measure.name: (measure.low, measure.high) for measure in metric.measures} if metric else {}
        for measure in main_measures(metric):
            low, high = scales.get(measure, (0.0, 1.0))
            bars = [0] * BINS
            for figures in result.by_dialog.values():
                if measure in figures:
                    bar_of(bars, figures[measure], low, high)
            for unit, counted in (("dist_dialogs", bars), ("dist_turns", turn_bars.get(measure, ()))):
                # One value is no distribution, and where each dialogue is one turn the second drawing says nothing new;
                # nor does one of turns that are at one end of the scale or the other: that is the figure itself.
                if sum(counted) > 1 and (unit == "dist_dialogs" or (list(counted) != bars and any(counted[1:-1]))):
                    drawing = _drawn(measure, unit, counted, (low, high), texts)
                    code = metric.code if metric else ""
                    results.append(Distribution(measure, code, texts[unit], sum(counted), drawing))
    return results


def _drawn(measure: str, unit: str, bars: Sequence[int], scale: tuple[float, float], texts: Texts) -> Markup:
    """The bars with the ends of the scale and the greatest count; said in words for those who do not see them."""
    low, high = scale
    edges = [low + (high - low) * index / BINS for index in range(BINS + 1)]
    name = texts.get(f"measure_{measure}", measure)
    said = "; ".join(
        filled(texts, "dist_bar", low=f"{edges[index]:g}", high=f"{edges[index + 1]:g}", count=count)
        for index, count in enumerate(bars)
        if count
    )
    described = filled(texts, "dist_desc", count=sum(bars), unit=texts[unit], bars=said)
    most = max(bars)
    step = _WIDTH / BINS
    room = _HEIGHT - _TOP - _FOOT
    drawn = []
    for index, count in enumerate(bars):
        tall = max(room * count / most, 1.0 if count else 0.0)
        x = index * step + _GAP / 2
        drawn.append(
            Markup('<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
                x, _HEIGHT - _FOOT - tall, step - _GAP, tall
            )
        )
        if count == most or index in (0, BINS - 1):
            drawn.append(
                Markup('<text class="tick" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>').format(
                    x + (step - _GAP) / 2, _HEIGHT - _FOOT - tall - 3, count
                )
            )
    base = _HEIGHT - _FOOT
    return Markup(
        '<svg class="bars" viewBox="0 0 {w} {h}" role="img"><title>{title}</title><desc>{desc}</desc>'
        '<line class="axis" x1="0" y1="{base}" x2="{w}" y2="{base}"/>{drawn}'
        '<text class="tick" x="1" y="{foot}">{low:g}</text>'
        '<text class="tick" x="{right}" y="{foot}" text-anchor="end">{high:g}</text></svg>'
    ).format(
        w=_WIDTH, h=_HEIGHT, base=base, foot=_HEIGHT - 3, right=_WIDTH - 1, low=low, high=high,
        title=f"{name} ({measure}), {texts[unit].strip()}", desc=described, drawn=Markup("").join(drawn),
    )  # fmt: skip
