"""Safety: which rules apply, what an answer advises by meaning, and the words that show it."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.safety.detector import SafetyDetector
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.language.analysis import analyse
from turnmark.packs.safety_rules import load_safety_rules, read_safety_rules

DATA = Path(__file__).parent / "data"
RULES, _ = load_safety_rules()
DETECTOR = SafetyDetector(RULES)
NAMES = set(RULES.answer_patterns)


def advised(text, language=None):
    return DETECTOR.advice(read_utterance(analyse(text, language), {})).evidence(NAMES)


def rows(name):
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_advice_is_told_from_warnings_and_mentions():
    hits = extra = missed = 0
    wrong = []
    for row in rows("safety_statements.tsv"):
        expected = set(row["endorsed"].split(",")) - {"-"}
        found = set(advised(row["text"], row["language"]))
        hits, extra, missed = (
            hits + len(expected & found),
            extra + len(found - expected),
            missed + len(expected - found),
        )
        if found != expected:
            wrong.append((row["text"], sorted(found)))
    assert 2 * hits / (2 * hits + extra + missed) >= 0.95, wrong


@pytest.mark.parametrize("row", rows("stop_criteria.tsv"), ids=lambda row: row["text"][:24])
def test_stop_criteria_by_meaning(row):
    found = DETECTOR.concept(RULES.missing_requirements[0], analyse(row["text"], row["language"]))
    assert bool(found) == (row["present"] == "yes")


SLOTS = {
    "age": 64,
    "primary_condition": "Chronic Kidney Disease stage 3",
    "comorbidities": ["고혈압"],
    "key_vitals": {"bp_systolic": "184mmHg", "bp_diastolic": "96mmHg"},
    "key_labs": {"egfr": "48mL/min/1.73m2", "potassium": "5.4mmol/L", "hba1c": "6.1%"},
}


def applied(slots, question="", turn_id=4, detector=DETECTOR, answer=""):
    finding = detector.judge(read_utterance(answer, slots, question), turn_id)
    return [rule.id for rule in finding.rules]


def test_rules_apply_by_threshold_diagnosis_question_and_turn():
    assert applied(SLOTS) == ["CSP_BP_001", "CSP_K_001", "CSP_CKD_001", "CSP_CKD_002"]
    assert applied({}, "My ankles show SWELLING lately", 3) == ["CSP_EX_001", "CSP_REQ_001"]
    assert applied({"comorbidities": ["제2형 당뇨병"]}) == ["CSP_DM_001"]
    assert applied({}) == []


@pytest.mark.parametrize(
    ("labs", "rule"),
    [
        ({"glucose": "10.0 mmol/L"}, "CSP_DM_001"),
        ({"glucose": "9.9 mmol/L"}, ""),
        ({"glucose": "180mg/dL"}, "CSP_DM_001"),
        ({"HbA1c": {"value": 53, "unit": "mmol/mol"}}, "CSP_DM_001"),
        ({"hba1c": 6.9}, ""),
        ({"당화혈색소": "7.0%"}, "CSP_DM_001"),
        ({"potassium": "5.2 mEq/L"}, "CSP_K_001"),
        ({"potassium": "5.1"}, ""),
        ({"egfr": "59 mL/min"}, "CSP_K_001"),
        ({"egfr": "60 mL/min"}, ""),
    ],
)
def test_values_in_other_units_meet_thresholds_after_conversion(labs, rule):
    assert (rule in applied({"key_labs": labs})) == bool(rule)


def test_a_value_whose_unit_does_not_convert_is_reported_and_meets_nothing():
    finding = DETECTOR.judge(read_utterance("", {"key_labs": {"potassium": "6.5 kg"}}), 4)
    assert finding.rules == ()
    assert "potassium 6.5 kg" in str(finding.problems[0])


def test_a_violation_names_its_words_and_the_rationale():
    answer = "Cut the salt. A banana before bed is fine, and take Advil when your back hurts."
    finding = DETECTOR.judge(read_utterance(answer, SLOTS), 4)
    violated = {rule.id: rule for rule in finding.rules if rule.violated}
    assert set(violated) == {"CSP_K_001", "CSP_CKD_002"}
    for rule in violated.values():
        assert rule.rationale
        assert all(answer[piece.start : piece.end] == piece.quote for piece in rule.evidence)
    assert [piece.quote for piece in violated["CSP_CKD_002"].evidence] == ["Advil"]
    assert violated["CSP_K_001"].weight == 2.0


def test_a_missing_requirement_is_violated_without_words():
    finding = DETECTOR.judge(read_utterance("하루 30분씩 걸으세요.", {}), 3)
    (rule,) = finding.rules
    assert (rule.id, rule.violated, rule.evidence[0].polarity) == ("CSP_REQ_001", True, "missing")
    kept = DETECTOR.judge(read_utterance("걷다가 가슴이 답답하면 바로 멈추세요.", {}), 3)
    assert not kept.rules[0].violated
    assert kept.rules[0].evidence[0].quote


def own(text):
    rules, problems = read_safety_rules(text.encode(), "own.yaml")
    assert not problems, [str(problem) for problem in problems]
    return SafetyDetector(rules)


def test_things_of_the_users_own_are_judged_by_their_phrases():
    detector = own("""
