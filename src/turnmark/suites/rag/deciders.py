"""Who decided the verdicts of cases, where several judges shared the work."""

from __future__ import annotations

from collections.abc import Mapping

from turnmark.judges.cascade import contradicts
from turnmark.schemas.judging.cases import EvalResult
from turnmark.schemas.results.summary import Deciders


def count_deciders(results: Mapping[str, EvalResult], deciders: dict[str, Deciders]) -> None:
    """Add the verdicts behind the results of a case, by metric."""
    for metric, result in results.items():
        counts = Deciders()
        for judged in result.claims:
            verdict = judged.verdict
            if verdict.by:
                counts.decided[verdict.by] = counts.decided.get(verdict.by, 0) + 1
            elif verdict.label == "not_decided":
                counts.open += 1
            if verdict.audit is not None:
                counts.audited += 1
                counts.contradicted += contradicts(verdict, verdict.audit)
        if result.claims:
            deciders.setdefault(metric, Deciders()).add(counts)
