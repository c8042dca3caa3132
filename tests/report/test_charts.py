from __future__ import annotations

import re
import shutil

import pytest

from turnmark.locale.texts import ENGLISH, LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import gather, write_report
from turnmark.pipeline.publishing.run_turns import turn_sums
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.charts.charts import Bar, forest, strata_charts, trends
from turnmark.report.pages.run import render_html
from turnmark.report.view.coverage import coverage, not_computed
from turnmark.report.view.tables import strata_tables
from turnmark.report.view.triage import worst_of


def test_a_trend_says_every_point_and_draws_a_dot_for_each(scored):
    data = gather(scored)
    charts = {chart.measure: chart for chart in trends(data.summary, data.turns, ENGLISH)}
    drawing = charts["severe_violation_rate"].drawing
    points = data.turns.points("m4_compliance", 1, (0.0, 1.0))
    assert drawing.count('class="dot') == len(points) > 1
    assert drawing.count('class="dot few"') == sum(point.interval is None for point in points)
    for point in points:
        assert f"turn {point.turn}: {point.value:.3f} ({point.rows})" in drawing
    assert trends(data.summary, None, ENGLISH) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_scoring_and_reporting_again_give_the_same_sums(scored, tmp_path, workers):
    result = score(ScoreRequest((scored / "dialog_trace.jsonl",), tmp_path / "run", workers=workers))
    pages = [page.read_bytes() for page in write_report(result.folder, result.worst, None, result.turns)]
    assert [page.read_bytes() for page in write_report(result.folder)] == pages
    again = turn_sums(result.folder, "finance")
    assert again.reasons == result.turns.reasons
    assert turn_sums(result.folder, "clinical") is None
    assert turn_sums(result.folder, "unknown") is None


def test_coverage_counts_every_row_and_names_the_reasons(scored):
    data = gather(scored)
    found = {one.code: one for one in coverage(data, ENGLISH)}
    for one in found.values():
        counts = data.summary.metrics[one.name].counts
        assert one.eligible == counts["eligible_count"]
        assert one.skipped + one.failed == counts["skipped_count"] + counts["failed_count"]
    m3 = found["M3"]
    assert m3.failed
    assert [reason.rows for reason in m3.reasons if reason.kind == "failed"]
    said = not_computed(list(found.values()), ENGLISH)
    assert any("M3" in one and "failed" in one for one in said)
    assert len(said) < sum(one.failed > 0 for one in found.values()), "metrics that failed alike share a sentence"
    nothing = m3._replace(eligible=0)
    assert not_computed([nothing], ENGLISH)[0].startswith("M3: not computed")
    page = render_html(data)
    assert page.index(f">{ENGLISH['coverage']}<") < page.index(f">{ENGLISH['distributions']}<")


def test_without_rows_the_counts_stand_and_the_reason_is_said_to_be_missing(scored, tmp_path):
    folder = shutil.copytree(scored, tmp_path / "run")
    (folder / "turn_eval.jsonl").unlink()
    found = coverage(gather(folder), ENGLISH)
    assert all(reason.text == ENGLISH["reason_unknown"] for one in found for reason in one.reasons)


def test_strata_stand_beside_each_other(scored):
    data = gather(scored)
    for field, tables in strata_tables(data.summary).items():
        for chart in strata_charts(tables, field, ENGLISH):
            assert chart.drawing.count('class="dot"') > 1
            assert chart.name.startswith(f"by-{field}-")


def test_a_forest_clips_long_names_and_escapes_all():
    bars = [Bar("<b>한국어 라벨이 아주 길어서 자리를 넘칩니다 정말로", 0.5, (0.2, 0.9)), Bar("无", None)]
    drawing = forest("<i>", bars, (0.0, 1.0), ENGLISH)
    assert "<b>" not in drawing
    assert "<i>" not in drawing
    assert "…" in drawing
    assert ">n/a</text>" in drawing
    assert drawing.count('class="dot"') == drawing.count('class="range"') == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_metric_leads_to_its_worst_turns(scored, language):
    data = gather(scored)
    found = worst_of(data.worst)
    first = data.worst[found["m4_compliance"][0] - 1]
    assert first.reasons[0].kind == "severe"
    page = render_html(data, texts_of(language))
    targets = set(re.findall(r'href="#((?:worst|shown)-[^"]*)"', page))
    assert targets >= {"worst-m4_compliance", "shown-1"}
    assert all(f'id="{target}"' in page for target in targets)
