"""Scripts: five turns, context told in turns 1 and 2 only, grammar of three languages."""

import json
import random
import re

import pytest

import fhir_bundles as fhir
from growth import calls_of
from turnmark.errors import UsageError
from turnmark.locale.texts import filled, texts_of
from turnmark.packs.clinical_slots import shipped_slots
from turnmark.packs.terminology import terminology
from turnmark.schemas.clinical.events import ScriptLine
from turnmark.schemas.problems import Problem
from turnmark.synth.clinical import clinical_scripts, write_scripts
from turnmark.synth.fhir.slots import selection
from turnmark.synth.scripts import script, wording

TERMS = terminology()
LANGUAGES = ("ko", "en", "zh")


def questions(slots, language, seed=0, months=None):
    return [turn.question for turn in script("p", slots, TERMS, language, random.Random(seed), months).turns]


def scripts(folder, language="ko", **settings):
    found = list(clinical_scripts(folder, language, **settings))
    return [one for one in found if isinstance(one, ScriptLine)], [one for one in found if isinstance(one, Problem)]


KOREAN = {
    "age": 67,
    "sex": "남성",
    "primary_condition": "제2형 당뇨병",
    "comorbidities": ["고혈압", "만성 신장병 3기"],
    "key_meds": ["메트포르민 500mg", "암로디핀 5mg"],
    "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg", "heart_rate": "72/min", "bmi": "27.1"},
    "key_labs": {"hba1c": "7.2%", "egfr": "48mL/min/1.73m2"},
    "major_procedures": ["대장내시경"],
    "chief_symptom": "갈증",
}


def test_korean_turns_with_particles_and_units():
    # seed 0 takes the second wording of turn 1 and the first of turn 2
    first, second, *_ = questions(KOREAN, "ko", seed=3)
    for variant in range(20):
        first, second, *_ = questions(KOREAN, "ko", seed=variant)
        assert "67세 남성" in first
        assert "제2형 당뇨병" in first
        assert "고혈압, 만성 신장병 3기" in first
        assert re.search("갈증이 (있어서|계속되는데|심해져서)", first)
        assert "메트포르민 500mg, 암로디핀 5mg" in second
        assert "혈압 131/82mmHg, 심박수 분당 72회, BMI 27.1" in second
        assert "당화혈색소 7.2%, 사구체여과율(eGFR) 48mL/min/1.73m2" in second
        assert "대장내시경" in second


def test_english_turns_with_articles_and_plurals():
    slots = {
        "age": 80, "sex": "female", "primary_condition": "gout", "comorbidities": ["hypertension", "obesity", "asthma"],
        "key_meds": ["allopurinol 100mg"], "key_vitals": {"heart_rate": "72/min", "weight": "70kg"},
        "key_labs": {"uric_acid": "8.4mg/dL", "hba1c": "6%"}, "major_procedures": [], "chief_symptom": "headache",
    }  # fmt: skip
    for variant in range(20):
        first, second, *_ = questions(slots, "en", seed=variant)
        assert "an 80-year-old woman" in first
        assert "hypertension, obesity and asthma" in first
        assert "having headaches" in first
        assert "heart rate 72 beats per minute and weight 70 kg" in second
        assert "uric acid 8.4 mg/dL and HbA1c 6%" in second
        assert "  " not in first + second


@pytest.mark.parametrize(
    ("age", "expected"), [(8, "an 8"), (11, "an 11"), (18, "an 18"), (21, "a 21"), (85, "an 85"), (67, "a 67")]
)
def test_english_article_before_an_age(age, expected):
    first = questions({"age": age, "sex": "male", "chief_symptom": "cough"}, "en")[0]
    assert f"{expected}-year-old" in first


