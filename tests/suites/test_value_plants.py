"""Changed values of finance and clinical dialogues: what is planted in three languages, and where nothing is."""

import random
from typing import NamedTuple

import msgspec
import pytest

from building import dialog, turn
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.planting.material import Material, last
from turnmark.suites.registry import suite_definition

KEY = "profile_gt.constraints_gt[0]"


class Said(NamedTuple):
    """The replies of what is compared, and the memories."""

    harmless: str
    wrong: str
    remembered: str | None
    misremembered: str | None


def decoded(raw):
    return msgspec.json.decode(msgspec.json.encode(raw), type=DialogTrace)


def planted(suite, name, raw, others=(), seed=1):
    one = next(each for each in suite_definition(suite).planted().perturbations if each.name == name)
    at = Material(decoded(raw), [decoded(each) for each in others], random.Random(seed))
    found = one.change(at)
    if found is None:
        return None
    before, after = last(found.before), found.turn
    memories = (each.recall.profile_context if each.recall else None for each in (before, after))
    return Said(before.pred_assistant_text, after.pred_assistant_text, *memories)


def investor(constraint, reply, recall=None):
    tags = {"memory_required_keys_gt": [KEY]}
    only = {**turn(1, reply, recall=recall or {"items": []}), "gt_turn_tags": tags}
    return dialog("a", [only], profile_gt={"constraints_gt": [constraint]})


REPLIES = {"zh": "好的，我来安排。", "ko": "네, 준비하겠습니다.", "en": "Fine, I will see to it."}


@pytest.mark.parametrize(
    ("kind", "constraint", "wrong"),
    [
        ("amount", "保留20万元应急", {"保留40万元应急", "保留60万元应急"}),
        ("scale", "保留20万元应急", {"保留20亿元应急"}),
        ("currency", "保留20万美元应急", {"保留20万欧元应急"}),
        ("grade", "仅投R2级产品", {f"仅投R{n}级产品" for n in (1, 3, 4, 5)}),
        ("comparator", "최대 낙폭 10% 이내", {"최대 낙폭 10% 이상"}),
        ("scale", "비상금 5천만원 유지", {"비상금 5천억원 유지"}),
        ("unit", "portfolio duration under 3 months", {"portfolio duration under 3 years"}),
        ("duration", "portfolio duration under 3 years", {f"portfolio duration under {n} years" for n in (6, 9)}),
        ("sign", "maximum drawdown 15%", {"maximum drawdown -15%"}),
    ],
)  # fmt: skip
def test_a_key_has_another_value_in_memory_and_in_a_reply(kind, constraint, wrong):
    raw = investor(constraint, "")
    said = planted("finance", f"memory_{kind}", raw)
    assert said.remembered.endswith(constraint)
    assert any(said.misremembered.endswith(each) for each in wrong)
    said = planted("finance", f"reply_{kind}", raw)
    assert constraint in said.harmless
    assert any(each in said.wrong for each in wrong)


@pytest.mark.parametrize(
    ("kind", "constraint", "within", "beyond"),
    [
        ("amount", "最大回撤<10%", "最大回撤为5%", "最大回撤为30%"),
        ("sign", "最大回撤<10%", "最大回撤为-5%", "最大回撤为-30%"),
        ("comparator", "最大回撤<10%", "10%以下", "10%以上"),
        ("duration", "组合久期控制在4年以内", "24个月", "144个月"),
        ("amount", "단일 종목 비중 30% 이하", "15%", "90%"),
        ("sign", "최대 낙폭 10% 이내", "-5%", "-30%"),
        ("duration", "만기 6개월 이내", "3개월", "18개월"),
        ("comparator", "최대 낙폭 10% 이내", "10% 이하", "10% 이상"),
        ("amount", "equities at most 60%", "30%", "95%"),
        ("sign", "maximum drawdown under 16%", "-8%", "-48%"),
        ("duration", "portfolio duration under 4 years", "24 months", "144 months"),
        ("grade", "仅投R2及以下产品", "R2产品", "R4产品"),
        ("grade", "2등급 이하 상품만", "2등급 상품", "4등급 상품"),
        ("grade", "R2 or lower only", "R2 products", "R4 products"),
    ],
)
def test_a_recommendation_is_within_a_constraint_or_beyond_it(kind, constraint, within, beyond):
    said = planted("finance", f"break_{kind}", investor(constraint, ""))
    assert within in said.harmless
    assert beyond in said.wrong
    assert beyond not in said.harmless


