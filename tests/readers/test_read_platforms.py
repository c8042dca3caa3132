"""Traces of platforms and cases of benchmarks, in shapes that the packages write in `test_packages_of_platforms.py`."""

import json
import struct

import msgspec
import pytest

from turnmark.errors import MissingExtraError, UsageError
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.readers import registry
from turnmark.readers.dialogues import dialogue_lines
from turnmark.readers.registry import format_reader, reader_names, recognised
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.file_kinds import kind_of, suite_of
from turnmark.suites.rag.read_cases import read_cases

AT = "2026-01-01T00:00:00Z"
LATER = "2026-01-02T00:00:00"
"""Without a zone, as older exports have it: UTC."""
FEE = ("费率是多少？", "每年2%。")
WHEN = ("언제 내나요?", "5월에 냅니다.")
PASSAGE = "费率为每年2%。"


def langsmith(**changes):
    root = {
        "id": "r1", "trace_id": "r1", "parent_run_id": None, "name": "chain", "run_type": "chain",
        "start_time": AT, "inputs": {"question": FEE[0]}, "outputs": {"answer": FEE[1]},
        "extra": {"metadata": {"session_id": "s"}},
        "tags": ["gold"], "session_id": "the project", "error": None,
    }  # fmt: skip
    search = {
        "id": "r2", "trace_id": "r1", "parent_run_id": "r1", "name": "search", "run_type": "retriever",
        "start_time": AT, "inputs": {"query": FEE[0]},
        "outputs": {"documents": [{"page_content": PASSAGE, "metadata": {}}]},
    }  # fmt: skip
    spoken = [("user", FEE[0]), ("assistant", FEE[1]), ("user", WHEN[0])]
    model = {
        "id": "r3", "trace_id": "r3", "name": "llm", "run_type": "llm", "start_time": LATER,
        "inputs": {"messages": [{"role": role, "content": text} for role, text in spoken]},
        "outputs": {"choices": [{"message": {"role": "assistant", "content": WHEN[1]}, "finish_reason": "length"}]},
        "extra": {"metadata": {"thread_id": "s"}},
    }  # fmt: skip
    return [root | changes, search, model]


def langfuse(**changes):
    common = {"traceId": "t1", "startTime": AT, "metadata": None}
    search = {"id": "o1", "type": "RETRIEVER", "name": "search", "input": FEE[0], "output": [PASSAGE], **common}
    first = {
        "id": "t1", "timestamp": AT, "name": "adviser", "input": {"question": FEE[0]}, "output": FEE[1],
        "sessionId": "s", "tags": ["gold"], "metadata": {"tier": 1}, "observations": [search], "scores": [],
        "htmlPath": "/p",
    }  # fmt: skip
    sent = [{"role": "user", "content": WHEN[0]}]
    made = {"choices": [{"message": {"role": "assistant", "content": WHEN[1]}, "finish_reason": "length"}]}
    call = {
        "id": "o2", "type": "GENERATION", "name": "llm", "input": sent, "output": made, "traceId": "t2",
        "startTime": LATER, "sessionId": "s",
    }  # fmt: skip
    return [first | changes, call]


def mlflow(**changes):
    def span(name, kind, given, made, parent=None, start=1):
        told = {"mlflow.spanType": kind, "mlflow.spanInputs": given, "mlflow.spanOutputs": made}
        return {
            "trace_id": "dA==", "span_id": name, "parent_span_id": parent, "name": name,
            "start_time_unix_nano": start * 10**18, "status": {"code": "STATUS_CODE_OK", "message": ""}, "events": [],
            "attributes": {key: json.dumps(value) for key, value in told.items()},
        }  # fmt: skip

    def trace(name, *spans):
        info = {
            "trace_id": name, "state": "OK", "tags": {"mlflow.traceName": "adviser"},
            "trace_metadata": {"mlflow.trace.session": "s", "mlflow.trace.user": "u"},
        }  # fmt: skip
        return {"info": info, "data": {"spans": list(spans)}}

    made = {"choices": [{"message": {"role": "assistant", "content": WHEN[1]}, "finish_reason": "length"}]}
    first = trace(
        "tr-1", span("a", "CHAIN", {"question": FEE[0]}, FEE[1]),
        span("b", "RETRIEVER", {"query": FEE[0]}, [{"page_content": PASSAGE, "metadata": {}, "id": "d"}], "a"),
    )  # fmt: skip
    sent = {"messages": [{"role": "user", "content": WHEN[0]}]}
    return [first | changes, trace("tr-2", span("c", "CHAT_MODEL", sent, made, start=2))]


SHAPES = {"langsmith": langsmith, "langfuse": langfuse, "mlflow": mlflow}


def saved(path, records):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    else:
        path.write_text(json.dumps(records, indent=2, ensure_ascii=False), "utf-8")
    return path


