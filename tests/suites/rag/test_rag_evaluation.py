"""A case from its fields to its results: what is asked of a judge, what comes back, what is missing."""

import asyncio

import msgspec
import pytest

from turnmark.errors import UsageError
from turnmark.judges.protocol import Claim, Passage, Query, Verdict
from turnmark.judges.rules.judge import RulesJudge
from turnmark.rag import EvalCase, evaluate, evaluate_each
from turnmark.stats.tally import Failed, NotApplicable
from turnmark.suites.rag.case import METRICS, case_steps, evaluate_case, evaluate_case_async, fingerprint, scenario

FULL = {
    "question": "What is the fee?",
    "answer": "The fee is 12 dollars. It is due in May.",
    "ground_truth_answer": "The fee is 12 dollars.",
    "ground_truth_contexts": ["The fee is 12 dollars."],
    "retrieved_contexts": ["The fee is 12 dollars.", "Whales feed on krill."],
}


class Recorder(RulesJudge):
    """The rules judge, with what it was asked."""

    def __init__(self):
        super().__init__()
        self.passages, self.queries = [], []

    def claims(self, passages):
        self.passages.append(list(passages))
        return super().claims(passages)

    def verdicts(self, queries):
        self.queries.append(list(queries))
        return super().verdicts(queries)


class Failing(RulesJudge):
    """Fails on some claims; everything else is as usual."""

    name = "failing"

    def __init__(self, share):
        super().__init__()
        self.share = share

    def verdicts(self, queries):
        lost = Verdict(label="failed", reason="time-out")
        return [
            [lost if place % self.share == 0 else verdict for place, verdict in enumerate(verdicts)]
            for verdicts in super().verdicts(queries)
        ]


class Waiting:
    """The rules judge with coroutines."""

    name = "waiting"

    def __init__(self):
        self.judge = RulesJudge()

    def signature(self):
        return {"judge": self.name}

    async def claims(self, passages):
        await asyncio.sleep(0)
        return self.judge.claims(passages)

    async def verdicts(self, queries):
        await asyncio.sleep(0)
        return self.judge.verdicts(queries)


def test_one_request_for_claims_and_one_for_verdicts():
    judge = Recorder()
    evaluate_case(EvalCase(**FULL), judge)
    assert [[passage.source for passage in request] for request in judge.passages] == [
        ["answer", "ground_truth_answer"]
    ]
    assert [[query.relation for query in request] for request in judge.queries] == [
        ["support", "support", "relevance", "sameness", "directness", "agreement", "agreement"]
    ]


def test_only_what_is_needed_is_asked():
    judge = Recorder()
    evaluate_case(EvalCase(**FULL), judge, ["context_relevance"])
    assert judge.passages == []
    assert [query.relation for query in judge.queries[0]] == ["relevance"]


def test_production_and_test_scenario():
    production = EvalCase(
        question="What is the fee?", answer="12 dollars.", retrieved_contexts=["The fee is 12 dollars."]
    )
    allowed = {name for name, there in scenario(production).items() if there}
    assert {"faithfulness", "context_relevance", "answer_relevancy"} <= allowed
    assert not allowed & {"context_recall", "context_precision", "answer_correctness"}
    assert all(scenario(EvalCase(**FULL))[name] for name in METRICS if name != "retrieval")


@pytest.mark.parametrize(
    ("metric", "field"),
    [
        ("faithfulness", "answer"),
        ("faithfulness", "retrieved_contexts"),
        ("context_relevance", "retrieved_contexts"),
        ("answer_relevancy", "answer"),
        ("context_recall", "ground_truth_answer"),
        ("context_precision", "ground_truth_contexts"),
        ("answer_correctness", "ground_truth_answer"),
        ("abstention", "answer"),
    ],
)
def test_a_missing_field_is_named(metric, field):
    found = evaluate_case(EvalCase(**{**FULL, field: None}), RulesJudge(), [metric])
    assert found.results[metric].status == "not_applicable"
    assert found.results[metric].reason == f"the case has no {field}"
    assert found.results[metric].score is None
    assert isinstance(found.outcomes[metric], NotApplicable)


@pytest.mark.parametrize("metric", ["context_relevance", "answer_relevancy"])
def test_a_question_is_needed(metric):
    found = evaluate_case(EvalCase(**{**FULL, "question": " "}), RulesJudge(), [metric])
    assert found.results[metric].reason == "the case has no question"


def test_nothing_retrieved():
    found = evaluate_case(EvalCase(**{**FULL, "retrieved_contexts": []}), RulesJudge()).results
    assert found["faithfulness"].score == 0.0
    assert found["context_recall"].score == 0.0
    assert found["context_relevance"].status == "not_applicable"
    assert found["context_precision"].status == "not_applicable"


@pytest.mark.parametrize("answer", ["I don't know.", "抱歉，无法回答。", "알 수 없습니다."])
class TestAbstention:
    def test_wrong_when_the_contexts_hold_the_answer(self, answer):
        found = evaluate_case(EvalCase(**{**FULL, "answer": answer}), RulesJudge()).results
        assert found["abstention"].score == 0.0
        assert found["answer_correctness"].score == 0.0
        assert found["faithfulness"].status == "not_applicable"
        assert found["answer_relevancy"].status == "not_applicable"

    def test_right_when_they_lack_it(self, answer):
        fields = {**FULL, "answer": answer, "retrieved_contexts": ["Whales feed on krill."]}
        assert evaluate_case(EvalCase(**fields), RulesJudge()).results["abstention"].score == 1.0

    def test_without_a_reference_the_contexts_must_hold_the_answer(self, answer):
        fields = {"question": "How much is the fee?", "answer": answer, "retrieved_contexts": ["Whales feed on krill."]}
        assert evaluate_case(EvalCase(**fields), RulesJudge()).results["abstention"].score == 1.0
        fields["retrieved_contexts"] = ["The fee is charged by the bank."]
        assert evaluate_case(EvalCase(**fields), RulesJudge()).results["abstention"].score == 1.0
        fields["retrieved_contexts"] = ["The fee is 12 dollars."]
        assert evaluate_case(EvalCase(**fields), RulesJudge()).results["abstention"].score == 0.0

    def test_right_when_the_reference_abstains_too(self, answer):
        fields = {**FULL, "answer": answer, "ground_truth_answer": "The context does not mention the fee."}
        found = evaluate_case(EvalCase(**fields), RulesJudge()).results
        assert found["answer_correctness"].score == 1.0
        assert found["context_recall"].reason == "the reference answer abstains"


