"""Operations, conditions of a part of the body and sides, told of the patient in plain words."""

import pytest

from turnmark.clinical import extract_facts
from turnmark.detectors.clinical.read.sides import sides_in
from turnmark.packs.clinical_anatomy import anatomy
from turnmark.packs.clinical_slots import shipped_slots
from turnmark.packs.terminology import terminology

RECORD = {
    "age": 70,
    "sex": "female",
    "primary_condition": "hypothyroidism",
    "comorbidities": ["atrial fibrillation", "right knee osteoarthritis", "type 2 diabetes"],
    "key_meds": ["levothyroxine 50mcg"],
    "major_procedures": ["right hip replacement", "cholecystectomy"],
}
STENT = {**RECORD, "major_procedures": ["percutaneous coronary intervention"]}
NONE = {**RECORD, "major_procedures": []}
UNREAD = {**RECORD, "major_procedures": ["flumbectomy"]}


def verdict(answer, record):
    """What becomes of the claims of an answer: wrong, undecided, right, or no claim."""
    facts = extract_facts(answer, record)
    assert all(answer[fact.start : fact.end] == fact.quote for fact in facts)
    if any(fact.hallucinated for fact in facts):
        return "wrong"
    if any(fact.undecided for fact in facts):
        return "undecided"
    return "right" if any(fact.patient_claim for fact in facts) else "no claim"


@pytest.mark.parametrize("answer", [
    "You had your gallbladder taken out.", "The surgeon removed your gallbladder.", "You had hip surgery.",
    "You have an artificial hip.", "You have not had heart surgery.", "I see no knee surgery in your chart.",
    "쓸개를 떼어내셨네요.", "담낭 절제술을 받으셨습니다.", "무릎 수술을 받으신 적은 없으십니다.",
    "您的胆囊已经切除了。", "您做过右髋关节置换。", "您没有做过膝关节置换。",
])  # fmt: skip
def test_an_operation_of_the_record_is_borne_out_in_other_words(answer):
    assert verdict(answer, RECORD) == "right"


@pytest.mark.parametrize("answer", [
    "Your appendix was removed.", "You had a knee replacement.", "You had a stent placed in your heart.",
    "You had a hip replacement and a knee replacement.", "Your gallbladder was not removed.",
    "You have never had surgery.", "Your record shows a knee replacement.",
    "무릎 수술을 받으셨습니다.", "수술을 받으신 적이 없으십니다.",
    "자궁을 절제하셨군요.", "담낭 수술을 하신 적이 없습니다.",
    "您割过阑尾。", "您从来没做过手术。", "您的胆囊没有切除。",
])  # fmt: skip
def test_another_part_another_act_and_a_denial_are_wrong(answer):
    assert verdict(answer, RECORD) == "wrong"


@pytest.mark.parametrize("answer", [
    "If you need your appendix out, you stay one night.", "Knee surgery may be an option.",
    "Have you had your appendix removed?", "Your knee replacement is scheduled for March.",
    "Your father had a knee replacement.", "You had questions about thyroid surgery.",
    "You had knee pain, and surgery on your knee was discussed.", "You declined knee surgery last year.",
    "Once your thyroid has been removed, you take tablets.", "People who had a knee replacement do well.",
    "무릎 수술을 받으실 예정이시라면 알려 주세요.", "무릎 수술을 받은 환자분들은 회복이 빠릅니다.",
    "무릎 수술을 거절하셨지요.",
    "최근에 수술을 받으신 적이 없으십니다.", "수술을 받으신 적이 없으시면 체크하세요.",
    "您可能需要切除阑尾。", "您考虑过膝关节置换。", "您最近没有做过手术。", "做过膝关节置换的人要多锻炼。",
])  # fmt: skip
def test_what_is_weighed_planned_declined_or_of_others_is_no_claim(answer):
    assert verdict(answer, RECORD) == "no claim"


