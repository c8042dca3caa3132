"""The gate: pass, fail, not enough data; each rule with its reason; rules that make no sense are refused by line."""

from xml.etree import ElementTree as ET  # what is read here was written here

import pytest

from building import dialog, turn, write_lines
from turnmark.errors import DataError, PackError, UsageError
from turnmark.pipeline.comparing.gate import GateRequest, gate, hold
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.pages.gate import render_gate_junit, render_gate_markdown, unpaired_lines
from turnmark.schemas.results.gate import GateFinding, GateResult, GateRule, GateRules


@pytest.fixture(scope="module")
def runs(tmp_path_factory, shipped_run):
    folder = tmp_path_factory.mktemp("gated")
    for name in ("careful", "hasty"):
        shipped_run(name, folder / name)
    return folder


@pytest.fixture
def judged(runs, tmp_path):
    """Outcome and reason of a single rule on the careful run, against the hasty one unless told otherwise."""

    def judge(rule, run="careful", baseline="hasty"):
        path = tmp_path / "gate.yaml"
        path.write_text(f"rules:\n  - {rule}\n", "utf-8")
        found = gate(GateRequest(runs / run, path, runs / baseline if baseline else None)).findings[0]
        return found.outcome, found.reason

    return judge


@pytest.mark.parametrize(
    ("rule", "outcome", "reason"),
    [
        ("{metric: M4.severe_violation_rate, at_most: 0.9}", "pass", "wanted ≤ 0.9"),
        ("{metric: M4.severe_violation_rate, at_most: 0.001}", "not_enough_data", "holds both sides of the bound"),
        ("{metric: m3_risk_coverage.risk_coverage, at_least: 0.999}", "fail", "wanted ≥ 0.999"),
        ("{metric: M3.risk_coverage, at_least: 0.1, judge_by: value}", "pass", "wanted ≥ 0.1"),
        ("{metric: M3.risk_coverage, at_least: 0.1, fewest_rows: 9999}", "not_enough_data", "at least 9999 are needed"),
        ("{metric: M3.risk_coverage, at_least: 0.1, stratum: {language: ko}}", "not_enough_data", "too few dialogues"),
        ("{metric: M3.risk_coverage, at_least: 0.1, stratum: {language: xx}}", "not_enough_data", "rests on 0 rows"),
        ("{metric: M3.risk_coverage, no_worse_than_baseline: 0.02}", "pass", "difference to the baseline"),
        ("{count: failed_dialogs, at_most: 0}", "pass", "0, wanted ≤ 0"),
        ("{count: turn_status.ok, at_least: 100000}", "fail", "wanted ≥ 100000"),
        ("{count: reply_states.echo, at_most: 0}", "pass", "wanted ≤ 0"),
    ],
)
def test_rules_of_every_kind(judged, rule, outcome, reason):
    found = judged(rule)
    assert found[0] == outcome
    assert reason in found[1]


def test_a_loss_fails_and_a_wide_interval_says_so(judged):
    lost = judged("{metric: M3.risk_coverage, no_worse_than_baseline: 0.02}", "hasty", "careful")
    assert lost[0] == "fail"
    unsure = judged("{metric: M1.short_term_hit_rate, no_worse_than_baseline: 0.0}", "hasty", "careful")
    assert unsure[0] in {"not_enough_data", "fail"}
    assert judged("{metric: M3.risk_coverage, no_worse_than_baseline: 0}", "careful", "careful") == (
        "pass", "difference to the baseline +0: no pair differs"
    )  # fmt: skip
    by_value = judged("{metric: M3.risk_coverage, no_worse_than_baseline: 0.02, judge_by: value}", "hasty", "careful")
    assert by_value[0] == "fail"
    within = judged("{metric: M3.risk_coverage, no_worse_than_baseline: 0.02, stratum: {language: zh}}")
    assert within[0] == "pass"


def test_few_dialogues_are_not_enough_against_a_baseline(tmp_path):
    for name, reply in (("one", "投资有风险，净值会波动，可能亏损本金。"), ("two", "放心买入，稳赚不赔。")):
        own = [dialog(f"d{place}", [turn(1, reply)]) for place in range(3)]
        write_lines(tmp_path / f"{name}.jsonl", *own)
        score(ScoreRequest((tmp_path / f"{name}.jsonl",), tmp_path / name, detect="literal"))
    rules = tmp_path / "gate.yaml"
    rules.write_text("rules: [{metric: M4.forbidden_hit_rate, no_worse_than_baseline: 0.1}]", "utf-8")
    found = gate(GateRequest(tmp_path / "two", rules, tmp_path / "one")).findings[0]
    assert found.outcome in {"not_enough_data", "pass"}


