"""Corrected estimates: hand-worked, against textbook formulas, by simulation, and at their edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import UsageError
from turnmark.stats.correction import label_next, miss_rate, prediction_powered_mean, rogan_gladen
from turnmark.stats.resampling import rare_limit, student_quantile


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
    assert found.high - found.estimate == pytest.approx(found.estimate - found.low)
    assert found.low < found.estimate
    assert found.raw == pytest.approx(f.mean())


def test_two_labels_are_enough_to_weigh_the_marks():
    # The covariance is 1/2 and the variance 1/4, so that the weight is 1: both unlabelled rows are marked.
    assert prediction_powered_mean([1.0, 0.0, 1.0, 1.0], [1.0, 0.0, None, None], list(range(4))).estimate == 1.0


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
    assert (found.missed_low, found.missed_high) == pytest.approx((200 * found.low, 200 * found.high))
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


def test_labels_are_asked_for_by_what_they_take_off_the_variance():
    # Six rows marked 0 and four marked 1, no label yet: the variance is that of one yes and one no, 1/4.
    # W**2 * v / (n * (n + 1)) from n = 2: 0.09 / 6 = 0.015, 0.0075, 0.0045, 0.003, 0.0021, 0.0016 of the zeros;
    # 0.04 / 6 = 0.0067, 0.0033, 0.002, 0.0013 of the ones.
    marks = [0.0] * 6 + [1.0] * 4
    chosen = label_next(marks, [None] * 10, 10)
    assert [marks[place] for place in chosen] == [0, 0, 1, 0, 1, 0, 0, 1, 0, 1]


def test_labels_that_agree_make_a_group_less_worth_asking_about():
    # Ten rows each, four labelled. The zeros agree: variance of 0 0 0 0 and 0 1 is 5/36; of the ones 1/4.
    # Zeros: 0.25 * 5/36 / (6 * 7) = 0.00083, / (7 * 8) = 0.00062; ones: 0.25 / 4 / 42 = 0.0015, 0.0011, 0.00087.
    marks = [0.0] * 10 + [1.0] * 10
    labels = [0.0] * 4 + [None] * 6 + [0.0, 1.0] * 2 + [None] * 6
    assert [marks[place] for place in label_next(marks, labels, 5)] == [1, 1, 1, 0, 1]


def test_the_powered_interval_of_a_share_by_hand():
    # 40 rows of a dialogue each: 20 labelled, where 8 of 10 marked rows and 2 of 10 others are positive.
    marks = ([1.0] * 10 + [0.0] * 10) * 2
    labels = [1.0] * 8 + [0.0] * 2 + [1.0] * 2 + [0.0] * 8 + [None] * 20
    found = prediction_powered_mean(marks, labels, list(range(40)))
    y, f = np.array(labels[:20], float), np.array(marks[:20])
    weight = np.cov(y, f, ddof=1)[0, 1] / (2 * np.var(marks, ddof=1))
    rest = y - weight * f
    # Of independent rows the jackknife gives the variance of a mean, s**2 / n.
    error = math.sqrt(np.var(rest, ddof=1) / 20 + weight**2 * np.var(f, ddof=1) / 20)
    estimate = weight * 0.5 + rest.mean()
    odds, reach = math.log(estimate / (1 - estimate)), student_quantile(0.975, 19) * error
    low, high = (1 / (1 + math.exp(-(odds + side * reach / (estimate * (1 - estimate))))) for side in (-1, 1))
    assert found.estimate == pytest.approx(estimate)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_marks_that_point_the_wrong_way_are_given_no_weight():
    y = [0.0, 1.0] * 10
    against = [1.0 - value for value in y]
    found = prediction_powered_mean([*against, *[1.0] * 10], [*y, *[None] * 10], list(range(30)))
    assert found.estimate == pytest.approx(0.5)


def test_rows_of_one_dialogue_say_less_about_what_was_missed():
    # Forty rows in twenty dialogues of two that agree, two of them missed: an effect of two, twenty rows' worth.
    labels = [1.0] * 4 + [0.0] * 36
    found = miss_rate([0.0] * 40, labels, [place // 2 for place in range(40)])
    # The jackknife over dialogues of equal size gives s**2 / 20 of the dialogues' shares, 0.1 * 0.9 / 19; of rows it
    # is 0.1 * 0.9 / 39: an effect of 39 / 19.
    effective = 40 / (39 / 19)
    assert found.share == 0.1
    assert found.high == pytest.approx(rare_limit(math.ceil(0.1 * effective), effective, 0.95))


def test_ten_dialogues_are_enough_for_an_interval():
    marks, labels = [1.0, 0.0] * 5, [1.0, 0.0] * 4 + [0.0, 1.0]
    found = rogan_gladen(marks, labels, list(range(10)), resamples=200)
    # Sensitivity and specificity 4/5: (1/2 + 4/5 - 1) / (3/5) = 1/2.
    assert found.estimate == pytest.approx(1 / 2)
    assert 0.0 <= found.low < 0.5 < found.high <= 1.0
    assert rogan_gladen(marks, labels, [min(place, 8) for place in range(10)]).low is None


def test_the_correction_needs_a_positive_and_a_negative_among_the_labels():
    assert rogan_gladen([1.0, 1.0, 0.0], [1.0, 1.0, None], ["a", "b", "c"]).estimate is None
    assert rogan_gladen([0.0, 0.0, 1.0], [0.0, 0.0, None], ["a", "b", "c"]).estimate is None
    # One of each, both marked rightly: the share of marks is believed.
    assert rogan_gladen([1.0, 0.0, 0.0, 0.0], [1.0, 0.0, None, None], list("abcd")).estimate == pytest.approx(1 / 4)


def test_nothing_checked_is_nothing_found():
    found = miss_rate([0.0, 1.0], [None, 1.0], ["a", "b"])
    assert (found.checked, found.found, found.share, found.missed) == (0, 0, None, None)


def test_the_first_label_of_a_group_is_worth_more_than_the_second():
    # Equal groups and nothing known of either: each gets a label before one gets two.
    chosen = label_next([0.0] * 5 + [1.0] * 5, [None] * 10, 6)
    assert [row // 5 for row in chosen] == [0, 1, 0, 1, 0, 1]


def test_a_group_asked_four_times_waits_for_one_of_two_fifths_its_size_asked_never():
    # Variance 1/4 in both, times W**2 / (n * (n + 1)): 0.0816 / 6 = 0.0136 of 4 rows, 0.5102 / 42 = 0.0121 of 10 with
    # four labels; of 3 and 11 rows 0.0077 and 0.0147.
    labels = [0.0, 1.0, 0.0, 1.0]
    assert label_next([1.0] * 4 + [0.0] * 10, [None] * 4 + labels + [None] * 6, 1)[0] < 4
    assert label_next([1.0] * 3 + [0.0] * 11, [None] * 3 + labels + [None] * 7, 1)[0] >= 3


def test_ten_dialogues_are_enough_for_the_powered_interval():
    y = [0.0, 1.0] * 5
    assert prediction_powered_mean([*y, 1.0], [*y, None], list(range(11))).low is not None
    assert prediction_powered_mean([*y, 1.0], [*y, None], [0, *range(9), 9]).low is None


@pytest.mark.parametrize(
    ("dialogs", "variance"),
    [
        # One dialogue: as if its ten rows were independent, four of them marked.
        ([99] * 10, np.var([1] * 4 + [0] * 6, ddof=1) / 10),
        # Two of five, 4/5 and 0 marked: a quarter of their difference squared.
        ([98] * 5 + [99] * 5, (4 / 5) ** 2 / 4),
    ],
)
def test_rows_without_a_label_come_in_dialogues_too(dialogs, variance):
    f, y = np.array([1.0, 0.0] * 10), np.array(([1.0, 0.0] * 4 + [1.0, 1.0]) * 2)
    rest = [1.0] * 4 + [0.0] * 6
    found = prediction_powered_mean([*f, *rest], [*y, *[None] * 10], [*range(20), *dialogs])
    weight = np.cov(y, f, ddof=1)[0, 1] / (3 * np.var([*f, *rest], ddof=1))
    estimate = weight * 0.4 + (y - weight * f).mean()
    error = math.sqrt(np.var(y - weight * f, ddof=1) / 20 + weight**2 * variance)
    reach = student_quantile(0.975, 19) * error / (estimate * (1 - estimate))
    odds = math.log(estimate / (1 - estimate))
    assert found.estimate == pytest.approx(estimate)
    assert (found.low, found.high) == pytest.approx(
        tuple(1 / (1 + math.exp(-(odds + side * reach))) for side in (-1, 1))
    )


def test_a_detector_that_misses_most_is_corrected_and_one_that_tells_nothing_is_not():
    # 3 of 10 positives and none of 10 negatives marked; 30 of 100 in all: (0.3 + 1 - 1) / 0.3 = 1, and of 15: 1/2.
    labelled = [1.0] * 3 + [0.0] * 17
    labels = [1.0] * 10 + [0.0] * 10 + [None] * 80
    found = rogan_gladen([*labelled, *[1.0] * 12, *[0.0] * 68], labels, list(range(100)), resamples=50)
    assert found.estimate == pytest.approx(1 / 2)
    # Half of either marked: sensitivity and specificity add up to 1, whatever share of the rest is marked.
    chance = rogan_gladen([1.0, 0.0, 1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0, None, None], list(range(6)))
    assert chance.estimate is None


def test_samples_that_cannot_be_corrected_leave_the_whole_scale():
    # Ten dialogues, the one positive in the first: a sample without it shows no sensitivity.
    marks, labels, ends = [1.0, *[0.0] * 9], [1.0, *[0.0] * 9], []
    for seed in range(40):
        found = rogan_gladen(marks, labels, list(range(10)), resamples=2, seed=seed)
        generator = np.random.Generator(np.random.PCG64(seed))
        with_it = any(0 in generator.integers(0, 10, 10) for _ in range(2))
        assert ((found.low, found.high) == (0.0, 1.0)) == (not with_it)
        ends.append(with_it)
    assert {*ends} == {True, False}


def test_errors_of_a_sample_have_half_a_case_added_to_each_cell():
    # Twenty dialogues alike, each with a positive marked, a negative marked and two not: every sample is the whole.
    marks, labels = [1.0, 1.0, 0.0, 0.0] * 20, [1.0, 0.0, 0.0, 0.0] * 20
    found = rogan_gladen(marks, labels, [row // 4 for row in range(80)], resamples=20)
    sensitivity, specificity = 20.5 / 21, 40.5 / 61
    assert found.estimate == pytest.approx((1 / 2 + 2 / 3 - 1) / (1 + 2 / 3 - 1))
    corrected = (1 / 2 + specificity - 1) / (sensitivity + specificity - 1)
    assert found.low == pytest.approx(min(corrected, 1 / 4))
    assert found.high == pytest.approx(max(corrected, 1 / 4))


def test_marks_that_are_all_the_same_have_no_weight():
    y = [0.0, 1.0, 1.0, 1.0] * 5
    found = prediction_powered_mean([1.0] * 30, [*y, *[None] * 10], list(range(30)))
    assert found.estimate == pytest.approx(3 / 4)
    alone = prediction_powered_mean([1.0, 0.0], [0.0, None], ["a", "b"])
    assert alone.estimate == pytest.approx(0.0), "one label has no covariance"


def test_two_rows_of_two_dialogues_say_as_much_as_two():
    # One of two independent rows: the Clopper-Pearson limits of 1 of 2.
    found = miss_rate([0.0, 0.0], [1.0, 0.0], ["a", "b"])
    assert (found.low, found.high) == pytest.approx((1 - math.sqrt(0.975), math.sqrt(0.975)), abs=1e-4)


def test_scores_are_asked_about_tenth_by_tenth():
    marks = [place / 100 for place in range(100)]
    first = label_next(marks, [None] * 100, 10)
    assert sorted(place // 10 for place in first) == list(range(10))
