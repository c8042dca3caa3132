"""One change at a time moves the right metric in the right direction, in three languages alike."""

import pytest
from direction_cases import CASES, changed, joined

from turnmark.rag import EvalCase, evaluate

LANGUAGES = ["en", "zh", "ko"]


def fields(language):
    """A case in which everything is right."""
    case = CASES[language]
    whole = joined(language, case["facts"])
    contexts = [joined(language, case["facts"][:2]), joined(language, case["facts"][2:]), case["noise"]]
    return {
        "question": case["question"],
        "answer": whole,
        "ground_truth_answer": whole,
        "retrieved_contexts": contexts,
        "ground_truth_contexts": contexts[:2],
    }


def scores(language, **changes):
    results = evaluate([EvalCase(**{**fields(language), **changes})])[0].results
    return {name: result.score for name, result in results.items()}, results


@pytest.mark.parametrize("language", LANGUAGES)
class TestOneChange:
    def test_identical_texts_score_one(self, language):
        found, results = scores(language)
        for name in ("faithfulness", "context_recall", "context_precision", "answer_correctness"):
            assert found[name] == 1.0, name
        assert {claim.verdict.label for claim in results["faithfulness"].claims} == {"supported"}

    @pytest.mark.parametrize("what", ["number", "negation", "name"])
    def test_a_changed_fact_contradicts(self, language, what):
        before, _ = scores(language)
        after, results = scores(language, answer=changed(language, what))
        assert after["faithfulness"] < before["faithfulness"]
        assert after["answer_correctness"] < before["answer_correctness"]
        assert after["context_recall"] == before["context_recall"]
        against = [claim for claim in results["faithfulness"].claims if claim.verdict.label == "contradicted"]
        assert len(against) == 1
        assert against[0].verdict.quote
        assert against[0].material.startswith("retrieved_contexts[")

    def test_a_dropped_fact_lowers_correctness_only(self, language):
        facts = CASES[language]["facts"]
        after, _ = scores(language, answer=joined(language, facts[:3]))
        assert after["answer_correctness"] < 1.0
        assert after["faithfulness"] == 1.0

    def test_an_invented_clause_lowers_faithfulness(self, language):
        case = CASES[language]
        after, results = scores(language, answer=joined(language, [*case["facts"], case["invented"]]))
        # What is new in it is not stated, or is at least not decided: the figure falls, or its lower bound does.
        found = results["faithfulness"]
        assert found.hits / (found.total + found.undecided) < 1.0
        assert found.claims[-1].verdict.label in ("undetermined", "not_decided")
        # What the reference does not speak of may be true.
        assert after["answer_correctness"] == 1.0

    def test_a_context_that_is_gone_lowers_recall(self, language):
        contexts = fields(language)["retrieved_contexts"]
        _, after = scores(language, retrieved_contexts=contexts[:1])
        # What is gone is not stated, or not decided: the figure falls, or its lower bound does.
        for name in ("context_recall", "faithfulness"):
            found = after[name]
            assert found.hits / (found.total + found.undecided) < 1.0

    def test_noise_in_front_lowers_precision(self, language):
        contexts = fields(language)["retrieved_contexts"]
        after, _ = scores(language, retrieved_contexts=[contexts[2], *contexts[:2]])
        # Hits at ranks 2 and 3: (1/2 + 2/3) / 2.
        assert after["context_precision"] == pytest.approx(7 / 12)

    def test_noise_lowers_relevance(self, language):
        contexts = fields(language)["retrieved_contexts"]
        with_noise, _ = scores(language)
        without, _ = scores(language, retrieved_contexts=contexts[:2])
        assert without["context_relevance"] > with_noise["context_relevance"]

    def test_an_answer_about_something_else(self, language):
        case = CASES[language]
        direct, _ = scores(language, answer=case["facts"][0])
        mixed, _ = scores(language, answer=joined(language, [case["facts"][0], case["off_topic"]]))
        _, away = scores(language, answer=case["off_topic"])
        assert direct["answer_relevancy"] == 1.0
        assert direct["answer_relevancy"] > mixed["answer_relevancy"]
        # A few words that are nowhere may answer in other words: they are off the question, or not decided.
        assert {claim.verdict.label for claim in away["answer_relevancy"].claims} <= {"irrelevant", "not_decided"}
        assert away["answer_relevancy"].claims[0].verdict.probability < 0.3


@pytest.mark.parametrize("what", [None, "number", "negation", "name"])
def test_the_same_case_scores_alike_in_three_languages(what):
    found = [
        scores(language, **({} if what is None else {"answer": changed(language, what)}))[0] for language in LANGUAGES
    ]
    for name in ("faithfulness", "context_relevance", "context_recall", "context_precision", "answer_relevancy",
                 "answer_correctness"):  # fmt: skip
        values = [each[name] for each in found]
        assert max(values) - min(values) <= 0.1, name
