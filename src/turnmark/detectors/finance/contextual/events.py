"""What the assistant's own compliance check reported of a turn, as evidence beside what the reply's words say."""

from __future__ import annotations

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES
from turnmark.schemas.trace import ComplianceTrace

METRIC = "compliance_events"
_SEVERE = frozenset(("severe", "high", "critical", "serious", "严重", "高", "심각", "높음"))
_MILD = frozenset(("minor", "low", "medium", "warning", "info", "轻微", "低", "中", "경미", "낮음", "보통"))
_SEVERE_TYPES = frozenset(FORBIDDEN_CATEGORIES) - {"无明确风险提示"}


def reported(observed: ComplianceTrace | None) -> list[Evidence] | None:
    """One piece of evidence a violation, with its type and severity; None when the turn recorded no check.

    A severity that is named decides; without one a type that is one of the severe categories does.
    """
    if observed is None or (observed.violations is None and observed.is_compliant is None):
        return None
    results = []
    for index, violation in enumerate(observed.violations or ()):
        severity = (violation.severity or "").strip().lower()
        severe = severity in _SEVERE or (severity not in _MILD and violation.type in _SEVERE_TYPES)
        field = "match" if isinstance(violation.match, str) else "type"
        text = violation.match if isinstance(violation.match, str) else (violation.type or "")
        results.append(
            Evidence(
                metric=METRIC,
                rule="finance.compliance.reported@1.0.0",
                label=violation.type or "",
                polarity="severe" if severe else "minor",
                source=f"compliance.violations[{index}].{field}",
                quote=text,
                end=len(text),
                note=violation.severity,
            )
        )
    if not results and observed.is_compliant is False:
        results.append(
            Evidence(
                metric=METRIC,
                rule="finance.compliance.reported@1.0.0",
                label="",
                polarity="minor",
                source="compliance.is_compliant",
                quote="false",
                end=5,
            )
        )
    return results
