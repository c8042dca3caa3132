"""What the judge rules decides, and what it leaves: supported, contradicted, not stated, not decided."""

import pytest

from turnmark.judges.protocol import Claim, Query
from turnmark.judges.rules.judge import RulesJudge
from turnmark.rag import EvalCase, evaluate

AGAINST = ("contradicted", "undetermined")


def label(claim, *material, question="", relation="support"):
    query = Query(
        relation=relation,
        claims=(Claim(text=claim, start=0, end=len(claim)),),
        material=material,
        sources=tuple(f"retrieved_contexts[{place}]" for place in range(len(material))),
        question=question,
    )
    return RulesJudge().verdicts([query])[0][0].label


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("活动于2024年3月15日结束。", "活动于2024年9月25日结束。"),
        ("행사는 3월 15일에 끝납니다.", "행사는 9월 30일에 끝납니다."),
        ("The term ends on 7 May 2023.", "The term ends on 7 May 2024."),
        ("The shop opens at 9:00.", "The shop opens at 9:30."),
        ("The shop opens at 9 am.", "The shop opens at 9 pm."),
        ("收益率为-5%。", "收益率为5%。"),
        ("냉동실 온도는 -20°C입니다.", "냉동실 온도는 20°C입니다."),
        ("该产品风险等级为R4。", "该产品风险等级为R2。"),
        ("이 제품은 2등급입니다.", "이 제품은 5등급입니다."),
        ("股票代码为600519。", "股票代码为000858。"),
        ("违约责任见第12条。", "违约责任见第21条。"),
        ("The patient has type 1 diabetes.", "The patient has type 2 diabetes."),
        ("手续费为500美元。", "手续费为500元。"),
        ("수수료는 500달러입니다.", "수수료는 500원입니다."),
        ("The dose is 5 mg.", "The dose is 5 µg."),
        ("3个工作日内到账。", "3个月内到账。"),
        ("매출은 5천억 원입니다.", "매출은 5천만 원입니다."),
        ("Revenue was $1.5B.", "Revenue was $1.5M."),
        ("检测结果为阳性。", "检测结果为阴性。"),
        ("만 65세 이상만 가입할 수 있습니다.", "만 65세 이하만 가입할 수 있습니다."),
        ("You need at least 3 documents.", "You need at most 3 documents."),
        ("부가세는 포함됩니다.", "부가세는 별도입니다."),
        ("停车是收费的。", "停车是免费的。"),
        ("The loan isn't insured.", "The loan is insured."),
    ],
)
def test_a_changed_value_is_contradicted_and_never_supported(claim, material):
    assert label(claim, material) == "contradicted"
    assert label(claim, claim) == "supported"


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("手续费为二百元。", "手续费为200元。"),
        ("수수료는 2만원입니다.", "수수료는 20,000원입니다."),
        ("The fee is 1200 dollars.", "The fee is $1,200."),
        ("The term is two years.", "The term is 24 months."),
        ("환불 기간은 일주일입니다.", "환불 기간은 7일입니다."),
        ("退款需要3至5个工作日。", "退款需要3到5个工作日。"),
    ],
)
def test_an_equal_value_in_other_words_is_supported(claim, material):
    assert label(claim, material) == "supported"


def test_a_yes_to_the_question_says_what_it_asks():
    assert label("Yes.", "The deposit is insured.", question="Is the deposit insured?") == "supported"
    assert label("No.", "The deposit is insured.", question="Is the deposit insured?") == "contradicted"


@pytest.mark.parametrize(
    ("claim", "material"),
    [
        ("Lost cards are replaced at no charge.", "We issue a new card for free when yours goes missing."),
        ("丢了卡要马上打电话。", "银行卡遗失的，持卡人应当立即致电客服挂失。"),
        ("카드를 잃어버리면 바로 전화하세요.", "분실 시 지체 없이 고객센터에 신고하여야 합니다."),
    ],
)
def test_a_paraphrase_is_not_decided(claim, material):
    assert label(claim, material) == "not_decided"


def test_a_value_that_is_nowhere_is_no_support():
    assert label("The fee is 12 dollars and the card weighs 5 grams.", "The fee is 12 dollars.") != "supported"


CORRECT = [
    ("환불은 며칠 안에 해야 하나요?", "구매 후 7일 안에 환불 가능합니다.", "7일 이내", 1),
    ("환불은 며칠 안에 해야 하나요?", "구매 후 14일 안에 환불 가능합니다.", "7일 이내", 0),
    ("等待期多长？", "等待期为90天。", "90天", 1),
    ("等待期多长？", "等待期为30天。", "90天", 0),
    ("How long is the notice period?", "Sixty days, in writing.", "60 days", 1),
    ("Can I pause my plan?", "Yes, you can.", "Yes", 1),
    ("Can I pause my plan?", "No, that is not possible.", "Yes", 0),
    ("副卡能单独办流量包吗？", "不可以，要由主卡订购。", "不能", 1),
    ("副卡能单独办流量包吗？", "可以。", "不能", 0),
    ("이 카드로 주차할 수 있나요?", "네, 가능합니다.", "아니요", 0),
]


@pytest.mark.parametrize(("question", "answer", "reference", "right"), CORRECT)
def test_terse_references_are_completed_by_the_question(question, answer, reference, right):
    case = EvalCase(question=question, answer=answer, ground_truth_answer=reference)
    found = evaluate([case], ["answer_correctness"])[0].results["answer_correctness"]
    assert found.status == "scored"
    assert (found.score >= 0.5) == bool(right)


@pytest.mark.parametrize("answer", ["[43]", "👍", "。", "ㅋㅋㅋ", "^^"])
def test_an_answer_without_a_statement_is_not_eligible(answer):
    case = EvalCase(question="What is the fee?", answer=answer, retrieved_contexts=["The fee is 43 dollars."])
    found = evaluate([case], ["faithfulness"])[0].results["faithfulness"]
    assert found.status == "not_applicable"


def test_what_was_not_decided_stands_beside_the_figure():
    answer = "The fee is 12 dollars. Whoever loses a card ought to ring up the branch."
    contexts = ["The fee is 12 dollars.", "Missing cards must be reported by telephone."]
    case = EvalCase(question="What is the fee?", answer=answer, retrieved_contexts=contexts)
    found = evaluate([case], ["faithfulness"])[0].results["faithfulness"]
    assert (found.score, found.hits, found.total, found.undecided) == (1.0, 1, 1, 1)
    case = EvalCase(question="And a lost card?", answer=answer[23:], retrieved_contexts=contexts)
    found = evaluate([case], ["faithfulness"])[0].results["faithfulness"]
    assert (found.status, found.score, found.undecided) == ("not_decided", None, 1)
