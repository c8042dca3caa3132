"""Words, signals and measures of the offline judge."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.judges.rules import words
from turnmark.judges.rules.learned.features import ALL, measure, measure_back
from turnmark.judges.rules.material import Material
from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.signals import find_signals, opposite
from turnmark.language.quantity.quantity import quantities
from turnmark.language.quantity.same import same_amount


def measured(claim, *material, question=None):
    found = measure(Reading(claim), Material([Reading(text) for text in material]), question and Reading(question))
    return found.values


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("The loans' Payments cost 1,250.50", ["the", "loan", "payment", "cost", "1250.5"]),
        ("Röntgen won two prizes", ["rontgen", "won", "2", "prize"]),
        ("最低首付为3.5%", ["最低", "低首", "首付", "付为", "3.5"]),
        ("貸款", ["贷款"]),
        ("계약금은 3.5%입니다", ["계약", "약금", "3.5", "입니", "니다"]),
        ("고객센터에서", ["고객", "객센", "센터"]),
        ("", []),
    ],
)
def test_units(text, units):
    assert words.units(words.folded(text)) == units


def test_rare_words_weigh_more_than_common_ones():
    assert words.weight("the") == words.LIGHT < words.weight("year") < words.weight("zyzzyva") == words.UNSEEN


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("The card isn't blocked.", 1),
        ("Not only is it cheap.", 0),
        ("It never ends and nobody knows.", 2),
        ("这不是风险", 1),
        ("不仅便宜", 0),
        ("没有费用", 1),
        ("수수료가 없습니다", 1),
        ("틀림없이 됩니다", 0),
        ("정지할 수 없지 않습니다", 2),
        ("Это не так", 0),
    ],
)
def test_denials(text, denials):
    reading = Reading(text)
    assert len(reading.sentences[0].signals.negations) == denials


@pytest.mark.parametrize(
    ("claim", "other", "pair"),
    [
        ("The house is bright.", "The house is dark.", None),
        ("The fee increased.", "The fee decreased.", ("increased", "decreased")),
        ("费用上升", "费用下降", ("上升", "下降")),
        ("조명이 밝습니다", "조명이 어둡습니다", ("밝", "어둡")),
        ("The fee increased, then decreased.", "The fee decreased.", None),
    ],
)
def test_opposites(claim, other, pair):
    one, two = (Reading(text).sentences[0] for text in (claim, other))
    found = opposite(one.signals, two.signals, one.language)
    assert (found and (found.mine, found.theirs)) == pair
    if found:
        assert two.folded[found.start : found.end] == found.theirs


def test_signals_of_a_language_without_lists():
    assert find_signals("не так", "und").negations == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("3 months", "three months", True),
        ("24个月", "2年", True),
        ("3.5%", "百分之三点五", True),
        ("500만원", "5,000,000원", True),
        ("3.5%", "5%", False),
        ("5 mg", "5 kg", False),
        ("5 days", "5 dollars", False),
    ],
)
def test_same_amount(one, other, same):
    assert same_amount(quantities(one)[0], quantities(other)[0]) is same


def test_a_text_holds_itself():
    for text in ("The fee is 12 dollars. It is not refunded.", "手续费为12元，不予退还。", "수수료는 500원입니다."):
        values = measured(text, text)
        for name in (
            "covered",
            "covered_by_one",
            "covered_by_two",
            "covered_new",
            "letters",
            "alike",
            "worst_sentence",
        ):
            assert values[name] == 1.0, name
        for name in ("missing", "disordered", "numbers_lost", "number_differs", "name_lost", "parity", "opposite"):
            assert values[name] == 0.0, name


def test_what_the_question_holds_is_not_new():
    values = measured(
        "The capital is Seoul.", "It rains often in the capital.", question="Which city is the capital of Korea?"
    )
    assert values["covered_new"] < values["covered"]
    assert values["question"] > 0


def test_numbers_that_are_lost():
    assert measured("It takes 5 days.", "It takes 7 days.")["number_differs"] == 1.0
    assert measured("It takes 5 days.", "It takes some days.")["numbers_lost"] == pytest.approx(1 / 3)
    assert measured("It takes 5 days.", "It takes some days.")["number_differs"] == 0.0
    # The digits stand elsewhere, as a part of another number.
    assert measured("It takes 5 days.", "It takes 15 days.")["number_differs"] == 1.0
    assert measured("It takes five days.", "It takes 5 days.")["numbers_lost"] == 0.0


def test_each_sentence_has_its_own_closest_one():
    material = ["The fee is 12 dollars.", "The limit is 50 pages."]
    values = measured("The limit is 50 pages. The fee is 12 dollars.", *material)
    assert values["covered_by_one"] == 1.0
    assert values["disordered"] == 0.0


def test_agreement_looks_the_other_way_round_too():
    back = measure_back(Reading("The fee is 12 dollars"), Reading("The fee is 15 dollars and the limit 50 pages"))
    assert back["back_number_differs"] == 1.0
    assert 0 < back["back_covered"] < 1


TEXTS = st.lists(
    st.sampled_from(
        ["fee", " ", "12", "%", ". ", "费用", "，", "수수료", "는", "not", "Maria", "？", "\n", "5年", "é"]
    ),
    max_size=20,
).map("".join)


@given(TEXTS, TEXTS, TEXTS)
def test_measures_are_numbers_from_0_to_1(claim, other, question):
    values = measured(claim, other, question=question or None)
    assert values.keys() >= ALL - {"pairs", "pairs_by_two"}
    for name, value in values.items():
        assert math.isfinite(value), name
        assert -1e-9 <= value <= 1.0 + 1e-9, name


@given(TEXTS, TEXTS)
def test_order_of_materials_does_not_change_what_is_covered(claim, other):
    one = measured(claim, other, "The fee is 12 dollars.")
    two = measured(claim, "The fee is 12 dollars.", other)
    for name in ("covered", "letters", "latin_lost", "name_lost"):
        assert one[name] == two[name]
