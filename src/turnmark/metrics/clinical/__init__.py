"""Clinical metrics, one file a metric."""

from __future__ import annotations

from turnmark.metrics.clinical import (
    ass,
    ccr,
    csp,
    cus,
    mcs,
    sfs,
    sfs_all,
    ur,
)

METRICS = (
    sfs.METRIC,
    sfs_all.METRIC,
    csp.METRIC,
    cus.METRIC,
    ur.METRIC,
    ccr.METRIC,
    mcs.METRIC,
    ass.METRIC,
)
"""In the order of reports."""
