"""Raw dataset dialogues: skip reasons, canonical forms, pairing (metrics contract v1, section 3)."""

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import dataset_dialog
from turnmark.schemas.dialog import normalized, turn_pairs, validity


def without(name, **fields):
    value = dataset_dialog(**fields)
    del value[name]
    return value


def with_turn(place, **fields):
    value = dataset_dialog()
    value["turns"][place] = {**value["turns"][place], **fields}
    return value


VALIDITY = {
    "whole": (dataset_dialog(), None),
    "a last user turn without answer": (
        dataset_dialog(turns=[*dataset_dialog()["turns"], {"role": "user", "text": "再见"}]),
        None,
    ),
    "only preferences in the profile": (dataset_dialog(profile_gt={"preferences_gt": ["短债"]}), None),
    "no turns": (without("turns"), "missing_turns"),
    "empty turns": (dataset_dialog(turns=[]), "missing_turns"),
    "turns are null": (dataset_dialog(turns=None), "missing_turns"),
    "turns are a text": (dataset_dialog(turns="user: hi"), "missing_turns"),
    "not an object": ([], "missing_turns"),
    "no profile": (without("profile_gt"), "missing_profile_gt"),
    "profile is null": (dataset_dialog(profile_gt=None), "missing_profile_gt"),
    "profile is a text": (dataset_dialog(profile_gt="稳健"), "missing_profile_gt"),
    "profile without any value": (
        dataset_dialog(profile_gt={"risk_level_gt": "", "constraints_gt": []}),
        "missing_profile_gt",
    ),
    "assistant first": (dataset_dialog(turns=dataset_dialog()["turns"][1:]), "invalid_turn_sequence"),
    "user twice": (
        dataset_dialog(turns=[{"role": "user", "text": "a"}, *dataset_dialog()["turns"]]),
        "invalid_turn_sequence",
    ),
    "only one turn": (dataset_dialog(turns=dataset_dialog()["turns"][:1]), "invalid_turn_sequence"),
    "a turn is a text": (dataset_dialog(turns=["a", "b"]), "invalid_turn_sequence"),
    "a turn without text": (with_turn(0, text=None), "invalid_turn_sequence"),
    "an unknown role": (with_turn(1, role="system"), "invalid_turn_sequence"),
    "assistant turn without tags": (with_turn(3, turn_tags=None), "missing_gt_tags"),
    "tags are a list": (with_turn(1, turn_tags=["x"]), "missing_gt_tags"),
}


@pytest.mark.parametrize("name", VALIDITY)
def test_validity(name):
    value, reason = VALIDITY[name]
    assert validity(value) == (reason is None, reason)


def test_reasons_are_tried_in_the_order_of_the_contract():
    assert validity({"turns": [], "profile_gt": None})[1] == "missing_turns"
    assert validity({"turns": ["x"], "profile_gt": None})[1] == "missing_profile_gt"
    broken = with_turn(0, role="assistant")
    broken["turns"][1]["turn_tags"] = None
    assert validity(broken)[1] == "invalid_turn_sequence"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from(["turns", "profile_gt", "role", "text", "turn_tags", "risk_level_gt"]), inner),
                    max_leaves=12))  # fmt: skip
def test_validity_answers_for_any_value(value):
    valid, reason = validity(value)
    assert valid == (reason is None)


@pytest.mark.parametrize(
    ("role", "canonical"),
    [("user", "user"), (" User ", "user"), ("human", "user"), ("用户", "user"), ("客户", "user"), ("사용자", "user"),
     ("assistant", "assistant"), ("AI", "assistant"), ("bot", "assistant"), ("助手", "assistant"),
     ("상담사", "assistant"), ("system", "system"), (None, "")],
)  # fmt: skip
def test_roles_become_canonical(role, canonical):
    assert normalized({"turns": [{"role": role, "text": "x"}]})["turns"][0]["role"] == canonical


