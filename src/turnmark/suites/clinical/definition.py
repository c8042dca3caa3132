"""The suite ``clinical``: answers to patients, grounded in their record."""

from __future__ import annotations

from turnmark.metrics.clinical import METRICS
from turnmark.metrics.rag import RETRIEVED
from turnmark.suites.protocol import JUDGED, SuiteDefinition

SUITE = SuiteDefinition(
    name="clinical",
    suite="turnmark.suites.clinical.suite:ClinicalSuite",
    detect=("contextual", JUDGED),
    metrics=(*METRICS, *RETRIEVED),
    earlier_turns=True,
    kinds="turnmark.suites.clinical.files:KINDS",
    check_pack="turnmark.suites.clinical.checking:check_rules",
    played="turnmark.suites.clinical.playing:SCRIPTS",
    labels="turnmark.suites.clinical.labels:LABELS",
    judging="turnmark.suites.clinical.judging:JUDGING",
    plants="turnmark.suites.clinical.plants:PLANTS",
    rules="turnmark.suites.clinical.rules:RULES",
    help={
        "agree": "facts, hallucinations, safety rules and use of slots, by language and half, beside literal phrases",
        "agree --config": "folder of your rules and slots",
        "judge": "what answers state (SFS, CCR), which safety rules they break (CSP) and what they make of retrieved "
        "contexts",
        "judge --pack": "folder of your rules and slots",
    },
    examples=("clinical/agent/events.jsonl", "clinical/llm/events.jsonl"),
)
