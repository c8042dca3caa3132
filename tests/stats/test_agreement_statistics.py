import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from turnmark.errors import UsageError
from turnmark.stats.agreement import (
    accuracy,
    auroc,
    balanced_accuracy,
    cluster_codes,
    cohen_kappa,
    confusion,
    known,
    midranks,
    precision_recall_f1,
    spearman,
)

QUICK = settings(max_examples=60, deadline=None)
GRADES = ["compliant", "minor", "severe"]

pairs = st.lists(st.tuples(st.sampled_from(GRADES), st.sampled_from(GRADES)), min_size=1, max_size=30)
scored = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=30)


def split(rows):
    return [row[0] for row in rows], [row[1] for row in rows]


def test_known_drops_rows_without_a_judgement():
    found = known([True, None, False, True], [True, True, None, False], ["a", "b", "c", None])
    assert found == ([True, True], [True, False], ["a", None])
    assert known([], [], []) == ([], [], [])
    assert known(np.array([1.5, 2.5]), [None, 0], [1, 2]) == ([2.5], [0], [2])


def test_confusion_by_hand():
    gold, predicted = ["a", "a", "b", "c", "a"], ["a", "b", "b", "b", "a"]
    assert confusion(gold, predicted, ["a", "b", "c"]).tolist() == [[2, 1, 0], [0, 1, 0], [0, 1, 0]]
    assert confusion([], [], [True, False]).tolist() == [[0, 0], [0, 0]]
    assert confusion(np.array([True, False]), np.array([True, True]), [False, True]).tolist() == [[0, 1], [0, 1]]


def test_precision_recall_f1_by_hand():
    # 8 found rightly, 2 wrongly, 4 missed: 8 / 10, 8 / 12, 16 / 22
    assert precision_recall_f1(8, 2, 4) == (0.8, pytest.approx(2 / 3), pytest.approx(8 / 11))
    assert precision_recall_f1(0, 0, 0) == (None, None, None)
    assert precision_recall_f1(0, 0, 3) == (None, 0.0, 0.0)
    assert precision_recall_f1(0, 3, 0) == (0.0, None, 0.0)


def test_accuracy_and_balanced_accuracy_by_hand():
    gold, predicted = [True] * 8 + [False] * 2, [True] * 8 + [True, False]
    # 9 of 10; (8 / 8 + 1 / 2) / 2
    assert accuracy(gold, predicted) == 0.9
    assert balanced_accuracy(gold, predicted) == 0.75
    # the constant yes
    assert accuracy(gold, [True] * 10) == 0.8
    assert balanced_accuracy(gold, [True] * 10) == 0.5
    assert accuracy([], []) is None
    assert balanced_accuracy([], []) is None
    assert balanced_accuracy([True, True], [True, False]) is None


def test_balanced_accuracy_over_given_labels():
    assert balanced_accuracy(["a", "b"], ["a", "a"], labels=["a", "b"]) == 0.5
    assert balanced_accuracy(["a", "b"], ["a", "c"], labels=["a", "b"]) == 0.5
    assert balanced_accuracy(["a", "b"], ["a", "b"], labels=["a", "b", "c"]) is None
    assert balanced_accuracy(["a", "a"], ["a", "b"], labels=["a"]) is None
    with pytest.raises(UsageError, match="outside labels"):
        balanced_accuracy(["a", "b"], ["a", "b"], labels=["a"])


def test_kappa_by_hand():
    # 20 yes / yes, 5 yes / no, 10 no / yes, 15 no / no: observed 35 / 50 = 0.7,
    # chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa (0.7 - 0.5) / (1 - 0.5) = 0.4
    gold = [1] * 25 + [0] * 25
    predicted = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert cohen_kappa(gold, predicted) == pytest.approx(0.4)


def test_weighted_kappa_by_hand():
    # gold 0 1 2, predicted 0 2 2. O: penalties 0, 1, 0. E over all nine pairs of gold and predicted values:
    # linear 0+2+2 + 1+1+1 + 2+0+0 = 9, so 1 - (1 / 3) / (9 / 9) = 2 / 3
    # quadratic 0+4+4 + 1+1+1 + 4+0+0 = 15, so 1 - (1 / 3) / (15 / 9) = 0.8
    assert cohen_kappa([0, 1, 2], [0, 2, 2], "linear") == pytest.approx(2 / 3)
    assert cohen_kappa([0, 1, 2], [0, 2, 2], "quadratic") == pytest.approx(0.8)


def test_kappa_undefined():
    assert cohen_kappa([], []) is None
    assert cohen_kappa([True, True], [True, True]) is None
    assert cohen_kappa([True, True], [False, False]) == 0.0
    assert cohen_kappa([], [], "linear", labels=["low", "high"]) is None