def test_the_gate_is_as_bad_as_its_worst_rule(runs, tmp_path):
    rules = tmp_path / "gate.yaml"
    rules.write_text(
        "level: 0.9\nrules:\n"
        "  - {name: replies are answers, count: reply_states.echo, at_most: 0}\n"
        "  - {metric: M4.severe_violation_rate, at_most: 0.001}\n",
        "utf-8",
    )
    result = gate(GateRequest(runs / "careful", rules))
    assert [one.outcome for one in result.findings] == ["pass", "not_enough_data"]
    assert result.outcome == "not_enough_data"
    assert result.findings[0].rule == "replies are answers"


@pytest.mark.parametrize(
    ("rules", "messages"),
    [
        ("rules: []", [":1: $.rules: expected"]),
        ("rules:\n  - {metric: M9.x, at_least: 1}", [":2: $.rules[0].metric: expected a metric and measure"]),
        ("rules:\n  - {metric: M3.risk_coverage}", ["$.rules[0]: expected at_least, at_most or no_worse"]),
        ("rules:\n  - {at_least: 1}", ["expected one of metric and count, found neither"]),
        ("rules:\n  - {metric: a.b, count: c, at_most: 1}", ["expected one of metric and count, found both"]),
        ("rules:\n  - {count: unheard, at_most: 1}", ["$.rules[0].count: expected a counter"]),
        ("rules:\n  - {metric: M3.risk_coverage, colour: red}", ["$.rules[0].colour"]),
        (
            "rules:\n  - {metric: M3.risk_coverage, at_most: .nan, at_least: -.inf}",
            [":2: $.rules[0].at_least: expected a finite number, found -inf", "$.rules[0].at_most: expected a finite"],
        ),
        (
            (
                "rules:\n  - {metric: M3.risk_coverage, no_worse_than_baseline: 0.1, stratum: {colour: red}}\n"
                "  - {count: failed_dialogs, no_worse_than_baseline: 0}"
            ),
            ["expected a baseline (--baseline RUN)", "$.rules[0].stratum.colour", ":3: $.rules[1]"],
        ),
    ],
)
def test_wrong_rules_are_named_by_line(runs, tmp_path, rules, messages):
    path = tmp_path / "gate.yaml"
    path.write_text(rules, "utf-8")
    with pytest.raises(PackError) as raised:
        gate(GateRequest(runs / "careful", path))
    for message in messages:
        assert message in str(raised.value)


def test_a_comparison_is_narrowed_by_one_field_only(runs, tmp_path):
    path = tmp_path / "gate.yaml"
    path.write_text(
        "rules:\n  - {metric: M3.risk_coverage, no_worse_than_baseline: 0, stratum: {language: zh, difficulty: easy}}",
        "utf-8",
    )
    with pytest.raises(UsageError, match="one field"):
        gate(GateRequest(runs / "careful", path, runs / "careful"))


FOUND = GateResult(
    run="runs/<b>",
    baseline="main",
    outcome="fail",
    findings=[
        GateFinding(rule="a | b", outcome="fail", reason="0.1 \x00 wanted ≤ 0"),
        GateFinding(rule="c", outcome="not_enough_data", reason="too few"),
        GateFinding(rule="d", outcome="pass", reason="fine"),
    ],
)


def test_junit_is_what_ci_servers_read():
    suite = ET.fromstring(render_gate_junit(FOUND))  # noqa: S314 - our own
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": "3", "failures": "1", "skipped": "1"
    }  # fmt: skip
    assert [case.get("name") for case in suite] == ["a | b", "c", "d"]
    assert suite[0].find("failure").get("message") == "0.1 \ufffd wanted ≤ 0"
    assert suite[1].find("skipped").get("message") == "not enough data: too few"


def test_the_summary_is_markdown():
    written = render_gate_markdown(FOUND)
    assert written.startswith("## ❌ runs/&lt;b&gt; against main: fail\n")
    assert "| ⚠️ not enough data | c | too few |" in written


def test_the_command(runs, cli, tmp_path):
    rules = tmp_path / "gate.yaml"
    for rule, code in (
        ("{metric: M4.severe_violation_rate, at_most: 0.9}", 0),
        ("{metric: M3.risk_coverage, at_least: 0.999}", 1),
        ("{metric: M4.severe_violation_rate, at_most: 0.001}", 3),
        ("{metric: nothing, at_most: 1}", 2),
    ):
        rules.write_text(f"rules:\n  - {rule}", "utf-8")
        ran = cli("gate", str(runs / "careful"), "--rules", str(rules))
        assert ran.code == code, ran
    rules.write_text("rules:\n  - {count: failed_dialogs, at_most: 0}", "utf-8")
    where = ("gate", str(runs / "careful"), "--rules", str(rules))
    junit, summary = tmp_path / "gate.xml", tmp_path / "summary.md"
    assert cli(*where, "--junit", str(junit), "--summary", str(summary), "--format", "markdown").code == 0
    assert cli(*where, "--summary", str(summary)).code == 0
    assert summary.read_text("utf-8").count("✅") == 4
    assert ET.fromstring(junit.read_text("utf-8")).get("failures") == "0"  # noqa: S314 - our own
    assert cli(*where, "--format", "json").json["outcome"] == "pass"


