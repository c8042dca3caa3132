"""Every fault is named as file, line, JSON path, what was expected and what was found."""

import pytest

from building import dialog, line, turn, write_lines
from turnmark.schemas.jsonl import Reader, read_lines
from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.trace import DialogTrace

GOOD = line(dialog("good"))


def changed(value, *path, to):
    """A deep change of one place."""
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return value


def text(value):
    return line(value).decode()


RAW_FAULTS = {
    "line cut short": (
        b'{"trace_version": "v1", "run_id": "r", "tu',
        (
            '$: expected JSON (Input data was truncated), found 42 bytes ending in \'"v1", "run_id": "r", "tu\'; '
            "the line is cut short or damaged; write one JSON object a line"
        ),
    ),
    "not JSON at all": (
        b"hello",
        (
            "$: expected JSON (JSON is malformed: invalid character (byte 0)), found 5 bytes ending in 'hello'; "
            "the line is cut short or damaged; write one JSON object a line"
        ),
    ),
    "two objects in a line": (
        b'{"a": 1} {"b": 2}',
        (
            "$: expected JSON (Extra data: line 1 column 10 (char 9)), found 17 bytes ending in "
            '\'{"a": 1} {"b": 2}\'; the line is cut short or damaged; write one JSON object a line'
        ),
    ),
    "an array": (b"[1, 2]", "$: expected object, found array of 2"),
    "null": (b"null", "$: expected object, found null"),
    "a number": (b"12", "$: expected object, found integer 12"),
    "a string": ('"好"'.encode(), "$: expected object, found string '好'"),
    "100,000 nested brackets": (
        b"[" * 100_000,
        "$: expected nesting that can be read, found thousands of nested brackets",
    ),
    "nested brackets in an unknown field": (
        line(dialog("bad"))[:-2] + b', "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "$: expected nesting that can be read, found thousands of nested brackets",
    ),
    "Latin-1 in a known field": (
        text(dialog("bad", user_id="caf\u00e9")).encode("latin-1", "ignore"),
        "$: expected UTF-8 text, found byte 0xe9 at byte ",
    ),
    "NaN": (
        line(dialog("bad"))[:-2] + b', "x": NaN}',
        "NaN and Infinity are not JSON; write null where a number is missing",
    ),
    "-Infinity": (
        line(dialog("bad", dataset_index=0)).replace(b'"dataset_index": 0', b'"dataset_index": -Infinity'),
        "NaN and Infinity are not JSON; write null where a number is missing",
    ),
    "1e400 for an integer": (
        line(dialog("bad")).replace(b'"dataset_index": 0', b'"dataset_index": 1e400'),
        "$.dataset_index: expected integer, found number inf",
    ),
    "an integer of 5,000 digits": (
        line(dialog("bad")).replace(b'"dataset_index": 0', b'"dataset_index": ' + b"9" * 5000),
        "$: expected JSON (Exceeds the limit (4300 digits) for integer string conversion",
    ),
}

