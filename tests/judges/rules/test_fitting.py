"""Fitting under known signs, against scikit-learn where both do the same."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from turnmark.judges.rules.learned.fitting import Rows, fit, refit, sign


def rows(count=400, seed=0):
    source = np.random.default_rng(seed)
    values = source.random((count, 2))
    labels = (source.random(count) < 1 / (1 + np.exp(-(4 * values[:, 0] - 3 * values[:, 1] - 0.5)))).astype(int)
    return values, labels


def test_signs():
    assert (sign("covered"), sign("back_covered"), sign("numbers_lost"), sign("claim_size")) == (1, 1, -1, 0)
    assert sign("covered", -1) == -1


def test_the_same_as_scikit_learn_where_signs_allow():
    values, labels = rows()
    model = fit([Rows("one", values, labels)], ("covered", "missing"), 0.01)
    balanced = np.where(labels == 1, 0.5 / labels.sum(), 0.5 / (1 - labels).sum())
    inputs = (values - balanced @ values) / np.sqrt(balanced @ (values - balanced @ values) ** 2)
    # scikit-learn weighs the loss with C and a sum; here it is a mean with a penalty of half the squares.
    reference = LogisticRegression(C=1 / 0.01, tol=1e-10, max_iter=5000).fit(inputs, labels, sample_weight=balanced)
    assert model.weights == pytest.approx(reference.coef_[0], abs=1e-4)
    assert model.offset == pytest.approx(reference.intercept_[0], abs=1e-4)


def test_a_weight_of_the_wrong_sign_is_zero():
    values, labels = rows()
    model = fit([Rows("one", values, labels)], ("missing", "covered"), 0.01)
    assert model.weights == (0.0, 0.0)
    assert fit([Rows("one", values, labels)], ("missing", "covered"), 0.01, [0, 0]).weights[0] > 0.5


def test_sets_weigh_the_same_whatever_their_size():
    values, labels = rows()
    small, large = Rows("small", values[:100], labels[:100]), Rows("large", np.tile(values, (5, 1)), np.tile(labels, 5))
    thrice = Rows("small", np.tile(values[:100], (3, 1)), np.tile(labels[:100], 3))
    one = fit([small, large], ("covered", "missing"))
    other = fit([thrice, large], ("covered", "missing"))
    assert one.weights == pytest.approx(other.weights, abs=1e-5)
    assert (one.rows, one.sets) == (2100, ("small", "large"))


def test_a_constant_measure_does_no_harm():
    values, labels = rows()
    values[:, 1] = 1.0
    assert fit([Rows("one", values, labels)], ("covered", "missing")).weights[1] == 0.0


def test_refitting_departs_from_the_base_as_the_penalty_allows():
    values, labels = rows()
    base = fit([Rows("one", values, labels)], ("covered", "missing"), 0.01)
    other_values, other = rows(seed=7)
    dicts = [{"covered": one, "missing": two, "claim_size": one * two} for one, two in other_values]
    held = refit(base, dicts, list(1 - other), 1000.0)
    free = refit(base, dicts, list(1 - other), 0.01)
    assert held.measures == ("covered", "missing", "claim_size")
    assert held.weights[:2] == pytest.approx(base.weights, abs=0.01)
    assert free.weights[0] < 0 < base.weights[0]
