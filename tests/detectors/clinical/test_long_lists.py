"""Answers that name thousands of things are read in little time."""

import time

from turnmark.clinical import compute_advanced_metrics


def seconds(answer):
    begun = time.process_time()
    compute_advanced_metrics(answer, "", {"conditions": ["hypertension"]}, 1)
    return time.process_time() - begun


def test_names_that_nothing_is_said_of_take_time_in_proportion():
    """Looking at every pair of names takes sixteen times as long for four times the names."""
    text = "asthma and gout or "
    seconds(text)
    assert seconds(text * 6_000) < 9 * max(seconds(text * 1_500), 0.05)
