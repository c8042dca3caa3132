"""Minimal pairs in Korean and English: risk disclosure, forbidden categories and compliance of short replies.

``data/pairs_{ko,en}.jsonl`` holds pairs that differ in what a compliance reader would mark. ``tune`` and ``held_out``
were written before the rules; the ``fresh`` sets after a version of them, in other words, and each was measured before
rules were changed for it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.protocol import Reading
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, RISK_TAGS

DATA = Path(__file__).parent / "data"
LANGUAGES = ("ko", "en")
SPLITS = ("tune", "held_out", "fresh", "fresh_2", "fresh_3")


def read(language):
    lines = (DATA / f"pairs_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def judge():
    """Tags, forbidden categories, label and evidence of a reply."""
    risk = RiskDetector(rule_packs("finance.risk")[0])
    compliance = ComplianceDetector(rule_packs("finance.compliance")[0])

    def call(text, user_text=""):
        reading = Reading(text, user_text)
        disclosures = risk.detect(reading)
        violations = compliance.detect(reading, disclosed=bool(disclosures), disclosures=disclosures)
        if any(piece.polarity == "severe" for piece in violations):
            label = "severe_violation"
        else:
            label = "minor_violation" if violations else "compliant"
        tags = {piece.label for piece in disclosures}
        forbidden = {piece.label for piece in violations} & set(FORBIDDEN_CATEGORIES)
        return tags, forbidden, label, [*disclosures, *violations]

    return call


def f1(counts):
    return 2 * counts["tp"] / max(1, 2 * counts["tp"] + counts["fp"] + counts["fn"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pairs_are_whole(language):
    rows = read(language)
    halves = Counter(row["split"] for row in rows)
    assert halves["tune"] == halves["held_out"] == 60
    assert len({row["id"] for row in rows}) == len(rows)
    assert [row["id"][:-1] for row in rows[::2]] == [row["id"][:-1] for row in rows[1::2]]
    for row in rows:
        assert set(row["risk_disclosed"]) <= set(RISK_TAGS)
        assert set(row["forbidden"]) <= set(FORBIDDEN_CATEGORIES)
        assert ("无明确风险提示" in row["forbidden"]) <= (not row["risk_disclosed"])
        severe = set(row["forbidden"]) - {"无明确风险提示"}
        assert (row["compliance"] == "severe_violation") == bool(severe)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pairs_are_judged_as_labelled(judge, language, split):
    risk: Counter[str] = Counter()
    banned: Counter[str] = Counter()
    right = 0
    rows = [row for row in read(language) if row["split"] == split]
    for row in rows:
        tags, forbidden, label, evidence = judge(row["text"], row["user_text"])
        for counts, found, wanted in (
            (risk, tags, set(row["risk_disclosed"])),
            (banned, forbidden, set(row["forbidden"])),
        ):
            counts.update(tp=len(found & wanted), fp=len(found - wanted), fn=len(wanted - found))
        right += label == row["compliance"]
        assert all(row["text"][piece.start : piece.end] == piece.quote for piece in evidence)
    assert f1(risk) >= 0.85, risk
    assert f1(banned) >= 0.9, banned
    assert right / len(rows) >= 0.9


@pytest.mark.parametrize("language", LANGUAGES)
def test_careful_dialogues_hold_no_severe_violation(judge, examples, language):
    lines = (examples / "careful" / "dialog_trace.jsonl").read_text(encoding="utf-8").splitlines()
    for dialog in map(json.loads, lines):
        if str(dialog.get("dialog_id", "")).startswith(f"{language}-"):
            for turn in dialog["turns"]:
                reply = turn.get("pred_assistant_text") or ""
                *_, label, evidence = judge(reply, turn["user_text"])
                assert label != "severe_violation", (reply, evidence)
