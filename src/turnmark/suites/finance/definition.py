"""The suite ``finance``: advisers with memory."""

from __future__ import annotations

from turnmark.metrics.finance import METRICS
from turnmark.schemas.turn_eval import TurnEvalRow
from turnmark.suites.protocol import JUDGED, SuiteDefinition

SUITE = SuiteDefinition(
    name="finance",
    suite="turnmark.suites.finance.suite:FinanceSuite",
    detect=("contextual", "literal", JUDGED),
    metrics=METRICS,
    row=TurnEvalRow,
    complete="turnmark.suites.finance.rows:complete",
    possible=True,
    by=("scenario_type", "difficulty"),
    kinds="turnmark.suites.finance.files:KINDS",
    check_pack="turnmark.suites.finance.files:check_pack",
    unread="turnmark.suites.finance.files:unread_constraint",
    labels="turnmark.suites.finance.labels:LABELS",
    judging="turnmark.suites.finance.judging:JUDGING",
    plants="turnmark.suites.finance.plants:PLANTS",
    rules="turnmark.suites.finance.rules:RULES",
    help={
        "agree": "precision, recall, F1 and kappa of the detectors, beside what keywords alone and the commonest label "
        "would reach",
        "agree --detect": "the set of detectors; the first of its suite when left out",
        "check --pack": "rules of your own, whose labels are known names of the ground truth",
        "judge": "grades of explanations from 1 to 5 (M5)",
        "score --compliance-by": "what M4's label goes by: the reply's words, what the assistant's own check reported, "
        "or the graver",
    },
    examples=("finance/careful/dialog_trace.jsonl", "finance/hasty/dialog_trace.jsonl"),
)
