"""Clinical events: typed view, faults, metrics laid over, and the way to trace v1 and back."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.schemas.clinical.events import (
    EventRecord,
    SlotsTruth,
    events_to_traces,
    read_event,
    traces_to_events,
    with_metrics,
)
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace

EVENT = {
    "schema_version": "events_record.v1",
    "run_id": "r1",
    "mode": "agent",
    "patient_id": "p1",
    "turn_id": 2,
    "question": {"question_id": "q2", "text": "제 약은 무엇인가요?", "tone": "polite"},
    "answer": "메트포르민을 드시고 계십니다.",
    "timestamp_utc": "2025-12-14T00:00:00Z",
    "metrics": {"faithfulness": 0.8, "CUS": None},
    "slots_truth": {"age": 67, "key_labs": {"hba1c": {"value": 7.2, "unit": "%"}}, "key_meds": ["metformin 500mg"]},
    "colour": {"of": ["the", "newer", "version"]},
}


def test_values_of_slots_stay_as_users_have_them():
    event = read_event(EVENT, "events.jsonl", 1)
    assert isinstance(event, EventRecord)
    assert event.slots_truth["key_labs"] == {"hba1c": {"value": 7.2, "unit": "%"}}
    assert event.question.text == "제 약은 무엇인가요?"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"mode": "human"}, "$.mode"),
        ({"turn_id": 0}, "$.turn_id"),
        ({"question": {"question_id": "q"}}, "$.question.text"),
        ({"schema_version": "v2"}, "$.schema_version"),
    ],
)
def test_a_fault_names_its_field(change, field):
    found = read_event(EVENT | change, "events.jsonl", 7)
    assert isinstance(found, Problem)
    assert (found.file, found.line, found.field) == ("events.jsonl", 7, field)


def test_a_line_that_is_no_object_is_a_problem():
    assert "array of 0" in str(read_event([], "events.jsonl", 3))


def test_metrics_are_laid_over_and_the_rest_passes_through():
    scored = with_metrics(EVENT, {"SFS": 1.0, "CSP": None})
    assert scored["metrics"] == {"faithfulness": 0.8, "CUS": None, "SFS": 1.0, "CSP": None}
    assert scored["colour"] == EVENT["colour"]
    assert with_metrics({"metrics": None}, {"SFS": 0.5}) == {"metrics": {"SFS": 0.5}}


def test_events_become_dialogues_of_trace_v1():
    first = EVENT | {"turn_id": 1}
    other = EVENT | {"mode": "llm", "answer": " "}
    traces = events_to_traces([EVENT, other, first])
    assert [(trace["dialog_id"], trace["session_id"], trace["dialog_status"]) for trace in traces] == [
        ("p1", "agent/p1", "ok"),
        ("p1", "llm/p1", "failed"),
    ]
    typed = msgspec.convert(traces[0], DialogTrace)
    assert [(turn.turn_pair_id, turn.user_turn_abs_idx) for turn in typed.turns] == [(1, 0), (2, 2)]
    assert traces_to_events(traces) == [first, EVENT, other]


def test_a_dialogue_with_one_failed_answer_is_partial():
    (trace,) = events_to_traces([EVENT, EVENT | {"turn_id": 3, "answer": None}])
    assert trace["dialog_status"] == "partial"
    assert trace["turns"][1]["error"]


def test_a_trace_of_other_origin_becomes_events():
    (event,) = traces_to_events(
        [
            {
                "run_id": "r",
                "dialog_id": "d",
                "turns": [{"turn_pair_id": 1, "user_text": "q", "pred_assistant_text": "a"}],
            }
        ]
    )
    assert isinstance(read_event(event, "f", 1), EventRecord)


_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.text(min_size=1, max_size=6), _values, max_size=3), st.lists(st.integers(1, 5), unique=True))
def test_unknown_fields_survive_the_round_trip(extra, turns):
    events = [{**extra, **EVENT, "turn_id": turn} for turn in sorted(turns)]
    assert traces_to_events(events_to_traces(events)) == events


def test_slots_may_be_missing():
    assert msgspec.convert({"weather": "rain"}, SlotsTruth) == {"weather": "rain"}
