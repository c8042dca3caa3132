from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
import report_golden as golden
from hypothesis import given
from hypothesis import strategies as st

from turnmark.locale.texts import texts_of
from turnmark.report.pages.markdown import escaped, render_markdown
from turnmark.report.view.number_format import count, interval, number, signed
from turnmark.runs.folder import read_summary
from turnmark.schemas.results.summary import EvalSummary, Figures, InputCounts, MetricResult

MINIMAL = {
    "run_id": "r1",
    "trace_version": "v1",
    "dataset_path": "data.jsonl",
    "metrics": {
        "m3_risk_coverage": {
            "metric_name": "m3_risk_coverage",
            "micro": {"risk_coverage": 0.5, "strict_risk_coverage_rate": 0.25, "brand_new": 0.75},
            "macro": {"risk_coverage": 0.625},
            "counts": {"eligible_count": 4, "skipped_count": 1, "failed_count": 0},
            "by_dialog": {},
        },
        "m9_unheard_of": {
            "metric_name": "m9_unheard_of",
            "micro": {"x|y": 12.5},
            "macro": {},
            "counts": {},
            "by_dialog": {},
        },
    },
    "counters": {"total_dialogs": 2},
}


def minimal(**changes: object) -> EvalSummary:
    return msgspec.convert({**MINIMAL, **changes}, EvalSummary)


def cells(page: str, measure: str) -> list[str]:
    """The cells of the first table line of a measure."""
    line = next(line for line in page.splitlines() if re.search(rf"\| {re.escape(measure)}( ↓)? \|", line))
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_a_summary_with_nothing_beyond_the_contract_is_shown() -> None:
    page = render_markdown(minimal())
    assert page.startswith("# Evaluation report: r1\n")
    assert cells(page, "risk_coverage") == [
        "M3 Risk coverage", "risk_coverage", "0.500", "n/a", "0.625", "n/a", "4", "1", "0",
    ]  # fmt: skip


def test_measures_and_metrics_that_are_not_known_are_shown_too() -> None:
    page = render_markdown(minimal())
    assert cells(page, "brand_new")[2] == "0.750"
    assert cells(page, r"x\|y") == [r"m9_unheard_of", r"x\|y", "12.50", *["n/a"] * 6]


def test_a_zero_denominator_is_not_zero() -> None:
    metrics = {
        "m3_risk_coverage": MetricResult(
            metric_name="m3_risk_coverage",
            micro={"risk_coverage": 0.0},
            macro={"risk_coverage": 0.0},
            counts={"eligible_count": 0, "skipped_count": 3, "failed_count": 0},
            by_dialog={},
            denominators={"risk_coverage": 0.0},
            normal_only=Figures(
                micro={"risk_coverage": 0.0}, counts={}, denominators={"risk_coverage": 0.0}, intervals={}
            ),
        )
    }
    page = render_markdown(EvalSummary(run_id="r", trace_version="v1", dataset_path="d", metrics=metrics, counters={}))
    assert cells(page, "risk_coverage")[2:6] == ["n/a (n = 0)", "n/a", "n/a", "n/a (n = 0)"]
    without = msgspec.structs.replace(metrics["m3_risk_coverage"], denominators={})
    page = render_markdown(minimal(metrics={"m3_risk_coverage": msgspec.to_builtins(without)}))
    assert cells(page, "risk_coverage")[2] == "n/a (n = 0)"


def test_every_measure_of_the_main_table_is_in_it(scored: Path) -> None:
    page = render_markdown(read_summary(scored))
    main = page.split("## Main figures")[1].split("\n## ")[0]
    names = re.findall(r"^\| M\d [^|]+\| (\w+)", main, re.MULTILINE)
    assert names == [
        "key_coverage", "strict_key_hit_rate", "contradiction_rate", "profile_score", "risk_level_acc", "horizon_acc",
        "liquidity_acc", "risk_coverage", "strict_risk_coverage_rate", "compliance_label_acc", "severe_violation_rate",
        "rubric_hit_rate", "judge_score_mean",
    ]  # fmt: skip


def test_what_is_wrong_comes_before_any_figure() -> None:
    summary = minimal()
    summary.flags = ["abnormal_replies", "odd_flag"]
    summary.reply_states = {"normal": 6, "echo": 307, "error_text": 1, "strange": 2}
    summary.turn_status = {"ok": 315, "timeout": 1, "error": 0}
    summary.input = InputCounts(files=1, lines=30, rejected_lines=2)
    page = render_markdown(summary)
    top = page.split("## ")[0]
    assert "307 of 316 replies only repeat the user; 3 more are not normal answers (2 strange, 1 error message)" in top
    assert "cannot be called compliant" in top
    assert "odd_flag" in top
    assert "2 of 30 input lines could not be read" in top
    assert "1 of 316 turns did not complete" in top


def test_a_flagged_run_without_reply_states_and_an_empty_run_say_so() -> None:
    page = render_markdown(minimal(flags=["abnormal_replies"], counters={"total_turn_pairs": 0}))
    assert "More than 5 % of the replies are not normal answers." in page
    assert "No turn was scored." in page


def test_ignored_memory_keys_are_mentioned(scored: Path) -> None:
    summary = golden.timeless(read_summary(scored))
    assert summary.signature is not None
    summary.signature.settings["ignore_memory_keys"] = "true"
    assert "Required memory keys were ignored" in render_markdown(summary)


def test_a_run_without_faults_has_no_warning() -> None:
    assert "WARNING" not in render_markdown(minimal())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("key_coverage", "key_coverage"),
        ("_x_", r"\_x\_"),
        ("<script>", "&lt;script&gt;"),
        ("a\nb\r\n c", "a b c"),
        ("\x1b[31mred\x1b[0m", r"U+001B\[31mredU+001B\[0m"),
        ("abc\u202edcba", "abcU+202Edcba"),
        ("`x` **y** [z](u)", r"\`x\` \*\*y\*\* \[z\](u)"),
        ("R&D", "R&amp;D"),
    ],
)
def test_texts_are_shown_and_never_obeyed(text: str, shown: str) -> None:
    assert escaped(text) == shown


@given(st.text(max_size=40))
def test_a_cell_never_ends_early(text: str) -> None:
    cell = escaped(text)
    assert "\n" not in cell
    assert not re.search(r"(?<!\\)(\\\\)*\|", cell)
    assert "<" not in cell


def test_numbers() -> None:
    assert number(0.14159) == "0.142"
    assert number(3.14159, 5.0) == "3.14"
    assert number(None) == number(float("nan")) == "n/a"
    assert interval((0.1, 0.25)) == "0.100 to 0.250"
    assert interval((-0.787, -0.638)) == "−0.787 to −0.638"
    assert interval((-0.787, 1.5), texts_of("zh"), 5.0) == "−0.79 至 1.50"
    assert interval((-0.0001, 0.25), texts_of("ko")) == "0.000 ~ 0.250"
    assert [signed(value) for value in (0.1467, -0.715, -0.0001, 0.0, None)] == [
        "+0.147", "−0.715", "0.000", "0.000", "n/a",
    ]  # fmt: skip
    assert interval(None) == "n/a"
    assert count(1173.0) == "1,173"


def test_the_small_run_is_rendered_as_it_was(scored: Path) -> None:
    page = render_markdown(golden.timeless(read_summary(scored)))
    golden.check("report.md", page)
    assert page == render_markdown(golden.timeless(read_summary(scored)))
