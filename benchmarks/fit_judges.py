"""Fits the weights of the judges `rules` and `embedding`; measures every set by weights that never saw it.

    python benchmarks/fit_judges.py FOLDER                      the table of the model card of the judge rules
    python benchmarks/fit_judges.py FOLDER --judge embedding    the same beside the judge embedding
    python benchmarks/fit_judges.py FOLDER --judge … --write    and the weights that ship

FOLDER holds the sets as JSON Lines in the schema of `turnmark agree --suite rag`. Sets whose licence forbids it, or
that state none, only measure: they are never fitted on. Weights of `embedding` are written for those relations only in
which vectors help: see `helps`.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from turnmark.judges.embedding.measures import MEANINGS
from turnmark.judges.embedding.weights import encoder_name
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.features import FALLING, RISING
from turnmark.judges.rules.learned.fitting import Rows, fit
from turnmark.judges.rules.learned.model import Model, Weights
from turnmark.stats.agreement import auroc, balanced_accuracy, clustered_interval
from turnmark.stats.clustered import auroc_interval
from turnmark.stats.intervals import Interval
from turnmark.suites.rag.label_rows import overlap, read_rows

PACKS = Path(__file__).parents[1] / "src" / "turnmark" / "packs" / "rag"
WORST = -0.01
"""A relation in which any set loses more than this keeps the weights of the judge rules."""
RESAMPLES = 400

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


def judge_of(name: str) -> RulesJudge:
    """A judge that only measures."""
    if name == "rules":
        return RulesJudge(Weights(version="0", models={}))
    from turnmark.judges.embedding.judge import EmbeddingJudge  # noqa: PLC0415 - its encoder is an extra

    return EmbeddingJudge(Weights(version="0", models={}))


def measured(job: tuple[str, str, str, Path]) -> Measurements:
    judge_name, name, metric, folder = job
    judge = judge_of(judge_name)
    started = time.process_time()
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


class Fitted(NamedTuple):
    """A relation's model, and for each set the probabilities by weights that never saw it."""

    model: Model
    held_out: dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", choices=("rules", "embedding"), default="rules")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--relation", choices=PLANS, action="append")
    arguments = parser.parse_args()
    vectors = arguments.judge == "embedding"
    plain: dict[str, Model] = {}
    kept: dict[str, Model] = {}
    print(HEADERS[vectors])
    for relation, plan in PLANS.items():
        if arguments.relation and relation not in arguments.relation:
            continue
        sets = measured_sets(arguments.judge, plan, arguments.folder)
        support = [plain["support"]] if relation == "agreement" and "support" in plain else []
        rules = study(plan, sets, support)
        plain[relation] = rules.model
        if not vectors:
            print_rules(relation, sets, rules)
            continue
        # What supports a claim agrees with it too: the judge takes the model of support that ships.
        beside = [kept.get("support", each) for each in support]
        found = study(plan._replace(measures=(*plan.measures, *MEANINGS)), sets, beside)
        if print_both(relation, sets, rules, found):
            kept[relation] = found.model
    if arguments.write:
        write(arguments.judge, kept if vectors else plain, studied=tuple(plain))


def measured_sets(judge: str, plan: Plan, folder: Path) -> dict[str, Measurements]:
    names = (*plan.fitted, *plan.measured)
    with ProcessPoolExecutor(2) as pool:
        jobs = [(judge, name, plan.metric, folder) for name in names]
        return dict(zip(names, pool.map(measured, jobs), strict=True))


def study(plan: Plan, sets: dict[str, Measurements], beside: Sequence[Model]) -> Fitted:
    """The model of all sets that may be fitted on, and every set's probabilities by a model that never saw it."""
    rising = {*RISING, *MEANINGS}
    signs = [
        plan.direction * ((n.removeprefix("back_") in rising) - (n.removeprefix("back_") in FALLING))
        for n in plan.measures
    ]

    def fitted(without: str | None) -> Model:
        rows = [as_rows(name, sets[name], plan.measures) for name in plan.fitted if name != without]
        return with_given(fit(rows, plan.measures, plan.penalty, signs), plan.given)

    whole = fitted(None)
    held_out = {
        name: probabilities([fitted(name) if name in plan.fitted else whole, *beside], found)
        for name, found in sets.items()
    }
    return Fitted(whole, held_out)


