"""What the demo shows first: the dialogues that ship, played by the agent that ships."""

import json


def test_the_demo_breaks_no_constraint_and_no_severe_rule(cli, tmp_path, examples):
    ran = cli("run", examples / "dataset.jsonl", "--agent", "demo", "--out", tmp_path / "run")
    assert ran.code == 0
    evidence = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text("utf-8").splitlines()]
    assert len(evidence) > 100
    assert [piece["quote"] for piece in evidence if piece.get("polarity") in {"violates", "severe"}] == []
