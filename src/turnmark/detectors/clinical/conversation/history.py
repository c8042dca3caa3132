"""What later turns of a conversation need of the turns before them, as values: no earlier text is read again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from turnmark.detectors.clinical.conversation.asked import is_asked
from turnmark.detectors.clinical.conversation.claims import ClaimValue, Matter, Statement, claims
from turnmark.detectors.clinical.conversation.updates import ReportedUpdate
from turnmark.detectors.clinical.facts.fact import IN_THE_RECORD, Fact
from turnmark.detectors.clinical.read.chart import Chart, read_chart
from turnmark.detectors.clinical.utterance import Utterance

Item = tuple[str, str, float | None]
"""Kind, identity and number of a piece of information."""


class SaidBefore(NamedTuple):
    """What earlier answers said of a matter: each value once, and the latest words."""

    values: tuple[ClaimValue, ...]
    quote: str


class History:
    """The turns of one conversation so far; what they said stays as it was read beside the record of their turn.

    Attributes:
        chart: The record beside which the latest turn was read.
        told: What the patient has told, of UR.
        words: Each value that the patient has given of a matter, of CCR.
        values: What the patient has said, in words.
        said: What the answers have said of a matter, of MCS.

    """

    def __init__(self) -> None:
        self.chart: Chart = read_chart({})
        self.told: set[Item] = set()
        self.words: dict[Matter, tuple[ClaimValue, ...]] = {}
        self.values: set[str] = set()
        self.said: dict[Matter, SaidBefore] = {}

    def hear(self, question: Utterance, told: Iterable[ReportedUpdate]) -> None:
        """Take in a question and what it tells."""
        self.chart = question.chart
        self.told |= {item[:3] for item in told}
        stated = [fact for fact in question.facts if not _is_asked(question, fact)]
        self.values |= {fact.value for fact in stated}
        for _, statement in claims(stated):
            self.words[statement.key] = _with(self.words.get(statement.key, ()), statement.value)

    def answered(self, statements: Sequence[Statement]) -> None:
        """Take in what an answer states."""
        for statement in statements:
            before = self.said.get(statement.key)
            values = _with(() if before is None else before.values, statement.value)
            self.said[statement.key] = SaidBefore(values, statement.quote)


def _is_asked(question: Utterance, fact: Fact) -> bool:
    """Whether a question asks about what the record holds, and does not tell it; a dose is told with its medicine."""
    folded = question.analysis.folded
    return (
        fact.cause == IN_THE_RECORD
        and not fact.amounts
        and folded.same_length
        and is_asked(folded.text, fact.start, fact.end)
    )


def _with(values: tuple[ClaimValue, ...], value: ClaimValue) -> tuple[ClaimValue, ...]:
    """The values with one more; one that is there already is one. True and 1.0 are two."""
    known = any(value == other and type(value) is type(other) for other in values)
    return values if known else (*values, value)
