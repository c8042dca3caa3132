"""Every kind of file with a fault, and run folders that do not belong together."""

import json
import shutil

import pytest

from building import dataset_dialog, dialog, line, turn, write_lines
from turnmark.errors import DataError, UsageError
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.validate import check, checks
from turnmark.pipeline.scoring.worker import ScoreRequest

ROW = {
    "trace_version": "v1", "run_id": "r", "dialog_id": "d", "turn_pair_id": 1, "eligible_m1": True,
    "eligible_m2": False, "eligible_m3": True, "eligible_m4": True, "eligible_m5": True,
}  # fmt: skip
PIECE = {"metric": "risk_coverage", "rule": "x", "quote": "波动", "start": 3, "end": 5}
PROBLEM = {"file": "f", "line": 1, "expected": "x"}
LABEL = {"id": "1", "reply": "r"}
MANIFEST = {
    "trace_version": "v1", "run_id": "r", "dataset_path": "d", "started_at": "2026-02-17T13:05:00Z", "model_name": "m",
    "workers_dialog": 1, "workers_judge": 1, "counters": {},
}  # fmt: skip
SUMMARY = {"run_id": "r", "trace_version": "v1", "dataset_path": "d", "metrics": {}, "counters": {}}


def messages(path, kind=None):
    """What is wrong, with the path of the file taken off."""
    return [str(problem).removeprefix(str(path)) for checked in check(path, kind) for problem in checked.problems]


GOOD = {
    "trace": ("t.jsonl", line(dialog("a")) + line(dialog("b")), 2),
    "dataset": ("d.jsonl", line(dataset_dialog("a")), 1),
    "turn_eval": ("r.jsonl", line(ROW) + line({**ROW, "turn_pair_id": 2}), 2),
    "evidence": ("e.jsonl", line(PIECE), 1),
    "labels": (
        "l.jsonl",
        line(LABEL) + line({"id": "2", "key": "k", "target": "t", "source": "profile", "text": "x"}),
        2,
    ),
    "problems": ("problems.jsonl", line(PROBLEM), 1),
    "manifest": ("m.json", json.dumps(MANIFEST, indent=2).encode(), 1),
    "summary": ("s.json", b"\xef\xbb\xbf" + json.dumps(SUMMARY, indent=1).encode(), 1),
    "pack": ("p.yaml", b"pack: p\nversion: '1'\nlanguage: zh\n", 1),
}


def test_every_kind_is_covered():
    assert set(GOOD) <= set(checks())


@pytest.mark.parametrize("kind", GOOD)
def test_kind_is_told_by_content_and_good_files_pass(kind, tmp_path):
    name, data, records = GOOD[kind]
    path = tmp_path / name
    path.write_bytes(data)
    (found,) = check(path)
    assert (found.path, found.kind, found.records, found.problems) == (path, kind, records, [])


BAD = {
    "trace line": ("trace", line(dialog("a")) + b"oops\n", ":2: $: expected JSON ("),
    "trace dialogue twice": (
        "trace",
        line(dialog("a")) + b"\n" + line(dialog("a")),
        ":3: $.dialog_id: expected each one once, found 'a' again, first in line 1",
    ),
    "trace turn twice": (
        "trace",
        line(dialog("a", [turn(1), turn(2), turn(1)])),
        ":1: $.turns[2].turn_pair_id: expected each one once, found 1 again, first in $.turns[0]",
    ),
    "dataset dialogue that cannot be evaluated": (
        "dataset",
        line(dataset_dialog("a", profile_gt=None)),
        ":1: $: expected a dialogue that can be evaluated, found missing_profile_gt; it will be skipped",
    ),
    "dataset dialogue twice": (
        "dataset",
        line(dataset_dialog("a")) * 2,
        ":2: $.dialog_id: expected each one once, found 'a' again, first in line 1",
    ),
    "dataset without turns": (
        "dataset",
        line({"dialog_id": "a"}),
        ":1: $.turns: expected a value (the field is required), found no such field",
    ),
    "row twice": (
        "turn_eval",
        line(ROW) * 2,
        ":2: $.turn_pair_id: expected each one once, found ('r', 'd', 1) again, first in line 1",
    ),
    "row of another version": ("turn_eval", line({**ROW, "trace_version": "v2"}), ":1: $.trace_version: expected text"),
    "evidence that does not fill its span": (
        "evidence",
        line({**PIECE, "end": 6}),
        ":1: $.quote: expected as long as its span, found 2 characters for 3 to 6",
    ),
    "evidence without a rule": ("evidence", line({"metric": "m"}), ":1: $.rule: expected a value"),
    "label of no form": ("labels", line({"id": "1", "reply": 5}), ":1: $.reply: expected "),
    "label that is a list": ("labels", b"[1]\n", ":1: $: expected object, found array of 1"),
    "label twice": ("labels", line(LABEL) * 2, ":2: $.id: expected each one once, found '1' again, first in line 1"),
    "problem without what was expected": ("problems", line({"file": "f"}), ":1: $.expected: expected a value"),
    "manifest without a model": (
        "manifest",
        json.dumps({**MANIFEST, "model_name": None}).encode(),
        ": $.model_name: expected string, found null",
    ),
    "manifest cut short": ("manifest", b'{"run_id": "r"', ": $: expected JSON ("),
    "summary without counters": (
        "summary",
        json.dumps({"run_id": "r"}).encode(),
        ": $.counters: expected a value (the field is required), found no such field",
    ),
    "summary with half a character": (
        "summary",
        json.dumps({**SUMMARY, "run_id": "\ud800"}).encode(),
        ": $: expected whole characters, found 1 lone surrogate(s); read as U+FFFD, offsets kept",
    ),
    "pack with a wrong field": (
        "pack",
        b"pack: p\nversion: '1'\nlanguage: zh\nguard_words: no\n",
        ":4: $.guard_words: expected array, found boolean False",
    ),
    "pack that is no YAML": ("pack", b"pack: [\n", ":2: $: expected YAML, found "),
}


