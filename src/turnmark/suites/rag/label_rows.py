"""Labelled rows as queries to a judge, and the plain overlap that every judge must beat."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from turnmark.errors import DataError
from turnmark.judges.rules.reading import Reading
from turnmark.language.text.fold import fold_text
from turnmark.schemas.jsonl import Reader
from turnmark.schemas.judging.judgement import Claim, Query
from turnmark.schemas.labels.rag import RELATIONS, RagLabel, missing
from turnmark.schemas.problems import Problem

_WORD = re.compile(r"[a-z0-9]+|[\u3400-\u9fff]+|[\uac00-\ud7a3]+")


class Row(NamedTuple):
    """One labelled row: its queries (one for each wording of the reference), label, grade and cluster.

    ``text`` is the claim alone and ``against`` what it is held against, for the baselines.
    """

    id: str
    language: str
    queries: list[Query]
    label: int | None
    grade: float | None
    cluster: str
    text: str
    against: str


def read_rows(path: Path, metric: str, problems: list[Problem]) -> list[Row]:
    """The labelled rows of a file for one metric; what is wrong goes to ``problems``.

    Raises: DataError when no row can be used.
    """
    rows: list[Row] = []
    for item in Reader(RagLabel).read(path):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        fault = missing(item.value, metric, item.line.file, item.line.number)
        if fault is not None:
            problems.append(fault)
            continue
        rows.append(as_row(item.value, metric, item.line.number))
    if not rows:
        first = "".join(f"\n{problem}" for problem in problems[:5])
        message = f"{path}: expected labelled rows for --metric {metric}, found none{first}"
        raise DataError(message)
    return rows


def as_row(label: RagLabel, metric: str, number: int = 0) -> Row:
    """A labelled row as queries. The row must have what the metric needs."""
    relation = RELATIONS[metric]
    question = label.question or ""
    text, against = _sides(label, metric)
    material: tuple[str, ...] = ()
    claims = [text]
    if metric == "faithfulness":
        material = tuple(label.contexts or ())
    elif metric == "correctness":
        material = (label.answer or "",)
        claims = _wordings(label.reference or "")
    elif metric in ("contradiction", "nli"):
        material = (label.premise or "", *(label.contexts or ()))
    elif metric == "relevancy":
        claims = [label.answer or ""]
    elif metric == "relevance":
        claims = ["\n".join(label.contexts or ())]
    queries = [
        Query(
            relation=relation,  # type: ignore[arg-type]
            claims=(Claim(text=claim, start=0, end=len(claim)),),
            material=material,
            sources=tuple(f"material[{index}]" for index in range(len(material))),
            question=question,
            language=label.lang or "und",
        )
        for claim in claims
    ]
    return Row(
        label.id or f"line {number}",
        label.lang or Reading(text).language,
        queries,
        label.gold(metric),
        label.score if label.score is not None else None,
        label.document(),
        text,
        against,
    )


def _sides(label: RagLabel, metric: str) -> tuple[str, str]:
    """The words looked for and the text in which plain overlap looks for them."""
    contexts = "\n".join(label.contexts or ())
    sides = {
        "faithfulness": (label.answer, contexts),
        "correctness": (label.reference, label.answer),
        "relevance": (label.question, contexts),
        "relevancy": (label.question, label.answer),
    }
    text, against = sides.get(metric, (label.hypothesis, label.premise))
    return text or "", against or ""


def _wordings(reference: str) -> list[str]:
    """A reference and, where it lists short alternatives (``Paris/City of Paris``), each of them."""
    parts = [part.strip() for part in reference.split("/")]
    if len(parts) < 2 or not all(parts) or any(len(part) > 120 for part in parts):
        return [reference]
    return [*parts, reference]


def overlap_words(text: str) -> Iterator[str]:
    """The words that plain overlap counts: English words, pairs of ideographs, Korean words and pairs of syllables."""
    for word in _WORD.findall(fold_text(text)):
        if word[0].isascii():
            yield word
            continue
        if "\uac00" <= word[0] <= "\ud7a3" or len(word) == 1:
            yield word
        yield from map("".join, itertools.pairwise(word))


def overlap(row: Row) -> float:
    """Share of the words of a row's text that its other side holds, from 0 to 1; 0 for a text without words."""
    text = row.queries[0].claims[0].text if row.queries[0].relation == "agreement" else row.text
    wanted = list(overlap_words(text))
    result = set(overlap_words(row.against))
    return sum([word in result for word in wanted]) / len(wanted) if wanted else 0.0
