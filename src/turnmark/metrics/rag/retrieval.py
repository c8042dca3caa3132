r"""Retrieval by document ids: how good a ranking of ids is, with graded relevance where it is given.

``retrieved_ids`` are ranked as they stand, ``relevant_ids`` are those that belong there, or a map from id to a whole
grade (0 not relevant, 1 and more relevant). k is the number of ids retrieved.

* ``hit_rate`` = 1 when any relevant id was retrieved, else 0
* ``recall`` = relevant ids retrieved / relevant ids
* ``precision`` = relevant ids retrieved / ids retrieved
* ``reciprocal_rank`` = 1 / rank of the first relevant id, 0 when there is none; its mean is MRR
* ``ndcg`` = DCG / ideal DCG with gain = grade and discount = 1 / log2(rank + 1)
* ``average_precision`` = Σ_k P@k · r_k / relevant ids (those not retrieved count as missed); its mean is MAP

Range 0 to 1, more is better. Computed by pytrec_eval, the Python interface of trec_eval. A repeated id counts once, at
its first rank. Cases without ids, or without a relevant one, are not eligible, and none is
without the extra ``rag``, which the reason then names.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from turnmark.metrics.definition import Measure, Metric
from turnmark.schemas.reasons import Reason
from turnmark.stats.tally import NotApplicable, Outcomes, Ratio, Value

REASON = Reason("no_ids")
INSTALL = "pip install 'turnmark[rag]'"


def outcomes(retrieved: Sequence[str] | None, relevant: Sequence[str] | Mapping[str, float] | None) -> Outcomes:
    """What one ranking gives."""
    if retrieved is None or relevant is None:
        return NotApplicable(REASON)
    grades = {name: math.floor(grade) for name, grade in relevant.items()} if isinstance(relevant, Mapping) else {}
    grades = grades or dict.fromkeys(relevant, 1)
    wanted = sum([grade > 0 for grade in grades.values()])
    if not wanted:
        return NotApplicable(Reason("no_relevant_id"))
    ranking = list(dict.fromkeys(retrieved))
    if not ranking:
        return (Value(0.0), Ratio(0, 1), Ratio(0, wanted), Ratio(0, 0), Value(0.0), Value(0.0))
    try:
        import pytrec_eval  # noqa: PLC0415 - an extra, and only rankings of ids need it
    except ImportError:
        return NotApplicable(Reason("extra_missing", {"install": INSTALL}))
    evaluator = pytrec_eval.RelevanceEvaluator({"case": grades}, {"ndcg", "recip_rank", "map", "num_rel_ret"})
    # trec_eval ranks by score; equal scores would be ranked by id.
    result = evaluator.evaluate({"case": {name: float(len(ranking) - rank) for rank, name in enumerate(ranking)}})[
        "case"
    ]
    hits = int(result["num_rel_ret"])
    return (
        Value(result["ndcg"]),
        Ratio(int(hits > 0), 1),
        Ratio(hits, wanted),
        Ratio(hits, len(ranking)),
        Value(result["recip_rank"]),
        Value(result["map"]),
    )


METRIC = Metric(
    name="retrieval",
    code="RTV",
    version="1.0.0",
    suite="rag",
    title="Retrieval by ids",
    unit="turn",
    needs="retrieved_ids, relevant_ids",
    score=outcomes,
    measures=(
        Measure("ndcg", "mean"),
        Measure("hit_rate"),
        Measure("recall"),
        Measure("precision"),
        Measure("reciprocal_rank", "mean"),
        Measure("average_precision", "mean"),
    ),
    totals={"relevant_total": ("recall", "total"), "retrieved_total": ("precision", "total")},
    source="trec_eval; Järvelin & Kekäläinen 2002 for nDCG; Voorhees 1999 for MRR",
)