FIELD_FAULTS = {
    "text for a boolean": (
        changed(dialog("bad"), "valid_dialog", to="yes"),
        ["$.valid_dialog: expected boolean, found string 'yes'"],
    ),
    "number for a text": (
        changed(dialog("bad"), "turns", 0, "user_text", to=5),
        ["$.turns[0].user_text: expected string, found integer 5"],
    ),
    "null for a required text": (
        changed(dialog("bad"), "run_id", to=None),
        ["$.run_id: expected string, found null"],
    ),
    "text for an optional number": (
        changed(dialog("bad"), "turns", 0, "latency_ms", to="12 ms"),
        ["$.turns[0].latency_ms: expected number or null, found string '12 ms'"],
    ),
    "object for a list": (
        changed(dialog("bad"), "turns", to={"0": 1}),
        ["$.turns: expected array or null, found object of 1"],
    ),
    "a key list that is a text": (
        changed(dialog("bad"), "turns", 0, "gt_turn_tags", "memory_required_keys_gt", to="profile_gt.risk_level_gt"),
        [
            (
                "$.turns[0].gt_turn_tags.memory_required_keys_gt: expected array or null, "
                "found string 'profile_gt.risk_level_gt'"
            )
        ],
    ),
    "one bad entry in a list": (
        changed(dialog("bad"), "turns", 0, "gt_turn_tags", "explainability_rubric_gt", to=["好", 3, "ok"]),
        ["$.turns[0].gt_turn_tags.explainability_rubric_gt[1]: expected string, found integer 3"],
    ),
    "a value outside an enum": (
        changed(dialog("bad"), "turns", 0, "turn_status", to="done"),
        ["$.turns[0].turn_status: expected one of ['error', 'ok', 'timeout'], found string 'done'"],
    ),
    "a later major version": (
        changed(dialog("bad"), "trace_version", to="v2"),
        [r"$.trace_version: expected text that matches ^v1(\.[0-9]+)?$, found string 'v2'"],
    ),
    "several faults in one line": (
        dialog("bad", [turn(1, 5), turn(2, turn_status=None)], valid_dialog=1),
        [
            "$.valid_dialog: expected boolean, found integer 1",
            "$.turns[0].pred_assistant_text: expected string or null, found integer 5",
            "$.turns[1].turn_status: expected one of ['error', 'ok', 'timeout'], found null",
        ],
    ),
    "a turn that is no object": (
        dialog("bad", ["text"]),
        ["$.turns[0]: expected object, found string 'text'"],
    ),
}


def problems_of(path):
    return [found for found in Reader(DialogTrace).read(path) if isinstance(found, Problem)]


@pytest.mark.parametrize("name", RAW_FAULTS)
def test_fault_of_a_whole_line(name, tmp_path):
    raw, message = RAW_FAULTS[name]
    path = write_lines(tmp_path / "t.jsonl", GOOD, raw + b"\n", line(dialog("last")))
    (problem,) = problems_of(path)
    assert str(problem).startswith(f"{path}:2: ")
    assert message in str(problem)
    assert len(str(problem)) < len(str(path)) + 400, "a long line is not poured into the message"


@pytest.mark.parametrize("name", FIELD_FAULTS)
def test_fault_of_a_field(name, tmp_path):
    value, messages = FIELD_FAULTS[name]
    path = write_lines(tmp_path / "t.jsonl", GOOD, b"\n", value, line(dialog("last")))
    found = problems_of(path)
    assert sorted(str(problem) for problem in found) == sorted(f"{path}:3: {message}" for message in messages)


def test_at_most_twenty_faults_are_listed_for_one_line(tmp_path):
    path = write_lines(tmp_path / "t.jsonl", dialog(turns=[turn(n, n) for n in range(1, 60)]))
    assert len(problems_of(path)) == 20


def test_utf16_is_refused_with_the_command_that_helps(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(text(dialog()).encode("utf-16"))
    with pytest.raises(ValueError, match=r"expected UTF-8, found UTF-16; convert it, e\.g\. with iconv") as error:
        list(read_lines(path))
    assert str(error.value).startswith(f"{path}: ")


def test_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: No such file or directory"):
        list(read_lines(tmp_path / "none.jsonl"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "boolean True"),
        (3, "integer 3"),
        (1.5, "number 1.5"),
        ("a\nb", r"string 'a\nb'"),
        ("\ud800", r"string '\ud800'"),
        ([1, 2], "array of 2"),
        ({}, "object of 0"),
        ("x" * 500, "string '" + "x" * 119 + "…"),
    ],
    ids=["null", "boolean", "integer", "number", "line end", "surrogate", "array", "object", "long"],
)
def test_values_are_shown_short_and_printable(value, text):
    assert shown(value) == text


