"""The labelled set that ships: replies that break, honour or only speak of one constraint, by author and language."""

from __future__ import annotations

import json
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.finance.sets import finance_detectors

FILE = Path(str(resources.files("turnmark"))) / "examples" / "labelled" / "finance.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
FITTED = "ABCD"


@pytest.fixture(scope="module")
def judged() -> dict[str, str]:
    detectors = finance_detectors("contextual")
    results = {}
    for row in ROWS:
        found = detectors.constraints(Reading(row["reply"], row["user_text"]), list(row["constraints"]))
        for piece in found:
            assert row["reply"][piece.start : piece.end] == piece.quote, row["id"]
        results[row["id"]] = str(found[0].polarity) if found else "silent"
    return results


def counts(judged: dict[str, str], language: str, authors: str, label: str) -> Counter[str]:
    result: Counter[str] = Counter()
    for row in ROWS:
        if row["lang"] != language or row["author"] not in authors:
            continue
        (wanted,) = row["constraints"].values()
        found = judged[row["id"]]
        result.update(tp=found == wanted == label, fp=found == label != wanted, fn=wanted == label != found)
    return result


def test_every_constraint_has_one_reply_of_each_kind() -> None:
    groups: dict[str, Counter[str]] = {}
    for row in ROWS:
        (label,) = row["constraints"].values()
        groups.setdefault(row["id"][:-1], Counter())[label] += 1
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 1044
    assert all(group == {"violates": 1, "respects": 1, "silent": 1} for group in groups.values())


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_breaches_that_were_fitted_are_found(judged: dict[str, str], language: str) -> None:
    found = counts(judged, language, FITTED, "violates")
    assert found["tp"] / (found["tp"] + found["fp"]) >= 0.92, found
    assert 2 * found["tp"] / (2 * found["tp"] + found["fp"] + found["fn"]) >= 0.85, found


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_hardly_any_false_breach_in_words_that_nobody_fitted(judged: dict[str, str], language: str) -> None:
    assert counts(judged, language, "E", "violates")["fp"] <= 2


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_replies_that_keep_to_a_rule_are_seen(judged: dict[str, str], language: str) -> None:
    found = counts(judged, language, FITTED, "respects")
    assert 2 * found["tp"] / (2 * found["tp"] + found["fp"] + found["fn"]) >= 0.88, found
