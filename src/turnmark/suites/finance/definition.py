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
    labels="turnmark.suites.finance.labels:LABELS",
    judging="turnmark.suites.finance.judging:JUDGING",
    plants="turnmark.suites.finance.plants:PLANTS",
    rules="turnmark.suites.finance.rules:RULES",
    examples=("finance/careful/dialog_trace.jsonl", "finance/hasty/dialog_trace.jsonl"),
)