@pytest.mark.parametrize("name", BAD)
def test_fault_is_named(name, tmp_path):
    kind, data, message = BAD[name]
    path = tmp_path / "file"
    path.write_bytes(data)
    found = messages(path, kind)
    assert any(entry.startswith(message) for entry in found), found


def test_repaired_line_is_a_warning_only(tmp_path):
    path = write_lines(tmp_path / "t.jsonl", json.dumps(dialog("\ud800")).encode())
    (found,) = check(path)
    assert [problem.severity for problem in found.problems] == ["warning"]
    assert found.records == 1


@pytest.mark.parametrize("data", [b"{}\n", b"[]\n", b"hello\n", b"[" * 100_000, b"\xff\n"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_file_of_no_known_kind_asks_for_the_kind(name, data, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UsageError, match="expected a file of a known kind; say which with --kind"):
        list(check(path))


def test_path_that_does_not_exist(tmp_path):
    with pytest.raises(UsageError, match="expected a file or a run folder, found nothing"):
        list(check(tmp_path / "none"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory, examples):
    folder = tmp_path_factory.mktemp("finished") / "run"
    score(ScoreRequest((examples / "hasty" / "dialog_trace.jsonl",), folder, detect="literal"))
    return folder


@pytest.fixture
def copied(finished, tmp_path):
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


def test_finished_folder_passes(copied):
    found = list(check(copied))
    assert [entry.kind for entry in found] == ["run folder", "manifest", "trace", "evidence", "turn_eval", "summary"]
    assert [entry.problems for entry in found] == [[]] * 6
    assert found[0].records == 5


@pytest.mark.parametrize("name", ["dialog_trace.jsonl", "turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json"])
def test_artifact_that_was_changed_lost_or_swapped_is_named(name, copied):
    path = copied / name
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + b" ")
    (message,) = messages_of_folder(copied)
    assert message.startswith(f"{path}: $: expected {len(raw)} bytes with SHA-256 ")
    assert message.endswith("the file was changed after the run, or belongs to another run; score again")
    path.unlink()
    (message,) = messages_of_folder(copied)
    assert message == f"{path}: $: expected the artifact that the manifest names, found none"


def messages_of_folder(folder):
    return [str(problem) for problem in next(iter(check(folder))).problems]


def test_folder_without_manifest_is_unfinished(copied):
    (copied / "run_manifest.json").unlink()
    assert messages_of_folder(copied) == [
        (
            f"{copied}/run_manifest.json: $: expected the manifest of a finished run, found none; "
            "the run was stopped before it was finished; run it again"
        )
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: b"{", "expected JSON"),
        (lambda _: b"[]", "expected object, found array of 0"),
        (lambda manifest: json.dumps({**manifest, "artifacts": 5}).encode(), "$.artifacts: expected object or null"),
        (lambda manifest: json.dumps({**manifest, "artifacts": {"x": {}}}).encode(), "$.artifacts.x.bytes: expected"),
    ],
    ids=["cut short", "no object", "artifacts are a number", "artifact without size"],
)
def test_broken_manifest_is_named_and_the_other_files_are_still_checked(change, message, copied):
    path = copied / "run_manifest.json"
    path.write_bytes(change(json.loads(path.read_bytes())))
    found = list(check(copied))
    assert len(found) == 6
    problems = [str(problem) for entry in found for problem in entry.problems]
    assert problems
    assert any(message in problem for problem in problems), problems


def test_manifest_without_artifacts_is_one_that_another_program_wrote(copied):
    path = copied / "run_manifest.json"
    manifest = json.loads(path.read_bytes())
    del manifest["artifacts"]
    path.write_text(json.dumps(manifest))
    assert messages_of_folder(copied) == []


@pytest.mark.parametrize("kind", ["manifest", "summary", "pack", "trace"])
def test_file_that_may_not_be_read_is_a_data_error(kind, tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.write_text("x")

    def refuse(*arguments, **settings):
        raise PermissionError(13, "denied")

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(DataError, match="cannot be read: denied"):
        list(check(path, kind))
