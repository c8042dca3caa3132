"""YAML that no person would write is refused by line, before anything is built of it."""

import pytest

from turnmark.packs import loading
from turnmark.schemas.results.gate import GateRules

BOMB = b"a: &a [x, x]\n" + b"".join(b"%c: &%c [*%c, *%c]\n" % (n + 1, n + 1, n, n) for n in range(97, 120))
CASES = {
    "anchor bomb": (BOMB, 2, "a reference to a list or mapping"),
    "a list that holds itself": (b"a: &a\n  - *a\n", 2, "a reference to a list or mapping"),
    "list as a name": (b"rules: []\n? [a, b]\n: c\n", 2, "a list or mapping as a name"),
    "mapping as a name": (b"rules: []\n? {a: b}\n: c\n", 2, "a list or mapping as a name"),
    "sexagesimal": (b"level: 1" + b":59" * 3000, 1, "a number of 9001 characters"),
    "hexadecimal": (b"level: 0x" + b"f" * 9000, 1, "a number of 9002 characters"),
    "decimal": (b"level: " + b"9" * 9000, 1, "a number of 9000 characters"),
    "nesting of lists": (b"[" * 900 + b"]" * 900, 1, "more than 64 nested lists and mappings"),
    "nesting of mappings": (b"".join(b" " * n + b"a:\n" for n in range(200)), 65, "more than 64 nested"),
    "too large": (b"#" * (9 << 20), 0, "8388608 at most are read"),
}


@pytest.mark.parametrize("name", CASES)
def test_excess_is_named_by_line(name):
    raw, line, found = CASES[name]
    (problem,) = loading.problems(raw, "gate.yaml", GateRules)
    assert problem.line == line
    assert found in str(problem)
    assert loading.keys_of(raw) == set()


@pytest.mark.parametrize("name", CASES)
def test_every_command_that_reads_yaml_says_so_in_a_line(name, cli, tmp_path, examples):
    file = tmp_path / "own.yaml"
    file.write_bytes(CASES[name][0])
    for command in (
        ("check", file),
        ("score", examples / "hasty", "--pack", file, "--out", tmp_path / "run"),
        ("judge", examples / "hasty", "--suite", "finance", "--config", file, "--out", tmp_path / "j"),
        ("replay", examples / "dataset.jsonl", "--agent", f"http:{file}", "--out", tmp_path / "r"),
    ):
        done = cli(*command)
        assert done.code in (1, 2), (command[0], done)
        assert "Traceback" not in done.out + done.err
        assert str(file) in done.out + done.err


def test_options_of_an_agent_are_held_to_the_same_limits(cli, examples, tmp_path):
    done = cli("replay", examples / "dataset.jsonl", "--agent", "demo", "--agent-option", "x=0x" + "f" * 5000,
               "--out", tmp_path / "r")  # fmt: skip
    assert done.code == 2
    assert "a number of 5002 characters" in done.err


def test_references_to_words_stay():
    assert loading.value_of(b"a: &w word\nb: *w\n") == {"a": "word", "b": "word"}