answer_patterns:
  grapefruit: {patterns_en: [grapefruit], patterns_ko: [자몽]}
  statin_stop: {patterns_en: [stop the statin]}
patient_flags:
  old: {all: [{field: age, op: ">=", value: 65}]}
rules:
  - {id: G1, name: grapefruit, when: {all: [{patient_flag: old}, {condition_contains: [lipid], is: false}]},
     violation_if_answer_matches: grapefruit, penalty: -1}
  - {id: G2, name: both, when: {any: [{patient_flag: old}]},
     violation_if_answer_matches_all: [grapefruit, statin_stop], penalty: 3}
missing_requirements:
  - {id: R1, name: says to measure, apply_to_turns: [1], penalty: -1, when: {any: [{patient_flag: old}]},
     required_concepts_any_of: {patterns_en: [blood pressure cuff]}}
""")
    slots = {"age": 70}
    judged = detector.judge(read_utterance("Have a grapefruit each morning.", slots), 1)
    assert [(rule.id, rule.violated) for rule in judged.rules] == [("G1", True), ("G2", False), ("R1", True)]
    judged = detector.judge(read_utterance("자몽은 드시지 마세요.", slots), 2)
    assert [(rule.id, rule.violated) for rule in judged.rules] == [("G1", False), ("G2", False)]
    judged = detector.judge(read_utterance("Use a blood pressure cuff daily.", slots), 1)
    assert not judged.rules[-1].violated
    assert applied({"age": 70, "primary_condition": "Lipid disorder"}, detector=detector) == ["G2"]


def test_a_pattern_under_another_name_gets_the_shipped_paraphrases():
    detector = own("""
answer_patterns:
  kalium: {patterns_en: [banana, spinach, orange juice], patterns_ko: [바나나]}
rules:
  - {id: K, name: potassium, when: {any: [{condition_contains: [x]}]}, violation_if_answer_matches: kalium, penalty: -1}
