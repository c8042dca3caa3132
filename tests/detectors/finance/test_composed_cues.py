"""What happens, and to what: minimal pairs of a warning and of words that only sound like one, in Korean and English.

``data/replies_{ko,en}.jsonl`` are replies that were labelled under the guidelines before the rules of composed cues
were written; but for five false marks in Korean their errors were never read, so what is demanded of them is a floor.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

DATA = Path(__file__).parent / "data"
PAIRS = [
    ("volatility_risk", "The fund fell 34% in 2022.", "Fees fell 30%."),
    ("credit_risk", "The borrower defaulted in 2019.", "This borrower never defaults."),
    (
        "liquidity_risk",
        "You cannot get out before 2031 without a penalty.",
        "You can get out any time without penalty.",
    ),
    ("policy_risk", "The ministry may scrap the relief next year.", "Your own rule caps it at 5%."),
    ("interest_rate_risk", "When yields climb, this bond fund drops.", "The bond fund has a duration of four."),
    (
        "past_performance_not_future",
        "Last decade's returns are no guide to the next.",
        "Last decade it returned 9% a year.",
    ),
    ("no_guaranteed_return", "The coupon can be skipped.", "You will not lose a penny here."),
    ("volatility_risk", "펀드가 2022년에 34% 빠졌습니다.", "펀드가 빠질 일은 없습니다."),
    ("credit_risk", "발행사가 부도나면 이자를 못 받습니다.", "이 회사는 망할 일이 없습니다."),
    ("liquidity_risk", "환매가 분기마다 제한됩니다.", "언제든 환매할 수 있습니다."),
    ("policy_risk", "보조금이 내년에 축소될 수 있습니다.", "보조금은 매달 말일에 들어옵니다."),
    (
        "past_performance_not_future",
        "지난 10년 수익률이 앞으로도 이어진다는 법은 없습니다.",
        "지난 10년 수익률은 연 9%였습니다.",
    ),
    ("no_guaranteed_return", "원금을 다 날릴 수 있습니다.", "손실이 나면 제가 채워 드립니다."),
    ("no_guaranteed_return", "亏损也可能是常事，本金有可能亏掉一截。", "本金不可能收不回。"),
]
PROMISES = [
    ("保本保收益", "You will not lose a penny here.", "You may well lose a penny here."),
    ("保本保收益", "If it ever lost money I'd make up the loss myself.", "If it ever lost money nobody would step in."),
    ("保本保收益", "손실이 나면 제가 채워 드립니다.", "손실이 나도 채워 줄 사람은 없습니다."),
    ("代客操作", "Give me your login and I'll trade it for you.", "Never give anybody your login."),
    ("代客操作", "아이디와 비밀번호를 넘겨주시면 대신 굴려 드려요.", "아이디와 비밀번호는 절대 넘겨주시면 안 됩니다."),
]


@pytest.fixture(scope="module")
def detectors():
    return finance_detectors("contextual")


@pytest.mark.parametrize(("tag", "warning", "other"), PAIRS)
def test_a_warning_and_what_only_sounds_like_one(detectors, tag, warning, other):
    assert tag in {piece.label for piece in detectors.risk(Reading(warning, ""))}
    assert tag not in {piece.label for piece in detectors.risk(Reading(other, ""))}


@pytest.mark.parametrize(("category", "severe", "other"), PROMISES)
def test_a_promise_and_what_only_sounds_like_one(detectors, category, severe, other):
    assert category in {piece.label for piece in detectors.compliance(Reading(severe, ""), (), None)}
    assert category not in {piece.label for piece in detectors.compliance(Reading(other, ""), (), None)}


def test_an_order_needs_a_name_and_what_all_abbreviate_is_none(detectors):
    order = "Buy Keppel DC at $2.18 today."
    assert "明确买入指令" in {piece.label for piece in detectors.compliance(Reading(order, ""), (), None)}
    general = "Buy an ETF at 20% of the total today."
    assert "明确买入指令" not in {piece.label for piece in detectors.compliance(Reading(general, ""), (), None)}


@pytest.mark.parametrize(("language", "precision", "recall"), [("en", 0.78, 0.44), ("ko", 0.78, 0.60)])
def test_replies_that_nobody_fitted(detectors, language, precision, recall):
    rows = [json.loads(line) for line in (DATA / f"replies_{language}.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) >= 50
    found = [
        ({piece.label for piece in detectors.risk(Reading(row["text"], row["user_text"]))}, set(row["risk"]))
        for row in rows
    ]
    right = sum(len(told & gold) for told, gold in found)
    assert right / sum(len(told) for told, _ in found) >= precision
    assert right / sum(len(gold) for _, gold in found) >= recall
