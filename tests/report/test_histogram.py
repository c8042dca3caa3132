from __future__ import annotations

import re

import msgspec

from turnmark.locale.texts import ENGLISH
from turnmark.pipeline.publishing.report import gather
from turnmark.pipeline.publishing.run_turns import lean_row
from turnmark.report.charts.histogram import BINS, bar_of, distributions, turn_values

ROW = {
    "trace_version": "v1", "run_id": "r", "dialog_id": "d", "turn_pair_id": 1, "eligible_m1": True, "eligible_m2": True,
    "eligible_m3": True, "eligible_m4": True, "eligible_m5": True, "judge_score_1_5": 3.0,
    "risk_required_tags": ["a", "b"], "risk_tag_hits": 1, "rubric_required": ["x", "y", "z"], "rubric_hit_items": ["x"],
    "resolved_keys": [
        {"key": "k", "resolvable": True, "target_text": "t", "resolver": "r"},
        {"key": "l", "resolvable": False, "target_text": None, "resolver": "r"},
    ],
    "key_hit_flags": [1, 0],
}  # fmt: skip


def test_values_fall_into_tenths_and_the_ends_belong_to_the_ends():
    bars = [0] * BINS
    for value in (0.0, 0.05, 0.1, 0.999, 1.0, 1.7, -3.0):
        bar_of(bars, value, 0.0, 1.0)
    assert bars == [3, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    scores = [0] * BINS
    for value in (1.0, 3.0, 5.0):
        bar_of(scores, value, 1.0, 5.0)
    assert scores == [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]


def test_a_turn_has_the_figures_that_its_row_holds():
    row = lean_row(msgspec.json.encode(ROW))
    values = {name: value for name, value, *_ in turn_values(row)}
    expected = {"key_coverage": 1.0, "risk_coverage": 0.5, "rubric_hit_rate": 1 / 3, "judge_score_mean": 3.0}
    assert {name: values[name] for name in expected} == expected
    off = dict.fromkeys(("eligible_m1", "eligible_m3", "eligible_m4", "eligible_m5"), False)
    nothing = lean_row(msgspec.json.encode({**ROW, **off}))
    assert list(turn_values(nothing)) == []


def test_drawings_are_said_in_words_and_count_every_dialogue(scored):
    summary = gather(scored).summary
    found = distributions(summary, {"risk_coverage": [1, 0, 0, 0, 0, 2, 0, 0, 0, 0]}, ENGLISH)
    by_name = {(one.measure, one.unit): one for one in found}
    turns = by_name["risk_coverage", "turns"]
    assert turns.total == 3
    assert "<desc>3 turns. 0 to 0.1: 1; 0.5 to 0.6: 2.</desc>" in turns.drawing
    dialogs = by_name["risk_coverage", "dialogues"]
    figures = summary.metrics["m3_risk_coverage"].by_dialog.values()
    assert dialogs.total == sum("risk_coverage" in one for one in figures)
    assert "<title>Required risks that were disclosed (risk_coverage), dialogues</title>" in dialogs.drawing
    assert all(re.search(r'role="img"', one.drawing) for one in found)
