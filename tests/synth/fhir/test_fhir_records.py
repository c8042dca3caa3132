"""FHIR bundles to records: what counts as current, which fields of R4 and R5 are read, what is named as a problem."""

import datetime as dt
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fhir_bundles as fhir
from turnmark.packs.terminology import terminology
from turnmark.schemas.problems import Problem
from turnmark.synth.fhir.bundle import Bundle, read_bundle
from turnmark.synth.fhir.elements import codes, date, element, elements, first_date, label, number, status, text
from turnmark.synth.fhir.naming import concept_entry, medication_name
from turnmark.synth.fhir.record import records
from turnmark.synth.fhir.slots import slots

TERMS = terminology()


def read(content, on=None):
    found = list(records(Bundle("b.json", content), TERMS, dt.date.fromisoformat(on) if on else None))
    return [one for one in found if not isinstance(one, Problem)], [
        str(one) for one in found if isinstance(one, Problem)
    ]


def record(*resources, on=None):
    (found,), problems = read(fhir.bundle(fhir.patient(), *resources), on)
    assert problems == []
    return found


def names(findings):
    return [finding.entry.english if finding.entry else finding.label for finding in findings]


def truth(content, language="en", on=None):
    (found,), _ = read(content, on)
    return slots(found, TERMS, language, random.Random(0))[0]


# ---- slots by hand ----


def test_slots_of_a_bundle_worked_by_hand():
    found = truth(fhir.diabetic())
    assert found["age"] == 59  # born 1960-06-15, on 2020-05-01
    assert found["sex"] == "female"
    # kidney disease stands before diabetes in the priority table, diabetes before hypertension
    assert found["primary_condition"] == "chronic kidney disease stage 3"
    assert found["comorbidities"] == ["type 2 diabetes mellitus", "hypertension"]
    # the newest prescription of metformin, at the place of its first; naproxen was stopped
    assert found["key_meds"] == ["metformin extended-release 1000mg", "losartan 50mg"]
    assert found["key_vitals"] == {
        "bp_systolic": "148mmHg",
        "bp_diastolic": "90mmHg",
        "heart_rate": "72/min",
        "bmi": "27.0",
        "weight": "70kg",
    }
    # 8.5 mmol/L * 18.016 = 153.1 mg/dL
    assert found["key_labs"] == {
        "hba1c": "7.24%",
        "glucose": "153mg/dL",
        "egfr": "48.3mL/min/1.73m2",
        "potassium": "5.44mmol/L",
    }
    assert found["major_procedures"] == ["percutaneous coronary intervention"]
    assert found["chief_symptom"] in {"swelling", "fatigue", "loss of appetite"}


def test_slots_speak_the_language_asked_for():
    korean, chinese = truth(fhir.diabetic(), "ko"), truth(fhir.diabetic(), "zh")
    assert (korean["sex"], chinese["sex"]) == ("여성", "女")
    assert korean["primary_condition"] == "만성 신장병 3기"
    assert korean["key_meds"] == ["메트포르민 서방정 1000mg", "로사르탄 50mg"]
    assert chinese["comorbidities"] == ["2型糖尿病", "高血压"]
    assert korean["key_labs"] == chinese["key_labs"]
    assert chinese["major_procedures"] == ["经皮冠状动脉介入治疗"]


# ---- what counts ----


def test_only_active_and_true_conditions_count():
    found = record(
        fhir.condition("Asthma", SCT="195967001"),
        fhir.condition("Gout", SCT="90560007", status="recurrence"),
        fhir.condition("Migraine", SCT="37796009", verification="refuted"),
        fhir.condition("Osteoporosis", SCT="64859006", status="inactive"),
        fhir.condition("Anemia", SCT="271737000", ended="2016-01-01"),
        fhir.condition("Psoriasis", SCT="9014002", onset="2021-01-01"),
        fhir.condition("Full-time employment (finding)"),
        on="2020-01-01",
    )
    assert names(found.conditions) == ["asthma", "gout"]


def test_an_unknown_condition_keeps_its_name_and_comes_last():
    content = fhir.bundle(
        fhir.patient(), fhir.condition("Stiff person syndrome (disorder)"), fhir.condition("Eczema", SCT="24079001")
    )
    found = truth(content)
    assert found["primary_condition"] == "atopic dermatitis"
    assert found["comorbidities"] == ["Stiff person syndrome"]