def dialogues(path, name):
    lines = list(dialogue_lines(path, format_reader(name).read(path)))
    problems = [line for line in lines if isinstance(line, Problem)]
    return [line.raw for line in lines if not isinstance(line, Problem)], problems


@pytest.mark.parametrize("file", ["a.jsonl", "a.json"])
@pytest.mark.parametrize("name", SHAPES)
def test_two_turns_of_one_dialogue(tmp_path, name, file):
    path = saved(tmp_path / file, SHAPES[name]())
    assert (recognised(path), kind_of(path), suite_of(path)) == (name, name, "rag")
    (raw,), problems = dialogues(path, name)
    dialog = msgspec.json.decode(raw, type=DialogTrace)
    assert (problems, dialog.dialog_id) == ([], "s")
    assert [(turn.user_text, turn.pred_assistant_text) for turn in dialog.turns] == [FEE, WHEN]
    assert [item.content for item in dialog.turns[0].recall.items] == [PASSAGE]
    assert dialog.turns[1].cut_off
    kept = json.loads(raw)["turns"][0]["metadata"]
    assert "gold" in json.dumps(kept) or kept["trace_metadata"]["mlflow.trace.user"] == "u"
    (checked,) = check(path)
    assert (checked.kind, checked.records, checked.problems) == (name, 1, [])
    result = score(ScoreRequest((path,), out=tmp_path / "run", suite="rag"))
    assert (result.rejected_lines, result.summary.counters["total_turn_pairs"]) == (0, 2)


def test_a_page_of_an_api_and_a_table_are_read_alike(tmp_path):
    page = tmp_path / "page.json"
    page.write_text(json.dumps({"data": langfuse(), "meta": {"page": 1}}), "utf-8")
    assert (recognised(page), len(dialogues(page, "langfuse")[0])) == ("langfuse", 1)
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    columns = ("id", "trace_id", "parent_run_id", "run_type", "start_time", "inputs", "outputs", "extra")
    rows = [{name: run.get(name) for name in columns} for run in langsmith()]
    texts = [
        {key: json.dumps(value) if isinstance(value, dict) else value for key, value in row.items()} for row in rows
    ]
    import pyarrow as pa  # noqa: PLC0415 - an extra

    parquet.write_table(pa.Table.from_pylist(texts), tmp_path / "runs.parquet")
    assert recognised(tmp_path / "runs.parquet") == "langsmith"
    ((raw,), problems) = dialogues(tmp_path / "runs.parquet", "langsmith")
    assert (problems, json.loads(raw)["dialog_id"]) == ([], "s")


def test_runs_within_runs(tmp_path):
    root, search, model = langsmith()
    path = saved(tmp_path / "a.json", [root | {"child_runs": [search]}, model])
    assert dialogues(path, "langsmith") == dialogues(saved(tmp_path / "a.json", langsmith()), "langsmith")


def test_what_ended_with_an_error_is_a_failed_turn(tmp_path):
    run, *_ = langsmith(outputs=None, error="timed out")
    path = saved(tmp_path / "a.jsonl", [run])
    (raw,), _ = dialogues(path, "langsmith")
    (turn,) = json.loads(raw)["turns"]
    assert (turn["turn_status"], turn["error"], turn["pred_assistant_text"]) == ("error", "timed out", "")


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [
        ("langsmith", {"id": None}, "$.id"),
        ("langsmith", {"id": "x", "trace_id": None, "parent_run_id": "y"}, "$.trace_id"),
        ("langsmith", {"start_time": "yesterday"}, "$.start_time"),
        ("langsmith", {"extra": "text"}, "$.extra"),
        ("langfuse", {"id": ""}, "$.id"),
        ("langfuse", {"observations": [{"id": "o", "startTime": "soon"}]}, "$.observations[0].startTime"),
        ("langfuse", {"observations": [{"type": "SPAN"}]}, "$.observations[0].id"),
        ("mlflow", {"data": {"spans": [{"name": "x"}]}}, "$.data.spans[0].span_id"),
        ("mlflow", {"data": {"spans": "none"}}, "$.data.spans"),
        ("mlflow", {"info": {}}, "$.trace_id"),
    ],
)
def test_a_record_that_cannot_be_read_is_named_with_its_field(tmp_path, name, changes, field):
    good, *rest = SHAPES[name]()
    (bad, *_) = SHAPES[name](**changes)
    path = saved(tmp_path / "a.jsonl", [good, *rest, bad])
    told, (problem,) = dialogues(path, name)
    assert len(told) == 1
    assert (problem.line, problem.field) == (len(rest) + 2, field)
    assert str(path) in str(problem)


