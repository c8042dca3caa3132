"""What the judge `rules` decides on labelled sets, and how often it is right where it decides.

    python benchmarks/rag_decided.py FOLDER [--judge NAME] [--half fitted|unfitted] [--rows FILE] [--bounds]

FOLDER holds ``gold/rag/everyday.jsonl`` with ``groups.json`` beside it, and ``data/dev``. Everyday cases are judged
case by case through the metrics (a case is faithful when every claim is supported, unfaithful when any is decided
against); the other sets row by row, as `turnmark agree --suite rag` asks. Halves of the everyday cases are drawn by
group: rules and thresholds were chosen on the half ``fitted`` only. ``--rows`` writes every row with its verdict;
``--bounds`` says on how many bootstrap samples of the rows the bounds of
the figure (not decided counted as no, and as yes) hold the share of yes among the labels.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scored import all_scored
from turnmark.judges.catalog import make_judge
from turnmark.judges.protocol import Judge
from turnmark.schemas.judging.cases import EvalCase
from turnmark.schemas.problems import Problem
from turnmark.suites.rag.case import evaluate_case
from turnmark.suites.rag.label_rows import read_rows
from turnmark.suites.rag.labels import judge_rows

LONG = (
    "citecheck_dev_zh",
    "begin_dev_en",
    "wice_dev_en",
    "attrbench_dev_en",
    "factcheckbench_stance_en",
    "expertqa_claims_en",
    "qags_cnndm_en",
    "qags_xsum_en",
    "q2_wow_en",
    "summedits_dev_en",
    "kobest_boolq_dev_ko",
)
CORRECT = ("evouna_nq_en", "openqaeval_nq301_en", "llmeval2_dev_zh")
AGAINST = frozenset(("contradicted", "undetermined", "irrelevant"))
FOR = frozenset(("supported", "relevant"))


class Decided(NamedTuple):
    """One judged thing: what it is of, its language, its label, and the decision (None when there was none)."""

    name: str
    language: str
    id: str
    label: int
    decision: int | None
    reason: str = ""
    kind: str = ""


def half_of(group: str) -> str:
    """Which half a group of everyday cases belongs to."""
    return ("fitted", "unfitted")[hashlib.sha256(group.encode()).digest()[0] % 2]


def everyday(folder: Path, judge: Judge, half: str | None) -> Iterator[Decided]:
    """Every decision on the everyday cases, metric by metric."""
    place = folder / "gold/rag"
    groups = json.loads((place / "groups.json").read_text("utf-8"))
    for line in (place / "everyday.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if half in (None, half_of(groups[row["id"]])):
            yield from _case(row, judge)


def _case(row: dict[str, Any], judge: Judge) -> Iterator[Decided]:
    case = EvalCase(
        question=row["question"],
        answer=row["answer"],
        ground_truth_answer=row["reference"],
        retrieved_contexts=row["contexts"],
        lang=row["lang"],
    )
    found = evaluate_case(case, judge).results

    def told(name: str, label: int, decision: int | None, reason: str = "") -> Decided:
        return Decided(name, row["lang"], row["id"], label, decision, reason, row["kind"])

    abstains = found["faithfulness"].reason == "the answer abstains"
    yield told("abstains", row["abstains"], int(abstains))
    if row["faithful"] is not None:
        labels = [each.verdict.label for each in found["faithfulness"].claims]
        reasons = "; ".join(f"{each.verdict.label}: {each.verdict.reason}" for each in found["faithfulness"].claims)
        yield told("faithful", row["faithful"], _all(labels), reasons)
    if row["correct"] is not None:
        yield told("correct", row["correct"], *_correct(found["answer_correctness"]))
    if row["faithful"] is not None:
        score = found["answer_relevancy"].score
        claims = [each.verdict for each in found["answer_relevancy"].claims]
        undecided = score is None or all(each.label == "not_decided" for each in claims)
        decision = None if undecided else int((score or 0.0) >= 0.5)
        yield told("answers", row["answers_question"], decision, "; ".join(each.reason for each in claims))
    for place, label in enumerate(row["context_relevant"]):
        verdict = found["context_relevance"].claims[place].verdict
        yield told("context relevant", label, _one(verdict.label), verdict.reason)


def _one(label: str) -> int | None:
    return 1 if label in FOR else 0 if label in AGAINST else None


def _all(labels: list[str]) -> int | None:
    """1 when every claim is supported, 0 when any is decided against, None when nothing tells."""
    if not labels:
        return None
    if any(label in AGAINST for label in labels):
        return 0
    return 1 if all(label in FOR for label in labels) else None


def _correct(result: Any) -> tuple[int | None, str]:
    reasons = "; ".join(f"{each.verdict.label}: {each.verdict.reason}" for each in result.claims)
    if result.score is None:
        return None, reasons
    return int(result.score >= 0.5), reasons


def sets(folder: Path, judge: Judge, names: tuple[str, ...], metric: str) -> Iterator[Decided]:
    """Every decision on the rows of labelled sets."""
    for name in names:
        path = folder / "data/dev" / f"{name}.jsonl"
        if not path.is_file():
            continue
        problems: list[Problem] = []
        rows = read_rows(path, metric, problems)
        all_scored(f"rows of {name}", len(rows), len(rows) + len(problems))
        for judged in judge_rows(rows, judge):
            if judged.row.label is not None:
                decision = _one(judged.verdict.label)
                yield Decided(
                    name, judged.row.language, judged.row.id, judged.row.label, decision, judged.verdict.reason
                )


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share; total at least 1."""
    share, factor = hits / total, 1.96**2 / total
    middle = (share + factor / 2) / (1 + factor)
    reach = 1.96 / (1 + factor) * math.sqrt(share * (1 - share) / total + factor / (4 * total))
    return middle - reach, middle + reach


