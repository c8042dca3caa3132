"""Labelled rows that judges of RAG answers are compared with and calibrated on."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from turnmark.schemas.problems import Problem, shown

RELATIONS = {
    "faithfulness": "support",
    "correctness": "agreement",
    "relevance": "relevance",
    "relevancy": "directness",
    "contradiction": "conflict",
    "nli": "entailment",
}
"""The metrics that labels speak about, and the relation that a judge is asked for each."""

OWN_LABELS = {
    "faithfulness": "faithful",
    "correctness": "correct",
    "relevancy": "answers_question",
    "contradiction": "contradiction",
}
"""The field in which a row that was labelled for several metrics says what it is for one."""

_NEEDS = {
    "faithfulness": ("answer", "contexts"),
    "correctness": ("reference", "answer"),
    "relevance": ("question", "contexts"),
    "relevancy": ("question", "answer"),
    "contradiction": ("premise", "hypothesis"),
    "nli": ("premise", "hypothesis"),
}


class RagLabel(msgspec.Struct, kw_only=True):
    """One labelled row.

    ``label`` is 1 for good (supported, correct, relevant, entailed) and 0 for bad, or the other way round for
    ``contradiction``, where 1 means that the hypothesis contradicts the premise; None where readers gave a middle
    grade. ``score`` is a grade from 0 to 1. Faithfulness rows have ``answer``, ``contexts`` and perhaps ``question``;
    correctness rows ``question``, ``reference``, ``answer``; relevance rows ``question`` and one context; relevancy
    rows ``question``, ``answer``; contradiction and nli rows ``premise``, ``hypothesis``. A row that was labelled for
    several metrics has ``faithful``, ``correct``, ``answers_question`` or ``contradiction`` in place of ``label``.
    """

    id: str = ""
    lang: str = ""
    task: str = ""
    question: str | None = None
    answer: str | None = None
    reference: str | None = None
    contexts: list[str] | None = None
    premise: str | None = None
    hypothesis: str | None = None
    label: int | None = None
    contradiction: int | None = None
    score: float | None = None
    faithful: int | None = None
    correct: int | None = None
    answers_question: int | None = None

    def gold(self, metric: str) -> int | None:
        """The label for a metric: the row's own for it where it has one (`OWN_LABELS`), else ``label``."""
        own: int | None = getattr(self, OWN_LABELS.get(metric, ""), None)
        return self.label if own is None else own

    def document(self) -> str:
        """The cluster of a row: rows with the same contexts (else premise, else question) stand together."""
        key = "\n".join(self.contexts) if self.contexts else self.premise or self.question or self.id
        return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def missing(row: RagLabel, metric: str, file: str, line: int) -> Problem | None:
    """What a row lacks for a metric, None when it has everything."""
    for field in _NEEDS[metric]:
        value: Any = getattr(row, field)
        if value is None or value == [] or (field == "question" and not value.strip()):
            return Problem(
                file=file,
                line=line,
                field=f"$.{field}",
                expected=f"a text, since --metric {metric} compares {' and '.join(_NEEDS[metric])}",
                found=shown(value),
                advice="fill the field in, or choose the metric that the rows are about",
            )
    gold = row.gold(metric)
    if gold not in (0, 1, None):
        return Problem(file=file, line=line, field="$.label", expected="0, 1 or null", found=shown(gold))
    return None