@pytest.mark.parametrize("constraint", ["不使用杠杆", "레버리지 상품 제외", "no leverage", "保留20%现金应急"])
def test_a_constraint_without_an_upper_bound_is_not_broken_by_a_value(constraint):
    for kind in ("amount", "sign", "comparator", "duration", "grade"):
        assert planted("finance", f"break_{kind}", investor(constraint, "")) is None


RECORDS = {
    "zh": ("慢性肾脏病4期", "二甲双胍 500mg", "血钾是", "高血压"),
    "ko": ("만성 신장병 3기", "메트포르민 500mg", "칼륨 수치는", "천식"),
    "en": ("chronic kidney disease stage 3", "ramipril 5mg", "Your potassium is", "migraine"),
}


def patient(language, **slots):
    condition, medicine, _, foreign = RECORDS[language]
    known = {"primary_condition": condition, "key_meds": [medicine], "key_labs": {"potassium": "5.4mmol/L"}}
    own = dialog("a", [turn(1, REPLIES[language])], slots_truth={**known, **slots})
    return own, [dialog("b", [turn(1, "")], slots_truth={"primary_condition": foreign})]


@pytest.mark.parametrize("language", list(RECORDS))
def test_a_fact_of_the_record_is_stated_with_another_value(language):
    condition, medicine, measured, foreign = RECORDS[language]
    own, others = patient(language)
    said = planted("clinical", "measurement", own)
    assert measured in said.harmless
    assert "5.4mmol/L" in said.harmless
    assert any(value in said.wrong for value in ("10.8mmol/L", "16.2mmol/L"))
    assert "5.4mg/dL" in planted("clinical", "measurement_unit", own).wrong
    said = planted("clinical", "dose", own)
    assert medicine in said.harmless
    assert medicine not in said.wrong
    assert medicine.replace("mg", "mcg") in planted("clinical", "dose_unit", own).wrong
    said = planted("clinical", "stage", own)
    assert condition in said.harmless
    assert condition not in said.wrong
    said = planted("clinical", "condition_denied", own)
    assert condition in said.harmless
    assert condition in said.wrong
    assert said.harmless != said.wrong
    said = planted("clinical", "condition_affirmed", own, others)
    assert foreign in said.harmless
    assert foreign in said.wrong


@pytest.mark.parametrize(
    ("language", "procedure"),
    [
        ("zh", "2021年3月15日冠状动脉搭桥术"),
        ("ko", "2021년 3월 15일 슬관절 전치환술"),
        ("en", "a bypass on 2021-03-15"),
    ],
)
def test_a_procedure_has_another_date_where_the_record_gives_one(language, procedure):
    own, _ = patient(language, major_procedures=[procedure])
    said = planted("clinical", "procedure_date", own)
    assert procedure in said.harmless
    assert procedure not in said.wrong
    assert planted("clinical", "procedure_date", patient(language)[0]) is None


@pytest.mark.parametrize("name", ["measurement", "dose", "stage", "condition_denied", "condition_affirmed"])
def test_without_a_record_no_value_is_planted(name):
    assert planted("clinical", name, dialog("a", [turn(1, "Yes.")])) is None


@pytest.mark.parametrize("suite", ["finance", "clinical"])
def test_errors_that_no_measure_looks_at_are_named_with_the_reason(suite):
    plants = suite_definition(suite).planted()
    assert plants.not_planted
    assert all(plants.not_planted.values())


def test_an_answer_to_another_question_comes_with_its_passages_or_without():
    def case(name, question, answer, passage):
        record = {"question": question, "answer": answer, "retrieved_contexts": [passage]}
        only = turn(1, answer, user_text=question, recall={"items": [{"content": passage}]})
        return dialog(name, [{**only, "source_record": record}])

    own = case("a", "大额存单多少起存？", "二十万元。", "大额存单二十万元起存。")
    other = case("b", "有猫吗？", "店里一共养了九只橘猫。", "猫咪咖啡馆养了九只橘猫。")
    found = {}
    for name in ("other_answer", "other_answer_from_passage"):
        one = next(each for each in suite_definition("rag").planted().perturbations if each.name == name)
        found[name] = one.change(Material(decoded(own), [decoded(other)], random.Random(1))).turn
        assert found[name].pred_assistant_text == "店里一共养了九只橘猫。"
    passages = {name: [item.content for item in each.recall.items] for name, each in found.items()}
    assert passages == {
        "other_answer": ["大额存单二十万元起存。"],
        "other_answer_from_passage": ["大额存单二十万元起存。", "猫咪咖啡馆养了九只橘猫。"],
    }