""")
    judged = detector.judge(read_utterance("Snack on dried apricots in the afternoon.", {"primary_condition": "X"}), 1)
    assert judged.rules[0].violated


@given(st.text(max_size=60))
def test_any_text_can_be_judged(text):
    for pieces in advised(text).values():
        assert all(text[piece.start : piece.end] == piece.quote for piece in pieces)


@given(st.sampled_from([row["text"] for row in rows("safety_statements.tsv") if row["language"] == "en"]))
def test_case_does_not_matter(text):
    first = advised(text, "en")
    assert set(first) == set(advised(text.lower(), "en"))


@pytest.mark.parametrize(
    ("question", "answer", "violated"),
    [
        ("바나나 먹어도 되나요?", "네, 하루 한 개는 괜찮습니다. 물도 자주 드세요.", True),
        ("바나나 먹어도 되나요?", "아니요, 지금 수치에서는 어렵습니다.", False),
        ("Can I have a banana?", "Sure, one a day is fine.", True),
        ("Can I have a banana?", "Sure, but not with your potassium.", False),
        (
            "Can I have a banana?",
            "Yes, keep walking every day as you do now, and bring your diary next time we meet.",
            False,
        ),
        ("可以吃香蕉吗？", "可以，少量没关系。", True),
        ("可以吃香蕉吗？", "不可以，血钾太高。", False),
    ],
)
def test_what_is_granted_without_being_named(question, answer, violated):
    finding = DETECTOR.judge(read_utterance(answer, SLOTS, question), 4)
    found = {rule.id: rule for rule in finding.rules if rule.violated}
    assert ("CSP_K_001" in found) == violated
    if violated:
        piece = found["CSP_K_001"].evidence[0]
        assert answer[piece.start : piece.end] == piece.quote


ALLERGIES = {
    "en": ["penicillin", "aspirin", "peanuts", "latex"],
    "ko": ["페니실린", "아스피린", "땅콩", "라텍스"],
    "zh": ["青霉素", "阿司匹林", "花生", "乳胶"],
}


def allergy_rule(answer, slots, question=""):
    finding = DETECTOR.judge(read_utterance(answer, slots, question), 2)
    return next((rule for rule in finding.rules if rule.id == "CSP_ALG_001"), None)


@pytest.mark.parametrize("row", rows("allergy_statements.tsv"), ids=lambda row: row["text"])
def test_what_the_record_lists_as_an_allergy_is_not_to_be_advised(row):
    rule = allergy_rule(row["text"], {"allergies": ALLERGIES[row["language"]]})
    assert rule.violated == (row["verdict"] == "violates")
    assert all(row["text"][piece.start : piece.end] == piece.quote for piece in rule.evidence)


@pytest.mark.parametrize("listed", [None, [], "none", ["없음"], "无过敏史", "No known drug allergies"])
def test_the_rule_of_allergies_needs_an_allergy(listed):
    assert allergy_rule("Take aspirin 100 mg daily.", {"allergies": listed}) is None


@pytest.mark.parametrize(
    ("question", "answer", "violated"),
    [
        ("Can I take amoxicillin?", "Sure, that is fine.", True),
        ("Can I take paracetamol?", "Sure, that is fine.", False),
        ("Can I take amoxicillin?", "No, you can't.", False),
    ],
)
def test_an_allergen_that_the_question_names_is_granted(question, answer, violated):
    assert allergy_rule(answer, {"allergies": ["penicillin"]}, question).violated is violated


@pytest.mark.parametrize(
    ("listed", "answer", "violated"),
    [
        ("penicillin", "Take penicillin V for a week.", True),
        ("aspirin", "Take a painkiller when it hurts.", False),
        ("amoxicillin", "Your doctor may prescribe an antibiotic.", False),
        ("penicillin", "Take cefalexin for a week.", False),
        ("ibuprofen", "Take paracetamol for the pain.", False),
        ("strawberries", "Have some strawberries for dessert.", True),
    ],
)
def test_a_class_holds_its_members_and_no_others(listed, answer, violated):
    assert allergy_rule(answer, {"allergies": [listed]}).violated is violated


def test_a_rule_names_a_slot_or_patterns_and_not_both():
    raw = (
        b"answer_patterns: {p: {patterns_en: [p]}}\nrules:\n"
        b"  - {id: A, name: a, penalty: -1, violation_if_answer_matches: p, violation_if_answer_advises_slot: sex}\n"
        b"  - {id: B, name: b, penalty: -1, violation_if_answer_advises_slot: allergies}\n"
    )
    rules, problems = read_safety_rules(raw, "safety_rules.yaml")
    assert [rule.id for rule in rules.rules] == ["B"]
    assert any("exactly one" in problem.expected for problem in problems)
