"""Spans as instrumentation saves them become dialogues.

The shapes are those of opentelemetry-sdk 1.45.2 (`to_json`, the console exporter, OTLP JSON), opentelemetry-util-genai
1.3b0, opentelemetry-instrumentation-openai-v2 2.3b0 (texts as events) and openinference-instrumentation-langchain
0.1.80, taken from what these wrote.
"""

import json
import tracemalloc

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.spans.dialogs import span_records
from turnmark.schemas.jsonl import Line
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.file_kinds import kind_of, suite_of

FEE = ("What is the fee?", "The fee is 2%.")
WHEN = ("When is it paid?", "It is paid in May.")


def span(name, attributes, at=1, *, parent=None, trace="0x1", events=(), status="UNSET"):
    """A span as `ReadableSpan.to_json` writes it; ids are names."""
    return {
        "name": name, "context": {"trace_id": trace, "span_id": f"0x{name}", "trace_state": "[]"},
        "kind": "SpanKind.INTERNAL", "parent_id": parent and f"0x{parent}",
        "start_time": f"2026-01-01T00:00:{at:02}.000000Z", "end_time": f"2026-01-01T00:00:{at:02}.500000Z",
        "status": {"status_code": status}, "attributes": attributes, "events": list(events), "links": [],
    }  # fmt: skip


def parts(role, text, **more):
    return {"role": role, "parts": [{"content": text, "type": "text"}], "name": None, **more}


def chat(question, answer, history=(), **more):
    """The attributes of a model call by the conventions of OpenTelemetry, with the history before the question."""
    spoken = [parts(role, text) for pair in history for role, text in zip(("user", "assistant"), pair, strict=True)]
    sent = [parts("system", "Be brief."), *spoken, parts("user", question)]
    return {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.input.messages": json.dumps(sent),
        "gen_ai.output.messages": json.dumps([parts("assistant", answer, finish_reason="stop")]), **more,
    }  # fmt: skip


def llm(question, answer, context=""):
    """A model call by OpenInference, with a prompt that holds passages where there are any."""
    prompt = f"Context: {context}\nQuestion: {question}" if context else question
    return {
        "openinference.span.kind": "LLM", "llm.model_name": "m",
        "llm.input_messages.0.message.role": "system", "llm.input_messages.0.message.content": "Answer.",
        "llm.input_messages.1.message.role": "user", "llm.input_messages.1.message.content": prompt,
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": answer,
    }  # fmt: skip


def retriever(query, *texts):
    found = {f"retrieval.documents.{number}.document.content": text for number, text in enumerate(texts)}
    ids = {f"retrieval.documents.{number}.document.id": f"d{number}" for number in range(max(len(texts), 1))}
    return {"openinference.span.kind": "RETRIEVER", "input.value": query, **ids, **found}


def chain(question, answer):
    return {"openinference.span.kind": "CHAIN", "input.value": question, "output.value": answer, "session.id": "s-1"}


def otlp(spans, *, structured=False):
    """Spans as a collector's file exporter writes them: one message of OTLP JSON."""

    def value(given):
        if structured and isinstance(given, str) and given[:1] == "[":
            given = json.loads(given)
        if isinstance(given, dict):
            return {"kvlistValue": {"values": [{"key": name, "value": value(each)} for name, each in given.items()]}}
        if isinstance(given, list):
            return {"arrayValue": {"values": [value(each) for each in given]}}
        return {"stringValue": given}

    made = [
        {
            "traceId": each["context"]["trace_id"][2:], "spanId": each["context"]["span_id"][2:], "name": each["name"],
            "parentSpanId": (each["parent_id"] or "0x")[2:], "kind": 1,
            "startTimeUnixNano": f"1{each['start_time'][17:19]}000000000000000", "status": {"code": 1},
            "attributes": [{"key": name, "value": value(given)} for name, given in each["attributes"].items()],
        }
        for each in spans
    ]  # fmt: skip
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": made}]}]}


def written(path, *records, indent=None):
    path.write_text("".join(json.dumps(record, indent=indent) + "\n" for record in records), "utf-8")
    return path


def dialogs(path):
    lines = list(dialogue_lines(path, span_records(path)))
    found = [msgspec.json.decode(line.raw, type=DialogTrace) for line in lines if isinstance(line, Line)]
    return found, [str(line) for line in lines if not isinstance(line, Line)]


