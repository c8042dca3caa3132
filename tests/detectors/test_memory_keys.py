"""From a required key to the text it stands for (trace schema v1, section 6)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import PROFILE, dataset_dialog, dialog, turn
from turnmark.contract import resolve_memory_required_key
from turnmark.detectors.finance.memory_keys import KeyResolver
from turnmark.schemas.trace import DialogTrace

# Two user turns and two assistant turns: absolute turns 1 to 4 are 问一, 答一, 问二, 答二.
RAW = [
    {"role": "user", "text": "问一"},
    {"role": "assistant", "text": "答一"},
    {"role": "user", "text": "问二"},
    {"role": "assistant", "text": "答二"},
]
TRACE = dialog(raw_turns=RAW)

KEYS = {
    "profile_gt.risk_level_gt": ("稳健", "profile_field"),
    "profile_gt.horizon_gt": ("2年以上", "profile_field"),
    "profile_gt.liquidity_need_gt": ("中", "profile_field"),
    "profile_gt.constraints_gt[0]": ("不使用杠杆", "constraints_gt"),
    "profile_gt.constraints_gt[1]": ("最大回撤<10%", "constraints_gt"),
    "profile_gt.preferences_gt[0]": ("宽基指数基金", "preferences_gt"),
    "profile_gt.preferences_gt[1]": ("短债基金", "preferences_gt"),
    "history_turn_index:1": ("问一", "history_user_turn"),
    "history_turn_index:2": ("问二", "history_user_turn"),
    # No third user turn: the third of all turns is taken, and so on (1-based).
    "history_turn_index:3": ("问二", "history_abs_turn"),
    "history_turn_index:4": ("答二", "history_abs_turn"),
}
UNRESOLVED = [
    "profile_gt.constraints_gt[2]",
    "profile_gt.preferences_gt[2]",
    "profile_gt.preferences_gt[999999999]",
    "profile_gt.constraints_gt[-1]",
    "profile_gt.constraints_gt[]",
    "profile_gt.constraints_gt[0",
    "profile_gt.constraints_gt",
    "profile_gt.unknown_gt",
    "profile_gt.risk_level_gt ",
    "history_turn_index:0",
    "history_turn_index:5",
    "history_turn_index:-1",
    "history_turn_index:1.5",
    "history_turn_index:",
    "history_turn_index:٣",
    "history_turn_index:" + "9" * 60,
    "risk_level_gt",
    "",
]


@pytest.mark.parametrize("key", KEYS)
def test_key_form(key):
    text, resolver = KEYS[key]
    assert resolve_memory_required_key(key, TRACE, 1) == {
        "key": key,
        "resolvable": True,
        "target_text": text,
        "resolver": resolver,
    }


@pytest.mark.parametrize("key", UNRESOLVED)
def test_key_that_stands_for_nothing(key):
    assert resolve_memory_required_key(key, TRACE, 1) == {
        "key": key,
        "resolvable": False,
        "target_text": None,
        "resolver": "unresolved",
    }


@pytest.mark.parametrize("key", [key for key in KEYS if key.startswith("profile")])
@pytest.mark.parametrize("profile", [None, {}, dict.fromkeys(PROFILE), {**dict.fromkeys(PROFILE, ""),
                                     "constraints_gt": ["", ""], "preferences_gt": []}])  # fmt: skip
def test_profile_without_the_value_leaves_the_key_unresolved(key, profile):
    assert resolve_memory_required_key(key, dialog(profile_gt=profile), 1)["resolver"] == "unresolved"


@pytest.mark.parametrize("key", KEYS)
def test_dataset_dialogue_resolves_as_a_trace_does(key):
    assert resolve_memory_required_key(key, dataset_dialog(turns=RAW), 1) == resolve_memory_required_key(key, TRACE, 1)


@pytest.mark.parametrize("raw", [None, []])
def test_history_comes_from_the_paired_turns_when_raw_turns_are_missing(raw):
    # Pairs at absolute turns (1, 2) and (5, 6): a turn pair was passed over in between.
    first, second = turn(1), {**turn(3), "turn_pair_id": 2}
    value = dialog(turns=[second, first], raw_turns=raw)
    found = {n: resolve_memory_required_key(f"history_turn_index:{n}", value, 1) for n in range(8)}
    assert {n: (entry["target_text"], entry["resolver"]) for n, entry in found.items() if entry["resolvable"]} == {
        1: (first["user_text"], "history_user_turn"),
        2: (second["user_text"], "history_user_turn"),
        5: (second["user_text"], "history_abs_turn"),
        6: (second["gt_assistant_text"], "history_abs_turn"),
    }


def test_a_turn_without_text_is_no_target():
    value = dialog(raw_turns=[{"role": "user", "text": ""}, {"role": "assistant", "text": "答"}])
    assert resolve_memory_required_key("history_turn_index:1", value, 1)["resolvable"] is False


def test_the_turn_that_asks_changes_nothing():
    assert len({str(resolve_memory_required_key("history_turn_index:2", TRACE, n)) for n in (1, 2, 99)}) == 1


@given(st.text(max_size=40) | st.sampled_from(UNRESOLVED + list(KEYS)))
def test_any_key_gets_an_answer(key):
    found = KeyResolver(msgspec.convert(TRACE, DialogTrace)).resolve(key)
    assert found.resolvable == (found.target_text is not None)
    assert found.resolvable == (found.resolver != "unresolved")
    assert found.key == key