def test_problem_prints_without_what_it_does_not_have():
    assert str(Problem(file="f", expected="x")) == "f: $: expected x"
    assert str(Problem(file="f", line=2, field="$.a", expected="x", found="y", advice="z")) == (
        "f:2: $.a: expected x, found y; z"
    )


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (line(dialog("bad", user_id="\\")).replace(b"\\\\", b"\\ud800")[:-30], "$: expected JSON ("),
        (b'{"user_id": "\\ud800", "x": NaN}', "NaN and Infinity are not JSON"),
        (
            line(dialog("bad", valid_dialog=1)).strip()[:-1] + b', "x": "\xff"}',
            "$: expected UTF-8 text, found byte 0xff at byte ",
        ),
        (line(dialog("bad", valid_dialog=1)).strip()[:-1] + b', "x": NaN}', "NaN and Infinity are not JSON"),
        (
            line(dialog("bad", valid_dialog=1)).strip()[:-1] + b', "x": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
            "thousands of nested brackets",
        ),
    ],
    ids=["half a character, cut short", "half a character and NaN", "wrong type and no UTF-8", "wrong type and NaN",
         "wrong type and deep nesting"],
)  # fmt: skip
def test_two_faults_in_one_line_are_one_problem(raw, message, tmp_path):
    path = write_lines(tmp_path / "t.jsonl", raw + b"\n", GOOD)
    (problem,) = problems_of(path)
    assert problem.line == 1
    assert message in str(problem)


def test_list_of_the_wrong_length_is_a_fault():
    from turnmark.schemas.json_schema import faults  # noqa: PLC0415
    from turnmark.schemas.results.summary import EvalSummary  # noqa: PLC0415

    figures = {"metric_name": "m", "micro": {}, "macro": {}, "counts": {}, "by_dialog": {}, "intervals": {"x": [0.5]}}
    summary = {"run_id": "r", "trace_version": "v1", "dataset_path": "d", "metrics": {"m": figures}, "counters": {}}
    (fault,) = faults(summary, EvalSummary)
    assert fault.path == "$.metrics.m.intervals.x"
    assert fault.expected == "2 or more entries"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ({"rules": []}, "$.rules: expected 1 or more entries, found array of 0"),
        ({"rules": [{}], "level": 0.0}, "$.level: expected more than 0, found number 0.0"),
        ({"rules": [{}], "level": 1.0}, "$.level: expected less than 1, found number 1.0"),
        ({"rules": [{"fewest_rows": 0}]}, "$.rules[0].fewest_rows: expected 1 or more, found integer 0"),
        (
            {"rules": [{"no_worse_than_baseline": -1.0}]},
            "$.rules[0].no_worse_than_baseline: expected 0 or more, found number -1.0",
        ),
    ],
)
def test_limits_are_said_in_words(rule, message):
    from turnmark.schemas.json_schema import faults  # noqa: PLC0415
    from turnmark.schemas.results.gate import GateRules  # noqa: PLC0415

    (fault,) = faults(rule, GateRules)
    assert f"{fault.path}: expected {fault.expected}, found {fault.found}" == message


@pytest.mark.parametrize("blank", ["", " ", "\t\n", "\u3000"])
@pytest.mark.parametrize("field", ["measure", "annotator"])
def test_names_of_labels_are_not_blank(field, blank, tmp_path):
    from turnmark.schemas.jsonl import Reader  # noqa: PLC0415
    from turnmark.schemas.labels.turn import TurnLabel  # noqa: PLC0415

    good = {"dialog_id": "d", "turn_pair_id": 1, "measure": "M1.key_coverage", "value": True, "annotator": "李 a"}
    path = write_lines(tmp_path / "labels.jsonl", good, good | {field: blank})
    first, problem = Reader(TurnLabel).read(path)
    assert first.value.annotator == "李 a"
    assert (problem.line, problem.field, problem.expected) == (2, f"$.{field}", "text that is not blank")


def test_no_address_of_an_object_is_shown():
    assert shown(object()) == "object"
    assert shown({1, 2}) == "set"
