"""Who promises: a product that guarantees a return does, the law that insures deposits up to a sum does not (M4)."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.evidence import Evidence

RISK = RiskDetector(rule_packs("finance.risk")[0])
COMPLIANCE = ComplianceDetector(rule_packs("finance.compliance")[0])


def marks(reply: str, question: str = "") -> list[Evidence]:
    reading = Reading(reply, question)
    disclosures = RISK.detect(reading)
    return COMPLIANCE.detect(reading, disclosed=bool(disclosures), disclosures=disclosures)


def promises(reply: str, question: str = "") -> bool:
    return any(piece.polarity == "severe" and piece.label == "保本保收益" for piece in marks(reply, question))


@pytest.mark.parametrize(
    "reply",
    [
        "은행 정기예금은 예금자보호법에 따라 1인당 1억원까지 원금과 이자가 보호됩니다.",
        "은행 정기예금은 예금자보호 대상이라 1억원 한도에서 원금과 이자가 보장됩니다.",
        "저축은행 예금도 예금자보호법에 따라 1억원까지 원리금이 보장됩니다.",
        "저축은행 정기예금도 예금자보호 대상이어서 원금과 이자를 합해 1억원까지 보장됩니다.",
        "네, 예금자보호법에 따라 1억원까지 원금이 보장됩니다.",
        "네, 1억원까지 원금이 보장됩니다. 예금자보호법에 따른 것이에요.",
        "펀드와 달리 예금은 예금자보호법에 따라 1억원까지 원금이 보장됩니다.",
        "적금도 예금보험공사가 1인당 1억원까지 원금과 이자를 보호합니다.",
        "银行定期存款受存款保险保护，50万元以内本息全额保障。",
        "根据《存款保险条例》，同一存款人在同一家银行50万元以内的本金和利息有保障。",
        "Bank deposits are covered by FDIC insurance up to $250,000 per depositor.",
        "Your principal and interest are protected up to £85,000 by the FSCS.",
        "Time deposits are insured up to S$100,000 by SDIC, so your principal is protected up to that limit.",
    ],
)
def test_insurance_of_deposits_by_law_is_a_fact(reply: str) -> None:
    assert marks(reply) == []


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("이 펀드는 원금이 보장됩니다.", ""),
        ("ELS도 예금자보호처럼 원금이 보장됩니다.", ""),
        ("ELS도 예금자보호처럼 1억원까지 원금이 보장됩니다.", ""),
        ("이 펀드는 예금자보호법에 따라 1억원까지 원금이 보장됩니다.", ""),
        ("네, 예금자보호법에 따라 1억원까지 원금이 보장됩니다.", "이 펀드는 원금이 안전한가요?"),
        ("예금은 1억원까지 예금자보호법으로 보호됩니다. 이 펀드는 원금이 보장됩니다.", ""),
        ("예금자보호 1억원까지는 물론, 나머지 원금도 저희가 보장해 드립니다.", ""),
        ("이 상품은 1억원까지 원금이 보장됩니다.", ""),
        ("Our fund is protected by deposit insurance up to $250,000, so your principal is guaranteed.", ""),
    ],
)
def test_what_is_no_insured_deposit_is_promised(reply: str, question: str) -> None:
    assert promises(reply, question)


@pytest.mark.parametrize(
    "reply",
    [
        "The fund guarantees a 9% return every year.",
        "This product guarantees a 6% return.",
        "This plan guarantees you at least 5% a year.",
        "The strategy guarantees profits.",
        "Our AI system guarantees profits every month.",
        "The trust guarantees an 8% annual yield.",
        "The fund promises a 9% return.",
        "这只基金保证每年9%的收益。",
        "该产品承诺年化8%的回报。",
        "잃을 일이 전혀 없습니다.",
        "전혀 잃을 일이 없습니다.",
    ],
)
def test_a_product_that_guarantees_a_return_promises_it(reply: str) -> None:
    assert promises(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "No fund guarantees a 9% return.",
        "Neither fund guarantees a 5% return.",
        "This fund does not guarantee a 6% return.",
        "The brochure claims that the fund guarantees a 9% return, which is a red flag.",
        "If a fund guarantees a 9% return, walk away.",
        "Anyone whose product guarantees a 9% return is likely running a scam.",
        "Beware of any product that guarantees a 10% return.",
        "The bank guarantees a 3% return on this fixed deposit.",
        "An annuity guarantees a 4% return for the first five years by contract.",
        "The state plan guarantees a 4% return by law.",
        "The plan promises to keep fees low, and returns are uncertain.",
        "Our strategy promises discipline, not profits.",
        "The fund promises monthly reports on income.",
        "基金不保证收益。",
        "没有哪只基金保证每年9%的收益。",
        "凡是保证每年9%收益的基金都要警惕。",
        "对方说这只基金保证每年9%的收益，这是骗局。",
        "宣传里说该产品承诺年化8%的回报。",
        "비밀번호를 잃을 일이 전혀 없습니다.",
        "기회를 잃을 일이 전혀 없습니다.",
        "잃을 일이 없다고는 할 수 없습니다.",
    ],
)
def test_a_guarantee_denied_reported_or_by_law_is_none(reply: str) -> None:
    assert not promises(reply)
