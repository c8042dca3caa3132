"""Each RAG metric by hand, with its arithmetic, and what it gives where there is nothing to count."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.metrics.rag import (
    abstention,
    answer_correctness,
    answer_relevancy,
    context_precision,
    context_recall,
    context_relevance,
    counting,
    faithfulness,
    retrieval,
)
from turnmark.schemas.judging.judgement import Verdict
from turnmark.stats.tally import Failed, NotApplicable, Ratio, Value


def verdicts(*labels):
    return [Verdict(label=label, reason="no reply" if label == "failed" else "") for label in labels]


def test_faithfulness_counts_supported_claims():
    assert faithfulness.outcomes(verdicts("supported", "contradicted", "undetermined", "supported")) == (Ratio(2, 4),)


def test_context_recall_counts_supported_claims():
    assert context_recall.outcomes(verdicts("supported", "undetermined")) == (Ratio(1, 2),)


def test_context_relevance_counts_relevant_contexts():
    assert context_relevance.outcomes(verdicts("relevant", "irrelevant", "irrelevant")) == (Ratio(1, 3),)


@pytest.mark.parametrize("metric", [faithfulness, context_recall, context_relevance, context_precision])
class TestSharesAndFailures:
    def test_nothing_to_judge(self, metric):
        assert isinstance(metric.outcomes([]), NotApplicable)

    def test_failed_verdicts_are_left_out(self, metric):
        good = "relevant" if metric is context_relevance else "supported"
        with_failures = metric.outcomes(verdicts("failed", good, "failed"))
        assert with_failures == metric.outcomes(verdicts(good))

    def test_all_failed(self, metric):
        assert metric.outcomes(verdicts("failed", "failed")) == Failed("no reply")


def test_context_precision_by_hand():
    # Hits at ranks 1 and 3: (1/1 + 2/3) / 2 = 5/6; the first rank hits; 2 of 4 belong there.
    found = context_precision.outcomes(verdicts("supported", "undetermined", "supported", "undetermined"))
    assert found == (Value(pytest.approx(5 / 6)), Ratio(1, 1), Ratio(2, 4))


def test_context_precision_without_a_hit():
    assert context_precision.outcomes(verdicts("undetermined")) == (Value(0.0), Ratio(0, 1), Ratio(0, 1))


def test_answer_relevancy_by_hand():
    degrees = [Verdict(label="relevant", probability=1.0), Verdict(label="irrelevant", probability=0.0)]
    # (max 1 + mean 0.5) / 2.
    assert answer_relevancy.outcomes(degrees) == (Value(0.75),)
    assert isinstance(answer_relevancy.outcomes([]), NotApplicable)
    assert answer_relevancy.outcomes(verdicts("failed")) == Failed("no reply")


def test_answer_correctness_by_hand():
    # Precision 2 / (3 + 1 contradicted) = 1/2, recall 2/2 = 1: 2 * 1/2 * 1 / (3/2) = 2/3.
    found = answer_correctness.outcomes(
        verdicts("supported", "supported", "contradicted"), verdicts("supported", "supported")
    )
    assert found == (Value(pytest.approx(2 / 3)), Ratio(2, 4), Ratio(2, 2))


def test_answer_correctness_at_its_ends():
    assert answer_correctness.outcomes(verdicts("supported"), verdicts("supported"))[0] == Value(1.0)
    assert answer_correctness.outcomes(verdicts("contradicted"), verdicts("contradicted"))[0] == Value(0.0)
    assert isinstance(answer_correctness.outcomes([], verdicts("supported")), NotApplicable)
    assert answer_correctness.outcomes(verdicts("supported"), verdicts("failed")) == Failed("no reply")
    assert answer_correctness.outcomes(verdicts("failed"), verdicts("supported")) == Failed("no reply")


@pytest.mark.parametrize(
    ("reference", "contexts", "right"),
    [
        (["supported", "supported"], None, 0),
        (["undetermined", "undetermined"], None, 1),
        (["supported", "undetermined"], ["irrelevant"], 0),
        (["supported", "undetermined", "undetermined"], ["relevant"], 1),
        (None, ["irrelevant", "irrelevant"], 1),
        (None, ["irrelevant", "relevant"], 0),
        (None, [], 1),
    ],
)
def test_abstention(reference, contexts, right):
    found = abstention.outcomes(
        abstains=True,
        reference_abstains=False,
        reference=None if reference is None else verdicts(*reference),
        contexts=None if contexts is None else verdicts(*contexts),
    )
    assert found == (Ratio(right, 1), Ratio(1 - right, 1), Ratio(0, 0))


def declined(abstains, reference_abstains=False, reference=None):
    return abstention.outcomes(
        abstains=abstains, reference_abstains=reference_abstains, reference=reference, contexts=None
    )


def test_abstention_that_cannot_be_told():
    assert isinstance(declined(False), NotApplicable)
    assert isinstance(declined(True), NotApplicable)
    assert declined(True, reference=verdicts("failed")) == Failed("no reply")
    assert declined(True, reference=verdicts("not_decided")) == (Ratio(0, 0, 1), Ratio(0, 0, 1), Ratio(0, 0))


def test_declining_and_answering_where_the_reference_declines():
    assert declined(True, reference_abstains=True) == (Ratio(1, 1), Ratio(0, 1), Ratio(0, 1))
    assert declined(False, reference_abstains=True) == (Ratio(0, 0), Ratio(0, 0), Ratio(1, 1))


def test_retrieval_by_hand():
    # Relevant at ranks 2 and 4 of 4, three relevant in all, with grades 1, 2 and 1.
    ndcg, hit, recall, precision, reciprocal, average = retrieval.outcomes(
        ["d1", "d2", "d3", "d4"], {"d2": 1, "d4": 2, "d9": 1, "d1": 0}
    )
    assert (hit, recall, precision) == (Ratio(1, 1), Ratio(2, 3), Ratio(2, 4))
    assert reciprocal == Value(0.5)
    assert average.value == pytest.approx((1 / 2 + 2 / 4) / 3)
    gained = 1 / math.log2(3) + 2 / math.log2(5)
    ideal = 2 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg.value == pytest.approx(gained / ideal)


def test_retrieval_where_nothing_is_retrieved_or_relevant():
    assert retrieval.outcomes([], ["d1"]) == (
        Value(0.0), Ratio(0, 1), Ratio(0, 1), Ratio(0, 0), Value(0.0), Value(0.0),
    )  # fmt: skip
    assert retrieval.outcomes(["d1"], []) == NotApplicable("no id is relevant")
    assert retrieval.outcomes(["d1"], {"d1": 0}) == NotApplicable("no id is relevant")
    assert isinstance(retrieval.outcomes(None, ["d1"]), NotApplicable)
    assert isinstance(retrieval.outcomes(["d1"], None), NotApplicable)


def test_retrieval_without_the_library(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pytrec_eval", None)
    found = retrieval.outcomes(["d1"], ["d1"])
    assert isinstance(found, NotApplicable)
    assert "pip install 'turnmark[rag]'" in str(found.reason)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=8), st.sets(st.sampled_from("abcdef"), min_size=1))
def test_retrieval_against_the_definitions(ranking, relevant):
    ranking = list(dict.fromkeys(ranking))
    _, hit, recall, precision, reciprocal, average = retrieval.outcomes(ranking, sorted(relevant))
    flags = [name in relevant for name in ranking]
    assert hit == Ratio(int(any(flags)), 1)
    assert recall == Ratio(sum(flags), len(relevant))
    assert precision == Ratio(sum(flags), len(ranking))
    assert reciprocal.value == pytest.approx(1 / (flags.index(True) + 1) if any(flags) else 0.0)
    hits = [sum(flags[: rank + 1]) / (rank + 1) for rank in range(len(flags)) if flags[rank]]
    assert average.value == pytest.approx(sum(hits) / len(relevant))


LABELS = st.sampled_from(["supported", "contradicted", "undetermined", "failed"])


@given(st.lists(LABELS, max_size=8), st.lists(LABELS, max_size=8))
def test_correctness_lies_between_0_and_1_and_a_contradiction_never_helps(answer, reference):
    found = answer_correctness.outcomes(verdicts(*answer), verdicts(*reference))
    if isinstance(found, NotApplicable | Failed):
        return
    assert 0.0 <= found[0].value <= 1.0
    worse = answer_correctness.outcomes(verdicts(*answer, "contradicted"), verdicts(*reference))
    assert worse[0].value <= found[0].value


def test_a_context_that_seems_relevant_leaves_a_question_that_asks_for_no_value_open():
    def open_question(label, probability, *, asks_for_value=False):
        contexts = [Verdict(label=label, probability=probability)]
        return abstention.outcomes(
            abstains=True, reference_abstains=False, reference=None, contexts=contexts, asks_for_value=asks_for_value
        )

    undecided = (Ratio(0, 0, 1), Ratio(0, 0, 1), Ratio(0, 0))
    right, wrong = (Ratio(1, 1), Ratio(0, 1), Ratio(0, 0)), (Ratio(0, 1), Ratio(1, 1), Ratio(0, 0))
    assert open_question("relevant", 0.97) == undecided
    assert open_question("relevant", None) == undecided
    assert open_question("relevant", 0.97, asks_for_value=True) == wrong
    assert open_question("relevant", 0.96) == right  # not sure enough to say that the answer was there
    assert open_question("irrelevant", 1.0) == right


def test_correctness_where_nothing_of_the_reference_was_decided():
    open_reference = verdicts("not_decided", "not_decided")
    agreeing = answer_correctness.outcomes(verdicts("supported"), open_reference)
    assert agreeing == (Ratio(0.0, 0.0, 1.0), Ratio(1, 1), Ratio(0, 0, 2))
    against = answer_correctness.outcomes(verdicts("supported", "contradicted"), open_reference)
    assert against == (Ratio(0.0, 1.0), Ratio(1, 3), Ratio(0, 0, 2))


def test_a_short_reference_is_one_point_and_a_long_one_several():
    answer = verdicts("supported", "contradicted")
    assert answer_correctness.outcomes(answer, verdicts("supported", "undetermined"))[0] == Value(0.0)
    # Precision 1/3, recall 2/3: 2 * 1/3 * 2/3 / 1 = 4/9.
    of_three = answer_correctness.outcomes(answer, verdicts("supported", "supported", "undetermined"))
    assert of_three[0] == Value(pytest.approx(4 / 9))
    # Recall 2/2: 2 * 1/3 / (4/3) = 1/2. Nothing of the point is missed.
    assert answer_correctness.outcomes(answer, verdicts("supported", "supported"))[0] == Value(pytest.approx(1 / 2))
    # The first claim is the point of a reference: without it the answer is wrong.
    missed = answer_correctness.outcomes(verdicts("supported"), verdicts("undetermined", *["supported"] * 3))
    assert missed[0] == Value(0.0)


def test_relevancy_that_was_not_decided_is_open():
    assert answer_relevancy.outcomes(verdicts("not_decided")) == (Ratio(0, 0, 1),)


def test_verdicts_that_were_lost_are_counted_and_the_first_says_why():
    assert counting.failures(verdicts("failed", "supported", "failed")) == 2
    lost = [Verdict(label="failed", reason="no reply"), Verdict(label="failed", reason="too late")]
    assert str(counting.lost(lost)) == "no reply"
    assert counting.lost([Verdict(label="failed"), lost[1]]) == counting.NO_VERDICT