def told(path):
    """Questions and answers by dialogue."""
    return {
        dialog.dialog_id: [(turn.user_text, turn.pred_assistant_text) for turn in dialog.turns]
        for dialog in dialogs(path)[0]
    }


AGENT = {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "conv-1"}
TWO = [
    span("a", AGENT, 1), span("b", chat(*FEE), 2, parent="a"),
    span("c", AGENT, 3, trace="0x2"), span("d", chat(*WHEN, history=[FEE]), 4, parent="c", trace="0x2"),
]  # fmt: skip


@pytest.mark.parametrize("form", ["JSONL", "out of order", "console", "array", "OTLP", "structured", "OTLP by line"])
def test_a_conversation_whose_id_only_parents_have(tmp_path, form):
    path = tmp_path / ("spans.json" if form in {"array", "OTLP", "structured"} else "spans.jsonl")
    if form == "array":
        path.write_text(json.dumps(TWO, indent=2))
    elif form.startswith("OTLP") or form == "structured":
        messages = [otlp(TWO[:2]), otlp(TWO[2:])] if form == "OTLP by line" else [otlp(TWO)]
        written(path, *([otlp(TWO, structured=True)] if form == "structured" else messages))
    else:
        written(path, *(TWO if form != "out of order" else TWO[::-1]), indent=4 if form == "console" else None)
    assert told(path) == {"conv-1": [FEE, WHEN]}
    assert (kind_of(path), suite_of(path)) == ("spans", "rag")
    (checked,) = check(path)
    assert (checked.records, checked.problems) == (1, [])


def test_calls_of_one_trace_that_hold_the_answer_before_are_turns_and_others_are_steps(tmp_path):
    talk = [span("r", {}, 0), *(span(f"{n}", chat(*pair, history=[FEE] * n), n + 1, parent="r") for n, pair in
                                enumerate([FEE, WHEN]))]  # fmt: skip
    assert told(written(tmp_path / "talk.jsonl", *talk)) == {"0x1".removeprefix("0x"): [FEE, WHEN]}
    steps = [
        span("r", {}, 0),
        span("rewrite", chat(FEE[0], "fee of the fund"), 1, parent="r"),
        span("search", retriever("fee of the fund", "The fee is 2% a year."), 2, parent="r"),
        span("answer", llm("fee of the fund", FEE[1], "The fee is 2% a year."), 3, parent="r"),
    ]
    (dialog,), _ = dialogs(written(tmp_path / "steps.jsonl", *steps))
    (turn,) = dialog.turns
    assert turn.pred_assistant_text == FEE[1]
    assert [item.content for item in turn.recall.items] == ["The fee is 2% a year."]


def test_a_chain_of_openinference(tmp_path):
    texts = ("The fee is 2% a year.", "It is paid in May.")
    spans = [
        span("search", retriever(FEE[0], *texts), 2, parent="chain"),
        span("model", llm(*FEE, "; ".join(texts)), 3, parent="chain"),
        span("chain", chain(*FEE), 1),
    ]
    for name, chosen in (("whole", spans), ("without the chain", spans[:2])):
        (dialog,), problems = dialogs(written(tmp_path / f"{name}.jsonl", *chosen))
        (turn,) = dialog.turns
        assert (turn.user_text, turn.pred_assistant_text, problems) == (*FEE, [])
        assert [item.content for item in turn.recall.items] == list(texts)
    assert list(told(tmp_path / "whole.jsonl")) == ["s-1"]


def test_a_graph_whose_steps_route(tmp_path):
    """As openinference-instrumentation-langchain 0.1.80 saves LangGraph: what a routing function gives is no answer."""
    spans = [
        span("graph", {"openinference.span.kind": "CHAIN", "input.value": json.dumps({"messages": [["user", FEE[0]]]}),
                       "session.id": "t"}, 0),
        span("model", llm(FEE[0], ""), 1, parent="graph"),
        span("route", {"openinference.span.kind": "CHAIN", "output.value": "tools"}, 2, parent="graph"),
        span("fees", {"openinference.span.kind": "TOOL", "tool.name": "fees", "output.value": json.dumps(
            {"type": "tool", "data": {"content": "2%", "type": "tool"}})}, 3, parent="graph"),
        span("again", llm(*FEE), 4, parent="graph"),
        span("end", {"openinference.span.kind": "CHAIN", "output.value": "__end__"}, 5, parent="graph"),
    ]  # fmt: skip
    path = written(tmp_path / "spans.jsonl", *spans)
    assert told(path) == {"t": [FEE]}
    assert dialogs(path)[0][0].turns[0].tools[0].result_excerpt == "2%"
    steps = [
        span("web", {"http.route": "/ask"}, 0),
        span("rewrite", chain(FEE[0], "fee"), 1, parent="web"),
        span("reply", chain("fee", FEE[1]), 2, parent="web"),
    ]
    assert told(written(tmp_path / "steps.jsonl", *steps)) == {"s-1": [FEE]}


