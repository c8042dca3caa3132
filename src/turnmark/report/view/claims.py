"""What judges said of a turn, a line a claim, and the texts they went by with the deciding sentences marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from turnmark.language.script import detect_language
from turnmark.locale.texts import Texts, filled
from turnmark.report.view.control_characters import visible
from turnmark.report.view.data import TurnView
from turnmark.report.view.grounds import worded_ground
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.highlight import judge_name, numbered_source, said, segments, source_name
from turnmark.schemas.evidence import Evidence

VERDICTS = ("contradicted", "undetermined", "irrelevant", "not_decided", "failed", "supported", "relevant")
"""What a judge says of a claim, the gravest first; where several claims rest on the same words, the graver shows."""

TRAITS = ("undecided", "irrelevant")
"""Filters of a page beside kinds of fault: something in a turn is not decided, or irrelevant."""

_BEST = frozenset({"supported", "relevant"})
_OF_PASSAGES = ("context_relevance", "context_precision")
"""Metrics whose verdicts are about whole contexts; the first that there is is shown above each of them."""

MOST_QUOTED = 80
"""Characters of a claim, and of the words against it, where both stand in one line."""


class ClaimLine(NamedTuple):
    """One claim: the verdict, its words, the sentence that decided and where it stands, why, and who judged."""

    verdict: str
    claim: str
    sentence: str
    where: str
    ground: str
    by: str


class ClaimTable(NamedTuple):
    """The claims of one text that a metric judged by another; ``best`` when nothing is left to look at.

    ``said`` counts the verdicts in words.
    """

    metric: str
    title: str
    said: str
    lines: tuple[ClaimLine, ...]
    best: bool


class Material(NamedTuple):
    """A text that claims were judged by, what was said of it as a whole, and its words with the deciding ones marked.

    ``verdict`` is "" where nothing was said of it.
    """

    title: str
    language: str
    markup: Markup
    verdict: str
    ground: str


def is_verdict(piece: Evidence) -> bool:
    """Whether a piece of evidence is what a judge said of one claim or passage."""
    return piece.rule.startswith("judge.") and piece.polarity in VERDICTS


def claim_tables(view: TurnView, texts: Texts) -> tuple[ClaimTable, ...]:
    """The claims of a turn by metric and by the text they stand in, what the reply says first."""
    groups: dict[tuple[str, str], list[Evidence]] = {}
    for piece in view.evidence:
        if is_verdict(piece) and piece.metric not in _OF_PASSAGES:
            groups.setdefault((piece.metric, piece.source), []).append(piece)
    results = []
    for (metric, source), pieces in sorted(groups.items(), key=lambda item: item[0][1] != "reply"):
        side = "reply" if source == "reply" else "reference"
        title = texts.get(f"claims_{metric}_{side}") or texts.get(f"metric_{metric}", metric)
        lines = tuple(_line(piece, texts) for piece in pieces)
        counted = Counter(line.verdict for line in lines)
        told = " · ".join(f"{texts[f'verdict_{name}']} {counted[name]}" for name in VERDICTS if counted[name])
        results.append(ClaimTable(metric, title, told, lines, all(line.verdict in _BEST for line in lines)))
    return tuple(results)


def materials(view: TurnView, texts: Texts) -> tuple[Material, ...]:
    """The contexts and the reference of a turn that was judged by them; none of one without verdicts."""
    if not any(is_verdict(piece) for piece in view.evidence):
        return ()
    results = []
    for index, text in enumerate(view.contexts):
        name = f"retrieved_contexts[{index}]"
        own = [piece for piece in view.evidence if is_verdict(piece) and piece.metric in _OF_PASSAGES
               and numbered_source(piece.source) == ("context", index)]  # fmt: skip
        passage = next((piece for metric in _OF_PASSAGES for piece in own if piece.metric == metric), None)
        title = filled(texts, "source_context", number=index + 1)
        results.append(_material(title, text, view.evidence, name, passage, texts))
    if view.reference:
        title = texts["source_reference_answer"]
        results.append(_material(title, view.reference, view.evidence, "ground_truth_answer", None, texts))
    return tuple(results)


def traits(view: TurnView) -> tuple[str, ...]:
    """What filters of a page know of the verdicts of a turn beside faults: something in it is irrelevant."""
    return (
        ("irrelevant",) if any(is_verdict(piece) and piece.polarity == "irrelevant" for piece in view.evidence) else ()
    )


def contradictions(evidence: Sequence[Evidence], texts: Texts) -> list[str]:
    """What a reply says against its contexts or its reference, each claim once, beside the words that say otherwise."""
    results: dict[str, str] = {}
    for piece in evidence:
        if is_verdict(piece) and piece.polarity == "contradicted" and piece.source == "reply":
            ground = worded_ground(piece.note or "", texts)
            against = f" ↔ {clipped(piece.source_quote, MOST_QUOTED)}" if piece.source_quote else ""
            results.setdefault(
                piece.quote, f"{clipped(piece.quote, MOST_QUOTED)}{against}{f' ({ground})' if ground else ''}"
            )
    return list(results.values())


def marked_reply(view: TurnView, texts: Texts) -> Markup | None:
    """The reply with its claims marked by their verdicts; None where other evidence is to be seen in it."""
    own = [piece for piece in view.evidence if piece.source == "reply"]
    if not own or not all(is_verdict(piece) for piece in own):
        return None
    spans = [(piece, piece.start, piece.end, piece.quote) for piece in own]
    return Markup("").join(_marked(view.reply, spans, texts))


def _line(piece: Evidence, texts: Texts) -> ClaimLine:
    decided = piece.source_quote or ""
    where = source_name(piece.label, texts) if piece.label else ""
    return ClaimLine(
        piece.polarity, piece.quote, decided, where, worded_ground(piece.note or "", texts), judge_name(piece.rule)
    )


def _gravity(piece: Evidence) -> int:
    return VERDICTS.index(piece.polarity)


def _material(
    title: str, text: str, evidence: Sequence[Evidence], name: str, passage: Evidence | None, texts: Texts
) -> Material:
    deciding = [piece for piece in evidence if is_verdict(piece) and piece.metric not in _OF_PASSAGES
                and _same(piece.label, name)]  # fmt: skip
    spans = [(piece, piece.source_start or 0, piece.source_end or 0, piece.source_quote or "") for piece in deciding]
    return Material(
        title,
        detect_language(text),
        Markup("").join(_marked(text, spans, texts)),
        passage.polarity if passage else "",
        worded_ground(passage.note or "", texts) if passage else "",
    )


def _same(label: str, name: str) -> bool:
    return label == name or numbered_source(label) == numbered_source(name) != ("", 0)


def _marked(text: str, spans: Sequence[tuple[Evidence, int, int, str]], texts: Texts) -> Iterator[Markup]:
    """The text with each span marked by its verdict; one that does not hold the words it should is left out."""
    kept = [(piece, start, end) for piece, start, end, words in spans
            if 0 <= start < end <= len(text) and text[start:end] == words]  # fmt: skip
    for segment in segments(text, [(start, end) for _, start, end in kept]):
        shown = escape(visible(segment.text))
        covering = sorted((kept[index][0] for index in segment.covering), key=_gravity)
        if covering:
            verdict = covering[0].polarity
            title = visible("\n".join(said(piece, texts) for piece in covering))
            shown = Markup('<mark class="v-{}" title="{}" tabindex="0">{}</mark>').format(verdict, title, shown)
        yield shown
