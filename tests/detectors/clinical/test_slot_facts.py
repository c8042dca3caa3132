"""Facts of slots that are data: allergies, family, operations, vaccines, habits, and slots of the user's own."""

import pytest

from turnmark.clinical import compute_advanced_metrics, extract_facts
from turnmark.detectors.clinical.context_use.detector import slot_uses
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.packs.clinical_slots import load_slots, shipped_slots
from turnmark.packs.safety_rules import read_safety_rules
from turnmark.suites.clinical.answer import load_config


def told(answer, slots, definitions=None):
    """Each fact of a slot in order: slot, what is said, and what becomes of it."""
    facts = read_utterance(answer, slots, "", definitions).facts
    return [(fact.type, fact.value, _verdict(fact)) for fact in facts]


def _verdict(fact):
    if not fact.patient_claim:
        return "no claim"
    return "undecided" if fact.undecided else "wrong" if fact.hallucinated else "right"


@pytest.mark.parametrize(
    ("answer", "slots", "expected"),
    [
        (
            "You are allergic to penicillin and latex.",
            {"allergies": ["Penicillin (rash)"]},
            [("allergies", "penicillin", "right"), ("allergies", "latex", "wrong")],
        ),
        (
            "페니실린 알레르기가 있으시죠. 라텍스 알레르기도 있으시죠.",
            {"allergies": ["페니실린"]},
            [("allergies", "penicillins", "right"), ("allergies", "latex", "wrong")],
        ),
        (
            "您对青霉素和头孢过敏。",
            {"allergies": "青霉素"},
            [("allergies", "penicillin", "right"), ("allergies", "cephalosporin", "wrong")],
        ),
        ("You are allergic to penicillin.", {"allergies": []}, [("allergies", "penicillin", "wrong")]),
        ("You have no known allergies.", {"allergies": ["penicillin"]}, [("allergies", "allergies none", "wrong")]),
        ("您没有过敏史。", {"allergies": []}, [("allergies", "allergies none", "right")]),
        ("알레르기는 없으십니다.", {"allergies": ["땅콩"]}, [("allergies", "allergies none", "wrong")]),
        ("You are not allergic to penicillin.", {"allergies": ["latex"]}, [("allergies", "no penicillin", "right")]),
        ("Are you allergic to penicillin?", {"allergies": []}, [("allergies", "penicillin", "no claim")]),
        ("People allergic to eggs take care.", {"allergies": []}, [("allergies", "egg", "no claim")]),
        ("You are allergic to mango.", {"allergies": ["mango"]}, [("allergies", "mango", "right")]),
        ("As a smoker you should stop.", {"smoking": "never"}, [("smoking", "smoking current", "wrong")]),
        ("You quit smoking in 2010.", {"smoking": "Ex-smoker"}, [("smoking", "smoking former", "right")]),
        ("현재 흡연 중이시네요.", {"smoking": "비흡연"}, [("smoking", "smoking current", "wrong")]),
        ("您已戒烟多年。", {"smoking": "former"}, [("smoking", "smoking former", "right")]),
        ("您从不饮酒。", {"alcohol": "偶尔饮酒"}, [("alcohol", "alcohol never", "wrong")]),
        ("You smoke.", {"smoking": "see note"}, [("smoking", "smoking current", "undecided")]),
        (
            "You had a hip replacement and an appendectomy.",
            {"surgery": ["appendectomy"]},
            [("surgery", "total hip replacement", "wrong"), ("surgery", "appendectomy", "right")],
        ),
        (
            "You had your flu shot last week.",
            {"immunisation": ["Influenza, seasonal, injectable"]},
            [("immunisation", "influenza", "right")],
        ),
        (
            "You have a family history of breast cancer.",
            {"family_history": ["유방암"]},
            [("family_history", "breast cancer", "right")],
        ),
        ("您有糖尿病家族史。", {"family_history": []}, [("family_history", "diabetes mellitus", "wrong")]),
    ],
)  # fmt: skip
def test_what_an_answer_says_of_a_slot(answer, slots, expected):
    assert told(answer, slots) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You are allergic to penicillin.", ("allergies", "penicillin", "undecided")),
        ("담배를 피우시는군요.", ("smoking", "smoking current", "undecided")),
        ("Your potassium is 5.1.", ("lab", "potassium 5.1", "undecided")),
        ("You take digoxin every day.", ("medication", "digoxin", "undecided")),
        ("You are a 70-year-old.", ("demographic", "age 70", "undecided")),
    ],
)
def test_a_slot_that_the_record_does_not_fill_decides_nothing(answer, expected):
    assert told(answer, {"chief_symptom": "cough"}) == [expected]
    scores = compute_advanced_metrics(answer, "", {"chief_symptom": "cough"}, 9)["SFS"]
    assert (scores["score"], scores["mentioned_count"], scores["undecided_count"]) == (1.0, 0, 1)


