"""The public map step and reduce: whatever engine carries the partitions, the bytes are those of `score`."""

import os
import pickle
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from building import write_lines
from turnmark.engine import ScoreRequest, merge, partitions, score_partition
from turnmark.errors import UsageError
from turnmark.pipeline.scoring.score import score

PAGE = Path(__file__).parents[3] / "docs" / "engines.md"
ARTIFACTS = ("dialog_trace.jsonl", "turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json", "problems.jsonl")

PACK = 'pack: house.rules\nversion: "1.0.0"\nlanguage: zh\nsource: a guideline\nforbidden_phrases: [{wording}]\n'


def written(folder):
    return {name: (folder / name).read_bytes() for name in ARTIFACTS if (folder / name).exists()}


@pytest.fixture(scope="module")
def trace(examples, tmp_path_factory):
    """The shipped dialogues, one of them twice, a line that is none, and a blank one."""
    lines = (examples / "hasty" / "dialog_trace.jsonl").read_bytes().splitlines(keepends=True)
    return write_lines(
        tmp_path_factory.mktemp("trace") / "dialog_trace.jsonl", *lines[:3], b"{no line\n", b"\n", lines[0], *lines[3:]
    )


@pytest.fixture(scope="module")
def whole(trace, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "run"
    score(ScoreRequest((trace,), out=out))
    return written(out)


@pytest.mark.parametrize("size", [1, 1 << 16, 1 << 18])
def test_partitions_of_any_size_in_any_order(trace, whole, tmp_path, size):
    request = ScoreRequest((trace,), out=tmp_path / "run")
    parts = list(partitions(request, size))
    assert len(parts) >= (6 if size == 1 else 1)
    shards = {number: score_partition(request, parts[number]) for number in reversed(range(len(parts)))}
    result = merge(request, (pickle.loads(pickle.dumps(shards[number])) for number in range(len(parts))))  # noqa: S301
    assert written(tmp_path / "run") == whole
    assert result.rejected_lines == 2


def test_cases_of_rag(tmp_path):
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"question": "What is the fee?", "answer": "2%.", "contexts": ["The fee is 2%."]}\n' * 3)
    request = ScoreRequest((cases,), out=tmp_path / "parts", suite="rag")
    merge(request, [score_partition(request, lines) for lines in partitions(request, 1)])
    score(request._replace(out=tmp_path / "whole"))
    assert written(tmp_path / "parts") == written(tmp_path / "whole")


def test_rules_that_changed_between_two_runs_are_read_anew(trace, tmp_path):
    pack = tmp_path / "rules.yaml"
    asked = {}
    for name, wording in (("first", "没有人这么说"), ("second", "基金")):
        pack.write_text(PACK.format(wording=wording), "utf-8")
        request = ScoreRequest((trace,), out=tmp_path / name, packs=(pack,), detect="literal")
        merge(request, [score_partition(request, lines) for lines in partitions(request)])
        score(request._replace(out=tmp_path / "whole"))
        assert written(tmp_path / name) == written(tmp_path / "whole")
        asked[name] = written(tmp_path / name)["turn_eval.jsonl"]
    assert asked["first"] != asked["second"]


def test_a_request_that_cannot_be_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(UsageError, match="expected a trace file, found none"):
        next(partitions(ScoreRequest((tmp_path / "nothing.jsonl",))))


def ran(engine, trace, tmp_path):
    """Run the example of the page as it stands there, on another trace."""
    block = re.search(rf"## {engine}\n\n```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[1]
    assert 'Path("dialog_trace.jsonl")' in block
    code = block.replace('Path("dialog_trace.jsonl")', f"Path({str(trace)!r})")
    (tmp_path / "example.py").write_text(code, "utf-8")
    environment = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "error"}
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, env=environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.match(r"runs/\w+ \d+\n", done.stdout.replace(os.sep, "/")), done.stdout
    (folder,) = (tmp_path / "runs").iterdir()
    return written(folder)


def test_the_pool_of_the_page(trace, whole, tmp_path):
    assert ran("A pool of processes", trace, tmp_path) == whole


@pytest.mark.slow
def test_dask_as_on_the_page(trace, whole, tmp_path):
    """distributed 2026.8 (extra dev)."""
    pytest.importorskip("distributed", reason="needs: pip install distributed")
    assert ran("Dask", trace, tmp_path) == whole


@pytest.mark.slow
def test_ray_as_on_the_page(trace, whole, tmp_path):
    """ray 2.60; large, no part of the extra dev."""
    pytest.importorskip("ray", reason="needs: pip install ray, which is large and no part of the extra dev")
    assert ran("Ray", trace, tmp_path) == whole


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_a_worker_of_dask_that_is_killed_changes_nothing(trace, whole, tmp_path):
    distributed = pytest.importorskip("distributed", reason="needs: pip install distributed")
    request = ScoreRequest((trace,), out=tmp_path / "run")
    (tmp_path / "dask").mkdir()
    with distributed.Client(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask"),
        silence_logs=50,
    ) as client:  # fmt: skip
        pids = client.run(os.getpid)
        futures = [client.submit(score_partition, request, lines, pure=False) for lines in partitions(request, 1)]
        os.kill(min(pids.values()), signal.SIGKILL)
        merge(request, (future.result() for future in futures))
    assert written(tmp_path / "run") == whole
