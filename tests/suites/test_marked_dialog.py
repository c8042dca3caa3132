"""The turns of a dialogue as they are marked: what is counted at once is what a reader of the rows counts."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import dialog, turn
from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.marked import outcomes_of
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marked_turn import MarkedTurn
from turnmark.schemas.reasons import TEMPLATES, Reason
from turnmark.schemas.trace import DialogTrace
from turnmark.stats.by_turn import TurnSums
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Tally, Value
from turnmark.suites.turns import MarkedDialog

METRICS = (
    Metric("polite", "P", "1.0.0", "mail", "Polite", "turn", "", (Measure("polite"), Measure("warm", "mean"))),
    Metric("brief", "B", "1.0.0", "mail", "Brief", "turn", "", (Measure("words", "mean", high=9.0),)),
)
numbers = st.integers(0, 50)
ratios = st.builds(lambda hits, more, rest: Ratio(hits, hits + more, rest), numbers, numbers, numbers)
values = st.builds(Value, st.floats(0, 9))
reasons = st.sampled_from([Reason("no_rule"), Reason("field_missing", {"field": "answer"})]) | st.builds(
    Reason.text, st.text() | st.sampled_from(sorted(TEMPLATES.values()))
)
lacks = st.builds(NotApplicable, reasons) | st.builds(Failed, reasons)


def outcomes():
    return st.fixed_dictionaries({
        "polite": lacks | st.tuples(ratios, ratios | values), "brief": lacks | st.tuples(ratios | values),
    })  # fmt: skip


def marked(given):
    trace = msgspec.convert(
        dialog("d", [turn(place, turn_status=status) for place, (status, _) in enumerate(given, 1)]), DialogTrace
    )
    found = MarkedDialog("mail", METRICS, trace)
    for one, (_, outcome) in zip(trace.turns, given, strict=True):
        found.add(one, "normal", outcome, [Evidence(metric="polite", rule="r", quote="please")])
    return found.evaluated()


def sums(each):
    tally, turns = Tally([len(metric.measures) for metric in METRICS]), TurnSums()
    for number, outcomes_by_name in enumerate(each, 1):
        for place, metric in enumerate(METRICS):
            tally.add(tally.open("d"), place, outcomes_by_name[metric.name])
            turns.add(metric.name, number, outcomes_by_name[metric.name])
    figures = [turns.points(metric.name, 0, (0.0, 9.0)) for metric in METRICS]
    return tally.dialogs, figures, turns.reasons


@given(st.lists(st.tuples(st.sampled_from(["ok", "ok", "timeout", "error"]), outcomes()), min_size=1, max_size=6))
def test_rows_read_back_count_the_same(given):
    found = marked(given)
    rows = [msgspec.json.decode(msgspec.json.encode(row), type=MarkedTurn) for row in found.rows]
    read = [{metric.name: outcomes_of(metric, row) for metric in METRICS} for row in rows]
    assert sums(found.outcomes) == sums(read)


def test_a_turn_that_did_not_end_ok_keeps_its_marks_and_counts_as_failed():
    given = {"polite": (Ratio(1, 2), Value(1.0)), "brief": NotApplicable("no words")}
    found = marked([("timeout", given), ("ok", given)])
    lost = Failed(Reason("turn_status", {"status": "timeout"}))
    assert found.outcomes == [{"polite": lost, "brief": lost}, given]
    assert found.rows[0].marks == found.rows[1].marks
    assert found.rows[0].marks["polite"].measures == {"polite": (1.0, 2.0), "warm": (1.0, 1.0)}
    assert [(piece.dialog_id, piece.turn_pair_id) for piece in found.evidence] == [("d", 1), ("d", 2)]


def test_a_metric_without_outcomes_is_a_fault_of_the_suite():
    with pytest.raises(KeyError, match="brief"):
        marked([("ok", {"polite": NotApplicable("x")})])