def test_wider_conditions_go_when_an_exact_one_is_there():
    found = truth(
        fhir.bundle(
            fhir.patient(),
            fhir.condition("Diabetes mellitus", SCT="73211009"),
            fhir.condition("Type 2 diabetes", SCT="44054006"),
            fhir.condition("Diabetes mellitus type II"),
        )
    )
    assert found["primary_condition"] == "type 2 diabetes mellitus"
    assert found["comorbidities"] == ["Diabetes mellitus type II"]


@pytest.mark.parametrize(
    ("code", "english"),
    [("E11.65", "type 2 diabetes mellitus"), ("N18.31", "chronic kidney disease stage 3"), ("I10", "hypertension")],
)
def test_icd_codes_widen_to_the_nearest_concept(code, english):
    assert concept_entry(TERMS, fhir.concept("whatever", ICD=code), ("condition",)).english == english


def test_a_symptom_in_the_record_is_the_complaint_the_newest_first():
    encounter = {
        "resourceType": "Encounter",
        "subject": fhir.SUBJECT,
        "period": {"start": "2020-04-30"},
        "reasonCode": [fhir.concept("Dizziness")],
    }
    content = fhir.bundle(fhir.patient(), fhir.condition("Headache (finding)", onset="2020-01-01"), encounter)
    (found,), _ = read(content)
    own, assumed = slots(found, TERMS, "en", random.Random(0))
    assert (own["chief_symptom"], assumed) == ("dizziness", [])
    assert "primary_condition" not in own


def test_reasons_of_r5_encounters():
    encounter = {
        "resourceType": "Encounter",
        "subject": fhir.SUBJECT,
        "actualPeriod": {"start": "2020-04-30"},
        "reason": [{"concept": fhir.concept("Cough")}],
    }
    assert names(record(encounter).symptoms) == ["cough"]


def test_allergies_serve_when_there_is_no_condition():
    allergy = {
        "resourceType": "AllergyIntolerance",
        "clinicalStatus": fhir.coded("active"),
        "code": fhir.concept("Allergy to peanuts", SCT="91935009"),
        "patient": fhir.SUBJECT,
        "recordedDate": "2019-01-01",
    }
    assert truth(fhir.bundle(fhir.patient(), allergy))["primary_condition"] == "peanut allergy"
    with_asthma = fhir.bundle(fhir.patient(), allergy, fhir.condition("Asthma", SCT="195967001"))
    assert truth(with_asthma)["primary_condition"] == "asthma"
    assert truth(with_asthma)["comorbidities"] == []
    refuted = {**allergy, "verificationStatus": fhir.coded("refuted")}
    assert record(refuted).allergies == []


def test_medication_counts_while_it_is_ordered_and_not_over():
    found = record(
        fhir.medication("Warfarin Sodium 5 MG Oral Tablet"),
        fhir.medication("Digoxin 0.125 MG Oral Tablet", intent="proposal"),
        fhir.medication("Ibuprofen 200 MG Oral Tablet", doNotPerform=True),
        fhir.medication("Aspirin 81 MG Oral Tablet", status="completed"),
        {
            "resourceType": "MedicationStatement",
            "status": "recorded",
            "medication": {"concept": fhir.concept("Atorvastatin 20 MG Oral Tablet")},
            "subject": fhir.SUBJECT,
            "effectivePeriod": {"start": "2019-01-01"},
        },
        {
            "resourceType": "MedicationStatement",
            "status": "active",
            "medicationCodeableConcept": fhir.concept("Prednisone 5 MG Oral Tablet"),
            "subject": fhir.SUBJECT,
            "effectivePeriod": {"start": "2018-01-01", "end": "2018-02-01"},
        },
    )
    assert names(found.medications) == ["warfarin", "atorvastatin"]