def test_documents_without_text_are_absent_contexts(tmp_path):
    by_id = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": FEE[0],
             "gen_ai.retrieval.documents": '[{"id":"d1","score":0.5}]'}  # fmt: skip
    for number, search in enumerate([by_id, retriever(FEE[0]), retriever(FEE[0], "")]):
        spans = [span("s", search, 1, parent="a"), span("m", chat(*FEE), 2, parent="a"), span("a", AGENT, 0)]
        path = written(tmp_path / f"{number}.jsonl", *spans)
        (dialog,), _ = dialogs(path)
        assert dialog.turns[0].recall is None
        result = score(ScoreRequest((path,), out=tmp_path / f"run-{number}", suite="rag"))
        assert result.summary.metrics["faithfulness"].counts["eligible_count"] == 0
        assert result.summary.metrics["faithfulness"].counts["failed_count"] == 0


def test_of_a_search_within_a_search_the_outer_one_counts_and_of_ranked_documents_the_last(tmp_path):
    ranked = {
        "openinference.span.kind": "RERANKER", "reranker.input_documents.0.document.content": "Old.",
        "reranker.output_documents.0.document.content": "Best.",
    }  # fmt: skip
    spans = [
        span("all", retriever(FEE[0], "One.", "Two."), 1),
        span("part", retriever("fee", "One.", "Three."), 2, parent="all"),
        span("rank", ranked, 3, parent="chain"),
        span("chain", chain(*FEE), 0),
    ]
    (dialog,), _ = dialogs(written(tmp_path / "spans.jsonl", *spans[:2], span("m", llm(*FEE), 4)))
    assert [item.content for item in dialog.turns[0].recall.items] == ["One.", "Two."]
    (dialog,), _ = dialogs(written(tmp_path / "ranked.jsonl", *spans[2:]))
    assert [item.content for item in dialog.turns[0].recall.items] == ["Best."]


EVENTS = {
    "messages": [("gen_ai.user.message", {"content": FEE[0]}),
                 ("gen_ai.choice", {"index": 0, "message": json.dumps({"role": "assistant", "content": FEE[1]})})],
    "one event": [("gen_ai.client.inference.operation.details",
                   {name: value for name, value in chat(*FEE).items() if "messages" in name})],
    "prompt and completion": [
        ("gen_ai.content.prompt", {"gen_ai.prompt": json.dumps([{"role": "user", "content": FEE[0]}])}),
        ("gen_ai.content.completion", {"gen_ai.completion": json.dumps([{"role": "assistant", "content": FEE[1]}])})],
}  # fmt: skip
CALL = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
ATTRIBUTES = {
    "OpenLLMetry": {
        "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": json.dumps([{"type": "text", "text": FEE[0]}]),
        "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": FEE[1], "llm.request.type": "chat",
    },
    "parts of OpenInference": {
        "openinference.span.kind": "LLM", "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.type": "text",
        "llm.input_messages.0.message.contents.0.message_content.text": FEE[0],
        "llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": FEE[1],
    },
    "nested": {"openinference": {"span": {"kind": "LLM"}}, "llm": {
        "input_messages": [{"message": {"role": "user", "content": FEE[0]}}],
        "output_messages": [{"message": {"role": "assistant", "content": FEE[1]}}]}},
    "thoughts and tool calls": {
        **CALL, "gen_ai.input.messages": json.dumps([parts("user", FEE[0])]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [
            {"type": "reasoning", "content": "Let me see."}, {"type": "text", "content": FEE[1]},
            {"type": "tool_call", "name": "f", "arguments": {"content": "x"}}]}])},
    "whole spans of JSON": {
        "openinference.span.kind": "AGENT", "input.mime_type": "application/json",
        "input.value": json.dumps({"messages": [{"type": "human", "content": FEE[0]}]}),
        "output.value": json.dumps({"answer": FEE[1], "sources": []})},
    "messages of LangChain": {
        "openinference.span.kind": "CHAIN", "input.value": json.dumps({"messages": [["user", FEE[0]]]}),
        "output.value": json.dumps({"messages": [
            {"type": "human", "data": {"content": FEE[0], "type": "human"}},
            {"type": "ai", "data": {"content": FEE[1], "type": "ai"}}]})},
    "LangSmith": {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
        "gen_ai.prompt": json.dumps({"messages": [[{"lc": 1, "type": "constructor", "id": ["HumanMessage"], "kwargs": {
            "content": FEE[0], "type": "human"}}]]}),
        "gen_ai.completion": json.dumps({"messages": [{"role": "assistant", "content": FEE[1]}]})},
    "OpenLLMetry workflow": {
        "traceloop.span.kind": "workflow", "traceloop.entity.input": json.dumps({"inputs": {"question": FEE[0]}}),
        "traceloop.entity.output": json.dumps({"outputs": FEE[1]})},
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_texts_in_events_of_older_conventions(tmp_path, name):
    events = [{"name": event, "attributes": attributes} for event, attributes in EVENTS[name]]
    assert told(written(tmp_path / "spans.jsonl", span("a", CALL, events=events))) == {"1": [FEE]}