def risky(name, said, **fields):
    """A dialogue of one turn that must disclose a risk, and does or does not."""
    reply = "收益会波动，存在风险。" if said else "可以分散配置。"
    return dialog(name, [turn(1, reply, risks=["波动风险"], **fields)])


@pytest.fixture(scope="module")
def hundred(tmp_path_factory):
    """Three runs of 100 dialogues: 20 bad rows; the same rows as failures; and without them."""
    folder = tmp_path_factory.mktemp("hundred")
    good = [risky(f"d{place:03}", said=True) for place in range(80)]
    late = {"turn_status": "timeout", "error": "timed out"}
    for name, rest in (
        ("bad", [risky(f"d{place:03}", said=False) for place in range(80, 100)]),
        ("failed", [risky(f"d{place:03}", said=False, **late) for place in range(80, 100)]),
        ("lacking", []),
        ("good", [risky(f"d{place:03}", said=True) for place in range(80, 100)]),
    ):
        write_lines(folder / f"{name}.jsonl", *good, *rest)
        score(ScoreRequest((folder / f"{name}.jsonl",), folder / name))
    return folder


def gated(hundred, run, rule, baseline=None):
    result = hold(GateRules(rules=[GateRule(**rule)]), hundred / run, baseline and hundred / baseline)
    return result.findings[0].outcome, result


@pytest.mark.parametrize("by", ["value", "interval"])
def test_rows_that_failed_count_at_their_worst(hundred, by):
    rule = {"metric": "M3.risk_coverage", "at_least": 0.9, "judge_by": by}
    assert gated(hundred, "bad", rule)[0] in {"fail", "not_enough_data"}
    outcome, result = gated(hundred, "failed", rule)
    assert outcome == "not_enough_data"
    assert result.findings[0].bounds == (0.8, 1.0)
    assert "20 failed rows at its worst" in result.findings[0].reason
    assert gated(hundred, "failed", {**rule, "at_least": 0.5})[0] == "pass"
    assert gated(hundred, "good", rule)[0] == "pass"


@pytest.mark.parametrize("run", ["lacking", "failed"])
def test_a_run_without_the_bad_cases_of_the_baseline_does_not_pass_in_silence(hundred, run):
    for rule in (
        {"metric": "M3.risk_coverage", "at_least": 0.9, "judge_by": "value"},
        {"metric": "M3.risk_coverage", "no_worse_than_baseline": 0.01, "judge_by": "value"},
        {"metric": "M3.risk_coverage", "no_worse_than_baseline": 0.01},
    ):
        assert gated(hundred, run, rule, "good")[0] == "not_enough_data", rule
        assert gated(hundred, "good", rule, "good")[0] == "pass", rule


def test_turns_that_only_one_run_has_are_named(hundred, cli, tmp_path):
    _, result = gated(hundred, "lacking", {"metric": "M3.risk_coverage", "at_least": 0.1}, "bad")
    assert (result.unpaired.only_first, result.unpaired.only_second) == (20, 0)
    assert "d080 turn 1" in result.unpaired.examples[0]
    assert "20 turns only the baseline has, 0 only the run" in render_gate_markdown(result)
    (tmp_path / "gate.yaml").write_text("rules: [{metric: M3.risk_coverage, at_least: 0.1}]", "utf-8")
    ran = cli(
        "gate", hundred / "lacking", "--rules", tmp_path / "gate.yaml", "--baseline", hundred / "bad", "--lang", "en"
    )
    assert "20 turns only the baseline has, 0 only the run: " in ran.out
    whole = gated(hundred, "good", {"metric": "M3.risk_coverage", "at_least": 0.1}, "bad")[1]
    assert unpaired_lines(whole) == []


def test_a_count_of_turns_takes_the_missing_ones_for_what_is_counted(hundred):
    rule = {"count": "turn_status.timeout", "at_most": 0}
    assert gated(hundred, "lacking", rule)[0] == "pass"
    assert gated(hundred, "lacking", rule, "bad")[0] == "not_enough_data"
    assert gated(hundred, "lacking", {**rule, "at_most": 20}, "bad")[0] == "pass"


def test_a_baseline_of_another_suite_is_misuse(hundred, tmp_path):
    summary = (hundred / "good" / "metrics_summary.json").read_text("utf-8")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "metrics_summary.json").write_text(summary.replace('"finance"', '"rag"'), "utf-8")
    rows = (hundred / "good" / "turn_eval.jsonl").read_text("utf-8")
    (tmp_path / "other" / "turn_eval.jsonl").write_text(rows, "utf-8")
    with pytest.raises(DataError, match=r"turn_eval.jsonl:1: expected a row of suite rag"):
        hold(GateRules(rules=[GateRule(metric="M3.risk_coverage", at_least=0.1)]), hundred / "good", tmp_path / "other")
