"""Facts of clinical answers against labelled answers in three languages."""

from __future__ import annotations

import pytest
from fact_cases import agreement, gold, read

from turnmark.detectors.clinical.utterance import extract_facts

BARS = {"extraction": 0.90, "patient_claim": 0.93, "hallucinated": 0.88, "items": 0.90}


def assert_bars(figures, sfs_mae=0.04):
    assert {name: figures[name] for name in BARS if figures[name] < BARS[name]} == {}
    assert figures["sfs_mae"] <= sfs_mae


@pytest.mark.parametrize(
    "prefix",
    ["facts", "fresh", "fresh2", "fresh3", "fresh4", "fresh5", "fresh6", "fresh7", "fresh8", "fresh9", "fresh10"],
)
def test_facts_agree_with_labels(prefix):
    cases = read(prefix)
    assert_bars(agreement(cases, extract_facts))


@pytest.mark.parametrize("language", ["ko", "en", "zh"])
def test_facts_agree_with_labels_in_every_language(language):
    cases = [case for case in read("facts") if case.language == language]
    assert len(cases) >= 30
    assert_bars(agreement(cases, extract_facts))


def test_facts_agree_with_the_challenge(shared):
    path = shared / "gold" / "clinical" / "challenge.jsonl"
    if not path.is_file():
        pytest.skip("../shared/gold/clinical/challenge.jsonl, the labelled answers, is missing")
    tuned = agreement(gold(path, 0), extract_facts)
    held_out = agreement(gold(path, 1), extract_facts)
    assert_bars(tuned)
    assert held_out["extraction"] >= 0.95


def test_quotes_are_the_words_at_their_offsets():
    for case in read("facts"):
        for fact in extract_facts(case.answer, case.record, case.question):
            assert case.answer[fact.start : fact.end] == fact.quote
            assert fact.patient_claim or not fact.hallucinated
