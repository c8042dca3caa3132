"""Evidence as marks in the text it was found in.

Offsets are code points of the original text. They are used here and nowhere else: the page gets finished marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup, escape

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.report.view.control_characters import visible
from turnmark.report.view.grounds import worded_ground
from turnmark.report.view.names import worded_name
from turnmark.schemas.evidence import Evidence

METRICS = (
    "reply_state",
    "m5_explainability",
    "m3_risk_coverage",
    "m2_profile_accuracy",
    "m1_context_continuity",
    "m4_compliance",
    "mcs",
    "ass",
    "cus",
    "ccr",
    "sfs",
    "csp",
    "abstention",
    "answer_relevancy",
    "answer_correctness",
    "faithfulness",
)
"""Metrics that have a look of their own, of finance, clinical and RAG; where marks overlap, the later shows through."""

OTHER = "other"
WRONG = frozenset({"severe", "minor", "violates", "contradicts", "conflicting", "contradicted"})
"""Polarities that speak against the reply."""


class Segment(NamedTuple):
    """A piece of a text and the places of the spans that cover it."""

    text: str
    start: int
    covering: tuple[int, ...]


class Highlighted(NamedTuple):
    """A text with its marks, the metrics that appear in it, and the evidence that could not be shown in it."""

    markup: Markup
    metrics: tuple[str, ...]
    elsewhere: tuple[Evidence, ...]


def segments(text: str, spans: Sequence[tuple[int, int]]) -> list[Segment]:
    """The text cut at the ends of all spans. Joined, the pieces are the text again.

    Spans are half open and must lie within the text and not be empty.
    """
    cuts = sorted({0, len(text), *(end for span in spans for end in span)})
    starting: dict[int, list[int]] = {}
    ending: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(spans):
        starting.setdefault(start, []).append(index)
        ending.setdefault(end, []).append(index)
    pieces = []
    active: set[int] = set()
    for start, end in pairwise(cuts):
        active.difference_update(ending.get(start, ()))
        active.update(starting.get(start, ()))
        pieces.append(Segment(text[start:end], start, tuple(sorted(active))))
    return pieces


def fits(piece: Evidence, text: str) -> bool:
    """Whether the evidence stands in the text where it says it does."""
    return 0 <= piece.start < piece.end <= len(text) and text[piece.start : piece.end] == piece.quote


def look(metric: str) -> str:
    """The class under which a metric's marks are drawn."""
    return metric if metric in METRICS else OTHER


def said(piece: Evidence, texts: Texts = ENGLISH) -> str:
    """One line on a piece of evidence: metric, what it is about, what it says of it, the rule, a judge's ground."""
    name = named(texts, "metric", piece.metric)
    judged = piece.rule.startswith("judge.")
    about = source_name(piece.label, texts) if judged else worded_name(piece.label, texts)
    ground = f" · {worded_ground(piece.note, texts)}" if piece.note and judged else ""
    says = texts.get(f"polarity_{piece.polarity}", piece.polarity)
    by = judge_name(piece.rule)
    who = texts["decided_by_rules"] if judged and by == "rules" else by
    return f"{name}{texts['colon'] + about if about else ''} ({says}) · {who}{ground}"


def judge_name(rule: str) -> str:
    """Who decided, as people know it: a model by its name, the rules of a judge by theirs, any other rule by its id."""
    return rule.removeprefix("judge.").removeprefix("llm:") if rule.startswith("judge.") else rule


def source_name(source: str, texts: Texts) -> str:
    """Where words stand, in the reader's words (``recall.items[2].content``: context 3); other names as they are."""
    kind, index = numbered_source(source)
    if kind:
        return filled(texts, f"source_{kind}", number=index + 1)
    key = "source_own_check" if source.startswith("compliance.violations[") else _SOURCES.get(source)
    return texts[key] if key else source


def numbered_source(source: str) -> tuple[str, int]:
    """Kind (``context``, ``reference``, ``earlier_turn``) and place from 0 of a numbered text; ("", 0) of others."""
    match = _NUMBERED.fullmatch(source)
    return (_NUMBERED_KINDS[match[1]], int(match[2])) if match else ("", 0)


_NUMBERED_KINDS = {
    "retrieved_contexts": "context", "recall.items": "context", "ground_truth_contexts": "reference",
    "earlier_turns": "earlier_turn",
}  # fmt: skip
_NUMBERED = re.compile(rf"({'|'.join(map(re.escape, _NUMBERED_KINDS))})\[(\d+)\].*")
_SOURCES = {
    "reply": "reply", "answer": "reply", "user": "user", "gt_assistant_text": "source_reference_answer",
    "ground_truth_answer": "source_reference_answer", "recall.profile_context": "source_profile",
    "recall.short_term_context": "source_short_term",
}  # fmt: skip


def highlighted(text: str, evidence: Sequence[Evidence], source: str = "reply", texts: Texts = ENGLISH) -> Highlighted:
    """Mark the evidence of one source in its text.

    Evidence of other sources, and evidence that does not stand where it says, is returned and not marked.
    """
    marked = [piece for piece in evidence if piece.source == source and fits(piece, text)]
    elsewhere = tuple(piece for piece in evidence if not (piece.source == source and fits(piece, text)))
    parts = []
    for segment in segments(text, [(piece.start, piece.end) for piece in marked]):
        shown = escape(visible(segment.text))
        covering = [marked[index] for index in segment.covering]
        parts.append(_mark(shown, covering, segment.start, texts) if covering else shown)
    results = {look(piece.metric) for piece in marked}
    return Highlighted(
        Markup("").join(parts), tuple(name for name in (*reversed(METRICS), OTHER) if name in results), elsewhere
    )


def _mark(shown: Markup, covering: Sequence[Evidence], start: int, texts: Texts) -> Markup:
    """One marked piece; only where evidence begins does it take the keyboard's focus, so that each is met once."""
    names = sorted({f"m-{look(piece.metric)}" for piece in covering})
    if len(names) > 1:
        names.append("m-many")
    if any(piece.polarity in WRONG for piece in covering):
        names.append("m-wrong")
    focus = Markup(' tabindex="0"') if any(piece.start == start for piece in covering) else Markup("")
    title = visible("\n".join(said(piece, texts) for piece in covering))
    return Markup('<mark class="{}" title="{}"{}>{}</mark>').format(" ".join(names), title, focus, shown)
