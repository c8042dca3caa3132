"""Which of several passages answers, and whether an answer is drawn from it: plain questions in three languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.passages import MEASURES, held_shares, measure_passages
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.cases import EvalCase
from turnmark.suites.rag.case import evaluate_case

JUDGE = RulesJudge()
# Question, the passage that answers, another one, an answer from the first in other words, one from the second.
CASES = {
    "zh": (
        "车位月租多少钱？",
        "地下停车场车位租金为每月350元，按季度收取。",
        "小区门禁卡遗失须到物业办理补办，工本费20元一张。",
        "一个月三百五，按季交。",
        "门禁卡丢了要到物业补办，每张收20元。",
    ),
    "ko": (
        "주차장 한 달 이용료가 얼마예요?",
        "지하 주차장 월정액은 35만원이며 분기마다 납부합니다.",
        "출입 카드를 분실하면 관리사무소에서 재발급하며 비용은 2만원입니다.",
        "월정액 35만원을 분기마다 내시면 됩니다.",
        "카드를 분실하시면 관리사무소에서 2만원에 재발급해 드립니다.",
    ),
    "en": (
        "What does a month of parking cost?",
        "Spaces in the underground garage are rented at 350 dollars a month, payable every quarter.",
        "Lost access cards are replaced at the management office for a charge of 20 dollars.",
        "They're rented at 350 dollars, payable every quarter.",
        "Go to the management office, lost access cards are replaced there for 20 dollars.",
    ),
}


def judged(language, answer, contexts):
    case = EvalCase(question=CASES[language][0], answer=answer, retrieved_contexts=contexts, lang=language)
    return evaluate_case(case, JUDGE, ["answer_relevancy", "context_relevance"]).results


def labels(result):
    return [claim.verdict.label for claim in result.claims]


@pytest.mark.parametrize("language", CASES)
def test_the_passage_that_answers_is_told_from_the_other(language):
    _, right, wrong, answer, _ = CASES[language]
    assert labels(judged(language, answer, [right, wrong])["context_relevance"]) == ["relevant", "irrelevant"]
    assert labels(judged(language, answer, [wrong, right])["context_relevance"]) == ["irrelevant", "relevant"]


@pytest.mark.parametrize("language", CASES)
def test_an_answer_is_on_the_question_by_the_passage_it_comes_from(language):
    _, right, wrong, on, off = CASES[language]
    assert set(labels(judged(language, on, [right, wrong])["answer_relevancy"])) == {"relevant"}
    assert set(labels(judged(language, off, [right, wrong])["answer_relevancy"])) == {"irrelevant"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("车位月租多少钱？", "好的。"),
        ("월 이용료가 얼마예요?", "네, 알겠습니다."),
        ("What does parking cost?", "Sure, got it."),
    ],
)
def test_a_reply_that_only_takes_note_does_not_answer(question, answer):
    found = evaluate_case(EvalCase(question=question, answer=answer), JUDGE, ["answer_relevancy"]).results
    assert labels(found["answer_relevancy"]) == ["irrelevant"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("维修需要多久？", "门店开在城南的商业街里，地铁可以直达。"),
        ("수리는 얼마나 걸려요?", "매장은 남쪽 상가 거리에 있습니다."),
        ("How long does a repair take?", "The shop stands in the southern mall beside the fountain."),
    ],
)
def test_without_passages_an_answer_is_off_where_nothing_of_the_question_is_in_it(question, answer):
    found = evaluate_case(EvalCase(question=question, answer=answer), JUDGE, ["answer_relevancy"]).results
    assert set(labels(found["answer_relevancy"])) == {"irrelevant"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("几点关门？", "晚上九点。"),
        ("보증 기간은 얼마나 되나요?", "이 년이에요."),
        ("How long is it valid?", "Two years."),
    ],
)
def test_a_bare_value_answers_without_a_word_of_the_question(question, answer):
    found = evaluate_case(EvalCase(question=question, answer=answer), JUDGE, ["answer_relevancy"]).results
    assert "irrelevant" not in labels(found["answer_relevancy"])


def test_a_lone_passage_in_other_words_is_not_decided():
    case = EvalCase(
        question="孩子打针要空腹吗？", answer="不用。", retrieved_contexts=["接种前后不宜空腹，请携带接种本。"]
    )
    assert labels(evaluate_case(case, JUDGE, ["context_relevance"]).results["context_relevance"]) == ["not_decided"]


def test_ideographs_of_a_shortened_word_count():
    short, other = held_shares(
        Reading("营收目标是多少？"), [Reading("全年营业收入的目标为50亿元"), Reading("公司共有员工三千人")]
    )
    assert short > 0.95
    assert other < 0.5


@given(
    st.sampled_from(["年费多少？", "연회비가 얼마예요?", "How much is the annual fee?"]),
    st.lists(st.tuples(st.text(max_size=40), st.floats(-20, 20)), min_size=2, max_size=4),
)
def test_measures_stay_in_range(question, passages):
    readings = [Reading(text) for text, _ in passages]
    for values in measure_passages(Reading(question), readings, [score for _, score in passages]):
        assert tuple(values) == MEASURES
        assert 0.0 <= values["asked"] <= 1.0
        assert -1.0 <= values["asked_lead"] <= 1.0
        assert -3.0 <= values["lead"] <= 3.0
        assert values["brings"] + values["lacks"] <= 1.0
