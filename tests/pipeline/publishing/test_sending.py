"""Scores sent over real HTTP to a server of our own, which refuses, limits, rejects and breaks off as it is told."""

import base64
import hashlib
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from turnmark.errors import DataError, UsageError
from turnmark.llm.protocol import CallFailure
from turnmark.llm.retry import RetryPolicy
from turnmark.pipeline.publishing.sending import SENT, send
from turnmark.pipeline.publishing.writers.registry import write_run, writer
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

KEY = "sk-lf-2f6e-not-for-any-log"
RUNS = ["5f0c4a51-0001-4000-8000-000000000001", "5f0c4a51-0001-4000-8000-000000000002"]


def run(name, at):
    return {
        "id": name, "trace_id": name, "name": "adviser", "run_type": "chain", "start_time": f"2026-01-0{at}T00:00:00Z",
        "inputs": {"question": "费率是多少？"}, "outputs": {"answer": "每年2%。"},
        "extra": {"metadata": {"session_id": "s"}},
    }  # fmt: skip


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored")
    (folder / "runs.jsonl").write_text("".join(json.dumps(run(name, at)) + "\n" for at, name in enumerate(RUNS, 1)))
    score(ScoreRequest((folder / "runs.jsonl",), out=folder / "run", suite="rag"))
    return folder / "run"


