"""Several systems over the same scripts: a run folder each, and one comparison."""

import json

import pytest


@pytest.fixture
def scripts(tmp_path, examples):
    lines = (examples.parent / "clinical" / "scripts.en.jsonl").read_text("utf-8").splitlines()[:2]
    path = tmp_path / "scripts.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_each_system_has_its_run_and_all_are_compared(scripts, tmp_path, cli):
    out = tmp_path / "out"
    command = ("run", str(scripts), "--suite", "clinical", "--system", "llm=demo-plain", "--system", "agent=demo",
               "--out", str(out))  # fmt: skip
    ran = cli(*command)
    assert ran.code == 0, ran.err
    assert "comparison.html" in ran.out
    events = {name: (out / name / "events.jsonl").read_text("utf-8").splitlines() for name in ("llm", "agent")}
    for name, lines in events.items():
        assert {json.loads(line)["mode"] for line in lines} == {name}
        assert all({"SFS", "CSP", "CUS_improved"} <= json.loads(line)["metrics"].keys() for line in lines)
    comparison = json.loads((out / "comparison.json").read_text("utf-8"))
    assert comparison["systems"] == ["llm", "agent"]
    assert comparison["paired_turns"] == 10
    again = cli(*command, "--resume", "--format", "json")
    assert again.code == 0
    assert again.json["paired_turns"] == 10


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "found neither"),
        (("--agent", "demo", "--system", "a=demo"), "found both"),
        (("--system", "a=demo"), "expected two systems or more"),
        (("--system", "a=demo", "--system", "a=demo-plain"), "a name of its own"),
        (("--system", "demo"), "expected NAME=AGENT"),
        (("--system", "a/b=demo", "--system", "c=demo"), "names that a folder can have"),
    ],
)
def test_systems_that_make_no_sense(scripts, tmp_path, cli, more, said):
    ran = cli("run", str(scripts), "--suite", "clinical", "--out", str(tmp_path / "out"), *more)
    assert ran.code == 2
    assert said in ran.err
