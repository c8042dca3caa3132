from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from growth import SQUARE, processor_growth
from turnmark.errors import UsageError
from turnmark.stats.agreement import (
    accuracy,
    auroc,
    balanced_accuracy,
    clustered_interval,
    cohen_kappa,
    precision_recall_f1,
    spearman,
)
from turnmark.stats.clustered import (
    accuracy_interval,
    auroc_interval,
    balanced_accuracy_interval,
    detection_intervals,
    kappa_interval,
)
from turnmark.stats.intervals import MINIMUM_CLUSTERS, PERCENTILE, RARE
from turnmark.stats.resampling import rare_limit

FAST = {"resamples": 200, "seed": 3}


def rows(count=240, clusters=30, labels=3, seed=0):
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, clusters, count)
    habit = rng.random(clusters)
    gold = rng.integers(0, labels, count)
    predicted = np.where(rng.random(count) < 0.4 + 0.5 * habit[ids], gold, rng.integers(0, labels, count))
    return gold, predicted, ids


def detection(measure, gold, predicted):
    tp, fp, fn = (int(np.sum(x)) for x in (gold & predicted, ~gold & predicted, gold & ~predicted))
    return getattr(precision_recall_f1(tp, fp, fn), measure)


def assert_same(found, expected):
    assert found.undefined == expected.undefined
    assert found.estimate == pytest.approx(expected.estimate, abs=1e-14)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, abs=1e-12)


def test_generic_against_textbook(textbook):
    gold, predicted, ids = rows(clusters=15)
    found = clustered_interval(accuracy, (gold, predicted), ids, resamples=300, seed=8, level=0.9)
    members = [np.flatnonzero(ids == i) for i in range(15)]

    def right(drawn):
        taken = [row for i in drawn for row in members[i]]
        return sum(gold[row] == predicted[row] for row in taken) / len(taken)

    low, high, error, undefined = textbook.bootstrap(right, 15, 15, resamples=300, seed=8, level=0.9)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)
    assert found.standard_error == pytest.approx(error)
    assert (found.undefined, found.clusters, found.method) == (undefined, 15, PERCENTILE)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("labels", [None, (0, 1, 2, 3), (1, 9, 0, 2)])
def test_kappa_is_the_generic_one(weights, labels):
    gold, predicted, ids = rows()
    generic = clustered_interval(partial(cohen_kappa, weights=weights, labels=labels), (gold, predicted), ids, **FAST)
    assert_same(kappa_interval(gold, predicted, ids, weights=weights, labels=labels, **FAST), generic)


@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
def test_detection_is_the_generic_one(measure):
    gold, predicted, ids = rows(count=400, labels=2)
    gold, predicted = gold == 1, predicted == 1
    generic = clustered_interval(partial(detection, measure), (gold, predicted), ids, **FAST)
    assert_same(getattr(detection_intervals(gold, predicted, ids, **FAST), measure), generic)


def test_accuracy_is_the_generic_one():
    gold, predicted, ids = rows()
    generic = clustered_interval(accuracy, (gold, predicted), ids, **FAST)
    assert_same(accuracy_interval(gold, predicted, ids, **FAST), generic)
    binary = detection_intervals(gold == 0, predicted == 0, ids, **FAST).accuracy
    assert binary == accuracy_interval(gold == 0, predicted == 0, ids, **FAST)


def test_balanced_accuracy_is_the_generic_one():
    gold, predicted, ids = rows()
    gold = np.where((gold == 2) & (ids > 1), 1, gold)  # label 2 in two clusters only: some draws miss it
    statistic = partial(balanced_accuracy, labels=[0, 1, 2])
    generic = clustered_interval(statistic, (gold, predicted), ids, **FAST)
    found = balanced_accuracy_interval(gold, predicted, ids, **FAST)
    assert found.undefined > 0
    assert_same(found, generic)


def test_balanced_accuracy_with_an_answer_that_is_no_gold_label():
    gold, predicted, ids = rows(labels=2)
    predicted = np.where(np.arange(len(gold)) % 7 == 0, -1, predicted)
    generic = clustered_interval(balanced_accuracy, (gold, predicted), ids, **FAST)
    assert_same(balanced_accuracy_interval(gold, predicted, ids, **FAST), generic)


