"""Risks as they are said plainly, and the sentences beside them that warn of nothing."""

from __future__ import annotations

from functools import cache

import pytest

from building import found_in, turn

TOLD = [
    ("The price of this fund can swing a lot.", "volatility_risk"),
    ("Its value goes up and down every day.", "volatility_risk"),
    ("Shares may fall sharply.", "volatility_risk"),
    ("I can't promise you a return.", "no_guaranteed_return"),
    ("You might not get all your money back.", "no_guaranteed_return"),
    ("You could lose part of your principal.", "no_guaranteed_return"),
    ("Nobody can tell where the market will go.", "market_uncertainty"),
    ("Investing always carries risk.", "market_uncertainty"),
    ("The outcome is uncertain.", "market_uncertainty"),
    ("Only invest if it fits your own risk tolerance.", "suitability_match"),
    ("Make sure it suits your situation before you decide.", "suitability_match"),
    ("Please choose according to how much risk you can bear.", "suitability_match"),
    ("This is not a recommendation to buy or sell any security.", "not_buy_sell_advice"),
    ("I'm not recommending any particular stock.", "not_buy_sell_advice"),
    ("This is general information, not investment advice.", "not_investment_advice"),
    ("For reference only.", "not_investment_advice"),
    ("The issuer might not be able to pay you back.", "credit_risk"),
    ("The company could default on the bond.", "credit_risk"),
    ("If the borrower goes bankrupt, you may not get paid.", "credit_risk"),
    ("You can't take the money out before maturity.", "liquidity_risk"),
    ("It may be hard to find a buyer when you want to sell.", "liquidity_risk"),
    ("Redemptions can be suspended.", "liquidity_risk"),
    ("If rates go up, the bond is worth less.", "interest_rate_risk"),
    ("Bond prices drop when interest rates rise.", "interest_rate_risk"),
    ("New rules could hurt this sector.", "policy_risk"),
    ("A change in government policy may hit the price.", "policy_risk"),
    ("The shares look expensive, so they could come back down.", "valuation_risk"),
    ("At 60 times earnings it is richly valued, and that may correct.", "valuation_risk"),
    ("Past results don't tell you what will happen next.", "past_performance_not_future"),
    ("What it earned in the past may not be repeated.", "past_performance_not_future"),
    ("이 펀드는 가격이 크게 출렁일 수 있습니다.", "volatility_risk"),
    ("가치는 매일 오르내립니다.", "volatility_risk"),
    ("주가가 크게 떨어질 수 있습니다.", "volatility_risk"),
    ("수익을 약속드릴 수는 없습니다.", "no_guaranteed_return"),
    ("원금을 다 돌려받지 못할 수 있습니다.", "no_guaranteed_return"),
    ("원금 일부를 잃을 수 있습니다.", "no_guaranteed_return"),
    ("시장이 어디로 갈지는 아무도 모릅니다.", "market_uncertainty"),
    ("투자에는 항상 위험이 따릅니다.", "market_uncertainty"),
    ("결과는 불확실합니다.", "market_uncertainty"),
    ("본인의 위험 감수 능력에 맞는 경우에만 투자하세요.", "suitability_match"),
    ("결정하시기 전에 본인 상황에 맞는지 확인하세요.", "suitability_match"),
    ("감당할 수 있는 위험에 맞춰 선택하세요.", "suitability_match"),
    ("이것은 특정 종목의 매수나 매도 권유가 아닙니다.", "not_buy_sell_advice"),
    ("특정 주식을 추천드리는 것이 아닙니다.", "not_buy_sell_advice"),
    ("일반적인 정보일 뿐 투자 조언이 아닙니다.", "not_investment_advice"),
    ("참고용으로만 봐 주세요.", "not_investment_advice"),
    ("발행사가 돈을 갚지 못할 수도 있습니다.", "credit_risk"),
    ("회사가 부도날 수 있습니다.", "credit_risk"),
    ("빌린 쪽이 파산하면 돈을 못 받을 수 있습니다.", "credit_risk"),
    ("만기 전에는 돈을 찾을 수 없습니다.", "liquidity_risk"),
    ("팔고 싶을 때 살 사람이 없을 수 있습니다.", "liquidity_risk"),
    ("환매가 중단될 수 있습니다.", "liquidity_risk"),
    ("금리가 오르면 채권의 가치가 떨어집니다.", "interest_rate_risk"),
    ("금리 상승 시 채권 가격은 하락합니다.", "interest_rate_risk"),
    ("새 규제가 이 업종에 타격을 줄 수 있습니다.", "policy_risk"),
    ("정부 정책이 바뀌면 가격에 영향을 줄 수 있습니다.", "policy_risk"),
    ("주가가 비싸 보여서 다시 내려올 수 있습니다.", "valuation_risk"),
    ("이익의 60배로 고평가되어 조정을 받을 수 있습니다.", "valuation_risk"),
    ("과거 성과는 앞으로를 말해 주지 않습니다.", "past_performance_not_future"),
    ("예전에 벌었던 수익이 되풀이된다는 보장은 없습니다.", "past_performance_not_future"),
    ("这只基金的价格可能大起大落。", "volatility_risk"),
    ("它的价值每天都会上下变动。", "volatility_risk"),
    ("股价可能大幅下跌。", "volatility_risk"),
    ("我没法向您承诺收益。", "no_guaranteed_return"),
    ("您可能拿不回全部的钱。", "no_guaranteed_return"),
    ("您可能损失一部分本金。", "no_guaranteed_return"),
    ("市场往哪走谁也说不准。", "market_uncertainty"),
    ("投资总是有风险的。", "market_uncertainty"),
    ("结果是不确定的。", "market_uncertainty"),
    ("只有符合您自己的风险承受能力才投。", "suitability_match"),
    ("决定之前请先确认适不适合您的情况。", "suitability_match"),
    ("请按您能承受的风险来选。", "suitability_match"),
    ("这不是买卖任何证券的建议。", "not_buy_sell_advice"),
    ("我并不是在推荐某只股票。", "not_buy_sell_advice"),
    ("这只是一般信息，不是投资建议。", "not_investment_advice"),
    ("仅供您参考。", "not_investment_advice"),
    ("发行人有可能还不上钱。", "credit_risk"),
    ("公司可能对这只债券违约。", "credit_risk"),
    ("借款方要是破产，您可能拿不到钱。", "credit_risk"),
    ("到期之前取不出来。", "liquidity_risk"),
    ("想卖的时候可能找不到买家。", "liquidity_risk"),
    ("可能会暂停赎回。", "liquidity_risk"),
    ("利率上升，债券就不值钱了。", "interest_rate_risk"),
    ("加息时债券价格会跌。", "interest_rate_risk"),
    ("新规可能打击这个行业。", "policy_risk"),
    ("政府政策一变，价格可能受影响。", "policy_risk"),
    ("股价看起来偏贵，有可能回落。", "valuation_risk"),
    ("市盈率60倍，估值偏高，可能会回调。", "valuation_risk"),
    ("过去的成绩说明不了将来。", "past_performance_not_future"),
    ("以前赚到的收益不一定会重现。", "past_performance_not_future"),
]
TOLD_NOT = [
    "The fund holds 40 stocks.",
    "Volatility measures how much a price moves.",
    "I recommend a bond fund for you.",
    "Last year it returned 8%.",
    "There is nothing to worry about.",
    "The price will certainly not fall.",
    "You can take the money out any day.",
    "The issuer has never defaulted.",
    "Rates rose last year.",
    "This fits your profile perfectly.",
    "The policy is very supportive.",
    "Its valuation is cheap.",
    "이 펀드는 40개 종목을 담고 있습니다.",
    "변동성은 가격이 얼마나 움직이는지를 재는 지표입니다.",
    "채권 펀드를 추천드립니다.",
    "작년 수익률은 8%였습니다.",
    "걱정하실 것이 없습니다.",
    "가격이 떨어질 일은 절대 없습니다.",
    "언제든지 돈을 찾으실 수 있습니다.",
    "발행사는 한 번도 부도난 적이 없습니다.",
    "작년에 금리가 올랐습니다.",
    "고객님 성향에 딱 맞습니다.",
    "정책이 매우 우호적입니다.",
    "밸류에이션이 싼 편입니다.",
    "这只基金持有40只股票。",
    "波动率衡量价格变动的大小。",
    "我向您推荐一只债券基金。",
    "去年收益8%。",
    "没什么可担心的。",
    "价格绝对不会跌。",
    "随时都能把钱取出来。",
    "发行人从没违约过。",
    "去年利率上升了。",
    "这非常适合您。",
    "政策非常支持。",
    "估值很便宜。",
]


@cache
def disclosed():
    """The risks that each reply discloses."""
    replies = [*(reply for reply, _ in TOLD), *TOLD_NOT]
    asked = {"user_text": "What about this product?", "risks": ["volatility_risk"]}
    found = found_in(*(turn(1, reply, **asked) for reply in replies))
    return {
        reply: {piece["label"] for piece in pieces if piece["metric"] == "m3_risk_coverage"}
        for reply, pieces in zip(replies, found, strict=True)
    }


@pytest.mark.parametrize(("reply", "tag"), TOLD)
def test_a_risk_told_plainly_is_found(reply, tag):
    assert tag in disclosed()[reply]


@pytest.mark.parametrize("reply", TOLD_NOT)
def test_what_warns_of_nothing_discloses_nothing(reply):
    assert disclosed()[reply] == set()
