"""What instrumentation itself saves: opentelemetry-sdk 1.45.2 and its OTLP encoder, opentelemetry-util-genai 1.3b0,
openinference-instrumentation-langchain 0.1.80 with langchain-core 1.8.3.

No part of the extra `dev`: each test runs where its packages are installed (`pip install opentelemetry-sdk
opentelemetry-exporter-otlp-proto-common opentelemetry-util-genai openinference-instrumentation-langchain`). The shapes
that they wrote stand in `test_read_spans.py`, which always runs.
"""

import io
import json

import msgspec
import pytest

from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.spans.dialogs import span_records
from turnmark.schemas.jsonl import Line
from turnmark.schemas.trace import DialogTrace

pytestmark = pytest.mark.filterwarnings("ignore")
FORMS = ("lines", "console", "otlp")


def needed(name):
    return pytest.importorskip(name, reason=f"needs {name}, which is no part of the extra dev")


@pytest.fixture
def traced(tmp_path):
    """A provider whose spans are saved, and what reads them back in a form."""
    trace = needed("opentelemetry.sdk.trace")
    export = needed("opentelemetry.sdk.trace.export")
    memory = needed("opentelemetry.sdk.trace.export.in_memory_span_exporter").InMemorySpanExporter()
    console = io.StringIO()
    provider = trace.TracerProvider()
    for exporter in (memory, export.ConsoleSpanExporter(out=console)):
        provider.add_span_processor(export.SimpleSpanProcessor(exporter))

    def read(form):
        spans = memory.get_finished_spans()
        path = tmp_path / f"spans.{'json' if form == 'otlp' else 'jsonl'}"
        if form == "otlp":
            encode = needed("opentelemetry.exporter.otlp.proto.common.trace_encoder").encode_spans
            path.write_text(json.dumps(needed("google.protobuf.json_format").MessageToDict(encode(spans))))
        else:
            lines = "".join(span.to_json(indent=None) + "\n" for span in spans)
            path.write_text(console.getvalue() if form == "console" else lines)
        found = list(dialogue_lines(path, span_records(path)))
        dialogs = [msgspec.json.decode(line.raw, type=DialogTrace) for line in found if isinstance(line, Line)]
        return dialogs, [str(line) for line in found if not isinstance(line, Line)]

    return provider, read


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("captured", [True, False])
def test_conventions_of_opentelemetry(traced, monkeypatch, form, captured):
    provider, read = traced
    if captured:
        monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "SPAN_ONLY")
    types = needed("opentelemetry.util.genai.types")
    handler = needed("opentelemetry.util.genai.handler").TelemetryHandler(tracer_provider=provider)

    def messages(kind, role, text, **more):
        return [kind(role=role, parts=[types.TextPart(content=text)], **more)]

    with handler.invoke_local_agent(agent_name="adviser", conversation_id="conv-1"):
        with handler.retrieval() as search:
            search.query_text = "What is the fee?"
            search.documents = [types.RetrievalDocument(id="d1", score=0.5)]
        with handler.inference("openai", request_model="m") as call:
            call.input_messages = messages(types.InputMessage, "user", "What is the fee?")
            call.output_messages = messages(types.OutputMessage, "assistant", "The fee is 2%.", finish_reason="stop")
    dialogs, problems = read(form)
    if not captured:
        assert not dialogs
        assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in problems[0]
        return
    (dialog,) = dialogs
    (turn,) = dialog.turns
    assert (dialog.dialog_id, turn.user_text, turn.pred_assistant_text) == (
        "conv-1", "What is the fee?", "The fee is 2%.",
    )  # fmt: skip
    assert turn.recall is None


@pytest.mark.parametrize("form", FORMS)
def test_a_chain_of_langchain_by_openinference(traced, form):
    provider, read = traced
    instrumentor = needed("openinference.instrumentation.langchain").LangChainInstrumentor()
    using_session = needed("openinference.instrumentation").using_session
    from langchain_core.documents import Document  # noqa: PLC0415 - where it is installed
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel  # noqa: PLC0415
    from langchain_core.messages import AIMessage  # noqa: PLC0415
    from langchain_core.output_parsers import StrOutputParser  # noqa: PLC0415
    from langchain_core.prompts import ChatPromptTemplate  # noqa: PLC0415
    from langchain_core.retrievers import BaseRetriever  # noqa: PLC0415
    from langchain_core.runnables import RunnablePassthrough  # noqa: PLC0415

    class Search(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002 - the library's signature
            return [Document("The fee is 2% a year."), Document("It is paid in May.")]

    answers = iter([AIMessage("The fee is 2%."), AIMessage("In May.")])
    prompt = ChatPromptTemplate.from_messages([("human", "Context: {context}\nQuestion: {question}")])
    sources = {"context": Search(), "question": RunnablePassthrough()}
    instrumentor.instrument(tracer_provider=provider)
    try:
        chain = sources | prompt | GenericFakeChatModel(messages=answers) | StrOutputParser()
        with using_session("s-1"):
            chain.invoke("What is the fee?")
            chain.invoke("When is it paid?")
    finally:
        instrumentor.uninstrument()
    (dialog,), problems = read(form)
    assert (dialog.dialog_id, problems) == ("s-1", [])
    assert [(turn.user_text, turn.pred_assistant_text) for turn in dialog.turns] == [
        ("What is the fee?", "The fee is 2%."), ("When is it paid?", "In May."),
    ]  # fmt: skip
    for turn in dialog.turns:
        assert [item.content for item in turn.recall.items] == ["The fee is 2% a year.", "It is paid in May."]
