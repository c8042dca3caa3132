"""Metrics of retrieval and answer, one file a metric."""

from __future__ import annotations

from turnmark.metrics.rag import (
    abstention,
    answer_correctness,
    answer_relevancy,
    context_precision,
    context_recall,
    context_relevance,
    faithfulness,
    retrieval,
)

RETRIEVED = (
    faithfulness.METRIC,
    context_relevance.METRIC,
    answer_relevancy.METRIC,
    context_recall.METRIC,
    context_precision.METRIC,
    answer_correctness.METRIC,
)
"""What every suite can ask of answers from retrieved contexts."""

METRICS = (*RETRIEVED, abstention.METRIC, retrieval.METRIC)
"""In the order of reports."""
