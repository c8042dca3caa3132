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
    help={
        "agree": "AUROC, balanced accuracy, kappa and rank correlation of the judge for one --metric, beside plain "
        "overlap of words",
        "agree --metric": "what the labels are about",
        "agree --judge": "the judge, as for turnmark score --detect",
        "agree --weights": "weights that turnmark calibrate wrote",
        "judge": "the six metrics of RAG",
        "score --columns": "what the file calls the fields (question, answer, contexts, reference …), where names do "
        "not tell",
        "score --pack": "weights, judgements, the folder of a model",
    },
    examples=("rag/cases.jsonl",),
)
