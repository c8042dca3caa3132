"""A number that bounds the other side than its limit does breaks it; one that keeps to the limit does not."""

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors


@pytest.mark.parametrize(
    ("constraint", "reply", "polarity"),
    [
        ("单只股票不超过10%", "建议单只股票至少买到10%以上。", "violates"),
        ("单只股票不超过10%", "建议单只股票控制在10%以内。", "respects"),
        ("保留20%现金", "现金不超过5%就行。", "violates"),
        ("保留20%现金", "现金别低于20%。", "respects"),
        ("keep at least 20% in cash", "Keep at most 10% in cash.", "violates"),
        ("keep at least 20% in cash", "Keep at least 25% in cash.", "respects"),
        ("投资期限不超过1年", "建议买三年封闭的产品。", "violates"),
        ("投资期限不超过1年", "建议买半年期的产品。", "respects"),
    ],
)
def test_a_bound_of_the_other_side_breaks_the_limit(constraint, reply, polarity):
    evidence = finance_detectors("contextual").constraints(Reading(reply, ""), [constraint])
    assert {piece.polarity for piece in evidence} == {polarity}
