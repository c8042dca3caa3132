"""What detectors say of labelled replies, cell by cell beside what readers said."""

from __future__ import annotations

from collections.abc import Iterator

from turnmark.detectors.finance.protocol import FinanceDetectors, MemorySources, Reading
from turnmark.metrics.finance import compliance
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES, FinanceLabels, MemoryLabels
from turnmark.schemas.turn_eval import ResolvedKey, TurnEvalRow
from turnmark.suites.labelling.agreement import Cell


def cluster_of(label_id: str) -> str:
    """The dialogue that a label belongs to: the first two parts of an id with at least three, else the id itself."""
    parts = label_id.split(":")
    return ":".join(parts[:2]) if len(parts) > 2 else label_id


def reply_cells(label: FinanceLabels, detectors: FinanceDetectors) -> Iterator[Cell]:
    """All cells of a labelled reply; judgements that were not made (null) give none."""
    reading = Reading(label.reply, label.user_text, label.profile)
    cluster = cluster_of(label.id)

    def flags(field: str, gold: dict[str, bool | None], evidence: list[Evidence]) -> Iterator[Cell]:
        for name, truth in gold.items():
            if truth is not None:
                result = tuple(piece for piece in evidence if piece.label == name)
                yield Cell(field, name, truth, bool(result), label.id, cluster, result)

    disclosed = detectors.risk(reading)
    yield from flags("risk_disclosed", label.risk_disclosed, disclosed)
    yield from flags("rubric", label.rubric, detectors.rubric(reading, list(label.rubric)))
    constraints = detectors.constraints(reading, list(label.constraints))
    for name, verdict in label.constraints.items():
        if verdict is not None:
            result = tuple(piece for piece in constraints if piece.label == name)
            yield Cell("constraints", name, verdict, _verdict(result), label.id, cluster, result)
    violations = detectors.compliance(reading, FORBIDDEN_CATEGORIES, None, disclosed, constraints)
    yield from flags("forbidden", label.forbidden, violations)
    if label.compliance is not None:
        predicted = _label_of(violations)
        yield Cell("compliance", "label", label.compliance, predicted, label.id, cluster, tuple(violations))
    if label.required_keys:
        keys = [
            ResolvedKey(key=key, resolvable=True, target_text=text, resolver="label")
            for key, text in zip(label.required_keys, label.required_key_texts, strict=False)
        ]
        used = detectors.keys_used(reading, keys)
        for key, truth in zip(keys, label.keys_used, strict=False):
            if truth is not None:
                result = tuple(piece for piece in used if piece.label == key.key)
                yield Cell("keys_used", key.key, truth, bool(result), label.id, cluster, result)


def _verdict(evidence: tuple[Evidence, ...]) -> str:
    polarities = {piece.polarity for piece in evidence}
    return next((verdict for verdict in ("violates", "respects") if verdict in polarities), "silent")


def _label_of(violations: list[Evidence]) -> str:
    row = TurnEvalRow(
        trace_version="v1", run_id="", dialog_id="", turn_pair_id=0, eligible_m1=False, eligible_m2=False,
        eligible_m3=False, eligible_m4=True, eligible_m5=False,
    )  # fmt: skip
    compliance.fill(row, violations)
    return row.pred_compliance_label


def memory_cells(label: MemoryLabels, detectors: FinanceDetectors) -> Iterator[Cell]:
    """The one cell of a labelled memory text."""
    if label.label is None:
        return
    key = ResolvedKey(key=label.key, resolvable=True, target_text=label.target, resolver="label")
    memory = detectors.memory(
        key,
        MemorySources(
            short_term=label.text if label.source == "short_term" else "",
            long_term=[label.text] if label.source == "long_term" else [],
            profile=label.text if label.source == "profile" else "",
        ),
    )
    predicted = memory[0].polarity if memory else "absent"
    yield Cell("memory", "presence", label.label, predicted, label.id, cluster_of(label.id), tuple(memory))
