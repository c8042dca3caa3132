"""A process that speaks JSON lines: what it says, what it fails to say, and that nothing of it is left behind."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time

import pytest

from building import dataset_dialog, write_lines

AGENT = """
import json, os, sys, time
say = lambda record: print(record if isinstance(record, str) else json.dumps(record), flush=True)
start = json.loads(sys.stdin.readline())
open(os.environ["PIDS"], "a").write(f"{os.getpid()}\\n")
for count, line in enumerate(sys.stdin, 1):
    text = json.loads(line)["user_text"]
    if text == "start": say({"reply": json.dumps(start)})
    elif text == "events":
        say({"event": "tool_called", "payload": {"tool_name": "t"}})
        say({"event": "unheard_of", "payload": {}})
        say({"event": "compliance_done"})
        say({"reply": "told", "usage": {"input_tokens": 4, "output_tokens": 2}, "cost": 0.5,
             "retrieved_contexts": ["c"]})
    elif text == "error": say({"error": "no quota", "kind": "http", "retryable": False})
    elif text == "again" and count < 3:
        say({"error": "busy", "kind": "rate_limit", "retryable": True, "retry_after": 0.01})
    elif text == "again": say({"reply": "at last"})
    elif text == "odd kind": say({"error": "odd", "kind": "astrology", "retry_after": "soon"})
    elif text == "half": say(r'{"reply": "half \\ud83d, \\udead, whole \\ud83d\\ude00", "model": "m\\udead"}')
    elif text == "raw half": os.write(1, b'{"reply": "raw \\xed\\xa0\\xbd"}\\n')
    elif text == "half error": say({"error": "lost \\udead"})
    elif text == "no json": say("Traceback: oh dear")
    elif text == "a list": say([1])
    elif text == "no field": say({"answer": "x"})
    elif text == "no text": say({"reply": 5})
    elif text == "late": time.sleep(3); say({"reply": "late"})
    elif text == "hang": time.sleep(3600)
    elif text == "mute": os.close(1); time.sleep(3600)
    elif text == "die": print("out of memory", file=sys.stderr, flush=True); os._exit(9)
    else: say({"reply": f"{text}, number {count}"})
"""


@pytest.fixture
def play(cli, tmp_path, monkeypatch):
    """Play one dialogue with the process; its turns, and the ids of all processes that were started."""
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))

    def call(*texts, timeout=5, command=None, options=()):
        record = dataset_dialog("d1", pairs=len(texts))
        for turn, text in zip(record["turns"][::2], texts, strict=True):
            turn["text"] = text
        dataset = write_lines(tmp_path / "d.jsonl", record)
        agent = command or f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'agent.py'))}"
        cli(
            "replay", dataset, "--agent", f"exec:{agent}", "--out", tmp_path / "run", "--overwrite", "--timeout",
            timeout, *options,
        )  # fmt: skip
        dialog = json.loads((tmp_path / "run" / "dialog_trace.jsonl").read_text())
        return [turn["pred_assistant_text"] or turn["error"] for turn in dialog["turns"]], dialog["turns"]

    return call


def alive(path):
    """Processes of the list that still run."""
    if not path.exists():
        return []
    found = []
    for pid in map(int, path.read_text().split()):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        found.append(pid)
    return found


def test_it_is_told_where_it_stands(play):
    (said,), _ = play("start", options=["--seed", 5, "--agent-option", "tone=dry"])
    told = json.loads(said)
    assert told["type"] == "start"
    assert (told["dialog_id"], told["session_id"], told["seed"]) == ("d1", "eval_session_d1", 5)
    assert told["options"] == {"tone": "dry"}
    assert told["memory_dir"].endswith("000001")


def test_half_a_character_is_replaced_and_said(play):
    said, turns = play("half", "raw half", "half error", "x")
    assert said[:2] == ["half \ufffd, \ufffd, whole 😀", "raw \ufffd"]
    assert [turn["turn_status"] for turn in turns] == ["ok", "ok", "error", "ok"]
    assert turns[0]["replay"] == {
        "warnings": ["the reply held 3 lone surrogate(s); kept as U+FFFD"], "model": "m\ufffd",
    }  # fmt: skip
    assert turns[2]["error"] == "agent: lost \ufffd"
    assert "replay" not in turns[3]


def test_events_and_more(play):
    said, turns = play("events", "x")
    assert said == ["told", "x, number 2"]
    assert turns[0]["tools"] == [{"tool_name": "t"}]
    assert turns[0]["compliance"] == {}
    assert turns[0]["replay"] == {
        "usage": {"input_tokens": 4, "output_tokens": 2}, "cost": 0.5, "retrieved_contexts": ["c"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("error", "http: no quota"),
        ("odd kind", "agent: odd"),
        ("no json", "invalid_reply: expected one JSON object a line, found 'Traceback: oh dear\\n'"),
        ("a list", "invalid_reply: expected a JSON object, found list"),
        ("no field", "invalid_reply: expected the field reply, error or event, found answer"),
        ("no text", "invalid_reply: reply: Expected `str`, got `int` - at `$.text`"),
    ],
)
def test_what_is_wrong_is_named_and_the_next_turn_is_played(play, text, error):
    said, _ = play(text, "next")
    assert said[0].startswith(error)
    assert said[1] == "next, number 2"


def test_it_may_ask_to_be_asked_again(play):
    said, turns = play("again")
    assert said == ["at last"]
    assert turns[0]["replay"]["attempts"] == 3


def test_a_process_that_dies_says_what_it_said_last(play):
    said, _ = play("x", "die", "next")
    assert said[1] == "process: the process closed its output (exit code 9): out of memory"
    assert said[2].startswith("process: the process closed its output (exit code 9)")


def test_a_process_that_falls_silent_is_no_process_that_ended(play, tmp_path):
    said, _ = play("mute")
    assert said == ["process: the process closed its output and goes on running"]
    assert alive(tmp_path / "pids") == []


def test_a_late_reply_is_not_taken_for_the_next_one(play):
    said, turns = play("late", "next", timeout=2.5)
    assert turns[0]["turn_status"] == "timeout"
    assert said[1] == "next, number 2"


def test_a_process_that_hangs_is_ended(play, tmp_path):
    _, turns = play("hang", "next", "more", timeout=0.4)
    assert [turn["turn_status"] for turn in turns] == ["timeout", "timeout", "error"]
    assert alive(tmp_path / "pids") == []


def test_a_command_that_is_no_agent(play):
    said, _ = play("x", command="true")
    assert said[0].startswith("process: the process closed its output (exit code 0)") or "could not be made" in said[0]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_when_the_run_is_stopped(tmp_path, how):
    (tmp_path / "agent.py").write_text(AGENT)
    record = dataset_dialog("d1", pairs=200)
    for turn in record["turns"][::2]:
        turn["text"] = "late"
    dataset = write_lines(tmp_path / "d.jsonl", record)
    running = subprocess.Popen(
        [sys.executable, "-m", "turnmark", "replay", dataset, "--agent",
         f"exec:{sys.executable} {tmp_path / 'agent.py'}", "--out", tmp_path / "run"],
        env={**os.environ, "PIDS": str(tmp_path / "pids")}, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not alive(tmp_path / "pids"):
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(how)
    running.communicate(timeout=30)
    deadline = time.monotonic() + 10
    while alive(tmp_path / "pids") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(tmp_path / "pids") == []