def test_a_span_without_an_id_is_named_with_its_place(tmp_path):
    spans = [{"traceId": "t", "spanId": "", "name": "x", "attributes": []}]
    record = {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}
    told, (problem, _) = dialogues(saved(tmp_path / "a.jsonl", [record]), "spans")
    assert (told, problem.line, problem.field) == ([], 1, "$.resourceSpans[0].scopeSpans[0].spans[0].span_id")


def test_protobuf_without_its_package_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.proto.collector.trace.v1.trace_service_pb2", None)
    path = tmp_path / "a.binpb"
    path.write_bytes(struct.pack(">I", 9))
    assert (recognised(path), suite_of(path)) == ("otlp-proto", "rag")
    with pytest.raises(MissingExtraError, match=r"turnmark\[otlp\]"):
        dialogues(path, "otlp-proto")


EVENTS = [
    {"spec": {"run_id": "r", "eval_name": "fees.dev.v0", "completion_fns": ["m"]}},
    {"run_id": "r", "event_id": 0, "sample_id": "fees.dev.0", "type": "sampling", "created_by": "", "created_at": AT,
     "data": {"prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": FEE[0]}],
              "sampled": [FEE[1]]}},
    {"run_id": "r", "event_id": 1, "sample_id": "fees.dev.0", "type": "match", "created_by": "", "created_at": AT,
     "data": {"correct": True, "expected": ["2%", "二"], "picked": "2%"}},
    {"final_report": {"accuracy": 1.0}},
]  # fmt: skip
LOCOMO = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1 May",
        "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "I moved."},
                      {"speaker": "B", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a dog"}],
    },
    "qa": [
        {"question": "Who moved?", "answer": "A", "evidence": ["D1:1"], "category": 4, "m_prediction": "A did.",
         "m_prediction_context": ["D1:2"]},
        {"question": "Whose cat?", "adversarial_answer": "B", "evidence": ["D1:1; D1:2"], "category": 5},
    ],
}  # fmt: skip
MEMORY = {
    "question_id": "q1", "question_type": "multi-session", "question": FEE[0], "answer": 2,
    "question_date": "2023/05/30",
    "haystack_session_ids": ["a_1", "f_2"], "haystack_dates": ["d", "e"], "answer_session_ids": ["a_1"],
    "haystack_sessions": [
        [{"role": "user", "content": PASSAGE, "has_answer": True}], [{"role": "user", "content": "x"}],
    ],
    "hypothesis": FEE[1],
}  # fmt: skip


def test_a_log_of_evals_gives_a_case_a_sample(tmp_path):
    path = saved(tmp_path / "log.jsonl", EVENTS)
    assert (recognised(path), kind_of(path), suite_of(path)) == ("openai-evals", "cases", "rag")
    (case,) = read_cases(path)
    assert (case.id, case.question, case.answer, case.ground_truth_answer) == ("fees.dev.0", *FEE, "2%")
    assert case.metadata["other_ideals"] == ["二"]
    assert case.metadata["events"][0]["correct"] is True


def test_samples_of_evals_are_questions_to_play(tmp_path):
    sample = {"input": [{"role": "user", "content": FEE[0]}], "ideal": "2%", "topic": "fees"}
    path = saved(tmp_path / "samples.jsonl", [sample, {"input": [{"role": "system", "content": "s"}], "ideal": "x"}])
    case, problem = read_cases(path)
    assert (case.question, case.answer, case.ground_truth_answer) == (FEE[0], None, "2%")
    assert case.metadata == {"topic": "fees"}
    assert (problem.line, problem.field) == (2, "$.input")


def test_questions_of_locomo_rest_on_the_turns_of_their_evidence(tmp_path):
    path = saved(tmp_path / "locomo10.json", [LOCOMO])
    assert (recognised(path), suite_of(path)) == ("locomo", "rag")
    first, second = read_cases(path)
    assert (first.id, first.answer, first.ground_truth_answer) == ("conv-1-1", "A did.", "A")
    assert first.ground_truth_contexts == ["(1 May) A: I moved."]
    assert (first.retrieved_contexts, first.retrieved_ids) == (["(1 May) B: Look! [a dog]"], ["D1:2"])
    assert (second.answer, second.ground_truth_answer, second.relevant_ids) == (None, None, ["D1:1", "D1:2"])
    assert second.metadata == {"adversarial_answer": "B", "category": 5}


