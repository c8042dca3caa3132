"""What packages of platforms themselves write: langsmith 0.15.1, langfuse 3.15.0 and 5.0.4, mlflow 3.17.2 (skinny),
arize-phoenix-client 3.5.0 with pandas 3.1, opentelemetry-proto 1.45.2, openai 2.

No part of the extra `dev` (langchain brings langsmith): each test runs where its package is installed (`pip install
langsmith 'langfuse<4' mlflow-skinny arize-phoenix-client pandas pyarrow opentelemetry-sdk opentelemetry-proto
opentelemetry-exporter-otlp-proto-common openai`). The shapes that they wrote stand in `test_read_platforms.py`, which
always runs.
"""

import datetime as dt
import importlib.metadata
import importlib.util
import json
import struct
import uuid

import msgspec
import pytest

from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.registry import format_reader, recognised
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace

pytestmark = pytest.mark.filterwarnings("ignore")
NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
QUESTION, ANSWER, PASSAGE = "费率是多少？", "每年2%。", "费率为每年2%。"


def needed(name):
    return pytest.importorskip(name, reason=f"needs {name}, which is no part of the extra dev")


def only(path, name):
    """The dialogue in a file that is told to be of a format."""
    assert recognised(path) == name
    (line,) = dialogue_lines(path, format_reader(name).read(path))
    assert not isinstance(line, Problem), line
    return msgspec.json.decode(line.raw, type=DialogTrace), msgspec.json.decode(line.raw)


def asked_and_told(dialog):
    contexts = [[item.content for item in turn.recall.items] if turn.recall else None for turn in dialog.turns]
    return [(turn.user_text, turn.pred_assistant_text) for turn in dialog.turns], contexts


def test_runs_of_langsmith(tmp_path):
    run = needed("langsmith.schemas").Run
    root, other = uuid.uuid4(), uuid.uuid4()
    message = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"]}
    told = {"text": ANSWER, "message": {**message, "kwargs": {"content": ANSWER, "type": "ai"}}}
    runs = [
        run(id=root, name="chain", start_time=NOW, run_type="chain", inputs={"question": QUESTION}, trace_id=root,
            outputs={"answer": ANSWER}, extra={"metadata": {"session_id": "s", "tier": "gold"}}, tags=["a"]),
        run(id=uuid.uuid4(), name="search", start_time=NOW, run_type="retriever", trace_id=root, parent_run_id=root,
            inputs={"query": QUESTION}, outputs={"documents": [{"page_content": PASSAGE, "metadata": {}}]}),
        run(id=uuid.uuid4(), name="llm", start_time=NOW, run_type="llm", trace_id=root, parent_run_id=root,
            inputs={"messages": [[{"type": "human", "content": QUESTION}]]}, outputs={"generations": [[told]]}),
        run(id=other, name="llm", start_time=NOW + dt.timedelta(1), run_type="llm", trace_id=other,
            inputs={"messages": [{"role": "user", "content": "언제?"}]}, extra={"metadata": {"thread_id": "s"}},
            outputs={"choices": [{"message": {"role": "assistant", "content": "5월."}, "finish_reason": "length"}]}),
    ]  # fmt: skip
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(one.model_dump_json() + "\n" for one in runs), "utf-8")
    dialog, raw = only(path, "langsmith")
    assert dialog.dialog_id == "s"
    assert asked_and_told(dialog) == ([(QUESTION, ANSWER), ("언제?", "5월.")], [[PASSAGE], None])
    assert dialog.turns[1].cut_off
    kept = raw["turns"][0]["metadata"]
    assert (kept["id"], kept["tags"], kept["extra"]["metadata"]["tier"]) == (str(root), ["a"], "gold")