def test_medication_by_reference_contained_and_in_the_bundle():
    contained = fhir.medication("x")
    del contained["medicationCodeableConcept"]
    contained["contained"] = [{"id": "m", "code": fhir.concept("Amlodipine 5 MG Oral Tablet")}]
    contained["medicationReference"] = {"reference": "#m"}
    relative = fhir.medication("x")
    del relative["medicationCodeableConcept"]
    relative["medication"] = {"reference": {"reference": "http://example.org/fhir/Medication/m2/_history/1"}}
    other = {"resourceType": "Medication", "id": "m2", "code": fhir.concept("Lisinopril 10 MG Oral Tablet")}
    assert names(record(contained, relative, other).medications) == ["amlodipine", "lisinopril"]


def test_latest_value_wins_and_later_days_do_not_count():
    content = fhir.bundle(
        fhir.patient(),
        fhir.observation("4548-4", 6.24, "%", "2019-05-01"),
        fhir.observation("4548-4", 7.5, "%", "2020-05-01"),
    )
    assert truth(content)["key_labs"] == {"hba1c": "7.5%"}
    assert truth(content, on="2019-12-31")["key_labs"] == {"hba1c": "6.24%"}
    assert truth(content, on="2019-12-31")["age"] == 59


def test_values_that_are_not_measured_do_not_count():
    found = record(
        fhir.observation("4548-4", 7.0, "%", status="entered-in-error"),
        {**fhir.observation("2339-0", 100, "mg/dL"), "effectiveDateTime": None},
        {**fhir.observation("6298-4", 5, "mmol/L"), "valueQuantity": None},
        {
            **fhir.observation("33914-3", 60, "mL/min/{1.73_m2}"),
            "valueQuantity": {"value": 90, "comparator": ">", "unit": "mL/min/{1.73_m2}"},
        },
    )
    assert set(found.values) == {"egfr"}
    assert found.values["egfr"].comparator == ">"


def test_vital_signs_of_long_ago_are_left_out():
    content = fhir.bundle(
        fhir.patient(), fhir.observation("8331-1", 38.0, "Cel", "2015-03-02"), fhir.observation("29463-7", 70, "kg")
    )
    assert truth(content)["key_vitals"] == {"weight": "70kg"}


def test_procedures_of_r5_and_those_that_the_terminology_does_not_know():
    found = truth(
        fhir.bundle(
            fhir.patient(),
            {
                "resourceType": "Procedure",
                "status": "completed",
                "code": fhir.concept("Colonoscopy", SCT="73761001"),
                "subject": fhir.SUBJECT,
                "occurrenceDateTime": "2019-01-01",
            },
            fhir.procedure("Splenectomy (procedure)", "2020-01-01"),
            fhir.procedure("Assessment of health literacy (procedure)"),
            fhir.procedure("Appendectomy", status="not-done", SCT="80146002"),
        )
    )
    assert found["major_procedures"] == ["Splenectomy", "colonoscopy"]


def test_the_record_ends_with_the_patients_death():
    content = fhir.bundle(
        fhir.patient(deceasedDateTime="2019-06-30T10:00:00Z"),
        fhir.observation("29463-7", 60, "kg", "2019-01-01"),
        fhir.observation("29463-7", 65, "kg", "2020-01-01"),
    )
    found = truth(content)
    assert found["age"] == 59
    assert found["key_vitals"] == {"weight": "60kg"}


def test_two_patients_of_one_bundle_keep_their_own():
    second = {**fhir.condition("Gout", SCT="90560007"), "subject": {"reference": "Patient/p2"}}
    content = fhir.bundle(fhir.patient(), fhir.patient("p2", "male"), fhir.condition("Asthma", SCT="195967001"), second)
    found, problems = read(content)
    assert [(one.patient_id, names(one.conditions)) for one in found] == [("p1", ["asthma"]), ("p2", ["gout"])]
    assert problems == []


def test_a_resource_without_subject_belongs_to_the_only_patient():
    lone = fhir.condition("Asthma", SCT="195967001")
    del lone["subject"]
    assert names(record(lone).conditions) == ["asthma"]


def test_age_counts_whole_years_and_months():
    content = fhir.bundle(fhir.patient(birth="2019-03-20"), fhir.observation("29463-7", 9, "kg", "2020-05-01"))
    (found,), _ = read(content)
    assert found.age_in_months == 13
    (found,), _ = read(content, on="2020-03-19")
    assert found.age_in_months == 11


# ---- problems ----