def test_chinese_turns():
    slots = {
        "age": 58, "sex": "女", "primary_condition": "2型糖尿病", "comorbidities": ["高血压", "肥胖"],
        "key_meds": ["二甲双胍 500mg"],
        "key_vitals": {"bp_systolic": "131mmHg", "bp_diastolic": "82mmHg"}, "key_labs": {"hba1c": "7.2%"},
        "major_procedures": ["透析"], "chief_symptom": "口渴",
    }  # fmt: skip
    for variant in range(20):
        first, second, *_ = questions(slots, "zh", seed=variant)
        assert "58岁" in first
        assert "2型糖尿病" in first
        assert "高血压和肥胖" in first
        assert "血压 131/82mmHg" in second
        assert "糖化血红蛋白 7.2%" in second
        assert " 。" not in first + second


@pytest.mark.parametrize("language", LANGUAGES)
def test_turns_three_and_four_repeat_nothing(language):
    slots = KOREAN
    for variant in range(20):
        for question in questions(slots, language, seed=variant)[2:4]:
            for told in ("당뇨", "고혈압", "메트포르민", "7.2", "67", "갈증"):
                assert told not in question


@pytest.mark.parametrize("language", LANGUAGES)
def test_empty_slots_leave_no_gap_and_no_placeholder(language):
    for variant in range(20):
        for question in questions({"chief_symptom": "cough"}, language, seed=variant):
            assert question == question.strip()
            assert "{" not in question
            assert "None" not in question
            assert "  " not in question


@pytest.mark.parametrize(
    ("language", "sex", "child", "teen"),
    [("ko", "여성", "여자아이", "여학생"), ("en", "female", "girl", "girl"), ("zh", "女", "女孩", "女生")],
)
def test_children_are_spoken_for_and_the_young_are_called_so(language, sex, child, teen):
    young = questions({"age": 7, "sex": sex, "chief_symptom": "cough"}, language)
    assert child in young[0]
    assert any(word in " ".join(young) for word in ("아이", "child", "孩子"))
    first = {questions({"age": 14, "sex": sex, "chief_symptom": "x"}, language, seed)[0] for seed in range(20)}
    assert all(teen in question for question in first)


def test_months_of_infants():
    slots = {"age": 1, "sex": "male", "chief_symptom": "cough"}
    assert "an 18-month-old boy" in questions(slots, "en", months=18)[0]
    assert "생후 18개월" in questions({"age": 1, "sex": "남성", "chief_symptom": "기침"}, "ko", months=18)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wordings_name_slots_only_and_cover_five_turns(language):
    own = wording(language)
    for turns in (own.turns, own.guardian):
        assert sorted(turns) == ["1", "2", "3", "4", "5"]
        for variants in turns.values():
            for variant in variants:
                for choices in variant:
                    for choice in choices:
                        named = set(re.findall(r"\{(\w+)", choice.text)) - {"chief_symptom"}
                        assert named <= set(choice.needs)
                        assert set(choice.needs) <= set(shipped_slots().slots)


def test_values_that_are_no_numbers_stay_as_they_are():
    slots = {"key_labs": {"own": "positive"}, "key_meds": [], "chief_symptom": "cough"}
    assert any("own positive" in questions(slots, "en", seed)[1] for seed in range(9))


def test_the_selection_table_names_concepts_that_exist():
    table = selection()
    labs = [lab for rule in table.key_labs for lab in rule.labs]
    assert all(TERMS.get("lab", lab) for lab in (*labs, *table.otherwise))
    assert all(TERMS.get("vital", vital) for vital in table.key_vitals)
    symptoms = [symptom for rule in table.usual_symptoms for symptom in rule.symptoms]
    assert all(TERMS.get("symptom", symptom) for symptom in (*symptoms, *table.otherwise_symptoms))
    assert all(TERMS.get("procedure", procedure) for procedure in table.minor)


# ---- from folder to file ----


def test_scripts_of_a_folder_in_the_order_of_files(tmp_path):
    fhir.write(tmp_path, "b.json", fhir.diabetic())
    fhir.write(tmp_path, "a.json", fhir.other_patient("p0"))
    fhir.write(tmp_path, "c.json", fhir.other_patient("p9"))
    found, problems = scripts(tmp_path)
    assert [line.patient_id for line in found] == ["p0", "p1", "p9"]
    assert problems == []
    assert [line.patient_id for line in scripts(tmp_path, most_patients=2)[0]] == ["p0", "p1"]


