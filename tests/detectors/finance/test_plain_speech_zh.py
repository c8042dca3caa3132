"""Plain speech of Chinese advisers: one constraint, the risks told, forbidden content and the label of each reply.

``data/plain_speech_zh.jsonl``: ``first`` to ``fourth`` were each written and labelled before the rules of
that time had seen them, in every class of language that advisers use: numbers, negation, ellipsis, idiom, slang,
traditional characters, English fragments. ``compliance`` is null where two readers may differ.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.contextual.constraints.detector import ConstraintDetector
from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "plain_speech_zh.jsonl").read_text(encoding="utf-8").splitlines()
]
SPLITS = ("first", "second", "third", "fourth")


@pytest.fixture(scope="module")
def detectors():
    return (
        RiskDetector(rule_packs("finance.risk")[0]),
        ComplianceDetector(rule_packs("finance.compliance")[0]),
        ConstraintDetector(rule_packs("finance.constraints")[0]),
    )


def judged(detectors, row):
    """What the detectors find: tags, categories, label, what becomes of the constraint, evidence."""
    risk, compliance, constraints = detectors
    reading = Reading(row["text"], row["user_text"])
    disclosures = risk.detect(reading)
    violations = compliance.detect(reading, disclosed=bool(disclosures), disclosures=disclosures)
    kept = constraints.detect(reading, [row["constraint"]])
    severe = any(piece.polarity == "severe" for piece in violations)
    return (
        {piece.label for piece in disclosures} & set(RISK_TAGS),
        {piece.label for piece in violations} & set(FORBIDDEN_CATEGORIES),
        "severe_violation" if severe else "minor_violation" if violations else "compliant",
        kept[0].polarity if kept else "silent",
        [*disclosures, *violations, *kept],
    )


def f1(counts):
    return 2 * counts["tp"] / (2 * counts["tp"] + counts["fp"] + counts["fn"])


def test_the_texts_are_whole():
    assert len({row["id"] for row in ROWS}) == len({(row["constraint"], row["text"]) for row in ROWS}) == len(ROWS)
    assert Counter(row["split"] for row in ROWS) == {"first": 154, "second": 99, "third": 50, "fourth": 40}
    assert {tag for row in ROWS for tag in row["risk_disclosed"]} == set(RISK_TAGS)
    assert {category for row in ROWS for category in row["forbidden"]} == set(FORBIDDEN_CATEGORIES)
    for row in ROWS:
        assert ("无明确风险提示" in row["forbidden"]) <= (not row["risk_disclosed"])


@pytest.mark.parametrize("split", SPLITS)
def test_the_texts_are_judged_as_labelled(detectors, split):
    risk: Counter[str] = Counter()
    banned: Counter[str] = Counter()
    stances = {"violates": Counter(), "respects": Counter()}
    right = asked = 0
    for row in (row for row in ROWS if row["split"] == split):
        tags, forbidden, label, stance, evidence = judged(detectors, row)
        assert all(row["text"][piece.start : piece.end] == piece.quote for piece in evidence)
        for counts, found, wanted in (
            (risk, tags, set(row["risk_disclosed"])),
            (banned, forbidden, set(row["forbidden"])),
        ):
            counts.update(tp=len(found & wanted), fp=len(found - wanted), fn=len(wanted - found))
        for name, counts in stances.items():
            counts.update(
                tp=stance == row["label"] == name,
                fp=stance == name != row["label"],
                fn=stance != name == row["label"],
            )
        asked += row["compliance"] is not None
        right += label == row["compliance"]
    assert f1(risk) >= 0.87, risk
    # The fourth set has three of them.
    assert f1(banned) >= 0.75 or banned["fp"] + banned["fn"] <= 2, banned
    assert right / asked >= 0.93
    assert f1(stances["violates"]) >= 0.8, stances
    assert f1(stances["respects"]) >= 0.9, stances
