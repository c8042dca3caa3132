"""Killed, interrupted, failed and started twice: the final trace is that of an undisturbed run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from building import dataset_dialog, write_lines
from turnmark.replay.run.trace_writer import without_latencies

AGENTS = Path(__file__).with_name("agents_for_tests.py")
DIALOGS, PAIRS = 12, 5
MANY = 60


def write_dataset(path, dialogs):
    records = []
    for number in range(dialogs):
        record = dataset_dialog(f"d{number}", pairs=PAIRS)
        if number == 4:
            del record["profile_gt"]
        records.append(record)
    return write_lines(path, *records)


@pytest.fixture
def dataset(tmp_path):
    return write_dataset(tmp_path / "dataset.jsonl", DIALOGS)


def start(dataset, out, *options, agent="Slow"):
    command = [
        sys.executable, "-m", "turnmark", "replay", dataset, "--agent", f"{AGENTS}:{agent}", "--out", out, "--workers",
        3, *options,
    ]  # fmt: skip
    return subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def finish(dataset, out, *options, **settings):
    """Run to the end; (exit code, stderr)."""
    running = start(dataset, out, *options, **settings)
    _, err = running.communicate(timeout=120)
    return running.returncode, err.decode()


def traces(out):
    """The trace without what may differ from run to run."""
    lines = (out / "dialog_trace.jsonl").read_text().splitlines()
    return [without_latencies(json.loads(line)) for line in lines]


def journal_lines(out):
    path = out / "logs" / "replay_journal.jsonl"
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def kill_when(running, out, lines):
    """Kill the process as soon as its journal holds so many lines; False when it ended before."""
    while running.poll() is None:
        if journal_lines(out) >= lines:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            return True
        time.sleep(0.001)
    running.communicate()
    return False


def killed_and_resumed(dataset, tmp_path, moments, dialogs=DIALOGS):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert finish(dataset, whole)[0] == 0
    kills = 0
    for lines in moments:
        running = start(dataset, broken, "--resume")
        if not kill_when(running, broken, lines):
            break
        kills += 1
        assert not (broken / "run_manifest.json").exists()
    code, err = finish(dataset, broken, "--resume")
    assert (code, err) == (0, "")
    assert traces(broken) == traces(whole)
    played = [turn["turn_pair_id"] for dialog in traces(broken) for turn in dialog["turns"]]
    assert played == [*range(1, PAIRS + 1)] * (dialogs - 1)
    assert not (broken / ".memory").exists()
    return kills


def test_killed_three_times_the_trace_is_that_of_an_undisturbed_run(dataset, tmp_path):
    assert killed_and_resumed(dataset, tmp_path, [3, 20, 45]) == 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_twenty_random_moments(tmp_path, seed):
    dataset = write_dataset(tmp_path / "dataset.jsonl", MANY)
    chance = random.Random(seed)
    steps = [chance.randint(1, 9) for _ in range(20)]
    # A start adds at least one line to the journal, so every moment is behind the one before.
    moments = [sum(steps[: place + 1]) for place in range(20)]
    assert killed_and_resumed(dataset, tmp_path, moments, MANY) == 20


def test_interrupted_says_how_to_go_on(dataset, tmp_path):
    out = tmp_path / "run"
    running = start(dataset, out)
    while journal_lines(out) < 15:
        assert running.poll() is None
        time.sleep(0.002)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "go on with the same command and --resume" in err.decode()
    assert finish(dataset, out, "--resume")[0] == 0
    assert len(traces(out)) == DIALOGS


def test_interrupted_while_an_agent_hangs_it_still_ends(dataset, tmp_path):
    running = start(dataset, tmp_path / "run", agent="HangingForGood")
    while journal_lines(tmp_path / "run") < 2:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=30)
    assert running.returncode == 130


def test_a_finished_run_is_not_played_again(cli, dataset, tmp_path):
    out = tmp_path / "run"
    again = ("replay", dataset, "--agent", f"{AGENTS}:Counting", "--out", out)
    assert cli(*again).code == 0
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    assert cli(*again, "--resume", "--format", "json").json["counters"]["valid_dialogs"] == DIALOGS - 1
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    refused = cli(*again)
    assert refused.code == 2
    assert "found the run" in refused.err
    assert "--overwrite" in refused.err
    assert cli(*again, "--overwrite").code == 0


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--timeout", "7"], "timeout_sec: the run was started with 120.0, found 7.0"),
        (["--seed", "3"], "seed: the run was started with 0, found 3"),
        (["--retries", "1"], "tries: the run was started with 4, found 2"),
        (["--run-id", "other"], "run_id: the run was started with"),
        (["--agent", f"{AGENTS}:Slow"], "agent: the run was started with"),
    ],
)
def test_a_resumed_run_must_have_the_same_settings(cli, dataset, tmp_path, options, names):
    out = tmp_path / "run"
    assert cli("replay", dataset, "--agent", f"{AGENTS}:Counting", "--out", out).code == 0
    refused = cli("replay", dataset, "--agent", f"{AGENTS}:Counting", "--out", out, "--resume", *options)
    assert refused.code == 2
    assert names in refused.err


def test_a_changed_dataset_is_another_run(cli, dataset, tmp_path):
    out = tmp_path / "run"
    command = ("replay", dataset, "--agent", f"{AGENTS}:Counting", "--out", out)
    assert cli(*command).code == 0
    write_lines(dataset, dataset_dialog("new"))
    assert "dataset_sha256: the run was started with" in cli(*command, "--resume").err


def test_workers_may_change(cli, dataset, tmp_path):
    one, many = tmp_path / "one", tmp_path / "many"
    for out, workers in ((one, 1), (many, 7)):
        cli("replay", dataset, "--agent", f"{AGENTS}:AsyncCounting", "--out", out, "--workers", workers)
    assert traces(one) == traces(many)


def test_two_runs_on_one_folder_the_second_is_refused(cli, dataset, tmp_path):
    out = tmp_path / "run"
    running = start(dataset, out, agent="SlowAsync")
    while journal_lines(out) < 2:
        assert running.poll() is None
        time.sleep(0.01)
    refused = cli("replay", dataset, "--agent", f"{AGENTS}:SlowAsync", "--out", out, "--resume")
    os.killpg(running.pid, signal.SIGKILL)
    running.communicate()
    assert refused.code == 2
    assert "another run is at work on this folder" in refused.err
    # The lock of a dead process is no lock.
    assert (out / ".lock").exists()
    assert cli("replay", dataset, "--agent", f"{AGENTS}:SlowAsync", "--out", out, "--resume").code == 0


FLAKY = """
from pathlib import Path

