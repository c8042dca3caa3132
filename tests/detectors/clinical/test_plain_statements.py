"""What doctors and patients write first, in three languages: claims that the record bears out, denies or leaves open.

A line of ``plain_statements.tsv`` is a language, a record of ``plain_records.json``, a question and an answer. Words
are marked ``{words}+`` (borne out), ``{words}!`` (denied by the record), ``{words}?`` (a claim that is not decided) and
``{words}-`` (no claim). ``:D`` behind the record says that the answer breaks a safety rule, ``:S`` that it breaks none.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from turnmark.clinical import compute_advanced_metrics, extract_facts

_DATA = Path(__file__).parent / "data"
_MARK = re.compile(r"\{([^{}]+)\}([-+!?])")
_RECORDS = json.loads((_DATA / "plain_records.json").read_text(encoding="utf-8"))
_EXERCISE = re.compile("exercise|운동|运动", re.IGNORECASE)
_LINES = [line.split("\t") for line in (_DATA / "plain_statements.tsv").read_text(encoding="utf-8").splitlines()]


def _parse(marked):
    """The plain answer, and its marks as (start, end, sign)."""
    text, marks, position = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[position : match.start()]
        marks.append((len(text), len(text) + len(match[1]), match[2]))
        text += match[1]
        position = match.end()
    return text + marked[position:], marks


def _sign(facts):
    if any(fact.hallucinated for fact in facts):
        return "!"
    if any(fact.undecided for fact in facts):
        return "?"
    return "+" if any(fact.patient_claim for fact in facts) else "-"


@pytest.mark.parametrize(("language", "record", "question", "marked"), _LINES)
def test_every_marked_word_is_read_as_it_is_meant(language, record, question, marked):
    answer, marks = _parse(marked)
    facts = extract_facts(answer, _RECORDS[language][record.partition(":")[0]], question)
    for start, end, sign in marks:
        over = [fact for fact in facts if fact.start < end and start < fact.end]
        assert _sign(over) == sign, (answer[start:end], over)
    elsewhere = [fact for fact in facts if not any(fact.start < end and start < fact.end for start, end, _ in marks)]
    assert not any(fact.hallucinated for fact in elsewhere)


@pytest.mark.parametrize(
    ("language", "record", "question", "marked"), [line for line in _LINES if line[1].endswith((":D", ":S"))]
)
def test_dangerous_advice_is_told_from_safe_advice(language, record, question, marked):
    patient, _, kind = record.partition(":")
    turn = 3 if _EXERCISE.search(question) else 4
    answer, truth = _parse(marked)[0], _RECORDS[language][patient]
    found = compute_advanced_metrics(answer=answer, question=question, slots_truth=truth, turn_id=turn)
    assert bool(found["CSP"]["violated_rules"]) == (kind == "D")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("No special diet treats asthma, but a few things help.", False),
        ("No medicine cures asthma.", False),
        ("没有食物能治好哮喘。", False),
        ("천식을 낫게 하는 음식은 없습니다.", False),
        ("천식에 좋은 음식은 따로 없습니다.", False),
        ("You have no asthma.", True),
        ("您没有哮喘。", True),
        ("천식은 없습니다.", True),
    ],
)
def test_what_does_not_treat_a_disease_denies_none(text, denied):
    found = [fact.denied for fact in extract_facts(text, {"primary_condition": "asthma"}) if fact.patient_claim]
    assert found == [denied]


@pytest.mark.parametrize("text", ["No diet treats gout.", "没有食物能治好痛风。", "통풍에 좋은 음식은 따로 없습니다."])
def test_nor_does_it_claim_one(text):
    assert not any(fact.patient_claim for fact in extract_facts(text, {"primary_condition": "asthma"}))


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        ("당뇨병 없음", "당뇨로 진단받으셨어요."),
        ("无糖尿病", "您有糖尿病。"),
        ("糖尿病：无", "您有糖尿病。"),
        ("no diabetes", "You have diabetes."),
        ("diabetes: no", "You have diabetes."),
        ("diabetes (-)", "You have diabetes."),
    ],
)
def test_an_entry_that_says_what_the_patient_does_not_have_bears_nothing_out(entry, answer):
    facts = extract_facts(answer, {"primary_condition": "asthma", "comorbidities": [entry]})
    assert [fact.hallucinated for fact in facts if fact.type == "condition"] == [True]


def test_asymptomatic_is_no_absence():
    (fact,) = extract_facts("您有高尿酸血症。", {"primary_condition": "无症状高尿酸血症"})
    assert fact.patient_claim
    assert not fact.hallucinated