def test_kappa_order_of_grades():
    gold, predicted = ["low", "high", "middle", "high"], ["low", "middle", "middle", "high"]
    order = ["low", "middle", "high"]
    numbers = [order.index(x) for x in gold], [order.index(x) for x in predicted]
    assert cohen_kappa(gold, predicted, "linear", labels=order) == cohen_kappa(*numbers, "linear")
    with pytest.raises(UsageError, match="no order of their own"):
        cohen_kappa(gold, predicted, "linear")
    # a grade that did not occur widens the distance of its neighbours
    assert cohen_kappa([1, 3, 1, 2], [1, 1, 1, 2], "quadratic", labels=[1, 2, 3]) == pytest.approx(
        metrics.cohen_kappa_score([1, 3, 1, 2], [1, 1, 1, 2], weights="quadratic", labels=[1, 2, 3])
    )


def test_auroc_by_hand():
    # positives 3 and 2, negatives 2 and 1: 3>2, 3>1, 2=2 (half), 2>1: 3.5 of 4
    assert auroc([3, 2, 2, 1], [True, True, False, False]) == 0.875
    assert auroc([1.0, 1.0], [1, 0]) == 0.5
    assert auroc([math.inf, -math.inf], [1, 0]) == 1.0
    assert auroc([], []) is None
    assert auroc([1, 2], [True, True]) is None
    assert auroc([1, 2], [False, False]) is None


def test_midranks_by_hand():
    assert midranks([30, 10, 20, 20]).tolist() == [4, 1, 2.5, 2.5]
    assert midranks([]).tolist() == []


def test_spearman_by_hand():
    # ranks 1 2 3 4 5 and 2 1 4 3 5: squared differences 1 1 1 1 0, 1 - 6 * 4 / (5 * 24) = 0.8
    assert spearman([1, 2, 3, 4, 5], [20, 10, 40, 30, 50]) == pytest.approx(0.8)
    assert spearman([1, 2], [2, 1]) == -1.0
    assert spearman([1, 2], [3, 3]) is None
    assert spearman([1], [3]) is None
    assert spearman([], []) is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: known([1], [1, 2], [1]), r"lengths \[1, 2, 1\]"),
        (lambda: confusion([1], [1, 2], [1, 2]), r"lengths \[1, 2\]"),
        (lambda: confusion(["x"], ["a"], ["a"]), "'x' is not one of the labels"),
        (lambda: confusion([None], ["a"], ["a"]), "None is not one of the labels"),
        (lambda: accuracy([None], [True]), "a label is None"),
        (lambda: accuracy([1], ["a"]), r"labels mix types .*\(int, str\)"),
        (lambda: precision_recall_f1(1, -1, 0), "none may be negative"),
        (lambda: cohen_kappa([1], [1], "cubic"), "weights is 'cubic'"),
        (lambda: auroc([1.0, math.nan], [0, 1]), "values hold nan or None at row 1"),
        (lambda: auroc([None], [0]), "nan or None at row 0"),
        (lambda: auroc([1.0], [2]), "label 2 is neither"),
        (lambda: auroc([1.0], [None]), "label None is neither"),
        (lambda: auroc([1.0], [0, 1]), "lengths"),
        (lambda: spearman([1.0], [0, 1]), "lengths"),
        (lambda: cluster_codes(["a", 1]), "clusters mix types"),
    ],
)
def test_misuse(call, message):
    with pytest.raises(UsageError, match=message):
        call()


@QUICK
@given(pairs, st.sampled_from([None, "linear", "quadratic"]))
def test_label_statistics_against_sklearn_and_textbook(textbook, rows, weights):
    gold, predicted = split(rows)
    table = metrics.confusion_matrix(gold, predicted, labels=GRADES)
    assert confusion(gold, predicted, GRADES).tolist() == table.tolist()
    assert accuracy(gold, predicted) == pytest.approx(metrics.accuracy_score(gold, predicted))
    assert balanced_accuracy(gold, predicted) == pytest.approx(textbook.balanced_accuracy(gold, predicted))
    found = cohen_kappa(gold, predicted, weights, labels=GRADES)
    assert found == pytest.approx(textbook.kappa(gold, predicted, GRADES, weights))
    if found is not None:
        reference = metrics.cohen_kappa_score(gold, predicted, weights=weights, labels=GRADES)
        assert found == pytest.approx(reference, abs=1e-12)
        assert -1 <= found <= 1


@QUICK
@given(pairs)
def test_balanced_accuracy_against_sklearn(rows):
    gold, predicted = split(rows)
    assume(len(set(gold)) > 1 and set(predicted) <= set(gold))
    assert balanced_accuracy(gold, predicted) == pytest.approx(metrics.balanced_accuracy_score(gold, predicted))


