"""The viewer among faults: two viewers at once, damaged and foreign folders, requests that nobody's browser sends."""

import contextlib
import http.client
import json
import os
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest

from building import PROFILE, dialog, turn, write_lines
from serving import Served
from turnmark.pipeline.labelling.correct import CorrectRequest, correct
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.viewer.app import ViewerSettings, make_app

TURNS = 22
MEASURES = (
    ("M3.risk_coverage", 0.5), ("M4.forbidden_hit_rate", True), ("M4.severe_violation_rate", True),
    ("M5.rubric_hit_rate", 1.0), ("M5.judge_score_mean", 2.0),
)  # fmt: skip


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored")
    turns = [turn(number, "收益会波动，存在风险。", risks=["波动风险", "回撤风险"], rubric=["风险揭示"])
             for number in range(1, TURNS + 1)]  # fmt: skip
    write_lines(folder / "trace.jsonl", dialog("d", turns, profile_gt=PROFILE))
    return score(ScoreRequest((folder / "trace.jsonl",), folder / "run")).folder


@pytest.fixture
def root(scored, tmp_path):
    """A folder of runs with one that is whole."""
    shutil.copytree(scored, tmp_path / "runs" / "whole")
    return tmp_path / "runs"


@pytest.fixture
def view(root, tmp_path):
    """Serve the folder of runs."""
    opened = []

    def serve(**settings):
        opened.append(Served(make_app(ViewerSettings(root, tmp_path / "labels", **settings))))
        return opened[-1]

    yield serve
    for served in opened:
        served.stop()


def said(**fields):
    return {"run": "whole", "annotator": "mina", "dialog_id": "d", "turn_pair_id": 1,
            "measure": "M4.forbidden_hit_rate", "value": True, **fields}  # fmt: skip


class Viewer:
    """A viewer in a process of its own."""

    def __init__(self, root, labels, *options):
        command = [sys.executable, "-c", "from turnmark.cli import main; main()", "view", str(root), "--port", "0",
                   "--labels", str(labels), *options]  # fmt: skip
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.at = self.process.stdout.readline().strip().rstrip("/")

    def post(self, body):
        """Give a label; once more where the connection was closed without an answer (a machine under load)."""
        for _ in range(3):
            with contextlib.suppress(http.client.RemoteDisconnected, ConnectionResetError):
                return Served.post(self, "/label", body)
        raise AssertionError("no answer")

    _answer = staticmethod(Served._answer)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def test_labels_given_in_two_viewers_at_once_are_all_kept(root, tmp_path):
    viewers = [Viewer(root, tmp_path / "labels") for _ in range(2)]
    bodies = [said(turn_pair_id=number, measure=measure, value=value)
              for number in range(1, TURNS + 1) for measure, value in MEASURES]  # fmt: skip
    assert len(bodies) == 110
    try:
        with ThreadPoolExecutor(8) as threads:
            codes = list(threads.map(lambda each: viewers[each[0] % 2].post(each[1])[0], enumerate(bodies)))
    finally:
        for viewer in viewers:
            viewer.stop()
    kept = [json.loads(line) for path in (tmp_path / "labels").rglob("*.labels.jsonl")
            for line in path.read_bytes().splitlines()]  # fmt: skip
    assert (codes.count(200), sorted(set(codes) - {200})) == (110, [])
    assert {(one["turn_pair_id"], one["measure"]) for one in kept} == {
        (one["turn_pair_id"], one["measure"]) for one in bodies
    }


def test_a_damaged_line_of_labels_stays_is_named_and_spoils_no_other(view, root, tmp_path):
    served = view()
    assert served.post("/label", said())[0] == 200
    path = next((tmp_path / "labels").rglob("*.labels.jsonl"))
    damaged = b'{"dialog_id":"d","turn_pair_'
    path.write_bytes(path.read_bytes() + damaged)
    assert json.loads(served.post("/label", said(turn_pair_id=2))[1])["total"] == 2
    assert damaged in path.read_bytes().splitlines()
    answer = json.loads(served.get("/label?run=whole&annotator=mina")[1])
    assert [one["turn_pair_id"] for one in answer["labels"]] == [1, 2]
    assert answer["problems"] == [f"{path.name}:2"]
    (tmp_path / "given.jsonl").write_text(served.get("/labels?run=whole")[1], "utf-8")
    corrected = correct(CorrectRequest(root / "whole", tmp_path / "given.jsonl"))
    assert corrected.labels == 2
    assert len(corrected.unused) == 1


def test_a_label_on_a_full_disk_is_not_acknowledged_and_leaves_nothing(view, tmp_path, monkeypatch):
    served = view()
    assert served.post("/label", said())[0] == 200
    path = next((tmp_path / "labels").rglob("*.labels.jsonl"))
    before = path.read_bytes()

    def full(_handle):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        code, answer, _ = served.post("/label", said(turn_pair_id=2))
    assert code == 507
    assert answer == "the label could not be kept: No space left on device"
    assert path.read_bytes() == before
    assert json.loads(served.post("/label", said(turn_pair_id=3))[1])["total"] == 2


