"""Explaining a thing that the user rules out, or turning it down, breaks no constraint."""

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors


@pytest.mark.parametrize(
    ("constraint", "reply"),
    [
        (
            "레버리지 상품 제외",
            (
                "레버리지 ETF는 하루 수익률의 두 배를 따라가도록 만든 상품이고, 횡보장에서는 원금이 계속 깎입니다. "
                "고객님께는 권하지 않습니다."
            ),
        ),
        ("no cryptocurrency", "A stablecoin is a token that tries to hold the value of a dollar; some have failed to."),
        (
            "only investment-grade bonds",
            (
                "High-yield bonds pay more because their issuers default more often. "
                "They are outside of what you want to hold."
            ),
        ),
    ],
)
def test_no_breach(constraint, reply):
    found = finance_detectors().constraints(Reading(reply), [constraint])
    assert [piece.polarity for piece in found if piece.polarity == "violates"] == []


def test_urging_still_is_one():
    found = finance_detectors().constraints(Reading("Put some of it into bitcoin now."), ["no cryptocurrency"])
    assert [piece.polarity for piece in found] == ["violates"]
