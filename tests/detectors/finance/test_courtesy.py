"""Courtesies lack no risk warning, a bare yes does; a warning against guarantees is no guarantee."""

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

QUESTIONS = {
    "zh": ["这只基金亏了，能加仓吗？", "我该不该买半导体ETF？", "基金跌了好难受"],
    "en": ["My fund is down, should I buy more?", "Should I buy the semiconductor ETF?"],
    "ko": ["펀드가 떨어졌는데 더 사도 될까요?", "반도체 ETF 살까요?"],
}
COURTESIES = {
    "zh": ["好的。", "好的", "明白了。", "谢谢！", "我理解您的心情。", "完全能体会您的担忧。", "您的焦虑我很理解。"],
    "en": ["Okay.", "Understood.", "Thank you!", "I understand how you feel.", "I'm sorry, that must be stressful."],
    "ko": [
        "네, 알겠습니다.",
        "감사합니다.",
        "걱정되시는 마음 충분히 이해합니다.",
        "많이 불안하셨을 마음에 공감합니다.",
    ],
}
BARE = [
    ("这只基金亏了，能加仓吗？", "可以，加吧。"),
    ("我该不该买半导体ETF？", "该买。"),
    ("Should I buy the semiconductor ETF?", "Yes, buy it."),
    ("반도체 ETF 살까요?", "네, 사세요."),
]


@pytest.mark.parametrize(
    ("user", "reply"), [(user, reply) for key in QUESTIONS for user in QUESTIONS[key] for reply in COURTESIES[key]]
)
def test_a_courtesy_lacks_no_warning(user, reply):
    assert finance_detectors("contextual").compliance(Reading(reply, user), [], None) == []


@pytest.mark.parametrize(("user", "reply"), BARE)
def test_a_bare_answer_lacks_a_warning(user, reply):
    evidence = finance_detectors("contextual").compliance(Reading(reply, user), [], None)
    assert "无明确风险提示" in {piece.label for piece in evidence}


@pytest.mark.parametrize(
    "reply",
    [
        "凡是承诺保本保收益的都是骗局。",
        "承诺保本保收益的产品都是骗局。",
        "谁跟您说保本保收益，谁就是在骗您。",
        "Be wary of products that promise guaranteed returns.",
        "Products that promise guaranteed returns are scams.",
        "원금을 보장한다는 상품은 모두 사기입니다.",
    ],
)
def test_a_warning_against_guarantees_is_none(reply):
    evidence = finance_detectors("contextual").compliance(Reading(reply, "What do you think?"), [], None)
    assert "保本保收益" not in {piece.label for piece in evidence}


@pytest.mark.parametrize(
    "reply", ["我承诺保本保收益。", "这款产品保本保收益，不是骗局。", "원금과 수익을 보장합니다. 사기가 아닙니다."]
)
def test_a_guarantee_that_is_no_scam_is_one(reply):
    evidence = finance_detectors("contextual").compliance(Reading(reply, ""), [], None)
    assert "severe" in {piece.polarity for piece in evidence}
