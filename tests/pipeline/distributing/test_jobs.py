"""Jobs by partitions: the bytes of `score` whatever runs them, and what was done is not done again."""

import json
import os
import signal
import subprocess
import sys
import time

import fsspec
import pytest

from turnmark.engine import LocalEngine, RayEngine, ScoreRequest, score_job
from turnmark.errors import DataError, MissingExtraError, UsageError
from turnmark.pipeline.distributing import engines, job
from turnmark.pipeline.distributing.location import Location
from turnmark.pipeline.publishing.run_turns import turn_sums
from turnmark.pipeline.scoring.partitions import partitions
from turnmark.pipeline.scoring.score import score
from turnmark.runs.folder import EVIDENCE, PROBLEMS, SUMMARY, TRACE, TURN_EVAL
from turnmark.suites.registry import suite_definition

SAME = (TRACE, TURN_EVAL, EVIDENCE, SUMMARY, PROBLEMS)
SIZE = 1 << 14


def dialogue(number):
    asked = ("这只基金保本吗？", "我最多能亏一成。", "原금 보장되나요?")
    turns = [
        {
            "turn_pair_id": at, "user_turn_abs_idx": 2 * at - 2, "gt_assistant_abs_idx": 2 * at - 1, "user_text": text,
            "gt_assistant_text": "", "gt_turn_tags": {"risk_disclosure_required_gt": ["volatility_risk"]},
            "turn_status": "ok", "pred_assistant_text": f"第{number}只基金净值会波动，不保本。" * (1 + number % 3),
        }
        for at, text in enumerate(asked, 1)
    ]  # fmt: skip
    return {
        "trace_version": "v1", "run_id": "jobs", "dialog_id": f"d{number:04d}", "dataset_index": number,
        "dialog_status": "ok", "valid_dialog": True, "turns": turns,
    }  # fmt: skip


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "trace.jsonl"
    lines = [json.dumps(dialogue(number), ensure_ascii=False) for number in range(120)]
    lines[50] = lines[50][:-9]  # a line that broke off
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def local(trace):
    score(ScoreRequest((trace,), out=trace.parent / "local"))
    return trace.parent / "local"


def request(trace, out):
    return ScoreRequest((trace,), out=out)


def count(trace):
    return sum(1 for _ in partitions(request(trace, None), SIZE))


def assert_same(local, folder):
    for name in SAME:
        assert (folder / name).read_bytes() == (local / name).read_bytes(), name


class Counting(LocalEngine):
    """Runs here, and counts what was still to be scored."""

    def __init__(self):
        super().__init__()
        self.scored = []

    def map(self, function, arguments):
        for task in arguments:
            self.scored += [] if task.lines is None else [task.number]
            yield function(task)


@pytest.mark.parametrize("parts", [None, "folder", "memory://parts"])
def test_a_job_gives_the_bytes_of_score(trace, local, tmp_path, parts):
    place = str(tmp_path / "parts") if parts == "folder" else parts
    score_job(request(trace, tmp_path / "run"), LocalEngine(), place, size=SIZE)
    assert_same(local, tmp_path / "run")
    if parts == "memory://parts":
        kept = sorted(path.rpartition("/")[2] for path in fsspec.filesystem("memory").ls("/parts", detail=False))
        assert kept == [f"part-{n:06d}.{end}" for n in range(count(trace)) for end in ("json", "shard")]
        fsspec.filesystem("memory").rm("/parts", recursive=True)


def test_several_processes_give_the_same(trace, local, tmp_path):
    score_job(request(trace, tmp_path / "run"), LocalEngine(2), str(tmp_path / "parts"), size=SIZE)
    assert_same(local, tmp_path / "run")


def test_a_job_started_again_scores_what_is_missing_or_damaged(trace, local, tmp_path):
    parts = tmp_path / "parts"
    score_job(request(trace, tmp_path / "first"), LocalEngine(), str(parts), size=SIZE)
    (parts / "part-000001.json").unlink()  # died before it was committed
    (parts / "part-000002.shard").write_bytes(b"broken")
    (parts / "part-000003.json").write_bytes(b"{")
    again = Counting()
    score_job(request(trace, tmp_path / "second"), again, str(parts), size=SIZE)
    assert again.scored == [1, 2, 3]
    assert_same(local, tmp_path / "second")


@pytest.mark.parametrize("change", ["lines", "settings"])
def test_shards_of_other_lines_or_settings_are_not_taken(trace, tmp_path, change):
    parts, other = str(tmp_path / "parts"), tmp_path / "trace.jsonl"
    other.write_bytes(trace.read_bytes())
    score_job(request(other, tmp_path / "first"), LocalEngine(), parts, size=SIZE)
    asked = request(other, tmp_path / "second")
    if change == "lines":
        other.write_bytes(trace.read_bytes().replace("不保本".encode(), "很安全".encode(), 1))
    else:
        asked = asked._replace(ignore_memory_keys=True)
    again = Counting()
    score_job(asked, again, parts, size=SIZE)
    assert again.scored == ([0] if change == "lines" else list(range(count(trace))))
    score(asked._replace(out=tmp_path / "local"))
    assert_same(tmp_path / "local", tmp_path / "second")


