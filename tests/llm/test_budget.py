import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import UsageError
from turnmark.llm.budget import Budget, Prices, Spent, estimated_tokens
from turnmark.llm.protocol import CallFailure

PRICES = Prices(input=2.0, output=8.0)


def test_cost_by_hand():
    # 1500 · 2 / 10⁶ + 500 · 8 / 10⁶ = 0.003 + 0.004
    assert PRICES.cost(1500, 500) == pytest.approx(0.007)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=40), st.integers(0, 800), st.integers(0, 30)
)
def test_no_limit_is_ever_passed_when_calls_take_what_they_set_aside(calls, max_tokens, max_calls):
    budget = Budget(max_calls=max_calls, max_tokens=max_tokens, max_cost=0.002, prices=PRICES)
    for size in calls:
        try:
            reservation = budget.reserve(*size)
        except CallFailure:
            break
        budget.settle(reservation, *size)
    assert bool(budget.exhausted) == (budget.spent.calls < len(calls))
    assert budget.spent.calls <= max_calls
    assert budget.spent.input_tokens + budget.spent.output_tokens <= max_tokens
    assert budget.spent.cost <= 0.002 + 1e-12


def test_calls_under_way_count_as_they_were_set_aside():
    budget = Budget(max_tokens=100)
    first = budget.reserve(40, 10)
    budget.reserve(40, 10)
    with pytest.raises(CallFailure, match=r"used up: max_tokens 100; raise the limit and run again"):
        budget.reserve(1, 0)
    assert budget.settle(first, 30, None) == Spent(calls=1, input_tokens=30, output_tokens=10)


def test_an_exhausted_budget_stays_so():
    budget = Budget(max_calls=1)
    budget.settle(budget.reserve(5, 5), 0, 0)
    for _ in range(2):
        with pytest.raises(CallFailure, match="max_calls 1"):
            budget.reserve(0, 0)
    assert budget.spent.calls == 1


def test_spent_adds_up():
    one = Spent(calls=1, input_tokens=2, output_tokens=3, cost=0.5, cached=4)
    one.add(Spent(calls=1, input_tokens=2, output_tokens=3, cost=0.5, cached=4))
    assert one == Spent(calls=2, input_tokens=4, output_tokens=6, cost=1.0, cached=8)


def test_wrong_limits():
    with pytest.raises(UsageError, match="max_cost needs the prices"):
        Budget(max_cost=1)
    with pytest.raises(UsageError, match="max_calls is -1; expected 0 or more"):
        Budget(max_calls=-1)


def test_estimates_are_on_the_safe_side_of_known_counts():
    # Counts of the o200k_base encoding: 9, 12 and 11 tokens.
    assert estimated_tokens(["The quick brown fox jumps over the lazy dog"]) >= 9
    assert estimated_tokens(["今天的天气很好，我们去公园散步吧。"]) >= 12
    assert estimated_tokens(["오늘은 날씨가 아주 좋습니다."]) >= 11
    assert estimated_tokens([]) == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_estimates_grow_with_the_text(one, other):
    assert estimated_tokens([one + other]) >= estimated_tokens([one]) > 0
