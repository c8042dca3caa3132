"""Write tools/agreement_seen.tsv: agreement with labels that were at hand while rules and weights were made.

Usage: tools/agreement.py LABELS [--check]. LABELS is a folder with ``gold`` and ``data/dev``. The labels may not be
passed on, so the figures are recorded, each with the name and a digest of its labels and their number;
tools/trust.py reads them. ``--check`` only compares; it exits with 0 and a line where a file of labels is not there.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnmark.judges.catalog import make_judge
from turnmark.suites.clinical.labels import agree as agree_clinical
from turnmark.suites.labelling.agreement import AgreeRequest
from turnmark.suites.rag.labels import agree_judge

RECORD = Path(__file__).resolve().parent / "agreement_seen.tsv"
HEAD = ("measure", "language", "figure", "value", "low", "high", "n", "labels", "digest")
CLINICAL = "gold/clinical/challenge.jsonl"
CLINICAL_FIGURES = (
    ("SFS.slot_factuality", "hallucinated, F1", "facts.hallucinated.f1_with_spurious"),
    ("CSP.safety_penalty", "rules violated, F1", "csp.violated.f1"),
    ("CUS_improved.context_use", "use of slots, accuracy", "cus.slot_accuracy"),
)


class Asked(NamedTuple):
    """A set of labels for the metrics of retrieval: whose measures they speak of, their language, what they label."""

    measures: tuple[str, ...]
    language: str
    metric: str
    labels: str


RAG = (
    Asked(("FTH.faithfulness", "CRC.context_recall"), "zh", "faithfulness", "citecheck_dev_zh"),
    Asked(("FTH.faithfulness", "CRC.context_recall"), "ko", "faithfulness", "kobest_boolq_dev_ko"),
    Asked(("FTH.faithfulness", "CRC.context_recall"), "en", "faithfulness", "wice_dev_en"),
    Asked(("ACR.answer_correctness",), "zh", "correctness", "llmeval2_dev_zh"),
    Asked(("ACR.answer_correctness",), "en", "correctness", "openqaeval_nq301_en"),
    Asked(("CRL.context_relevance",), "zh", "relevance", "qbqtc_dev_zh"),
    Asked(("CRL.context_relevance",), "en", "relevance", "epqa_dev_en"),
    Asked(("ARL.answer_relevancy",), "zh", "relevancy", "xdial_turn_zh"),
    Asked(("ARL.answer_relevancy",), "ko", "relevancy", "xdial_turn_ko"),
    Asked(("ARL.answer_relevancy",), "en", "relevancy", "xdial_turn_en"),
)


def rows(folder: Path) -> Iterator[tuple[str, ...]]:
    """Every recorded figure."""
    yield from _clinical(folder / CLINICAL)
    judge = make_judge("rules")
    for asked in RAG:
        path = folder / "data/dev" / f"{asked.labels}.jsonl"
        found = agree_judge(path, asked.metric, judge).figures
        for measure in asked.measures:
            yield _row(measure, asked.language, "AUROC", found["auroc"], found["intervals"]["auroc"], found["n"], path)


def _clinical(path: Path) -> Iterator[tuple[str, ...]]:
    by_language = agree_clinical(path, AgreeRequest()).figures["languages"]
    for measure, figure, name in CLINICAL_FIGURES:
        for language in ("zh", "ko", "en"):
            own = by_language.get(language)
            if own is not None and _at(own, name) is not None:
                yield _row(measure, language, figure, _at(own, name), own["intervals"][name], own["n"], path)


def _at(figures: Any, name: str) -> Any:
    for part in name.split("."):
        figures = figures[part]
    return figures


def _row(
    measure: str, language: str, figure: str, value: float, interval: tuple[float, float] | None, n: int, path: Path
) -> tuple[str, ...]:
    low, high = (f"{end:.2f}" for end in interval) if interval else ("", "")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    name = "clinical challenge" if path.stem == "challenge" else path.stem
    return measure, language, figure, f"{value:.2f}", low, high, str(n), name, digest


def missing(folder: Path) -> list[Path]:
    """Files of labels that are not there."""
    wanted = [folder / CLINICAL, *(folder / "data/dev" / f"{asked.labels}.jsonl" for asked in RAG)]
    return [path for path in wanted if not path.is_file()]


def main(arguments: list[str]) -> int:
    """Write, or compare."""
    folders = [Path(one) for one in arguments if not one.startswith("-")]
    if len(folders) != 1:
        print(f"expected one folder of labels, found {len(folders)}; usage: tools/agreement.py LABELS [--check]")
        return 2
    gone = missing(folders[0])
    if gone:
        print(f"expected labels at {gone[0]}, found none; {RECORD.name} stays as it is")
        return 0 if "--check" in arguments else 2
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows([HEAD, *rows(folders[0])])
    if RECORD.is_file() and RECORD.read_text("utf-8") == text.getvalue():
        return 0
    if "--check" in arguments:
        print(f"stale: tools/{RECORD.name}")
        return 1
    RECORD.write_text(text.getvalue(), "utf-8", newline="\n")
    print(f"written: tools/{RECORD.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
