"""Corrected estimates: hand-worked, against textbook formulas, by simulation, and at their edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import UsageError
from turnmark.stats.correction import label_next, miss_rate, prediction_powered_mean, rogan_gladen


def test_rogan_gladen_worked_by_hand():
    # 100 rows, 40 marked. Labelled: 8 of 10 positives marked, 9 of 10 negatives not: se 0.8, sp 0.9.
    marks = [1.0] * 8 + [0.0] * 2 + [1.0] + [0.0] * 9 + [1.0] * 31 + [0.0] * 49
    labels = [1.0] * 10 + [0.0] * 10 + [None] * 80
    found = rogan_gladen(marks, labels, list(range(100)), resamples=500)
    assert found.raw == pytest.approx(0.4)
    # (0.4 + 0.9 - 1) / (0.8 + 0.9 - 1) = 3 / 7
    assert found.estimate == pytest.approx(3 / 7)
    assert found.low < 3 / 7 < found.high
    assert (found.labelled, found.clusters) == (20, 20)


def test_the_prediction_powered_mean_follows_its_formula():
    generator = np.random.default_rng(1)
    y = generator.normal(2.0, 1.0, 300)
    f = 0.5 + y + generator.normal(0, 0.3, 300)
    labels = [float(value) if place < 60 else None for place, value in enumerate(y)]
    found = prediction_powered_mean(f.tolist(), labels, list(range(300)))
    weight = np.cov(y[:60], f[:60], ddof=1)[0, 1] / ((1 + 60 / 240) * np.var(f, ddof=1))
    weight = min(max(weight, 0.0), 1.0)
    expected = weight * f[60:].mean() + (y[:60] - weight * f[:60]).mean()
    assert found.estimate == pytest.approx(expected)
    plain = 1.96 * y[:60].std(ddof=1) / math.sqrt(60)
    assert found.high - found.low < 2 * plain  # the marks help
    assert found.raw == pytest.approx(f.mean())


def test_useless_marks_leave_the_labels_alone():
    y = [0.0, 1.0] * 15
    found = prediction_powered_mean([0.5] * 60, [*y, *[None] * 30], list(range(60)))
    assert found.estimate == pytest.approx(0.5)


def test_when_all_is_labelled_the_labels_are_the_answer():
    y = [0.0, 1.0, 1.0, 1.0] * 5
    found = prediction_powered_mean([1.0] * 20, y, list(range(20)))
    assert found.estimate == pytest.approx(0.75)
    assert found.low < 0.75 < found.high <= 1


def test_missed_positives_worked_by_hand():
    # 50 rows that are not marked were checked, each of its own dialogue, 2 were wrong; 200 are not marked in all.
    marks = [0.0] * 200 + [1.0] * 20
    labels = [1.0, 1.0] + [0.0] * 48 + [None] * 170
    found = miss_rate(marks, labels, list(range(220)))
    assert (found.checked, found.found) == (50, 2)
    assert found.share == pytest.approx(0.04)
    assert found.missed == pytest.approx(8)
    # Clopper-Pearson for 2 of 50: 0.0049 to 0.1371.
    assert found.low == pytest.approx(0.0049, abs=0.0005)
    assert found.high == pytest.approx(0.1371, abs=0.001)


def test_none_found_still_leaves_a_limit():
    found = miss_rate([0.0] * 30, [0.0] * 30, list(range(30)))
    assert (found.share, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 30))
    together = miss_rate([0.0] * 30, [0.0] * 30, [place // 3 for place in range(30)])
    assert together.high == pytest.approx(1 - 0.025 ** (1 / 10))  # ten dialogues of three turns say less


def test_nothing_labelled():
    marks, nothing, ids = [0.0, 1.0], [None, None], ["a", "b"]
    assert prediction_powered_mean(marks, nothing, ids).estimate is None
    assert rogan_gladen(marks, nothing, ids).estimate is None
    assert miss_rate(marks, nothing, ids).share is None


def test_few_dialogues_give_no_interval():
    marks, labels = [1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]
    ids = list(range(4))
    assert prediction_powered_mean(marks, labels, ids).low is None
    found = rogan_gladen(marks, labels, ids)
    assert (found.estimate, found.low) == (0.5, None)


def test_a_detector_no_better_than_chance_corrects_nothing():
    assert rogan_gladen([1.0, 0.0] * 10, [0.0, 1.0] * 10, list(range(20))).estimate is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [1.0, 0.0], ["a"]), "give one a row"),
        (([], [], []), "no rows"),
    ],
)
def test_columns_that_do_not_fit(arguments, message):
    with pytest.raises(UsageError, match=message):
        prediction_powered_mean(*arguments)


def test_shares_need_yes_and_no():
    with pytest.raises(UsageError, match="0 or 1"):
        rogan_gladen([0.5], [1.0], ["a"])


def test_the_next_labels_go_where_least_is_known():
    # 90 rows marked 0, 10 marked 1; the ones marked 0 have one label, the ones marked 1 have nine.
    marks = [0.0] * 90 + [1.0] * 10
    labels = [0.0] + [None] * 89 + [1.0, 0.0] * 4 + [1.0, None]
    chosen = label_next(marks, labels, 5)
    assert all(marks[place] == 0 and labels[place] is None for place in chosen)
    assert chosen == label_next(marks, labels, 5)
    assert len(set(label_next(marks, labels, 500))) == 90


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 50))
def test_rows_to_label_are_open_rows_once_each(marks, count):
    labels = [None if place % 3 else 1.0 for place in range(len(marks))]
    chosen = label_next(marks, labels, count)
    assert len(chosen) == len(set(chosen)) == min(count, labels.count(None))
    assert all(labels[place] is None for place in chosen)


def sample(generator, dialogs, labelled):
    """Violations that come in bursts, a detector that errs, and labels on whole dialogues drawn at random."""
    rate, size = generator.beta(1, 6, dialogs), generator.integers(3, 10, dialogs)
    code = np.repeat(np.arange(dialogs), size)
    truth = generator.binomial(1, np.repeat(rate, size))
    marks = np.where(truth == 1, generator.binomial(1, 0.8, truth.size), generator.binomial(1, 0.05, truth.size))
    chosen = generator.random(dialogs) < labelled
    labels = [float(value) if chosen[dialog] else None for value, dialog in zip(truth, code, strict=True)]
    return marks.astype(float), labels, code


@pytest.mark.slow
def test_intervals_cover_the_truth_in_clustered_samples():
    generator = np.random.default_rng(3)
    truth, repetitions = 1 / 7, 1000
    covered = {"powered": 0, "rogan-gladen": 0, "missed": 0}
    missed = truth * 0.2 / (truth * 0.2 + (1 - truth) * 0.95)
    for _ in range(repetitions):
        marks, labels, code = sample(generator, 300, 0.2)
        powered = prediction_powered_mean(marks, labels, code)
        corrected = rogan_gladen(marks, labels, code, resamples=500, seed=int(generator.integers(1 << 30)))
        rate = miss_rate(marks, labels, code)
        covered["powered"] += powered.low <= truth <= powered.high
        covered["rogan-gladen"] += corrected.low <= truth <= corrected.high
        covered["missed"] += rate.low <= missed <= rate.high
    shares = {name: count / repetitions for name, count in covered.items()}
    assert 0.93 <= shares["powered"] <= 0.97, shares
    assert 0.93 <= shares["rogan-gladen"] <= 0.97, shares
    assert shares["missed"] >= 0.95, shares  # exact limits err on the safe side
