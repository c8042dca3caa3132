"""A judge of RAG answers against labels: how well it ranks and decides, beside plain overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import DataError
from turnmark.judges.claims import split_claims
from turnmark.judges.protocol import Judge
from turnmark.metrics.rag.answer_relevancy import relevancy
from turnmark.pipeline.labelling.claim_only_baseline import claim_only_scores
from turnmark.pipeline.labelling.rag_rows import Row, overlap, read_rows
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.schemas.problems import Problem
from turnmark.stats.agreement import auroc, balanced_accuracy, clustered_interval, cohen_kappa, spearman
from turnmark.stats.clustered import auroc_interval, balanced_accuracy_interval, kappa_interval
from turnmark.stats.intervals import Interval
from turnmark.suites.rag.case import fingerprint

THRESHOLD = 0.5
_AT_ONCE = 64
_PAIRED = ("contradiction", "nli")
GOOD = {"supported", "relevant", "contradicted"}


class Judged(NamedTuple):
    """A labelled row, the judge's score for its label 1 (None when it failed), and the verdict that gave it."""

    row: Row
    score: float | None
    verdict: Verdict


class RagAgreement(NamedTuple):
    """The figures, the rows in which label and judge differ, and lines that could not be used."""

    metric: str
    figures: dict[str, Any]
    disagreements: list[Judged]
    problems: list[Problem]


def agree_rag(path: Path, metric: str, judge: Judge) -> RagAgreement:
    """Compare a judge with a file of labelled rows.

    Rows whose label is null count for nothing but the rank correlation with their grade. Intervals draw documents.

    Raises: DataError when no row of the file has a label or grade for the metric.
    """
    problems: list[Problem] = []
    rows = read_rows(path, metric, problems)
    judged = list(judge_rows(rows, judge))
    known = [each for each in judged if each.row.label is not None and each.score is not None]
    graded = [each for each in judged if each.row.grade is not None and each.score is not None]
    if not known and not graded:
        message = (
            f"{path}: expected a label (0 or 1) or a score in some row, found none; rows without either are unused"
        )
        raise DataError(message)
    figures: dict[str, Any] = {
        "metric": metric,
        "judge": judge.name,
        "judge_signature": fingerprint(judge),
        "n": len(known),
        "positives": sum(each.row.label or 0 for each in known),
        "documents": len({each.row.cluster for each in known}),
        "without_label": sum(row.label is None for row in rows),
        "failed": sum(each.score is None for each in judged),
        **_ranking(known),
        **_graded(graded),
    }
    if metric in _PAIRED and known:
        labels = [each.row.label or 0 for each in known]
        texts = [each.row.text for each in known]
        alone = claim_only_scores(texts, labels, [each.row.cluster for each in known])
        figures["auroc_claim_only"] = auroc(alone, labels)
    wrong = [each for each in known if _decided(each) != each.row.label]
    return RagAgreement(metric, figures, wrong, problems)


def judge_rows(rows: Sequence[Row], judge: Judge) -> Iterable[Judged]:
    """Every row with the judge's score; a row with several wordings of the reference has that of the best."""
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        queries = [_as_asked(query) for row in batch for query in row.queries]
        answers = iter(zip(queries, judge.verdicts(queries), strict=True))
        for row in batch:
            found = [_scored(*next(answers)) for _ in row.queries]
            scores = [(score, verdict) for score, verdict in found if score is not None]
            score, verdict = max(scores, key=lambda each: each[0]) if scores else found[0]
            yield Judged(row, score, verdict)


def _as_asked(query: Query) -> Query:
    """An answer whose directness is asked for goes to the judge claim by claim, as the metric has it."""
    if query.relation != "directness":
        return query
    text = query.claims[0].text
    claims = split_claims(text) or [Claim(text=text, start=0, end=len(text))]
    return msgspec.structs.replace(query, claims=tuple(claims), material=(text,), sources=("answer",))


def _scored(query: Query, verdicts: Sequence[Verdict]) -> tuple[float | None, Verdict]:
    there = [verdict for verdict in verdicts if verdict.label != "failed"]
    if not there:
        return None, verdicts[0]
    if query.relation == "directness":
        return relevancy([verdict.probability or 0.0 for verdict in there]), there[0]
    verdict = there[0]
    if verdict.probability is not None:
        return verdict.probability, verdict
    return float(verdict.label in GOOD), verdict


def _decided(judged: Judged) -> int:
    return int((judged.score or 0.0) >= THRESHOLD)


def _ranking(known: Sequence[Judged]) -> dict[str, Any]:
    if not known:
        return {"auroc": None, "auroc_overlap": None, "balanced_accuracy": None, "kappa": None, "intervals": {}}
    labels = [each.row.label or 0 for each in known]
    scores = [each.score or 0.0 for each in known]
    plain = [overlap(each.row) for each in known]
    clusters = [each.row.cluster for each in known]
    decided = [_decided(each) for each in known]
    return {
        "auroc": auroc(scores, labels),
        "auroc_overlap": auroc(plain, labels),
        "balanced_accuracy": balanced_accuracy(labels, decided),
        "kappa": cohen_kappa(labels, decided),
        "intervals": {
            "auroc": _bounds(auroc_interval(scores, labels, clusters)),
            "auroc_overlap": _bounds(auroc_interval(plain, labels, clusters)),
            "balanced_accuracy": _bounds(balanced_accuracy_interval(labels, decided, clusters)),
            "kappa": _bounds(kappa_interval(labels, decided, clusters)),
        },
    }


def _graded(graded: Sequence[Judged]) -> dict[str, Any]:
    """Rank correlation with the readers' grades, where a file has more than two of them."""
    grades = [each.row.grade or 0.0 for each in graded]
    if len(set(grades)) < 3:
        return {"spearman": None, "spearman_overlap": None, "graded": 0}
    scores = [each.score or 0.0 for each in graded]
    plain = [overlap(each.row) for each in graded]
    clusters = [each.row.cluster for each in graded]
    interval = clustered_interval(spearman, (scores, grades), clusters, resamples=400)
    return {
        "spearman": spearman(scores, grades),
        "spearman_overlap": spearman(plain, grades),
        "spearman_interval": _bounds(interval),
        "graded": len(graded),
    }


def _bounds(interval: Interval) -> tuple[float, float] | None:
    return None if interval.low is None or interval.high is None else (interval.low, interval.high)


def as_json(agreement: RagAgreement) -> dict[str, Any]:
    """The figures at the top, then the disagreements, the surest first, and unusable lines."""
    ordered = sorted(agreement.disagreements, key=lambda each: (-abs((each.score or 0.0) - THRESHOLD), each.row.id))
    return {
        **agreement.figures,
        "disagreements": [
            {
                "id": each.row.id,
                "label": each.row.label,
                "score": each.score,
                "verdict": each.verdict.label,
                "reason": each.verdict.reason,
                "quote": each.verdict.quote,
            }
            for each in ordered
        ],
        "problems": [msgspec.to_builtins(problem) for problem in agreement.problems],
    }