def test_traces_of_langfuse_3(tmp_path):
    types = needed("langfuse.api.resources.commons.types")
    usage = types.Usage(input=1, output=1, total=2)
    common = {
        "modelParameters": {}, "metadata": None, "usage": usage, "level": "DEFAULT", "usageDetails": {},
        "costDetails": {}, "environment": "default", "traceId": "t1", "startTime": NOW,
    }  # fmt: skip
    observations = [
        types.ObservationsView(id="o1", type="RETRIEVER", name="search", input=QUESTION, output=[PASSAGE], **common),
        types.ObservationsView(
            id="o2", type="GENERATION", name="llm", input=[{"role": "user", "content": QUESTION}],
            output={"role": "assistant", "content": ANSWER}, **common,
        ),
    ]  # fmt: skip
    trace = types.TraceWithFullDetails(
        id="t1", timestamp=NOW, name="adviser", input={"question": QUESTION}, output=ANSWER, sessionId="s",
        metadata={"tier": "gold"}, tags=["a"], public=False, environment="default", htmlPath="/p", latency=1.0,
        totalCost=0.0, observations=observations, scores=[],
    )  # fmt: skip
    for name, text in (
        ("one.json", trace.json()),
        ("page.json", f'{{"data": [{trace.json()}], "meta": {{"page": 1}}}}'),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        dialog, raw = only(tmp_path / name, "langfuse")
        assert dialog.dialog_id == "s"
        assert asked_and_told(dialog) == ([(QUESTION, ANSWER)], [[PASSAGE]])
        assert raw["turns"][0]["metadata"]["metadata"] == {"tier": "gold"}


def test_observations_of_langfuse_5(tmp_path):
    observation = needed("langfuse.api.commons.types.observation_v2").ObservationV2
    rows = [
        observation(id="a", trace_id="t", start_time=NOW, project_id="p", type="AGENT", name="adviser", session_id="s",
                    input={"question": QUESTION}, output={"answer": ANSWER}),
        observation(id="b", trace_id="t", start_time=NOW, project_id="p", type="RETRIEVER", name="search",
                    parent_observation_id="a", input={"query": QUESTION}, output=[{"content": PASSAGE}]),
    ]  # fmt: skip
    path = tmp_path / "observations.jsonl"
    path.write_text("".join(json.dumps(json.loads(row.json(by_alias=True))) + "\n" for row in rows), "utf-8")
    dialog, _ = only(path, "langfuse")
    assert (dialog.dialog_id, asked_and_told(dialog)) == ("s", ([(QUESTION, ANSWER)], [[PASSAGE]]))


def test_traces_and_frames_of_mlflow(tmp_path, monkeypatch):
    needed("mlflow.tracing")
    if tuple(map(int, importlib.metadata.version(_distribution()).split(".")[:2])) < (3, 1):
        pytest.skip("needs mlflow from 3.1")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow  # noqa: PLC0415 - where it is installed
    from mlflow.entities import Document, SpanType  # noqa: PLC0415

    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    mlflow.set_experiment("readers")

    @mlflow.trace(span_type=SpanType.RETRIEVER)
    def search(query):
        return [Document(page_content=PASSAGE, metadata={}, id="d")]

    @mlflow.trace(span_type=SpanType.CHAT_MODEL)
    def model(messages):
        return {"choices": [{"message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}]}

    @mlflow.trace(span_type=SpanType.CHAIN)
    def adviser(question):
        mlflow.update_current_trace(metadata={"mlflow.trace.session": "s"}, tags={"tier": "gold"})
        search(question)
        return model([{"role": "user", "content": question}])

    adviser(QUESTION)
    mlflow.flush_trace_async_logging()
    trace = mlflow.get_trace(mlflow.get_last_active_trace_id())
    (tmp_path / "trace.json").write_text(trace.to_json(pretty=True), "utf-8")
    files = [tmp_path / "trace.json"]
    if _installed("pandas") and _installed("pyarrow"):
        frame = mlflow.search_traces()
        for column in ("request", "response", "trace_metadata", "tags", "spans", "assessments"):
            frame[column] = [json.dumps(value, default=str) for value in frame[column]]
        frame.to_parquet(tmp_path / "traces.parquet")
        files.append(tmp_path / "traces.parquet")
    for path in files:
        dialog, raw = only(path, "mlflow")
        assert (dialog.dialog_id, asked_and_told(dialog)) == ("s", ([(QUESTION, ANSWER)], [[PASSAGE]]))
        assert raw["turns"][0]["metadata"]["tags"]["tier"] == "gold"


def _installed(name):
    return importlib.util.find_spec(name) is not None


def _distribution():
    names = [each.metadata["Name"] for each in importlib.metadata.distributions()]
    return "mlflow" if "mlflow" in names else "mlflow-skinny" if "mlflow-skinny" in names else "mlflow-tracing"


@pytest.mark.parametrize("name", ["frame.parquet", "frame.csv"])
def test_frames_of_phoenix(tmp_path, name):
    helpers = needed("phoenix.client.helpers.spans")
    frame = needed("pandas").DataFrame(
        {
            "name": ["adviser", "search"], "span_kind": ["CHAIN", "RETRIEVER"], "parent_id": [None, "a"],
            "start_time": [NOW, NOW], "end_time": [NOW, NOW], "status_code": ["OK", "OK"], "status_message": ["", ""],
            "events": [[], []], "context.span_id": ["a", "b"], "context.trace_id": ["t", "t"],
            "attributes.openinference.span.kind": ["CHAIN", "RETRIEVER"], "attributes.session.id": ["s", None],
            "attributes.input.value": [QUESTION, QUESTION], "attributes.output.value": [ANSWER, None],
            "attributes.retrieval.documents": [None, [{"document.content": PASSAGE, "document.score": 0.5}]],
        }
    ).set_index("context.span_id", drop=False)  # fmt: skip
    # The package itself takes the frame for spans of its own.
    spans = helpers.dataframe_to_spans(frame)
    assert [span["context"]["span_id"] for span in spans] == ["a", "b"]
    saved = frame.reset_index(drop=True)
    saved.to_parquet(tmp_path / name) if name.endswith("parquet") else saved.to_csv(tmp_path / name, index=False)
    dialog, _ = only(tmp_path / name, "phoenix")
    assert (dialog.dialog_id, asked_and_told(dialog)) == ("s", ([(QUESTION, ANSWER)], [[PASSAGE]]))


@pytest.mark.parametrize("form", ["message", "lengths"])
def test_spans_of_opentelemetry_in_protobuf(tmp_path, form):
    trace = needed("opentelemetry.sdk.trace")
    encode = needed("opentelemetry.exporter.otlp.proto.common.trace_encoder").encode_spans
    provider = trace.TracerProvider()
    tracer = provider.get_tracer("turnmark.tests")
    spans = []
    with tracer.start_as_current_span("adviser") as span:
        span.set_attributes({"input.value": QUESTION, "output.value": ANSWER, "session.id": "s"})
        with tracer.start_as_current_span("search") as inner:
            inner.set_attributes(
                {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": PASSAGE}
            )
            spans.append(inner)
        spans.append(span)
    path = tmp_path / "spans.binpb"
    if form == "message":
        path.write_bytes(encode(spans).SerializeToString())
    else:
        messages = [encode([span]).SerializeToString() for span in spans]
        path.write_bytes(b"".join(struct.pack(">I", len(raw)) + raw for raw in messages))
    dialog, _ = only(path, "otlp-proto")
    assert (dialog.dialog_id, asked_and_told(dialog)) == ("s", ([(QUESTION, ANSWER)], [[PASSAGE]]))


def test_output_items_of_openai(tmp_path):
    item = needed("openai.types.evals.runs").OutputItemListResponse
    made = item.model_validate(
        {
            "id": "i", "created_at": 1, "datasource_item": {"ideal": "2%", "topic": "fees"}, "datasource_item_id": 0,
            "eval_id": "e", "object": "eval.run.output_item", "run_id": "r", "status": "pass",
            "results": [{"name": "match", "passed": True, "score": 1.0}],
            "sample": {
                "error": {"code": "", "message": ""}, "finish_reason": "stop", "max_completion_tokens": 9, "model": "m",
                "input": [{"role": "user", "content": QUESTION}], "output": [{"role": "assistant", "content": ANSWER}],
                "seed": 1, "temperature": 0.0, "top_p": 1.0,
                "usage": {"cached_tokens": 0, "completion_tokens": 1, "prompt_tokens": 1, "total_tokens": 2},
            },
        }
    )  # fmt: skip
    path = tmp_path / "items.jsonl"
    path.write_text(made.model_dump_json() + "\n", "utf-8")
    from turnmark.suites.rag.read_cases import read_cases  # noqa: PLC0415 - beside the package

    (case,) = read_cases(path)
    assert (case.question, case.answer, case.ground_truth_answer) == (QUESTION, ANSWER, "2%")
    assert case.metadata["datasource_item"] == {"ideal": "2%", "topic": "fees"}
