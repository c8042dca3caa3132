"""Very long texts: what is looked at grows with the text, not with its square; nothing changes for ordinary ones."""

import sys

import pytest

from turnmark.judges.claims import split_claims
from turnmark.judges.rules import material as materials
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.material import CANDIDATES, Material
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.judgement import Query

SUBJECTS = ("fee", "limit", "rate", "bonus", "deposit", "premium", "refund", "penalty")
PLACES = ("Porto", "Leeds", "Austin", "Osaka", "Turin", "Lyon", "Quito")


def long_text(count: int) -> str:
    """So many sentences, all of the same few words and with a number of their own."""
    return " ".join(
        f"The {SUBJECTS[n % 8]} of the branch in {PLACES[n % 7]} is {n} dollars a month." for n in range(count)
    )


def calls_for(count: int) -> int:
    """How many functions are called to judge as many claims against as many sentences."""
    text = long_text(count)
    query = Query(
        relation="support", claims=tuple(split_claims(text)), material=(f"{text} And so on.",), sources=("a",)
    )
    calls = 0

    def count_calls(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    judge = RulesJudge()
    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        verdicts = judge.verdicts([query])[0]
    finally:
        sys.setprofile(before)
    assert {found.label for found in verdicts} == {"supported"}
    return calls


def test_work_grows_with_the_text():
    small, large = calls_for(400), calls_for(1600)
    assert large < 4.5 * small


@pytest.mark.parametrize("count", [1, 50, 300, 301, 2000])
def test_few_sentences_are_looked_at(count):
    sentences = Reading(long_text(count))
    found = list(Material([sentences]).candidates(frozenset(("fee", "branch", "porto"))))
    assert found == sorted(set(found))
    assert len(found) <= max(materials.SEARCHED_WHOLE, CANDIDATES)
    assert len(found) == count if count <= materials.SEARCHED_WHOLE else len(found) <= CANDIDATES


def test_the_sentence_with_the_rare_word_is_found_among_many(monkeypatch):
    text = long_text(900)
    claim = Reading("The deposit of the branch in Osaka is 444 dollars a month.")
    units = claim.sentences[0].unit_set
    among_many = Material([Reading(text)]).closest(claim.weights, units)
    monkeypatch.setattr(materials, "SEARCHED_WHOLE", 10_000)
    whole = Material([Reading(text)]).closest(claim.weights, units)
    assert among_many.numbers[0] == whole.numbers[0] == 444
    assert among_many.gains[0] == whole.gains[0]


def test_runs_are_counted_alike_in_short_and_long_texts(monkeypatch):
    text, runs = long_text(40), Reading("The fee in Lyon and the fee in Ghent").runs(4)
    short = Material([Reading(text)]).runs_found(runs, 4)
    monkeypatch.setattr(materials, "_SEARCHED_AS_TEXT", 10)
    assert Material([Reading(text)]).runs_found(runs, 4) == short
    assert 0 < short < len(runs)