class Agent:
    def __init__(self, dialog_id):
        self.dialog_id = dialog_id

    def handle_turn(self, user_text):
        mended = Path(__file__).with_name("mended").exists()
        if not mended and self.dialog_id in ("d1", "d2"):
            raise ConnectionError("down")
        return f"{'after' if mended else 'before'}: {user_text}"
"""


def test_only_failed_dialogues_are_played_again(cli, dataset, tmp_path):
    (tmp_path / "flaky.py").write_text(FLAKY)
    out = tmp_path / "run"
    command = ("replay", dataset, "--agent", f"{tmp_path / 'flaky.py'}:Agent", "--out", out)
    first = cli(*command)
    assert first.code == 3
    assert "--retry-failed" in first.out
    before = traces(out)
    assert [dialog["dialog_status"] for dialog in before[:4]] == ["ok", "failed", "failed", "ok"]
    assert "connection: ConnectionError: down" in before[1]["turns"][0]["error"]
    (tmp_path / "mended").write_text("")
    # Another time limit is what a second try often needs.
    assert cli(*command, "--retry-failed", "--timeout", 300).code == 0
    after = traces(out)
    assert [dialog["dialog_id"] for dialog in after if dialog["turns"] and "after" in str(dialog["turns"][0])] == [
        "d1", "d2",
    ]  # fmt: skip
    assert after[0] == before[0]
    manifest = json.loads((out / "run_manifest.json").read_text())
    assert manifest["counters"]["failed_dialogs"] == 0
    assert [session["mode"] for session in manifest["replay"]["sessions"]] == ["start", "retry_failed"]
    assert [session["timeout_sec"] for session in manifest["replay"]["sessions"]] == [120, 300]


def test_the_old_result_stays_until_the_new_one_is_there(cli, dataset, tmp_path):
    (tmp_path / "flaky.py").write_text(FLAKY)
    out = tmp_path / "run"
    command = ("replay", dataset, "--agent", f"{tmp_path / 'flaky.py'}:Agent", "--out", out)
    cli(*command)
    before = traces(out)
    slow = FLAKY.replace("mended = ", "import time; time.sleep(0.3); mended = ")
    (tmp_path / "flaky.py").write_text(slow)
    running = subprocess.Popen(
        [sys.executable, "-m", "turnmark", *map(str, command), "--retry-failed"], start_new_session=True
    )
    lines = journal_lines(out)
    while journal_lines(out) < lines + 3:
        assert running.poll() is None
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert traces(out) == before
    assert cli(*command, "--resume").code == 3
    assert traces(out) == before
