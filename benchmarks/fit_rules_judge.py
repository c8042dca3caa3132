"""Fits the weights of the judge `rules` on labelled sets, and measures every set by weights that never saw it.

    python benchmarks/fit_rules_judge.py FOLDER --write      the weights that ship, and the table of the model card
    python benchmarks/fit_rules_judge.py FOLDER              the table only

FOLDER holds the sets as JSON Lines in the schema of `turnmark agree --suite rag`. Sets whose licence forbids it, or
that state none, only measure: they are never fitted on.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.judges.rules.features import FALLING, RISING
from turnmark.judges.rules.fitting import Rows, fit
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.model import Model, Weights
from turnmark.pipeline.rag_labels import overlap, read_rows
from turnmark.stats.agreement import auroc, balanced_accuracy

OUT = Path(__file__).parents[1] / "src" / "turnmark" / "packs" / "rag" / "rules_weights.json"

MEASURES = (*RISING, *FALLING)
FLAGS = (
    "numbers_lost",
    "number_differs",
    "name_lost",
    "negated_here",
    "negated_there",
    "parity",
    "opposite",
    "absolute",
)
COVERED = ("covered", "covered_by_one", "covered_by_two")
SUPPORT = (*COVERED, "covered_new", "short_runs", "letters", "alike", "question", "disordered", "latin_lost", *FLAGS)
PAIR = (
    *("covered", "covered_by_one", "pairs", "long_runs", "short_runs", "letters", "alike"),
    *("rarest_missing", "missing", "disordered", "latin_lost"),
    *FLAGS,
)
AGREEMENT = (
    *(*COVERED, "pairs", "long_runs", "short_runs", "letters", "alike", "rarest_missing", "disordered", "latin_lost"),
    *FLAGS,
    *("back_covered", "back_number_differs"),
)
RELEVANCE = (*COVERED, "short_runs", "letters", "alike", "worst_sentence", "missing", "disordered", "latin_lost")


class Plan(NamedTuple):
    """What one relation is fitted on and measured with.

    ``given`` is a measure whose weight is not fitted: sentence pairs written on purpose (NLI) share their subject
    whether they contradict or not, so that they cannot teach that a contradiction needs a common subject.
    """

    metric: str
    measures: tuple[str, ...]
    fitted: tuple[str, ...]
    measured: tuple[str, ...]
    penalty: float
    direction: int = 1
    given: tuple[str, float] | None = None


PLANS: dict[str, Plan] = {
    "support": Plan(
        "faithfulness",
        SUPPORT,
        (
            "expertqa_claims_en",
            "q2_wow_en",
            "summedits_dev_en",
            "wice_dev_en",
            "factcheckbench_stance_en",
            "citecheck_dev_zh",
        ),
        ("begin_dev_en", "qags_cnndm_en", "qags_xsum_en", "attrbench_dev_en", "kobest_boolq_dev_ko"),
        0.01,
    ),
    "entailment": Plan("nli", PAIR, ("klue_nli_a_ko", "kornli_dev_ko"), ("ocnli_train3k_zh",), 0.01),
    "conflict": Plan(
        "contradiction",
        FLAGS,
        ("klue_nli_a_ko", "kornli_dev_ko"),
        ("ocnli_train3k_zh", "cdconv_dev_zh", "decode_pairs_dev_en", "citod_en"),
        0.01,
        -1,
        ("letters", 1.0),
    ),
    "agreement": Plan(
        "correctness",
        AGREEMENT,
        ("evouna_nq_en", "openqaeval_nq301_en"),
        ("llmeval2_dev_zh",),
        0.01,
    ),
    "relevance": Plan("relevance", RELEVANCE, ("epqa_dev_en", "xquad_relevance_zh"), ("qbqtc_dev_zh",), 0.01),
}


class Measurements(NamedTuple):
    """One set, measured: for each wording of each row its measures, and what explicit conflicts leave of support."""

    rows: list[list[dict[str, float]]]
    left: list[list[float]]
    labels: list[int]
    overlaps: list[float]
    clusters: list[str]
    seconds: float


def measured(job: tuple[str, str, Path]) -> Measurements:
    name, metric, folder = job
    started = time.process_time()
    judge = RulesJudge(Weights(version="0", models={}))
    rows = [row for row in read_rows(folder / f"{name}.jsonl", metric, []) if row.label is not None]
    found = [[judge.measured(query, query.claims[0]) for query in row.queries] for row in rows]
    values = [[each.values for each in wordings] for wordings in found]
    left = [
        [
            judge.left_by_conflict(query, query.claims[0], each)
            for query, each in zip(row.queries, wordings, strict=True)
        ]
        for row, wordings in zip(rows, found, strict=True)
    ]
    seconds = time.process_time() - started
    return Measurements(
        values, left, [row.label for row in rows], [overlap(row) for row in rows], [r.cluster for r in rows], seconds
    )


def as_rows(name: str, found: Measurements, measures: tuple[str, ...]) -> Rows:
    """The best covered wording of each row stands for it."""
    best = [max(wordings, key=lambda values: values["covered"] + values["covered_new"]) for wordings in found.rows]
    return Rows(name, [[values[measure] for measure in measures] for values in best], found.labels)


def probabilities(models: Sequence[Model], found: Measurements) -> list[float]:
    """As the judge decides: by the model that thinks best of a claim, less what an explicit conflict takes away."""
    return [
        max(
            max(model.probability(values) for model in models) * part
            for values, part in zip(wordings, parts, strict=True)
        )
        for wordings, parts in zip(found.rows, found.left, strict=True)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--relation", choices=PLANS)
    arguments = parser.parse_args()
    models: dict[str, dict[str, Model]] = {}
    print(f"{'relation':<12}{'set':<28}{'rows':>6}{'held out':>10}{'overlap':>9}{'BAcc':>7}{'ms/row':>8}")
    for relation, plan in PLANS.items():
        if arguments.relation in (None, relation):
            beside = [models["support"]["any"]] if relation == "agreement" and "support" in models else []
            models[relation] = {"any": study(relation, plan, arguments.folder, beside)}
    if arguments.write:
        known: dict[str, Any] = json.loads(OUT.read_text()) if OUT.is_file() else {}
        write({**known.get("models", {}), **{name: encoded(found) for name, found in models.items()}})


def study(relation: str, plan: Plan, folder: Path, beside: Sequence[Model] = ()) -> Model:
    names = (*plan.fitted, *plan.measured)
    with ProcessPoolExecutor(2) as pool:
        sets = dict(zip(names, pool.map(measured, [(name, plan.metric, folder) for name in names]), strict=True))
    signs = [
        plan.direction * ((n.removeprefix("back_") in RISING) - (n.removeprefix("back_") in FALLING))
        for n in plan.measures
    ]

    def fitted(without: str | None) -> Model:
        rows = [as_rows(name, sets[name], plan.measures) for name in plan.fitted if name != without]
        return with_given(fit(rows, plan.measures, plan.penalty, signs), plan.given)

    whole = fitted(None)
    for name in names:
        model = fitted(name) if name in plan.fitted else whole
        found = sets[name]
        scores = probabilities([model, *beside], found)
        held_out, plain = auroc(scores, found.labels), auroc(found.overlaps, found.labels)
        right = balanced_accuracy(found.labels, [int(score >= 0.5) for score in scores])
        print(
            f"{relation:<12}{name:<28}{len(found.labels):>6}{held_out:>10.3f}{plain:>9.3f}{right:>7.3f}"
            f"{1e3 * found.seconds / len(found.labels):>8.2f}",
            flush=True,
        )
    print(
        "   ",
        {
            name: round(weight, 2)
            for name, weight in zip(whole.measures, whole.weights, strict=True)
            if abs(weight) > 0.02
        },
    )
    return whole


def with_given(model: Model, given: tuple[str, float] | None) -> Model:
    """The model with one measure more, whose weight is given and which leaves the mean score as it is."""
    if given is None:
        return model
    name, weight = given
    return msgspec.structs.replace(
        model,
        measures=(*model.measures, name),
        means=(*model.means, 0.5),
        scales=(*model.scales, 1.0),
        weights=(*model.weights, weight),
    )


def encoded(models: dict[str, Model]) -> dict[str, Any]:
    return {language: msgspec.to_builtins(model) for language, model in models.items()}


def write(models: dict[str, Any]) -> None:
    OUT.write_text(json.dumps({"version": "1", "models": models}, indent=1, sort_keys=True) + "\n")
    print(f"wrote {OUT.name}")


if __name__ == "__main__":
    main()
