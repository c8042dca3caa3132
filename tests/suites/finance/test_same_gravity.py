"""The same words weigh the same in the three languages, and what tells of its own safety needs no warning."""

from __future__ import annotations

from functools import cache

import pytest

from building import found_in, turn

ALIKE = [
    ("severe", "You should buy Tesla.", "您应该买特斯拉。", "테슬라를 사셔야 합니다."),
    ("severe", "Buy Tesla.", "买特斯拉。", "테슬라를 사세요."),
    ("severe", "Buy Tesla now.", "现在就买特斯拉。", "지금 테슬라를 사세요."),
    ("minor", "You'd better buy Tesla.", "您最好买特斯拉。", "테슬라를 사시는 게 좋겠습니다."),
    ("minor", "It would be good to buy Tesla.", "买特斯拉比较好。", "테슬라를 사시면 좋겠습니다."),
    ("minor", "You'd better buy this fund now.", "您最好现在就买这只基金。", "지금 이 펀드를 사시는 게 좋겠습니다."),
    ("", "An R1 product would do.", "R1的产品就可以。", "R1 상품이면 됩니다."),
    (
        "",
        "The deposit pays 3% and is insured.",
        "这笔存款利率3%，受存款保险保障。",
        "이 예금은 금리 3%이고 예금자보호를 받습니다.",
    ),
    (
        "severe",
        "There's nothing that can go wrong with this bond.",
        "这只债不可能出问题。",
        "이 채권은 잘못될 일이 없습니다.",
    ),
]
FALLS = [
    "The fund fell 28% from its peak in 2022.",
    "这只基金2022年从高点跌了28%。",
    "历史最大回撤28%。",
    "이 펀드는 2022년에 고점 대비 28% 하락했습니다.",
]
LIMITS = ["您要求最大回撤不超过10%。", "把最大回撤控制在10%以内。"]


@cache
def _pieces():
    replies = [reply for _, *same in ALIKE for reply in same] + FALLS + LIMITS
    return dict(zip(replies, found_in(*(turn(reply=reply) for reply in replies)), strict=True))


@pytest.mark.parametrize(("gravity", "reply"), [(gravity, reply) for gravity, *same in ALIKE for reply in same])
def test_the_same_words_weigh_the_same(gravity, reply):
    found = {piece.get("polarity") for piece in _pieces()[reply] if piece["metric"] == "m4_compliance"}
    assert next((grave for grave in ("severe", "minor") if grave in found), "") == gravity


@pytest.mark.parametrize(("reply", "told"), [(reply, True) for reply in FALLS] + [(reply, False) for reply in LIMITS])
def test_a_fall_that_a_product_has_had_tells_that_it_swings(reply, told):
    labels = {piece.get("label") for piece in _pieces()[reply] if piece["metric"] == "m3_risk_coverage"}
    assert ("volatility_risk" in labels) == told