def test_a_true_allergy_is_no_hallucination():
    found = compute_advanced_metrics(
        "You are allergic to penicillin and latex.", "", {"allergies": ["penicillin"]}, turn_id=9
    )["SFS"]
    # two claims of weight 2, one of them wrong: 1 - 2 / 4
    assert (found["score"], found["mentioned_weight"], found["hallucinated_weight"]) == (0.5, 4.0, 2.0)
    assert [one["quote"] for one in found["hallucinated_details"]] == ["latex"]


def test_a_condition_of_the_record_stays_a_condition():
    facts = extract_facts("You have a peanut allergy.", {"comorbidities": ["peanut allergy"]})
    assert [(fact.type, fact.hallucinated, fact.undecided) for fact in facts] == [("condition", False, False)]


@pytest.mark.parametrize("slots", [{"hba1c": "7.2%"}, {"hba1c": {"value": 7.2, "unit": "%"}}, {"labs": {"hba1c": 7.2}}])
def test_a_lab_may_stand_by_itself_and_under_another_name(slots):
    (fact,) = extract_facts("Your HbA1c is 7.2%.", slots)
    assert (fact.patient_claim, fact.hallucinated, fact.undecided) == (True, False, False)
    (fact,) = extract_facts("Your HbA1c is 8.4%.", slots)
    assert fact.hallucinated


