"""Names of medicines, conditions, labs and sexes in text: what is a name, and what only holds one."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnmark.detectors.clinical.facts.detector import unresolved_mentions
from turnmark.detectors.clinical.read.misspellings import NearNames, find_unresolved
from turnmark.detectors.clinical.read.terms import conversions, unit_name
from turnmark.detectors.clinical.read.vocabulary import vocabulary
from turnmark.detectors.clinical.utterance import extract_facts
from turnmark.language.text.fold import fold


def named(text):
    folded = fold(text)
    return [text[one.start : one.end] for one in vocabulary().find(folded.text, folded.base)]


def mentioned(text, record=None):
    return [(fact.type, fact.quote) for fact in extract_facts(text, record or {})]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("당뇨가 있으시고", ["당뇨"]),
        ("당뇨, 고혈압", ["당뇨", "고혈압"]),
        ("당뇨식단을 드세요", []),
        ("남은 약을 드세요", []),
        ("전립선 비대증으로 오셨죠", ["전립선 비대증"]),
        ("전립선비대증으로 오셨죠", ["전립선비대증"]),
        ("혈압이 높고 혈압약을 드신다", ["혈압"]),
        ("고강도스타틴을 드세요", ["고강도스타틴"]),
        ("글루코파지XR을 드세요", ["글루코파지"]),
        ("a woman came in", ["woman"]),
        ("female staff manage the ward", ["female"]),
        ("two statins and a diuretic", ["statins", "diuretic"]),
        ("the mandate", []),
        ("AF and af are told apart", ["AF"]),
        ("HbA1c and LDL", ["HbA1c", "LDL"]),
        ("2型糖尿病和高血压", ["2型糖尿病", "高血压"]),
        ("女儿帮您量血压计", []),
        ("糖尿病教育在周三", []),
        ("第二型糖尿病", ["第二型糖尿病"]),
        ("膝骨關節炎", ["膝骨關節炎"]),
    ],
)
def test_a_name_is_a_word_of_its_own(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("amlodipin", "amlodipine"),
        ("you take metfromin daily", "metformin"),
        ("atorvastatine at night", "atorvastatin"),
        ("로스바스타틴을 드세요", "rosuvastatin"),
        ("메트포루민을 드세요", "metformin"),
    ],
)
def test_one_wrong_letter_of_a_long_name_is_forgiven(text, meant):
    assert [fact.value for fact in extract_facts(text, {})] == [meant]


@pytest.mark.parametrize("text", ["methods", "informing", "normalising", "plosartan", "다파글리프", "metformins are"])
def test_other_words_are_no_misspelling(text):
    assert [fact for fact in extract_facts(text, {}) if fact.value != "metformin"] == []


def test_a_word_between_two_names_is_not_guessed():
    near = NearNames(["abcdefgh", "abcdefgx"])
    assert near.find("take abcdefgz now", []) == [(5, 13, {"abcdefgh", "abcdefgx"})]
    assert near.find("take abcdefgh now", [(5, 13)]) == []
    assert NearNames(["short", "two words"]).find("short", []) == []


@pytest.mark.parametrize(
    ("text", "kind", "quote"),
    [
        ("Start zebraprazole tonight.", "medication", "zebraprazole"),
        ("가나다프라졸을 드세요", "medication", "가나다프라졸"),
        ("Signs of zonkularitis?", "condition", "zonkularitis"),
        ("服用甲乙拉唑一片", "medication", "甲乙拉唑"),
    ],
)
def test_unknown_names_are_reported_and_not_guessed(text, kind, quote):
    assert [(one.kind, one.quote) for one in unresolved_mentions(text)] == [(kind, quote)]
    assert quote not in [fact.quote for fact in extract_facts(text, {})]


def test_words_that_only_end_so_are_no_unresolved_names():
    assert unresolved_mentions("The diagnosis, cholesterol and empathy in April.") == []
    assert find_unresolved("telmisartan", [(0, 11)]) == []


def test_everyday_words_count_only_with_a_dose_or_in_the_record():
    assert mentioned("血压安定") == []
    assert mentioned("每晚吃安定 5mg") == [("medication", "安定 5mg")]
    assert mentioned("安定不能停", {"key_meds": ["安定"]}) == [("medication", "安定")]


def test_names_that_only_the_record_knows_are_found():
    record = {"key_meds": ["zorbex 5mg", "qq"], "primary_condition": "blue finger disease", "comorbidities": []}
    facts = extract_facts("Keep zorbex. Your blue finger disease is mild; zorbexa is not it, and zorbex again.", record)
    assert [(fact.type, fact.quote, fact.hallucinated) for fact in facts] == [
        ("medication", "zorbex", False),
        ("condition", "blue finger disease", False),
        ("medication", "zorbex", False),
    ]


def test_units_of_the_terminology_have_the_names_of_the_language_core():
    assert unit_name("mm[Hg]") == "mmhg"
    assert unit_name("mL/min/{1.73_m2}") == "ml/min/1.73m2"
    assert unit_name("{odd}fL") == "fl"
    assert conversions("hba1c")["mmol/mol"] == (0.09148, 2.152)
    assert conversions("no such lab") == {}


ORDINARY = (Path(__file__).parent / "data" / "ordinary_sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("sentence", ORDINARY)
def test_an_everyday_sentence_names_no_medicine_and_no_disease(sentence):
    """Brands that are words (얼리다, 安卓) or stand inside words (开同 in 离开同事); words near a name (enable)."""
    assert [one for one in mentioned(sentence) if one[0] in ("medication", "condition")] == []
    assert unresolved_mentions(sentence) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Enablex once a day", "Enablex"),
        ("your Prograf, twice a day", "Prograf"),
        ("dolutegravir and Tivicay", "dolutegravir"),
        ("얼리다 240mg을 드세요", "얼리다 240mg"),
        ("罗红霉素和氟奋乃静", "氟奋乃静"),
        ("达喜每日三次", "达喜"),
        ("开同 4片", "开同"),
    ],
)
def test_the_same_names_are_found_where_they_are_meant(text, meant):
    record = {"key_meds": [meant.split()[0]]}
    assert meant in [quote for kind, quote in mentioned(text, record) if kind == "medication"]


def test_an_abbreviation_that_is_a_word_is_meant_in_capitals():
    assert mentioned("You have NASH and POTS.") == [("condition", "NASH"), ("condition", "POTS")]
    assert mentioned("Mr Nash mashes what is in the pots.") == []


def test_the_hormone_in_a_longer_name_is_not_the_medicine():
    for text in (
        "a glucagon-like peptide-1 receptor agonist",
        "胰高血糖素样肽-1受体激动剂",
        "글루카곤 유사 펩타이드-1 수용체 작용제",
    ):
        terms = {fact.value for fact in extract_facts(text, {}) if fact.type == "medication"}
        assert terms == {"GLP-1 receptor agonist"}


@pytest.mark.parametrize(
    ("held", "said", "wrong"),
    [
        ("duloxetine", "venlafaxine", True),
        ("patiromer", "Kayexalate", True),
        ("lanthanum carbonate", "sevelamer", True),
        ("duloxetine", "SNRI", False),
        ("patiromer", "potassium binder", False),
        ("darbepoetin", "erythropoiesis-stimulating agent", False),
        ("insulin lispro 75/25", "premixed insulin", False),
    ],
)
def test_a_class_agrees_with_its_members_and_a_member_not_with_another(held, said, wrong):
    facts = [one for one in extract_facts(f"You take {said} every day.", {"key_meds": [held]}) if one.patient_claim]
    assert [one.hallucinated for one in facts] == [wrong]
