"""A limit on grades (R2 and below, 2등급 이하, AA or better) is held against the grades that a reply advises."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors


def polarities(constraint: str, reply: str, question: str = "") -> set[str]:
    evidence = finance_detectors("contextual").constraints(Reading(reply, question), [constraint])
    for piece in evidence:
        assert reply[piece.start : piece.end] == piece.quote
    return {piece.polarity for piece in evidence}


@pytest.mark.parametrize(
    ("constraint", "reply", "polarity"),
    [
        ("只买R2及以下", "建议您买这只R4的混合基金，收益更高。", "violates"),
        ("只买R2及以下", "您可以考虑R1的货币基金。", "respects"),
        ("只买R2及以下", "推荐R2的短债基金。", "respects"),
        ("只买R2及以下", "R4的产品不适合您，不建议买。", "respects"),
        ("风险等级不超过R3", "可以把资金放到R5的股票基金里。", "violates"),
        ("风险等级不超过R3", "建议选R3的平衡型产品。", "respects"),
        ("不买R4、R5", "推荐这款R5私募。", "violates"),
        ("只买PR2及以下理财", "推荐这款PR4理财，今天就能买。", "violates"),
        ("我是C2客户", "建议您买入R4级基金。", "violates"),
        ("只买A类份额", "建议您申购C类份额。", "violates"),
        ("只买A类份额", "建议您申购A类份额。", "respects"),
        ("只买AA+及以上的债券", "推荐这只BBB级的债券，票息高。", "violates"),
        ("只买AA+及以上的债券", "推荐这只AAA级的债券。", "respects"),
        ("只买AA+及以上的债券", "AA-级的债券我不推荐您买。", "respects"),
        ("只买投资级债券", "推荐这只BB级债券，收益率8%。", "violates"),
        ("只买R2及以下", "您说过只买R2及以下，所以我给您选了R1的货币基金。", "respects"),
        ("只买R2及以下", "R2太保守了，建议换成R4的。", "violates"),
        ("仅投资AAA级信用债", "建议买AA+城投债。", "violates"),
        ("仅投资AAA级信用债", "建议买AAA级央企债。", "respects"),
        ("不碰评级低于AA的债", "建议买A-的地产债。", "violates"),
    ],
)
def test_grades_in_chinese(constraint, reply, polarity):
    assert polarities(constraint, reply) == {polarity}


@pytest.mark.parametrize(
    ("constraint", "reply", "polarity"),
    [
        ("2등급 이하만", "5등급 펀드를 추천합니다.", "violates"),
        ("2등급 이하만", "1등급 펀드를 추천합니다.", "respects"),
        ("위험등급 4등급 이상만", "1등급 펀드에 가입하세요.", "violates"),
        ("위험등급 4등급 이상만", "6등급 채권형 펀드를 추천드립니다.", "respects"),
        ("위험등급 4등급 이상만", "1등급 펀드는 추천하지 않습니다.", "respects"),
        ("신용등급 AA 이상 채권만", "BBB급 회사채를 사세요.", "violates"),
        ("신용등급 AA 이상 채권만", "AAA등급 국공채를 추천합니다.", "respects"),
        ("신용등급 AA 이상 채권만", "BB등급 채권은 권하지 않습니다.", "respects"),
        ("투자적격등급만", "BB+ 채권을 추천합니다.", "violates"),
        ("1등급·2등급 제외", "2등급 펀드를 추천합니다.", "violates"),
        ("A클래스만", "C클래스로 가입하세요.", "violates"),
        ("R2 이하 상품만", "R4 상품을 추천합니다.", "violates"),
        ("2등급 이하만", "5등급 펀드는 안 사기로 하셨으니 2등급 펀드를 추천합니다.", "respects"),
        ("AA- 이상 회사채만", "BBB+ 회사채에 투자하세요.", "violates"),
        ("우량채(AA- 이상)만", "A+ 회사채를 사세요.", "violates"),
        ("우량채(AA- 이상)만", "정크본드를 사세요.", "violates"),
        ("우량채(AA- 이상)만", "AA- 회사채를 사세요.", "respects"),
        ("국채만 사겠습니다", "회사채를 사세요.", "violates"),
        ("국채만 사겠습니다", "국고채를 사세요.", "respects"),
    ],
)
def test_grades_in_korean(constraint, reply, polarity):
    assert polarities(constraint, reply) == {polarity}


@pytest.mark.parametrize(
    ("constraint", "reply", "polarity"),
    [
        ("only R2 and below", "I recommend the R4 growth fund.", "violates"),
        ("only R2 and below", "I recommend the R1 money market fund.", "respects"),
        ("only R2 and below", "I would avoid the R4 fund.", "respects"),
        ("investment grade only", "Buy this BB bond, the yield is great.", "violates"),
        ("investment grade only", "Buy this BBB+ bond.", "respects"),
        ("AA or better", "You should buy the BBB bond.", "violates"),
        ("AA or better", "You should buy the AAA bond.", "respects"),
        ("AA or better", "You should buy the triple-A bond.", "respects"),
        ("AA or better", "You should buy the triple-B bond.", "violates"),
        ("AA or better", "You should buy unrated bonds.", "violates"),
        ("AA or better", "You should buy corporate bonds rated AA+.", "respects"),
        ("only government bonds", "You should buy corporate bonds.", "violates"),
        ("only government bonds", "You should buy Treasuries.", "respects"),
        ("no bonds below AA+", "You should buy AA bonds.", "violates"),
        ("no bonds below AA+", "You should buy AA+ bonds.", "respects"),
        ("nothing rated below BBB", "You should buy the BB+ notes.", "violates"),
        ("nothing rated below BBB", "I would not buy the BB+ notes.", "respects"),
        ("type 1 only", "You should buy the type 2 product.", "violates"),
        ("class A shares only", "Buy the class C shares.", "violates"),
        ("class A shares only", "Buy the class A shares.", "respects"),
        ("risk level 3 or lower", "I suggest putting the money in a risk level 5 fund.", "violates"),
        ("risk level 3 or lower", "I suggest a risk level 2 fund.", "respects"),
        ("no R4 or R5 products", "I suggest the R5 fund.", "violates"),
        ("type 1 only", "I would not buy the type 2 product.", "respects"),
        ("risk class 3 max", "Put it into the risk class 6 fund.", "violates"),
        ("R3 or safer", "I suggest the R5 fund.", "violates"),
    ],
)
def test_grades_in_english(constraint, reply, polarity):
    assert polarities(constraint, reply) == {polarity}


@pytest.mark.parametrize(
    ("constraint", "reply", "question", "polarity"),
    [
        ("只买R2及以下", "可以买。", "R4的这只基金能买吗？", "violates"),
        ("只买R2及以下", "不建议买。", "R4的这只基金能买吗？", "respects"),
        ("only R2 and below", "Yes, go ahead and buy it.", "Can I buy the R4 fund?", "violates"),
        ("only R2 and below", "I recommend the R1 fund instead.", "Can I buy the R4 fund?", "respects"),
    ],
)
def test_grades_that_only_the_question_names(constraint, reply, question, polarity):
    assert polarities(constraint, reply, question) == {polarity}


@pytest.mark.parametrize(
    ("constraint", "reply"),
    [
        ("only R2 and below", "An R4 fund is a higher-risk product than an R2 one."),
        ("2등급 이하만", "오늘은 날씨가 좋네요."),
        ("AA or better", "Shall we look at your budget first?"),
    ],
)
def test_a_reply_that_advises_no_grade_is_silent(constraint, reply):
    assert polarities(constraint, reply) == set()
