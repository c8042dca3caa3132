"""What is written for platforms, read by their own models: langfuse 5.0.4, langsmith 0.15.1, opentelemetry-proto 1.45.

OTLP is taken by a server over HTTP that parses requests with the collector's own messages, as a receiver does.
"""

import json
import threading
import uuid
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from turnmark.pipeline.publishing.sending import send
from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.pipeline.publishing.writers.registry import write_run, writer
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

CASES = [
    {"question": "起存金额是多少？", "answer": "起存金额是20万元。", "contexts": ["大额存单20万元起存。"]},
    {"question": "수수료는요?", "answer": "수수료는 2%입니다.", "contexts": ["영업점은 주말에 엽니다."]},
]


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored")
    cases = folder / "cases.jsonl"
    cases.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in CASES), "utf-8")
    score(ScoreRequest((cases,), out=folder / "run", suite="rag"))
    return folder / "run"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def bodies(scored, tmp_path, name, file):
    write_run(scored, name, tmp_path / name)
    found = lines(tmp_path / name / file)
    assert len(found) == len(list(Run(scored).applicable()))
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_langfuse_takes_every_score(scored, tmp_path):
    api = pytest.importorskip("langfuse.api", reason="langfuse is not installed")
    models = pytest.importorskip("langfuse.api.core.pydantic_utilities", reason="langfuse is not installed")
    for body in bodies(scored, tmp_path, "langfuse", "scores.jsonl"):
        read = models.parse_obj_as(api.CreateScoreRequest, body)
        told = json.loads(read.model_dump_json(by_alias=True, exclude_unset=True))
        assert read.timestamp == datetime.fromisoformat(body["timestamp"])
        assert {name: told[name] for name in body} == {**body, "timestamp": told["timestamp"]}
        assert not read.model_extra


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_langsmith_takes_every_feedback(scored, tmp_path):
    schemas = pytest.importorskip("langsmith.schemas", reason="langsmith is not installed")
    for body in bodies(scored, tmp_path, "langsmith", "feedback.jsonl"):
        # Left out of what is sent where it is null (see exports.md); the model wants one or a session.
        read = schemas.FeedbackCreate.model_validate({**body, "run_id": body["run_id"] or str(uuid.UUID(int=1))})
        assert (read.key, read.score, read.value) == (body["key"], body["score"], body["value"])
        assert set(body) <= set(schemas.FeedbackCreate.model_fields)


@pytest.fixture
def collector(monkeypatch):
    """A receiver of OTLP/HTTP with JSON: refuses with 400 what its messages do not know."""
    service = pytest.importorskip(
        "opentelemetry.proto.collector.logs.v1.logs_service_pb2", reason="the extra otlp is not installed"
    )
    form = pytest.importorskip("google.protobuf.json_format", reason="the extra otlp is not installed")
    taken, refused = [], []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            code, reply = 200, service.ExportLogsServiceResponse()
            try:
                taken.append(form.Parse(body, service.ExportLogsServiceRequest()))
            except form.ParseError as error:
                code, reply = 400, service.ExportLogsServiceResponse()
                refused.append(str(error))
            answer = form.MessageToJson(reply).encode()
            self.send_response(code)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield taken, refused
    server.shutdown()
    server.server_close()


def test_a_receiver_of_otlp_takes_every_event(scored, tmp_path, collector):
    taken, refused = collector
    write_run(scored, "otlp-json", tmp_path / "otlp")
    result = send(tmp_path / "otlp", writer("otlp-json"))
    records = [
        record for request in taken for resource in request.resource_logs
        for scope in resource.scope_logs for record in scope.log_records
    ]  # fmt: skip
    assert refused == []
    assert (result.rejected, result.accepted) == (0, len(taken))
    figures = [figure for figure in Run(scored).figures() if figure.value is not None]
    assert len(records) == len(list(Run(scored).applicable())) + len(figures)
    assert {record.event_name for record in records} == {"gen_ai.evaluation.result"}
    scores = [
        attribute.value.double_value for record in records for attribute in record.attributes
        if attribute.key == "gen_ai.evaluation.score.value"
    ]  # fmt: skip
    wanted = [each.value for each in Run(scored).applicable() if each.value is not None]
    wanted += [figure.value for figure in figures]
    assert sorted(scores) == pytest.approx(sorted(wanted))
