"""Small drawings: an interval on its scale, a bar of shares. Their look is in the style sheet, none of it inline."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from turnmark.report.view.tables import MeasureRow
from turnmark.schemas.results.summary import Interval

WIDTH = 200
HEIGHT = 22
_MARGIN = 18
_BAR = 1000.0


def whisker(row: MeasureRow) -> Markup:
    """The pooled figure as a dot, its interval as a bar, the figure over normal replies as a diamond if it differs."""
    middle = HEIGHT / 2
    parts = [line(_MARGIN, middle, WIDTH - _MARGIN, middle, "axis")]
    parts += [line(x, middle - 3, x, middle + 3, "axis") for x in (_MARGIN, WIDTH / 2, WIDTH - _MARGIN)]
    for index, bound in ((_MARGIN - 11, row.low), (WIDTH - _MARGIN + 11, row.high)):
        parts.append(
            Markup('<text class="tick" x="{}" y="{}" text-anchor="middle">{}</text>').format(
                index, middle + 3, f"{bound:g}"
            )
        )
    if row.overall.value is not None and row.overall.interval is not None:
        low, high = (_x(bound, row) for bound in row.overall.interval)
        parts.append(line(low, middle, high, middle, "range"))
    if row.normal.value is not None and row.normal.value != row.overall.value:
        x = _x(row.normal.value, row)
        parts.append(
            Markup('<path class="diamond" d="M{} {}l4.5 4.5l-4.5 4.5l-4.5 -4.5z"/>').format(short(x), middle - 4.5)
        )
    if row.overall.value is not None:
        parts.append(
            Markup('<circle class="dot" cx="{}" cy="{}" r="3.5"/>').format(short(_x(row.overall.value, row)), middle)
        )
    return _svg(WIDTH, HEIGHT, "whisker", parts)


def around_zero(value: float | None, interval: Interval, reach: float = 1.0) -> Markup:
    """A difference as a dot and its interval as a bar, with zero in the middle of a scale that reaches so far."""
    middle = HEIGHT / 2
    span = (WIDTH - 2 * _MARGIN) / 2

    def x(at: float) -> float:
        return WIDTH / 2 + min(max(at / reach, -1.0), 1.0) * span

    parts = [line(_MARGIN, middle, WIDTH - _MARGIN, middle, "axis"), line(x(0), 3, x(0), HEIGHT - 3, "axis")]
    if interval is not None:
        parts.append(line(x(interval[0]), middle, x(interval[1]), middle, "range"))
    if value is not None:
        parts.append(Markup('<circle class="dot" cx="{}" cy="{}" r="3.5"/>').format(short(x(value)), middle))
    return _svg(WIDTH, HEIGHT, "whisker", parts)


def zero_scale(reach: float) -> Markup:
    """The ends of the scale of `around_zero` and its middle, as parts of a measure's scale."""
    ends = ((_MARGIN, f"\N{MINUS SIGN}{reach:g}"), (WIDTH / 2, "0"), (WIDTH - _MARGIN, f"+{reach:g}"))
    text = Markup('<text class="tick" x="{}" y="11" text-anchor="middle">{}</text>')
    parts = [text.format(short(x), said) for x, said in ends]
    return _svg(WIDTH, 14, "whisker", parts)


def shares(parts: Sequence[tuple[str, int]]) -> Markup:
    """What became of the rows of a metric, as one bar."""
    return stacked([(f"cover-{name}", count) for name, count in parts], "")


def stacked(parts: Sequence[tuple[str, int]], prefix: str = "state-") -> Markup:
    """Shares of a whole as one bar; each part has its class."""
    total = sum(count for _, count in parts)
    drawn = []
    x = 0.0
    for name, count in parts:
        width = _BAR * count / total if total else 0.0
        drawn.append(
            Markup('<rect class="{}{}" x="{}" y="0" width="{}" height="12"/>').format(
                prefix, name, short(x), short(width)
            )
        )
        x += width
    return _svg(int(_BAR), 12, "stacked", drawn, stretch=True)


def _x(value: float, row: MeasureRow) -> float:
    share = (value - row.low) / (row.high - row.low) if row.high > row.low else 0.0
    return _MARGIN + min(max(share, 0.0), 1.0) * (WIDTH - 2 * _MARGIN)


def line(x1: float, y1: float, x2: float, y2: float, name: str) -> Markup:
    """A line of the class that the style sheet draws."""
    return Markup('<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>').format(
        name, short(x1), short(y1), short(x2), short(y2)
    )


def short(value: float) -> str:
    """A coordinate with one decimal where it needs one."""
    return f"{value:.1f}".removesuffix(".0")


def _svg(width: int, height: int, name: str, parts: Sequence[Markup], *, stretch: bool = False) -> Markup:
    ratio = Markup(' preserveAspectRatio="none"') if stretch else Markup("")
    return Markup('<svg class="{}" viewBox="0 0 {} {}"{} aria-hidden="true" focusable="false">{}</svg>').format(
        name, width, height, ratio, Markup("").join(parts)
    )