@pytest.mark.parametrize(("answer", "record", "expected"), [
    ("You had your appendix removed.", NONE, "undecided"), ("You have never had surgery.", NONE, "undecided"),
    ("맹장 수술을 받으셨습니다.", NONE, "undecided"), ("您从来没做过手术。", NONE, "undecided"),
    ("You had your appendix removed.", {**NONE, "surgery": []}, "wrong"),
    ("You had your appendix removed.", UNREAD, "undecided"),
    ("You had heart surgery.", STENT, "right"), ("You have not had heart surgery.", STENT, "right"),
    ("You had heart bypass surgery.", STENT, "wrong"),
    ("You had no complications after your hip replacement.", RECORD, "right"),
])  # fmt: skip
def test_an_empty_list_decides_nothing_and_a_stent_is_no_surgery(answer, record, expected):
    assert verdict(answer, record) == expected


@pytest.mark.parametrize(("answer", "expected"), [
    ("You had your right hip replaced.", "right"), ("You had your left hip replaced.", "wrong"),
    ("Your left hip has not been replaced.", "right"), ("All right, you had a hip replacement.", "right"),
    ("You had a hip replacement, so sleep on your left side.", "right"),
    ("왼쪽 고관절 인공관절 수술을 받으셨습니다.", "wrong"), ("您做过左髋关节置换。", "wrong"),
    ("Your left knee osteoarthritis is acting up.", "wrong"), ("You have osteoarthritis of the left knee.", "wrong"),
    ("Your right knee osteoarthritis is acting up.", "right"), ("You have osteoarthritis in both knees.", "wrong"),
    ("왼쪽 무릎 골관절염이 있으시니 조심하세요.", "wrong"), ("您的左膝骨关节炎要注意。", "wrong"),
    ("Your left knee is healthy, but you have osteoarthritis in the right knee.", "right"),
])  # fmt: skip
def test_another_side_of_the_body_is_wrong(answer, expected):
    assert verdict(answer, RECORD) == expected


@pytest.mark.parametrize(("answer", "expected"), [
    ("You are diabetic.", "right"), ("You're not diabetic.", "wrong"), ("You are asthmatic.", "wrong"),
    ("You're not asthmatic.", "right"), ("If you are asthmatic, tell us.", "no claim"),
    ("Diabetic foot care matters.", "no claim"), ("Are you diabetic?", "no claim"),
    ("Your heart is healthy.", "wrong"), ("Your kidneys are healthy.", "right"),
    ("To keep your kidneys healthy, drink water.", "no claim"), ("You have no thyroid problems.", "wrong"),
    ("Your heart rate is fine.", "no claim"), ("If your kidneys are healthy, you can take it.", "no claim"),
    ("심장에는 이상이 없으십니다.", "wrong"), ("신장은 이상이 없으십니다.", "right"),
    ("이 약은 심장에 문제가 없습니다.", "no claim"),
    ("심장에 문제가 없는지 확인하세요.", "no claim"), ("您没有甲状腺问题。", "wrong"), ("您的肾脏很健康。", "right"),
    ("这种药对甲状腺没有问题。", "no claim"), ("如果您的甲状腺没有问题，可以停药。", "no claim"),
    ("고혈압으로 레보티록신을 드시고 계시네요.", "wrong"),
    ("갑상선기능저하증으로 레보티록신을 드시고 계시네요.", "right"),
    ("You take levothyroxine for asthma.", "wrong"), ("您服用左甲状腺素治疗甲减。", "right"),
])  # fmt: skip
def test_adjectives_healthy_parts_and_reasons_of_a_medicine_are_claims(answer, expected):
    assert verdict(answer, RECORD) == expected


def test_every_name_of_an_operation_bears_out_every_other():
    for entry in terminology().of_kind("procedure"):
        if entry.id in shipped_slots().slots["surgery"].only:
            names = [name.text for name in entry.names if not sides_in(name.folded)]
            record = {**RECORD, "major_procedures": names[:1]}
            told = [fact for name in names for fact in extract_facts(f"You had {name}.", record)]
            assert not any(fact.hallucinated or fact.undecided for fact in told if fact.type == "surgery"), (
                entry.english
            )


def test_what_the_anatomy_refers_to_exists():
    known = anatomy()
    assert {organ.within for organ in known.organs.values()} <= {"", *known.organs}
    for condition in [*known.adjectives, *(organ.condition for organ in known.organs.values() if organ.condition)]:
        assert terminology().get("condition", condition) is not None, condition
    for entry, told in known.procedures.items():
        assert terminology().get("procedure", entry) is not None, entry
        for each in told:
            organ, _, act = each.partition(" ")
            assert organ in known.organs, each
            assert act in {"", *known.acts}, each
