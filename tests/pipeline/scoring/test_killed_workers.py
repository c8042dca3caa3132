"""``kill -9`` of worker processes while a trace is scored: the same bytes come out as without."""

import json
import multiprocessing
import os
import signal
import sys
import threading

import pytest

from building import write_lines
from turnmark.errors import DataError
from turnmark.pipeline.scoring import pool
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")

BATCHES = 14
ARTIFACTS = ("dialog_trace.jsonl", "turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json")


@pytest.fixture(scope="module")
def trace(examples, tmp_path_factory):
    """So long that it goes out in some fourteen batches, more than are under way at once."""
    shipped = (examples / "hasty" / "dialog_trace.jsonl").read_bytes().splitlines(keepends=True)
    size, lines, number = 0, [], 0
    while size < BATCHES * (1 << 18):
        for raw in shipped:
            lines.append(raw.replace(b'"dialog_id":"', f'"dialog_id":"{number}-'.encode(), 1))
            size += len(lines[-1])
        number += 1
    return write_lines(tmp_path_factory.mktemp("trace") / "trace.jsonl", *lines)


@pytest.fixture(scope="module")
def undisturbed(trace, tmp_path_factory):
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    score(ScoreRequest((trace,), out=out, workers=2, detect="literal"))
    return {name: (out / name).read_bytes() for name in ARTIFACTS}


def kill_one():
    workers = [child for child in multiprocessing.active_children() if child.pid]
    os.kill(workers[0].pid, signal.SIGKILL)
    workers[0].join(10)


def scored_with_kills(trace, out, moments):
    """Score; after each of these batches one worker is killed."""
    done = [0]

    def progress(_lines, _turns):
        done[0] += 1
        if done[0] in moments:
            kill_one()

    score(ScoreRequest((trace,), out=out, workers=2, detect="literal"), progress)
    assert done[0] >= max(moments)
    return {name: (out / name).read_bytes() for name in ARTIFACTS}


@pytest.mark.parametrize("moments", [{1}, {3, 7}])
def test_a_killed_worker_changes_nothing(trace, undisturbed, tmp_path, moments):
    assert scored_with_kills(trace, tmp_path / "run", moments) == undisturbed
    assert json.loads((tmp_path / "run" / "run_manifest.json").read_text())["counters"]["total_dialogs"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(1, 11))
def test_a_worker_killed_at_any_moment_changes_nothing(trace, undisturbed, tmp_path, moment):
    assert scored_with_kills(trace, tmp_path / "run", {moment}) == undisturbed


@pytest.mark.parametrize("forked", [True, False])
def test_workers_that_are_forked_and_those_that_are_not_give_the_same_bytes(
    trace, undisturbed, tmp_path, monkeypatch, forked
):
    started = []
    monkeypatch.setattr(pool, "_may_fork", lambda: forked and sys.platform == "linux")
    start = pool._Pool._start
    monkeypatch.setattr(pool._Pool, "_start", lambda self, *how: started.append(how[0]) or start(self, *how))
    score(ScoreRequest((trace,), out=tmp_path / "run", workers=2, detect="literal"))
    assert started == (["fork"] * 2 if forked and sys.platform == "linux" else ["spawn"] * 2)
    assert {name: (tmp_path / "run" / name).read_bytes() for name in ARTIFACTS} == undisturbed


def test_a_process_with_threads_is_not_forked():
    release = threading.Event()
    thread = threading.Thread(target=release.wait)
    thread.start()
    try:
        assert not pool._may_fork()
    finally:
        release.set()
        thread.join()


def ends_itself(_request, _pipe, _suite):
    os.kill(os.getpid(), signal.SIGKILL)


def test_lines_that_kill_every_worker_are_named(trace, tmp_path, monkeypatch):
    monkeypatch.setattr("turnmark.pipeline.scoring.pool.serve", ends_itself)
    with pytest.raises(DataError, match=r"trace\.jsonl:1 to .*worker processes were killed 4 times"):
        score(ScoreRequest((trace,), out=tmp_path / "run", workers=2, detect="literal"))
    assert not (tmp_path / "run" / "run_manifest.json").exists()
