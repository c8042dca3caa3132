"""Several limits in one text: each is held to where all are limits by themselves, and cells are read the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.constraints.kinds import ConstraintKinds
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.packs.rule_packs import rule_packs
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

DETECTORS = finance_detectors("contextual")


def said(constraint: str, reply: str) -> str:
    found = DETECTORS.constraints(Reading(reply, ""), [constraint])
    assert all(piece.label == constraint for piece in found)
    assert len(found) <= 1
    return str(found[0].polarity) if found else ""


@pytest.mark.parametrize(
    ("constraint", "replies"),
    [
        ("No crypto, no more than 30% in stocks", ["Buy some bitcoin.", "Put 60% into stocks."]),
        ("No crypto. No more than 30% in stocks.", ["Buy some bitcoin.", "Put 60% into stocks."]),
        ("No more than 30% in stocks and no crypto", ["Buy some bitcoin.", "Put 60% into stocks."]),
        ("No more than 30% in stocks or funds, and no crypto", ["Buy some bitcoin.", "Put 60% into stocks."]),
        ("No crypto and no options", ["Buy some bitcoin.", "You should buy call options."]),
        ("不买股票，不用杠杆", ["可以买一点股票。", "可以加杠杆买入。"]),
        ("单一行业不超过20%且不买虚拟货币", ["白酒行业可以配到50%。", "您可以买一点比特币。"]),
        ("코인 금지, 주식은 30% 이하", ["비트코인을 조금 사세요.", "주식 비중을 60%로 늘리세요."]),
    ],
)
def test_each_of_several_limits_is_held_to(constraint: str, replies: list[str]) -> None:
    assert [said(constraint, reply) for reply in replies] == ["violates"] * len(replies)
    assert DETECTORS.unread(constraint) is None


@pytest.mark.parametrize(
    ("constraint", "reply"),
    [
        ("No crypto, no more than 30% in stocks", "Keep stocks at a quarter and leave crypto out."),
        ("stocks, no more than 30%", "Put 20% into stocks."),
        ("10% in crypto, no leverage", "Put 10% into bitcoin."),
        ("At most $10,000 in one fund, no leverage", "Put $8,000 into this fund."),
        ("不买股票，除了不超过10%的指数基金", "指数基金放5%。"),
        ("최대 손실 10% 이내", "손실이 크지 않은 예금을 권합니다."),
    ],
)
def test_a_part_that_is_no_limit_by_itself_adds_none(constraint: str, reply: str) -> None:
    assert said(constraint, reply) != "violates"


@pytest.mark.parametrize(
    "constraint",
    [
        "No crypto, except bitcoin up to 5%", "No crypto. Except bitcoin up to 5%.", "No stocks, bonds, or options",
        "不买股票，除了不超过10%的指数基金", "不碰期货和期权", "주식 금지, 다만 배당주는 10% 이하",
        "no margin, no loans", "stocks, no more than 30%", "At most $10,000 in one fund",
    ],
)  # fmt: skip
def test_a_limit_with_its_exception_list_or_other_name_is_one(constraint: str) -> None:
    assert len(ConstraintKinds(rule_packs("finance.constraints")[0]).all_of(constraint)) == 1


def test_a_cell_of_two_sentences_holds_replies_to_both(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    rows = [
        "a,How should I start?,Put 60% into stocks.,No crypto. No more than 30% in stocks.",
        'b,How should I start?,Put 60% into stocks.,"No crypto, no more than 30% in stocks"',
        "c,How should I start?,Buy some bitcoin.,No crypto. No more than 30% in stocks.",
        "d,How should I start?,Put 20% into stocks.,No crypto. No more than 30% in stocks.",
    ]
    table.write_text("\n".join(["session_id,question,answer,limits", *rows, ""]), encoding="utf-8")
    score(ScoreRequest((table,), tmp_path / "run"))
    rows_read = (tmp_path / "run" / "turn_eval.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(row)["constraint_contradiction"] for row in rows_read] == [1, 1, 1, 0]
