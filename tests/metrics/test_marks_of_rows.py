"""What a metric gives for a turn, what the row keeps of it, and how far that lies from the best."""

import pytest

from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.marked import NOT_MARKED, mark_of, outcomes_of, readers, reason_of
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.marks import Mark
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Tally, Value

METRIC = Metric(
    "tone", "TONE", "1.0.0", "mail", "Tone", "turn", "a reply",
    (Measure("polite"), Measure("words", "mean", low=10.0, high=30.0), Measure("rude", upward=False)),
)  # fmt: skip


def row(mark=None, status="ok"):
    marks = {} if mark is None else {"tone": mark}
    return MarkedTurn(
        trace_version="v1", suite="mail", run_id="r", dialog_id="d", turn_pair_id=1, turn_status=status, marks=marks
    )


def test_a_row_gives_back_what_it_was_given():
    given = [Ratio(2.0, 3.0, 1.0), Value(12.5), Ratio(0.0, 4.0)]
    kept = mark_of(METRIC, given)
    assert kept.measures == {"polite": (2.0, 3.0), "words": (12.5, 1.0), "rude": (0.0, 4.0)}
    assert kept.undecided == {"polite": 1.0}
    assert outcomes_of(METRIC, row(kept)) == given


def test_a_measure_that_a_mark_does_not_name_counts_for_nothing():
    assert outcomes_of(METRIC, row(Mark(measures={"polite": (1.0, 1.0)}))) == [
        Ratio(1.0, 1.0), Ratio(0.0, 0.0), Ratio(0.0, 0.0)
    ]  # fmt: skip


@pytest.mark.parametrize("status", ["timeout", "error"])
def test_a_turn_that_did_not_end_ok_failed_whatever_its_mark(status):
    assert isinstance(outcomes_of(METRIC, row(mark_of(METRIC, [Ratio(1, 1), Value(1), Ratio(0, 1)]), status)), Failed)


def test_without_a_mark_a_metric_does_not_apply_and_a_failure_stays_one():
    assert isinstance(outcomes_of(METRIC, row()), NotApplicable)
    assert isinstance(outcomes_of(METRIC, row(mark_of(METRIC, NotApplicable("why")))), NotApplicable)
    assert isinstance(outcomes_of(METRIC, row(mark_of(METRIC, Failed("why")))), Failed)


def test_as_many_outcomes_as_measures():
    with pytest.raises(ValueError, match="argument"):
        mark_of(METRIC, [Ratio(1, 1)])


@pytest.mark.parametrize(
    ("measure", "sums", "expected"),
    [
        (Measure("m"), (3.0, 4.0), 0.25),
        (Measure("m"), (4.0, 4.0), 0.0),
        (Measure("m"), (0.0, 4.0), 1.0),
        (Measure("m", upward=False), (3.0, 4.0), 0.75),
        (Measure("m", "mean", low=10.0, high=30.0), (25.0, 1.0), 0.25),
        (Measure("m", "mean", low=10.0, high=30.0), (50.0, 2.0), 0.25),
        (Measure("m", "mean", low=10.0, high=30.0, upward=False), (15.0, 1.0), 0.25),
        (Measure("m", "mean", low=10.0, high=30.0), (45.0, 1.0), 0.0),
        (Measure("m", "mean", low=10.0, high=30.0), (5.0, 1.0), 1.0),
        (Measure("m"), (0.0, 0.0), None),
    ],
)
def test_how_far_a_value_lies_from_its_best(measure, sums, expected):
    assert measure.shortfall(*sums) == expected


def test_the_first_measure_files_a_turn_unless_measures_say_which():
    assert METRIC.faults() == ((METRIC.measures[0], "mark"),)
    said = METRIC._replace(measures=(Measure("a", fault="none"), Measure("b", fault="severe"), Measure("c")))
    assert said.faults() == ((said.measures[1], "severe"),)


def test_the_first_table_holds_all_measures_unless_a_metric_names_some():
    assert METRIC.main_measures() == ("polite", "words", "rude")
    assert METRIC._replace(main=("rude",)).main_measures() == ("rude",)


def test_sums_of_several_metrics_stand_apart_over_all_rows_and_over_normal_ones():
    tally = Tally([1, 2, 1])
    sums = tally.open("d1")
    assert (len(sums.sums), len(sums.counts)) == (8, 9)
    tally.add(sums, 0, [Ratio(1, 2)])
    tally.add(sums, 1, [Ratio(3, 4, 5), Value(7)], normal=False)
    tally.add(sums, 2, Failed("broke"), normal=False)
    tally.add(sums, 2, NotApplicable("none"))
    assert list(sums.sums) == [1, 2, 3, 4, 7, 1, 0, 0]
    assert list(sums.counts) == [1, 1, 0, 1, 1, 0, 2, 0, 1]
    assert list(sums.abnormal_sums) == [0, 0, 3, 4, 7, 1, 0, 0]
    assert list(sums.abnormal_counts) == [0, 0, 0, 1, 1, 0, 1, 0, 1]
    assert list(sums.undecided.values()) == [5]
    assert sums.abnormal_undecided == sums.undecided


def test_why_there_is_no_figure_is_kept_as_code_or_as_text():
    coded, plain = Reason("turn_status", {"status": "error"}), Reason.text("the detector broke")
    assert mark_of(METRIC, Failed(coded)) == Mark(failed=str(coded), reason=coded)
    assert mark_of(METRIC, Failed(plain)) == Mark(failed="the detector broke")
    assert mark_of(METRIC, NotApplicable(plain)) == Mark(not_applicable="the detector broke")
    assert reason_of(Mark(failed="x", reason=coded)) == coded
    assert reason_of(Mark(failed="broke", not_applicable="none")) == Reason.text("broke")
    assert reason_of(Mark(not_applicable="none")) == Reason.text("none")
    assert reason_of(Mark()) == NOT_MARKED
    later = Mark(not_applicable="a text of then", reason=Reason("a code of later"))
    assert reason_of(later) == Reason.text("a text of then")


def test_rows_are_read_for_the_metrics_of_turns_at_their_places():
    of_dialogs = METRIC._replace(name="whole", unit="dialog")
    ((place, read),) = readers([of_dialogs, METRIC])
    assert place == 1
    assert read(row(mark_of(METRIC, [Ratio(1, 1), Value(2), Ratio(0, 1)]))) == [Ratio(1, 1), Value(2), Ratio(0, 1)]
