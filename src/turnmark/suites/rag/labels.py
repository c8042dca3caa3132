"""A judge of RAG answers against labels: how well it ranks and decides, beside plain overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.judges.catalog import SPELLINGS, make_judge
from turnmark.judges.claims import split_claims
from turnmark.judges.protocol import Judge
from turnmark.metrics.rag.answer_relevancy import relevancy
from turnmark.report.view.number_format import interval
from turnmark.schemas.judging.judgement import Claim, Query, Verdict
from turnmark.schemas.labels.rag import RELATIONS
from turnmark.schemas.problems import Problem
from turnmark.stats.agreement import auroc, balanced_accuracy, clustered_interval, cohen_kappa, spearman
from turnmark.stats.clustered import auroc_interval, balanced_accuracy_interval, kappa_interval
from turnmark.suites.labelling.agreement import Agreement, AgreeRequest, Cell, FigureTable, Labels
from turnmark.suites.labelling.figures import bounds, shown
from turnmark.suites.protocol import JUDGED
from turnmark.suites.rag.case import fingerprint
from turnmark.suites.rag.claim_only_baseline import claim_only_scores
from turnmark.suites.rag.label_rows import Row, overlap, read_rows

THRESHOLD = 0.5
_AT_ONCE = 64
_PAIRED = ("contradiction", "nli")
GOOD = {"supported", "relevant", "contradicted"}


class LabelledVerdict(NamedTuple):
    """A labelled row, the judge's score for its label 1 (None when it failed), and the verdict that gave it."""

    row: Row
    score: float | None
    verdict: Verdict


def agree(path: Path, request: AgreeRequest) -> Agreement:
    """Compare a judge with a file of labelled rows. Raises: UsageError for a metric or judge that there is not."""
    if request.metric not in RELATIONS:
        result = "none" if request.metric is None else repr(request.metric)
        message = f"--suite rag: expected --metric, one of {list(RELATIONS)}, found {result}"
        raise UsageError(message)
    if request.judge == JUDGED:
        message = (
            f"--judge: expected one of {list(SPELLINGS)}, found 'judged'; recorded judgements are about cases, "
            "and labelled rows are none"
        )
        raise UsageError(message)
    return agree_judge(path, request.metric, make_judge(request.judge or "rules", request.weights))


def agree_judge(path: Path, metric: str, judge: Judge) -> Agreement:
    """Compare a judge with a file of labelled rows.

    Ranking (AUROC) and decision at the threshold (balanced accuracy, kappa) go by the judge's probability; ``decided``
    is the share of rows on which it gives a verdict, and ``decided_right`` how many of those are as labelled.

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
        **_told(known, metric),
        **_graded(graded),
    }
    if metric in _PAIRED and known:
        labels = [each.row.label or 0 for each in known]
        texts = [each.row.text for each in known]
        alone = claim_only_scores(texts, labels, [each.row.cluster for each in known])
        figures["auroc_claim_only"] = auroc(alone, labels)
    # What the judge does not decide contradicts nobody.
    wrong = [each for each in known if each.verdict.label != "not_decided" and _decided(each) != each.row.label]
    # The surest first: of a file of judgements these are read.
    wrong.sort(key=lambda each: (-abs((each.score or 0.0) - THRESHOLD), each.row.id))
    return Agreement(figures, _table(figures), [_cell(each, metric) for each in wrong], problems)


def judge_rows(rows: Sequence[Row], judge: Judge) -> Iterable[LabelledVerdict]:
    """Every row with the judge's score; a row with several wordings of the reference has that of the best."""
    for start in range(0, len(rows), _AT_ONCE):
        batch = rows[start : start + _AT_ONCE]
        queries = [_as_asked(query) for row in batch for query in row.queries]
        answers = iter(zip(queries, judge.verdicts(queries), strict=True))
        for row in batch:
            results = [_scored(*next(answers)) for _ in row.queries]
            scores = [(score, verdict) for score, verdict in results if score is not None]
            score, verdict = max(scores, key=lambda each: each[0]) if scores else results[0]
            yield LabelledVerdict(row, score, verdict)


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


def _decided(judged: LabelledVerdict) -> int:
    return int((judged.score or 0.0) >= THRESHOLD)


def _ranking(known: Sequence[LabelledVerdict]) -> dict[str, Any]:
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
            "auroc": bounds(auroc_interval(scores, labels, clusters)),
            "auroc_overlap": bounds(auroc_interval(plain, labels, clusters)),
            "balanced_accuracy": bounds(balanced_accuracy_interval(labels, decided, clusters)),
            "kappa": bounds(kappa_interval(labels, decided, clusters)),
        },
    }


def _told(known: Sequence[LabelledVerdict], metric: str) -> dict[str, Any]:
    """Of how many rows the judge says anything at all, and how often it is right there.

    Not decided are rows whose verdict says so; a row of several claims (relevancy) is what its first claim is.
    """
    against = "contradicted" if metric == "contradiction" else None
    told = [each for each in known if each.verdict.label != "not_decided"]
    right = [
        int(each.verdict.label == against if against else each.verdict.label in _FOR) == each.row.label for each in told
    ]
    return {
        "decided": len(told) / len(known) if known else None,
        "decided_right": sum(right) / len(told) if told else None,
    }


_FOR = ("supported", "relevant")


def _graded(graded: Sequence[LabelledVerdict]) -> dict[str, Any]:
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
        "spearman_interval": bounds(interval),
        "graded": len(graded),
    }


def _cell(judged: LabelledVerdict, metric: str) -> Cell:
    row, verdict = judged.row, judged.verdict
    return Cell(
        metric, verdict.label, row.label, _decided(judged), row.id, row.cluster, quote=verdict.quote,
        score=judged.score, reason=verdict.reason,
    )  # fmt: skip


def _table(figures: dict[str, Any]) -> FigureTable:
    intervals = {**figures["intervals"], "spearman": figures.get("spearman_interval")}
    rows = [
        [
            name,
            shown(figures[name]),
            interval(intervals.get(name)),
            shown(figures.get(f"{name}_overlap")),
            shown(figures.get(f"{name}_claim_only")),
        ]
        for name in ("auroc", "balanced_accuracy", "kappa", "spearman", "decided", "decided_right")
    ]
    title = {"metric": figures["metric"], "count": figures["n"], "judge": figures["judge"]}
    return FigureTable(
        ("agree_title_rows", title), ("figure", "judge", "95 % interval", "overlap", "claim alone"), rows
    )


LABELS = Labels(agree, frozenset({"metric", "judge", "weights"}))
