"""Runs compared, from their folders: pairs, figures, pages, and what is said of what does not pair."""

import csv
import json
import re
import shutil

import msgspec
import pytest

from building import dialog, turn, write_lines
from turnmark.errors import DataError, UsageError
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.comparing.run_table import run_table
from turnmark.pipeline.publishing.export import export_comparison
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.comparison import render_comparison_html, render_comparison_markdown
from turnmark.report.pages.latex import comparison_tables


@pytest.fixture(scope="module")
def runs(tmp_path_factory, shipped_run):
    """Both shipped examples, scored."""
    folder = tmp_path_factory.mktemp("compared")
    for name in ("careful", "hasty"):
        shipped_run(name, folder / name)
    return folder


@pytest.fixture(scope="module")
def compared(runs):
    return compare(CompareRequest((runs / "careful", runs / "hasty"), draws=400, by=("language",), wanted=0.05))


def measure(comparison, code, name, pair=0):
    return next(one for one in comparison.pairs[pair].measures if (one.code, one.measure) == (code, name))


def test_values_are_those_of_the_rows_that_pair(runs, compared):
    rows = {
        name: [json.loads(line) for line in (runs / name / "turn_eval.jsonl").read_text("utf-8").splitlines()]
        for name in ("careful", "hasty")
    }
    keyed = {
        name: {(row["dialog_id"], row["turn_pair_id"]): row for row in own if row["eligible_m3"]}
        for name, own in rows.items()
    }
    both = keyed["careful"].keys() & keyed["hasty"].keys()
    pooled = {
        name: sum(own[key]["risk_tag_hits"] for key in both) / sum(len(own[key]["risk_required_tags"]) for key in both)
        for name, own in keyed.items()
    }
    found = measure(compared, "M3", "risk_coverage")
    assert found.first == pytest.approx(pooled["careful"])
    assert found.second == pytest.approx(pooled["hasty"])
    assert found.difference == pytest.approx(pooled["hasty"] - pooled["careful"])
    assert found.pairs == len(both) == found.wins + found.ties + found.losses
    assert found.dialogs_needed >= 1
    assert found.p_holm >= found.p_bh >= found.p_value


def test_less_is_better_for_measures_that_point_down(compared):
    found = measure(compared, "M4", "forbidden_hit_rate")
    assert found.difference > 0
    assert found.losses > found.wins
    assert found.better in {"first", "undecided"}


def test_the_profile_is_compared_by_dialogue(compared):
    found = measure(compared, "M2", "profile_score")
    assert found.pairs == found.dialogs


def test_a_run_against_itself_differs_in_nothing(runs):
    comparison = compare(CompareRequest((runs / "careful", runs / "careful"), draws=50))
    assert comparison.systems == [str(runs / "careful")] * 2  # one name would not tell them apart
    pair = comparison.pairs[0]
    assert all(one.difference in {0.0, None} and one.better == "undecided" for one in pair.measures)
    assert pair.changed == []
    assert pair.signature_differences == []
    assert all(cell.best for row in comparison.table for cell in row.cells if cell.value is not None)


def test_what_does_not_pair_is_counted_and_named(tmp_path):
    for name, dialogs in (("one", ["a", "b"]), ("two", ["b", "c"])):
        write_lines(tmp_path / f"{name}.jsonl", *[dialog(dialog_id, [turn(1)]) for dialog_id in dialogs])
        score(ScoreRequest((tmp_path / f"{name}.jsonl",), tmp_path / name, detect="literal"))
    comparison = compare(CompareRequest((tmp_path / "one", tmp_path / "two"), draws=50))
    unpaired = comparison.pairs[0].unpaired
    assert (unpaired.only_first, unpaired.only_second) == (1, 1)
    assert unpaired.examples == ["one: a turn 1", "two: c turn 1"]
    assert comparison.paired_turns == 1
    markdown = render_comparison_markdown(comparison)
    assert "1 turn only in one, 1 only in two; they enter no figure." in markdown
    assert "one: a turn 1" in markdown


def test_runs_without_a_common_turn_have_no_figures(tmp_path):
    for name in ("one", "two"):
        write_lines(tmp_path / f"{name}.jsonl", dialog(name, [turn(1)]))
        score(ScoreRequest((tmp_path / f"{name}.jsonl",), tmp_path / name, detect="literal"))
    comparison = compare(CompareRequest((tmp_path / "one", tmp_path / "two"), draws=50))
    assert comparison.pairs[0].measures == []
    assert comparison.table == []