@QUICK
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_precision_recall_f1_against_sklearn(rows):
    gold, predicted = np.array(rows).T
    tp, fp, fn = (int(np.sum(x)) for x in (gold & predicted, ~gold & predicted, gold & ~predicted))
    found = precision_recall_f1(tp, fp, fn)
    reference = metrics.precision_recall_fscore_support(gold, predicted, average="binary", zero_division=np.nan)
    for mine, theirs in zip(found, reference[:3], strict=True):
        assert (math.nan if mine is None else mine) == pytest.approx(theirs, nan_ok=True)
        assert mine is None or 0 <= mine <= 1


@QUICK
@given(scored)
def test_auroc_against_sklearn_and_textbook(textbook, rows):
    scores, labels = split(rows)
    found = auroc(scores, labels)
    assert found == pytest.approx(textbook.auroc(scores, labels))
    if found is not None:
        assert found == pytest.approx(metrics.roc_auc_score(labels, scores))
        assert 0 <= found <= 1


@QUICK
@given(st.lists(st.tuples(st.integers(0, 5), st.floats(-2, 2)), min_size=2, max_size=30))
def test_ranks_against_scipy_and_textbook(textbook, rows):
    x, y = split(rows)
    assert midranks(y).tolist() == stats.rankdata(y).tolist() == textbook.midranks(y)
    found = spearman(x, y)
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert found == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
        assert found == pytest.approx(textbook.spearman(x, y), abs=1e-12)
        assert -1 <= found <= 1
    else:
        assert found is None


@QUICK
@given(pairs, st.data())
def test_order_of_rows_does_not_matter(rows, data):
    shuffled = data.draw(st.permutations(rows))
    for statistic in (accuracy, balanced_accuracy, cohen_kappa):
        assert statistic(*split(rows)) == statistic(*split(shuffled))
    codes = [(GRADES.index(a), GRADES.index(b)) for a, b in rows]
    other = data.draw(st.permutations(codes))
    assert spearman(*split(codes)) == spearman(*split(other))
    assert auroc([a for a, _ in codes], [b > 0 for _, b in codes]) == auroc(
        [a for a, _ in other], [b > 0 for _, b in other]
    )


@QUICK
@given(pairs)
def test_kappa_symmetries(rows):
    gold, predicted = split(rows)
    mirrored = dict(zip(GRADES, reversed(GRADES), strict=True))
    for weights in (None, "linear", "quadratic"):
        found = cohen_kappa(gold, predicted, weights, labels=GRADES)
        assert cohen_kappa(predicted, gold, weights, labels=GRADES) == pytest.approx(found)
        flipped = cohen_kappa([mirrored[x] for x in gold], [mirrored[x] for x in predicted], weights, labels=GRADES)
        assert flipped == pytest.approx(found)
    if len(set(gold)) > 1:
        assert cohen_kappa(gold, gold) == 1.0


@QUICK
@given(scored)
def test_auroc_symmetries(rows):
    scores, labels = split(rows)
    found = auroc(scores, labels)
    if found is not None:
        assert auroc(scores, [not label for label in labels]) == pytest.approx(1 - found)
        assert auroc([-score for score in scores], labels) == pytest.approx(1 - found)
        assert auroc([math.exp(score) for score in scores], labels) == found


@QUICK
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=20))
def test_spearman_symmetries(rows):
    x, y = split(rows)
    found = spearman(x, y)
    if found is not None:
        assert spearman(y, x) == found
        assert spearman(x, [-value for value in y]) == -found
        assert spearman(x, x) == 1.0


@QUICK
@given(pairs, st.data())
def test_one_more_error_never_raises_accuracy(rows, data):
    right = [i for i, (gold, predicted) in enumerate(rows) if gold == predicted]
    assume(right)
    index = data.draw(st.sampled_from(right))
    gold, predicted = split(rows)
    worse = list(predicted)
    worse[index] = data.draw(st.sampled_from([grade for grade in GRADES if grade != gold[index]]))
    assert accuracy(gold, worse) < accuracy(gold, predicted)
    before, after = balanced_accuracy(gold, predicted), balanced_accuracy(gold, worse)
    assert (before is None and after is None) or after < before


@QUICK
@given(st.integers(1, 50), st.integers(0, 50), st.integers(0, 50))
def test_one_more_error_never_raises_f1(tp, fp, fn):
    found = precision_recall_f1(tp, fp, fn)
    assert precision_recall_f1(tp - 1, fp, fn + 1).f1 < found.f1
    assert precision_recall_f1(tp, fp + 1, fn).f1 < found.f1
    # the harmonic mean of the other two
    assert found.f1 == pytest.approx(2 / (1 / found.precision + 1 / found.recall))
