"""Results as data frames of the real packages, and in a cell of a notebook."""

import html
import math
import sys

import pytest

import turnmark
from turnmark.errors import MissingExtraError, UsageError

RECORDS = [
    {"id": "right", "question": "How long do refunds take?", "answer": "Refunds take 5 days.",
     "contexts": ["Refunds take 5 days."], "ground_truth": "5 days"},
    {"id": "wrong", "question": "How long do refunds take?", "answer": "Refunds take 9 days.",
     "contexts": ["Refunds take 5 days."], "ground_truth": "5 days"},
]  # fmt: skip


@pytest.fixture(scope="module")
def result():
    return turnmark.score(RECORDS)


def test_a_row_a_turn_with_a_column_a_measure_in_pandas(result):
    frame = result.to_pandas()
    assert list(frame["dialog_id"]) == ["right", "wrong"]
    assert list(frame["faithfulness.faithfulness"]) == [1.0, 0.0]
    assert frame["fault"].isna().tolist() == [True, False]
    assert frame.loc[1, "fault"] == "contradiction"
    assert str(frame["retrieval.ndcg"].dtype) == "float64"
    assert frame["retrieval.ndcg"].isna().all()
    assert frame["faithfulness.faithfulness"].mean() == result["faithfulness"].macro


def test_polars_says_the_same_as_pandas(result):
    pandas, polars = result.to_pandas(), result.to_polars()
    assert polars.columns == list(pandas.columns)
    assert polars["faithfulness.faithfulness"].to_list() == list(pandas["faithfulness.faithfulness"])
    assert polars["retrieval.ndcg"].to_list() == [None, None]
    assert str(polars.schema["retrieval.ndcg"]) == "Float64"


@pytest.mark.parametrize("kind", ["to_pandas", "to_polars"])
def test_evidence_and_figures(result, kind):
    evidence = getattr(result, kind)("evidence")
    assert len(evidence) == len(result.evidence)
    assert list(evidence["quote"]) == [piece.get("quote", "") for piece in result.evidence]
    figures = getattr(result, kind)("figures")
    rows = {(metric, measure): value for metric, measure, value in
            zip(figures["metric"], figures["measure"], figures["value"], strict=True)}  # fmt: skip
    assert rows["faithfulness", "faithfulness"] == result["faithfulness"].value == 0.5
    missing = rows["retrieval", "ndcg"]
    assert missing is None or math.isnan(missing)
    assert len(getattr(result, kind)("problems")) == 0


def test_only_the_metrics_that_were_asked_for(tmp_path):
    result = turnmark.score(RECORDS, metrics="faithfulness", out=tmp_path / "run")
    columns = list(result.to_pandas().columns)
    assert [name for name in columns if "." in name] == ["faithfulness.faithfulness"]
    assert set(result.to_pandas("evidence")["metric"]) == {"faithfulness"}
    loaded = turnmark.load(tmp_path / "run")
    assert list(loaded.to_polars()["dialog_id"]) == ["right", "wrong"]


@pytest.mark.parametrize("kind", ["to_pandas", "to_polars"])
def test_frames_go_back_in(result, kind):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = {"to_pandas": pandas.DataFrame, "to_polars": polars.DataFrame}[kind](RECORDS)
    again = turnmark.score(frame)
    assert again["faithfulness"].value == result["faithfulness"].value


def test_a_table_that_there_is_not_is_named(result):
    with pytest.raises(UsageError, match="expected one of figures, turns, evidence, problems"):
        result.to_pandas("rows")


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_without_the_package_the_install_line_is_named(result, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"turnmark\[{package}\]"):
        getattr(result, f"to_{package}")()


def test_finance_turns_have_columns_too(shipped_run, tmp_path):
    folder = tmp_path / "hasty"
    shipped_run("hasty", folder)
    frame = turnmark.load(folder).to_pandas()
    assert len(frame) == 171
    assert (frame["fault"] == "severe").sum() > 0
    assert "m3_risk_coverage.risk_coverage" in frame


def test_a_notebook_shows_findings_and_figures_and_no_foreign_markup(tmp_path):
    name = "<script>alert(1)</script>"
    result = turnmark.score([{**RECORDS[1]}], run_id=name, out=tmp_path / "run")
    shown = result._repr_html_()
    assert name not in shown
    assert html.escape(name) in shown
    assert "Contradicted claim 1" in shown
    assert "<table>" in shown
    assert shown.index("Contradicted claim") < shown.index("<table>")