def test_different_settings_are_warned_of(runs, tmp_path):
    other = tmp_path / "other"
    score(ScoreRequest((runs / "careful" / "dialog_trace.jsonl",), other, ignore_memory_keys=True))
    pair = compare(CompareRequest((runs / "careful", other), draws=50)).pairs[0]
    assert pair.signature_differences == ["settings ignore_memory_keys: false and true"]
    assert measure(compare(CompareRequest((runs / "careful", other), draws=50)), "M1", "key_coverage").p_value is None


def test_strata_split_the_dialogues(compared):
    found = compared.pairs[0].strata["language"]
    assert list(found) == sorted(found)
    total = measure(compared, "M3", "risk_coverage").pairs
    parts = [one.pairs for own in found.values() for one in own if (one.code, one.measure) == ("M3", "risk_coverage")]
    assert sum(parts) == total


def test_changed_turns_come_with_both_replies_and_their_evidence(compared):
    pair = compared.pairs[0]
    assert pair.changed_total >= len(pair.changed) > 0
    first = pair.changed[0]
    assert first.first_reply
    assert first.second_reply
    assert first.first_reply != first.second_reply
    assert any(re.fullmatch(r"M\d\w? \w+ \d\.\d\d → \d\.\d\d", change) for change in first.changes)


def test_more_than_two_systems_stand_in_one_table(runs, tmp_path):
    shutil.copytree(runs / "careful", tmp_path / "copy")
    comparison = compare(CompareRequest((runs / "hasty", runs / "careful", tmp_path / "copy"), draws=100))
    assert comparison.systems == ["hasty", "careful", "copy"]
    assert len(comparison.pairs) == 2
    row = next(row for row in comparison.table if row.measure == "risk_coverage")
    assert [cell.best for cell in row.cells] == [False, True, True]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_pages_say_the_same_in_every_language(compared, language):
    page = render_comparison_html(compared, language)
    assert f'<html lang="{language}">' in page
    assert texts_of(language)["drawn_note"] in page
    assert 'class="compared systems"' not in page, "two systems stand in one table"
    assert "http" not in page.replace("http-equiv", "")
    assert render_comparison_html(compared, language) == page
    assert "careful" in render_comparison_markdown(compared, language)


def test_changed_turns_come_by_gravity_with_both_faults(compared):
    changed = compared.pairs[0].changed
    severe = ["M4 severe_violation_rate" in " ".join(turn.changes) for turn in changed]
    assert severe[0]
    assert severe == sorted(severe, reverse=True)
    assert "severe" in {changed[0].first_fault, changed[0].second_fault}
    page = render_comparison_html(compared)
    first = page[page.index('class="turns changed"') :]
    assert first.index("Severe violation") < first.index("</summary>")


def test_systems_stand_side_by_side_with_intervals_of_the_pairs(compared):
    rows = {row.measure: row for row in compared.table}
    assert (rows["judge_score_mean"].low, rows["judge_score_mean"].high) == (1.0, 5.0)
    for row in compared.table:
        for cell in row.cells:
            if cell.interval:
                assert row.low <= cell.interval[0] <= cell.value <= cell.interval[1] <= row.high
    assert all(cell.interval for cell in rows["risk_coverage"].cells)
    page = render_comparison_html(compared)
    charts = re.findall(r'<svg class="chart".*?</svg>', page, flags=re.DOTALL)
    assert any("(risk_coverage)" in chart and chart.count('class="range"') == 2 for chart in charts)


def test_hostile_text_stays_text(compared):
    hostile = msgspec.convert(msgspec.to_builtins(compared), type(compared))
    hostile.pairs[0].changed[0].first_reply = "<script>alert(1)</script> | `x` \u202e"
    hostile.systems[0] = hostile.pairs[0].first = "a_<b>&\\%"
    page = render_comparison_html(hostile)
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "[U+202E]" in page
    assert "<script>" not in render_comparison_markdown(hostile)
    assert r"a\_\textless{}b\textgreater{}\&\textbackslash{}\%" in comparison_tables(hostile)


