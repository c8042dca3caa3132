"""What a gate says of runs made for it: bounds, margins, strata, counters, each with the figures it rests on."""

import json
from types import SimpleNamespace

import msgspec
import pytest
from msgspec import UNSET

from building import dialog, turn, write_lines
from turnmark.errors import PackError
from turnmark.locale.texts import ENGLISH
from turnmark.pipeline.comparing import gate as gate_module
from turnmark.pipeline.comparing.gate import hold, said
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.results.comparison import ComparedMeasure
from turnmark.schemas.results.gate import GateRule, GateRules


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of twenty dialogues of one turn, scored by keywords: so many of them promise a profit."""
    folder = tmp_path_factory.mktemp("made")

    def run(promises, *, only=None):
        out = folder / f"{promises}-{only}"
        if not out.exists():
            dialogs = []
            for number in range(20):
                language = ("zh", "en")[number % 2]
                promised = number < promises and only in {None, language}
                reply = "放心买入，稳赚不赔。" if promised else "先看看您的预算。"
                own = {"language": language, "blueprint": {"forbidden_list": ["稳赚不赔"]}}
                dialogs.append(dialog(f"d{number:02}", [turn(1, reply)], **own))
            write_lines(folder / f"{promises}-{only}.jsonl", *dialogs)
            score(ScoreRequest((folder / f"{promises}-{only}.jsonl",), out, detect="literal"))
        return out

    return run


def held(run, baseline=None, **rule):
    rules = GateRules(rules=[GateRule(metric="M4.forbidden_hit_rate", **rule)])
    found = hold(rules, run, baseline).findings[0]
    return found.outcome, found.reason


def test_of_a_measure_that_should_be_low_more_is_a_loss(made):
    outcome, reason = held(made(18), made(0), no_worse_than_baseline=0.1)
    assert outcome == "fail"
    assert reason == "difference to the baseline +0.9 [+0.75, +1], margin 0.1"
    assert held(made(18), made(0), no_worse_than_baseline=1.0)[0] == "pass"
    assert held(made(0), made(18), no_worse_than_baseline=0.0)[0] == "pass"
    assert held(made(20), made(0), no_worse_than_baseline=0.1, judge_by="value")[0] == "fail"
    assert held(made(0), made(20), no_worse_than_baseline=0.1, judge_by="value")[0] == "pass"
    assert held(made(2), made(0), no_worse_than_baseline=0.1, judge_by="value")[0] == "pass"
    assert held(made(3), made(0), no_worse_than_baseline=0.1, judge_by="value")[0] == "fail"


def test_a_loss_around_the_margin_is_undecided_and_says_what_would_have_been_found(made):
    outcome, reason = held(made(3), made(0), no_worse_than_baseline=0.1)
    assert outcome == "not_enough_data"
    assert reason.startswith("difference to the baseline +0.15 [+0, +0.35], margin 0.1; only a difference of 0.22")


def test_the_whole_interval_must_keep_a_bound_unless_the_value_is_asked_for(made):
    assert held(made(3), at_most=0.15, judge_by="value") == ("pass", "0.15, wanted ≤ 0.15")
    assert held(made(3), at_most=0.15)[0] == "not_enough_data"
    assert held(made(3), at_least=0.16, judge_by="value")[0] == "fail"
    assert held(made(18), at_least=0.65)[0] == "pass"
    assert held(made(18), at_most=0.65)[0] == "fail"


def test_a_stratum_is_compared_by_itself(made):
    run, baseline = made(18, only="zh"), made(0)
    assert held(run, baseline, no_worse_than_baseline=0.1, stratum={"language": "zh"})[0] == "fail"
    assert held(run, baseline, no_worse_than_baseline=0.1, stratum={"language": "en"}) == (
        "pass", "difference to the baseline +0: no pair differs"
    )  # fmt: skip
    assert held(run, stratum={"language": "zh"}, at_least=0.85, judge_by="value")[0] == "pass"
    assert held(run, stratum={"language": "en"}, at_most=0.0, judge_by="value")[0] == "pass"


def test_a_rule_without_a_baseline_is_not_compared(made):
    rules = GateRules(
        rules=[
            GateRule(metric="M4.forbidden_hit_rate", no_worse_than_baseline=0.1),
            GateRule(metric="M4.forbidden_hit_rate", at_most=1.0),
            GateRule(count="failed_dialogs", at_most=0),
        ]
    )
    result = hold(rules, made(18), made(0))
    assert [finding.outcome for finding in result.findings] == ["fail", "pass", "pass"]
    assert [finding.reason for finding in result.findings[1:]] == ["0.9 [0.683, 1], wanted ≤ 1", "0, wanted ≤ 0"]
    assert result.outcome == "fail"


def test_all_faults_of_rules_without_a_file_are_named(made):
    rules = GateRules(
        rules=[
            GateRule(metric="M3.risk_coverage", count="failed_dialogs", at_most=0),
            GateRule(count="failed_dialogs", no_worse_than_baseline=0.0),
        ]
    )
    with pytest.raises(PackError) as raised:
        hold(rules, made(0), made(0))
    assert str(raised.value).splitlines() == [
        "rules: $.rules[0]: expected one of metric and count, found both",
        "rules: $.rules[1].no_worse_than_baseline: expected a metric, found none",
    ]


def test_what_a_gate_finds_can_be_written_as_json(cli, made, tmp_path):
    rules = tmp_path / "gate.yaml"
    rules.write_text("rules: [{metric: M4.forbidden_hit_rate, at_most: 1, no_worse_than_baseline: 1}]", "utf-8")
    shown = cli("gate", made(18), "--rules", rules, "--baseline", made(0), "--format", "json")
    assert shown.json["findings"][0]["rows"] == 20
    assert (shown.code, shown.json["outcome"]) == (0, "pass")


def rule_of(**rule):
    """The finding of one rule on a run, against another where one is given."""

    def find(run, baseline=None):
        return hold(GateRules(rules=[GateRule(**rule)]), run, baseline).findings[0]

    return find


def test_a_finding_holds_value_interval_and_the_rows_it_rests_on(made):
    found = rule_of(metric="M4.forbidden_hit_rate", at_most=0.5)(made(3))
    assert (found.value, found.rows) == (pytest.approx(0.15), 20)
    low, high = found.interval
    assert low < 0.15 < high < 0.5
    zh = rule_of(metric="M4.forbidden_hit_rate", at_most=0.5, stratum={"language": "zh"})(made(4, only="zh"))
    # Promised are the replies of 0, 2 of the ten Chinese dialogues.
    assert (zh.value, zh.rows) == (pytest.approx(0.2), 10)
    assert zh.interval[0] <= 0.2 <= zh.interval[1]


def test_fewest_rows_is_reached_by_as_many(made):
    assert rule_of(metric="M4.forbidden_hit_rate", at_most=1.0, fewest_rows=20)(made(3)).outcome == "pass"
    few = rule_of(metric="M4.forbidden_hit_rate", at_most=1.0, fewest_rows=21)(made(3))
    assert (few.outcome, few.value, few.rows) == ("not_enough_data", pytest.approx(0.15), 20)
    assert few.reason == "rests on 20 rows, at least 21 are needed"


def test_both_bounds_hold_and_the_worse_one_is_named(made):
    both = {"metric": "M4.forbidden_hit_rate", "judge_by": "value"}
    assert rule_of(**both, at_least=0.1, at_most=0.2)(made(3)).outcome == "pass"
    low, high = (rule_of(**both, at_least=a, at_most=b)(made(3)) for a, b in ((0.16, 0.2), (0.1, 0.14)))
    assert (low.outcome, low.reason) == ("fail", "0.15, wanted ≥ 0.16")
    assert (high.outcome, high.reason) == ("fail", "0.15, wanted ≤ 0.14")


def test_counters_are_judged_as_they_are(made):
    for bound, outcome in (({"at_least": 20}, "pass"), ({"at_least": 21}, "fail"), ({"at_most": 19}, "fail")):
        found = rule_of(count="turn_status.ok", **bound)(made(3))
        assert (found.outcome, found.value) == (outcome, 20.0)


def test_bounds_and_a_baseline_must_both_be_kept(made):
    rule = rule_of(metric="M4.forbidden_hit_rate", at_most=0.5, no_worse_than_baseline=0.1)
    lost = rule(made(18), made(18))
    assert lost.outcome == "fail"
    assert lost.reason.endswith("wanted ≤ 0.5; difference to the baseline +0: no pair differs")
    worse = rule_of(metric="M4.forbidden_hit_rate", at_most=1.0, no_worse_than_baseline=0.1)(made(18), made(0))
    assert worse.outcome == "fail"
    assert worse.reason.startswith("0.9 [0.683, 1], wanted ≤ 1; difference to the baseline +0.9")


def test_a_rule_says_what_it_asks_for():
    assert said(GateRule(name="no promises", metric="M4.x", at_most=0)) == "no promises"
    assert said(GateRule(metric="M4.x", at_least=0.25, at_most=0.5)) == "M4.x ≥ 0.25 and ≤ 0.5"
    assert (
        said(GateRule(count="failed_dialogs", at_most=0, stratum={"language": "zh"}))
        == "failed_dialogs [language zh] ≤ 0"
    )
    assert (
        said(GateRule(metric="M4.x", no_worse_than_baseline=0.1)) == "M4.x no worse than the baseline by more than 0.1"
    )


def test_of_several_faults_each_rule_has_its_own(made):
    rules = GateRules(
        rules=[
            GateRule(metric="M4.forbidden_hit_rate", at_most=0.5),
            GateRule(metric="M4.forbidden_hit_rate"),
            GateRule(metric="M4.forbidden_hit_rate", no_worse_than_baseline=0.1),
            GateRule(count="turn_status.unheard", at_most=1),
        ]
    )
    with pytest.raises(PackError) as raised:
        hold(rules, made(0))
    assert str(raised.value).splitlines() == [
        "rules: $.rules[1]: expected at_least, at_most or no_worse_than_baseline, found none of them",
        "rules: $.rules[2].no_worse_than_baseline: expected a baseline (--baseline RUN), found none",
        (
            "rules: $.rules[3].count: expected a counter of the summary, turn_status.NAME or reply_states.NAME, "
            "found turn_status.unheard"
        ),
    ]


def test_a_stratum_of_two_fields_bounds_the_run_but_cannot_be_compared(made):
    both = {"language": "zh", "difficulty": "easy"}
    assert rule_of(metric="M4.forbidden_hit_rate", at_most=1.0, stratum=both)(made(3)).rows == 10
    none = rule_of(metric="M4.forbidden_hit_rate", at_most=1.0, stratum={**both, "difficulty": "hard"})(made(3))
    assert (none.outcome, none.value, none.rows) == ("not_enough_data", None, 0)
    rules = GateRules(
        rules=[GateRule(metric="M4.forbidden_hit_rate", no_worse_than_baseline=0.1, stratum={"language": "ko"})]
    )
    assert hold(rules, made(3), made(0)).outcome == "not_enough_data"


def test_a_wider_level_widens_the_interval(made):
    rules = [GateRule(metric="M4.forbidden_hit_rate", at_most=0.5)]
    narrow, wide = (hold(GateRules(rules=rules, level=level), made(8)).findings[0].interval for level in (0.5, 0.99))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


def test_turns_that_only_the_baseline_has_could_be_one_more_of_every_kind(made, tmp_path):
    lines = made(3).with_name("3-None.jsonl").read_text("utf-8").splitlines()
    shorter = write_lines(tmp_path / "shorter.jsonl", *map(json.loads, lines[:16]))
    score(ScoreRequest((shorter,), tmp_path / "shorter", detect="literal"))
    fewer = rule_of(count="turn_status.ok", at_most=18)(tmp_path / "shorter", made(3))
    # 16 of its own, and 4 that only the baseline has.
    assert (fewer.outcome, fewer.value, fewer.bounds) == ("not_enough_data", 16.0, (16.0, 20.0))
    assert "4 missing rows" in fewer.reason
    assert rule_of(count="turn_status.ok", at_most=20)(tmp_path / "shorter", made(3)).outcome == "pass"
    assert rule_of(count="turn_status.ok", at_least=17)(tmp_path / "shorter", made(3)).outcome == "not_enough_data"
    assert rule_of(count="turn_status.ok", at_most=15)(tmp_path / "shorter", made(3)).outcome == "fail"
    # A counter of dialogues or detectors is no kind of turn, and without missing turns there are no bounds.
    of_failed = rule_of(count="failed_dialogs", at_most=0)(tmp_path / "shorter", made(3))
    assert (of_failed.outcome, of_failed.reason, of_failed.bounds) == ("pass", "0, wanted ≤ 0", UNSET)
    assert rule_of(count="turn_status.ok", at_most=20)(made(3), made(3)).bounds is UNSET


def test_rows_that_only_one_of_both_has_are_named(made, tmp_path):
    lines = made(3).with_name("3-None.jsonl").read_text("utf-8").splitlines()
    shorter = write_lines(tmp_path / "shorter.jsonl", *map(json.loads, lines[:16]))
    score(ScoreRequest((shorter,), tmp_path / "shorter", detect="literal"))
    rules = GateRules(rules=[GateRule(metric="M4.forbidden_hit_rate", at_most=1.0)])
    less, more = (
        hold(rules, tmp_path / "shorter", made(3)).unpaired,
        hold(rules, made(3), tmp_path / "shorter").unpaired,
    )
    assert (less.only_first, less.only_second) == (4, 0)
    assert (more.only_first, more.only_second) == (0, 4)
    assert hold(rules, made(3), made(3)).unpaired is UNSET
    assert hold(rules, made(3)).unpaired is UNSET


MEASURE = ComparedMeasure(
    metric="m", code="M", measure="m", upward=True, first=0.5, second=0.5, difference=0.0, interval=None,
    standard_error=None, p_value=None, p_holm=None, p_bh=None, effect=None, detectable=None, dialogs=20, pairs=20,
    wins=0, ties=20, losses=0,
)  # fmt: skip


def regression(monkeypatch, margin, **fields):
    """What a rule against a baseline says of a comparison that found this."""
    found = msgspec.structs.replace(MEASURE, **fields)
    monkeypatch.setattr(gate_module, "_compared_measure", lambda *_: found)
    monkeypatch.setattr(gate_module, "missing_difference", lambda *_: None)
    held_run = SimpleNamespace(compared=True, baseline=True, table=SimpleNamespace(columns=[None]), texts=ENGLISH)
    return gate_module._regression(GateRule(metric="m", no_worse_than_baseline=margin), 0, held_run)


@pytest.mark.parametrize(
    ("interval", "margin", "outcome"),
    [
        ((-0.25, 0.25), 0.25, "pass"),  # no worse by more than the margin: as much is allowed
        ((-0.375, -0.25), 0.25, "not_enough_data"),
        ((-0.5, -0.375), 0.25, "fail"),
    ],
)
def test_a_loss_of_just_the_margin_keeps_it(monkeypatch, interval, margin, outcome):
    for upward, ends in ((True, interval), (False, (-interval[1], -interval[0]))):
        middle = sum(ends) / 2
        found = regression(monkeypatch, margin, difference=middle, interval=ends, upward=upward, wins=5, losses=5)
        assert found[0] == outcome


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (0, 1), (1, 1)])
def test_pairs_that_differ_without_an_interval_are_too_few(monkeypatch, wins, losses):
    found = regression(monkeypatch, 0.25, difference=0.0, interval=None, wins=wins, losses=losses)
    assert found == ("not_enough_data", "difference to the baseline +0; too few dialogues for an interval")
