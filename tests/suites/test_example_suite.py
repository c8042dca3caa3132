"""The suite of examples/suite, installed beside turnmark: every command knows it, and nothing of turnmark names it."""

import json
import os
import shutil
import subprocess
import sys
import tomllib

import pytest

SUITE = "examples/suite"
VIEWER = """
import asyncio, sys
from pathlib import Path
from turnmark.viewer.app import ViewerSettings, make_app

app = make_app(ViewerSettings(Path(sys.argv[1]), Path(sys.argv[2]), hosts=("localhost",)))

async def get(path, query):
    sent = []
    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}
    async def send(message):
        sent.append(message)
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
             "headers": [(b"host", b"localhost")], "http_version": "1.1", "scheme": "http", "root_path": "",
             "server": ("localhost", 80), "client": ("127.0.0.1", 1)}
    await app(scope, receive, send)
    print(sent[0]["status"], b"".join(one.get("body", b"") for one in sent[1:]).decode())

asyncio.run(get(sys.argv[3], sys.argv[4]))
"""


@pytest.fixture(scope="module")
def installed(project, tmp_path_factory):
    """A folder that holds the package and what an installer writes beside it: its name and its entry points."""
    site = tmp_path_factory.mktemp("site")
    package = tomllib.loads((project / SUITE / "pyproject.toml").read_text("utf-8"))["project"]
    shutil.copytree(project / SUITE / "turnmark_tone", site / "turnmark_tone")
    info = site / f"{package['name'].replace('-', '_')}-{package['version']}.dist-info"
    info.mkdir()
    name = f"Metadata-Version: 2.1\nName: {package['name']}\nVersion: {package['version']}\n"
    (info / "METADATA").write_text(name, "utf-8")
    points = [f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in found.items())
              for group, found in package["entry-points"].items()]  # fmt: skip
    (info / "entry_points.txt").write_text("\n".join(points), "utf-8")
    return site


@pytest.fixture(scope="module")
def run(installed, project):
    paths = os.pathsep.join([str(installed), str(project / "src"), os.environ.get("PYTHONPATH", "")])

    def call(*arguments, code=0):
        done = subprocess.run(
            [sys.executable, *map(str, arguments)], capture_output=True, check=False, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"},
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done

    return call


@pytest.fixture(scope="module")
def runs(run, project, tmp_path_factory):
    """The e-mails scored twice, once in worker processes."""
    folder = tmp_path_factory.mktemp("runs")
    emails = project / SUITE / "data" / "emails.jsonl"
    run("-m", "turnmark", "score", emails, "--suite", "tone", "--out", folder / "one", "--pages")
    run("-m", "turnmark", "score", emails, "--suite", "tone", "--out", folder / "two", "--workers", "2", "--no-pages")
    return folder


def test_score(runs):
    rows = [json.loads(line) for line in (runs / "one" / "turn_eval.jsonl").read_text("utf-8").splitlines()]
    assert {row["dialog_id"]: row["marks"]["courteous_tone"]["measures"]["courteous"][0] for row in rows} == {
        "e1": 1, "e2": 0, "e3": 1, "e4": 1, "e5": 0, "e6": 1,
    }  # fmt: skip
    for name in ("turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json"):
        assert (runs / "one" / name).read_bytes() == (runs / "two" / name).read_bytes()
    summary = json.loads((runs / "one" / "metrics_summary.json").read_text("utf-8"))
    assert (summary["suite"], summary["detect"]) == ("tone", "phrases")
    assert summary["signature"]["detectors"]["tone.phrases"] == "1.0.0"


def test_check(run, runs, project):
    emails = project / SUITE / "data" / "emails.jsonl"
    assert f"{emails}: emails, 6 records, 0 errors" in run("-m", "turnmark", "check", emails, runs / "one").stdout
    other = run("-m", "turnmark", "score", emails, "--suite", "rag", "--out", runs.parent / "none", code=2)
    assert "looks like e-mails: score them with --suite tone" in other.stderr


def test_agree(run, project):
    labels = project / SUITE / "data" / "labels.jsonl"
    found = json.loads(run("-m", "turnmark", "agree", labels, "--suite", "tone", "--format", "json").stdout)
    assert (found["tone"]["courteous"]["tp"], found["tone"]["courteous"]["fp"]) == (2, 1)
    assert [one["id"] for one in found["disagreements"]] == ["e7"]
    refused = run("-m", "turnmark", "agree", labels, "--suite", "tone", "--metric", "x", code=2)
    assert "--metric: says nothing about suite tone" in refused.stderr


def test_report_in_the_words_of_the_suite(run, runs):
    for language, word in (("en", "E-mail"), ("zh", "邮件"), ("ko", "이메일")):
        run("-m", "turnmark", "report", runs / "one", "--lang", language)
        page = (runs / "one" / "report.html").read_text("utf-8")
        assert "TONE" in page
        assert "not my problem" in page or "Obviously" in page
        assert word in page


def test_compare(run, runs):
    assert "TONE courteous" in run("-m", "turnmark", "compare", runs / "one", runs / "two").stdout


def test_selftest(run, runs):
    found = json.loads(run("-m", "turnmark", "selftest", runs / "one", "--format", "json").stdout)
    caught = {one["measure"]: (one["sensitivity"]["hits"], one["sensitivity"]["total"]) for one in found["measures"]}
    assert caught == {"TONE.courteous": (4, 4), "TONE.greeted": (4, 4)}


def test_viewer(run, runs, tmp_path):
    listed = run("-c", VIEWER, runs, tmp_path, "/", "suite=tone").stdout
    assert listed.startswith("200 ")
    assert "TONE" in listed
    shown = run("-c", VIEWER, runs, tmp_path, "/dialog", "run=one&dialog=e2").stdout
    assert shown.startswith("200 ")
    assert "TONE.courteous" in shown
    assert "E-mail" in shown


def test_what_it_does_not_offer(run, project):
    emails = project / SUITE / "data" / "emails.jsonl"
    refused = run("-m", "turnmark", "judge", emails, "--suite", "tone", "--model", "m", code=2)
    assert refused.stderr.strip() == (
        "turnmark: --suite: suite tone asks no model: there is nothing for turnmark judge"
    )


def test_turnmark_itself_does_not_know_it(project):
    named = [path for path in (project / "src").rglob("*.py") if "turnmark_tone" in path.read_text("utf-8")]
    assert named == []
