"""Names of operations of a combining form and an ending, and the side that a record leaves open."""

import pytest

from turnmark.clinical import extract_facts
from turnmark.detectors.clinical.read.operations import operations_in
from turnmark.packs.clinical_anatomy import anatomy
from turnmark.packs.clinical_facts import words

COMPOSED = [
    (stem + ending, f"{organ}:{act}")
    for organ, part in anatomy().organs.items()
    for stem in words(part.stems)
    for act, done in anatomy().acts.items()
    for ending in words(done.endings)
    if stem.isascii() == ending.isascii()
]


def only_fact(answer, *procedures, conditions=()):
    (fact,) = extract_facts(
        answer, {"age": 70, "major_procedures": list(procedures), "comorbidities": list(conditions)}
    )
    assert answer[fact.start : fact.end] == fact.quote
    return fact


def verdict(answer, *procedures):
    fact = only_fact(answer, *procedures)
    return "undecided" if fact.undecided else "wrong" if fact.hallucinated else "right"


@pytest.mark.parametrize(("name", "operation"), COMPOSED)
def test_every_composed_name_tells_its_part_and_its_act(name, operation):
    assert operation in {term for one in operations_in(f"a {name} in 2019") for term in one.term.ids}


@pytest.mark.parametrize(
    "text",
    [
        "lobectomy", "ovarian cystectomy", "vasectomy", "nephrolithotomy", "肺叶切除术", "切除过胃息肉",
        "removed your kidney stones",
    ],
)  # fmt: skip
def test_another_part_and_what_grows_in_a_part_are_not_the_part(text):
    assert list(operations_in(text)) == []


def test_a_longer_word_holds_no_composed_name():
    assert [one.term.ids for one in operations_in("parathyroidectomy")] == [frozenset({"parathyroid:removal"})]
    assert list(operations_in("병변부위성형술")) == []
    assert next(one.term.ids for one in operations_in("부신절제술")) == frozenset({"adrenal:removal"})


@pytest.mark.parametrize("recorded", ["right nephrectomy 2019", "우측 신절제술", "우측 신장 절제술", "右肾切除术"])
@pytest.mark.parametrize(("answer", "expected"), [
    ("Your right kidney was removed.", "right"), ("Your kidney was removed.", "right"),
    ("Your left kidney was removed.", "wrong"), ("You had a left nephrectomy.", "wrong"),
    ("Your gallbladder was removed.", "wrong"), ("You have never had surgery.", "wrong"),
    ("오른쪽 신절제술을 받으셨습니다.", "right"), ("왼쪽 신장 절제술을 받으셨습니다.", "wrong"),
    ("您做过右肾切除术。", "right"), ("您做过左肾切除术。", "wrong"),
])  # fmt: skip
def test_a_composed_name_of_the_record_decides_part_and_side(recorded, answer, expected):
    assert verdict(answer, recorded) == expected


@pytest.mark.parametrize(("answer", "expected"), [
    ("Your kidney was removed.", "right"), ("Your left kidney was removed.", "undecided"),
    ("Your left kidney was not removed.", "undecided"), ("Your kidney was not removed.", "wrong"),
    ("왼쪽 신장 절제술을 받으셨습니다.", "undecided"), ("您做过左肾切除术。", "undecided"),
])  # fmt: skip
@pytest.mark.parametrize("recorded", ["kidney removal", "nephrectomy"])
def test_a_bare_entry_leaves_the_side_open(recorded, answer, expected):
    assert verdict(answer, recorded) == expected


@pytest.mark.parametrize(("answer", "quote", "value"), [
    ("You had your right knee replaced.", "right knee replaced", "right knee replacement"),
    ("You had knee surgery on your right side.", "knee surgery on your right", "right knee operation"),
    ("오른쪽 무릎 수술을 받으셨습니다.", "오른쪽 무릎 수술", "right knee operation"),
    ("您做过右膝关节置换。", "右膝关节置换", "right total knee replacement"),
    ("You have arthritis of the left hip.", "arthritis of the left hip", "left hip arthritis"),
])  # fmt: skip
def test_the_words_of_a_wrong_side_hold_the_side(answer, quote, value):
    fact = only_fact(answer, "left knee replacement", conditions=["right hip arthritis"])
    assert (fact.hallucinated, fact.quote, fact.value) == (True, quote, value)
