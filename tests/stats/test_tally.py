"""Sums by dialogue, from which every figure is taken."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.schemas.reasons import Reason
from turnmark.stats.by_dialog import ByDialog, Shown
from turnmark.stats.dialog_table import DialogTable
from turnmark.stats.pooling import Part, pooled
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Tally, Value

# Two metrics: the first has two measures (a ratio and a mean), the second has one.
WIDTHS = [2, 1]


def filled(rows, widths=WIDTHS):
    """A tally of (dialog, metric, outcomes, normal)."""
    tally = Tally(widths)
    for dialog, metric, outcomes, normal in rows:
        tally.add(tally.open(dialog), metric, outcomes, normal=normal)
    return tally


def pool(tally, metric, *, normal=False):
    return pooled(part(tally, normal=normal), metric)


def table_of(tally):
    table = DialogTable(tally.widths)
    table.add(tally.dialogs.values())
    return table


def part(tally, *, normal=False):
    return Part(table_of(tally), normal=normal)


def by_dialog(tally, metric, *, always=False):
    """Each dialogue's own ratios, of those that have any; measures are named by their places."""
    return ByDialog(table_of(tally), metric, [Shown(at, str(at), always) for at in range(tally.widths[metric])])


def columns(found):
    """Hits and totals of all measures, a list a measure."""
    return [read(at).tolist() for at in range(sum(found.widths)) for read in (found.hits, found.totals)]


def test_micro_pools_rows_and_macro_means_dialogues():
    # d1: 1/4 and 1/4, d2: 2/2. Micro (1 + 1 + 2) / (4 + 4 + 2) = 0.4; macro (2/8 + 2/2) / 2 = 0.625.
    tally = filled(
        [
            ("d1", 0, (Ratio(1, 4), Value(1.0)), True),
            ("d1", 0, (Ratio(1, 4), Value(2.0)), True),
            ("d2", 0, (Ratio(2, 2), Value(5.0)), True),
        ]
    )
    found = pool(tally, 0)
    assert (found.rows, found.eligible, found.failed) == (3, 3, 0)
    assert found.hits == [4.0, 8.0]
    assert found.totals == [10.0, 3.0]
    assert found.macro == [0.625, (1.5 + 5.0) / 2]
    assert by_dialog(tally, 0) == {"d1": {"0": 0.25, "1": 1.5}, "d2": {"0": 1.0, "1": 5.0}}


def test_not_applicable_and_failed_rows_count_as_rows_and_nothing_else():
    tally = filled(
        [
            ("d1", 1, NotApplicable("nothing asked"), True),
            ("d1", 1, Failed("broke"), True),
            ("d1", 1, (Ratio(0, 3),), True),
            ("d2", 1, Failed("broke"), True),
        ]
    )
    found = pool(tally, 1)
    assert (found.rows, found.eligible, found.failed) == (4, 1, 2)
    assert found.hits == [0.0]
    assert found.totals == [3.0]
    assert by_dialog(tally, 1) == {"d1": {"0": 0.0}}, "a dialogue without an eligible row has no figure, not 0"
    assert found.macro == [0.0]


def test_no_rows_at_all_has_no_macro():
    assert pool(Tally(WIDTHS), 0).macro == [None, None]
    assert pool(filled([("d", 0, NotApplicable("x"), True)]), 0).macro == [None, None]


def test_zero_of_zero_is_no_figure_of_its_dialogue():
    tally = filled([("d1", 1, (Ratio(0, 0),), True), ("d2", 1, (Ratio(1, 2),), True)])
    found = pool(tally, 1)
    assert by_dialog(tally, 1) == {"d1": {}, "d2": {"0": 0.5}}
    assert by_dialog(tally, 1, always=True) == {"d1": {"0": 0.0}, "d2": {"0": 0.5}}
    assert found.macro == [0.5]
    assert (found.eligible, found.totals) == (2, [2.0])


def test_rows_that_are_not_normal_are_left_out_when_asked():
    tally = filled(
        [
            ("d1", 1, (Ratio(1, 1),), False),
            ("d1", 1, (Ratio(0, 1),), True),
            ("d1", 1, Failed("x"), False),
            ("d2", 1, (Ratio(1, 1),), False),
        ]
    )
    everything, normal = pool(tally, 1), pool(tally, 1, normal=True)
    assert (everything.rows, everything.eligible, everything.failed, everything.hits) == (4, 3, 1, [2.0])
    assert (normal.rows, normal.eligible, normal.failed, normal.hits) == (1, 1, 0, [0.0])
    assert part(tally, normal=True).eligible(1).tolist() == [1, 0]


def test_metrics_do_not_mix():
    tally = filled([("d", 0, (Ratio(1, 1), Value(3.0)), True), ("d", 1, (Ratio(0, 7),), True)])
    assert pool(tally, 0).totals == [1.0, 1.0]
    assert pool(tally, 1).totals == [7.0]
    assert columns(part(tally)) == [[1.0], [1.0], [3.0], [1.0], [0.0], [7.0]]


def test_open_gives_the_same_sums_and_keeps_the_first_strata():
    tally = Tally(WIDTHS)
    first = tally.open("d", {"difficulty": "hard"})
    assert tally.open("d", {"difficulty": "easy"}) is first
    assert first.strata == {"difficulty": "hard"}


