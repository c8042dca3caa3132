"""What could be computed and what could not, metric by metric, with the reasons."""

from __future__ import annotations

from typing import NamedTuple

from turnmark.locale.texts import Texts, filled, named, worded_reason
from turnmark.report.view.data import ReportData
from turnmark.report.view.masking import masked_reason
from turnmark.report.view.number_format import interval
from turnmark.report.view.tables import known_metric, main_measures
from turnmark.schemas.results.summary import EvalSummary

MOST_REASONS = 3


class Reason(NamedTuple):
    """Why rows have no figure (``kind``: skipped or failed), and how many."""

    kind: str
    text: str
    rows: int


class Coverage(NamedTuple):
    """Rows of one metric by what became of them; ``reasons`` are the commonest, ``more`` rows have another one.

    Of the ``eligible`` ones nothing could be decided in ``undecided``.
    """

    name: str
    code: str
    title: str
    eligible: int
    skipped: int
    failed: int
    reasons: tuple[Reason, ...] = ()
    more: int = 0
    undecided: int = 0

    @property
    def parts(self) -> list[tuple[str, int]]:
        """The shares for a drawing: what it is, how many rows."""
        still = [("undecided", self.undecided)] if self.undecided else []
        decided = self.eligible - self.undecided
        return [("eligible", decided), *still, ("skipped", self.skipped), ("failed", self.failed)]


def coverage(data: ReportData, texts: Texts) -> list[Coverage]:
    """Every metric of the run. Rows without a reason of their own (metrics of whole dialogues) say so."""
    results = []
    for name, result in data.summary.metrics.items():
        metric = known_metric(name)
        counts = {what: result.counts.get(f"{what}_count", 0) for what in ("eligible", "skipped", "failed")}
        reasons = [
            Reason(kind, worded_reason(texts, masked_reason(reason) if data.masked else reason), rows)
            for kind, key in (("failed", "failed"), ("skipped", "not_applicable"))
            for reason, rows in (data.turns.why(name, key) if data.turns else ())
        ]
        # Published counts call a failed row skipped; the rows know better.
        failed = max(counts["failed"], sum(item.rows for item in reasons if item.kind == "failed"))
        counts["skipped"], counts["failed"] = counts["skipped"] + counts["failed"] - failed, failed
        if not reasons and counts["skipped"] + counts["failed"]:
            unknown = texts["reason_unknown"]
            reasons = [Reason(kind, unknown, counts[kind]) for kind in ("failed", "skipped") if counts[kind]]
        shown = tuple(reasons[:MOST_REASONS])
        results.append(
            Coverage(
                name, metric.code if metric else "", texts.get(f"metric_{name}", metric.title if metric else name),
                **counts, reasons=shown, more=sum(item.rows for item in reasons[MOST_REASONS:]),
                undecided=data.turns.open(name) if data.turns else 0,
            )
        )  # fmt: skip
    return results


def bounds_lines(summary: EvalSummary, texts: Texts) -> list[str]:
    """A sentence for every metric that failed on some rows: what its main figures could have been with these."""
    lines = []
    for name, result in summary.metrics.items():
        metric = known_metric(name)
        if metric is None:
            continue
        shown = [metric.measures[metric.measure(measure)] for measure in main_measures(metric)]
        spans = [
            f"{named(texts, 'measure', measure.name)} {interval(bounds, texts, measure.high)}"
            for measure in shown
            if (bounds := result.missing_bounds.get(measure.name)) is not None and bounds[0] < bounds[1]
        ]
        if spans:
            lines.append(filled(texts, "failed_bounds", metric=metric.code, bounds=texts["semicolon"].join(spans)))
    return lines


def not_computed(found: list[Coverage], texts: Texts) -> list[str]:
    """A sentence for the metrics without any figure, and for those that failed on some rows; like ones share theirs."""
    alike: dict[tuple[str, str, int], list[str]] = {}
    for item in found:
        failed = [reason for reason in item.reasons if reason.kind == "failed"]
        shown, text, count = (
            (failed, "why_failed", item.failed)
            if item.eligible
            else (item.reasons, "why_none", item.skipped + item.failed)
        )
        if not item.eligible or item.failed:
            why = texts["semicolon"].join(reason.text for reason in shown) or texts["reason_unknown"]
            alike.setdefault((text, why, count), []).append(item.code or item.name)
    return [filled(texts, text, metric=texts["comma"].join(names), reason=why, count=count)
            for (text, why, count), names in alike.items()]  # fmt: skip