OWN = """
slots:
  devices: {type: concepts, concepts: {walker: "walker, walking frame, 보행기, 助行器"}, weight: 3.0, called: device}
  walking_distance: {type: quantity, called: "walking distance, 보행 거리, 步行距离", unit: m, questions: how far}
  last_dialysis: {type: date, called: "last dialysis, 마지막 투석, 上次透析"}
  living: {type: text, values: {alone: "you live alone, lives alone, 혼자 사시, 您独居", family: "with your family"}}
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "slots.yaml").write_text(OWN, "utf-8")
    (folder / "required_slots_by_turn.yaml").write_text(
        'turns: {"1": {required_slots: [{slot: devices, weight: 2.0}, {slot: hba1c}, {slot: allergy}]}}', "utf-8"
    )
    return folder


RECORD = {"devices": ["walker"], "walking_distance": "400 m", "last_dialysis": "2024-03-01", "living": "alone"}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("You have a walker.", ("devices", "walker", "right")),
        ("Your walking distance is 400 m.", ("walking_distance", "walking_distance 400 m", "right")),
        ("Your walking distance is 900 m.", ("walking_distance", "walking_distance 900 m", "wrong")),
        ("보행 거리는 400m입니다.", ("walking_distance", "walking_distance 400 m", "right")),
        ("Your last dialysis was on March 1, 2024.", ("last_dialysis", "last_dialysis march 1, 2024", "right")),
        ("您上次透析是2024年3月8日。", ("last_dialysis", "last_dialysis 2024年3月8日", "wrong")),
        ("You live alone.", ("living", "living alone", "right")),
        ("您独居。", ("living", "living alone", "right")),
    ],
)
def test_slots_of_the_users_own(own, answer, expected):
    definitions, problems = load_slots(own / "slots.yaml")
    assert problems == []
    assert [one for one in told(answer, RECORD, definitions) if one[0] in RECORD] == [expected]


def test_own_slots_shape_the_figures_and_the_signature(own):
    config, problems = load_config(own)
    assert problems == []
    assert config.weights.of("devices") == 3.0
    assert {"slots", "slots.own"} <= config.packs.keys()
    assert config.required_in(1, "") == {"devices": 2.0, "hba1c": 1.0, "allergies": 1.0}
    assert config.required_in(2, "How far can I walk?") == {"walking_distance": 1.0}
    record = RECORD | {"hba1c": "7.2%", "allergies": ["latex"]}
    found = compute_advanced_metrics("With your walker and an A1c of 7.2%, avoid latex.", "", record, 1, own)
    uses = found["CUS_improved"]["used_detail"]
    assert {slot: use["confidence"] for slot, use in uses.items()} == {"devices": 1.0, "hba1c": 1.0, "allergies": 1.0}


def test_a_question_asks_for_what_the_record_knows():
    required = shipped_slots().asked_for("can i have the flu vaccine with my allergies?")
    assert required == {"allergies": 2.0, "immunisation": 1.0}
    answer = read_utterance("Latex is what you must avoid.", {"allergies": ["latex"]})
    assert [(use.slot, use.score) for use in slot_uses(answer, required)] == [("allergies", 1.0)]


def test_faults_of_slots_are_named(tmp_path):
    path = tmp_path / "slots.yaml"
    path.write_text("slots:\n  a: {type: date}\n  b: {type: text, concepts: {x: y}}\n  c: {type: colour}\n", "utf-8")
    definitions, problems = load_slots(path)
    assert [(problem.line, problem.field) for problem in problems] == [
        (4, "$.slots.c.type"), (2, "$.slots.a.called"), (3, "$.slots.b.concepts"),
    ]  # fmt: skip
    assert definitions.get("a") is None
    assert definitions.get("allergies") == shipped_slots().get("allergies")


FLAGS = """
patient_flags:
  smoker: {any: [{field: smoking, op: "==", value: current}]}
  not_female: {all: [{field: sex, op: "!=", value: female}]}
  penicillin: {any: [{field: allergies, op: in, value: [penicillin, 페니실린]}]}
rules:
  - {id: A, name: a, when: {any: [{patient_flag: smoker}]}, violation_if_answer_matches: x, penalty: 1}
  - {id: B, name: b, when: {any: [{patient_flag: not_female}]}, violation_if_answer_matches: x, penalty: 1}
  - {id: C, name: c, when: {any: [{patient_flag: penicillin}]}, violation_if_answer_matches: x, penalty: 1}
answer_patterns: {x: {patterns_en: [x]}}
"""


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        ({"smoking": "current every day smoker"}, ["A"]),
        ({"smoking": "비흡연"}, []),
        ({"sex": "남성"}, ["B"]),
        ({"sex": "여성"}, []),
        ({}, []),
        ({"allergies": ["latex", "青霉素"]}, ["C"]),
        ({"allergies": ["latex"]}, []),
    ],
)
def test_flags_over_text(tmp_path, slots, expected):
    (tmp_path / "safety_rules.yaml").write_text(FLAGS, "utf-8")
    found = compute_advanced_metrics("x", "", slots, 9, tmp_path)["CSP"]["applicable_rules"]
    assert [rule["id"] for rule in found] == expected


@pytest.mark.parametrize(("op", "value"), [("<", "a"), ("in", "a"), ("==", "[a]"), (">=", "[a]")])
def test_a_flag_that_can_not_compare_is_named(op, value):
    raw = f'patient_flags:\n  f: {{any: [{{field: sex, op: "{op}", value: {value}}}]}}\n'.encode()
    rules, problems = read_safety_rules(raw, "s.yaml")
    assert rules.patient_flags == {}
    assert [problem.line for problem in problems] == [2]