@pytest.mark.parametrize(
    ("measure", "value"),
    [("M4.forbidden_hit_rate", 999), ("M4.forbidden_hit_rate", -1), ("M4.forbidden_hit_rate", 0.5),
     ("M5.judge_score_mean", 5.5), ("M5.judge_score_mean", -0.1), ("M5.judge_score_mean", True),
     ("M3.risk_coverage", 2)],
)  # fmt: skip
def test_a_value_that_the_mark_cannot_have_is_refused(view, tmp_path, measure, value):
    code, answer, _ = view().post("/label", said(measure=measure, value=value))
    assert code == 400
    assert answer.startswith("value: ")
    assert not list((tmp_path / "labels").rglob("*.labels.jsonl"))


def test_a_label_carries_who_when_and_of_what_and_one_of_another_text_is_not_used(view, root, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    served = view()
    page = served.get("/dialog?run=whole&dialog=d")[1]
    shown = page.partition('data-turn="2" data-fingerprint="')[2].partition('"')[0]
    assert served.post("/label", said())[0] == 200
    assert served.post("/label", said(turn_pair_id=2, fingerprint=shown))[0] == 200
    labels = json.loads(served.get("/label?run=whole&annotator=mina")[1])["labels"]
    assert [(one["annotator"], one["at"]) for one in labels] == [("mina", "2023-11-14T22:13:20Z")] * 2
    assert labels[1]["fingerprint"] == shown
    (tmp_path / "given.jsonl").write_text(served.get("/labels?run=whole")[1], "utf-8")
    assert correct(CorrectRequest(root / "whole", tmp_path / "given.jsonl")).unused == []

    trace = root / "whole" / "dialog_trace.jsonl"
    told = json.loads(trace.read_text("utf-8"))
    told["turns"][1]["pred_assistant_text"] = "保本保收益，稳赚不赔。"
    trace.write_text(json.dumps(told) + "\n", "utf-8")
    unused = correct(CorrectRequest(root / "whole", tmp_path / "given.jsonl")).unused
    assert len(unused) == 1
    assert "given.jsonl:2: $.fingerprint: expected turn 2 of 'd' as it was when it was labelled" in unused[0]
    code, answer, _ = served.post("/label", said(turn_pair_id=2, fingerprint=shown))
    assert code == 400
    assert "load the page again" in answer


def test_a_post_that_is_too_large_is_refused_before_it_is_held(view, tmp_path):
    served = view()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    host, port = served.at.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        head = (
            f"POST /label HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {served.at}\r\nContent-Length: 314572800\r\n\r\n"
        )
        connection.sendall(head.encode())
        try:
            for _ in range(300):
                connection.sendall(b" " * (1 << 20))
        except OSError:
            pass
        connection.settimeout(20)
        try:
            answer = connection.recv(4096)
        except OSError:
            answer = b""
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown < 60, answer[:40]
    assert served.post("/label", b" " * 70000)[0] == 413


@pytest.mark.parametrize("path", ["/", "/run", "/dialog", "/compare", "/labels", "/label"])
def test_no_query_is_an_error_of_the_server(many, path):
    values = ["a%00b", "x" * 5000, "x" * 300, "%FF%FE", "..%2f" * 300, "con/" * 200, "%25" * 1900]
    for value in values:
        for name in ("run", "text", "dialog", "sort", "lang", "annotator", "page", "fault"):
            query = f"{name}={value}" if name == "run" else f"run=whole&run=whole&{name}={value}"
            code, answer, _ = many.get(f"{path}?{query}")
            assert code in (200, 400), (name, value[:20])
            assert "Traceback" not in answer


@pytest.fixture(scope="module")
def many(scored, tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    shutil.copytree(scored, folder / "runs" / "whole")
    served = Served(make_app(ViewerSettings(folder / "runs", folder / "labels")))
    yield served
    served.stop()


@pytest.mark.parametrize("settings", [{}, {"hosts": ("0.0.0.0", "localhost")}, {"token": "s3cret"}])  # noqa: S104
def test_a_foreign_name_is_refused_in_every_mode(view, settings):
    served = view(**settings)
    port = served.at.rpartition(":")[2]
    for name in (f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", "[", ""):
        assert served.get("/", Host=name)[0] == 400
        assert served.post("/label", said(), Host=name, Origin=f"http://{name}")[0] == 400
    assert served.post("/label", said(), Origin="http://[")[0] == 403
    assert served.get("/", Host=f"[::1]:{port}")[0] == (403 if "token" in settings else 200)


def folder_of(root, name, **files):
    (root / name).mkdir()
    for file, content in files.items():
        (root / name / file.replace("__", ".")).write_bytes(content)
    return root / name


def test_damaged_runs_are_named_and_the_others_show(view, root):
    whole = (root / "whole" / "metrics_summary.json").read_bytes()
    rows = (root / "whole" / "turn_eval.jsonl").read_bytes()
    huge = whole.replace(b'"total_turn_pairs": 22', b'"total_turn_pairs": ' + b"9" * 400)
    assert huge != whole
    folder_of(root, "deep", metrics_summary__json=b"[" * 200_000)
    folder_of(root, "deeper", metrics_summary__json=b'{"run_id":' * 100_000)
    folder_of(root, "huge", metrics_summary__json=huge)
    folder_of(root, "negative", metrics_summary__json=whole.replace(b'pairs": 22', b'pairs": -22'))
    folder_of(root, "manifest", metrics_summary__json=whole, run_manifest__json=b"[" * 100_000)
    folder_of(root, "other", metrics_summary__json=whole.replace(b'"finance"', b'"clinical"'), turn_eval__jsonl=rows)
    folder_of(root, "unknown", metrics_summary__json=whole.replace(b'"finance"', b'"elsewhere"'))
    folder_of(root, "utf16", metrics_summary__json=whole.decode().encode("utf-16"))
    (root / "folder" / "metrics_summary.json").mkdir(parents=True)
    (root / "pipe").mkdir()
    os.mkfifo(root / "pipe" / "metrics_summary.json")
    os.mkdir(os.fsencode(root) + b"/\xff\xfe")  # noqa: PTH102
    shutil.copy(root / "whole" / "metrics_summary.json", os.fsencode(root) + b"/\xff\xfe/metrics_summary.json")
    served = view()
    code, page, _ = served.get("/")
    assert code == 200
    for name in ("whole", "deep", "deeper", "huge", "negative", "manifest", "other", "unknown", "utf16", "pipe"):
        assert name in page, name
    for name in ("deep", "deeper", "huge", "pipe", "negative", "utf16"):
        code, answer, _ = served.get(f"/run?run={name}")
        assert (code, answer.count("\n")) == (400, 0), name
        assert name in answer, name
    for name in ("other", "unknown", "manifest", "folder"):
        for path in ("/run?run=", "/dialog?dialog=d&run=", "/labels?run=", "/compare?run=whole&run="):
            code, answer, _ = served.get(path + name)
            assert code in (200, 400), (path, name)
            assert "Traceback" not in answer
    assert served.get("/run?run=" + quote(b"\xff\xfe"))[0] == 400
    assert served.get("/run?run=whole")[0] == 200


@pytest.mark.parametrize("kind", ["folder", "schema", "bytes", "empty"])
def test_an_index_that_is_none_is_named_and_the_runs_show(root, tmp_path, kind):
    labels = tmp_path / "labels"
    labels.mkdir()
    index = labels / "index.sqlite"
    if kind == "folder":
        index.mkdir()
    elif kind == "schema":
        with sqlite3.connect(index) as other:
            other.execute("CREATE TABLE runs (somebody TEXT, elses TEXT)")
        other.close()
    else:
        index.write_bytes(b"" if kind == "empty" else b"no database at all " * 200)
    app = make_app(ViewerSettings(root, labels))
    served = Served(app)
    try:
        assert "whole" in served.get("/")[1]
    finally:
        served.stop()
    assert [f"{index}: expected an index of runs" in line for line in app.state.problems] == [True] * (kind != "empty")


@pytest.mark.parametrize("options", [("--host", "no such host"), ("--host", "192.0.2.1"), ("--host", ""),
                                     ("--host", "a" * 300), ("--host", "..")])  # fmt: skip
def test_a_place_where_nothing_can_listen_is_misuse(cli, root, options):
    ran = cli("view", root, "--port", "0", *options)
    assert ran.code == 2
    assert ran.err.startswith("turnmark: --host")


def test_a_busy_port_is_misuse(cli, root):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        ran = cli("view", root, "--port", busy.getsockname()[1])
    assert ran.code == 2
    assert "cannot be listened at: " in ran.err


def test_without_a_token_on_every_address_a_rebinding_page_is_refused(root, tmp_path):
    viewer = Viewer(root, tmp_path / "labels", "--host", "0.0.0.0", "--no-token", "--also-known-as", "known.example")  # noqa: S104
    try:
        port = viewer.at.rpartition(":")[2]
        viewer.at = f"http://127.0.0.1:{port}"
        evil = f"evil.example:{port}"
        assert Served.post(viewer, "/label", said(), Host=evil, Origin=f"http://{evil}")[0] == 400
        known = f"known.example:{port}"
        assert Served.post(viewer, "/label", said(), Host=known, Origin=f"http://{known}")[0] == 200
    finally:
        viewer.stop()