def test_events_that_were_saved_beside_the_spans(tmp_path):
    """As opentelemetry-instrumentation-openai-v2 2.3b0 gives them: log records of the span's id."""
    ids = {"trace_id": "0x1", "span_id": "0xb"}
    logs = [
        {"body": {"content": FEE[0]}, "attributes": {"gen_ai.system": "openai"}, "event_name": "gen_ai.user.message"},
        {"body": {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": FEE[1]}},
         "attributes": {"gen_ai.system": "openai"}, "event_name": "gen_ai.choice"},
    ]  # fmt: skip
    spans = [span("b", CALL, 2, parent="a"), span("a", AGENT, 1)]
    assert told(written(tmp_path / "all.jsonl", *spans, *({**log, **ids} for log in logs))) == {"conv-1": [FEE]}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_names_of_other_conventions(tmp_path, name):
    assert told(written(tmp_path / "spans.jsonl", span("a", ATTRIBUTES[name]))) == {"1": [FEE]}


def test_rows_of_a_table_of_spans(tmp_path):
    row = {"name": "m", "span_kind": "LLM", "parent_id": None, "start_time": 1767225600000, "status_code": "OK",
           "context.trace_id": "t", "context.span_id": "s", "attributes.openinference.span.kind": "LLM",
           "attributes.llm.input_messages": [{"message.role": "user", "message.content": FEE[0]}],
           "attributes.llm.output_messages": [{"message.role": "assistant", "message.content": FEE[1]}],
           "attributes.retrieval.documents": None}  # fmt: skip
    path = written(tmp_path / "spans.jsonl", row)
    assert told(path) == {"t": [FEE]}
    assert kind_of(path) == "spans"


@pytest.mark.parametrize(
    "attributes",
    [CALL, {**llm(*FEE), **{name: "__REDACTED__" for name in llm(*FEE) if name.endswith("content")}}],
    ids=["not captured", "hidden"],
)
def test_without_texts_one_line_says_what_to_switch_on(tmp_path, attributes):
    path = written(tmp_path / "spans.jsonl", span("a", AGENT), span("b", attributes, 2, parent="a"))
    found, (problem,) = dialogs(path)
    assert not found
    assert "\n" not in problem
    assert "found 2 spans of 1 traces without" in problem
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY" in problem
    assert "OPENINFERENCE_HIDE_INPUTS" in problem


def test_a_call_that_failed_is_a_failed_turn_and_a_trace_of_something_else_is_left_out(tmp_path):
    thrown = {"name": "exception", "attributes": {"exception.message": "429 too many requests"}}
    asked = {name: value for name, value in chat(*FEE).items() if "output" not in name}
    spans = [
        span("a", asked, events=[thrown], status="ERROR"),
        span("b", {"http.route": "/health"}, trace="0x2"),
    ]
    (dialog,), (problem,) = dialogs(written(tmp_path / "spans.jsonl", *spans))
    (turn,) = dialog.turns
    assert (turn.turn_status, turn.error, turn.pred_assistant_text) == ("error", "429 too many requests", "")
    assert "found 1 without" in problem


def test_tools_and_a_reply_that_was_cut_off(tmp_path):
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "fees",
            "gen_ai.tool.call.arguments": '{"fund": "A"}', "gen_ai.tool.call.result": "2%"}  # fmt: skip
    call = chat(*FEE, **{"gen_ai.response.finish_reasons": ["length"]})
    spans = [span("a", AGENT), span("t", tool, 2, parent="a"), span("m", call, 3, parent="a")]
    path = written(tmp_path / "spans.jsonl", *spans)
    (dialog,), _ = dialogs(path)
    (found,) = dialog.turns[0].tools
    assert (found.tool_name, found.args, found.result_excerpt) == ("fees", {"fund": "A"}, "2%")
    result = score(ScoreRequest((path,), out=tmp_path / "run", suite="rag"))
    assert result.summary.reply_states["truncated"] == 1


