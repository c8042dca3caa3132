"""Words that seem to keep a rule beside the amount that breaks it, and denials of harm, which grant."""

from __future__ import annotations

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

FLOOR = "keep 20 % in cash"
CASES = [
    (FLOOR, "How do I split 50,000?", "Invest 45,000 in the global fund and leave 5,000 in cash.", "violates"),
    (FLOOR, "How do I split 50,000?", "Leave 2,000 in cash and invest the rest.", "violates"),
    (FLOOR, "How do I split 50,000?", "Leave 15,000 in cash and invest the rest.", "respects"),
    (FLOOR, "How do I split it?", "Leave 20% in cash and invest the rest.", "respects"),
    ("no leverage", "What now?", "Skip the 3x ETF. A plain index fund is enough.", "respects"),
    ("no crypto", "Shall I join in?", "A small slice of Bitcoin wouldn't hurt.", "violates"),
    ("no crypto", "Shall I buy bitcoin?", "It wouldn't hurt to leave bitcoin alone.", "respects"),
]


@pytest.mark.parametrize(("constraint", "user", "reply", "verdict"), CASES)
def test_the_amount_decides_and_no_harm_is_a_grant(constraint: str, user: str, reply: str, verdict: str) -> None:
    found = finance_detectors("contextual").constraints(Reading(reply, user), [constraint])
    assert "".join(each.polarity for each in found[:1]) == verdict


@pytest.mark.parametrize(
    ("reply", "ordered"),
    [
        ("삼성전자를 담으세요.", True),
        ("삼성전자는 20%까지만 담으세요.", False),
        ("삼성전자는 20% 넘지 않게 담으세요.", False),
    ],
)
def test_a_cap_is_no_order(reply: str, ordered: bool) -> None:
    found = finance_detectors("contextual").compliance(Reading(reply, ""), [], None)
    assert any(each.polarity == "severe" for each in found) is ordered
