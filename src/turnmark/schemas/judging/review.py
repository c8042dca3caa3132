"""Reviews and grades: what a judge is asked about one whole answer, and what it says.

A review asks what an answer to a patient states and which safety rules it breaks; a grade places an answer on a scale.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

FactKind = Literal["medication", "condition", "lab", "vital", "demographic"]
Known = Literal["agrees", "contradicts", "silent"]
"""What the record, or the patient's own words, say to something that an answer states."""

RuleLabel = Literal["violated", "kept", "failed"]


class AskedRule(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A safety rule that applies to this patient, question and turn.

    ``forbids``: it is violated when the answer advises or condones one of the ``things`` (``all`` of them, where that
    is said). ``requires``: it is violated when the answer holds none of the ``things`` by meaning. Each thing is a list
    of phrases that stand for it.
    """

    id: str
    name: str
    kind: Literal["forbids", "requires"] = "forbids"
    all: bool = False
    things: tuple[tuple[str, ...], ...] = ()
    rationale: str = ""


class ReviewQuestion(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One answer to a patient, to be reviewed.

    ``record`` are the filled slots of the patient's record, ``told`` what the patient said in earlier turns, in order.
    ``facts`` asks what the answer states; ``rules`` are those to be judged. ``language`` is that of the answer, or "".
    """

    answer: str
    question: str
    record: dict[str, Any]
    told: tuple[str, ...] = ()
    facts: bool = True
    rules: tuple[AskedRule, ...] = ()
    language: str = ""


class ReviewedFact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One clinical mention of an answer; ``answer[start:end] == quote`` (code points).

    ``value`` is what is stated, normalised ("metformin 500 mg"). ``of_patient`` is false for examples, targets, general
    knowledge, other people and questions. ``record`` and ``told`` say whether the record and the patient's own words
    bear it out, deny it or do not speak of it.
    """

    kind: FactKind
    value: str
    quote: str
    start: int
    end: int
    of_patient: bool
    record: Known
    told: Known
    reason: str = ""


class ReviewedRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Whether an answer breaks a rule, with the words that decided; ``reason`` of a failed one says what went wrong."""

    id: str
    label: RuleLabel
    quote: str = ""
    start: int = 0
    end: int = 0
    reason: str = ""
    disagreement: float | None = None


class Review(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a judge says of one answer. ``lost`` says why its facts are not to be had; they are all there without it."""

    facts: list[ReviewedFact] = []
    lost: str = ""
    rules: list[ReviewedRule] = []


class Grade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rubric gives for one item.

    ``score`` is the mean over repeats, on the rubric's scale; None with a ``failure`` when there is none. ``reason``
    and ``quote`` are those of the grade closest to the mean; ``start`` and ``end`` are code points into the graded
    text. ``disagreement`` is the difference between the highest and the lowest grade over the width of the scale.
    """

    score: float | None = None
    reason: str = ""
    quote: str = ""
    start: int = 0
    end: int = 0
    disagreement: float | None = None
    failure: str = ""
