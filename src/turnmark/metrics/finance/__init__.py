"""Finance metrics M1 to M5, one file a metric."""

from __future__ import annotations

from turnmark.metrics.finance import (
    compliance,
    compliance_columns,
    constraint_breach,
    context_continuity,
    explainability,
    profile_accuracy,
    reply_key_use,
    risk_coverage,
)

METRICS = (
    context_continuity.METRIC,
    constraint_breach.METRIC,
    profile_accuracy.METRIC,
    risk_coverage.METRIC,
    compliance.METRIC,
    explainability.METRIC,
    reply_key_use.METRIC,
    compliance_columns.METRIC,
)
"""In the order of reports."""
