"""Courteous tone: share of replies without a harsh phrase, and share that open with a greeting; both from 0 to 1."""

from turnmark.extension import Measure, Metric

TONE = Metric(
    name="courteous_tone",
    code="TONE",
    version="1.0.0",
    suite="tone",
    title="Courteous tone",
    unit="turn",
    needs="a reply",
    measures=(Measure("courteous"), Measure("greeted")),
    totals={},
)
