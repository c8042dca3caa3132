"""Traces in, a run folder out."""

import gzip
import json

import pytest
import zstandard

from building import dataset_dialog, dialog, line, read_lines, recall, turn, write_lines
from turnmark.detectors.finance.literal import LiteralFinance
from turnmark.errors import DataError, UsageError
from turnmark.pipeline.scoring.score import flags, score
from turnmark.pipeline.scoring.validate import check
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import EVIDENCE, MANIFEST, PROBLEMS, SUMMARY, TRACE, TURN_EVAL
from turnmark.suites.registry import suite_names


def scored(tmp_path, *records, name="run", **settings):
    path = write_lines(tmp_path / "in" / "trace.jsonl", *records)
    return score(ScoreRequest((path,), tmp_path / name, **{"detect": "literal", **settings}))


def rows(result):
    return read_lines(result.folder / TURN_EVAL)


def manifest(result):
    return json.loads((result.folder / MANIFEST).read_bytes())


def faultless(folder):
    return [str(problem) for checked in check(folder) for problem in checked.problems] == []


def test_run_folder_holds_the_artifacts_and_passes_its_check(tmp_path):
    result = scored(tmp_path, dialog("a", [turn(1, "波动")]), dialog("b"))
    assert sorted(path.name for path in result.folder.iterdir()) == sorted(
        [".lock", "logs", MANIFEST, TRACE, TURN_EVAL, EVIDENCE, SUMMARY]
    )
    assert faultless(result.folder)
    assert [(row["run_id"], row["dialog_id"]) for row in rows(result)] == [("run_1", "a"), ("run_1", "b")]
    assert result.summary.counters == {
        "total_dialogs": 2,
        "valid_dialogs": 2,
        "skipped_dialogs": 0,
        "failed_dialogs": 0,
        "total_turn_pairs": 2,
    }


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_traces_give_the_same_rows(pack, tmp_path):
    data = line(dialog("a")) + line(dialog("b"))
    path = tmp_path / "trace.bin"
    path.write_bytes(pack(data))
    result = score(ScoreRequest((path,), tmp_path / "packed", detect="literal"))
    assert rows(result) == rows(scored(tmp_path, data))
    assert (result.folder / TRACE).read_bytes() == data


UNKNOWN = (
    b'{"mood":  {"x": [1.10, 1e2, 1E400, 123456789012345678901234567890]}, "trace_version": "v1.1", "run_id":"r",'
    b' "dialog_id": "d", "dataset_index": 0, "dialog_status": "ok", "valid_dialog": true, "turns": [],'
    b' "\xe5\xa5\xbd": null}'
)


def test_trace_is_copied_byte_for_byte_with_unknown_fields(tmp_path):
    result = scored(tmp_path, UNKNOWN + b"\r\n", b"\n", line(dialog("b", run_id="r")))
    assert (result.folder / TRACE).read_bytes() == UNKNOWN + b"\n" + line(dialog("b", run_id="r"))


def test_another_run_id_is_all_that_changes_in_the_trace(tmp_path):
    result = scored(tmp_path, UNKNOWN, run_id="new")
    raw = (result.folder / TRACE).read_bytes()
    assert b'{"x": [1.10, 1e2, 1E400, 123456789012345678901234567890]}' in raw, "numbers as they were written"
    assert b'"run_id":"new"' in raw
    before = json.loads(UNKNOWN, parse_float=str, parse_int=str)
    assert json.loads(raw, parse_float=str, parse_int=str) == {**before, "run_id": "new"}
    assert faultless(result.folder)


@pytest.mark.parametrize("place", ["value", "name"])
def test_another_run_id_on_a_line_with_a_skipped_field_that_is_not_utf8(place, tmp_path):
    field = b'"x": "\xff"' if place == "value" else b'"\xff": 1'
    result = scored(tmp_path, line(dialog("a")).strip()[:-1] + b", " + field + b"}", run_id="new")
    assert [row["run_id"] for row in rows(result)] == ["new"]
    assert json.loads((result.folder / TRACE).read_bytes().decode("utf-8", "replace"))["run_id"] == "new"


@pytest.mark.parametrize("value", [{"x": "\ud800"}, {"\ud800": 1}], ids=["value", "name"])
def test_another_run_id_on_a_line_with_half_a_character(value, tmp_path):
    raw = json.dumps({**dialog("a"), **value}).encode() + b"\n"
    result = scored(tmp_path, raw, run_id="new")
    (kept,) = read_lines(result.folder / TRACE)
    assert kept["run_id"] == "new"
    assert "\ufffd" in json.dumps({name: kept[name] for name in kept if name not in dialog()}, ensure_ascii=False)
    assert result.summary.input.warnings == 1