def test_answering_where_the_reference_abstains():
    fields = {**FULL, "ground_truth_answer": "I don't know."}
    assert evaluate_case(EvalCase(**fields), RulesJudge()).results["answer_correctness"].score == 0.0


def test_a_bare_answer_is_one_claim():
    found = evaluate_case(EvalCase(**{**FULL, "answer": "12 dollars"}), RulesJudge()).results
    assert found["answer_correctness"].score == 1.0
    assert found["answer_relevancy"].score == 1.0


def test_earlier_turns_support_when_they_are_given():
    case = EvalCase(
        question="And the fee?", answer="The fee is 12 dollars.", retrieved_contexts=["Whales feed on krill."]
    )
    assert evaluate_case(case, RulesJudge(), ["faithfulness"]).results["faithfulness"].status == "not_decided"
    case.earlier_turns = ["The fee is 12 dollars."]
    found = evaluate_case(case, RulesJudge(), ["faithfulness"]).results["faithfulness"]
    assert found.score == 1.0
    assert found.claims[0].material == "earlier_turns[0]"


def test_results_carry_words_and_offsets():
    case = EvalCase(**FULL)
    found = evaluate_case(case, RulesJudge())
    texts = {"answer": case.answer, "ground_truth_answer": case.ground_truth_answer}
    texts |= {f"retrieved_contexts[{place}]": text for place, text in enumerate(case.retrieved_contexts)}
    texts |= {f"ground_truth_contexts[{place}]": text for place, text in enumerate(case.ground_truth_contexts)}
    assert found.evidence
    for piece in found.evidence:
        assert texts[piece.source][piece.start : piece.end] == piece.quote
        if piece.source_quote is not None:
            assert texts[piece.label][piece.source_start : piece.source_end] == piece.source_quote
    for result in found.results.values():
        assert result.judge == "rules"
        assert result.signature == fingerprint(RulesJudge())


def test_failed_verdicts_leave_the_rest():
    found = evaluate_case(EvalCase(**FULL), Failing(2))
    assert found.results["faithfulness"].status == "not_decided"
    assert found.results["faithfulness"].undecided == 1
    assert found.results["context_relevance"].reason == "1 of 2 verdicts failed and are left out"
    assert found.results["context_relevance"].total == 1


def test_all_verdicts_failed():
    found = evaluate_case(EvalCase(**FULL), Failing(1))
    for name in ("faithfulness", "context_relevance", "context_recall", "answer_relevancy", "answer_correctness"):
        assert found.results[name].status == "failed"
        assert found.results[name].reason == "time-out"
        assert isinstance(found.outcomes[name], Failed)


def test_a_judge_of_coroutines_gives_the_same():
    plain = evaluate_case(EvalCase(**FULL), RulesJudge()).results
    waited = asyncio.run(evaluate_case_async(EvalCase(**FULL), Waiting())).results
    assert {name: result.score for name, result in plain.items()} == {name: r.score for name, r in waited.items()}
    assert evaluate([EvalCase(**FULL)], judge=Waiting())[0].results["faithfulness"].judge == "waiting"


def test_the_steps_can_be_driven_by_hand():
    steps = case_steps(EvalCase(question="Q?", answer="It is so.", retrieved_contexts=["It is so."]), ["faithfulness"])
    request = next(steps)
    assert request == [Passage("It is so.", "answer", "Q?")]
    queries = steps.send([[Claim(text="It is so.", start=0, end=9)]])
    assert isinstance(queries[0], Query)
    with pytest.raises(StopIteration) as ended:
        steps.send([[Verdict(label="supported", probability=1.0)]])
    assert ended.value.value.verdicts["faithfulness"][0].label == "supported"


def test_metrics_by_name_and_code():
    found = evaluate([EvalCase(**FULL)], ["FTH", "context_recall"])[0].results
    assert list(found) == ["faithfulness", "context_recall"]
    for wrong in (["truth"], []):
        with pytest.raises(UsageError, match="expected some of"):
            evaluate([EvalCase(**FULL)], wrong)


def test_cases_are_evaluated_when_they_are_asked_for():
    asked = []

    def cases():
        for number in range(3):
            asked.append(number)
            yield EvalCase(**FULL)

    stream = evaluate_each(cases())
    assert asked == []
    assert next(stream).results["context_relevance"].score == 0.5
    assert asked == [0]


def test_results_can_be_written_and_read():
    case = evaluate([EvalCase(**FULL)])[0]
    assert msgspec.json.decode(msgspec.json.encode(case), type=EvalCase) == case


def test_the_same_twice():
    one, two = (msgspec.json.encode(evaluate([EvalCase(**FULL)])[0]) for _ in range(2))
    assert one == two


def test_ids_are_ranked():
    case = EvalCase(question="Q?", retrieved_ids=["a", "b"], relevant_ids=["b"])
    found = evaluate([case], ["retrieval"])[0].results["retrieval"]
    assert found.details["reciprocal_rank"] == 0.5
    assert found.details["hit_rate"] == 1.0
