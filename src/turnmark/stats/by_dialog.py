"""Each dialogue's own figures of one metric, worked out when they are asked for."""

from __future__ import annotations

import itertools
from collections.abc import ItemsView, Iterator, Mapping, Sequence
from typing import NamedTuple

from turnmark.stats.dialog_table import DialogTable


class Shown(NamedTuple):
    """A measure that dialogues show: its place in the metric and its name.

    With ``always`` a dialogue in which it counted nothing shows 0, else it leaves the measure out.
    """

    place: int
    name: str
    always: bool


class ByDialog(Mapping[str, dict[str, float]]):
    """Dialogues that have an eligible row of a metric, in the order of their table, with hits / total of each measure.

    The table is kept and nothing besides, so that a million dialogues take no memory of their own. Nothing may be added
    to it. ``metric`` is the place of the metric among those of the table.
    """

    def __init__(self, table: DialogTable, metric: int, shown: Sequence[Shown]) -> None:
        self._table = table
        self._metric = metric
        self._shown = tuple(shown)

    def __getitem__(self, dialog_id: str) -> dict[str, float]:
        row = self._table.places[dialog_id]
        if not self._eligible[row]:
            raise KeyError(dialog_id)
        return self._figures([column[row] for column in self._sums()])

    def __iter__(self) -> Iterator[str]:
        return itertools.compress(self._table.places, self._eligible)

    def __len__(self) -> int:
        return sum(map(bool, self._eligible))

    def __repr__(self) -> str:
        return repr(dict(self))

    def items(self) -> ItemsView[str, dict[str, float]]:
        """Dialogues with their figures."""
        return _Items(self)

    def all_figures(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Dialogues with their figures, column by column: faster than one dialogue after the other."""
        rows = zip(*self._sums(), strict=True) if self._shown else itertools.repeat((), len(self._table))
        own = itertools.compress(rows, self._eligible)
        return zip(self, map(self._figures, own), strict=True)

    @property
    def _eligible(self) -> Sequence[float]:
        return self._table.counts.column(3 * self._metric + 1)

    def _sums(self) -> list[Sequence[float]]:
        """Hits and totals of each measure that is shown."""
        start = sum(self._table.widths[: self._metric])
        places = [2 * (start + measure.place) + at for measure in self._shown for at in (0, 1)]
        return [self._table.sums.column(place) for place in places]

    def _figures(self, sums: Sequence[float]) -> dict[str, float]:
        pairs = zip(self._shown, sums[0::2], sums[1::2], strict=True)
        return {
            measure.name: hits / total if total else 0.0 for measure, hits, total in pairs if total or measure.always
        }


class _Items(ItemsView[str, dict[str, float]]):
    def __init__(self, figures: ByDialog) -> None:
        super().__init__(figures)
        self._figures = figures

    def __iter__(self) -> Iterator[tuple[str, dict[str, float]]]:
        return self._figures.all_figures()
