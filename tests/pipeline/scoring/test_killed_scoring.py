"""``kill -9`` at any moment: a run folder is whole and passes its check, or its check fails."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from building import dialog, write_lines
from turnmark.cli.root import run as run_command
from turnmark.runs.lock import LOCK

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")


def copies(examples, count, path):
    """The shipped trace so many times, with the names of its dialogues changed."""
    shipped = (examples / "hasty" / "dialog_trace.jsonl").read_bytes().splitlines(keepends=True)
    return write_lines(
        path,
        *(raw.replace(b'"dialog_id":"', f'"dialog_id":"{n}-'.encode(), 1) for n in range(count) for raw in shipped),
    )


@pytest.fixture(scope="module")
def trace(examples, tmp_path_factory):
    """About 1.5 MB: long enough that a kill can come at any stage."""
    return copies(examples, 3, tmp_path_factory.mktemp("trace") / "trace.jsonl")


@pytest.fixture(scope="module")
def long_trace(examples, tmp_path_factory):
    """About 40 MB: not done when the interrupt comes, also on a busy machine."""
    return copies(examples, 80, tmp_path_factory.mktemp("long") / "trace.jsonl")


def start(trace, out, *more):
    command = [sys.executable, "-m", "turnmark", "score", trace, "--detect", "literal", "--out", out, *more]
    return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def killed_after(seconds, trace, out):
    """Start, wait, kill -9. Returns whether the process had ended by itself."""
    running = start(trace, out)
    time.sleep(seconds)
    ended = running.poll() is not None
    running.kill()
    running.wait()
    return ended


def begun(out):
    """Whether the trace of a run is being written."""
    return any(out.glob(".dialog_trace.jsonl.*.partial"))


def killed_when(condition, trace, out):
    """Kill -9 as soon as a condition holds."""
    running = start(trace, out)
    deadline = time.monotonic() + 30
    while not condition() and running.poll() is None and time.monotonic() < deadline:
        pass
    running.kill()
    running.wait()


def visible(out):
    """An interrupt in the very moment of an opening may leave an empty temporary file, which nothing reads."""
    return [path.name for path in out.glob("*") if not path.name.startswith(".")]


def check(out):
    with pytest.raises(SystemExit) as ended:
        run_command(["check", str(out)])
    return int(ended.value.code or 0)


def contents(out):
    names = ("dialog_trace.jsonl", "turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json")
    return {name: (out / name).read_bytes() for name in names if (out / name).is_file()}


@pytest.fixture(scope="module")
def whole(trace, tmp_path_factory):
    """A finished run of the trace, one of another trace, and how long the first took."""
    folder = tmp_path_factory.mktemp("whole")
    started = time.monotonic()
    assert start(trace, folder / "new").wait() == 0
    took = time.monotonic() - started
    older = write_lines(folder / "old.jsonl", *(dialog(f"old-{n}") for n in range(5)))
    assert start(older, folder / "old").wait() == 0
    return contents(folder / "new"), older, contents(folder / "old"), took


def judge(out, whole):
    """A folder after a kill: whole old, whole new, or one that its check refuses."""
    new, _, old, _ = whole
    code = check(out) if out.is_dir() else 2
    assert code in (0, 1, 2)
    if code == 0:
        assert contents(out) in (new, old), "nothing but a whole run passes"
    return code


def kill_at_random(moments, seed, trace, whole, tmp_path, capsys):
    _, older, _, took = whole
    rng = random.Random(seed)
    codes = []
    for moment in range(moments):
        out = tmp_path / f"run-{moment}"
        if moment % 2:
            # Over an older, finished run: old and new must never mix and pass.
            assert start(older, out).wait() == 0
        killed_after(rng.uniform(0.3 * took, 1.02 * took), trace, out)
        codes.append(judge(out, whole))
        capsys.readouterr()
    return codes


def test_killed_at_random_moments(trace, whole, tmp_path, capsys):
    assert len(kill_at_random(6, 7, trace, whole, tmp_path, capsys)) == 6


@pytest.mark.slow
def test_killed_at_many_random_moments(trace, whole, tmp_path, capsys):
    codes = kill_at_random(40, 11, trace, whole, tmp_path, capsys)
    assert len(set(codes)) > 1, "moments before and after the end were both met"


@pytest.mark.parametrize("over_old", [False, True], ids=["empty folder", "over an older run"])
def test_killed_as_soon_as_the_first_artifact_is_being_written(over_old, trace, whole, tmp_path, capsys):
    out = tmp_path / "run"
    if over_old:
        assert start(whole[1], out).wait() == 0
    killed_when(lambda: begun(out), trace, out)
    assert judge(out, whole) in (0, 1)


def test_killed_as_soon_as_the_old_manifest_is_gone(trace, whole, tmp_path, capsys):
    out = tmp_path / "run"
    assert start(whole[1], out).wait() == 0
    manifest = out / "run_manifest.json"
    killed_when(lambda: not manifest.exists(), trace, out)
    assert judge(out, whole) in (0, 1)
    # Scoring again heals the folder and leaves no temporary file.
    assert start(trace, out).wait() == 0
    assert check(out) == 0
    assert contents(out) == whole[0]
    assert [path.name for path in out.glob(".*")] == [LOCK]


def test_interrupt_ends_with_130_and_nothing_half_written(long_trace, tmp_path):
    out = tmp_path / "run"
    command = [sys.executable, "-m", "turnmark", "score", str(long_trace), "--detect", "literal", "--out", str(out)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not begun(out) and time.monotonic() < deadline:
        time.sleep(0.001)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=30)
    assert running.returncode == 130
    assert stdout == b""
    assert stderr.decode().strip() == "turnmark: interrupted; nothing was left half written"
    assert visible(out) == []


def test_interrupt_of_several_workers_ends_with_130(long_trace, tmp_path):
    out = tmp_path / "run"
    command = [sys.executable, "-m", "turnmark", "score", str(long_trace), "--detect", "literal", "--out", str(out),
               "--workers", "2"]  # fmt: skip
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 30
    while not begun(out) and time.monotonic() < deadline:
        time.sleep(0.001)
    # As a terminal does: every process of the group gets it.
    os.killpg(running.pid, signal.SIGINT)
    stdout, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert stdout == b""
    assert visible(out) == []