rows = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c"]),
        st.just(1),
        st.integers(0, 4).flatmap(lambda total: st.integers(0, total).map(lambda hits: (Ratio(hits, total),)))
        | st.just(NotApplicable("n"))
        | st.just(Failed("f")),
        st.booleans(),
    ),
    max_size=20,
)


@given(rows, st.randoms(use_true_random=False))
def test_order_of_rows_changes_no_sum(given_rows, random):
    shuffled = list(given_rows)
    random.shuffle(shuffled)
    for normal in (False, True):
        one, two = pool(filled(given_rows), 1, normal=normal), pool(filled(shuffled), 1, normal=normal)
        assert one[:5] == two[:5]
    assert by_dialog(filled(given_rows), 1) == by_dialog(filled(shuffled), 1)


@given(rows, rows)
def test_merging_is_the_same_as_adding_all_rows(first, second):
    together = filled(first + second)
    table = DialogTable(WIDTHS)
    table.add(filled(first).dialogs.values())
    table.add(filled(second).dialogs.values())
    for normal in (False, True):
        assert pooled(Part(table, normal=normal), 1) == pool(together, 1, normal=normal)


@given(rows)
def test_shares_lie_in_their_range_and_counts_add_up(given_rows):
    found = pool(filled(given_rows), 1)
    assert found.rows == len(given_rows)
    assert 0 <= found.eligible + found.failed <= found.rows
    assert 0 <= found.hits[0] <= found.totals[0]
    assert found.macro[0] is None or 0 <= found.macro[0] <= 1
    for own in by_dialog(filled(given_rows), 1).values():
        assert 0 <= own.get("0", 0) <= 1


@given(rows.map(lambda found: [("only", *rest) for _, *rest in found]))
def test_macro_is_micro_when_there_is_one_dialogue(given_rows):
    found = pool(filled(given_rows), 1)
    if found.totals[0]:
        assert math.isclose(found.macro[0], found.hits[0] / found.totals[0])
    else:
        assert found.macro == [None]


@pytest.mark.parametrize("kind", [Ratio(1, 2), Value(0.5), NotApplicable("x"), Failed("y")])
def test_outcomes_cannot_be_changed_and_compare_by_value(kind):
    assert kind == type(kind)(*[getattr(kind, name) for name in kind.__struct_fields__])
    with pytest.raises(AttributeError):
        setattr(kind, kind.__struct_fields__[0], 0)


def test_columns_hold_all_rows_unless_normal_ones_are_asked_for():
    tally = filled([("d", 1, (Ratio(1, 2),), False), ("d", 1, (Ratio(1, 1),), True)])
    assert columns(part(tally))[-2:] == [[2.0], [3.0]]
    assert columns(part(tally, normal=True))[-2:] == [[1.0], [1.0]]


def test_what_one_metric_leaves_open_bounds_its_own_measure_only():
    tally = Tally([2, 3, 2])
    tally.add(tally.open("d"), 0, [Ratio(1, 1), Ratio(1, 1)])
    tally.add(tally.open("d"), 1, [Ratio(0, 1), Value(0.5), Ratio(1, 2, 2)])
    tally.add(tally.open("d"), 2, [Ratio(3, 4, 1), Ratio(0, 5)])
    found = [pool(tally, metric).bounds for metric in range(3)]
    # Of metric 1: 1 of 2, two open: 1/4 to 3/4. Of metric 2: 3 of 4, one open: 3/5 to 4/5.
    assert {place: bounds.pooled for place, bounds in found[1].items()} == {2: (1 / 4, 3 / 4)}
    assert {place: bounds.pooled for place, bounds in found[2].items()} == {0: (3 / 5, 4 / 5)}
    assert found[0] == {}


def test_a_reason_given_as_text_is_one():
    assert Failed("broke").reason == Reason.text("broke")
    assert Failed(Reason("not_marked")).reason == Reason("not_marked")
    assert NotApplicable("none").reason == Reason.text("none")


def test_sums_are_added_one_after_the_other():
    # In pairs, as numpy adds long columns, the last digits would be others.
    numbers = [0.1 * number for number in range(1, 3000)]
    tally = filled([(f"d{at}", 1, (Value(number),), True) for at, number in enumerate(numbers)])
    found = pool(tally, 1)
    plain = 0.0
    for number in numbers:
        plain += number
    assert found.hits == [plain]
    assert found.macro == [plain / len(numbers)]


def test_groups_are_sorted_and_those_without_a_value_stand_under_none():
    tally = Tally([1])
    for name, strata in (("a", {"topic": "z"}), ("b", {}), ("c", {"topic": "k", "x": "1"}), ("d", {"topic": "z"})):
        tally.open(name, strata)
        tally.add(tally.open(name), 0, (Ratio(1, ord(name)),))
    table = table_of(tally)
    groups = table.groups("topic")
    assert [(value, list(rows)) for value, rows in groups.items()] == [("(none)", [1]), ("k", [2]), ("z", [0, 3])]
    assert Part(table).of(groups["z"]).totals(0).tolist() == [ord("a"), ord("d")]
