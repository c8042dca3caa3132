"""Scoring in Python gives what the commands give."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import turnmark
from turnmark.errors import DataError, PackError, UsageError

EXAMPLES = Path(turnmark.__file__).parent / "examples"
CASE = {
    "user_input": "How long do refunds take?",
    "response": "Refunds take 5 days.",
    "retrieved_contexts": ["Refunds take 5 days."],
    "reference": "5 days",
}


def test_records_with_the_names_of_other_tools_are_scored():
    result = turnmark.score([CASE, {**CASE, "response": "Refunds take 9 days."}], metrics="faithfulness")
    figure = result["faithfulness"]
    assert (figure.value, figure.hits, figure.total, figure.upward) == (0.5, 1.0, 2.0, True)
    assert {name.partition(".")[0] for name in result} == {"faithfulness"}
    assert len(result) == len(list(result))
    assert [row["turn_pair_id"] for row in result.rows] == [1, 1]
    assert result.signature.suite == "rag"
    assert result.problems == []


def test_files_give_the_figures_of_the_command(cli, tmp_path):
    shown = cli("score", EXAMPLES / "finance/hasty", "--out", tmp_path / "command", "--format", "json")
    result = turnmark.score(EXAMPLES / "finance/hasty", out=tmp_path / "python")
    assert shown.json["metrics"]["m3_risk_coverage"]["micro"]["risk_coverage"] == result["M3"].value
    for name in ("turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json"):
        assert (tmp_path / "python" / name).read_bytes() == (tmp_path / "command" / name).read_bytes()
    assert result["M4.severe_violation_rate"].upward is False
    assert turnmark.load(tmp_path / "python")["M3"] == result["M3"]


def test_the_suite_is_told_from_the_data():
    clinical = turnmark.score(EXAMPLES / "clinical/llm/events.jsonl")
    assert clinical.signature.suite == "clinical"
    assert len(clinical.evidence) > 0


def test_a_result_is_saved_with_its_pages_and_outlives_the_temporary_one(tmp_path):
    result = turnmark.score([CASE])
    page = result.save(tmp_path / "kept", language="ko")
    assert "ko" in page.read_text("utf-8")[:400]
    temporary, value = result.folder, result["faithfulness"].value
    del result
    assert not temporary.exists()
    assert turnmark.load(tmp_path / "kept")["faithfulness"].value == value
    with pytest.raises(UsageError, match="new or empty folder"):
        turnmark.load(tmp_path / "kept").save(tmp_path / "kept")


def test_runs_are_compared_and_gated(tmp_path):
    first = turnmark.score(EXAMPLES / "finance/hasty")
    second = turnmark.score(EXAMPLES / "finance/careful")
    compared = turnmark.compare(first, second)
    assert compared.suite == "finance"
    assert compared.paired_turns > 0
    rules = [{"metric": "M3.risk_coverage", "at_least": 0.0, "judge_by": "value"}]
    assert turnmark.gate(second, rules, baseline=first).outcome == "pass"
    file = tmp_path / "gate.yaml"
    file.write_text(json.dumps({"rules": [{**rules[0], "at_least": 1.0}]}), "utf-8")
    assert turnmark.gate(first, file).outcome == "fail"
    with pytest.raises(UsageError, match="at_leest"):
        turnmark.gate(first, [{"metric": "M3.risk_coverage", "at_leest": 0.5}])
    with pytest.raises(PackError, match="astrology"):
        turnmark.gate(first, [{"metric": "M3.astrology", "at_least": 0.5}])


def test_wrong_arguments_say_what_would_be_right():
    with pytest.raises(UsageError, match="faithfulness"):
        turnmark.score([CASE], metrics="faithfullness")
    with pytest.raises(UsageError, match=r"told from the data; name it: finance, clinical, rag"):
        turnmark.score([{"colour": "red"}])
    with pytest.raises(DataError, match="record 2"):
        turnmark.score([CASE, {**CASE, "response": object()}], "rag")
    with pytest.raises(UsageError, match="one of them"):
        turnmark.score([CASE], judge="rules", detect="rules")
    with pytest.raises(UsageError, match=r"judge: .*fields: "):
        turnmark.score([CASE], judge={"modell": "m"})
    with pytest.raises(KeyError, match="answer_correctness"):
        turnmark.score([CASE])["astrology"]


def test_a_bad_record_is_named_and_the_rest_stands():
    result = turnmark.score([CASE, {"question": 5, "answer": "x"}], "rag")
    assert result["faithfulness"].total == 1
    assert [(problem["line"], problem["field"]) for problem in result.problems] == [(2, "$.question")]


class Frame:
    """What turnmark asks of a DataFrame."""

    columns = ("question", "answer", "contexts")

    def to_dict(self, orient):
        assert orient == "records"
        return [{"question": "q", "answer": "5 days.", "contexts": ["It takes 5 days."]}]


def test_a_data_frame_is_taken_by_its_rows():
    assert turnmark.score(Frame())["faithfulness"].total == 1


def test_texts_and_numbers_of_other_classes_are_what_they_stand_for():
    class Text(str):
        __slots__ = ()

    record = {
        "question": np.str_("What is the fee?"), "answer": Text("The fee is 2%."), "id": np.int64(3),
        "contexts": np.array(["The fee is 2%.", "It is paid in May."]), "score": np.float64("nan"),
    }  # fmt: skip
    assert turnmark.score([record], suite="rag")["faithfulness"].value == 1.0
    with pytest.raises(DataError, match=r"record 1: expected fields that can be written as JSON, found: .*object"):
        turnmark.score([{**record, "more": object()}], suite="rag")


def test_nothing_eligible_has_no_value():
    figure = turnmark.score([{"question": "q", "answer": "a"}], "rag")["faithfulness"]
    assert (figure.value, figure.interval, figure.total) == (None, None, 0.0)


def test_what_is_not_decided_bounds_a_figure():
    told = {**CASE, "response": "You will see the money again before long."}
    figure = turnmark.score([CASE, told], "rag")["faithfulness"]
    assert figure.value == 1.0
    assert figure.decided_share < 1.0
    assert figure.bounds[0] < figure.value <= figure.bounds[1] == 1.0
    decided = turnmark.score([CASE], "rag")["faithfulness"]
    assert (decided.decided_share, decided.bounds) == (1.0, (1.0, 1.0))


def test_evidence_is_that_of_the_metrics_asked_for():
    every = turnmark.score(EXAMPLES / "finance/hasty")
    asked = turnmark.score(EXAMPLES / "finance/hasty", metrics="M4")
    assert {"m4_compliance"} < {piece["metric"] for piece in every.evidence}
    assert "m4_compliance" in {piece["metric"] for piece in asked.evidence}
    assert not {"m1_context_continuity", "m3_risk_coverage"} & {piece["metric"] for piece in asked.evidence}