def test_latex_tables_are_whole(compared):
    written = comparison_tables(compared)
    assert written.count("\\begin{tabular}") == written.count("\\end{tabular}") == 2
    body = [line for line in written.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
    assert all(line.count(" & ") in {3, 5} for line in body)
    assert r"\textbf{" in written


def test_latex_tables_have_intervals_and_marks_of_significance(compared):
    told = msgspec.convert(msgspec.to_builtins(compared), type(compared))
    one = next(one for one in told.pairs[0].measures if one.measure == "risk_coverage")
    one.p_holm = 0.004
    systems, pair = comparison_tables(told).split("\\end{tabular}")[:2]
    row = next(row for row in compared.table if row.measure == "risk_coverage")
    best, other = row.cells
    assert f"\\textbf{{{best.value:.3f}}} & {other.value:.3f} " in systems
    assert f"[{best.interval[0]:.3f}, {best.interval[1]:.3f}]" in systems
    assert r"$\dagger$: not significantly worse" in systems
    assert f"${one.difference:+.3f}^{{**}}$" in pair
    assert f"[$-${-one.interval[0]:.3f}, $-${-one.interval[1]:.3f}]" in pair


def test_a_difference_is_read_in_words_not_dashes(compared):
    one = next(one for one in compared.pairs[0].measures if one.measure == "risk_coverage")
    low, high = (f"−{-bound:.3f}" for bound in one.interval)
    assert f"{low} to {high}" in render_comparison_html(compared)
    assert f"{low} to {high}" in render_comparison_markdown(compared)
    assert f"{low} 至 {high}" in render_comparison_html(compared, "zh")
    assert f"{low} \\~ {high}" in render_comparison_markdown(compared, "ko")


def test_tables_and_charts_of_a_comparison_as_files(compared, tmp_path):
    first = [path.read_bytes() for path in export_comparison(compared, tmp_path / "a", ("csv", "svg", "latex"), "ko")]
    written = export_comparison(compared, tmp_path / "b", ("csv", "svg", "latex"), "ko")
    assert [path.read_bytes() for path in written] == first
    with (tmp_path / "b" / "tables" / "systems.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(row.cells) for row in compared.table)
    of_risk = {row["system"]: row for row in rows if row["measure"] == "risk_coverage"}
    assert of_risk["careful"]["best"] == "true"
    assert float(of_risk["careful"]["low"]) < float(of_risk["careful"]["value"]) < float(of_risk["careful"]["high"])
    with (tmp_path / "b" / "tables" / "differences.csv").open(encoding="utf-8", newline="") as file:
        differences = list(csv.DictReader(file))
    assert {row["measure"] for row in differences} == {one.measure for one in compared.pairs[0].measures}
    beside = (tmp_path / "b" / "charts" / "M3-systems-risk_coverage.svg").read_text("utf-8")
    assert beside.count('class="range"') == 2
    assert re.search("[가-힣]", beside)
    apart = (tmp_path / "b" / "charts" / "difference-hasty-careful.svg").read_text("utf-8")
    score = next(one for one in compared.pairs[0].measures if one.measure == "judge_score_mean")
    assert f"−{-score.difference:.3f}" in apart, "numbers are those of the table, places are parts of the scale"
    with pytest.raises(UsageError, match="--formats"):
        export_comparison(compared, tmp_path / "c", ("bmp",))
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        (("x",), UsageError, "two runs or more"),
        (("nowhere", "nowhere"), UsageError, "nowhere: expected the folder of a scored run"),
    ],
)
def test_requests_that_make_no_sense(request_, error, message):
    with pytest.raises(error, match=message):
        compare(CompareRequest(request_))


def test_a_difference_to_find_is_looked_at_before_anything_is_counted(runs):
    """Also where nothing differs, so that no number of dialogues is asked for."""
    with pytest.raises(UsageError, match="give one above 0"):
        compare(CompareRequest((runs / "careful", runs / "careful"), wanted=float("nan")))


def test_a_field_that_there_is_not(runs):
    with pytest.raises(UsageError, match="--by: expected some of"):
        compare(CompareRequest((runs / "careful", runs / "hasty"), by=("colour",)))


def test_a_system_that_the_run_does_not_hold(runs):
    with pytest.raises(DataError, match="@agent: expected rows"):
        run_table(f"{runs / 'careful'}@agent")


def test_the_command(runs, cli, tmp_path):
    where = ("compare", str(runs / "careful"), str(runs / "hasty"), "--draws", "50")
    ran = cli(*where, "--out", str(tmp_path / "out"))
    assert ran.code == 0
    assert "careful against hasty" in ran.out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "comparison.html", "comparison.md", "comparison.tex", "comparison.json"
    }  # fmt: skip
    assert cli(*where, "--format", "json").json["systems"] == ["careful", "hasty"]
    assert cli(*where, "--format", "markdown", "--lang", "ko").out.startswith("# 비교")
    assert cli(*where, "--format", "latex").out.startswith("% needs")
    assert cli("compare", str(runs / "careful")).code == 2
