"""Events of played scripts: when, which question, what kind of system, and the figures that the schema knows."""

from datetime import datetime

import pytest

from turnmark.replay.run.trace_writer import turn_trace, without_latencies
from turnmark.schemas.clinical.events import EventRecord, read_event
from turnmark.schemas.problems import Problem
from turnmark.suites.clinical.playing import SCRIPTS

SCRIPT = {
    "patient_id": "p1",
    "slots": {"age": 60, "allergies": ["latex"]},
    "turns": [{"turn_id": 1, "question": "a?"}, {"turn_id": 2, "question": "b?", "question_id": "mine"}],
}


def played(told=(), **more):
    turns = [
        turn_trace({"turn_pair_id": number, "user_text": text}, "yes", payload, 5.0) | {"timestamp_utc": at}
        for number, text, payload, at in (
            (1, "a?", dict(told), "2026-01-01T00:00:01Z"), (2, "b?", {}, "2026-01-01T00:00:09Z"),
        )
    ]  # fmt: skip
    trace = {"run_id": "r", "dialog_id": "p1", "turns": turns, **more}
    return list(SCRIPTS.result(SCRIPT, trace))


def test_each_event_says_when_and_which_question():
    first, second = played()
    assert [event["timestamp_utc"] for event in (first, second)] == ["2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"]
    assert datetime.fromisoformat(first["timestamp_utc"]).utcoffset().total_seconds() == 0
    assert (first["question"], second["question"]) == (
        {"question_id": "p1-1", "text": "a?"}, {"question_id": "mine", "text": "b?"},
    )  # fmt: skip
    assert all(isinstance(read_event(event, "f", 1), EventRecord) for event in (first, second))
    assert first["slots_truth"] == SCRIPT["slots"]


@pytest.mark.parametrize(
    ("told", "more", "mode"),
    [
        ({}, {}, "llm"),
        ({"recall": {"items": [{"content": "x"}]}}, {}, "agent"),
        ({"tools": [{"tool_name": "look"}]}, {}, "agent"),
        ({}, {"system": "agent"}, "agent"),
        ({"tools": [{"tool_name": "look"}]}, {"system": "llm"}, "llm"),
        ({}, {"system": "other"}, "llm"),
    ],
)
def test_the_mode_is_what_the_system_is(told, more, mode):
    assert {event["mode"] for event in played(told, **more)} == {mode}


def test_times_are_no_part_of_what_two_replays_share():
    assert "timestamp_utc" not in without_latencies(played())[0]


@pytest.mark.parametrize(
    ("metrics", "field"),
    [({"SFS": 1.2}, "$.metrics.SFS"), ({"MCS": "high"}, "$.metrics.MCS"), ({"ASS": -1}, "$.metrics.ASS")],
)
def test_metrics_are_checked(metrics, field):
    problem = read_event(played()[0] | {"metrics": metrics}, "f", 1)
    assert isinstance(problem, Problem)
    assert problem.field == field
    assert isinstance(read_event(played()[0] | {"metrics": {"own": "x", "SFS": None}}, "f", 1), EventRecord)
