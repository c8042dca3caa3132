"""Users' safety rules, required slots and weights: right files, every kind of fault with its line, the rest goes on."""

import pytest

from turnmark.errors import PackError
from turnmark.packs.clinical_context import context_pack, load_required_slots, read_required_slots
from turnmark.packs.fact_weights import load_fact_weights
from turnmark.packs.rule_packs import shipped_packs
from turnmark.packs.safety_rules import load_safety_rules, read_safety_rules
from turnmark.packs.stance import stance_pack

GOOD = """\
patient_flags:
  high: {any: [{field: potassium, op: ">=", value: 5.2}]}
question_flags:
  swelling: {patterns_en: [swelling]}
answer_patterns:
  food: {patterns_en: [banana]}
rules:
  - {id: A, name: a, when: {any: [{patient_flag: high}]}, violation_if_answer_matches: food, penalty: -1}
"""


def faults(text):
    rules, problems = read_safety_rules(text.encode(), "r.yaml")
    return rules, [(problem.line, problem.field, problem.severity) for problem in problems]


def test_a_good_file_has_no_problems():
    rules, found = faults(GOOD)
    assert found == []
    assert [rule.id for rule in rules.rules] == ["A"]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("  - {id: B, name: b, when: {any: [{patient_flag: low}]}, violation_if_answer_matches: food, penalty: -1}",
         "$.rules[1].when.any[0].patient_flag"),
        ("  - {id: B, name: b, when: {any: [{question_flag: low}]}, violation_if_answer_matches: food, penalty: -1}",
         "$.rules[1].when.any[0].question_flag"),
        ("  - {id: B, name: b, when: {any: [{patient_flag: high}]}, violation_if_answer_matches: fud, penalty: -1}",
         "$.rules[1].violation_if_answer_matches"),
        ("  - {id: B, name: b, when: {any: [{patient_flag: high}]}, penalty: -1}", "$.rules[1]"),
        ("  - {id: B, name: b, when: {any: [{patient_flag: high}]}, violation_if_answer_matches_any: [], penalty: -1}",
         "$.rules[1]"),
        ("  - {id: B, name: b, when: {}, violation_if_answer_matches: food, penalty: -1}", "$.rules[1].when"),
        ("  - {id: B, name: b, when: {all: [{is: true}]}, violation_if_answer_matches: food, penalty: -1}",
         "$.rules[1].when.all[0]"),
        ("  - {id: A, name: b, when: {any: [{patient_flag: high}]}, violation_if_answer_matches: food, penalty: -1}",
         "$.rules[1].id"),
        ("  - {id: B, name: b, when: {any: [{patient_flag: high}]}, violation_if_answer_matches: food, penalty: big}",
         "$.rules[1].penalty"),
        ("  - 7", "$.rules[1]"),
    ],
)  # fmt: skip
def test_a_rule_that_is_wrong_is_left_out_and_named(line, field):
    rules, found = faults(GOOD + line + "\n")
    assert [rule.id for rule in rules.rules] == ["A"]
    assert found[0] == (9, field, "error")


def test_other_sections():
    rules, found = faults(
        "patient_flags: [1]\n"
        "answer_patterns:\n"
        "  food: {patterns_en: banana}\n"
        "  drink: {patterns_en: [beer], patterns_fr: [biere]}\n"
        "rules: {}\n"
        "missing_requirements:\n"
        "  - {id: R, name: r, apply_to_turns: [3], required_concepts_any_of: {}, penalty: -1}\n"
        "  - {id: S, name: s, apply_to_turns: [3], required_concepts_any_of: {patterns_en: [x]}, penalty: -1,\n"
        "     when: {any: [{patient_flag: none}]}}\n"
        "  - {id: T, name: t, apply_to_turns: [3], required_concepts_any_of: {patterns_en: [x]}, penalty: -1}\n"
        "  - {id: T, name: t, apply_to_turns: [3], required_concepts_any_of: {patterns_en: [x]}, penalty: -1}\n"
        "ruls: []\n"
    )
    assert (
        set(found)
        == {
            (1, "$.patient_flags", "error"),
            (3, "$.answer_patterns.food.patterns_en", "error"),
            (4, "$.answer_patterns.drink.patterns_fr", "warning"),
            (5, "$.rules", "error"),
            (7, "$.missing_requirements[0].required_concepts_any_of", "error"),
            (8, "$.missing_requirements[1].when.any[0].patient_flag", "error"),
            (11, "$.missing_requirements[3].id", "error"),
            (12, "$.ruls", "warning"),
        }
        or found
    )
    assert [requirement.id for requirement in rules.missing_requirements] == ["T"]


@pytest.mark.parametrize("text", ["rules: [", "- 1\n", "", "a: b: c"])
def test_a_file_that_is_no_mapping_is_refused(text):
    with pytest.raises(PackError, match=r"r[.]yaml"):
        read_safety_rules(text.encode(), "r.yaml")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    for load in (load_safety_rules, load_required_slots, load_fact_weights):
        with pytest.raises(PackError, match="cannot be read"):
            load(tmp_path / "none.yaml")


def test_required_slots_and_their_faults(tmp_path):
    path = tmp_path / "slots.yaml"
    path.write_text(
        "turns:\n"
        '  "1":\n'
        "    required_slots:\n"
        "      - {slot: age}\n"
        "      - {slot: shoe_size}\n"
        "      - {slot: sex, weight: -1}\n"
        "      - {slot: age}\n"
        "  two: {}\n"
        '  "3": {required_slots: 5}\n',
        "utf-8",
    )
    required, problems = load_required_slots(path)
    assert [slot.slot for slot in required.of(1).required_slots] == ["age", "shoe_size"]
    assert required.of(3).required_slots == required.of(9).required_slots == []
    assert [(problem.line, problem.field) for problem in problems] == [
        (5, "$.turns.1.required_slots[1].slot"),
        (6, "$.turns.1.required_slots[2].weight"),
        (7, "$.turns.1.required_slots[3].slot"),
        (8, "$.turns.two"),
        (9, "$.turns.3.required_slots"),
    ]
    assert read_required_slots(b"turns: 1\n", "s.yaml")[1][0].field == "$.turns"


def test_weights_of_facts(tmp_path):
    path = tmp_path / "w.yaml"
    path.write_text("condition: 3\n", "utf-8")
    weights, _ = load_fact_weights(path)
    assert (weights.of("condition"), weights.of("lab")) == (3.0, 2.0)
    path.write_text("condition: -3\ncolour: 1\n", "utf-8")
    with pytest.raises(PackError, match=r"w.yaml:1: \$.condition"):
        load_fact_weights(path)


def test_shipped_files_are_sound():
    assert load_safety_rules()[1] == []
    assert load_required_slots()[1] == []
    assert {pack.language for pack, _ in shipped_packs("clinical.safety")} == {"ko", "en", "zh"}
    assert stance_pack()[0].version
    assert context_pack()[0].version
