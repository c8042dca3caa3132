"""Edits of one text, checked by hand in three languages."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.suites.planting import edits


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("年费是20元，2024年起收取。", ("年费是", "元，2024年起收取。")),
        ("연회비는 20만원이고 3월 5일에 냅니다.", ("연회비는 ", "만원이고 3월 5일에 냅니다.")),
        ("The fee is 20 dollars from 5 March 2024.", ("The fee is ", " dollars from 5 March 2024.")),
    ],
)
def test_one_amount_becomes_another_and_dates_stay(text, kept):
    changed = edits.change_number(text, random.Random(3))
    assert changed.startswith(kept[0])
    assert changed.endswith(kept[1])
    written = float(changed[len(kept[0]) : len(changed) - len(kept[1])])
    assert written in {30.0, 40.0, 60.0}


def test_only_the_amounts_asked_for_change():
    text = "现金留20%，回撤不超过10%，持有10年。"
    changed = edits.change_number(text, random.Random(0), edits.amounts_in("最大回撤<10%"))
    assert changed in {text.replace("10%", f"{number}%") for number in (15, 20, 30)}
    assert edits.change_number(text, random.Random(0), {(77.0, "percent")}) is None
    assert edits.change_number("没有数字。", random.Random(0)) is None


def test_decimals_keep_their_number_of_places():
    assert edits.change_number("HbA1c 7.8%", random.Random(1)) in {f"HbA1c {number}%" for number in (11.7, 15.6, 23.4)}


@given(st.floats(0.1, 9999).map(lambda value: round(value, 1)), st.integers(0, 99))
def test_a_changed_number_is_beyond_rounding(value, seed):
    changed = edits.change_number(f"{value}%", random.Random(seed))
    assert float(changed.rstrip("%")) >= 1.4 * value


def test_what_a_record_holds():
    record = {"age": 67, "key_meds": ["metformin 500mg"], "key_labs": {"hba1c": {"value": 7.2, "unit": "%"}}, "x": None}
    assert edits.numbers_in(record) == {67.0, 500.0, 7.2}
    assert edits.amounts_in(record) == {(500.0, "mg")}
    assert edits.names_in(record) == {"metformin"}
    assert edits.numbers_in(True) == set()
    assert edits.names_in(["type 2 diabetes", "제2형 당뇨병", "48mL/min/1.73m2", "148mmHg", "二甲双胍0.5g", 3]) == {
        "type 2 diabetes",
        "제2형 당뇨병",
        "二甲双胍",
    }


@pytest.mark.parametrize(
    ("text", "opposite"),
    [
        ("所有客户都可以申请。", "所有客户都不可以申请。"),
        ("但是起存金额是20万元。", "但是起存金额不是20万元。"),
        ("不能取现。利息会按月支付。", "不能取现。利息不会按月支付。"),
        ("주차는 무료로 제공됩니다.", "주차는 무료로 제공되지 않습니다."),
        ("주차장이 있습니다.", "주차장이 없습니다."),
        ("The loan is free of charge.", "The loan is not free of charge."),
        ("It is not free. You can cancel it.", "It is not free. You cannot cancel it."),
        ("不能取现。", None),
        ("안 됩니다.", None),
        ("It is not free.", None),
    ],
)
def test_the_first_plain_sentence_becomes_its_opposite(text, opposite):
    assert edits.negate(text) == opposite


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("可以先看指数基金。基金有风险，净值会波动。", "可以先看指数基金。"),
        ("지수 펀드를 먼저 보세요. 원금은 보장되지 않습니다.", "지수 펀드를 먼저 보세요."),
        ("Look at index funds first. You can lose money.", "Look at index funds first."),
        ("可以先看指数基金。", None),
        ("基金有风险。", None),
        ("净值会波动。先看指数基金。", None),
    ],
)
def test_sentences_that_disclose_a_risk_go(text, left):
    assert edits.drop_risk(text) == left


def test_a_sentence_is_added_in_the_shape_of_the_text():
    assert edits.add("好的", "祝您愉快！") == "好的。祝您愉快！"
    assert edits.add("Fine.", "Bye.") == "Fine. Bye."
    assert edits.add("네", "감사합니다.") == "네. 감사합니다."
    assert edits.add("- 一\n- 二\n", "祝您愉快！") == "- 一\n- 二\n\n祝您愉快！"


def test_controls_say_the_same():
    assert edits.full_width_digits("留20%") == "留２０%"
    assert edits.full_width_digits("没有数字") is None
    assert edits.extra_spaces("First. Second.") == "First.  Second."
    assert edits.extra_spaces("第一。第二。") == "第一。  第二。"
    assert edits.extra_spaces("3.5%") is None
    assert edits.reverse_bullets("可选：\n- 甲\n- 乙\n- 丙\n完。") == "可选：\n- 丙\n- 乙\n- 甲\n完。"
    assert edits.reverse_bullets("- a\n- b") == "- b\n- a"
    assert edits.reverse_bullets("1. a\n2. b\n") is None


@given(st.text())
def test_controls_take_any_text(text):
    for control in (
        edits.full_width_digits,
        edits.extra_spaces,
        edits.reverse_bullets,
        edits.other_points,
        edits.synonyms,
        edits.other_manner,
    ):
        changed = control(text)
        assert changed is None or changed != text
    assert edits.reverse_bullets(text) is None or len(edits.reverse_bullets(text)) == len(text)


def test_an_age_stays_one():
    for age in (3, 64, 75, 99):
        for seed in range(20):
            changed = edits.change_number(f"您{age}岁", random.Random(seed))
            number = int(changed[1:-1])
            assert 0 < number <= 99
            assert number != age


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("如果下跌，所以要等。", "要是下跌，因此要等。"),
        ("매일 약간 걸으세요.", "날마다 조금 걸으세요."),
        ("For example, walk every day; about 20 minutes.", "For instance, walk each day; roughly 20 minutes."),
        ("It is abouteverything.", None),
    ],
)
def test_synonyms_change_places(text, same):
    assert edits.synonyms(text) == same
    if same:
        assert edits.synonyms(same) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("您可以等。", "你可以等。"),
        ("괜찮습니다. 위험이 없습니다.", "괜찮습니다. 위험이 없어요."),
        ("You are fine; do not stop.", "You're fine; don't stop."),
    ],
)
def test_manner_changes(text, same):
    assert edits.other_manner(text) == same
    assert edits.other_manner(same) == text


def test_points_of_another_shape():
    assert edits.other_points("可以（或许），对吗？") == "可以(或许),对吗?"
    assert edits.other_points("It's fine (really).") == "It’s fine （really）."
    assert edits.other_points("Fine.") is None


def test_similarity_is_the_share_of_letter_pairs():
    assert edits.similarity("存款利率是百分之二", "存款利率") == 1.0
    assert edits.similarity("abcd", "abxy") == pytest.approx(1 / 3)
    assert edits.similarity("abcd", "") == 0.0