def test_dangling_references_are_named_and_the_rest_is_read():
    stray = {**fhir.condition("Gout", SCT="90560007"), "subject": {"reference": "urn:uuid:nobody"}}
    lost = fhir.medication("x")
    del lost["medicationCodeableConcept"]
    lost["medicationReference"] = {"reference": "urn:uuid:nothing"}
    (found,), problems = read(fhir.bundle(fhir.patient(), stray, lost, fhir.condition("Asthma", SCT="195967001")))
    assert names(found.conditions) == ["asthma"]
    assert problems == [
        (
            "b.json: $.entry[2].resource.medicationReference.reference: expected a Medication of this bundle, "
            "found string 'urn:uuid:nothing'; add the Medication to the bundle, or write medicationCodeableConcept"
        ),
        (
            "b.json: $.entry[1].resource.subject.reference: expected a patient of this bundle, found string "
            "'urn:uuid:nobody'; add the patient to the bundle"
        ),
    ]


def test_units_that_do_not_convert_and_values_that_are_no_numbers():
    content = fhir.bundle(
        fhir.patient(), fhir.observation("4548-4", 7, "mg/dL"), fhir.observation("2339-0", "high", "mg/dL")
    )
    (found,), problems = read(content)
    assert found.values == {}
    assert (
        "$.entry[1].resource.valueQuantity.unit: expected a unit that converts to % for hemoglobin A1c" in problems[0]
    )
    assert "$.entry[2].resource.valueQuantity.value: expected a number, found string 'high'" in problems[1]


def test_a_patient_without_birth_date_or_without_any_date():
    content = fhir.bundle(fhir.patient(birth=None), fhir.condition("Asthma", SCT="195967001"))
    (found,), problems = read(content)
    assert found.age_in_months is None
    assert "$.entry[0].resource.birthDate: expected a date before 2015-03-02, found null" in problems[0]
    found, problems = read(fhir.bundle(fhir.patient()))
    assert found == []
    assert "say which day to look at with --on" in problems[0]
    (found,), _ = read(fhir.bundle(fhir.patient()), on="2020-01-01")
    assert found.conditions == []


def test_a_condition_without_code_or_text():
    nameless = {**fhir.condition("x"), "code": {}}
    _, problems = read(fhir.bundle(fhir.patient(), nameless))
    assert "$.entry[1].resource.code: expected a code or a text" in problems[0]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"{", "a FHIR bundle in JSON"),
        (b"\xff\xfe", "a FHIR bundle in JSON"),
        (b"[]", '"Bundle"'),
        (b'{"resourceType": "Patient"}', '"Bundle"'),
        (b'{"resourceType": "Bundle", "entry": [{"resource": 3}, 4]}', "a Patient resource"),
    ],
)
def test_files_that_are_no_bundle(tmp_path, content, expected):
    path = tmp_path / "b.json"
    path.write_bytes(content)
    assert read_bundle(path).expected == expected
    assert read_bundle(tmp_path / "none.json").expected == "a FHIR bundle in JSON"


def test_a_byte_order_mark_does_not_matter(tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(fhir.diabetic()).encode())
    assert len(read_bundle(path).patients) == 1


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({field for entry in fhir.diabetic()["entry"] for field in entry["resource"]} - {"resourceType"})


@given(st.integers(1, 18), st.sampled_from(FIELDS), ANY_JSON)
def test_any_value_in_any_field_gives_a_record_or_a_problem(place, field, value):
    content = fhir.diabetic()
    content["entry"][place]["resource"][field] = value
    found, problems = read(content)
    assert len(found) == 1
    assert slots(found[0], TERMS, "ko", random.Random(0))[0]["age"] == 59 or problems


@given(ANY_JSON)
def test_elements_of_any_shape_read_as_missing(value):
    for name in ("coding", "start"):
        assert isinstance(elements(value, name), list)
    assert element(value, "a", "b") is None or isinstance(value, dict)
    assert isinstance(text(value), str)
    assert isinstance(label(value), str)
    assert isinstance(status(value), str)
    assert all(isinstance(code, str) for code in codes(value))
    assert number(value) is None or number(value) == value
    assert date(value) is None or isinstance(date(value), dt.date)
    assert first_date({"a": value}, "a") is None or isinstance(first_date({"a": value}, "a"), dt.date)