@pytest.mark.parametrize("decimals", [0, 1, 6])
def test_auroc_is_the_generic_one(decimals):
    gold, predicted, ids = rows()
    scores = np.round(predicted + np.random.default_rng(1).random(len(gold)), decimals)
    generic = clustered_interval(auroc, (scores, gold == 1), ids, **FAST)
    assert_same(auroc_interval(scores, gold == 1, ids, **FAST), generic)


def test_auroc_counts_draws_without_a_positive():
    ids = np.repeat(np.arange(20), 3)
    labels = ids == 0  # all positives in one cluster: (19 / 20) ** 20 = 36 % of draws miss it
    found = auroc_interval(np.random.default_rng(0).random(60), labels, ids)
    assert 600 < found.undefined < 830
    assert found.low < found.estimate < found.high


def test_lists_strings_and_numpy_give_the_same():
    gold, predicted, ids = rows(labels=2)
    words = {0: "no", 1: "yes"}
    expected = kappa_interval(gold, predicted, ids, **FAST)
    texts = [words[x] for x in gold.tolist()], [words[x] for x in predicted.tolist()]
    names = [f"d{i:03}" for i in ids.tolist()]
    assert kappa_interval(*texts, names, **FAST) == expected
    assert_same(clustered_interval(cohen_kappa, texts, names, **FAST), expected)
    assert detection_intervals(*texts, names, positive="yes", **FAST) == detection_intervals(
        gold == 1, predicted == 1, ids, **FAST
    )


def test_columns_reach_the_statistic_unchanged():
    seen = []

    def statistic(left, right):
        seen.append((left.tolist(), right.tolist()))

    assert clustered_interval(statistic, ([1, "a", None], [0.5, 1.5, 2.5]), [1, 2, 3]).estimate is None
    assert seen == [([1, "a", None], [0.5, 1.5, 2.5])]


def test_too_few_clusters():
    gold, predicted, ids = rows(clusters=MINIMUM_CLUSTERS - 1, labels=2)
    detected = detection_intervals(gold == 1, predicted == 1, ids)
    for found in (
        clustered_interval(spearman, (gold, predicted), ids),
        kappa_interval(gold, predicted, ids),
        balanced_accuracy_interval(gold, predicted, ids),
        auroc_interval(predicted, gold, ids),
        accuracy_interval(gold, predicted, ids),
        detected.precision,
        detected.recall,
        detected.f1,
        detected.accuracy,
    ):
        assert found.estimate is not None
        assert (found.low, found.high, found.standard_error, found.method) == (None,) * 4
        assert found.clusters == MINIMUM_CLUSTERS - 1


def test_no_rows():
    detected = detection_intervals([], [], [])
    for found in (
        clustered_interval(spearman, ([], []), []),
        kappa_interval([], [], []),
        balanced_accuracy_interval([], [], []),
        auroc_interval([], [], []),
        accuracy_interval([], [], []),
        detected.precision,
        detected.recall,
        detected.f1,
        detected.accuracy,
    ):
        assert (found.estimate, found.low, found.high, found.clusters) == (None, None, None, 0)


def test_perfect_detection_is_not_certain():
    gold = np.tile([True, False], 20)
    ids = np.repeat(np.arange(20), 2)
    found = detection_intervals(gold, gold, ids)
    # 20 clusters without an error: 1 - 0.025 ** (1 / 20) = 0.168433
    for interval in (found.precision, found.recall, found.f1, found.accuracy):
        assert (interval.estimate, interval.high, interval.method) == (1.0, 1.0, RARE)
        assert interval.low == pytest.approx(1 - 0.168433, abs=1e-6)
    assert auroc_interval(gold.astype(float), gold, ids).low is None
    assert balanced_accuracy_interval(gold, gold, ids).low is None


