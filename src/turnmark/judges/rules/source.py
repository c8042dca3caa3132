"""Whether an answer is to the question at all, where its own words do not tell: by the passage from which it is drawn.

Other words may answer as well, so that an answer which shares none with the question is neither on nor off it by
itself. Drawn from the passage that answers it is on the question, drawn from another one it is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.judges.rules.directness import (
    INDIRECT,
    Degree,
    acknowledges,
    asks_for,
    lacks_asked,
    polarity_of,
    says_yes_or_no,
)
from turnmark.judges.rules.reading import Reading

_DRAWN, _FURTHER, _LITTLE = 0.15, 0.12, 0.25
"""Share of an answer's weight from which on it is drawn from a passage; how far before the one that answers, and the
most that it may hold of that one, to be drawn from another one."""
_ANSWERS, _DOES_NOT = 0.6, 0.35
"""A passage answers from this probability on, and does not up to the other."""
_STATEMENT, _PHRASE = {"en": 6}, 3
_DENSE = 8
"""An answer of so many telling units could not avoid the words of its subject; one of fewer is but a value."""
_NOTHING = 0.1
_NOWHERE = -2
_RELEVANT, _OFF = 0.5, 0.1


class Drawn(NamedTuple):
    """An answer comes from a passage that answers (1), from one that does not (-1), from none (-2), or unknown (0)."""

    side: int
    reason: str
    passage: Reading | None = None


def drawn(answer: Reading, passages: Sequence[Reading], probabilities: Sequence[float]) -> Drawn:
    """From which passage an answer is drawn; ``probabilities`` say which of them answer the question (at least one)."""
    shares = [_share(answer, passage) for passage in passages]
    source = max(range(len(shares)), key=lambda place: shares[place])
    best = max(range(len(shares)), key=lambda place: probabilities[place])
    further = shares[source] - shares[best]
    away = probabilities[source] < _DOES_NOT and further >= _FURTHER and shares[best] < _LITTLE
    if source != best and away:
        return Drawn(-1, "drawn from a passage that does not answer")
    if probabilities[source] >= _ANSWERS and shares[source] >= _DRAWN:
        return Drawn(1, "drawn from the passage that answers", passages[source])
    if max(shares) <= _NOTHING and len(answer.content) >= _statement(answer):
        return Drawn(_NOWHERE, "shares nothing with the question or any passage")
    return Drawn(0, "")


def _share(answer: Reading, other: Reading) -> float:
    """Share of the weight of an answer's telling units that another text holds."""
    weights = answer.weights
    total = sum([weights[unit] for unit in answer.content])
    return sum([weights[unit] for unit in answer.content & other.unit_set]) / total if total else 0.0


def weigh(
    claims: Sequence[Degree], statements: Sequence[Reading], answer: Reading, question: Reading, source: Drawn | None
) -> list[Degree]:
    """The degrees of the claims of one answer, and what its source adds to them.

    An answer that its words put off the question is off it only where something else says so too; one that they put
    on it, and that is drawn from elsewhere, is not decided, unless it opens with a yes or no or is a bare value.
    """
    kind = asks_for(question)
    if kind != "yes_no" and (acknowledges(answer.text) or polarity_of(answer.text)):
        return [Degree(0.0, "says nothing of what is asked for") for _ in claims]
    if max(each.degree for each in claims) >= _RELEVANT:
        return _on_by_words(claims, answer, question, source)
    if source is not None and source.passage is not None and not lacks_asked(answer, question, kind):
        degree = 1.0 if kind in ("quantity", "time") else INDIRECT
        found = Degree(degree, source.reason)
        return [_as_source(own, each, found, source.passage) for own, each in zip(statements, claims, strict=True)]
    return _off_by_words(claims, answer, question, source)


def _on_by_words(claims: Sequence[Degree], answer: Reading, question: Reading, source: Drawn | None) -> list[Degree]:
    apart = answer.content.isdisjoint(question.content)
    bare = len(answer.content) < _statement(answer)
    polar = asks_for(question) == "yes_no" and says_yes_or_no(answer)
    if source is None or bare or polar or not (source.side == -1 or (source.side == _NOWHERE and apart)):
        return list(claims)
    if apart and source.side == -1:
        return [Degree(min(each.degree, _OFF), source.reason) for each in claims]
    return [each._replace(reason=f"{each.reason}, but {source.reason}", decided=False) for each in claims]


def _as_source(own: Reading, words_alone: Degree, found: Degree, passage: Reading) -> Degree:
    """The degree of one claim of an answer that is drawn from the passage that answers: ``found``, if it is so too."""
    if not own.content.isdisjoint(passage.content) or len(own.content) < _statement(own):
        return found
    return words_alone


def _off_by_words(claims: Sequence[Degree], answer: Reading, question: Reading, source: Drawn | None) -> list[Degree]:
    kind = asks_for(question)
    apart = answer.content.isdisjoint(question.content)
    lacks = lacks_asked(answer, question, kind)
    side = source.side if source is not None else 0
    told = source.reason if source is not None else f"nothing that was asked for: {kind}"
    nothing = source is None and lacks and apart and len(answer.content) > _PHRASE
    if nothing or side == -1 or (side == _NOWHERE and apart and _is_off(answer, kind, lacks)):
        return [each._replace(reason=f"{each.reason}; {told}") for each in claims]
    return [each._replace(decided=False) for each in claims]


def _statement(answer: Reading) -> int:
    return _STATEMENT.get(answer.language, _DENSE)


def _is_off(answer: Reading, kind: str, lacks: bool) -> bool:
    """Whether an answer that shares no word with anything brings nothing of the asked kind either."""
    if kind in ("quantity", "time"):
        return lacks
    denies = any(sentence.signals.negations for sentence in answer.sentences)
    return kind != "yes_no" or not (denies or says_yes_or_no(answer))