def test_dates_of_years_and_months():
    assert date("1971") == dt.date(1971, 1, 1)
    assert date("1971-03") == dt.date(1971, 3, 1)
    assert date("2021-02-30") is None


# ---- names of medication ----


@pytest.mark.parametrize(
    ("product", "english", "korean", "chinese"),
    [
        ("Methotrexate 10 MG Oral Tablet", "methotrexate 10mg", "메토트렉세이트 10mg", "甲氨蝶呤 10mg"),
        (
            "Hydrochlorothiazide 12.50 MG",
            "hydrochlorothiazide 12.5mg",
            "히드로클로로티아지드 12.5mg",
            "氢氯噻嗪 12.5mg",
        ),
        (
            "200 ACTUAT Albuterol 0.09 MG/ACTUAT Metered Dose Inhaler",
            "albuterol inhaler",
            "살부타몰 흡입제",
            "沙丁胺醇吸入剂",
        ),
        (
            "Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet",
            "amoxicillin/clavulanate 250/125mg",
            "아목시실린/클라불란산 250/125mg",
            "阿莫西林克拉维酸钾 250/125mg",
        ),
        (
            "insulin glargine 100 UNT/ML Injectable Solution",
            "insulin glargine injection",
            "인슐린 글라진 주사",
            "甘精胰岛素注射液",
        ),
        ("Levothyroxine 0.075 MG Oral Tablet", "levothyroxine 75mcg", "레보티록신 75mcg", "左甲状腺素 75mcg"),
        (
            "Xyzzyvir 5 MG / Aspirin 81 MG Oral Tablet",
            "Xyzzyvir/aspirin 5/81mg",
            "Xyzzyvir/아스피린 5/81mg",
            "Xyzzyvir/阿司匹林 5/81mg",
        ),
        (
            "insulin isophane, human 70 UNT/ML / insulin, regular, human 30 UNT/ML Injectable Suspension [Humulin]",
            "insulin isophane/regular insulin injection",
            "NPH 인슐린/레귤러 인슐린 주사",
            "低精蛋白胰岛素/常规胰岛素注射液",
        ),
        ("Insulin, Novolog or other", "insulin aspart", "인슐린 아스파트", "门冬胰岛素"),
        ("Insulin 100 UNT/ML Injectable Solution", "insulin injection", "인슐린 주사", "胰岛素注射液"),
        ("Diazepam [Valium]", "diazepam", "디아제팜", "地西泮"),
        ("Xyzzyvir 50 MG Oral Capsule", "Xyzzyvir 50mg", "Xyzzyvir 50mg", "Xyzzyvir 50mg"),
        ("Ginger root", "Ginger root", "Ginger root", "Ginger root"),
        (
            "Cholecalciferol 400 UNT Oral Tablet",
            "cholecalciferol 400 units",
            "콜레칼시페롤 400단위",
            "维生素D3 400单位",
        ),
        (
            "Losartan 1 G / Aspirin 81 MG Oral Tablet",
            "losartan/aspirin 1g/81mg",
            "로사르탄/아스피린 1g/81mg",
            "氯沙坦/阿司匹林 1g/81mg",
        ),
    ],
)
def test_products_become_names_with_strength_or_form(product, english, korean, chinese):
    entry = concept_entry(TERMS, fhir.concept(product), ("medication",))
    assert medication_name(TERMS, product, entry, "en") == english
    assert medication_name(TERMS, product, entry, "ko") == korean
    assert medication_name(TERMS, product, entry, "zh") == chinese


def test_a_product_code_is_enough():
    concept = {"coding": [{"system": fhir.SYSTEMS["RXNORM"], "code": "751905"}]}
    assert concept_entry(TERMS, concept, ("medication",)).english == "norgestimate/ethinylestradiol"
    atc = {"coding": [{"system": "http://www.whocc.no/atc", "code": "A10BA02"}]}
    assert concept_entry(TERMS, atc, ("medication",)).english == "metformin"


# ---- slots beyond those of the guide; statuses and times as they come ----


def _resource(kind, **body):
    return {"resourceType": kind, "recordedDate": "2020-01-01", "date": "2020-01-01", **body}


