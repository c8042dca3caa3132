"""The worked examples of the field-relations document, and their Korean and English translations."""

import pytest

from turnmark.rag import EvalCase, evaluate

CHINESE = {
    "what": "什么是 FHA 贷款的最低首付？",
    "how_much": "FHA 贷款的最低首付是多少？",
    "which": "FHA 贷款有哪些要求？",
    "faithful": "FHA 贷款最低首付为 3.5%",
    "invented": "FHA 贷款最低首付为 3.5%，且联邦政府强制要求不得超过此比例",
    "context": "FHA 贷款允许最低 3.5% 的首付...",
    "noise": "ARMs 通常以较低利率开始...",
    "two_facts": "FHA 贷款最低首付 3.5%，信用分数至少 580",
    "direct": "FHA 贷款允许最低 3.5% 的首付",
    "verbose": "FHA 贷款有很多优势，包括较低的首付要求、灵活的信用分数标准...",
    "wrong": "FHA 贷款最低首付为 5%",
}
ENGLISH = {
    "what": "What is the minimum down payment for an FHA loan?",
    "how_much": "How much is the minimum down payment on an FHA loan?",
    "which": "What are the requirements for an FHA loan?",
    "faithful": "The minimum down payment for an FHA loan is 3.5%",
    "invented": "The minimum down payment for an FHA loan is 3.5%, and the federal government mandates that it not be "
    "exceeded",
    "context": "FHA loans allow a minimum down payment of 3.5%...",
    "noise": "ARMs usually start with a lower interest rate...",
    "two_facts": "FHA loans require a minimum down payment of 3.5% and a credit score of at least 580",
    "direct": "FHA loans allow a minimum down payment of 3.5%",
    "verbose": "FHA loans have many advantages, including lower down payment requirements, flexible credit score "
    "standards...",
    "wrong": "The minimum down payment for an FHA loan is 5%",
}
KOREAN = {
    "what": "FHA 대출의 최소 계약금은 무엇입니까?",
    "how_much": "FHA 대출의 최소 계약금은 얼마입니까?",
    "which": "FHA 대출에는 어떤 요건이 있습니까?",
    "faithful": "FHA 대출의 최소 계약금은 3.5%입니다",
    "invented": "FHA 대출의 최소 계약금은 3.5%이며, 연방정부는 이 비율을 초과하지 못하도록 강제로 요구합니다",
    "context": "FHA 대출은 최소 3.5%의 계약금을 허용합니다...",
    "noise": "ARM은 일반적으로 낮은 금리로 시작합니다...",
    "two_facts": "FHA 대출은 최소 계약금 3.5%, 신용 점수 최소 580점입니다",
    "direct": "FHA 대출은 최소 3.5%의 계약금을 허용합니다",
    "verbose": "FHA 대출은 낮은 계약금 요건, 유연한 신용 점수 기준 등 많은 장점이 있습니다...",
    "wrong": "FHA 대출의 최소 계약금은 5%입니다",
}


def result(metric, **fields):
    return evaluate([EvalCase(**fields)], [metric])[0].results[metric]


@pytest.mark.parametrize("text", [CHINESE, ENGLISH, KOREAN], ids=["zh", "en", "ko"])
class TestExamples:
    def test_faithful_answer(self, text):
        found = result(
            "faithfulness", question=text["what"], answer=text["faithful"], retrieved_contexts=[text["context"]]
        )
        assert (found.score, found.hits, found.total) == (1.0, 1, 1)

    def test_invented_second_half(self, text):
        found = result(
            "faithfulness", question=text["what"], answer=text["invented"], retrieved_contexts=[text["context"]]
        )
        assert (found.score, found.hits, found.total) == (0.5, 1, 2)
        assert [claim.verdict.label for claim in found.claims] == ["supported", "undetermined"]

    def test_half_of_the_contexts_relevant(self, text):
        found = result(
            "context_relevance", question=text["how_much"], retrieved_contexts=[text["context"], text["noise"]]
        )
        assert found.score == 0.5
        assert [claim.verdict.label for claim in found.claims] == ["relevant", "irrelevant"]

    def test_half_of_the_reference_recalled(self, text):
        found = result(
            "context_recall",
            question=text["which"],
            ground_truth_answer=text["two_facts"],
            retrieved_contexts=[text["context"]],
        )
        assert (found.score, found.hits, found.total) == (0.5, 1, 2)

    def test_relevant_context_ranked_second(self, text):
        found = result(
            "context_precision",
            question=text["how_much"],
            ground_truth_contexts=[text["context"]],
            retrieved_contexts=[text["noise"], text["context"]],
        )
        # Average precision: the only hit stands at rank 2, so (1 / 2) / 1.
        assert found.score == 0.5
        assert found.details == {"precision_at_1": 0.0, "precision_at_k": 0.5}

    def test_direct_answer(self, text):
        assert result("answer_relevancy", question=text["how_much"], answer=text["direct"]).score == 1.0

    def test_verbose_answer(self, text):
        found = result("answer_relevancy", question=text["how_much"], answer=text["verbose"])
        assert found.score == pytest.approx(0.6, abs=0.15)

    def test_same_answer_in_other_words(self, text):
        found = result(
            "answer_correctness",
            question=text["how_much"],
            ground_truth_answer=text["direct"],
            answer=text["faithful"],
        )
        assert found.score == 1.0

    def test_wrong_number(self, text):
        found = result(
            "answer_correctness", question=text["how_much"], ground_truth_answer=text["direct"], answer=text["wrong"]
        )
        assert found.score == 0.0
        assert found.claims[0].verdict.label == "contradicted"
        assert found.claims[0].verdict.reason in ("number 5% ≠ 3.5%", "number at least 5% ≠ at least 3.5%")