def test_a_job_that_breaks_off_leaves_what_was_done(trace, local, tmp_path, monkeypatch):
    real, calls = job.score_partition, []

    def breaks(asked, lines):
        calls.append(len(lines))
        if len(calls) == 4:
            message = "the machine is gone"
            raise OSError(message)
        return real(asked, lines)

    monkeypatch.setattr(job, "score_partition", breaks)
    with pytest.raises(OSError, match="the machine is gone"):
        score_job(request(trace, tmp_path / "run"), LocalEngine(), str(tmp_path / "parts"), size=SIZE)
    assert not (tmp_path / "run" / "run_manifest.json").exists()
    monkeypatch.setattr(job, "score_partition", real)
    again = Counting()
    score_job(request(trace, tmp_path / "run"), again, str(tmp_path / "parts"), size=SIZE)
    assert again.scored == list(range(3, count(trace)))
    assert_same(local, tmp_path / "run")


def test_what_is_not_installed_or_known_is_named(trace, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match="nowhere://x: expected a folder that fsspec can reach"):
        Location("nowhere://x").read("a")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"turnmark\[remote\]"):
        Location("memory://x").read("a")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"turnmark\[ray\]"):
        engines.engine("ray", 2)
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be written"):
        Location(str(tmp_path / "file")).write("a", b"")


def test_the_command_keeps_parts(trace, local, tmp_path):
    command = [sys.executable, "-m", "turnmark", "score", str(trace), "--out", str(tmp_path / "run"), "--parts"]
    done = subprocess.run([*command, str(tmp_path / "parts")], capture_output=True, text=True, check=False)
    assert done.returncode == 3  # the line that broke off
    assert (tmp_path / "parts" / "part-000000.json").is_file()
    assert_same(local, tmp_path / "run")


# ---- Ray 2.60, no part of the extra dev: `pip install ray psutil`


@pytest.fixture(scope="module")
def ray():
    pytest.importorskip("psutil", reason="needs psutil")
    return pytest.importorskip("ray", reason="needs Ray (extra ray), which is no part of the extra dev")


def test_ray_gives_the_bytes_of_score(ray, trace, local, tmp_path):
    score_job(request(trace, tmp_path / "run"), RayEngine(2), str(tmp_path / "parts"), size=SIZE)
    assert_same(local, tmp_path / "run")


SCRIPT = """
import sys, time
from pathlib import Path
from turnmark.engine import RayEngine, ScoreRequest, score_job
from turnmark.pipeline.distributing import job

if __name__ == "__main__":
    trace, out, parts = map(Path, sys.argv[1:])
    score_job(ScoreRequest((trace,), out=out), RayEngine(2), str(parts), size=1 << 14)
"""


def started(trace, folder):
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    (folder / "job.py").write_text(SCRIPT)
    arguments = [sys.executable, str(folder / "job.py"), str(trace), str(folder / "run"), str(folder / "parts")]
    return subprocess.Popen(arguments, env=environment, start_new_session=True)


def wait_for(folder, shards, process):
    until = time.monotonic() + 120
    while len(list((folder / "parts").glob("*.json"))) < shards and process.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.005)


@pytest.fixture(scope="module")
def long_trace(ray, tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "trace.jsonl"
    lines = (json.dumps(dialogue(number), ensure_ascii=False) for number in range(3000))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    score(ScoreRequest((path,), out=path.parent / "local"))
    return path


def test_a_worker_that_is_killed_costs_its_partition(ray, long_trace, tmp_path):
    import psutil  # noqa: PLC0415 - beside Ray

    process = started(long_trace, tmp_path)
    wait_for(tmp_path, count(long_trace) // 3, process)
    workers = [each for each in psutil.Process(process.pid).children(recursive=True) if "_call" in each.name()]
    workers = workers or [
        each for each in psutil.Process(process.pid).children(recursive=True) if "ray::" in " ".join(each.cmdline())
    ]
    assert process.poll() is None
    workers[0].kill()
    assert process.wait(300) == 0
    for name in (TRACE, TURN_EVAL, EVIDENCE, SUMMARY):
        assert (tmp_path / "run" / name).read_bytes() == (long_trace.parent / "local" / name).read_bytes()


def test_a_driver_that_is_killed_is_gone_on_with(ray, long_trace, tmp_path):
    whole = count(long_trace)
    process = started(long_trace, tmp_path)
    wait_for(tmp_path, 2 * whole // 3, process)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(60)
    time.sleep(1)
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "parts").glob("*.json")}
    assert 2 * whole // 3 <= len(before) < whole
    again = Counting()
    score_job(request(long_trace, tmp_path / "run"), again, str(tmp_path / "parts"), size=SIZE)
    assert len(again.scored) == whole - len(before)
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "parts").glob("*.json")}
    assert before.items() <= after.items()
    for name in (TRACE, TURN_EVAL, EVIDENCE, SUMMARY):
        assert (tmp_path / "run" / name).read_bytes() == (long_trace.parent / "local" / name).read_bytes()


def test_a_dialogue_that_is_there_twice_counts_once_in_the_figures_by_turn(tmp_path):
    path = tmp_path / "twice.jsonl"
    numbers = [*range(30), 3, *range(30, 60), 3, 41]
    path.write_text("".join(json.dumps(dialogue(number), ensure_ascii=False) + "\n" for number in numbers), "utf-8")
    found = score_job(request(path, tmp_path / "run"), LocalEngine(), size=SIZE)
    written = turn_sums(found.folder, "finance")
    assert found.rejected_lines == 3
    assert (found.turns.rows, found.turns.faults) == (written.rows, written.faults)
    assert found.turns.reasons == written.reasons
    for metric in suite_definition("finance").metrics:
        for place in range(len(metric.measures)):
            assert found.turns.points(metric.name, place, (0.0, 1.0)) == written.points(metric.name, place, (0.0, 1.0))
