"""Against a real server that breaks in seven ways, each in a tenth of its replies: nothing lost, everything named."""

import json
import time

import pytest

from building import dataset_dialog, write_lines

FAULTS = ("rate_limit", "server_error", "reset", "truncated_body", "hang", "slow_stream", "invalid_json")
KINDS = (
    "timeout", "rate_limit 429", "http 500", "connection", "invalid_reply",
    "agent: not played: the agent did not come back",  # a turn behind one that timed out, on a busy machine
)  # fmt: skip
DIALOGS, PAIRS = 20, 3


def unlike(number):
    """A dialogue whose requests differ from those of all others."""
    record = dataset_dialog(f"d{number}", pairs=PAIRS, language="zh")
    for place, turn in enumerate(record["turns"]):
        turn["text"] = f"第{number}位客户的第{place}句话。"
    return record


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("retries", [0, 3])
def test_every_dialogue_ends_ok_or_with_its_error_named(process, chat_server, tmp_path, stream, retries):
    dataset = write_lines(tmp_path / "dataset.jsonl", *map(unlike, range(DIALOGS)))
    started = time.perf_counter()
    with chat_server(faults=dict.fromkeys(FAULTS, 0.1), hang=600, slow=0.5, retry_after="0.2") as server:
        done = process(
            "replay", dataset, "--agent", "openai:m", "--agent-option", f"base_url={server.url}/v1", "--agent-option",
            f"stream={stream}", "--timeout", 0.8, "--workers", 20, "--retries", retries, "--out", tmp_path / "run",
        )  # fmt: skip
        assert {name for name, hits in server.injected.items() if hits} >= set(FAULTS[:5])
    assert (done.code, done.err) == (3 if "0 timed out, 0 failed" not in done.out else 0, "")
    assert time.perf_counter() - started < 300
    dialogs = [json.loads(line) for line in (tmp_path / "run" / "dialog_trace.jsonl").read_text().splitlines()]
    assert [dialog["dialog_id"] for dialog in dialogs] == [f"d{number}" for number in range(DIALOGS)]
    failed = 0
    for dialog in dialogs:
        assert [turn["turn_pair_id"] for turn in dialog["turns"]] == list(range(1, PAIRS + 1))
        for turn in dialog["turns"]:
            if turn["turn_status"] == "ok":
                assert turn["pred_assistant_text"].startswith("Noted.")
                continue
            failed += 1
            assert turn["error"].startswith(KINDS)
            assert (turn["turn_status"] == "timeout") == turn["error"].startswith("timeout")
            assert dialog["dialog_error"]
    assert (failed > 0) == (done.code == 3)
    if not retries:
        assert failed > DIALOGS * PAIRS // 4
    else:
        retried = (tmp_path / "run" / "logs").glob("progress_*.jsonl")
        assert b"turn_retried" in next(iter(retried)).read_bytes()
        assert failed < DIALOGS * PAIRS // 2
