"""Which of the passages that were retrieved together answer a question, and from which of them an answer is drawn.

Passages are held against each other: the one that answers holds more of what is asked about than the rest, and a value
where one is asked for. An answer that repeats a passage which does not answer is beside the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.directness import asks_for, delivers, focus_units, without_question_words
from turnmark.judges.rules.learned.model import Model
from turnmark.judges.rules.reading import Reading
from turnmark.schemas.judging.judgement import Label

MEASURES = (
    "score",  # log odds of the passage by itself
    "lead",  # … before the best of the others, at most three either way
    "asked",  # weight of what is asked about that the passage holds; ideographs one by one
    "asked_lead",  # … before the best of the others
    "brings",  # 1 when a value is asked for and the passage holds one that the question does not
    "lacks",  # 1 when a value is asked for and it holds none
)
_MOST = 3.0
_HELPS = 0.5
_UNLIKELY = 0.25
"""A long passage by itself is irrelevant up to this probability."""
_LONG = 60
"""From so many units on a passage is long: it had room for the words of the question."""
_UNTOUCHED = 0.2
"""A passage that holds no more of what is asked about is irrelevant, whatever its length."""


class Helpful(NamedTuple):
    """How probable it is that a passage helps to answer, and what is said of it."""

    probability: float
    label: Label
    reason: str


def measure_passages(question: Reading, passages: Sequence[Reading], scores: Sequence[float]) -> list[dict[str, float]]:
    """`MEASURES` of each of several passages; ``scores`` are the log odds of each by itself."""
    kind = asks_for(question)
    shares = held_shares(question, passages)
    results = []
    for place, (passage, score, share) in enumerate(zip(passages, scores, shares, strict=True)):
        typed = kind in ("quantity", "time")
        brings = typed and delivers(passage, question, kind)
        results.append(
            {
                "score": score,
                "lead": max(-_MOST, min(_MOST, score - _best_other(scores, place))),
                "asked": share,
                "asked_lead": share - _best_other(shares, place),
                "brings": float(brings),
                "lacks": float(typed and not brings),
            }
        )
    return results


def _best_other(values: Sequence[float], place: int) -> float:
    return max([value for other, value in enumerate(values) if other != place], default=values[place])


def held_shares(question: Reading, passages: Sequence[Reading]) -> list[float]:
    """Share of the weight of what is asked about that each passage holds.

    Chinese words are shortened and joined freely (营收, 营业收入), so that ideographs count one by one.
    """
    subject = Reading(without_question_words(question.compact)).content - focus_units()
    if question.language == "zh":
        letters = {letter: words.weight(letter) for unit in sorted(subject) for letter in unit}
        total = sum(letters.values())
        return [
            sum([weight for letter, weight in letters.items() if letter in passage.compact]) / max(total, 1)
            for passage in passages
        ]
    weights = {unit: words.weight(unit) for unit in subject}
    total = sum(weights.values())
    return [sum([weights[unit] for unit in subject & passage.unit_set]) / max(total, 1) for passage in passages]


def helpful(question: Reading, passages: Sequence[Reading], scores: Sequence[float], model: Model) -> list[Helpful]:
    """What is said of each of several passages that were retrieved together."""
    results = []
    for values in measure_passages(question, passages, scores):
        probability = model.probability(values)
        label: Label = "relevant" if probability >= _HELPS else "irrelevant"
        more = "more" if values["lead"] >= 0 or values["asked_lead"] >= 0 else "much"
        reason = (
            f"holds {more} of what is asked about{' and a value of the asked kind' if values['brings'] else ''}"
            if label == "relevant"
            else "another passage holds more of what is asked about"
            if min(values["lead"], values["asked_lead"]) < 0
            else "holds too little of what is asked about"
        )
        results.append(Helpful(probability, label, reason))
    return results


def helpful_alone(question: Reading, passage: Reading, probability: float) -> Helpful:
    """What is said of a passage that was retrieved alone: where its words are others it is not decided."""
    if probability >= _HELPS:
        return Helpful(probability, "relevant", "holds most of what is asked about")
    if held_shares(question, [passage])[0] < _UNTOUCHED:
        return Helpful(probability, "irrelevant", "holds nothing of what is asked about")
    if probability < _UNLIKELY and len(passage.units) >= _LONG:
        return Helpful(probability, "irrelevant", "holds too little of what is asked about")
    return Helpful(probability, "not_decided", "holds something of what is asked about; no other passage to compare")


def helpful_by_labels(probability: float) -> Helpful:
    """What weights say of a passage that were fitted on a user's own labels."""
    label: Label = "relevant" if probability >= _HELPS else "irrelevant"
    return Helpful(probability, label, f"by weights of your own labels: {probability:.2f}")
