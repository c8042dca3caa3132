"""Intervals, errors, coverage and bounds for failed rows, from scored runs to comparisons and pages."""

import csv
import json

import pytest

from building import dialog, turn, write_lines
from turnmark.errors import UsageError
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.results.summary import INTERVAL_METHODS
from turnmark.stats.methods import PHRASES

PROMISE = "保本保收益，稳赚不赔。"
PLAIN = "可以考虑分散配置，定期检查，并留出应急资金。"


def dialogs(breaking, failing):
    """Twenty dialogues of two turns; the first turn breaks a rule or ends in an error where asked for."""
    return [
        dialog(
            f"d{place:02d}",
            [
                turn(1, None, turn_status="error", error="gone")
                if place in failing
                else turn(1, PROMISE if place in breaking else PLAIN),
                turn(2, PLAIN),
            ],
            blueprint={"forbidden_list": ["稳赚不赔"]},
        )
        for place in range(20)
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run in which 6 of 40 turns break a rule and 4 ended in an error, and one in which 2 break it and 1 ended so."""
    folder = tmp_path_factory.mktemp("failing")
    for name, breaking, failing in (("first", range(6), range(16, 20)), ("second", range(2), range(5, 6))):
        write_lines(folder / f"{name}.jsonl", *dialogs(breaking, failing))
        score(ScoreRequest((folder / f"{name}.jsonl",), folder / name))
    return folder


def metrics_of(folder):
    return json.loads((folder / "metrics_summary.json").read_text("utf-8"))["metrics"]


def figures(folder, metric="m4_compliance"):
    return metrics_of(folder)[metric]


def test_failed_rows_leave_room_between_bounds(runs):
    found = figures(runs / "first")
    assert found["counts"] == found["counts"] | {"eligible_count": 36, "failed_count": 4}
    assert found["coverage"] == pytest.approx(36 / 40)
    # 6 of 36 turns break a rule; the 4 that failed may all do so, or none.
    assert found["micro"]["forbidden_hit_rate"] == pytest.approx(6 / 36)
    assert found["missing_bounds"]["forbidden_hit_rate"] == pytest.approx([6 / 40, 10 / 40])
    whole = found["normal_only"]
    assert whole["missing_bounds"]["forbidden_hit_rate"] == pytest.approx([6 / 36, 6 / 36])
    assert whole["coverage"] == 1.0


def test_every_figure_with_an_interval_says_how_it_was_made_and_how_uncertain_it_is(runs):
    seen = set()
    for result in (one for run in ("first", "second") for one in metrics_of(runs / run).values()):
        strata = [one for values in result["strata"].values() for one in values.values()]
        for one in (result, result["normal_only"], *strata):
            for measure, interval in one["intervals"].items():
                method, error = one["interval_methods"][measure], one["standard_errors"][measure]
                assert (interval is None) == (method is None)
                assert error is not None or method in {None, "rare"}
                seen.add(method)
        for measure, interval in result["macro_intervals"].items():
            assert (interval is None) == (result["macro_interval_methods"][measure] is None)
    assert {"percentile", "rare"} <= seen


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_the_method_is_chosen_by_name_and_stated(runs, tmp_path, cli, method):
    ran = cli("score", runs / "first.jsonl", "--intervals", method, "--lang", "en", "--out", tmp_path / "run",
              "--format", "json")  # fmt: skip
    assert ran.code == 0
    summary = json.loads((tmp_path / "run" / "metrics_summary.json").read_text("utf-8"))
    resampling = summary["resampling"]
    assert (resampling["method"], resampling["resamples"]) == (PHRASES[method], 0 if method == "analytic" else 1000)
    used = set(figures(tmp_path / "run")["interval_methods"].values())
    assert (
        used <= {"percentile": {"percentile", "rare"}, "bca": {"bca", "rare"}, "analytic": {"wilson_clustered"}}[method]
    )
    default = figures(runs / "first")
    assert figures(tmp_path / "run")["micro"] == default["micro"]
    same = figures(tmp_path / "run")["intervals"] == default["intervals"]
    assert same == (method == "percentile")
    assert ("intervals" in summary["signature"]["settings"]) == (method != "percentile")
    said = texts_of("en")[f"resampling_{PHRASES[method]}"]
    assert f"Intervals: {said}" in (tmp_path / "run" / "report.md").read_text("utf-8")
    assert all(f"resampling_{PHRASES[method]}" in texts for texts in map(texts_of, LANGUAGES))


def test_a_method_that_there_is_not(runs):
    with pytest.raises(UsageError, match="--intervals: expected one of"):
        score(ScoreRequest((runs / "first.jsonl",), runs / "none", intervals="magic"))


def test_the_page_and_the_table_say_what_failed_rows_could_have_done(runs, tmp_path, cli):
    said = "had its failed rows stood at the ends of the scale"
    assert cli("report", runs / "first", "--lang", "en", "--export", tmp_path / "out").code == 0
    assert said in (runs / "first" / "report.md").read_text("utf-8")
    assert said in (runs / "first" / "report.html").read_text("utf-8")
    with (tmp_path / "out" / "tables" / "figures.csv").open(encoding="utf-8") as lines:
        row = next(row for row in csv.DictReader(lines) if row["measure"] == "severe_violation_rate")
    bounds = figures(runs / "first")["missing_bounds"]["severe_violation_rate"]
    assert [float(row["missing_low"]), float(row["missing_high"])] == pytest.approx(bounds)
    assert float(row["coverage"]) == pytest.approx(0.9)
    assert row["interval_method"] in {"percentile", "rare"}


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_differences_have_coverage_and_bounds(runs, method):
    comparison = compare(CompareRequest((runs / "first", runs / "second"), draws=300, intervals=method))
    found = next(one for one in comparison.pairs[0].measures if one.measure == "forbidden_hit_rate")
    # 40 turns are common; 4 failed in the first run, another in the second.
    assert (found.pairs, found.missing, found.coverage) == (35, 5, pytest.approx(35 / 40))
    # Over the 35 pairs: 5 and 2 hits (the sixth breaking turn of the first run is the one that failed in the second).
    assert (found.first, found.second) == (pytest.approx(5 / 35), pytest.approx(2 / 35))
    # The five others: the first run's fail four times, and it breaks the rule once; the second run's fail once.
    assert found.missing_bounds == pytest.approx(((2 + 0) / 40 - (5 + 1 + 4) / 40, (2 + 1) / 40 - (5 + 1) / 40))
    assert found.interval_method == {"percentile": "percentile", "bca": "bca", "analytic": "t"}[method]
    assert found.missing_bounds[0] <= found.difference <= found.missing_bounds[1]


def test_a_comparison_says_so_in_words(runs, cli):
    ran = cli("compare", runs / "first", runs / "second", "--draws", 50, "--lang", "en", "--format", "markdown")
    said = "M1c, M4, M4b: failed on a side of 5 pairs (both sides have a value in 87.5 % of the turns)"
    assert said in ran.out, ran.out[-3000:]
    assert ran.out.count("failed on a side of") == 1


def test_other_intervals_are_no_other_marks(runs, tmp_path):
    score(ScoreRequest((runs / "second.jsonl",), tmp_path / "bca", intervals="bca"))
    assert compare(CompareRequest((runs / "second", tmp_path / "bca"), draws=20)).pairs[0].signature_differences == []
