"""Rubric elements of short replies in Chinese, Korean and English, each text labelled with all it has.

``data/rubric_{zh,ko,en}.jsonl``: ``first`` was written before the rules; ``second`` and ``third`` after a version of
them, in other words, and each was measured before rules were changed for it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.rubric.detector import RubricDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.labels.finance import RUBRIC_ELEMENTS

DATA = Path(__file__).parent / "data"
LANGUAGES = ("zh", "ko", "en")
SPLITS = ("first", "second", "third")


def read(language):
    lines = (DATA / f"rubric_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def detector():
    return RubricDetector(rule_packs("finance.rubric")[0])


def elements(detector, text, user_text=""):
    return {evidence.label for evidence in detector.detect(Reading(text, user_text))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_are_whole(language):
    rows = read(language)
    assert len({row["id"] for row in rows}) == len({row["text"] for row in rows}) == len(rows) >= 80
    assert {row["split"] for row in rows} == set(SPLITS)
    assert {element for row in rows for element in row["rubric"]} == set(RUBRIC_ELEMENTS)
    assert sum(not row["rubric"] for row in rows) >= 10


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_are_judged_as_labelled(detector, language, split):
    counts: Counter[str] = Counter()
    wrong = []
    for row in read(language):
        if row["split"] != split:
            continue
        evidence = detector.detect(Reading(row["text"], row["user_text"]))
        assert all(row["text"][piece.start : piece.end] == piece.quote for piece in evidence)
        found, labelled = {piece.label for piece in evidence}, set(row["rubric"])
        counts.update(tp=len(found & labelled), fp=len(found - labelled), fn=len(labelled - found))
        if found != labelled:
            wrong.append((row["id"], sorted(found ^ labelled)))
    assert 2 * counts["tp"] / (2 * counts["tp"] + counts["fp"] + counts["fn"]) >= 0.9, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_without_any_element_give_none(detector, language):
    for row in read(language):
        if not row["rubric"]:
            assert elements(detector, row["text"], row["user_text"]) == set(), row["id"]


def test_a_reply_is_read_by_the_pack_of_its_language(detector):
    rules = {evidence.rule for evidence in detector.detect(Reading("This is general information, not advice."))}
    assert rules
    assert all(rule.startswith("en.rubric.") for rule in rules)


def test_a_reply_of_no_known_language_is_read_by_every_pack(detector):
    assert elements(detector, "∅ 12345") == set()


@pytest.mark.parametrize(
    ("table", "divides"),
    [
        ("| 去处 | 金额 |\n|---|---|\n| 活期 | 5万 |\n| 定期存款 | 20万 |", True),
        ("| 去处 | 特点 |\n|---|---|\n| 活期 | 随时 |\n| 定期存款 | 到期 |", False),
        ("| 구분 | 비중 |\n|---|---|\n| 현금 | 20% |\n| 채권 | 80% |", True),
        ("| 구분 | 특징 |\n|---|---|\n| 현금 | 안전 |\n| 채권 | 안정 |", False),
        ("| Part | Weight |\n|---|---|\n| Cash | 20% |\n| Bonds | 80% |", True),
        ("| Part | Weight |\n|---|---|\n| Cash | 20% |", False),
    ],
)
def test_a_table_that_divides_money_is_a_step(detector, table, divides):
    assert ("可执行步骤" in elements(detector, table)) == divides


def test_words_in_ascii_letters_stand_alone_in_comparisons(detector):
    # "cd" and "one" are options; "abcd" and "money" are not.
    table = "| Money | Abcd | Efgh |\n|---|---|---|\n| a | b | c |\n| d | e | f |"
    assert elements(detector, table) == set()
