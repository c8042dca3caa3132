"""Trends of several systems in one picture, in a comparison, its page and its files."""

from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.publishing.export import export_comparison
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.tables import _title_lines


def test_the_plain_model_loses_the_record_at_turn_three_and_the_agent_does_not(examples, tmp_path):
    runs = []
    for mode in ("llm", "agent"):
        trace = examples.parent / "clinical" / mode / "events.jsonl"
        runs.append(score(ScoreRequest((trace,), tmp_path / mode, suite="clinical")).folder)
    comparison = compare(CompareRequest(tuple(runs), draws=100))
    row = next(row for row in comparison.table if row.measure == "context_use")
    plain, agent = ({point.turn: point.value for point in points} for points in row.trend)
    assert plain.keys() == agent.keys() == {1, 2, 3, 4, 5}
    assert plain[2] > 0.9
    assert max(plain[3], plain[4], plain[5]) < 0.1
    assert min(agent.values()) > 0.6
    assert all(point.rows == 12 for points in row.trend for point in points if point.turn == 3)
    files = {path.name: path for path in export_comparison(comparison, tmp_path / "out", ("svg",))}
    drawing = files["CUS_improved-trends-context_use.svg"].read_text("utf-8")
    assert 'class="trend s0"' in drawing
    assert 'class="trend s1"' in drawing
    for name in ("llm", "agent"):
        assert f">{name}</text>" in drawing


def test_a_title_is_never_cut_off():
    title = "Trend over turns: Required slots used, mean of answers (context_use)"
    assert _title_lines(title) == ["Trend over turns: Required slots used, mean", "of answers (context_use)"]
    chinese = "轮次趋势：" + "所需栏目的使用率" * 5
    lines = _title_lines(chinese)
    assert "".join(lines) == chinese
    assert max(map(len, lines)) <= 22
