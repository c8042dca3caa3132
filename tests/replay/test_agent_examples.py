"""Every example of an agent runs, in a process of its own, against what it names: processes, servers, libraries."""

import json
import shlex
import sys

import pytest

from building import dataset_dialog, write_lines

pytest.importorskip(
    "langgraph", reason="the examples of LangChain and LangGraph need: pip install 'turnmark[langchain]'"
)


@pytest.fixture
def dataset(tmp_path):
    records = []
    for number in range(3):
        record = dataset_dialog(f"d{number}", pairs=2, language="en")
        for turn in record["turns"][::2]:
            turn["text"] = f"How do bond prices and 30 % in an index fund move in case {number} ?"
        records.append(record)
    return write_lines(tmp_path / "dataset.jsonl", *records)


@pytest.fixture
def turns(process, dataset, tmp_path, project):
    """Play the dataset with an agent; the turns of each dialogue."""

    def play(agent, *options, **environment):
        out = tmp_path / "run"
        example = agent.replace("EXAMPLES", str(project / "examples" / "agents"))
        more = [option.replace("EXAMPLES", str(project / "examples" / "agents")) for option in options]
        done = process("replay", dataset, "--agent", example, "--out", out, *more, **environment)
        assert (done.code, done.err) == (0, "")
        lines = (out / "dialog_trace.jsonl").read_text().splitlines()
        manifest = json.loads((out / "run_manifest.json").read_text())
        return [json.loads(line)["turns"] for line in lines], manifest

    return play


def test_factory(turns):
    played, manifest = turns("EXAMPLES/factory.py:make")
    assert played[0][0]["tools"] == [{"tool_name": "note", "args": {"numbers": ["30", "0"]}}]
    assert len(played[2][1]["recall"]["items"]) == 1
    assert played[1][1]["pred_assistant_text"].startswith("I have noted 2 statements")
    assert len(manifest["replay"]["sessions"][0]["agent_source_sha256"]) == 64


def test_async_factory(turns):
    played, _ = turns("EXAMPLES/async_factory.py:make", "--workers", "3")
    assert played[0][1]["pred_assistant_text"].startswith("You wrote ")


def test_process(turns):
    played, manifest = turns(f"exec:{shlex.quote(sys.executable)} EXAMPLES/jsonl_process.py")
    for own in played:
        assert [turn["pred_assistant_text"][:15] for turn in own] == ["This is turn 1.", "This is turn 2."]
        assert [len(turn["recall"]["items"]) for turn in own] == [0, 1]
    assert manifest["replay"]["used"]["output_tokens"] == 72


def test_graph(turns):
    played, _ = turns("langchain:EXAMPLES/graph.py:make")
    for own in played:
        assert [turn["pred_assistant_text"][:14] for turn in own] == ["After 1 turns:", "After 2 turns:"]
        assert own[0]["tools"][0]["tool_name"] == "count"
        assert own[0]["tools"][0]["args"] == {"characters": len(own[0]["user_text"])}
        assert own[1]["replay"]["usage"] == {"input_tokens": 20, "output_tokens": 8}


def test_chain(turns):
    played, _ = turns("langchain:EXAMPLES/chain.py:CHAIN", "--agent-option", "input=question")
    assert "after 0 earlier turns" in played[0][0]["pred_assistant_text"]
    assert "after 1 earlier turns" in played[0][1]["pred_assistant_text"]
    assert played[0][0]["replay"]["retrieved_contexts"][0].startswith("Bond prices fall")
    assert played[0][0]["recall"]["items"][1]["content"].startswith("An index fund")


def test_memory_library(turns):
    played, _ = turns(
        "memory:EXAMPLES/memory_library.py:Memory", "--agent-option", "answer=EXAMPLES/memory_library.py:answer"
    )
    for number, own in enumerate(played):
        assert own[0]["pred_assistant_text"].startswith("That is new to me. This is exchange 1")
        assert own[1]["pred_assistant_text"].startswith("I remember 1 related things you said. This is exchange 2")
        item = own[1]["recall"]["items"][0]
        assert (item["item_id"], item["score"]) == (f"eval_user_d{number}-0", 1.0)


def test_http_interface(turns, chat_server):
    with chat_server(answer=lambda body: f"{len(body['history'])} before {body['conversation']}") as server:
        played, manifest = turns(
            "http:EXAMPLES/http.yaml", ASSISTANT_URL=server.url, ASSISTANT_KEY="secret-of-the-house"
        )
    assert [turn["pred_assistant_text"] for turn in played[1]] == ["0 before d1", "2 before d1"]
    assert played[0][0]["replay"]["retrieved_contexts"] == ["first passage", "second passage"]
    assert manifest["replay"]["used"]["cost"] == pytest.approx(0.012)
    assert "secret-of-the-house" not in json.dumps(manifest)


def test_chat_endpoint(turns, chat_server):
    with chat_server() as server:
        played, manifest = turns(
            "openai:small-model", "--agent-option", f"base_url={server.url}/v1", OPENAI_API_KEY="sk-secret-of-the-house"
        )
    assert played[0][0]["replay"]["model"] == "small-model"
    assert manifest["model_name"] == "small-model"
    assert "secret-of-the-house" not in json.dumps(manifest)


def test_a_replay_of_the_replay_is_the_same(turns, tmp_path):
    played, _ = turns(f"exec:{shlex.quote(sys.executable)} EXAMPLES/jsonl_process.py")
    (tmp_path / "run").rename(tmp_path / "first")
    again, _ = turns(f"trace:{tmp_path / 'first'}")
    for own, other in zip(played, again, strict=True):
        for turn, repeated in zip(own, other, strict=True):
            assert repeated["pred_assistant_text"] == turn["pred_assistant_text"]
            assert repeated["recall"] == turn["recall"]
