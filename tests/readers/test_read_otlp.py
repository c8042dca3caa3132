"""What OTLP JSON tells is the same whether it is read by its types or as any JSON; what is odd is named as well."""

import json

import msgspec
import pytest

from turnmark.readers.spans import attributes
from turnmark.readers.spans.dialogs import _Entry, span_records
from turnmark.readers.spans.forms import Fault, LogRecord, spans_of
from turnmark.readers.spans.otlp import otlp_spans
from turnmark.schemas.problems import Problem

SENT = json.dumps([
    {"role": "user", "parts": [{"type": "text", "content": "费用?"}]},
    {"role": "assistant", "parts": [{"type": "text", "content": "2%."}, {"type": "text", "content": "A year."}]},
    {"role": "user", "content": "When?"},
])  # fmt: skip
GOT = json.dumps([{"role": "assistant", "parts": [{"type": "reasoning", "content": "Hm."},
                                                  {"type": "text", "content": "In May."}]}])  # fmt: skip


def texts(**values):
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


CHAT = texts(**{"gen_ai.operation.name": "chat", "gen_ai.input.messages": SENT, "gen_ai.output.messages": GOT})
NESTED = [{"key": "gen_ai", "value": {"kvlistValue": {"values": [
    {"key": "conversation", "value": {"kvlistValue": {"values": texts(id="c")}}},
    {"key": "input", "value": {"kvlistValue": {"values": texts(messages=SENT)}}}]}}}]  # fmt: skip
ENTRIES = {
    "chat": {"attributes": CHAT},
    "other values": {"attributes": [*CHAT, {"key": "session.id", "value": {"intValue": "7"}}, {"key": "input.value"},
                                    {"key": "output.value", "value": {}}]},
    "nested": {"attributes": [*NESTED, *texts(**{"gen_ai.request.model": "m"})]},
    "numbered": {"attributes": texts(**{"llm.input_messages.0.message.role": "user",
                                        "llm.input_messages.0.message.content": "Q?", "llm.model_name": "m"})},
    "documents": {"attributes": texts(**{"retrieval.documents.1.document.content": "B", "input.value": "Q?",
                                         "retrieval.documents.0.document.content": "A"})},
    "ids of documents only": {"attributes": texts(**{"retrieval.documents_count": "3", "input.value": "Q?"})},
    "an error and events": {"status": {"code": 2}, "events": [
        {"name": "exception", "attributes": texts(**{"exception.message": "429"})},
        {"name": "gen_ai.user.message", "timeUnixNano": "1", "attributes": texts(content="Q?")}]},
    "a field of a newer protocol": {"attributes": CHAT, "entityRefs": []},
    "an event": {"attributes": texts(**{"event.name": "gen_ai.choice"})},
    "no ids": {"traceId": "", "attributes": CHAT},
    "no text as a name": {"name": None, "attributes": CHAT},
}  # fmt: skip


def message(*entries):
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(entries)}]}]}


def entry(**more):
    return {"traceId": "t", "spanId": "a", "name": "n", "startTimeUnixNano": "1760000000000000000", **more}


def told(spans):
    return [each if isinstance(each, Fault | LogRecord) else _Entry.of(each, 1, 1) for each in spans]


@pytest.mark.parametrize("name", ENTRIES)
def test_what_is_told_is_what_any_json_tells(name):
    record = message(entry(**ENTRIES[name]), entry(spanId="b"))
    found = otlp_spans(json.dumps(record).encode())
    assert found is not None
    assert told(found) == told(spans_of(record))


def test_texts_of_a_call():
    (said,) = told(otlp_spans(json.dumps(message(entry(attributes=CHAT))).encode()))
    assert (said.said.question, said.said.answer, said.said.before) == ("When?", "In May.", "2%.\nA year.")


@pytest.mark.parametrize(
    "raw",
    [b"{}", b'{"resourceSpans": [], "resourceLogs": []}', b'{"resourceSpans": [5]}', b"[" * 5000,
     b'{"resourceSpans": [{"resource": "\xff"}]}'],
    ids=["nothing", "logs", "numbers", "deep", "no UTF-8"],
)  # fmt: skip
def test_what_is_no_whole_message_of_spans_is_left_to_any_json(raw):
    assert otlp_spans(raw) is None


def test_a_span_with_a_number_that_nothing_can_hold_is_named_and_the_others_are_read(tmp_path):
    path = tmp_path / "spans.jsonl"
    odd = json.dumps(entry(spanId="b", traceId="u", extra=0)).replace('"extra": 0', '"extra": 1e999')
    path.write_text(json.dumps(message(entry(attributes=CHAT), "ODD")).replace('"ODD"', odd))
    (problem,) = [each for _, each in span_records(path) if isinstance(each, Problem)]
    assert (problem.line, problem.field) == (1, "$.resourceSpans[0].scopeSpans[0].spans[1]")
    assert "out of range" in problem.expected


def test_entries_of_a_message_that_are_no_spans_are_passed_over():
    assert list(otlp_spans(json.dumps(message(5, None, "x")).encode())) == []


def test_names_that_are_remembered_are_bounded():
    places = attributes._Places()
    for number in range(2 * attributes._MOST):
        assert places[f"name.{number}"] is None
    assert places["x" * 1000] is None
    assert len(places) <= attributes._MOST
    assert max(map(len, places)) < 1000
    assert places["llm.input_messages.3.message.role"] == ("llm.input_messages", 3, "message.role")


def test_a_turn_is_json_as_it_was_written(tmp_path):
    path = tmp_path / "spans.jsonl"
    path.write_text(json.dumps(message(entry(attributes=CHAT))))
    ((_, record),) = span_records(path)
    assert msgspec.json.decode(msgspec.json.encode(record))["turns"][0]["pred_assistant_text"] == "In May."