def test_run_id_reaches_rows_evidence_manifest_and_summary(tmp_path):
    result = scored(tmp_path, dialog("a", [turn(1, "波动")]), run_id="new")
    assert {row["run_id"] for row in rows(result)} == {"new"}
    assert {piece["run_id"] for piece in read_lines(result.folder / EVIDENCE)} == {"new"}
    assert manifest(result)["run_id"] == result.summary.run_id == "new"


def test_bad_lines_are_named_counted_and_left_out(tmp_path):
    result = scored(tmp_path, b"oops\n", dialog("a"), dialog("b", valid_dialog=5), b"\n", dialog("c"), dialog("a"))
    assert result.rejected_lines == 3
    assert [row["dialog_id"] for row in rows(result)] == ["a", "c"]
    trace = tmp_path / "in" / "trace.jsonl"
    assert [(p["line"], p.get("field", "$")) for p in read_lines(result.folder / PROBLEMS)] == [
        (1, "$"),
        (3, "$.valid_dialog"),
        (6, "$.dialog_id"),
    ]
    assert read_lines(result.folder / PROBLEMS)[2] == {
        "file": str(trace),
        "line": 6,
        "field": "$.dialog_id",
        "expected": "each dialogue once",
        "found": f"'a' again, first at {trace}:2",
        "advice": "the first one was scored; remove one of the two",
        "severity": "error",
    }
    assert (result.summary.input.lines, result.summary.input.rejected_lines) == (5, 3)
    assert faultless(result.folder), "what was left out is not in the run's trace"


def test_the_same_line_of_two_files_counts_twice(tmp_path):
    paths = [write_lines(tmp_path / name / "trace.jsonl", b"oops\n", dialog(name), b"{\n") for name in ("a", "b")]
    result = score(ScoreRequest(tuple(paths), tmp_path / "run", detect="literal"))
    assert result.rejected_lines == 4
    assert [(p["file"], p["line"]) for p in read_lines(result.folder / PROBLEMS)] == [
        (str(path), number) for path in paths for number in (1, 3)
    ]


def test_gzip_cut_short_is_a_finding_and_keeps_its_lines(tmp_path):
    path = tmp_path / "t.gz"
    whole = gzip.compress(line(dialog("a")) + line(dialog("b", x=list(range(9999)))))
    path.write_bytes(whole[:-2000])
    result = score(ScoreRequest((path,), tmp_path / "run", detect="literal"))
    assert [row["dialog_id"] for row in rows(result)] == ["a"]
    assert result.rejected_lines == 1
    (problem,) = read_lines(result.folder / PROBLEMS)
    assert problem["line"] == 2


def test_warnings_are_listed_and_counted_but_nothing_is_rejected(tmp_path):
    result = scored(tmp_path, json.dumps(dialog("a", [turn(1, "\ud800")])).encode() + b"\n")
    assert (result.rejected_lines, result.summary.input.warnings) == (0, 1)
    assert [p["severity"] for p in read_lines(result.folder / PROBLEMS)] == ["warning"]
    assert len(rows(result)) == 1


@pytest.mark.parametrize("data", [b"", b"\n\n"], ids=["empty", "blank"])
def test_an_empty_file_is_called_empty_and_leaves_an_older_run_alone(data, tmp_path):
    before = scored(tmp_path, dialog("a"))
    state = {path.name: path.read_bytes() for path in before.folder.iterdir() if path.is_file()}
    with pytest.raises(UsageError, match="the file is empty") as error:
        scored(tmp_path, data)
    assert str(error.value).startswith(f"{tmp_path / 'in' / 'trace.jsonl'}: ")
    assert {path.name: path.read_bytes() for path in before.folder.iterdir() if path.is_file()} == state


@pytest.mark.parametrize("data", [b"oops\n{}\n"], ids=["only bad lines"])
def test_nothing_readable_is_a_data_error_and_leaves_an_older_run_alone(data, tmp_path):
    before = scored(tmp_path, dialog("a"))
    state = {path.name: path.read_bytes() for path in before.folder.iterdir() if path.is_file()}
    with pytest.raises(DataError, match="expected at least one readable dialogue, found none") as error:
        scored(tmp_path, data)
    assert str(error.value).startswith(f"{tmp_path / 'in' / 'trace.jsonl'}: ")
    assert {path.name: path.read_bytes() for path in before.folder.iterdir() if path.is_file()} == state


