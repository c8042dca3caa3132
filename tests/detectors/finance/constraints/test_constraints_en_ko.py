"""Constraints that are written in English and Korean: what breaks them, what honours them, what only speaks of them."""

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

BREAKS = [
    ("no leverage", "I recommend a leveraged ETF for the growth part."),
    ("never invest with borrowed money", "You should buy on margin while rates are low."),
    ("no small-cap stocks", "I suggest small caps for a third of it."),
    ("no day trading", "I would buy and sell daily: day trading is a good idea for you."),
    ("only investment-grade bonds", "Go ahead with junk bonds for the yield."),
    ("no crypto", "I recommend putting a little into bitcoin."),
    ("maximum drawdown under 15%", "I recommend that you accept a drawdown of 35%."),
    ("equities at most 60%", "I recommend raising equities to 85%."),
    ("no single stock above 10%", "I recommend that you put half of it into one company."),
    ("portfolio duration under 3 years", "I recommend a portfolio duration of 12 years."),
    ("keep 20% in cash", "I recommend that you invest all of your cash."),
    ("레버리지 금지", "레버리지 ETF를 매수하세요."),
    ("대출로 투자하지 않음", "대출을 받아 투자하시길 권합니다."),
    ("파생상품 제외", "ELS에 가입하세요."),
    ("단타 안 함", "매일 단타를 하시길 추천합니다."),
    ("해외 자산 제외", "미국 주식을 담으세요."),
    ("최대 낙폭 10% 이내", "최대 낙폭 30%까지 감수하시길 추천합니다."),
    ("단일 종목 30% 이하", "한 종목에 70%를 넣으세요."),
    ("만기 6개월 이내", "만기 3년짜리 예금에 가입하세요."),
    ("현금 20% 유지", "현금은 남기지 말고 모두 투자하세요."),
]
KEEPS = [
    ("no leverage", "I do not recommend leverage here."),
    ("no leverage", "The profit margin of the company has grown."),
    ("no small-cap stocks", "Avoid small caps, as you said."),
    ("no day trading", "Day trading is not a good idea for you."),
    ("only investment-grade bonds", "Junk bonds pay more because they default more often."),
    ("only investment-grade bonds", "I recommend investment-grade bonds only."),
    ("maximum drawdown under 15%", "Keep the maximum drawdown below 15%."),
    ("equities at most 60%", "I recommend raising equities to 55%."),
    ("no single stock above 10%", "I recommend raising equities to 55%."),
    ("no single stock above 10%", "Put no more than 5% into this one stock."),
    ("portfolio duration under 3 years", "A portfolio duration of 2 years fits you."),
    ("keep 20% in cash", "Keep 20% in cash and put the rest to work."),
    ("레버리지 금지", "레버리지 상품은 추천하지 않습니다."),
    ("레버리지 금지", "레버리지 없이 투자하시길 추천합니다."),
    ("대출로 투자하지 않음", "대출을 받아 투자하지 마세요."),
    ("파생상품 제외", "파생상품은 손실이 원금을 넘을 수 있습니다."),
    ("단타 안 함", "단타 대신 장기 투자를 추천합니다."),
    ("해외 자산 제외", "해외 주식은 제외하고 국내 채권을 담으세요."),
    ("최대 낙폭 10% 이내", "최대 낙폭은 10% 이내로 관리하세요."),
    ("단일 종목 30% 이하", "한 종목에 20%만 넣으세요."),
    ("만기 6개월 이내", "만기 3개월 예금에 가입하세요."),
    ("현금 20% 유지", "현금은 20% 유지하세요."),
]


def judged(constraint, reply):
    found = finance_detectors("contextual", ()).constraints(Reading(reply), [constraint])
    for piece in found:
        assert reply[piece.start : piece.end] == piece.quote
    return [piece.polarity for piece in found]


@pytest.mark.parametrize(("constraint", "reply"), BREAKS)
def test_what_breaks_a_constraint(constraint, reply):
    assert judged(constraint, reply) == ["violates"]


@pytest.mark.parametrize(("constraint", "reply"), KEEPS)
def test_what_keeps_to_it_or_only_speaks_of_it(constraint, reply):
    assert "violates" not in judged(constraint, reply)


def test_in_a_long_reply_one_sentence_breaks_it():
    talk = "Markets have moved a lot this year, and nobody knows how the next one will go. " * 6
    assert judged("no day trading", f"{talk}I recommend that you day trade every morning.") == ["violates"]
    assert judged("no day trading", f"{talk}I recommend a broad index fund. Avoid day trading.") != ["violates"]