def test_perfect_kappa_is_not_certain():
    gold = np.tile([0, 1], 20)
    ids = np.repeat(np.arange(20), 2)
    # chance disagreement 0.5: 1 - 0.168433 / 0.5 = 0.663134
    found = kappa_interval(gold, gold, ids)
    assert (found.estimate, found.high, found.method) == (1.0, 1.0, RARE)
    assert found.low == pytest.approx(0.663134, abs=1e-6)
    # three grades, 20 clusters of 3: chance (0 + 1 + 4 + 1 + 0 + 1 + 4 + 1 + 0) / 9 = 4 / 3, over the largest, 4, 1 / 3
    grades, threes = np.tile([0, 1, 2], 20), np.repeat(np.arange(20), 3)
    found = kappa_interval(grades, grades, threes, weights="quadratic")
    assert found.low == pytest.approx(1 - rare_limit(0, 20, 0.95) * 3)
    # a rare label: chance disagreement 2 * 0.05 * 0.95 = 0.095, 1 - 0.168433 / 0.095 = -0.772983
    rare = np.arange(20) == 0
    assert kappa_interval(rare, rare, np.arange(20)).low == pytest.approx(-0.772983, abs=1e-5)
    # and most rows in one cluster: the limit says nothing
    lopsided = np.maximum(np.arange(60) - 40, 0)
    assert kappa_interval(lopsided == 5, lopsided == 5, lopsided).low == -1.0
    # 12 clusters of 1 and one of 4 rows: (16 ** 2) / (12 + 16) = 9.142857 effective ones, chance 2 * 0.5 * 0.5
    uneven = np.maximum(np.arange(16) - 3, 0)
    half = np.arange(16) % 2 == 0
    assert kappa_interval(half, half, uneven).low == pytest.approx(1 - rare_limit(0, 256 / 28, 0.95) / 0.5)


def test_positive_that_never_occurs():
    found = detection_intervals([False] * 12, [False] * 12, range(12))
    assert found.precision.estimate is found.recall.estimate is found.f1.estimate is None
    assert found.accuracy.estimate == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: clustered_interval(accuracy, ([1, 2], [1, 2]), [1]),
        lambda: kappa_interval([1, 2], [1, 2], [1]),
        lambda: auroc_interval([1, 2], [1, 0], [1]),
        lambda: detection_intervals([1, 2], [1, 2], [1]),
        lambda: balanced_accuracy_interval([1, 2], [1, 2], [1]),
        lambda: clustered_interval(accuracy, ([1], [1]), [1], resamples=1),
        lambda: kappa_interval([1], [1], [1], level=2),
        lambda: auroc_interval([1], [1], [1], level=2),
        lambda: balanced_accuracy_interval([1], [1], [1], resamples=0),
        lambda: accuracy_interval([None], [1], [1]),
    ],
)
def test_misuse(call):
    with pytest.raises(UsageError):
        call()


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3), st.integers(0, 14)), min_size=1, max_size=60),
    st.randoms(use_true_random=False),
)
def test_order_of_rows_does_not_matter_and_ranges_hold(table, random):
    shuffled = list(table)
    random.shuffle(shuffled)
    results = []
    for gold, predicted, scores, ids in (zip(*table, strict=True), zip(*shuffled, strict=True)):
        detected = detection_intervals(gold, predicted, ids, resamples=60)
        results.append(
            (
                kappa_interval(gold, predicted, ids, resamples=60),
                auroc_interval(scores, gold, ids, resamples=60),
                balanced_accuracy_interval(gold, predicted, ids, resamples=60),
                detected.precision,
                detected.recall,
                detected.f1,
                detected.accuracy,
            )
        )
    assert results[0] == results[1]
    for index, found in enumerate(results[0]):
        if found.low is not None:
            assert (-1 if index == 0 else 0) <= found.low <= found.high <= 1
            assert 0 <= found.undefined < 60


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 14)), min_size=10, max_size=60))
def test_flipped_labels_mirror(table):
    gold, predicted, ids = (np.array(values) for values in zip(*table, strict=True))
    straight, flipped = (kappa_interval(g, p, ids, resamples=60) for g, p in ((gold, predicted), (~gold, ~predicted)))
    if straight.low is not None:
        assert (flipped.low, flipped.high) == pytest.approx((straight.low, straight.high))
    scores = predicted + ids / 20
    straight, flipped = (auroc_interval(scores, g, ids, resamples=60) for g in (gold, ~gold))
    if straight.low is not None:
        assert (flipped.low, flipped.high) == pytest.approx((1 - straight.high, 1 - straight.low))


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [1000, 10_000])
def test_time_grows_with_rows_and_not_with_their_square(clusters):
    gold, predicted, _ = rows(count=10_000)
    ids = np.arange(10_000) % clusters
    scores = np.round(gold + np.random.default_rng(0).random(10_000), 2)
    for call in (
        lambda n: kappa_interval(gold[:n], predicted[:n], ids[:n]),
        lambda n: detection_intervals(gold[:n] == 1, predicted[:n] == 1, ids[:n]),
        lambda n: balanced_accuracy_interval(gold[:n], predicted[:n], ids[:n]),
        lambda n: auroc_interval(scores[:n], gold[:n] == 1, ids[:n]),
    ):
        assert processor_growth(call, 1_250, 10_000) < SQUARE
