"""Faulty and hostile input files and settings under the commands that read them: named, survived, never a traceback."""

import json
import os
import shutil

import pytest
from growing import FIELDS

from building import dialog, turn, write_lines

SUITES = {suite: FIELDS[suite, field] for suite, field in FIELDS}
LINES = {
    "nothing": b"",
    "blank": b" \n\t\n",
    "brace": b"{",
    "array": b"[]",
    "null": b"null",
    "number": b"1e999999",
    "text": b'"a"',
    "deep": b"[" * 100_000,
    "deep closed": b"[" * 100_000 + b"]" * 100_000,
    "deep object": b'{"a":' * 100_000,
    "bytes": bytes(range(256)),
    "nul": b"\x00" * 100,
    "bom": b"\xef\xbb\xbf{}",
    "utf-16": "{}".encode("utf-16"),
    "surrogate": b'{"dialog_id": "\\ud800"}',
    "raw surrogate": b'{"a": "\xed\xa0\x80"}',
    "overlong": b'"\xc0\xaf"',
    "huge number": b'{"a": ' + b"9" * 10_000 + b"}",
    "nan": b'{"a": NaN}',
    "infinity": b"-Infinity",
    "twice": b'{"a":1,"a":2}',
    "comment": b"// a\n{}",
    "trailing": b'{"a": 1,}',
    "single quotes": b"{'a': 1}",
    "html": b"<html><body>404</body></html>",
    "csv": b"a,b,c\n1,2,3\n",
    "yaml": b"a: &a [*a]\n",
    "gzip cut": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03ab",
    "zstd cut": b"\x28\xb5\x2f\xfd\x00",
    "zip": b"PK\x03\x04" + b"\x00" * 40,
    "pickle": b"\x80\x04\x95",
    "one line": b"{}" * 9999,
    "carriage": b"{}\r{}\r",
    "separators": "{}\u2028{}".encode(),
    "long key": b'{"' + b"k" * 100_000 + b'": 1}',
    "many keys": json.dumps({str(number): number for number in range(20_000)}).encode(),
    "false": b"false",
}
FIELDS_GONE = (
    "dialog_id",
    "turns",
    "run_id",
    "trace_version",
    "dialog_status",
    "question",
    "answer",
    "patient_id",
    "turn_id",
    "id",
)
VALUES = (None, [], {}, "", 0, -1, 10**400, 1.5, True, "\u202e", "\x00", [None], {"a": []}, "x" * 5000)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("kind", LINES)
def test_a_line_that_is_none_is_named_and_the_next_one_scored(cli, tmp_path, suite, kind):
    path = tmp_path / "in.jsonl"
    path.write_bytes(LINES[kind] + b"\n" + SUITES[suite]("好的。").encode() + b"\n")
    ran = cli("score", path, "--suite", suite, "--out", tmp_path / "out")
    assert ran.code in (0, 2, 3)
    if ran.code == 2:
        assert "in.jsonl" in ran.err
    assert cli("check", path).code in (0, 1, 2, 3)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("field", FIELDS_GONE)