def report(rows: list[Decided]) -> Iterator[str]:
    """One line for each set and language: how many are decided, and how many of those rightly."""
    groups: dict[tuple[str, str], list[Decided]] = defaultdict(list)
    for row in rows:
        groups[row.name, "all"].append(row)
        groups[row.name, row.language].append(row)
    head = f"{'set':<26} {'lang':<4} {'n':>5} {'decided':>8} {'right':>6} {'interval':>13}"
    yield f"{head}   said yes: right   said no: right"
    for (name, language), found in groups.items():
        if language != "all" and len({row.language for row in rows if row.name == name}) == 1:
            continue
        decided = [row for row in found if row.decision is not None]
        right = sum(row.decision == row.label for row in decided)
        interval = "{:.3f}-{:.3f}".format(*wilson(right, len(decided))) if decided else ""
        sides = "".join(_side(decided, side) for side in (1, 0))
        yield (
            f"{name:<26} {language:<4} {len(found):>5} {len(decided) / len(found):>8.3f} "
            f"{right / len(decided) if decided else float('nan'):>6.3f} {interval:>13} {sides}"
        )


def _side(decided: list[Decided], side: int) -> str:
    said = [row for row in decided if row.decision == side]
    right = sum(row.label == side for row in said)
    return f"  {len(said):>5}: {right / len(said):.3f}" if said else f"  {0:>5}:   -  "


def bounds(rows: list[Decided], samples: int = 1000) -> Iterator[str]:
    """One line a set: the bounds, the share of yes among the labels, and how often the ones hold the other."""
    groups: dict[str, list[Decided]] = defaultdict(list)
    for row in rows:
        groups[row.name].append(row)
    chance = np.random.default_rng(0)
    for name, found in groups.items():
        truth = np.array([row.label for row in found], dtype=float)
        low = np.array([row.decision == 1 for row in found], dtype=float)
        high = np.array([row.decision != 0 for row in found], dtype=float)
        held = 0
        for _ in range(samples):
            taken = chance.integers(0, len(found), len(found))
            held += bool(low[taken].mean() <= truth[taken].mean() <= high[taken].mean())
        yield (
            f"{name:<26} labels {truth.mean():.3f} in {low.mean():.3f}-{high.mean():.3f}, "
            f"held on {held / samples:.3f} of the samples"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", default="rules")
    parser.add_argument("--half", choices=("fitted", "unfitted"))
    parser.add_argument("--only", choices=("everyday", "long", "correct"), nargs="*")
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--bounds", action="store_true")
    asked = parser.parse_args()
    judge = make_judge(asked.judge)
    wanted = asked.only or ("everyday", "long", "correct")
    started = time.process_time()
    rows: list[Decided] = []
    if "everyday" in wanted:
        rows += everyday(asked.folder, judge, asked.half)
    if "long" in wanted:
        rows += sets(asked.folder, judge, LONG, "faithfulness")
    if "correct" in wanted:
        rows += sets(asked.folder, judge, CORRECT, "correctness")
    for line in report(rows):
        print(line)
    for line in bounds(rows) if asked.bounds else ():
        print(line)
    print(f"{time.process_time() - started:.1f} s of processor time")
    if asked.rows:
        asked.rows.write_text("".join(json.dumps(row._asdict(), ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
