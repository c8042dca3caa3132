"""Constraint contradiction in Chinese: minimal pairs, kinds of constraints, evidence."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.constraints.detector import ConstraintDetector
from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.evidence import Evidence

PAIRS = Path(__file__).parents[1] / "data" / "constraint_pairs_zh.tsv"

KINDS = [
    ("不做短线交易", "short_term_trading", None),
    ("不使用杠杆", "leverage", None),
    ("不借钱投资", "leverage", None),
    ("不使用融资融券", "margin_trading", None),
    ("不参与两融", "margin_trading", None),
    ("最大回撤<10%", "max_drawdown", 10.0),
    ("最大回撤<１５％", "max_drawdown", 15.0),
    ("最大回撤不超过8%", "max_drawdown", 8.0),
    ("回撤控制在12%以内", "max_drawdown", 12.0),
    ("最多亏一成", "max_drawdown", 10.0),
    ("单一资产仓位不超过30%", "single_asset_ceiling", 30.0),
    ("权益类总仓位不超过60%", "equity_ceiling", 60.0),
    ("權益類總倉位不超過六成", "equity_ceiling", 60.0),
    ("股票仓位不高于百分之四十", "equity_ceiling", 40.0),
    ("保留20%现金应急", "cash_floor", 20.0),
    ("至少留三成现金", "cash_floor", 30.0),
    ("留足应急金", "cash_floor", 20.0),
    ("不接受高波动策略", "high_volatility", None),
    ("不买ST及*ST股票", "st_stocks", None),
    ("不买单一小盘股", "small_caps", None),
    ("不参与题材炒作", "theme_speculation", None),
    ("不追高", "chasing_highs", None),
    ("回避高估值成长股", "growth_valuation", None),
    ("仅考虑公募基金", "public_funds_only", None),
    ("不投分级基金", "structured_funds", None),
    ("优先低费率基金", "low_fees", None),
    ("单只基金仓位不超过20%", "single_fund_ceiling", 20.0),
    ("仅投高等级信用债", "high_grade_only", None),
    ("不投低评级信用债", "low_rated_bonds", None),
    ("组合久期控制在3年以内", "duration_ceiling", 3.0),
    ("组合久期不超过18个月", "duration_ceiling", 1.5),
    ("不配置可转债", "convertible_bonds", None),
    ("债券资产以利率债和高等级信用债为主", "high_grade_mostly", None),
    ("不投海外市场", "overseas", None),
    ("不参与场外配资", "private_margin", None),
    ("无明确约束", "no_stated_constraint", None),
    ("不投红酒和邮票", "unknown_ban", None),
    ("黄金仓位不超过10%", "unknown_limit", 10.0),
]


@functools.cache
def detector() -> ConstraintDetector:
    return ConstraintDetector(rule_packs("finance.constraints")[0])


def detect(constraint: str, reply: str, question: str = "") -> list[Evidence]:
    return detector().detect(Reading(reply, question), [constraint])


def said(constraint: str, reply: str, question: str = "") -> str:
    found = detect(constraint, reply, question)
    return found[0].polarity if found else "silent"


def pairs() -> list[object]:
    rows = []
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        constraint, question, reply, label, *missed = line.split("\t")
        mark = pytest.mark.xfail(reason="known miss", strict=True) if missed else ()
        rows.append(pytest.param(constraint, question, reply.replace("\\n", "\n"), label, marks=mark))
    return rows


@pytest.mark.parametrize(("constraint", "question", "reply", "label"), pairs())
def test_minimal_pair(constraint: str, question: str, reply: str, label: str) -> None:
    assert said(constraint, reply, question) == label


@pytest.mark.parametrize(("constraint", "kind", "value"), KINDS)
def test_constraint_is_understood(constraint: str, kind: str, value: float | None) -> None:
    asked = ConstraintKinds(rule_packs("finance.constraints")[0]).understand(constraint)
    assert asked is not None
    assert (asked.kind.id, asked.value) == (kind, value)


def test_words_that_ask_nothing_are_not_understood() -> None:
    assert ConstraintKinds(rule_packs("finance.constraints")[0]).understand("稳健") is None


def test_evidence_quotes_the_reply_in_its_own_spelling() -> None:
    reply = "您放心，轉債基金拿一成半就好，進可攻退可守。"
    (found,) = detect("不配置可转债", reply, "轉債？")
    assert found.polarity == "violates"
    assert reply[found.start : found.end] == found.quote
    assert "轉債" in found.quote
    assert found.metric == "m1_context_continuity"
    assert found.label == "不配置可转债"
    assert found.rule.startswith("finance.constraints.convertible_bonds.")


def test_a_breach_wins_over_a_later_disclaimer() -> None:
    reply = "这个位置就加一倍杠杆，满仓干。风险提示：杠杆会放大亏损，请谨慎，以上不构成投资建议。"
    assert said("不使用杠杆", reply) == "violates"


def test_what_is_said_to_others_breaks_nothing() -> None:
    assert said("不使用杠杆", "激进型投资者可以加一点杠杆。") != "violates"


def test_each_constraint_is_judged_apart() -> None:
    reply = "A股指数45%、港股高息25%、国债30%，分两个月买完。"
    found = detector().detect(Reading(reply), ["权益类总仓位不超过60%", "不投海外市场", "不配置可转债"])
    assert {one.label: one.polarity for one in found} == {
        "权益类总仓位不超过60%": "violates",
        "不投海外市场": "violates",
    }


def test_an_unknown_ban_is_judged_by_its_own_words() -> None:
    assert said("不投红酒和邮票", "邮票行情来了，可以买一点邮票。") == "violates"
    assert said("不投红酒和邮票", "邮票流动性差，别碰。") == "respects"
    assert said("不投红酒和邮票", "国债更适合您。") == "silent"


@pytest.mark.parametrize("reply", ["", " \n", "😎", "|---|---|"])
def test_a_reply_without_words_is_silent(reply: str) -> None:
    assert said("不使用杠杆", reply) == "silent"
    assert said("最大回撤<10%", reply) == "silent"
