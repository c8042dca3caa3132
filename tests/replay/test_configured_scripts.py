"""Scripts that a configuration names (``multiturn_scripts``)."""

import json

import pytest

from turnmark.errors import PackError, UsageError
from turnmark.pipeline.playing.configured import configured_dataset

SCRIPT = {
    "patient_id": "p1",
    "slots_truth": {"conditions": ["diabetes"]},
    "turns": [{"turn_id": 1, "question": "What may I eat?"}],
}


@pytest.fixture
def config(tmp_path):
    (tmp_path / "scripts.jsonl").write_text(json.dumps(SCRIPT) + "\n")
    path = tmp_path / "config.yaml"
    path.write_text('model: other\nmultiturn_scripts:\n  enabled: true\n  path: "scripts.jsonl"\n')
    return path


def test_the_scripts_of_a_configuration_are_played(cli, config, tmp_path):
    ran = cli("run", config, "--agent", "demo", "--out", tmp_path / "run", "--format", "json")
    assert (ran.code, ran.json["suite"], ran.json["counters"]["total_turn_pairs"]) == (0, "clinical", 1)


def test_what_a_configuration_must_say(config, tmp_path):
    assert configured_dataset(config) == tmp_path / "scripts.jsonl"
    assert configured_dataset(tmp_path / "scripts.jsonl") == tmp_path / "scripts.jsonl"
    config.write_text('multiturn_scripts:\n  enabled: false\n  path: "scripts.jsonl"\n')
    with pytest.raises(UsageError, match=r"\$.multiturn_scripts.enabled: expected true, found false"):
        configured_dataset(config)
    config.write_text("multiturn_scripts: {enabled: true}\n")
    with pytest.raises(PackError, match="path"):
        configured_dataset(config)
