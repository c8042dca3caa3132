"""Fits how passages that were retrieved together are told apart: the model ``beside`` of the judge `rules`.

    python benchmarks/fit_passages.py FOLDER [--write]

FOLDER holds ``gold/rag/everyday.jsonl`` with ``groups.json``; the half ``fitted`` of it is fitted on, cases with
several passages only. Prints the share of passages told rightly in both halves, by language.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from rag_decided import half_of
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.learned.fitting import Rows, fit
from turnmark.judges.rules.learned.model import Model, decode_weights
from turnmark.judges.rules.passages import MEASURES, measure_passages
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.judgement import Claim, Query

WEIGHTS = Path(__file__).parents[1] / "src/turnmark/packs/rag/rules_weights.json"
SIGNS = (1, 1, 1, 1, 1, -1)


def measured(row: dict[str, Any], judge: RulesJudge) -> list[list[float]]:
    """The measures of each passage of a case."""
    model = judge.weights.model("relevance", row["lang"])
    claims = tuple(Claim(text=text, start=0, end=len(text)) for text in row["contexts"])
    query = Query(relation="relevance", claims=claims, question=row["question"], language=row["lang"])
    scores = [model.score(judge.measured(query, claim).values) for claim in claims]
    found = measure_passages(Reading(row["question"]), [Reading(text) for text in row["contexts"]], scores)
    return [[each[name] for name in MEASURES] for each in found]


def right(model: Model, values: list[list[float]], labels: list[int]) -> float:
    """The share of passages that the model tells rightly."""
    told = [model.probability(dict(zip(MEASURES, row, strict=True))) >= 0.5 for row in values]
    return float(np.mean([one == bool(label) for one, label in zip(told, labels, strict=True)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    place = asked.folder / "gold/rag"
    groups = json.loads((place / "groups.json").read_text("utf-8"))
    judge = RulesJudge()
    parts: dict[tuple[str, str], tuple[list[list[float]], list[int]]] = defaultdict(lambda: ([], []))
    for line in (place / "everyday.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if len(row["contexts"]) > 1:
            values, labels = parts[half_of(groups[row["id"]]), row["lang"]]
            values += measured(row, judge)
            labels += row["context_relevant"]
    values = [row for (half, _), part in parts.items() if half == "fitted" for row in part[0]]
    labels = [label for (half, _), part in parts.items() if half == "fitted" for label in part[1]]
    model = fit([Rows("everyday", values, labels)], MEASURES, signs=SIGNS)
    for (half, language), part in sorted(parts.items()):
        print(f"{half:<9} {language} {len(part[1]):>4} {right(model, *part):.3f}")
    print(dict(zip(MEASURES, model.weights, strict=True)), model.offset)
    if asked.write:
        weights = decode_weights(WEIGHTS.read_bytes(), str(WEIGHTS))
        models = {**weights.models, "beside": {"any": model}}
        written = msgspec.structs.replace(weights, models=dict(sorted(models.items())), digest="")
        content = json.loads(msgspec.json.encode(written))
        WEIGHTS.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
