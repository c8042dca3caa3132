"""How directly a statement answers a question: is it about the question's subject, and does it bring what is asked for.

A question about an amount or a time is answered by a statement that holds one; a yes-or-no question by a polarity or by
a statement of the question's own words; any other by something that the question does not hold itself.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import msgspec

from turnmark.judges.rules import words
from turnmark.judges.rules.features import LIGHT, coverage
from turnmark.judges.rules.reading import Reading
from turnmark.packs.loading import parse, shipped

_EDGE = " \n.,!?;:\"'()*_-。、~"
INDIRECT = 0.6
"""Degree of a statement that keeps to the subject and does not bring what is asked for."""
_ON_TOPIC = 0.3
_NEW = 0.25


class _Questions(msgspec.Struct, frozen=True):
    """``packs/rag/questions.yaml``."""

    quantity: dict[str, str]
    time: dict[str, str]
    yes_no: dict[str, str]
    affirmation: str
    denial: str
    focus_words: dict[str, str]


class Degree(NamedTuple):
    """How directly a statement answers, from 0 (not at all) to 1 (directly), and why."""

    degree: float
    reason: str


@cache
def _lists() -> _Questions:
    return parse(shipped("rag/questions.yaml"), "rag/questions.yaml", _Questions)


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    found = []
    for language, text in getattr(_lists(), kind).items():
        for word in _split(text):
            opening = word.startswith("^")
            plain = re.escape(word.removeprefix("^"))
            found.append(f"{'^' if opening else ''}(?<![a-z]){plain}(?![a-z])" if language == "en" else plain)
    return re.compile("|".join(found))


@cache
def _answers() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(_split(_lists().affirmation)), frozenset(_split(_lists().denial))


@cache
def _focus_units() -> frozenset[str]:
    return frozenset(unit for text in _lists().focus_words.values() for word in _split(text) for unit in words.units(word))


def polarity_of(text: str) -> int:
    """1 for a bare yes, -1 for a bare no, 0 for anything else; in three languages."""
    plain = words.folded(text).strip(_EDGE) if len(text) < 24 else ""
    yes, no = _answers()
    return (plain in yes) - (plain in no)


def asks_for(question: Reading) -> str:
    """``quantity``, ``time``, ``yes_no``, or ``open`` for everything else."""
    text = question.compact
    return next((kind for kind in ("time", "quantity", "yes_no") if _pattern(kind).search(text)), "open")


def _delivers(statement: Reading, question: Reading, kind: str) -> bool:
    asked = {round(each.low, 6) for each in question.quantities}
    if kind == "quantity":
        return any(each.kind == "amount" and round(each.low, 6) not in asked for each in statement.quantities)
    if kind == "time":
        return any(each.kind != "amount" or each.unit in _PERIODS for each in statement.quantities)
    if kind == "yes_no":
        return True
    new = {unit: weight for unit, weight in statement.weights.items() if unit not in question.weights}
    return sum(new.values()) >= _NEW * sum(statement.weights.values())


_PERIODS = frozenset(("year", "month", "week", "day", "hour", "minute"))


def degree(statement: Reading, question: Reading) -> Degree:
    """How directly a statement answers a question."""
    kind = asks_for(question)
    if polarity_of(statement.text):
        return Degree(1.0, "yes or no") if kind == "yes_no" else Degree(0.0, f"yes or no to a question for {kind}")
    focus = _focus_units()
    subject = {unit: weight for unit, weight in question.weights.items() if weight > LIGHT and unit not in focus}
    topic = coverage(subject, set(statement.units)) if subject else 1.0
    delivers = _delivers(statement, question, kind)
    short = len(statement.units) <= max(4, len(question.units) // 2)
    if delivers and (topic >= _ON_TOPIC or (short and kind != "yes_no")):
        return Degree(1.0, f"brings what is asked for: {kind}")
    if topic >= _ON_TOPIC:
        return Degree(INDIRECT, f"on the subject without what is asked for: {kind}")
    return Degree(round(min(topic, _ON_TOPIC), 6), "not on the subject")
