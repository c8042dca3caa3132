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
PAIRS = "FG"
"""Authors of minimal pairs: F was fitted after a first measurement, G was not."""


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
    groups: dict[tuple[str, bool], Counter[str]] = {}
    for row in ROWS:
        (label,) = row["constraints"].values()
        groups.setdefault((row["id"][:-1], row["author"] in PAIRS), Counter())[label] += 1
    assert len({row["id"] for row in ROWS}) == len(ROWS) == 1324
    pair = {"violates": 1, "respects": 1}
    assert all(group == (pair if pairs else {**pair, "silent": 1}) for (_, pairs), group in groups.items())


@pytest.mark.parametrize(
    ("language", "author", "right"),
    [("zh", "F", 54), ("zh", "G", 26), ("ko", "F", 42), ("ko", "G", 13), ("en", "F", 41), ("en", "G", 9)],
)
def test_minimal_pairs_one_word_or_number_apart(judged: dict[str, str], language: str, author: str, right: int) -> None:
    rows = [row for row in ROWS if row["lang"] == language and row["author"] == author]
    found = sum([judged[row["id"]]] == list(row["constraints"].values()) for row in rows)
    assert found >= right, f"{found} of {len(rows)}"
    assert counts(judged, language, author, "violates")["fp"] <= 3


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
