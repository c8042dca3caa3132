"""What was not decided enters no figure and bounds every one."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.metrics import catalog
from turnmark.metrics.marked import mark_of, outcomes_of
from turnmark.pipeline.scoring.summarise import summarise
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.results.summary import as_builtin
from turnmark.stats.dialog_table import DialogTable
from turnmark.stats.pooling import Part, pooled
from turnmark.stats.tally import Ratio, Tally, bounded

FAITHFULNESS = catalog.metric("faithfulness")


def tally_of(*rows):
    """A tally of one measure: (dialogue, ratio, normal)."""
    tally = Tally([1])
    for dialog, ratio, normal in rows:
        tally.add(tally.open(dialog), 0, (ratio,), normal=normal)
    return tally


def table_of(tally):
    table = DialogTable(tally.widths)
    table.add(tally.dialogs.values())
    return table


def test_bounds_by_hand():
    # d1: 2 of 3, 1 open; d2: 0 of 1, 3 open; d3: all decided.
    # Pooled 3/5; all 5 + 4 = 9 things: 3/9 to 7/9. Dialogues: 2/4 to 3/4, 0/4 to 3/4, 1 to 1.
    tally = tally_of(("d1", Ratio(2, 3, 1), True), ("d2", Ratio(0, 1, 3), True), ("d3", Ratio(1, 1), True))
    found = pooled(Part(table_of(tally)), 0)
    assert (found.hits, found.totals) == ([3.0], [5.0])
    assert found.bounds[0].undecided == 4
    assert found.bounds[0].decided_share == 5 / 9
    assert found.bounds[0].pooled == (3 / 9, 7 / 9)
    assert found.bounds[0].macro == pytest.approx(((0.5 + 0 + 1) / 3, (0.75 + 0.75 + 1) / 3))


def test_a_run_with_nothing_decided_has_bounds_and_no_figure():
    tally = tally_of(("d1", Ratio(0, 0, 2), True))
    result = summarise(table_of(tally), [FAITHFULNESS])["faithfulness"]
    name = FAITHFULNESS.measures[0].name
    assert result.denominators[name] == 0
    assert result.decided_share == {name: 0.0}
    assert result.bounds == {name: (0.0, 1.0)}


def test_normal_rows_leave_out_what_abnormal_rows_left_open():
    tally = tally_of(("d1", Ratio(1, 1, 2), False), ("d1", Ratio(1, 2, 1), True))
    found = pooled(Part(table_of(tally), normal=True), 0)
    assert found.bounds[0].undecided == 1
    assert found.bounds[0].pooled == (1 / 3, 2 / 3)


def test_sums_made_apart_merge():
    one, other = tally_of(("d1", Ratio(1, 1, 2), True)), tally_of(("d1", Ratio(0, 1, 1), False))
    table = table_of(one)
    table.add(other.dialogs.values())
    assert Part(table).undecided(0).tolist() == [3.0]
    assert Part(table, normal=True).undecided(0).tolist() == [2.0]


def test_nothing_open_leaves_no_trace_in_files():
    tally = tally_of(("d1", Ratio(1, 2), True))
    result = summarise(table_of(tally), [FAITHFULNESS])["faithfulness"]
    written = msgspec.json.encode(result, enc_hook=as_builtin)
    assert b"decided_share" not in written
    assert b'"bounds"' not in written
    assert b"macro_bounds" not in written
    assert b"undecided" not in msgspec.json.encode(mark_of(FAITHFULNESS, (Ratio(1, 2),)))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8))
def test_the_figure_of_any_way_of_deciding_lies_within_the_bounds(rows):
    ratios = [Ratio(min(hits, total), total, rest) for hits, total, rest in rows]
    tally = tally_of(*((f"d{place}", one, True) for place, one in enumerate(ratios)))
    found = pooled(Part(table_of(tally)), 0)
    everything = sum(one.total + one.undecided for one in ratios)
    if not found.bounds:
        assert not any(one.undecided for one in ratios)
        return
    low, high = found.bounds[0].pooled
    for taken in range(6):
        hits = sum(one.hits + min(taken, one.undecided) for one in ratios)
        assert low - 1e-12 <= hits / everything <= high + 1e-12
    assert (low, high) == bounded(found.hits[0], found.totals[0], found.bounds[0].undecided)


def test_marks_keep_what_was_not_decided():
    mark = mark_of(FAITHFULNESS, (Ratio(1, 2, 3),))
    row = MarkedTurn(trace_version="v1", suite="rag", run_id="r", dialog_id="d", turn_pair_id=1,
                     marks={"faithfulness": mark})  # fmt: skip
    assert mark.undecided == {FAITHFULNESS.measures[0].name: 3.0}
    assert list(outcomes_of(FAITHFULNESS, row)) == [Ratio(1, 2, 3)]