def test_the_first_faults_are_in_the_message_when_nothing_is_readable(tmp_path):
    with pytest.raises(DataError, match=r"trace\.jsonl:1: \$: expected JSON .*\n.*trace\.jsonl:2: \$\.trace_version"):
        scored(tmp_path, b"oops\n{}\n")


def test_utf16_is_a_data_error(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(line(dialog()).decode().encode("utf-16"))
    with pytest.raises(DataError, match="found UTF-16"):
        score(ScoreRequest((path,), tmp_path / "run", detect="literal"))


def test_all_wrong_settings_are_reported_at_once(tmp_path):
    pack = tmp_path / "p.yaml"
    pack.write_text("pack: 5\n")
    request = ScoreRequest(
        (tmp_path / "none.jsonl", tmp_path / "nor.jsonl"), suite="astrology", detect="magic", packs=(pack,),
        dataset=tmp_path / "nothing.jsonl", by=("mood", "difficulty", "weather"), workers=0,
    )  # fmt: skip
    with pytest.raises(UsageError) as error:
        score(request)
    message = str(error.value)
    for part in (f"--suite: expected one of {sorted(suite_names())}, found 'astrology'",
                 "--detect: expected one of", "'magic'",
                 f"{pack}:1: $.pack: expected string, found integer 5", "none.jsonl: expected a trace file, found none",
                 "nor.jsonl: expected a trace file", "--dataset ", "--by: expected one of", "'mood'", "'weather'",
                 "--workers: expected 1 or more, found 0"):  # fmt: skip
        assert part in message, part


def test_no_trace_is_a_usage_error():
    with pytest.raises(UsageError, match="TRACE: expected at least one trace file or run folder, found none"):
        score(ScoreRequest((), detect="literal"))


def test_traces_of_several_runs_need_a_name(tmp_path):
    paths = (
        write_lines(tmp_path / "a.jsonl", dialog("a", run_id="one")),
        write_lines(tmp_path / "b.jsonl", b"oops\n", dialog("b", run_id="two")),
    )
    with pytest.raises(UsageError, match=r"expected traces of one run, found 'one' in .*, 'two' in .*--run-id"):
        score(ScoreRequest(paths, tmp_path / "run", detect="literal"))
    result = score(ScoreRequest(paths, tmp_path / "run", detect="literal", run_id="both"))
    assert [row["run_id"] for row in rows(result)] == ["both", "both"]


@pytest.mark.parametrize("run_id", ["../evil", "a/b", "/evil", "a\\b", "C:evil", "", ".", "..", "a\nb", "a\x00b"])
def test_run_id_that_is_no_plain_name_does_not_choose_where_to_write(run_id, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_lines(tmp_path / "t.jsonl", dialog(run_id=run_id))
    with pytest.raises(UsageError, match="run_id: expected a name that a folder can have"):
        score(ScoreRequest((path,), detect="literal"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["t.jsonl"]
    assert score(ScoreRequest((path,), tmp_path / "run", detect="literal")).summary.run_id == run_id


def test_default_folder_is_named_by_the_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_lines(tmp_path / "t.jsonl", dialog(run_id="20260217_abc.1"))
    assert score(ScoreRequest((path,), detect="literal")).folder.as_posix() == "runs/20260217_abc.1"
    assert (tmp_path / "runs" / "20260217_abc.1" / MANIFEST).is_file()


def test_trace_without_a_readable_run_id_still_has_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_lines(tmp_path / "t.jsonl", b"oops\n")
    with pytest.raises(DataError):
        score(ScoreRequest((path,), detect="literal"))


def test_manifest_beside_the_trace_is_kept_with_unknown_fields(tmp_path):
    beside = {"run_id": "other", "model_name": "qwen", "started_at": "2026-01-01T00:00:00Z", "workers_dialog": 9,
              "dataset_path": "d.jsonl", "mood": {"x": 1}, "m1_handling": "old", "counters": {"old": 1}}  # fmt: skip
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / MANIFEST).write_text(json.dumps(beside))
    result = scored(tmp_path, dialog())
    found = manifest(result)
    assert found["model_name"] == result.summary.model_name == "qwen"
    assert result.summary.dataset_path == "d.jsonl"
    assert found["mood"] == {"x": 1}
    assert found["started_at"] == "2026-01-01T00:00:00Z"
    assert found["run_id"] == "run_1", "the trace decides"
    assert "m1_handling" not in found
    assert found["counters"]["total_dialogs"] == 1


def test_bare_trace_has_an_unknown_model(tmp_path):
    result = scored(tmp_path, dialog())
    assert manifest(result)["model_name"] == "unknown"
    assert manifest(result)["workers_dialog"] == 1
    assert result.summary.dataset_path == "trace.jsonl"


def test_broken_manifest_beside_the_trace_is_named(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / MANIFEST).write_text("{")
    with pytest.raises(DataError, match=r"run_manifest\.json: expected a JSON object"):
        scored(tmp_path, dialog())


def test_scoring_in_place_leaves_the_trace_and_can_be_repeated(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    folder = tmp_path / "run"
    trace = write_lines(folder / TRACE, dialog("a"), b"oops\n", dialog("b"))
    raw, inode = trace.read_bytes(), trace.stat().st_ino
    request = ScoreRequest((trace,), folder, detect="literal")
    states = []
    for _ in range(2):
        result = score(request)
        assert [row["dialog_id"] for row in rows(result)] == ["a", "b"]
        assert trace.read_bytes() == raw
        assert trace.stat().st_ino == inode
        states.append({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})
    assert states[0] == states[1]
    assert manifest(result)["artifacts"][TRACE]["bytes"] == len(raw)


def test_in_place_and_elsewhere_give_the_same_figures_and_data_hash(tmp_path):
    folder = tmp_path / "run"
    trace = write_lines(folder / TRACE, dialog("a"), b"oops\n", dialog("b"))
    here = score(ScoreRequest((trace,), folder, detect="literal"))
    there = score(ScoreRequest((trace,), tmp_path / "other", detect="literal"))
    assert here.summary.signature.data_sha256 == there.summary.signature.data_sha256
    assert here.summary.metrics == there.summary.metrics


def test_in_place_with_a_second_trace_is_refused(tmp_path):
    trace = write_lines(tmp_path / "run" / TRACE, dialog("a"))
    other = write_lines(tmp_path / "other.jsonl", dialog("b"))
    with pytest.raises(UsageError, match="holds one of the traces; choose another folder"):
        score(ScoreRequest((trace, other), tmp_path / "run", detect="literal"))


def test_ignored_memory_keys(tmp_path):
    value = dialog("a", [turn(1, keys=["profile_gt.risk_level_gt"], **recall(profile_context="稳健"))])
    asked, ignored = scored(tmp_path, value), scored(tmp_path, value, name="i", ignore_memory_keys=True)
    assert rows(asked)[0]["eligible_m1"]
    row = rows(ignored)[0]
    assert (row["required_keys_raw"], row["resolved_keys"], row["eligible_m1"]) == ([], [], False)
    assert manifest(ignored)["m1_handling"] == "ignored_memory_required_keys"
    assert "m1_handling" not in manifest(asked)
    m1 = ignored.summary.metrics["m1_context_continuity"]
    assert set(m1.micro.values()) == {0.0}
    assert m1.counts["eligible_count"] == 0
    assert asked.summary.config_fingerprint != ignored.summary.config_fingerprint


def test_literal_counts_rows_of_failed_turns_as_skipped_as_was_published(tmp_path):
    result = scored(tmp_path, dialog("a", [turn(1), turn(2, turn_status="error")]), dialog("b", valid_dialog=False))
    counts = {code: metric.counts for code, metric in result.summary.metrics.items()}
    names = ("eligible_count", "skipped_count", "failed_count")
    assert [counts["m4_compliance"][name] for name in names] == [1, 1, 0]
    # An invalid dialogue was published both as skipped and as failed.
    assert [counts["m2_profile_accuracy"][name] for name in names] == [1, 1, 1]
    assert result.summary.turn_status == {"ok": 1, "timeout": 0, "error": 1}
    assert result.summary.counters["skipped_dialogs"] == 1


def test_dialog_statuses_are_counted(tmp_path):
    values = [dialog(name, dialog_status=name) for name in ("ok", "partial", "failed")]
    values.append(dialog("skipped", dialog_status="skipped", valid_dialog=False) | {"turns": None})
    result = scored(tmp_path, *values)
    assert result.summary.counters == {
        "total_dialogs": 4,
        "valid_dialogs": 3,
        "skipped_dialogs": 1,
        "failed_dialogs": 1,
        "total_turn_pairs": 3,
    }


def test_strata_have_denominators_and_add_up(tmp_path):
    values = [
        dialog("a", [turn(1, "波动", risks=["波动风险"])], difficulty="easy", language="zh"),
        dialog("b", [turn(1, "好。", risks=["波动风险", "信用风险"])], difficulty="hard", language="zh"),
        dialog("c", [turn(1, "波动", risks=["波动风险"])], difficulty=None, language="ko"),
    ]
    result = scored(tmp_path, *values, by=("difficulty", "language"))
    strata = result.summary.metrics["m3_risk_coverage"].strata
    assert {
        field: {value: (f.micro["risk_coverage"], f.denominators["risk_coverage"]) for value, f in values.items()}
        for field, values in strata.items()
    } == {
        "difficulty": {"(none)": (1.0, 1.0), "easy": (1.0, 1.0), "hard": (0.0, 2.0)},
        "language": {"ko": (1.0, 1.0), "zh": (1 / 3, 3.0)},
    }


def test_no_strata_when_none_are_asked_for(tmp_path):
    assert scored(tmp_path, dialog(), by=()).summary.metrics["m4_compliance"].strata == {}


def test_intervals_hold_their_figure_and_are_missing_below_the_minimum(tmp_path):
    values = [dialog(f"d{n}", [turn(1, "波动" if n % 3 else "好。", risks=["波动风险"])]) for n in range(30)]
    m3 = scored(tmp_path, *values).summary.metrics["m3_risk_coverage"]
    low, high = m3.intervals["risk_coverage"]
    assert 0 <= low < m3.micro["risk_coverage"] < high <= 1
    few = scored(tmp_path, *values[:2], name="few").summary.metrics["m3_risk_coverage"]
    assert few.intervals == {"risk_coverage": None, "strict_risk_coverage_rate": None}


def test_figures_over_normal_replies_stand_beside_those_over_all(tmp_path):
    echo = turn(1, label="compliant")
    echo["pred_assistant_text"] = echo["user_text"]
    result = scored(tmp_path, dialog("a", [echo]), dialog("b", [turn(1, label="severe_violation")]))
    m4 = result.summary.metrics["m4_compliance"]
    assert m4.micro["compliance_label_acc"] == 0.5
    assert m4.normal_only.micro["compliance_label_acc"] == 0.0
    assert m4.normal_only.counts["eligible_count"] == 1
    assert result.summary.reply_states["echo"] == 1
    assert result.summary.flags == ["abnormal_replies"]


@pytest.mark.parametrize(
    ("states", "turns", "flagged"),
    [({"normal": 95}, 100, False), ({"normal": 94}, 100, True), ({"normal": 0}, 0, False), ({}, 1, True)],
)
def test_run_with_more_than_five_percent_of_strange_replies_is_flagged(states, turns, flagged):
    assert flags(states, turns) == (["abnormal_replies"] if flagged else [])


def test_ground_truth_from_a_dataset(tmp_path):
    bare = dialog("d1", [turn(1, gt_turn_tags=None)], profile_gt=None, scenario_type=None)
    dataset = write_lines(
        tmp_path / "dataset.jsonl",
        dataset_dialog("d1", scenario_type="投资教育", blueprint={"forbidden_list": ["应急"]}),
    )
    result = scored(tmp_path, bare, dialog("unknown"), dataset=dataset)
    row = rows(result)[0]
    assert row["risk_required_tags"] == ["volatility_risk"]
    assert row["resolved_keys"][0]["target_text"] == "稳健"
    assert row["forbidden_hits"] == ["应急"]
    assert "投资教育" in result.summary.metrics["m4_compliance"].strata["scenario_type"]
    assert result.summary.metrics["m2_profile_accuracy"].counts["eligible_count"] == 2
    assert len(rows(result)) == 2


@pytest.mark.parametrize(
    ("ids", "found"),
    [((), "none of them"), (("other",), "none of them"), (("d1",), "1 of them"), (("d1", "d2", "d3"), None)],
)
def test_a_dataset_that_does_not_know_the_dialogues_is_named(tmp_path, ids, found):
    dataset = write_lines(tmp_path / "dataset.jsonl", *(dataset_dialog(name) for name in ids))
    result = scored(tmp_path, dialog("d1"), dialog("d2"), dataset=dataset)
    problems = read_lines(result.folder / PROBLEMS) if found else []
    assert [(p["file"], p["field"], p["found"], p["severity"]) for p in problems] == (
        [(str(dataset), "$.dialog_id", found, "warning")] if found else []
    )
    assert result.summary.input.warnings == len(problems)
    assert (result.folder / PROBLEMS).exists() == bool(found)


def test_bad_lines_of_a_dataset_are_named_and_counted(tmp_path):
    dataset = write_lines(
        tmp_path / "dataset.jsonl",
        b"oops\n",
        {"dialog_id": "d1"},
        json.dumps(dataset_dialog("\ud800")).encode() + b"\n",
        dataset_dialog("d1"),
    )
    result = scored(tmp_path, dialog("d1", [turn(1, gt_turn_tags=None)]), dataset=dataset)
    assert rows(result)[0]["risk_required_tags"] == ["volatility_risk"]
    problems = read_lines(result.folder / PROBLEMS)
    assert [(p["file"], p["line"], p["severity"]) for p in problems] == [
        (str(dataset), 1, "error"),
        (str(dataset), 2, "error"),
        (str(dataset), 3, "warning"),
    ]
    assert result.rejected_lines == 2
    assert (result.summary.input.lines, result.summary.input.warnings) == (3, 1)


def test_dataset_does_not_overwrite_what_the_trace_says(tmp_path):
    dataset = write_lines(tmp_path / "dataset.jsonl", dataset_dialog("d1", difficulty="hard"))
    own = dialog("d1", [turn(1, risks=["信用风险"])], difficulty="easy")
    result = scored(tmp_path, own, dataset=dataset)
    assert rows(result)[0]["risk_required_tags"] == ["credit_risk"]
    assert set(result.summary.metrics["m4_compliance"].strata["difficulty"]) == {"easy"}


def test_detector_that_fails_on_a_turn_fails_one_metric_of_one_row(tmp_path, monkeypatch, cli):
    real = LiteralFinance.risk

    def risk(self, reading, *arguments):
        reply = getattr(reading, "reply", reading)
        if "trap" in reply:
            raise KeyError("x")
        return real(self, reading, *arguments)

    monkeypatch.setattr(LiteralFinance, "risk", risk)
    value = dialog("a", [turn(1, "trap 波动", risks=["波动风险"]), turn(2, "波动", risks=["波动风险"])])
    result = scored(tmp_path, value)
    first, second = rows(result)
    assert first["failures"] == {"M3": "KeyError: 'x'"}
    assert (first["eligible_m3"], first["eligible_m4"]) == (False, True)
    assert "failures" not in second
    assert result.failed_rows == 1
    assert result.summary.metrics["m3_risk_coverage"].counts["eligible_count"] == 1
    assert cli("score", tmp_path / "in" / "trace.jsonl", "--detect", "literal", "--out", tmp_path / "cli").code == 3


def test_detector_that_fails_on_a_dialogue_fails_its_profile_only(tmp_path, monkeypatch):
    def profile(self, dialog):
        raise ValueError("no")

    monkeypatch.setattr(LiteralFinance, "profile", profile)
    result = scored(tmp_path, dialog())
    assert result.summary.metrics["m2_profile_accuracy"].counts["failed_count"] == 1
    assert result.summary.metrics["m4_compliance"].counts["eligible_count"] == 1


def test_progress_is_told_lines_and_turns(tmp_path):
    told = []
    path = write_lines(tmp_path / "t.jsonl", *(dialog(f"d{n}", [turn(1, "长" * 400_000)]) for n in range(4)))
    score(ScoreRequest((path,), tmp_path / "run", detect="literal"), lambda *done: told.append(done))
    assert told[-1] == (4, 4)
    assert len(told) > 1
    assert told == sorted(told)


def test_evidence_points_at_the_words(tmp_path):
    value = dialog(
        "a",
        [
            turn(1, "不保证收益，回撤可能到 15%，杠杆也不合适", risks=["不保证收益"], rubric=["边界声明"],
                 keys=["profile_gt.risk_level_gt"],
                 recall={"short_term_turns": [{"role": "user", "content": "我稳健"}],
                         "items": [{"content": "x"}, {"content": "稳健"}], "profile_context": "稳健"},
                 compliance={"violations": [{"type": "tone", "match": "合适"}, {"type": "guarantee", "match": 5}]}),
            turn(2, "宽基指数基金和短债基金。"),
        ],
        blueprint={"forbidden_list": ["杠杆也"]},
    )  # fmt: skip
    pieces = read_lines(scored(tmp_path, value).folder / EVIDENCE)
    found = {(p["metric"], p.get("label"), p.get("source", "reply"), p.get("polarity", "present")): p for p in pieces}
    for key in (
        ("m1_context_continuity", "profile_gt.risk_level_gt", "recall.short_term_turns", "present"),
        ("m1_context_continuity", "profile_gt.risk_level_gt", "recall.items[1].content", "present"),
        ("m1_context_continuity", "profile_gt.risk_level_gt", "recall.profile_context", "present"),
        ("m1_context_continuity", "最大回撤<10%", "reply", "violates"),
        ("m1_context_continuity", "不使用杠杆", "reply", "violates"),
        ("m3_risk_coverage", "no_guaranteed_return", "reply", "present"),
        ("m4_compliance", "杠杆也", "reply", "severe"),
        ("m4_compliance", "tone", "compliance.violations[0].match", "minor"),
        ("m4_compliance", "guarantee", "compliance.violations[1].type", "severe"),
        ("m5_explainability", "边界声明", "reply", "present"),
    ):
        assert key in found, sorted(found)
    assert found["m1_context_continuity", "最大回撤<10%", "reply", "violates"]["quote"] == "15%"
    replies = [entry["pred_assistant_text"] for entry in value["turns"]]
    profile = [p for p in pieces if p["metric"] == "m2_profile_accuracy"]
    assert {p["label"] for p in profile} >= {"宽基指数基金", "短债基金"}
    for piece in profile:
        assert "turn_pair_id" not in piece
        place = int(piece["source"].removeprefix("turns[").split("]")[0])
        assert replies[place][piece.get("start", 0) : piece["end"]] == piece["quote"]


@pytest.mark.parametrize(
    ("reply", "contradicts"),
    [("最大回撤 15%", 1), ("回撤约10%", 0), ("年化15%", 0), ("回撤" + "9" * 5000 + "%", 1), ("回撤 9.5%，收益 12 %", 1),
     ("回撤 0.5%", 0), ("可以加杠杆", 1), ("不建议加杠杆", 0), ("融资融券可以", 1), ("", 0)],
)  # fmt: skip
def test_literal_contradictions(reply, contradicts, tmp_path):
    assert rows(scored(tmp_path, dialog("a", [turn(1, reply)])))[0]["constraint_contradiction"] == contradicts


def test_a_line_of_50_mb_is_scored(tmp_path):
    result = scored(tmp_path, dialog("a", [turn(1, "长" * 17_000_000 + "波动", risks=["波动风险"])]), dialog("b"))
    assert [row["risk_tag_hits"] for row in rows(result)] == [1, 0]


def test_same_dialogue_in_two_files_is_scored_once(tmp_path):
    one, two = (write_lines(tmp_path / f"{n}.jsonl", dialog("a")) for n in (1, 2))
    result = score(ScoreRequest((one, two), tmp_path / "run", detect="literal"))
    assert len(rows(result)) == 1
    assert result.rejected_lines == 1
    assert read_lines(result.folder / PROBLEMS)[0]["found"] == f"'a' again, first at {one}:1"


def test_profile_entry_that_spans_two_replies_is_quoted_from_all_of_them(tmp_path):
    profile = {"risk_level_gt": "稳健", "constraints_gt": ["甲。\n乙"], "preferences_gt": []}
    result = scored(tmp_path, dialog("a", [turn(1, "说甲。"), turn(2, "乙方案。")], profile_gt=profile))
    (piece,) = [p for p in read_lines(result.folder / EVIDENCE) if p.get("label") == "甲。\n乙"]
    assert piece["source"] == "replies"
    assert "说甲。\n乙方案。"[piece["start"] : piece["end"]] == piece["quote"]
    assert result.summary.metrics["m2_profile_accuracy"].micro["constraints_f1"] == 1.0


def test_dataset_fills_nothing_where_it_has_nothing(tmp_path):
    far = {**turn(1, gt_turn_tags=None), "gt_assistant_abs_idx": 99}
    own = [{"role": "user", "text": "自己的问题"}]
    dataset = write_lines(tmp_path / "dataset.jsonl", dataset_dialog("d1"))
    values = dialog("d1", [far, turn(2, keys=["history_turn_index:1"])], raw_turns=own)
    first, second = rows(scored(tmp_path, values, dataset=dataset))
    assert first["risk_required_tags"] == []
    assert second["resolved_keys"][0]["target_text"] == "自己的问题"


def test_another_dataset_is_another_fingerprint(tmp_path):
    dataset = write_lines(tmp_path / "dataset.jsonl", dataset_dialog("d1"))
    before = scored(tmp_path, dialog(), dataset=dataset).summary.config_fingerprint
    assert scored(tmp_path, dialog(), dataset=dataset).summary.config_fingerprint == before
    write_lines(dataset, dataset_dialog("d1", difficulty="hard"))
    assert scored(tmp_path, dialog(), dataset=dataset).summary.config_fingerprint != before


def test_two_workers_started_from_a_program(tmp_path):
    values = [dialog(f"d{n}", [turn(1, "长" * 300_000 + "波动", risks=["波动风险"])]) for n in range(9)]
    one = scored(tmp_path, *values, b"oops\n", name="one")
    two = scored(tmp_path, *values, b"oops\n", name="two", workers=2)
    for name in (TRACE, TURN_EVAL, EVIDENCE, SUMMARY, PROBLEMS):
        assert (one.folder / name).read_bytes() == (two.folder / name).read_bytes(), name


def test_a_turn_whose_number_another_has_counts_as_failed_and_the_others_are_scored(tmp_path):
    result = scored(tmp_path, dialog("a", [turn(1), turn(2), turn(1)]), dialog("b"))
    statuses = [(row["dialog_id"], row["turn_pair_id"], row["turn_status"]) for row in rows(result)]
    assert statuses[:4] == [("a", 1, "ok"), ("a", 2, "ok"), ("a", 3, "error"), ("b", 1, "ok")]
    assert (result.summary.input.lines, result.rejected_lines, result.failed_rows) == (2, 0, 1)
    assert result.summary.turn_status["error"] == 1
    (problem,) = read_lines(result.folder / PROBLEMS)
    assert (problem["line"], problem["field"]) == (1, "$.turns[2].turn_pair_id")
    assert problem["found"] == "1 again, first in $.turns[0]"


@pytest.mark.parametrize("workers", [1, 2])
def test_another_run_in_one_file_is_warned_of_once_unless_a_name_is_given(tmp_path, workers):
    lines = [dialog(name, run_id=run_id) for name, run_id in zip("abcd", ("one", "two", "one", "two"), strict=True)]
    result = scored(tmp_path, *lines, workers=workers)
    assert [(row["dialog_id"], row["run_id"]) for row in rows(result)][1] == ("b", "two")
    (problem,) = read_lines(result.folder / PROBLEMS)
    assert (problem["line"], problem["field"], problem["found"]) == (2, "$.run_id", "'two'")
    assert (problem["severity"], result.rejected_lines, result.summary.input.warnings) == ("warning", 0, 1)
    named = scored(tmp_path, *lines, name="named", run_id="all", workers=workers)
    assert {row["run_id"] for row in rows(named)} == {"all"}
    assert named.summary.input.warnings == 0


def test_a_trace_named_twice_is_refused(tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", dialog("a"))
    again = tmp_path / "in" / ".." / "t.jsonl"
    (tmp_path / "in").mkdir()
    with pytest.raises(UsageError, match="expected each trace once, found it twice"):
        score(ScoreRequest((trace, again), tmp_path / "run", detect="literal"))


@pytest.mark.parametrize("run_id", ["", "  "])
def test_an_empty_run_id_is_refused(tmp_path, run_id):
    with pytest.raises(UsageError, match="--run-id: expected a name, found"):
        scored(tmp_path, dialog("a"), run_id=run_id)


def test_partial_failed_and_skipped_dialogues_count_once_and_alike_in_every_metric(tmp_path):
    lost = {"turn_status": "error"}
    result = scored(
        tmp_path,
        dialog("ok", [turn(1, risks=["市场风险"]), turn(2)]),
        dialog("partial", [turn(1, risks=["市场风险"]), turn(2, None, **lost)], dialog_status="partial"),
        dialog("failed", [turn(1, None, **lost), turn(2, None, turn_status="timeout")], dialog_status="failed"),
        dialog("skipped", valid_dialog=False, dialog_status="skipped", skip_reason="missing_turns"),
        detect="contextual",
    )
    counters = result.summary.counters
    assert (counters["total_dialogs"], counters["skipped_dialogs"], counters["failed_dialogs"]) == (4, 1, 1)
    assert (counters["valid_dialogs"], counters["total_turn_pairs"]) == (3, 6)
    units = {
        name: sum(metric.counts[count] for count in ("eligible_count", "skipped_count", "failed_count"))
        for name, metric in result.summary.metrics.items()
    }
    assert units.pop("m2_profile_accuracy") == 4
    assert set(units.values()) == {6}
    assert {metric.counts["failed_count"] for name, metric in result.summary.metrics.items() if name in units} == {3}
