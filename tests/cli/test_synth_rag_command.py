import json

import pytest

from servers.chat_server import ChatServer


@pytest.fixture
def docs(project):
    return project / "src/turnmark/examples/rag/documents"


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_from_documents_to_a_report(process, docs, project, tmp_path):
    cases = tmp_path / "cases.jsonl"
    made = process("synth", "rag", "--docs", docs, "--out", cases, "--n", 15, "--seed", 2, PYTHONHASHSEED="1")
    assert (made.code, made.err) == (0, "")
    assert "15 of 15 cases (fact 3, number 3, comparison 3, multi_hop 3, unanswerable 3)" in made.out
    first = cases.read_bytes()
    process("synth", "rag", "--docs", docs, "--out", cases, "--n", 15, "--seed", 2, PYTHONHASHSEED="2")
    assert cases.read_bytes() == first
    agent = f"{project / 'examples/agents/document_search.py'}:make"
    played = process("replay", cases, "--agent", agent, "--agent-option", f"docs={docs}", "--out", tmp_path / "played")
    assert (played.code, played.err) == (0, "")
    filled = lines(tmp_path / "played/cases.jsonl")
    assert all(case["answer"] and len(case["retrieved_contexts"]) == 3 for case in filled)
    assert [case["ground_truth_answer"] for case in filled] == [case["ground_truth_answer"] for case in lines(cases)]
    scored = process(
        "score", tmp_path / "played/cases.jsonl", "--suite", "rag", "--out", tmp_path / "run", "--format", "json"
    )
    assert scored.code == 0
    metrics = json.loads(scored.out)["metrics"]
    assert metrics["context_recall"]["micro"]["context_recall"] > 0.8
    assert metrics["faithfulness"]["counts"]["eligible_count"] > 5
    assert process("report", tmp_path / "run").code == 0
    assert (tmp_path / "run/report.html").exists()


def test_broken_files_are_named_on_standard_error(cli, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bad.pdf").write_bytes(b"%PDF-")
    (folder / "good.txt").write_bytes("青禾卡说明书\n\n青禾卡的年费为80元。青禾卡的有效期为5年。\n".encode("gb18030"))
    found = cli("synth", "rag", "--docs", folder, "--out", tmp_path / "c.jsonl", "--n", 2, "--format", "json")
    assert found.code == 3
    assert "bad.pdf: $: expected a PDF document" in found.err
    assert found.json["documents"][0] == {
        "file": "good.txt", "encoding": "gb18030", "language": "zh", "characters": 31, "units": 1, "facts": 2,
    }  # fmt: skip
    assert len(lines(tmp_path / "c.jsonl")) == found.json["cases"] == 2


def test_misuse(cli, docs, tmp_path):
    found = cli("synth", "rag", "--docs", tmp_path / "none", "--out", tmp_path / "c.jsonl", "--n", 1)
    assert (found.code, "expected a folder of documents" in found.err) == (2, True)
    found = cli("synth", "rag", "--docs", docs, "--out", tmp_path, "--n", 1)
    assert (found.code, "is a folder" in found.err) == (2, True)
    found = cli("synth", "rag", "--docs", docs, "--out", tmp_path / "c.jsonl", "--n", 1, "--max-calls", 3)
    assert (found.code, "--model" in found.err) == (2, True)
    found = cli("synth", "rag", "--docs", docs, "--out", tmp_path / "c.jsonl", "--n", 1, "--model-option", "colour=red")
    assert (found.code, "--model-option: unknown settings colour" in found.err) == (2, True)
    assert not (tmp_path / "c.jsonl").exists()


def test_a_model_by_the_command_line(cli, docs, tmp_path):
    def answer(_body):
        return json.dumps({"questions": [{"id": str(n), "question": "", "answer": ""} for n in range(1, 6)]})

    with ChatServer(answer=answer) as server:
        found = cli(
            "synth", "rag", "--docs", docs, "--lang", "en", "--out", tmp_path / "c.jsonl", "--n", 2,
            "--model", "m", "--base-url", server.base_url,
        )  # fmt: skip
    assert found.code == 0
    assert "0 of 2 cases" in found.out
    assert "the model saw no question in the passage: 6" in found.out
    assert "3 calls" in found.out
