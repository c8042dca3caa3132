"""What an agent tells: kept when it has the trace's form, named in the warnings when not, never raised."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.replay.run.observer import TurnRecorder
from turnmark.schemas.trace import ComplianceTrace, RecallItem, RecallTrace

EVENTS = ("recall_done", "tool_called", "compliance_done", "profile_snapshot")


def told(*calls, listener=None):
    """What a recorder holds after these (event, payload, fields)."""
    recorder = TurnRecorder(listener)
    recorder.turn_start(1, "hello")
    for event, payload, fields in calls:
        getattr(recorder, event)(*(() if payload is None else (payload,)), **fields)
    return recorder.turn_end(1, "reply", "ok", None)


def test_mapping_struct_and_fields_say_the_same():
    item = {"content": "earlier", "rank": 1}
    as_mapping = told(("recall_done", {"query": "q", "items": [item]}, {}))
    as_fields = told(("recall_done", None, {"query": "q", "items": [item]}))
    struct = RecallTrace(query="q", items=[RecallItem(content="earlier", rank=1)])
    as_struct = told(("recall_done", struct, {}))
    assert as_mapping == as_fields == {"recall": {"query": "q", "items": [item]}, "tools": []}
    assert msgspec.convert(as_struct["recall"], RecallTrace) == struct


def test_tools_add_up_and_the_last_of_the_others_counts():
    payload = told(
        ("tool_called", {"tool_name": "a"}, {}),
        ("tool_called", {"tool_name": "b", "args": {"x": [1]}}, {}),
        ("compliance_done", {"is_compliant": False}, {}),
        ("compliance_done", ComplianceTrace(is_compliant=True), {"needs_modification": False}),
        ("profile_snapshot", {"risk_level": "low"}, {"preferred_topics": ["bonds"]}),
    )
    assert [tool["tool_name"] for tool in payload["tools"]] == ["a", "b"]
    assert payload["compliance"]["is_compliant"] is True
    assert payload["compliance"]["needs_modification"] is False
    assert payload["profile_snapshot"] == {"risk_level": "low", "preferred_topics": ["bonds"]}
    assert "warnings" not in payload


def test_unknown_fields_are_kept():
    assert told(("profile_snapshot", {"risk_level": "low", "mood": "calm"}, {}))["profile_snapshot"]["mood"] == "calm"


@pytest.mark.parametrize(
    ("event", "payload", "says"),
    [
        (
            "recall_done",
            {"items": "none"},
            "recall_done: $.items: expected `array | null`, got `str`: string",
        ),
        ("recall_done", ["a"], "found array of 1"),
        (
            "tool_called",
            {"tool_name": 3},
            "tool_called: $.tool_name: expected `str | null`, got `int`",
        ),
        ("compliance_done", {"is_compliant": "yes"}, "compliance_done: $.is_compliant"),
        ("profile_snapshot", {"max_acceptable_loss": ["ten"]}, "max_acceptable_loss"),
        ("profile_snapshot", object(), "profile_snapshot"),
    ],
)
def test_a_wrong_payload_is_named_and_left_out(event, payload, says):
    result = told((event, payload, {}), ("tool_called", {"tool_name": "still works"}, {}))
    assert says in result["warnings"][0]
    assert [tool["tool_name"] for tool in result["tools"]] == ["still works"]
    assert not {"recall", "compliance", "profile_snapshot"} & result.keys()


def test_warnings_stay_few():
    assert len(told(*[("recall_done", 1, {})] * 100)["warnings"]) == 20


def test_events_after_the_end_belong_to_no_turn():
    recorder = TurnRecorder()
    recorder.turn_start(1, "first")
    recorder.turn_end(1, "", "timeout", "no reply")
    recorder.recall_done(query="late")
    recorder.tool_called(5)
    recorder.turn_start(2, "second")
    assert recorder.turn_end(2, "fine", "ok", None) == {"tools": []}


def test_a_new_attempt_forgets_the_failed_one():
    recorder = TurnRecorder()
    recorder.turn_start(1, "again")
    recorder.tool_called(tool_name="first attempt")
    recorder.turn_start(1, "again")
    recorder.tool_called(tool_name="second attempt")
    assert [tool["tool_name"] for tool in recorder.turn_end(1, "", "ok", None)["tools"]] == ["second attempt"]


class Listener:
    extra = "of the user"

    def __init__(self):
        self.heard = []

    def turn_start(self, turn_pair_id, user_text):
        self.heard.append(("start", turn_pair_id, user_text))

    def tool_called(self, payload):
        self.heard.append(payload["tool_name"])
        message = "listener broke"
        raise RuntimeError(message)

    def turn_end(self, **fields):
        self.heard.append(fields)


def test_a_listener_hears_everything_and_may_break():
    listener = Listener()
    payload = told(("tool_called", {"tool_name": "t"}, {}), ("recall_done", {"query": "q"}, {}), listener=listener)
    assert listener.heard[:2] == [("start", 1, "hello"), "t"]
    assert listener.heard[2] == {"turn_pair_id": 1, "reply": "reply", "turn_status": "ok", "error": None}
    assert payload["warnings"] == ["tool_called: the observer raised RuntimeError: listener broke"]
    assert payload["recall"] == {"query": "q"}


def test_an_agent_reaches_more_of_the_users_observer():
    recorder = TurnRecorder(Listener())
    assert recorder.extra == "of the user"
    with pytest.raises(AttributeError):
        TurnRecorder().extra  # noqa: B018
    with pytest.raises(AttributeError):
        recorder._private  # noqa: B018


@given(
    st.lists(
        st.tuples(
            st.sampled_from(EVENTS),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
                max_leaves=5,
            ),
        ),
        max_size=6,
    )
)
def test_nothing_that_an_agent_hands_over_raises_or_breaks_the_trace(calls):
    payload = told(*[(event, value, {}) for event, value in calls])
    for part, kind in (("recall", RecallTrace), ("compliance", ComplianceTrace)):
        if part in payload:
            assert isinstance(msgspec.convert(payload[part], kind), kind)
    assert msgspec.json.decode(msgspec.json.encode(payload)).keys() == payload.keys()
