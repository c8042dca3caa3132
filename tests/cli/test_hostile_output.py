"""Names, quotes and messages from data that reach the terminal do nothing there, whatever command prints them."""

import json

import pytest

from building import write_lines
from turnmark.cli.output import printable, say, say_json
from turnmark.cli.table import Column, print_columns, wide_console

ESCAPE = "\x1b[31mred\x1b]0;owned\x07\x9b2J\r\x08\x7f"
SHOWN = "[U+001B][31mred[U+001B]]0;owned[U+0007][U+009B]2J[U+000D][U+0008][U+007F]"


def acts(ran):
    """The characters that a terminal would act on."""
    return {char for char in ran.out + ran.err if char != "\n" and (ord(char) < 32 or 127 <= ord(char) < 160)}


@pytest.fixture
def run(cli, examples, tmp_path):
    """Makes a scored run whose names are hostile; the second holds the same dialogues under another system."""

    def make(name):
        found = [json.loads(line) for line in (examples / "hasty" / "dialog_trace.jsonl").read_text().splitlines()]
        for dialog in found:
            dialog["dialog_id"] += ESCAPE
            dialog["run_id"] = name + ESCAPE
            dialog["system"] = name + ESCAPE
            dialog["scenario_type"] = ESCAPE
        path = write_lines(tmp_path / f"{name}.jsonl", *found)
        ran = cli("score", path, "--out", tmp_path / f"{name}\x1b", "--by", "system,scenario_type")
        assert ran.code == 0
        return tmp_path / f"{name}\x1b", ran

    return make


def test_score_prints_a_run_id_that_does_nothing(run):
    _, ran = run("one")
    assert SHOWN in ran.out
    assert acts(ran) == set()


def test_no_command_over_runs_lets_names_act(run, cli, tmp_path):
    (first, _), (second, _) = run("one"), run("two")
    rules = tmp_path / "rules.yaml"
    rules.write_text('rules:\n  - {name: "\\e[1m", metric: compliance.compliance_rate, at_least: 0.5}\n')
    labels = write_lines(tmp_path / "labels.jsonl", {"dialog_id": ESCAPE, "turn_pair_id": 1})
    calls = {
        "compare": cli("compare", first, second, "--by", "scenario_type"),
        "markdown": cli("compare", first, second, "--format", "markdown"),
        "json": cli("compare", first, second, "--format", "json"),
        "unknown system": cli("compare", f"{first}@x", f"{second}@x"),
        "gate": cli("gate", first, "--rules", rules),
        "correct": cli("correct", first, "--labels", labels),
        "check": cli("check", first, labels),
        "selftest": cli("selftest", first, "--max-turns", 2),
    }
    assert {name: acts(ran) for name, ran in calls.items() if acts(ran)} == {}
    assert all(ran.out + ran.err for ran in calls.values())
    assert calls["json"].json["systems"][0].startswith("one\x1b")
    assert "one[U+001B]" in calls["compare"].out


def test_labels_quoted_by_agree_do_nothing(cli, tmp_path):
    row = {"id": f"x{ESCAPE}", "reply": f"保证{ESCAPE}收益", "forbidden": {"保本保收益": True}}
    ran = cli("agree", write_lines(tmp_path / "labels.jsonl", row))
    assert acts(ran) == set()
    assert "x[U+001B]" in ran.out
    clinical = write_lines(tmp_path / "clinical.jsonl", {"id": ESCAPE, "patient": {}})
    assert acts(cli("agree", clinical, "--suite", "clinical")) == set()


def test_messages_with_names_of_files_and_their_content_do_nothing(cli, tmp_path):
    path = tmp_path / "a\x1b[31m.jsonl"
    assert acts(cli("score", path)) == set()
    assert acts(cli("score", "--sui\x1bte", path)) == set()
    path.write_text(json.dumps({"trace_version": f"v1{ESCAPE}", "dialog_id": 3, ESCAPE: 1}) + "\n\x1b[31m\n")
    for arguments in (
        ("score", path),
        ("check", path),
        ("judge", path, "--model", "m"),
        ("agree", path),
    ):
        ran = cli(*arguments, *(("--out", tmp_path / arguments[0]) if arguments[0] in {"score", "judge"} else ()))
        assert ran.code in {1, 2, 3}
        assert "a[U+001B][31m.jsonl" in ran.out + ran.err
        assert acts(ran) == set()


def test_a_file_name_that_is_no_text_is_printed(process, tmp_path):
    ran = process("score", str(tmp_path / "b\udcff.jsonl"))
    assert ran.code == 2
    assert "b\ufffd.jsonl: expected a trace file, found none" in ran.err


def test_newlines_and_tabs_stay_and_half_characters_are_replaced(capsys):
    assert printable("a\tb\nc\ud83dd 中文 한국어 😀 é") == "a\tb\nc\ufffdd 中文 한국어 😀 é"
    say("x\x1by\ud83d", err=True, nl=False)
    assert capsys.readouterr().err == "x[U+001B]y\ufffd"


def test_json_is_what_it_was_without_bytes_that_act(capsys):
    say_json({"name": ESCAPE})
    written = capsys.readouterr().out
    assert json.loads(written) == {"name": ESCAPE}
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in written.replace("\n", ""))


def test_tables_are_as_wide_as_what_they_show(capsys):
    print_columns(wide_console(), "t\x1b :x:", [Column("na\x1bme", ["a\x1bb", "plain"], 0)], ["", ""])
    out = capsys.readouterr().out
    assert "t[U+001B] :x:" in out
    assert len({len(line) for line in out.splitlines()[1:] if line.strip()}) == 1


def test_nothing_is_printed_beside_the_cleaner(project):
    """Commands print by `say`, `say_json` and the console of tables; bars of progress show no data."""
    folder = project / "src" / "turnmark" / "cli"
    found = {
        path.name for path in folder.glob("*.py") for way in ("click.echo(", "Console(") if way in path.read_text()
    }
    assert found == {"output.py", "table.py", "progress.py", "judge.py"}
