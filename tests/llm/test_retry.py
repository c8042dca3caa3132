from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.llm.retry import RetryPolicy, retry_after_seconds


@given(st.integers(1, 2000), st.text(max_size=5), st.integers(0, 9))
def test_waits_grow_within_bounds_and_depend_on_seed_call_and_attempt_only(attempt, call, seed):
    policy = RetryPolicy(first_wait=0.5, longest_wait=30, seed=seed)
    wait = policy.wait(attempt, call)
    whole = min(0.5 * 2.0 ** min(attempt - 1, 30), 30)
    assert whole / 2 <= wait <= whole
    assert policy.wait(attempt, call) == wait


def test_jitter_differs_between_calls_attempts_and_seeds():
    policy = RetryPolicy(first_wait=30, longest_wait=30)
    waits = {
        policy.wait(1, "a"),
        policy.wait(1, "b"),
        policy.wait(2, "a"),
        RetryPolicy(first_wait=30, seed=1).wait(1, "a"),
    }
    assert len(waits) == 4


@given(st.floats(0, 1000), st.integers(1, 9))
def test_what_the_endpoint_asks_for_is_never_undercut(asked, attempt):
    wait = RetryPolicy(first_wait=0.5).wait(attempt, "call", asked)
    assert asked <= wait <= asked + 0.5


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0.25"}, 0.25),
        ({"Retry-After": " 3 "}, 3.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": ""}, None),
        ({}, None),
        ({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5),
        # The clock of the endpoint counts, whatever ours says.
        ({"Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2015 07:28:42 GMT"}, 42.0),
        ({"Date": "Wed, 21 Oct 2015 07:28:00 GMT", "Retry-After": "Wed, 21 Oct 2015 07:27:00 GMT"}, 0.0),
        ({"Date": "Wed, 21 Oct 2015 07:28:00 -0000", "Retry-After": "Wed, 21 Oct 2015 07:28:05 GMT"}, 5.0),
        ({"Retry-After": "Wed, 21 Oct 99999 07:28:00 GMT"}, None),
    ],
)
def test_retry_after(headers, seconds):
    assert retry_after_seconds(headers) == seconds


def test_a_date_without_a_date_of_the_reply_is_compared_with_our_clock():
    until = datetime.now(UTC) + timedelta(seconds=30)
    assert 27 < retry_after_seconds({"Retry-After": format_datetime(until, usegmt=True)}) <= 30
