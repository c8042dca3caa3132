from __future__ import annotations

import msgspec
import pytest

from turnmark.errors import PackError
from turnmark.packs.rule_packs import shipped_packs
from turnmark.pipeline.publishing.report import gather
from turnmark.pipeline.publishing.rule_sources import RuleSources
from turnmark.schemas.evidence import Evidence

OWN = """\
pack: house.risk
version: 2.0.0
language: zh
detector: finance.risk
jurisdiction: HK
source: house rule 7
rules:
  - {id: house.swings, label: volatility_risk, any: [上下颠簸]}
"""


def piece(metric: str, rule: str) -> Evidence:
    return Evidence(metric=metric, rule=rule)


@pytest.fixture
def summary(scored):
    return gather(scored).summary


@pytest.mark.parametrize(
    ("detector", "metric"),
    [
        ("finance.risk", "m3_risk_coverage"),
        ("finance.compliance", "m4_compliance"),
        ("finance.rubric", "m5_explainability"),
    ],
)
def test_every_shipped_rule_has_the_source_that_it_or_its_pack_names(summary, detector, metric):
    sources = RuleSources(summary)
    for pack, _ in shipped_packs(detector):
        for rule in pack.rules:
            found = sources.of([piece(metric, f"{rule.id}@{rule.version}")])[f"{rule.id}@{rule.version}"]
            assert found.source == (rule.source or pack.sources.get(rule.label) or pack.source) != ""
            assert found.version == rule.version


def test_rules_that_are_made_from_a_pack_have_its_source(summary):
    sources = RuleSources(summary)
    compliance = shipped_packs("finance.compliance")[0][0]
    rule = f"{compliance.rules[0].id}.forbidden"
    found = sources.of([
        piece("m4_compliance", rule), piece("m1_context_continuity", "finance.constraints.max_drawdown.within"),
        piece("m2_profile_accuracy", "finance.profile.snapshot.risk_level@1.0.0"),
        piece("m3_risk_coverage", "literal.risk.volatility_risk"),
        piece("reply_state", "reply_state.echo"), piece("m1b_reply_key_use", "key_use.value"),
        piece("m1_context_continuity", "memory.presence@1.0.0"),
        piece("m5_explainability", "ko.rubric.comparison.table"),
        piece("m5_explainability", "rubric.own_words"), piece("m3_risk_coverage", "risk.own-words@1.0.0"),
        piece("m4_compliance", "finance.compliance.listed_phrase.forbidden"),
    ])  # fmt: skip
    assert len(found) == 11
    assert found["ko.rubric.comparison.table"].jurisdiction == "KR"
    assert all(source.source for source in found.values())


def test_a_users_rule_has_the_users_source(summary, tmp_path):
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    sources = RuleSources(summary, [tmp_path / "own.yaml"])
    found = sources.of([piece("m3_risk_coverage", "house.swings")])["house.swings"]
    assert (found.pack, found.source, found.jurisdiction) == ("house.risk", "house rule 7", "HK")
    (tmp_path / "own.yaml").write_text("pack: 7\n", encoding="utf-8")
    with pytest.raises(PackError):
        RuleSources(summary, [tmp_path / "own.yaml"])


def test_a_pack_that_is_not_the_one_of_the_scoring_is_told(summary):
    rule = "literal.risk.volatility_risk"
    assert RuleSources(summary).of([piece("m3_risk_coverage", rule)])[rule].as_scored
    signature = msgspec.structs.replace(summary.signature, packs={"finance.literal@0.9.0": "0" * 16})
    other = msgspec.structs.replace(summary, signature=signature)
    assert not RuleSources(other).of([piece("m3_risk_coverage", rule)])[rule].as_scored


def test_every_rule_of_the_recorded_runs_has_a_source(shipped_run, tmp_path):
    for run in ("careful", "hasty"):
        folder = shipped_run(run, tmp_path / run)
        sources = RuleSources(gather(folder).summary)
        lines = (folder / "evidence.jsonl").read_bytes().splitlines()
        evidence = [msgspec.json.decode(line, type=Evidence) for line in lines]
        found = sources.of(evidence)
        assert {piece.rule for piece in evidence} == set(found)
        assert all(source.source for source in found.values())


@pytest.mark.parametrize("run", ["agent", "llm", "rag"])
def test_every_rule_of_the_other_suites_has_a_source_too(shipped_run, tmp_path, run):
    folder = shipped_run(run, tmp_path / "run")
    data = gather(folder)
    lines = (folder / "evidence.jsonl").read_bytes().splitlines()
    evidence = [msgspec.json.decode(line, type=Evidence) for line in lines]
    found = RuleSources(data.summary).of(evidence)
    assert {piece.rule for piece in evidence} == set(found)
    assert all(source.source and source.as_scored for source in found.values())
    if run == "agent":
        assert found["clinical.elements.en.weekly_plan.specific"].source == "SMART goals (Doran 1981)"
        assert "ACSM" in found["clinical.elements.en.duration.specific"].source