def test_same_input_same_bytes_and_seeds_differ(tmp_path):
    fhir.write(tmp_path / "in", "a.json", fhir.diabetic())
    for number, seed in enumerate((0, 0, *range(1, 9))):
        write_scripts(clinical_scripts(tmp_path / "in", "ko", seed=seed), tmp_path / f"{number}.jsonl")
    texts = [(tmp_path / f"{number}.jsonl").read_bytes() for number in range(10)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


def test_a_patient_does_not_depend_on_the_others(tmp_path):
    fhir.write(tmp_path / "one", "b.json", fhir.diabetic())
    fhir.write(tmp_path / "two", "b.json", fhir.diabetic())
    fhir.write(tmp_path / "two", "a.json", fhir.other_patient("p0"))
    assert scripts(tmp_path / "one")[0][0] == scripts(tmp_path / "two")[0][1]


def test_the_same_patient_twice_is_a_problem(tmp_path):
    for name in ("a.json", "b.json"):
        fhir.write(tmp_path, name, fhir.diabetic())
    found, problems = scripts(tmp_path)
    assert len(found) == 1
    assert "a patient that is not in a.json, found p1; keep one" in str(problems[0])


def test_bundles_about_hospitals_are_no_problem(tmp_path):
    fhir.write(tmp_path, "a.json", fhir.diabetic())
    fhir.write(tmp_path, "hospitalInformation1.json", fhir.bundle({"resourceType": "Organization", "id": "h"}))
    found, problems = scripts(tmp_path)
    assert (len(found), problems) == (1, [])


def test_assumed_complaints_are_named(tmp_path):
    fhir.write(tmp_path, "a.json", fhir.diabetic())
    assert scripts(tmp_path)[0][0].assumed == ["chief_symptom"]


def test_folders_without_bundles(tmp_path):
    with pytest.raises(UsageError, match="expected a folder"):
        scripts(tmp_path / "none")
    with pytest.raises(UsageError, match="found none"):
        scripts(tmp_path)


def test_a_killed_run_leaves_the_old_file(tmp_path):
    def broken():
        yield Problem(file="a.json", expected="anything")
        raise KeyboardInterrupt

    out = tmp_path / "scripts.jsonl"
    out.write_text("old\n")
    with pytest.raises(KeyboardInterrupt):
        write_scripts(broken(), out)
    assert out.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [out]


# ---- the command ----


@pytest.mark.parametrize("language", LANGUAGES)
def test_command_writes_lines_and_names_problems(tmp_path, cli, language):
    fhir.write(tmp_path / "in", "a.json", fhir.diabetic())
    (tmp_path / "in" / "broken.json").write_text("{")
    out = tmp_path / "deep" / "scripts.jsonl"
    ran = cli(
        "synth", "clinical", "--fhir-dir", tmp_path / "in", "--out", out, "--lang", language, "--on", "2021-06-15"
    )
    assert ran.code == 3
    assert ran.out.strip() == filled(texts_of(language), "synth_scripts", path=out, count=1, problems=1)
    assert "broken.json" in ran.err
    assert "a FHIR bundle in JSON" in ran.err
    (line,) = map(json.loads, out.read_text("utf-8").splitlines())
    assert line["patient_id"] == "p1"
    assert line["slots"]["age"] == 61
    assert [turn["turn_id"] for turn in line["turns"]] == [1, 2, 3, 4, 5]


def test_command_without_problems_and_with_wrong_arguments(tmp_path, cli):
    fhir.write(tmp_path, "a.json", fhir.diabetic())
    assert cli("synth", "clinical", "--fhir-dir", tmp_path, "--out", tmp_path / "o.jsonl").code == 0
    assert cli("synth", "clinical", "--fhir-dir", tmp_path / "no", "--out", tmp_path / "o.jsonl").code == 2
    assert cli("synth", "clinical", "--fhir-dir", tmp_path, "--out", tmp_path / "o.jsonl", "--lang", "fr").code == 2


def test_many_problems_are_cut(tmp_path, cli):
    for number in range(60):
        (tmp_path / f"{number}.json").write_text("{")
    ran = cli("synth", "clinical", "--fhir-dir", tmp_path, "--out", tmp_path / "o.jsonl", "--lang", "en")
    assert "… and 10 more" in ran.err
    assert ran.out.strip().endswith("0 scripts, 60 problems")


# ---- recorded bundles ----


@pytest.fixture(scope="module")
def recorded(shared):
    folder = shared / "data" / "fhir"
    if not folder.is_dir():
        pytest.skip("../shared/data/fhir is missing")
    return {language: scripts(folder, language) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_recorded_bundles_give_complete_scripts(recorded, language):
    found, problems = recorded[language]
    assert problems == []
    assert len(found) == 10
    for line in found:
        for slot in ("age", "sex", "primary_condition", "key_meds", "key_vitals", "key_labs", "chief_symptom"):
            assert line.slots[slot], slot
        assert [turn.turn_id for turn in line.turns] == [1, 2, 3, 4, 5]
        assert all(turn.question for turn in line.turns)


def test_slots_of_three_recorded_bundles_checked_by_hand(recorded):
    found = {line.patient_id: line.slots for line in recorded["en"][0]}
    louis = found["bae2bf00-eca1-47fb-bb43-272f8de1449c"]  # born 1976-01-16, last entry 2021-01-04
    assert (louis["age"], louis["sex"], louis["primary_condition"]) == (44, "male", "type 2 diabetes mellitus")
    assert louis["comorbidities"] == [
        "epilepsy", "obesity", "hypertriglyceridemia", "metabolic syndrome", "hand osteoarthritis", "allergic rhinitis",
    ]  # fmt: skip
    assert louis["key_meds"] == ["diazepam", "chlorpheniramine oral solution", "naproxen 220mg"]
    assert louis["key_vitals"] == {"bp_systolic": "106mmHg", "bp_diastolic": "84mmHg", "bmi": "30.0", "weight": "103kg"}
    assert {name: louis["key_labs"][name] for name in ("hba1c", "glucose", "egfr", "ldl")} == {
        "hba1c": "7.5%", "glucose": "125mg/dL", "egfr": "107mL/min/1.73m2", "ldl": "134mg/dL",
    }  # fmt: skip
    by_condition = {(line["primary_condition"], line["age"]): line for line in found.values()}
    christin = by_condition["atrial fibrillation", 78]
    assert christin["comorbidities"] == ["atopic dermatitis", "allergic rhinitis", "miscarriage"]
    assert christin["key_meds"] == [
        "fluticasone inhaler", "albuterol inhaler", "verapamil 40mg", "digoxin 0.125mg", "warfarin 5mg",
    ]  # fmt: skip
    assert christin["major_procedures"][:2] == ["catheter ablation", "electrical cardioversion"]
    kermit = by_condition["hypertension", 27]
    assert kermit["key_meds"] == ["loratadine 5mg", "epinephrine auto-injector", "hydrochlorothiazide 25mg"]
    assert (kermit["key_vitals"]["bp_systolic"], kermit["key_vitals"]["bp_diastolic"]) == ("188mmHg", "115mmHg")
    assert kermit["key_labs"]["egfr"] == "110mL/min/1.73m2"


def test_work_grows_with_the_length_of_records_and_not_with_its_square(tmp_path):
    def calls(observations):
        """Calls for one patient with so many observations; a long record has a thousand."""
        content = fhir.diabetic()
        content["entry"] += [{"resource": fhir.observation("29463-7", 70, "kg")} for _ in range(observations)]
        fhir.write(tmp_path, "one.json", content)
        return calls_of(lambda: scripts(tmp_path))

    least, half, whole = calls(0), calls(500), calls(1000)
    assert whole - least < 2.2 * (half - least)
    assert (whole - least) / 1000 < 700
