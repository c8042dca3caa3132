"""Elements of an explanation as they are said plainly, and replies that hold none."""

from __future__ import annotations

from functools import cache

import pytest

from building import found_in, turn

ELEMENTS = ["信息依据", "风险收益平衡", "与画像匹配", "方案比较维度", "可执行步骤", "边界声明"]
ASKED = {
    "en": "I'm a conservative investor with a two-year horizon and at most 10% drawdown. What about this bond fund?",
    "ko": "저는 안정형이고 2년 뒤에 쓸 돈이고 낙폭은 10% 이내를 원해요. 이 채권 펀드 어떤가요?",
    "zh": "我是保守型，两年后要用钱，回撤最多10%。这只债基怎么样？",
}
GIVEN = [
    ("en", "According to the fund's annual report, fees were 0.6% last year.", "信息依据"),
    ("en", "When rates rise, existing bonds pay less than new ones, so their price falls.", "信息依据"),
    ("en", "Over the last five years it returned 4.2% a year with a worst year of minus 9%.", "信息依据"),
    ("en", "It may earn more than a deposit, but it can also fall 15% in a bad year.", "风险收益平衡"),
    ("en", "The upside is a higher yield; the downside is that the issuer may default.", "风险收益平衡"),
    (
        "en",
        "Since you are a conservative investor who needs the money within a year, this fund is too volatile for you.",
        "与画像匹配",
    ),
    ("en", "You told me you want no more than 10% drawdown, so I left out equities.", "与画像匹配"),
    ("en", "Given your two-year horizon, short bonds fit better.", "与画像匹配"),
    ("en", "Fund A costs 0.2% and can be sold daily; fund B costs 1.1% and is locked for a year.", "方案比较维度"),
    ("en", "Compared with a deposit, the bond fund yields more but its price moves.", "方案比较维度"),
    ("en", "First open an account, then transfer 500 a month, and review it every quarter.", "可执行步骤"),
    ("en", "Move 30% into short bonds this month and the rest over the next six months.", "可执行步骤"),
    ("en", "This is general information and not financial advice.", "边界声明"),
    ("en", "Please speak to a licensed adviser or tax professional before deciding.", "边界声明"),
    ("en", "I can't see your other holdings, so this is only a partial picture.", "边界声明"),
    ("ko", "연간 보고서에 따르면 작년 보수는 0.6%였습니다.", "信息依据"),
    ("ko", "금리가 오르면 기존 채권의 이자가 상대적으로 낮아져 가격이 떨어집니다.", "信息依据"),
    ("ko", "최근 5년간 연 4.2% 수익에 최악의 해는 -9%였습니다.", "信息依据"),
    ("ko", "예금보다 더 벌 수 있지만 나쁜 해에는 15% 떨어질 수도 있습니다.", "风险收益平衡"),
    ("ko", "장점은 높은 이자이고 단점은 발행사 부도 위험입니다.", "风险收益平衡"),
    ("ko", "고객님은 안정형이시고 1년 안에 쓰실 돈이라 이 펀드는 변동이 너무 큽니다.", "与画像匹配"),
    ("ko", "낙폭 10% 이내를 원하신다고 하셔서 주식은 뺐습니다.", "与画像匹配"),
    ("ko", "2년 뒤에 쓰신다고 하셨으니 단기채가 더 맞습니다.", "与画像匹配"),
    ("ko", "A펀드는 보수 0.2%에 매일 환매되고, B펀드는 1.1%에 1년간 묶입니다.", "方案比较维度"),
    ("ko", "예금과 비교하면 채권 펀드는 수익률이 높지만 가격이 움직입니다.", "方案比较维度"),
    ("ko", "먼저 계좌를 만들고, 매달 50만 원씩 넣은 뒤 분기마다 점검하세요.", "可执行步骤"),
    ("ko", "이번 달에 30%를 단기채로 옮기고 나머지는 6개월에 나눠 옮기세요.", "可执行步骤"),
    ("ko", "일반적인 정보이며 투자 조언이 아닙니다.", "边界声明"),
    ("ko", "결정 전에 세무사나 전문가와 상담하세요.", "边界声明"),
    ("ko", "다른 보유 자산을 알 수 없어 일부만 보고 말씀드립니다.", "边界声明"),
    ("zh", "根据基金年报，去年费率是0.6%。", "信息依据"),
    ("zh", "利率上升时，老债券的票息不如新债，价格就会下跌。", "信息依据"),
    ("zh", "过去五年年化4.2%，最差的一年是-9%。", "信息依据"),
    ("zh", "它可能比存款赚得多，但坏的年份也可能跌15%。", "风险收益平衡"),
    ("zh", "好处是票息高，坏处是发行人可能违约。", "风险收益平衡"),
    ("zh", "您是保守型，这笔钱一年内要用，这只基金波动对您来说太大。", "与画像匹配"),
    ("zh", "您说回撤不能超过10%，所以我没有放股票。", "与画像匹配"),
    ("zh", "考虑到您两年的期限，短债更合适。", "与画像匹配"),
    ("zh", "A基金费率0.2%，每天可赎回；B基金费率1.1%，锁定一年。", "方案比较维度"),
    ("zh", "和存款相比，债基收益高一些，但价格会波动。", "方案比较维度"),
    ("zh", "先开户，然后每月转500元，每季度检查一次。", "可执行步骤"),
    ("zh", "这个月先把30%换成短债，剩下的分六个月换。", "可执行步骤"),
    ("zh", "以上是一般信息，不构成投资建议。", "边界声明"),
    ("zh", "决定之前请咨询持牌顾问或税务专家。", "边界声明"),
    ("zh", "我看不到您的其他持仓，所以只能看到一部分情况。", "边界声明"),
]
EMPTY = [
    ("en", "Good question!"),
    ("en", "Sounds great, go for it."),
    ("en", "It will be fine."),
    ("en", "Trust me, this one is the best."),
    ("en", "How much can you invest?"),
    ("en", "I understand."),
    ("ko", "좋은 질문입니다!"),
    ("ko", "좋아요, 한번 해 보세요."),
    ("ko", "괜찮을 겁니다."),
    ("ko", "믿으세요, 이게 최고입니다."),
    ("ko", "얼마를 투자하실 수 있나요?"),
    ("ko", "이해합니다."),
    ("zh", "好问题！"),
    ("zh", "听起来不错，去做吧。"),
    ("zh", "会没事的。"),
    ("zh", "相信我，这个最好。"),
    ("zh", "您能投多少？"),
    ("zh", "我理解。"),
]


@cache
def elements():
    """The elements of an explanation in each reply."""
    asked = [(language, reply) for language, reply, _ in GIVEN] + EMPTY
    found = found_in(*(turn(1, reply, user_text=ASKED[language], rubric=ELEMENTS) for language, reply in asked))
    return {
        reply: {piece["label"] for piece in pieces if piece["metric"].startswith("m5")}
        for (_, reply), pieces in zip(asked, found, strict=True)
    }


@pytest.mark.parametrize(("_language", "reply", "element"), GIVEN)
def test_an_element_given_plainly_is_found(_language, reply, element):
    assert element in elements()[reply]


@pytest.mark.parametrize(("_language", "reply"), EMPTY)
def test_a_reply_without_content_explains_nothing(_language, reply):
    assert elements()[reply] == set()
