"""The sums of many dialogues in columns that grow: numbers and no objects, so that a run may have millions of them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence

from turnmark.stats.columns import Columns
from turnmark.stats.tally import DialogSums


class DialogTable:
    """Dialogues in the order in which they came, each with the numbers of its `DialogSums`.

    ``widths`` are the numbers of measures of each metric, in order. ``places`` maps dialogues to their row. There are
    two columns a measure (``sums``: hits and total) and three a metric (``counts``: rows, eligible rows, failed rows).
    What few dialogues have stands in columns of its own with the row before it: ``abnormal_…`` is the part that comes
    from rows whose reply is not normal, ``undecided`` and ``abnormal_undecided`` are triples of row, measure by its
    place among all, and what was not decided.
    """

    def __init__(self, widths: Sequence[int]) -> None:
        self.widths = tuple(widths)
        self.places: dict[str, int] = {}
        self.sums = Columns(2 * sum(widths))
        self.counts = Columns(3 * len(widths))
        self.abnormal_rows = array("i")
        self.abnormal_sums = Columns(2 * sum(widths))
        self.abnormal_counts = Columns(3 * len(widths))
        self.undecided = Triples()
        self.abnormal_undecided = Triples()
        self._strata_of = array("i")
        self._strata: dict[tuple[tuple[str, str], ...], int] = {}

    def __len__(self) -> int:
        return len(self.places)

    def add(self, dialogs: Iterable[DialogSums]) -> None:
        """Take over sums; a dialogue that is there already is added to."""
        for dialog in dialogs:
            row = self.places.setdefault(dialog.dialog_id, len(self.places))
            if row == len(self._strata_of):
                self.sums.append(dialog.sums)
                self.counts.append(dialog.counts)
                self._strata_of.append(self._strata.setdefault(tuple(dialog.strata.items()), len(self._strata)))
            else:
                self.sums.add(row, dialog.sums)
                self.counts.add(row, dialog.counts)
            if any(dialog.abnormal_counts):
                self.abnormal_rows.append(row)
                self.abnormal_sums.append(dialog.abnormal_sums)
                self.abnormal_counts.append(dialog.abnormal_counts)
            self.undecided.add(row, dialog.undecided)
            self.abnormal_undecided.add(row, dialog.abnormal_undecided)

    def groups(self, field: str) -> dict[str, array[int]]:
        """Rows by the value that dialogues have for a field, values sorted, dialogues without one under "(none)"."""
        values = [dict(strata).get(field) or "(none)" for strata in self._strata]
        groups = {value: array("i") for value in sorted(set(values))}
        for row, known in enumerate(self._strata_of):
            groups[values[known]].append(row)
        return groups


class Triples:
    """Row, measure by its place among all, and a number, in three columns."""

    def __init__(self) -> None:
        self.rows = array("i")
        self.measures = array("i")
        self.numbers = array("d")

    def add(self, row: int, numbers: Mapping[int, float]) -> None:
        """What a dialogue has by measure."""
        for measure, number in numbers.items():
            self.rows.append(row)
            self.measures.append(measure)
            self.numbers.append(number)