def test_a_field_of_any_other_kind_is_named(cli, tmp_path, suite, field):
    whole = json.loads(SUITES[suite]("好的。"))
    if field not in whole:
        pytest.skip(f"{suite} has no {field}")
    lines = [json.dumps({**whole, field: value}) for value in VALUES]
    (tmp_path / "in.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    ran = cli("score", tmp_path / "in.jsonl", "--suite", suite, "--out", tmp_path / "out")
    assert ran.code in (0, 2, 3)


def test_a_field_that_nobody_knows_may_be_nested_beyond_reading(cli, tmp_path):
    line = json.dumps(dialog("d", [turn(1)]))[:-1] + ', "unknown": ' + "[" * 100_000 + "]" * 100_000 + "}"
    (tmp_path / "in.jsonl").write_text(line + "\n" + json.dumps(dialog("e", [turn(1)])) + "\n", "utf-8")
    ran = cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out", "--run-id", "other")
    assert ran.code == 3
    problem = json.loads((tmp_path / "out" / "problems.jsonl").read_text("utf-8"))
    assert (problem["line"], problem["expected"]) == (1, "nesting that can be read")


@pytest.mark.parametrize("epoch", ["9" * 30, "253402300800", "²³", "٣", "1" * 5000, "-1", " 1", "1e5", "0x10", "", "0"])
def test_a_date_of_the_environment_that_is_none(cli, tmp_path, monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    ran = cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out")
    assert ran.code == (0 if epoch in {"", "0"} else 2)
    if ran.code:
        assert ran.err.startswith("turnmark: SOURCE_DATE_EPOCH: expected seconds since 1970")
        assert len(ran.err) < 300


@pytest.mark.parametrize(
    "command", ["score", "check", "report", "gate", "compare", "correct", "selftest", "agree", "replay"]
)
def test_a_loop_of_links_as_input_is_misuse(cli, tmp_path, command):
    (tmp_path / "loop").symlink_to("loop")
    at = tmp_path / "loop"
    more = {"gate": ("--rules", at), "compare": (at,), "correct": ("--labels", at), "replay": ("--agent", "demo")}
    ran = cli(command, at, *more.get(command, ()), *(("--out", tmp_path / "out") if command == "score" else ()))
    assert ran.code == 2
    assert "loop" in ran.err


@pytest.mark.parametrize("target", ["loop", "file", "missing/below/here", "null", "link to nowhere"])
def test_a_place_that_cannot_be_written_is_misuse_or_made(cli, tmp_path, target):
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("kept", "utf-8")
    (tmp_path / "link to nowhere").symlink_to("nowhere")
    where = "/dev/null" if target == "null" else tmp_path / target
    assert cli("score", tmp_path / "in.jsonl", "--out", where).code == (0 if "missing" in target else 2)
    assert (tmp_path / "file").read_text("utf-8") == "kept"


@pytest.mark.parametrize("character", ["\x1b[2J", "\x00", "\u202e", "\u2066", "\x85", "\u200b", "\ufeff", "\u2028"])
def test_what_acts_without_being_seen_is_shown_in_tables(cli, tmp_path, character):
    name = f"d{character}1"
    write_lines(
        tmp_path / "in.jsonl",
        dialog(name, [turn(1, "稳赚不赔。" + character)], scenario_type=name, difficulty=character),
    )
    assert cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out").code == 0
    ran = cli("report", tmp_path / "out", "--export", tmp_path / "exported", "--formats", "csv")
    assert ran.code == 0
    tables = list((tmp_path / "exported").rglob("*.csv"))
    assert tables
    assert not any(character in path.read_text("utf-8") for path in tables)


YAML = {
    "bomb": "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nrules: [*c,*c]\n",
    "list as key": "? [a, b]\n: 1\n",
    "map as key": "? {a: 1}\n: 2\n",
    "tag": "rules: !!python/object/apply:os.system [echo]\n",
    "hex": "rules: [{metric: M3.risk_coverage, at_least: 0x" + "f" * 9999 + "}]\n",
    "deep": "[" * 9999,
    "tab": "rules:\n\t- a\n",
    "sexagesimal": "rules: [{metric: M3.risk_coverage, at_least: " + "9:" * 5000 + "9}]\n",
    "empty": "",
    "null": "~\n",
    "two documents": "rules: []\n---\nrules: []\n",
    "self": "rules: &r [*r]\n",
    "binary": "rules: !!binary aGVsbG8=\n",
    "nan": "rules: [{metric: M3.risk_coverage, at_least: .nan}]\n",
    "infinite": "rules: [{metric: a, at_least: .inf}]\n",
    "unknown": "rules: [{metric: M3.risk_coverage, atleast: 1}]\n",
    "level": "level: 2\nrules: [{count: a, at_most: 1}]\n",
    "merge": "a: &a {metric: x}\nrules: [{<<: *a, at_least: 0}]\n",
    "date": "rules: 2024-01-01\n",
    "long": "rules: " + "x" * 99_999,
}


@pytest.mark.parametrize("kind", YAML)
def test_rules_that_no_person_would_write_are_misuse(cli, tmp_path, kind):
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    assert cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out").code == 0
    (tmp_path / "gate.yaml").write_text(YAML[kind], "utf-8")
    ran = cli("gate", tmp_path / "out", "--rules", tmp_path / "gate.yaml")
    assert ran.code == 2
    assert "gate.yaml" in ran.err
    assert len(ran.err) < 3000


@pytest.mark.parametrize(
    "name", [b"\xff\xfe", b"a\nb", b"\x1b[2J", b"a" * 200, "\u202e가".encode(), b"-x", b" ", b"%s{}", b"..."]
)
def test_folders_of_any_name_are_scored_held_and_corrected(cli, tmp_path, name):
    folder = os.fsdecode(os.path.join(os.fsencode(tmp_path), name))  # noqa: PTH118 - bytes
    os.mkdir(folder)  # noqa: PTH102
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    shutil.copy(tmp_path / "in.jsonl", f"{folder}/in.jsonl")
    assert cli("score", f"{folder}/in.jsonl", "--out", f"{folder}/run").code == 0
    (tmp_path / "gate.yaml").write_text("rules: [{count: turn_status.ok, at_least: 0}]", "utf-8")
    assert cli("gate", f"{folder}/run", "--rules", tmp_path / "gate.yaml", "--format", "markdown").code == 0
    assert cli("check", f"{folder}/run").code == 0
    assert cli("report", f"{folder}/run").code == 0


@pytest.mark.parametrize(
    "address", ["http://[::1", "http://", "file:///etc/passwd", "//host", "http://[", "javascript:1", " "]
)
def test_an_address_of_a_model_that_is_none_is_misuse(cli, tmp_path, address):
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    assert cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out").code == 0
    ran = cli("judge", tmp_path / "out", "--model", "m", "--base-url", address)
    assert ran.code == 2
    assert ran.err.startswith("turnmark: ")


def test_labels_overrides_and_rules_without_end_are_read(cli, tmp_path):
    write_lines(tmp_path / "in.jsonl", dialog("d", [turn(1)]))
    assert cli("score", tmp_path / "in.jsonl", "--out", tmp_path / "out").code == 0
    override = {"dialog_id": "d", "turn_pair_id": 1, "metric": "m4_compliance", "label": "x", "marked": True,
                "reviewer": "r", "reason": "w", "date": "2024-02-01"}  # fmt: skip
    write_lines(tmp_path / "out" / "overrides.jsonl", *[override] * 2000)
    label = {"dialog_id": "d", "turn_pair_id": 1, "measure": "M4.forbidden_hit_rate", "value": True}
    write_lines(tmp_path / "labels.jsonl", *[{**label, "annotator": f"a{number}"} for number in range(2000)])
    (tmp_path / "gate.yaml").write_text("rules:\n" + "  - {count: turn_status.ok, at_least: 0}\n" * 500, "utf-8")
    assert cli("report", tmp_path / "out").code == 0
    assert cli("correct", tmp_path / "out", "--labels", tmp_path / "labels.jsonl").code == 0
    assert cli("gate", tmp_path / "out", "--rules", tmp_path / "gate.yaml").code == 0