@pytest.mark.parametrize(
    ("label", "canonical"),
    [("compliant", "compliant"), (" Compliant ", "compliant"), ("合规", "compliant"), ("minor", "minor_violation"),
     ("轻微违规", "minor_violation"), ("SEVERE", "severe_violation"), ("严重违规", "severe_violation"),
     ("준수", "compliant"), ("whatever", "compliant"), ("", "compliant"), (None, "compliant")],
)  # fmt: skip
def test_labels_become_canonical(label, canonical):
    value = normalized({"turns": [{"role": "assistant", "turn_tags": {"compliance_label_gt": label}}]})
    assert value["turns"][0]["turn_tags"]["compliance_label_gt"] == canonical


@pytest.mark.parametrize(
    ("entries", "canonical"),
    [([" 波动风险 ", "波动风险", "", None, "信用风险"], ["波动风险", "信用风险"]), ("波动风险", ["波动风险"]),
     (("a", "b"), ["a", "b"]), ([1], ["1"]), (None, []), (5, []), ({}, [])],
)  # fmt: skip
@pytest.mark.parametrize("name", ["memory_required_keys_gt", "risk_disclosure_required_gt", "explainability_rubric_gt"])
def test_tag_lists_become_lists_of_names(name, entries, canonical):
    value = normalized({"turns": [{"role": "assistant", "turn_tags": {name: entries}}]})
    assert value["turns"][0]["turn_tags"][name] == canonical


def test_profile_entries_lose_white_space_and_repeats():
    profile = {"risk_level_gt": " 稳健\n", "horizon_gt": 3, "constraints_gt": ["a ", "a"], "other": [1]}
    assert normalized({"profile_gt": profile})["profile_gt"] == {
        "risk_level_gt": "稳健",
        "horizon_gt": 3,
        "constraints_gt": ["a"],
        "preferences_gt": [],
        "other": [1],
    }


def test_line_ends_and_marks_go_and_nothing_else_in_a_text_changes():
    text = "\ufeff 第一行\r\n第二行\r第三行  。\t"
    value = normalized({"turns": [{"role": "user", "text": text}]})
    assert value["turns"][0]["text"] == " 第一行\n第二行\n第三行  。\t"


def test_unknown_fields_stay_and_the_argument_is_not_written_to():
    value = dataset_dialog(mood={"x": [1]})
    value["turns"].append("no object")
    before = copy.deepcopy(value)
    result = normalized(value)
    assert value == before
    assert result["mood"] == {"x": [1]}
    assert result["turns"][-1] == "no object"


def test_normalising_twice_changes_nothing_more():
    value = with_turn(1, role=" AI ", text="a\r\nb", turn_tags={"risk_disclosure_required_gt": "波动"})
    once = normalized(value)
    assert normalized(once) == once
    assert once != value


def test_pairs_of_a_whole_dialogue():
    assert [
        (pair["turn_pair_id"], pair["user_turn_abs_idx"], pair["gt_assistant_abs_idx"], pair["user_text"])
        for pair in turn_pairs(dataset_dialog(pairs=3))
    ] == [(1, 0, 1, "第1个问题。"), (2, 2, 3, "第2个问题。"), (3, 4, 5, "第3个问题。")]


def test_pair_carries_the_tags_and_text_of_the_assistant_turn():
    (pair,) = turn_pairs(dataset_dialog(pairs=1))
    assert pair["gt_assistant_text"] == "第1个参考答复。"
    assert pair["gt_turn_tags"]["risk_disclosure_required_gt"] == ["波动风险"]


def test_turns_without_a_partner_are_passed_over_and_indexes_count_all_turns():
    user, assistant = {"role": "user", "text": "u"}, {"role": "assistant", "text": "a"}
    turns = [assistant, user, user, assistant, assistant, "junk", user, assistant, user, 7, assistant, user]
    assert [(pair["user_turn_abs_idx"], pair["gt_assistant_abs_idx"]) for pair in turn_pairs({"turns": turns})] == [
        (2, 3),
        (6, 7),
    ]


@pytest.mark.parametrize("turns", [None, [], "text", 5, {"0": 1}])
def test_no_list_of_turns_gives_no_pairs(turns):
    assert turn_pairs({"turns": turns}) == []


def test_tags_that_are_no_object_become_an_empty_one():
    value = with_turn(1, turn_tags="x", text=None)
    pair = turn_pairs(value)[0]
    assert pair["gt_turn_tags"] == {}
    assert pair["gt_assistant_text"] == ""