def test_allergies_family_operations_vaccines_and_habits_fill_their_slots():
    content = fhir.bundle(
        fhir.patient(),
        _resource("AllergyIntolerance", clinicalStatus=fhir.coded("active"), code={"text": "Shellfish allergy"}),
        _resource("AllergyIntolerance", clinicalStatus=fhir.coded("resolved"), code={"text": "Allergy to nut"}),
        _resource("FamilyMemberHistory", status="completed", condition=[{"code": {"text": "Breast cancer"}}]),
        _resource(
            "Immunization", status="completed", vaccineCode={"text": "Influenza, seasonal"}, recorded="2020-01-01"
        ),
        _resource("Immunization", status="not-done", vaccineCode={"text": "MMR"}, recorded="2020-01-01"),
        _habit("72166-2", "2019-05-01", valueCodeableConcept={"text": "Current every day smoker"}),
        _habit("72166-2", "2020-01-01", valueCodeableConcept={"text": "Former smoker"}),
        _habit("74013-4", "2020-01-01", valueQuantity={"value": 0, "unit": "/d"}),
    )
    found = truth(content)
    assert found["allergies"] == ["shellfish"]
    assert found["family_history"] == ["breast cancer"]
    assert found["immunisation"] == ["flu shot"]
    assert found["smoking"] == "former smoker"
    assert found["alcohol"] == "never drank"
    assert truth(content, "ko")["smoking"] == "과거 흡연자"
    assert truth(content, "zh")["allergies"] == ["海鲜"]
    assert "surgery" not in found


def _habit(loinc, day, **value):
    coding = [{"system": "http://loinc.org", "code": loinc}]
    return {
        "resourceType": "Observation",
        "status": "final",
        "code": {"coding": coding},
        "effectiveDateTime": day,
        **value,
    }


def test_no_known_allergy_is_known_and_no_entry_is_not():
    none = {"coding": [{"system": "http://snomed.info/sct", "code": "716186003"}]}
    assert truth(fhir.bundle(fhir.patient(), _resource("AllergyIntolerance", code=none)))["allergies"] == []
    assert "allergies" not in truth(fhir.diabetic())


@pytest.mark.parametrize("given", ["active", {"text": "Active"}, {"coding": [{"code": "active"}]}])
def test_a_status_may_be_a_text(given):
    condition = {**fhir.condition("Migraine", SCT="37796009"), "clinicalStatus": given}
    assert names(record(condition).conditions) == ["migraine"]


def test_a_condition_without_status_is_taken_as_active_and_named():
    condition = fhir.condition("Migraine", SCT="37796009")
    del condition["clinicalStatus"]
    (found,), problems = read(fhir.bundle(fhir.patient(), condition))
    assert names(found.conditions) == ["migraine"]
    assert len(problems) == 1
    assert "clinicalStatus" in problems[0]
    assert "taken as active" in problems[0]


@pytest.mark.parametrize("verification", ["provisional", "differential", "unconfirmed"])
def test_what_is_only_suspected_is_no_condition_and_is_named(verification):
    (found,), problems = read(
        fhir.bundle(fhir.patient(), fhir.condition("Migraine", SCT="37796009", verification=verification))
    )
    assert found.conditions == []
    assert len(problems) == 1
    assert "verificationStatus" in problems[0]


def test_the_latest_value_is_told_by_the_clock_of_one_zone():
    earlier = {**fhir.observation("4548-4", 6.0, "%"), "effectiveDateTime": "2020-03-01T23:30:00-05:00"}
    later = {**fhir.observation("4548-4", 8.0, "%"), "effectiveDateTime": "2020-03-02T06:00:00+09:00"}
    # 04:30 UTC on 2 March stands after 21:00 UTC on 1 March
    for order in ([earlier, later], [later, earlier]):
        assert truth(fhir.bundle(fhir.patient(), *order))["key_labs"] == {"hba1c": "6%"}


def test_an_impossible_date_is_named():
    value = {**fhir.observation("4548-4", 6.0, "%"), "effectiveDateTime": "2020-02-30"}
    _, problems = read(fhir.bundle(fhir.patient(), value, fhir.condition("Migraine", SCT="37796009")))
    assert len(problems) == 1
    assert "effectiveDateTime" in problems[0]
    assert "2020-02-30" in problems[0]