class Tracker:
    """A server that gives the replies of a script, then 202 with nothing rejected; keeps what it was sent."""

    def __init__(self):
        self.script, self.requests = [], []
        tracker = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                tracker.requests.append((self.path, dict(self.headers), body))
                status, headers, reply = tracker.script.pop(0) if tracker.script else (202, {}, {})
                raw = json.dumps(reply).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(raw))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.at = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def tracker(monkeypatch):
    served = Tracker()
    for name, value in {
        "LANGFUSE_BASE_URL": served.at + "/", "LANGFUSE_PUBLIC_KEY": "pk-lf-1", "LANGFUSE_SECRET_KEY": KEY,
        "LANGSMITH_ENDPOINT": served.at, "LANGSMITH_API_KEY": KEY, "OTEL_EXPORTER_OTLP_ENDPOINT": served.at,
        "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{KEY}",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    yield served
    served.server.shutdown()
    served.server.server_close()


def exported(scored, tmp_path, name):
    write_run(scored, name, tmp_path / name)
    return tmp_path / name


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_scores_go_to_langfuse_in_lists(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langfuse")
    result = send(folder, writer("langfuse"))
    bodies = lines(folder / "scores.jsonl")
    ((path, headers, body),) = tracker.requests
    assert (path, body) == ("/api/public/scores", bodies)
    assert headers["Authorization"] == "Basic " + base64.b64encode(f"pk-lf-1:{KEY}".encode()).decode()
    assert (result.accepted, result.rejected, result.errors) == (len(bodies), 0, ())
    ended = json.loads((scored / "run_manifest.json").read_text())["ended_at"].replace("Z", "+00:00")
    assert {each["timestamp"] for each in body} == {ended}


def test_a_partly_rejected_list_is_counted_and_not_sent_again(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langfuse")
    count = len(lines(folder / "scores.jsonl"))
    reply = {"accepted": count - 1, "rejected": 1, "errors": [{"message": f"no session s for {KEY}"}]}
    tracker.script = [(207, {}, reply)]
    first = send(folder, writer("langfuse"))
    assert (first.accepted, first.rejected, first.errors) == (count - 1, 1, ("no session s for ***",))
    assert send(folder, writer("langfuse")) == first
    assert len(tracker.requests) == 1
    assert KEY not in (folder / SENT).read_text("utf-8")


def test_a_limit_is_waited_for_as_long_as_it_asks(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langfuse")
    tracker.script = [(429, {"Retry-After": "7"}, {}), (503, {}, {})]
    waits = []
    result = send(folder, writer("langfuse"), pause=waits.append)
    assert result.accepted == len(lines(folder / "scores.jsonl"))
    assert len(tracker.requests) == 3
    assert 7 <= waits[0] < 7.5
    assert waits[1] < 7


def test_feedback_goes_to_the_runs_that_the_turns_were_read_from(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langsmith")
    result = send(folder, writer("langsmith"))
    sent = [body for _, _, body in tracker.requests]
    assert [body["run_id"] for body in sent[:: len(sent) - 1]] == RUNS
    assert {path for path, *_ in tracker.requests} == {"/feedback"}
    assert {headers["x-api-key"] for _, headers, _ in tracker.requests} == {KEY}
    assert (result.accepted, result.left_out) == (len(sent), 0)


def test_feedback_without_a_run_is_left_out(tmp_path, tracker):
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps({"question": "费率？", "answer": "2%。", "contexts": ["费率为2%。"]}))
    score(ScoreRequest((cases,), out=tmp_path / "run", suite="rag"))
    folder = exported(tmp_path / "run", tmp_path, "langsmith")
    result = send(folder, writer("langsmith"))
    assert (result.accepted, result.left_out, tracker.requests) == (0, len(lines(folder / "feedback.jsonl")), [])


def test_sending_goes_on_where_it_broke_off(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langsmith")
    bodies = lines(folder / "feedback.jsonl")
    tracker.script = [(200, {}, {}), (401, {}, {"detail": f"bad key {KEY}"})]
    with pytest.raises(CallFailure, match=r"jsonl: 1 scores accepted so far; HTTP 401.*goes on from there") as refused:
        send(folder, writer("langsmith"))
    assert KEY not in str(refused.value)
    with (folder / SENT).open("ab") as file:
        file.write(b'{"sha256": "brok')  # as a machine that lost power leaves it
    result = send(folder, writer("langsmith"))
    assert [body for _, _, body in tracker.requests[:1] + tracker.requests[2:]] == bodies
    assert result.accepted == len(bodies)


def test_a_file_that_changed_or_another_address_is_not_gone_on_with(scored, tmp_path, tracker, monkeypatch):
    folder = exported(scored, tmp_path, "langfuse")
    send(folder, writer("langfuse"))
    monkeypatch.setenv("LANGFUSE_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(DataError, match=r"sent\.jsonl:1: \$\.url: expected http://127\.0\.0\.1:9"):
        send(folder, writer("langfuse"))
    monkeypatch.setenv("LANGFUSE_BASE_URL", tracker.at)
    with (folder / "scores.jsonl").open("ab") as file:
        file.write(b"{}\n")
    with pytest.raises(DataError, match=r"sent\.jsonl:1: \$\.sha256"):
        send(folder, writer("langfuse"))


def test_events_go_to_a_collector(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "otlp-json")
    tracker.script = [(200, {}, {"partialSuccess": {"rejectedLogRecords": "1", "errorMessage": "too old"}})]
    result = send(folder, writer("otlp-json"))
    ((path, headers, body),) = tracker.requests
    assert (path, headers["authorization"]) == ("/v1/logs", f"Bearer {KEY}")
    assert [body] == lines(folder / "evaluations.jsonl")
    assert (result.accepted, result.rejected, result.errors) == (events(folder) - 1, 1, ("too old",))


def events(folder):
    """How many events all requests of a folder hold."""
    scopes = [scope for line in lines(folder / "evaluations.jsonl") for scope in line["resourceLogs"][0]["scopeLogs"]]
    return sum(len(scope["logRecords"]) for scope in scopes)


@pytest.mark.parametrize(
    ("partial", "rejected", "errors", "warnings"),
    [
        ({"partialSuccess": {"rejectedLogRecords": "2", "errorMessage": "old"}}, 2, ("old",), ()),
        ({"partial_success": {"rejected_log_records": 2, "error_message": "old"}}, 2, ("old",), ()),
        ({"partialSuccess": {"rejectedLogRecords": 3}}, 3, (), ()),
        ({"partialSuccess": {"errorMessage": "slow down"}}, 0, (), ("slow down",)),
        ({"partial_success": {"rejected_log_records": "0", "error_message": "slow down"}}, 0, (), ("slow down",)),
        ({"partialSuccess": {"rejectedLogRecords": "-1"}}, 0, (), ()),
        ({"partialSuccess": {}}, 0, (), ()),
        ({"partialSuccess": None}, 0, (), ()),
        ([], 0, (), ()),
        (
            {"partialSuccess": {"rejectedLogRecords": "some"}}, 0, (),
            ("a partial success that cannot be read: Expected `int`, got `str` - at `$.rejectedLogRecords`",),
        ),
    ],
)  # fmt: skip
def test_a_partial_success_counts_events_and_a_warning_rejects_none(
    scored, tmp_path, tracker, partial, rejected, errors, warnings
):
    folder = exported(scored, tmp_path, "otlp-json")
    tracker.script = [(200, {}, partial)]
    result = send(folder, writer("otlp-json"))
    assert (result.accepted, result.rejected) == (events(folder) - rejected, rejected)
    assert (result.errors, result.warnings, result.noun) == (errors, warnings, "events")
    (kept,) = lines(folder / SENT)
    assert (kept["accepted"], kept["rejected"]) == (events(folder) - rejected, rejected)
    assert send(folder, writer("otlp-json")) == result
    assert len(tracker.requests) == 1


def test_no_more_is_rejected_than_was_sent(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "otlp-json")
    tracker.script = [(200, {}, {"partialSuccess": {"rejectedLogRecords": 10**6, "errorMessage": "no"}})]
    result = send(folder, writer("otlp-json"))
    assert (result.accepted, result.rejected) == (0, events(folder))


def test_events_of_several_requests_are_counted_where_it_broke_off_and_behind(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "otlp-json")
    count = events(folder)
    split(folder, 3, count)
    partial = {"partialSuccess": {"rejectedLogRecords": "2", "errorMessage": "too old"}}
    tracker.script = [(200, {}, partial), (400, {}, {})]
    with pytest.raises(CallFailure, match=r"evaluations\.jsonl: 1 events accepted so far; HTTP 400"):
        send(folder, writer("otlp-json"))
    result = send(folder, writer("otlp-json"))
    assert (result.accepted, result.rejected, result.errors) == (count - 2, 2, ("too old",))
    assert [(kept["until"], kept["accepted"], kept["rejected"]) for kept in lines(folder / SENT)] == [
        (1, 1, 2), (2, count - 3, 0),
    ]  # fmt: skip


def split(folder, *ends):
    """Events as requests that end behind these, as those of a run of more than 500 are written."""
    (whole,) = lines(folder / "evaluations.jsonl")
    scope = whole["resourceLogs"][0]["scopeLogs"][0]
    records = scope["logRecords"]
    with (folder / "evaluations.jsonl").open("w", encoding="utf-8") as file:
        for begin, end in zip((0, *ends), ends, strict=False):
            scope["logRecords"] = records[begin:end]
            file.write(json.dumps(whole) + "\n")


@pytest.mark.parametrize(
    ("said", "rejected", "errors", "warnings"),
    [
        ((1, 0, []), 0, (), ()),
        ((0, 2, ["too old"]), 2, ("too old",), ()),
        ((1, 0, ["slow down"]), 0, (), ("slow down",)),
    ],
)
def test_what_was_sent_when_lines_were_counted_is_gone_on_with(
    scored, tmp_path, tracker, said, rejected, errors, warnings
):
    folder = exported(scored, tmp_path, "otlp-json")
    count = events(folder)
    split(folder, 3, 5, count)
    raw = (folder / "evaluations.jsonl").read_bytes()
    accepted, refused, told = said
    request = {
        "sha256": hashlib.sha256(raw).hexdigest(), "url": f"{tracker.at}/v1/logs", "until": 1,
        "accepted": accepted, "rejected": refused, "left_out": 0, "errors": told,
    }  # fmt: skip
    (folder / SENT).write_text(json.dumps(request) + "\n")
    result = send(folder, writer("otlp-json"))
    assert [body for _, _, body in tracker.requests] == lines(folder / "evaluations.jsonl")[1:]
    assert (result.accepted, result.rejected, result.left_out) == (count - rejected, rejected, 0)
    assert (result.errors, result.warnings) == (errors, warnings)
    assert send(folder, writer("otlp-json")) == result
    assert len(tracker.requests) == 2


def test_scores_were_counted_alike_when_lines_were(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langsmith")
    tracker.script = [(201, {}, {}), (400, {}, {})]
    with pytest.raises(CallFailure):
        send(folder, writer("langsmith"))
    (kept,) = lines(folder / SENT)
    del kept["warnings"]
    (folder / SENT).write_text(json.dumps(kept) + "\n")
    result = send(folder, writer("langsmith"))
    sent = [body for _, _, body in tracker.requests]
    assert (result.accepted, result.rejected) == (len(lines(folder / "feedback.jsonl")), 0)
    assert [sent[0], *sent[2:]] == lines(folder / "feedback.jsonl")


def test_a_line_that_is_no_request_is_named(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "otlp-json")
    (folder / "evaluations.jsonl").write_text("{")
    with pytest.raises(DataError, match=r"evaluations\.jsonl:1: expected what an export writes"):
        send(folder, writer("otlp-json"))
    assert not tracker.requests


def test_nobody_there_is_an_error_that_says_how_far_it_came(scored, tmp_path, tracker):
    folder = exported(scored, tmp_path, "langfuse")
    tracker.server.shutdown()
    tracker.server.server_close()
    with pytest.raises(CallFailure, match="0 scores accepted so far"):
        send(folder, writer("langfuse"), retry=RetryPolicy(tries=2), pause=lambda _: None)
    tracker.server = Tracker().server


@pytest.mark.parametrize("name", ["langfuse", "langsmith", "otlp-json"])
def test_without_an_address_nothing_is_sent(scored, tmp_path, monkeypatch, name):
    for variable in ("LANGFUSE_BASE_URL", "LANGFUSE_HOST", "LANGSMITH_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UsageError, match=r"--send: expected .* in the environment"):
        send(exported(scored, tmp_path, name), writer(name))


def test_the_command_sends_only_when_asked(scored, tmp_path, tracker):
    command = [sys.executable, "-m", "turnmark", "export", str(scored), "--out", str(tmp_path / "out"), "--to"]
    subprocess.run([*command, "langfuse"], capture_output=True, text=True, check=True)
    assert not tracker.requests
    tracker.script = [(207, {}, {"accepted": 0, "rejected": 1, "errors": [{"message": "no"}]})]
    sent = subprocess.run([*command, "langfuse", "--send"], capture_output=True, text=True, check=False)
    assert (sent.returncode, len(tracker.requests)) == (3, 1)
    scores = len(lines(tmp_path / "out" / "scores.jsonl"))
    assert sent.stdout.splitlines()[-2:] == [
        f"{scored}: {scores - 1} scores accepted by langfuse, 1 rejected",
        "rejected: no",
    ]
    assert KEY not in sent.stdout + sent.stderr
    refused = subprocess.run([*command[:-3], "--to", "csv", "--send"], capture_output=True, text=True, check=False)
    assert (refused.returncode, "--send: says nothing about --to csv" in refused.stderr) == (2, True)


def test_a_warning_is_told_and_does_not_fail_the_command(scored, tmp_path, tracker):
    command = [sys.executable, "-m", "turnmark", "export", str(scored), "--out", str(tmp_path / "out")]
    tracker.script = [(200, {}, {"partialSuccess": {"errorMessage": "names will change"}})]
    sent = subprocess.run([*command, "--to", "otlp-json", "--send"], capture_output=True, text=True, check=False)
    assert sent.returncode == 0
    assert sent.stdout.splitlines()[-2:] == [
        f"{scored}: {events(tmp_path / 'out')} events accepted by otlp-json",
        "warning: names will change",
    ]
