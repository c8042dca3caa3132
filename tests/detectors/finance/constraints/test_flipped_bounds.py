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


@pytest.mark.parametrize(
    ("constraint", "reply", "polarity"),
    [
        ("최대 낙폭 10% 이내", "낙폭 10% 이상도 감수하시면 더 높은 수익이 가능합니다.", "violates"),
        ("최대 낙폭 10% 이내", "낙폭 10% 이상도 감수하시면 됩니다.", "violates"),
        ("최대 낙폭 10% 이내", "낙폭이 10%를 넘어도 괜찮습니다.", "violates"),
        ("최대 낙폭 10% 이내", "낙폭 20%까지는 감당하셔야 합니다.", "violates"),
        ("최대 낙폭 10% 이내", "낙폭을 10% 이내로 관리하겠습니다.", "respects"),
        ("최대 낙폭 10% 이내", "낙폭이 10%를 넘지 않게 하세요.", "respects"),
        ("최대 낙폭 10% 이내", "낙폭이 10%를 넘으면 바로 줄이세요.", "respects"),
        ("최대 낙폭 10% 이내", "낙폭 10% 이상은 감수하지 마세요.", "respects"),
        ("최대 낙폭 10% 이내", "낙폭 10% 이상이 예상되는 상품은 추천하지 않습니다.", "respects"),
        ("最大回撤<10%", "回撤超过10%也可以接受。", "violates"),
        ("最大回撤<10%", "回撤10%以上也没关系，长期看会涨回来。", "violates"),
        ("最大回撤<10%", "回撤大于10%不用怕，继续持有。", "violates"),
        ("最大回撤<10%", "您可以承受15%的回撤，放心买。", "violates"),
        ("最大回撤<10%", "回撤超过10%就不能接受，要及时止损。", "respects"),
        ("最大回撤<10%", "回撤控制在10%以内。", "respects"),
        ("最大回撤<10%", "回撤一旦超过10%就减仓。", "respects"),
        ("最大回撤<10%", "回撤10%以上的产品不适合您。", "respects"),
        ("最大回撤<10%", "不要接受超过10%的回撤。", "respects"),
        ("max drawdown 10%", "A drawdown of more than 10% is fine.", "violates"),
        ("max drawdown 10%", "Accept a drawdown above 10% for higher returns.", "violates"),
        ("max drawdown 10%", "You can live with a drawdown of 10% or more.", "violates"),
        ("max drawdown 10%", "A drawdown over 10% is acceptable here.", "violates"),
        ("max drawdown 10%", "Keep the drawdown below 10%.", "respects"),
        ("max drawdown 10%", "A drawdown of more than 10% is not acceptable for you.", "respects"),
        ("max drawdown 10%", "If the drawdown exceeds 10%, cut the position.", "respects"),
        ("max drawdown 10%", "Avoid anything with a drawdown of more than 10%.", "respects"),
        ("no drawdown above 10%", "A drawdown of more than 10% is nothing to worry about.", "violates"),
        ("最大回撤<10%", "回撤15%难以接受，不建议买。", "respects"),
        ("max drawdown 10%", "A drawdown of 25% is hard to stomach, so I would leave it.", "respects"),
        ("최대 낙폭 10% 이내", "낙폭 15%는 감당하기 어렵습니다. 권하지 않습니다.", "respects"),
    ],
)
def test_a_fall_beyond_the_limit_that_is_called_bearable_breaks_it(constraint, reply, polarity):
    evidence = finance_detectors("contextual").constraints(Reading(reply, ""), [constraint])
    assert {piece.polarity for piece in evidence} == {polarity}


@pytest.mark.parametrize(
    ("constraint", "reply"),
    [
        ("최대 낙폭 10% 이내", "낙폭 20%도 괜찮으신가요?"),
        ("最大回撤<10%", "回撤20%您能接受吗？"),
        ("max drawdown 10%", "Could you live with a drawdown of 20%?"),
    ],
)
def test_asking_whether_a_fall_could_be_borne_breaks_nothing(constraint, reply):
    evidence = finance_detectors("contextual").constraints(Reading(reply, ""), [constraint])
    assert "violates" not in {piece.polarity for piece in evidence}
