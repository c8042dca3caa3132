"""The suite ``rag``: answers to questions from retrieved passages."""

from __future__ import annotations

from turnmark.metrics.rag import METRICS
from turnmark.suites.protocol import JUDGED, SuiteDefinition

SUITE = SuiteDefinition(
    name="rag",
    suite="turnmark.suites.rag.suite:RagSuite",
    detect=("rules", JUDGED, "embedding", "nli"),
    metrics=METRICS,
    earlier_turns=True,
    kinds="turnmark.suites.rag.files:KINDS",
    played="turnmark.suites.rag.playing:CASES",
    labels="turnmark.suites.rag.labels:LABELS",
    judging="turnmark.suites.rag.judging:JUDGING",
    plants="turnmark.suites.rag.plants:PLANTS",
    examples=("rag/cases.jsonl",),
)