def test_questions_of_longmemeval(tmp_path):
    ranked = {"retrieval_results": {"ranked_items": [{"corpus_id": "f_2", "text": "user: x"}]}}
    turns = {"retrieval_results": {"ranked_items": [{"corpus_id": "f_2_1", "text": "user: x"}]}}
    unmarked = {"haystack_sessions": [[{"role": "user", "content": PASSAGE}], []]}
    path = saved(tmp_path / "memory.json", [MEMORY, MEMORY | ranked, MEMORY | turns, MEMORY | unmarked])
    assert (recognised(path), suite_of(path)) == ("longmemeval", "rag")
    first, second, third, fourth = read_cases(path)
    assert (first.id, first.question, first.answer, first.ground_truth_answer) == ("q1", *FEE, "2")
    assert first.ground_truth_contexts == fourth.ground_truth_contexts == [f"user: {PASSAGE}"]
    assert first.metadata["question_type"] == "multi-session"
    assert (second.retrieved_ids, second.retrieved_contexts) == (["f_2"], ["user: x"])
    assert (third.retrieved_ids, third.relevant_ids) == (None, ["a_1"])


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (LOCOMO | {"qa": "none"}, "$.qa"),
        (LOCOMO | {"qa": [{"question": 1}]}, "$.qa[0].question"),
        (MEMORY | {"question": None}, "$.question"),
        (MEMORY | {"haystack_sessions": {}}, "$.haystack_sessions"),
        ({**EVENTS[1], "data": 1}, "$.data"),
    ],
)
def test_a_wrong_field_of_a_benchmark_is_named(tmp_path, record, field):
    good = LOCOMO if "qa" in record else MEMORY if "question_id" in record else EVENTS[1]
    problems = [case for case in read_cases(saved(tmp_path / "a.json", [good, record])) if isinstance(case, Problem)]
    assert [(problem.line, problem.field) for problem in problems] == [(2, field)]


def test_fine_tuning_files_keep_what_is_no_message(tmp_path):
    messages = [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": FEE[0]},
        {"role": "assistant", "content": FEE[1], "weight": 0},
    ]  # fmt: skip
    path = saved(tmp_path / "tune.jsonl", [{"messages": messages, "parallel_tool_calls": False}])
    assert recognised(path) == "chats"
    (raw,), (warning,) = dialogues(path, "chats")
    dialog = json.loads(raw)
    assert (dialog["metadata"], dialog["turns"][0]["metadata"]) == ({"parallel_tool_calls": False}, {"weight": 0})
    assert warning.found == "1 messages of the system"


def test_the_message_that_is_none_is_named(tmp_path):
    lines = [{"messages": [{"role": "user", "content": "x"}, {"content": "y"}]}]
    told, (problem,) = dialogues(saved(tmp_path / "a.jsonl", lines), "chats")
    assert (told, problem.line, problem.field) == ([], 1, "$.messages[1]")


def test_a_format_can_be_named(tmp_path):
    path = saved(tmp_path / "runs.jsonl", [{"id": "r", "run_type": "chain", "inputs": FEE[0], "outputs": FEE[1]}])
    assert recognised(path) is None
    result = score(ScoreRequest((path,), out=tmp_path / "run", suite="rag", source_format="langsmith"))
    assert result.summary.counters["total_turn_pairs"] == 1
    with pytest.raises(UsageError, match=r"--from: expected one of inspect, .*found 'nonsense'"):
        score(ScoreRequest((path,), out=tmp_path / "other", suite="rag", source_format="nonsense"))
    with pytest.raises(UsageError, match=r"--from locomo: expected a format of dialogues"):
        score(ScoreRequest((path,), out=tmp_path / "other", suite="finance", source_format="locomo"))


class _Mine:
    version, gives = "mine 1", "dialogues"

    def recognise(self, sample):
        return sample.path.suffix == ".mine"

    def read(self, path):
        yield 1, {"turns": [{"user_text": FEE[0], "pred_assistant_text": path.read_text("utf-8")}]}


MINE = _Mine()


@pytest.fixture
def of_packages(monkeypatch):
    class Point:
        def __init__(self, name, value, loaded):
            self.name, self.value, self._loaded = name, value, loaded

        def __lt__(self, other):
            return self.name < other.name

        def load(self):
            if self._loaded is None:
                message = "no module named gone"
                raise ImportError(message)
            return self._loaded

    points = [Point("mine", "my.package:MINE", MINE), Point("gone", "gone:READER", None)]
    for function in (registry._of_packages, format_reader):
        function.cache_clear()
    monkeypatch.setattr("turnmark.plugins.entry_points", lambda group: points if group == "turnmark.readers" else [])
    yield
    for function in (registry._of_packages, format_reader):
        function.cache_clear()


def test_a_package_may_bring_a_reader(tmp_path, of_packages):
    path = tmp_path / "a.mine"
    path.write_text(FEE[1], "utf-8")
    assert reader_names()[-2:] == ("gone", "mine")
    assert recognised(path) == "mine"
    result = score(ScoreRequest((path,), out=tmp_path / "run", suite="finance"))
    assert result.summary.counters["total_turn_pairs"] == 1
    with pytest.raises(UsageError, match="--from gone: the reader gone:READER cannot be loaded: no module named gone"):
        format_reader("gone")
