"""Values against the record: precision shown, units, ranges, bounds; which number measures what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.read.chart import read_chart
from turnmark.detectors.clinical.read.record import Value, decimals_of
from turnmark.detectors.clinical.read.values import agrees
from turnmark.detectors.clinical.utterance import extract_facts
from turnmark.language.quantity.quantity import quantities

RECORD = {
    "age": 67,
    "sex": "female",
    "key_meds": ["metformin 500mg", "amlodipine/valsartan 5/160mg"],
    "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg", "weight": "78kg", "heart_rate": "72/min"},
    "key_labs": {"hba1c": "7.2%", "glucose": "154mg/dL", "creatinine": "1.1mg/dL", "potassium": 4.4, "alt": "68U/L"},
}


def only(text, record=RECORD, question=""):
    facts = [fact for fact in extract_facts(text, record, question) if fact.type in ("lab", "vital")]
    assert len(facts) == 1, facts
    return facts[0]


@pytest.mark.parametrize(
    ("text", "quote", "wrong"),
    [
        ("Your A1c is 7.2%.", "A1c is 7.2%", False),
        ("Your A1c is 7%.", "A1c is 7%", False),
        ("Your A1c is 7.0%.", "A1c is 7.0%", True),
        ("Your A1c is 72%.", "A1c is 72%", True),
        ("Your A1c is 55 mmol/mol.", "A1c is 55 mmol/mol", False),
        ("Your A1c is 72 mmol/mol.", "A1c is 72 mmol/mol", True),
        ("Your glucose of 8.5 mmol/L is high.", "glucose of 8.5 mmol/L", False),
        ("Your glucose of 85 mmol/L is high.", "glucose of 85 mmol/L", True),
        ("크레아티닌 97µmol/L입니다.", "크레아티닌 97µmol/L", False),
        ("혈압은 131/82입니다.", "혈압은 131/82", False),
        ("혈압은 82/131입니다.", "혈압은 82/131", True),
        ("혈압은 130대에 80대입니다.", "혈압은 130대에 80대", False),
        ("맥박이 72회입니다.", "맥박이 72회", False),
        ("몸무게 172파운드입니다.", "몸무게 172파운드", False),
        ("ALT 68, fine.", "ALT 68", False),
        ("转氨酶68，略高。", "转氨酶68", False),
        ("K 4.4 today", "K 4.4", False),
        ("Your potassium was 44.", "potassium was 44", True),
        ("Fasting sugar sits between 150 and 160.", "150 and 160", False),
        ("Blood pressure 131 over 82.", "Blood pressure 131 over 82", False),
    ],
)
def test_values_are_compared_after_conversion_at_the_precision_shown(text, quote, wrong):
    fact = only(text)
    assert quote in fact.quote or fact.quote in quote
    assert (fact.patient_claim, fact.hallucinated) == (True, wrong)


@pytest.mark.parametrize(
    "text",
    [
        "목표는 7% 미만입니다. 당화혈색소 기준이에요.",
        "The goal for A1c is under 7%.",
        "Blood pressure below 130/80 is what we aim for.",
        "血压控制在130/80以下。",
        "혈압이 180을 넘으면 오세요.",
        "正常血糖一般在6.1以下。",
        "If your glucose goes above 250 mg/dL, call us.",
        "체중 60kg인 분과는 다릅니다.",
    ],
)
def test_targets_and_limits_are_no_claims(text):
    assert [fact.patient_claim for fact in extract_facts(text, RECORD) if fact.type in ("lab", "vital")] in (
        [False],
        [],
    )


@pytest.mark.parametrize(
    "text",
    [
        "체중을 3kg 감량하세요",
        "Lose 5 kg by spring",
        "Walk 30 minutes, 5 days a week, for your blood pressure",
        "Lift a 40 kg dumbbell",
        "나트륨은 하루 2000mg까지만",
        "1,000 mg of calcium from food",
        "两周减掉4公斤",
    ],
)
def test_changes_loads_and_doses_are_no_values(text):
    assert [fact for fact in extract_facts(text, RECORD) if fact.type in ("lab", "vital")] == []


def test_a_number_goes_on_about_the_last_lab_or_the_question():
    text = "공복혈당 154mg/dL는 8.5mmol/L입니다."
    assert [fact.quote for fact in extract_facts(text, RECORD)] == ["공복혈당 154mg/dL", "8.5mmol/L"]
    assert only("7.2% is fine for you.", question="How is my A1c?").quote == "7.2%"
    assert extract_facts("30% of plates should be green.", RECORD, "How is my A1c?") == []
    assert [fact.patient_claim for fact in extract_facts("LDL 55 미만이 목표인데 지금은 88이에요.", RECORD)] == [
        False,
        True,
    ]


def test_a_dose_is_compared_unless_it_is_still_to_come():
    facts = extract_facts("Keep metformin 500 mg. You take metformin 1 g. We may raise metformin to 850 mg.", RECORD)
    assert [(fact.value, fact.hallucinated) for fact in facts] == [
        ("metformin 500 mg", False),
        ("metformin 1 g", True),
        ("metformin", False),  # the name is borne out; a dose that is still to come is not looked at
    ]
    assert [fact.hallucinated for fact in extract_facts("You take amlodipine 5 mg and valsartan 80 mg.", RECORD)] == [
        False,
        True,
    ]


PRESSURE = {
    "key_vitals": {"bp_systolic": "148mmHg", "bp_diastolic": "86mmHg"},
    "key_labs": {"egfr": "75 mL/min/1.73m2"},
    "key_meds": ["metformin 500mg"],
}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Your blood pressure is 148/86.", False),
        ("Your blood pressure is 86/148.", True),
        ("Your blood pressure is 86 over 148.", True),
        ("您的血压是148/86。", False),
        ("您的血压是86/148。", True),
        ("您的血压是86/148mmHg。", True),
        ("혈압은 148/86입니다.", False),
        ("혈압은 86/148입니다.", True),
        ("Your eGFR is >60.", False),
        ("您的eGFR>60。", False),
        ("eGFR는 60 이상입니다.", False),
        ("You take metformin 500 mg.", False),
        ("You take metformin 500 mg/kg.", True),
        ("You take metformin 500 µg.", True),
        ("You take metformin 500,000 µg.", False),
        ("You take metformin 7 mg/kg.", False),
        ("您服用二甲双胍500毫克。", False),
        ("您服用二甲双胍500mg/kg。", True),
        ("您服用二甲双胍500微克。", True),
        ("메트포르민 500mg을 복용 중입니다.", False),
        ("메트포르민 500mg/kg을 복용 중입니다.", True),
        ("메트포르민 500µg을 복용 중입니다.", True),
    ],
)
def test_order_bounds_and_units_decide_in_three_languages(text, wrong):
    (fact,) = extract_facts(text, PRESSURE)
    assert fact.hallucinated is wrong
    assert text[fact.start : fact.end] == fact.quote


def test_a_turned_pressure_keeps_both_numbers_and_a_date_is_none():
    (fact,) = extract_facts("Your blood pressure is 86/148.", PRESSURE)
    assert fact.quote.endswith("86/148")
    (fact,) = extract_facts("Blood pressure on 3/5 was 148/86.", PRESSURE)
    assert not fact.hallucinated


@given(value=st.integers(10, 9999), shift=st.integers(-30, 30))
def test_equal_at_the_precision_shown_means_rounding_to_the_same(value, shift):
    known = Value(value / 10, value / 10, "mg/dl", 1, "")
    text = f"{(value + shift) / 10:.1f} mg/dl"
    stated = quantities(text)[0]
    assert agrees("glucose", stated, text, known) == (shift == 0)
    whole = f"{value // 10} mg/dl"
    assert agrees("glucose", quantities(whole)[0], whole, known) == (value % 10 <= 5)


@pytest.mark.parametrize(
    ("age", "text", "wrong"),
    [
        (67, "You are 66 years old.", False),
        (67, "You are 69 years old.", True),
        (67, "60대 후반이시네요", False),
        (67, "60대 초반이시네요", True),
        (64, "60대 환자분", False),
        (71, "60대 환자분", True),
        (52, "您五十多岁", False),
        (62, "您五十多岁", True),
        (72, "You're over 65.", False),
        (67, "167세 환자분", True),
        (67, "67mg과 67분은 나이가 아닙니다", None),
        (67, "At 67 your bones need care.", False),
        (67, "67/F, stable", False),
        (67, "72 M, stable", True),
        (67, "일흔둘이시면", True),
    ],
)
def test_ages(age, text, wrong):
    facts = [fact for fact in extract_facts(text, {"age": age, "sex": "female"}) if fact.value.startswith("age")]
    assert [fact.hallucinated for fact in facts] == ([] if wrong is None else [wrong])


def test_the_record_is_read_in_every_form_that_users_have():
    record = read_chart(
        {
            "age": "67세",
            "sex": "남",
            "key_meds": [{"name": "metformin", "dose": "500mg"}, 5, ["aspirin 100mg"]],
            "key_vitals": {"bp": "131/82 mmHg", "weight": {"value": 78, "unit": "kg"}, "odd": {"a": {"b": "1%"}}},
            "key_labs": [{"name": "HbA1c", "value": "7.2", "unit": "%"}, "LDL: 96mg/dL", "note"],
            "comorbidities": "고혈압",
            "chief_symptom": None,
        }
    ).record
    assert (record.age, record.sex) == (67, "male")
    assert [entry.doses for entry in record.medications] == [((500.0, "mg"),), (), ((100.0, "mg"),)]
    assert record.values["bp_systolic"][0].low == 131
    assert record.values["bp_diastolic"][0].low == 82
    assert (record.values["weight"][0].low, record.values["weight"][0].unit) == (78, "kg")
    assert record.values["hba1c"][0].unit == "percent"
    assert record.values["ldl"][0].low == 96
    assert read_chart({"age": 40.5, "sex": 1}).record.age == 40.5
    assert read_chart({"age": True, "sex": "x"}).record.sex == ""
    assert read_chart({"age": 5}) is read_chart({"age": 5})
    assert read_chart({"key_labs": {"ldl": "120/3 weird"}}).record.values["ldl"][1].unit == "weird"
    assert decimals_of("7") == 0
