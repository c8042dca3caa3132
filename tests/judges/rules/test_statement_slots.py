"""Names in the place that is asked for: another name, a name of another clause, who acts and who is acted on."""

import pytest

from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.cases import EvalCase
from turnmark.suites.rag.case import evaluate_case

JUDGE = RulesJudge()
# Language, question, passage, an answer with the name of another clause, the right one.
OTHERS = [
    (
        "en",
        "Who designed the bridge?",
        "The bridge was designed by Lena Ortiz. The contractor Paul Reed supervised the works.",
        "Paul Reed designed it.",
        "Lena Ortiz designed it.",
    ),
    ("zh", "工厂在哪里？", "公司总部设在苏州，工厂位于合肥。", "工厂在苏州。", "工厂位于合肥。"),
    (
        "ko",
        "공장은 어디에 있나요?",
        "본사는 수원에 있고 공장은 천안에 있습니다.",
        "공장은 수원에 있어요.",
        "공장은 천안에 있어요.",
    ),
    (
        "ko",
        "누가 계약을 승인하나요?",
        "계약은 김민수 부장이 승인하며 정산은 박지영 과장이 처리합니다.",
        "계약은 박지영 과장이 승인해요.",
        "계약은 김민수 부장이 승인해요.",
    ),
]


def labels(metric, **fields):
    found = evaluate_case(EvalCase(**fields), JUDGE, [metric]).results[metric]
    return [claim.verdict.label for claim in found.claims]


@pytest.mark.parametrize(("lang", "question", "passage", "wrong", "right"), OTHERS)
def test_a_name_of_another_clause_is_contradicted(lang, question, passage, wrong, right):
    fields = {"lang": lang, "question": question, "retrieved_contexts": [passage]}
    assert labels("faithfulness", answer=wrong, **fields) == ["contradicted"]
    assert "contradicted" not in labels("faithfulness", answer=right, **fields)


@pytest.mark.parametrize(
    ("lang", "question", "answer", "reference"),
    [
        ("en", "Who designed the bridge?", "Paul Reed designed it.", "Lena Ortiz"),
        ("zh", "桥是谁设计的？", "是陈国强。", "王丽华"),
        ("ko", "누가 승인하나요?", "박지영 과장이 승인해요.", "김민수 부장"),
    ],
)
def test_another_person_than_that_of_the_reference_is_wrong(lang, question, answer, reference):
    fields = {"lang": lang, "question": question, "answer": answer, "ground_truth_answer": reference}
    found = evaluate_case(EvalCase(**fields), JUDGE, ["answer_correctness"]).results["answer_correctness"]
    assert found.score in (0.0, None)
    assert "supported" not in [claim.verdict.label for claim in found.claims]


@pytest.mark.parametrize(
    ("lang", "question", "answer", "reference"),
    [
        ("en", "Who won the final?", "Moss beat Valdra.", "Valdra"),
        ("zh", "谁赢了决赛？", "莫斯队击败了瓦尔队。", "瓦尔队"),
        ("ko", "누가 이겼나요?", "모스가 발드라를 이겼어요.", "발드라"),
    ],
)
def test_a_name_that_is_only_acted_on_is_not_what_was_asked_for(lang, question, answer, reference):
    fields = {"lang": lang, "question": question, "answer": answer, "ground_truth_answer": reference}
    found = evaluate_case(EvalCase(**fields), JUDGE, ["answer_correctness"]).results["answer_correctness"]
    assert found.score != 1.0


def test_a_korean_sentence_with_its_parts_exchanged_is_contradicted():
    fields = {
        "lang": "ko",
        "question": "누가 이겼나요?",
        "retrieved_contexts": ["결승에서 발드라가 모스를 이겼습니다."],
    }
    assert labels("faithfulness", answer="모스가 발드라를 이겼어요.", **fields) == ["contradicted"]
    assert labels("faithfulness", answer="발드라가 모스를 이겼어요.", **fields) != ["contradicted"]


def test_a_repeated_word_supports_nothing():
    found = labels(
        "faithfulness",
        question="Where do people live?",
        answer="Oslo is the most densely settled part of Oslo.",
        retrieved_contexts=["Oslo is the most densely settled part of Norway."],
    )
    assert found != ["supported"]


def test_a_word_about_oneself_is_not_missing_from_a_passage():
    found = labels(
        "faithfulness",
        question="Do you like them?",
        answer="I am a big fan of her and I would love to see them again one day, I am sure of it.",
        retrieved_contexts=["The band was formed in Leeds in 1994 and has sold eleven million records."],
    )
    assert set(found) <= {"not_decided"}


@pytest.mark.parametrize(
    ("answer", "passage", "is_other"),
    [
        ("The branch is open Mon to Thursday.", "The branch is open Monday to Thursday.", False),
        ("The prize went to Chris Moss.", "The prize went to Christopher Moss.", False),
        ("The branch in Lyon opened first.", "The branch in Paris opened first.", True),
    ],
)
def test_a_name_cut_short_is_no_other_name(answer, passage, is_other):
    found = labels("faithfulness", lang="en", question="What is said?", answer=answer, retrieved_contexts=[passage])
    assert ("contradicted" in found) == is_other