def test_parents_in_a_ring_end(tmp_path):
    spans = [span("a", chat(*FEE), 1, parent="b"), span("b", {}, 2, parent="a")]
    assert told(written(tmp_path / "spans.jsonl", *spans)) == {"1": [FEE]}


def test_the_histories_of_long_conversations_are_not_kept(tmp_path):
    """Every call repeats all that was said before: the file grows with the square of the turns, memory does not."""
    pairs = [(f"Question {n}: " + "why? " * 40, f"Answer {n}: " + "so. " * 40) for n in range(100)]
    with (tmp_path / "spans.jsonl").open("w") as file:
        for number, pair in enumerate(pairs):
            attributes = chat(*pair, history=pairs[:number], **{"gen_ai.conversation.id": "c"})
            file.write(json.dumps(span(f"s{number}", attributes, number % 60, trace=f"0x{number}")) + "\n")
    path = tmp_path / "spans.jsonl"
    tracemalloc.start()
    (line,) = dialogue_lines(path, span_records(path))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(msgspec.json.decode(line.raw)["turns"]) == 100
    assert most < path.stat().st_size / 2, (most, path.stat().st_size)


NAMES = st.sampled_from([
    "gen_ai.input.messages", "gen_ai.output.messages", "llm.input_messages", "llm.input_messages.0.message.content",
    "llm.input_messages.0.message.role", "gen_ai.prompt", "gen_ai.completion.0", "input.value", "output.value",
    "openinference.span.kind", "gen_ai.operation.name", "retrieval.documents", "session.id", "messages", "0", "9999999",
    "role", "content", "parts", "type", "text", "data", "stringValue", "kvlistValue", "arrayValue", "values", "key",
    "value",
])  # fmt: skip
TEXTS = st.sampled_from(
    ["", "user", "chat", "RETRIEVER", "text", "[", "{}", '[["user", "Q?"]]', '{"messages": [[]]}', "Q?"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=10,
)


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    return tmp_path_factory.mktemp("odd") / "spans.jsonl"


@given(
    records=st.lists(
        st.fixed_dictionaries(
            {"trace_id": st.sampled_from(["1", "2"]), "span_id": st.sampled_from(["a", "b"]), "attributes": VALUES},
            optional={
                "parent_id": VALUES | st.sampled_from(["a", "b"]), "events": VALUES, "status": VALUES, "name": VALUES,
                "start_time": VALUES | st.sampled_from(["9" * 400, "0001-01-01T00:00:00", "²"]), "body": VALUES,
                "resourceSpans": VALUES, "context": VALUES,
            },
        ),
        max_size=4,
    )
)  # fmt: skip
def test_whatever_spans_hold_they_are_dialogues_or_named(odd, records):
    written(odd, *records)
    for line in dialogue_lines(odd, span_records(odd)):
        if isinstance(line, Line):
            assert msgspec.json.decode(line.raw, type=DialogTrace).turns


@pytest.mark.parametrize(("levels", "found"), [(100, "found 1 without"), (400, "nesting"), (5000, "nesting")])
def test_a_span_that_is_too_deep_is_named(tmp_path, levels, found):
    inner = '{"arrayValue": {"values": [' * levels + '{"stringValue": "x"}' + "]}}" * levels
    path = written(tmp_path / "spans.jsonl", span("b", chat(*FEE), trace="0x2"))
    with path.open("a") as file:
        file.write(f'{{"trace_id": "t", "span_id": "s", "attributes": [{{"key": "a", "value": {inner}}}]}}\n')
    (dialog,), problems = dialogs(path)
    assert dialog.dialog_id == "2"
    assert len(problems) == 1
    assert found in problems[0]
