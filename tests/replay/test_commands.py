"""The verbs `replay` and `run`: settings, progress, exit codes, what lies in the folder."""

import json

import pytest

from building import dataset_dialog, write_lines
from turnmark.cli.progress import replay_progress
from turnmark.errors import UsageError
from turnmark.replay.run.progress import ProgressLog


@pytest.fixture
def dataset(tmp_path):
    return write_lines(tmp_path / "d.jsonl", *[dataset_dialog(f"d{number}") for number in range(3)])


def events(out):
    (path,) = (out / "logs").glob("progress_*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_run_does_all_and_says_so(cli, dataset, tmp_path):
    out = tmp_path / "run"
    done = cli("run", dataset, "--agent", "demo", "--out", out, "--lang", "en")
    assert done.code == 0
    assert "3 dialogues played, 0 skipped; 6 turns: 6 ok" in done.out
    assert f"report: {out / 'report.html'}" in done.out
    names = [event["event"] for event in events(out)]
    assert (names.count("dialog_started"), names.count("turn_done"), names.count("dialog_done")) == (3, 6, 3)
    assert {event["metric"] for event in events(out) if event["event"] == "metric_done"} >= {"m1_context_continuity"}
    assert cli("check", out).code == 0


def test_the_manifest_says_everything(cli, dataset, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    out = tmp_path / "run"
    cli(
        "run", dataset, "--agent", "demo", "--agent-option", "window=2", "--out", out, "--workers", 2,
        "--judge-workers", 5, "--seed", 9, "--requests-per-minute", 60_000, "--tokens-per-minute", 1e9,
        "--heartbeat", 5,
    )  # fmt: skip
    manifest = json.loads((out / "run_manifest.json").read_text())
    for field in ("trace_version", "run_id", "dataset_path", "started_at", "model_name", "workers_dialog",
                  "workers_judge", "counters", "ended_at", "artifacts"):  # fmt: skip
        assert field in manifest
    assert (manifest["model_name"], manifest["workers_dialog"], manifest["workers_judge"]) == ("demo", 2, 5)
    replay = manifest["replay"]
    assert (replay["seed"], replay["timeout_sec"], replay["tries"]) == (9, 120.0, 4)
    assert replay["agent"]["options"] == {"window": 2}
    assert replay["environment"]["python"].startswith("3.")
    (session,) = replay["sessions"]
    assert (session["started_at"], session["requests_per_minute"]) == ("2023-11-14T22:13:20Z", 60_000)
    assert replay["counters"]["ok_turns"] == 6


def test_the_name_of_a_run_depends_on_what_shapes_it(cli, dataset, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = []
    for number, more in enumerate(([], ["--workers", 2], ["--seed", 4], ["--run-id", "mine"])):
        done = cli(
            "replay", dataset, "--agent", "demo-plain", "--out", tmp_path / str(number), *more, "--format", "json"
        )
        names.append(json.loads((tmp_path / str(number) / "run_manifest.json").read_text())["run_id"])
        assert done.json["counters"]["total_turn_pairs"] == 6
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("demo-plain_d_")
    assert names[3] == "mine"
    assert cli("replay", dataset, "--agent", "demo-plain").code == 0
    assert (tmp_path / "runs" / names[0] / "dialog_trace.jsonl").is_file()


def test_all_wrong_settings_are_named_at_once(cli, tmp_path):
    refused = cli(
        "replay", tmp_path / "none.jsonl", "--agent", "demo", "--workers", 0, "--judge-workers", 0, "--retries", -1,
        "--timeout", 0, "--heartbeat", -2, "--requests-per-minute", 0, "--overwrite", "--resume", "--run-id", "a/b",
        "--seed", -1,
    )  # fmt: skip
    assert refused.code == 2
    for name in ("none.jsonl", "--workers", "--judge-workers", "--retries", "--timeout", "--heartbeat",
                 "--requests-per-minute", "--overwrite", "--run-id", "--seed"):  # fmt: skip
        assert name in refused.err


def test_bad_lines_and_skipped_dialogues_are_counted(cli, tmp_path):
    draft = dataset_dialog("draft")
    del draft["profile_gt"]
    path = write_lines(tmp_path / "d.jsonl", dataset_dialog("d1"), b"{\n", draft)
    done = cli("replay", path, "--agent", "demo", "--out", tmp_path / "run", "--lang", "en")
    assert done.code == 3
    assert "1 dialogue played, 1 skipped" in done.out
    assert "1 line could not be read" in done.out
    assert json.loads((tmp_path / "run" / "problems.jsonl").read_text())["line"] == 2
    again = cli("replay", path, "--agent", "demo", "--out", tmp_path / "run", "--resume", "--lang", "en")
    assert (again.code, again.out) == (3, done.out)


def test_scoring_a_run_keeps_what_its_replay_could_not_read(cli, tmp_path):
    path = write_lines(tmp_path / "d.jsonl", dataset_dialog("d1"), b"{\n", dataset_dialog("d2"))
    out = tmp_path / "run"
    listed = []
    for command in (("run", path, "--agent", "demo", "--out", out), ("score", out, "--out", out)):
        assert cli(*command).code == (3 if command[0] == "run" else 0)
        listed.append([json.loads(line) for line in (out / "problems.jsonl").read_text("utf-8").splitlines()])
        assert cli("check", out).code == 0
    assert [(problem["file"], problem["line"]) for problem in listed[0]] == [(str(path), 2)]
    assert listed[0] == listed[1]


def test_cases_and_scripts_are_written_as_such(cli, tmp_path):
    cases = write_lines(tmp_path / "c.jsonl", {"id": "q", "question": "What is a bond?"})
    assert cli("replay", cases, "--agent", "demo", "--out", tmp_path / "cases").code == 0
    assert json.loads((tmp_path / "cases" / "cases.jsonl").read_text())["answer"].startswith("Bonds: ")
    scripts = write_lines(tmp_path / "s.jsonl", {"patient_id": "p", "turns": [{"turn_id": 1, "question": "A?"}]})
    assert cli("replay", scripts, "--agent", "demo", "--out", tmp_path / "events").code == 0
    assert json.loads((tmp_path / "events" / "events.jsonl").read_text())["patient_id"] == "p"


@pytest.mark.parametrize(
    ("suite", "record"),
    [
        ("rag", {"id": "q", "question": "What is a bond?", "ground_truth_answer": "A loan."}),
        ("clinical", {"patient_id": "p", "slots": {"age": 67}, "turns": [{"turn_id": 1, "question": "약은요?"}]}),
    ],
)
def test_other_suites_run_from_end_to_end(cli, tmp_path, suite, record):
    path = write_lines(tmp_path / "in.jsonl", record)
    done = cli("run", path, "--agent", "demo", "--suite", suite, "--out", tmp_path / "run", "--run-id", "mine")
    assert (done.code, done.err) == (0, "")
    assert json.loads((tmp_path / "run" / "metrics_summary.json").read_text())["run_id"] == "mine"
    assert [event["event"] for event in events(tmp_path / "run")].count("metric_done") > 3


def test_a_suite_refuses_input_of_another_kind_before_the_first_call(cli, tmp_path, dataset):
    cases = write_lines(tmp_path / "c.jsonl", {"question": "What is a bond?"})
    refused = cli("run", cases, "--agent", "demo", "--suite", "finance", "--out", tmp_path / "run")
    assert refused.code == 2
    assert "suite finance expects dialogs, found cases" in refused.err
    assert not (tmp_path / "run").exists()
    assert cli("run", dataset, "--agent", "demo", "--suite", "astrology").code == 2
    assert cli("run", dataset, "--agent", "demo", "--detect", "palms").code == 2


def test_a_folder_that_cannot_be_made(cli, tmp_path, dataset):
    (tmp_path / "file").write_text("")
    refused = cli("replay", dataset, "--agent", "demo", "--out", tmp_path / "file")
    assert refused.code == 2
    assert "expected a folder that can be written" in refused.err


def test_a_log_that_cannot_be_written(tmp_path):
    (tmp_path / "logs").write_text("")
    with pytest.raises(UsageError, match="expected a file that can be written"):
        ProgressLog(tmp_path / "logs" / "progress_r.jsonl")


def test_progress_counts_and_a_quiet_one_says_nothing(capsys):
    with replay_progress(quiet=True) as listener:
        assert listener is None
    with replay_progress(quiet=False) as listener:
        listener("run_started", {"dialogs": 4, "pending": 3})
        listener("turn_retried", {})
        listener("turn_done", {"turn_status": "ok", "cost": 0.5})
        listener("turn_done", {"turn_status": "error"})
        listener("heartbeat", {})
        listener("dialog_done", {})
        text = listener._described()
        task = listener._bar.tasks[0]
    assert (task.completed, task.total) == (2, 4)
    assert text.startswith("dialogues: 2 turns")
    assert text.endswith("1 failed, 1 retried, cost 0.5000")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("verb", ["replay", "run"])
def test_what_an_agent_prints_does_not_mix_with_the_result(cli, dataset, tmp_path, verb):
    done = cli(verb, dataset, "--agent", "agents_for_tests:Chatty", "--out", tmp_path / "run", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out)
    assert done.err.count("a log line on standard output") == 6