HEADERS = (
    f"{'relation':<12}{'set':<28}{'rows':>6}{'held out':>10}{'overlap':>9}{'BAcc':>7}{'ms/row':>8}",
    f"{'relation':<12}{'set':<28}{'rows':>6}{'rules':>22}{'embedding':>22}{'gain':>24}{'BAcc':>7}{'ms/row':>8}",
)


def print_rules(relation: str, sets: dict[str, Measurements], fitted: Fitted) -> None:
    for name, found in sets.items():
        scores = fitted.held_out[name]
        print(
            f"{relation:<12}{name:<28}{len(found.labels):>6}{auroc(scores, found.labels):>10.3f}"
            f"{auroc(found.overlaps, found.labels):>9.3f}{decided(scores, found):>7.3f}{per_row(found):>8.2f}",
            flush=True,
        )
    print_weights(fitted.model)


def print_both(relation: str, sets: dict[str, Measurements], rules: Fitted, vectors: Fitted) -> bool:
    """Both judges side by side; whether the relation keeps its vectors."""
    gains = []
    for name, found in sets.items():
        one, other = rules.held_out[name], vectors.held_out[name]
        gains.append(gain_interval(one, other, found))
        before, after = (auroc_interval(scores, found.labels, found.clusters) for scores in (one, other))
        print(
            f"{relation:<12}{name:<28}{len(found.labels):>6}{shown(before):>22}{shown(after):>22}"
            f"{shown(gains[-1], '+.3f'):>24}{decided(other, found):>7.3f}{per_row(found):>8.2f}",
            flush=True,
        )
    kept = helps(gains)
    print_weights(vectors.model)
    print(f"    {relation}: {'vectors help' if kept else 'vectors do not help, the weights of rules are kept'}")
    return kept


def gain_interval(one: Sequence[float], other: Sequence[float], found: Measurements) -> Interval:
    """What the second scores rank better than the first ones, from the same resampled documents."""

    def gain(first: Any, second: Any, labels: Any) -> float | None:
        before, after = auroc(first, labels), auroc(second, labels)
        return None if before is None or after is None else after - before

    return clustered_interval(gain, (one, other, found.labels), found.clusters, resamples=RESAMPLES)


def helps(gains: Sequence[Interval]) -> bool:
    """Whether the mean gain over the sets is surely above 0, and no set loses more than `WORST`.

    The sets are independent, so the distances of the estimates from their lower bounds add up as squares.
    """
    estimates = [gain.estimate or 0.0 for gain in gains]
    below = [0.0 if gain.low is None else (gain.estimate or 0.0) - gain.low for gain in gains]
    return bool(np.mean(estimates) > math.hypot(*below) / len(gains) and min(estimates) >= WORST)


def shown(interval: Interval, form: str = ".3f") -> str:
    """An estimate with its bounds, which are missing where no resample differs."""
    if interval.low is None:
        return f"{interval.estimate:{form}}"
    return f"{interval.estimate:{form}} [{interval.low:{form}}, {interval.high:{form}}]"


def decided(scores: Sequence[float], found: Measurements) -> float:
    return balanced_accuracy(found.labels, [int(score >= 0.5) for score in scores])


def per_row(found: Measurements) -> float:
    return 1e3 * found.seconds / len(found.labels)


def print_weights(model: Model) -> None:
    weights = zip(model.measures, model.weights, strict=True)
    print("   ", {name: round(weight, 2) for name, weight in weights if abs(weight) > 0.02})


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


def write(judge: str, models: dict[str, Model], studied: Sequence[str]) -> None:
    """Relations that were not studied stay as they are."""
    path = PACKS / f"{judge}_weights.json"
    known: dict[str, Any] = json.loads(path.read_text())["models"] if path.is_file() else {}
    known = {relation: found for relation, found in known.items() if relation not in studied}
    known |= {relation: {"any": msgspec.to_builtins(model)} for relation, model in models.items()}
    content: dict[str, Any] = {"version": "1", "models": known}
    if judge == "embedding":
        content["encoder"] = encoder_name(judge_of(judge).embedder)
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")
    print(f"wrote {path.name}: {', '.join(models)}")


if __name__ == "__main__":
    main()
