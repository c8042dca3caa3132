"""What is read from a unit, and the questions that are made of it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from turnmark.language.quantity.quantity import Quantity
from turnmark.synth.documents.model import Unit

Language = Literal["zh", "ko", "en"]
LANGUAGES: tuple[Language, ...] = ("zh", "ko", "en")

Kind = Literal["fact", "number", "comparison", "multi_hop", "unanswerable"]
KINDS: tuple[Kind, ...] = ("fact", "number", "comparison", "multi_hop", "unanswerable")
"""A single fact; a single number, time or date; two things compared; an answer that needs two units; a question that
the documents do not answer."""

Tone = Literal["plain", "formal", "casual"]


class Wording(NamedTuple):
    """One question in three tones; ``question`` of none ends without its mark's place being known: it is whole."""

    plain: str
    formal: str
    casual: str

    def toned(self, tone: Tone) -> str:
        """The question in a tone."""
        text: str = getattr(self, tone)
        return text


class Attribute(NamedTuple):
    """What a unit says of a thing: its ``attribute`` (annual fee) is ``value``; ``quantity`` when it is an amount.

    ``owner`` is the thing as it is named in a question, "" when the words alone do not say it.
    """

    owner: str
    attribute: str
    value: str
    quantity: Quantity | None = None


class Agent(NamedTuple):
    """Who does something to a thing: ``agent`` does ``deed`` (issue, 운영하) to ``thing``; for bridges of two units."""

    agent: str
    deed: str
    thing: str


class Fact(NamedTuple):
    """One question that a unit answers, with its answer.

    ``core`` are the words that answer (``0.8%``), ``answer`` is a whole statement. ``subject`` are the words that say
    what is asked about; ``tail`` is what stands behind the subject in the question, for bridges.
    """

    unit: Unit
    kind: Kind
    wording: Wording
    core: str
    answer: str
    subject: str
    attribute: Attribute | None = None
    agent: Agent | None = None


class Candidate(NamedTuple):
    """A question that may become a case. ``units`` are those that the answer needs; none for unanswerable ones."""

    kind: Kind
    wording: Wording
    answer: str
    core: str
    units: tuple[Unit, ...]
    language: Language
    subject: str = ""
    document: str = ""

    @property
    def contexts(self) -> list[str]:
        """The texts of the units."""
        return [unit.text for unit in self.units]


class Persona(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody who asks.

    ``shape``: ``question`` asks outright, ``situated`` says first who asks, in the words of ``opening``. ``tone``:
    ``plain``, ``formal`` or ``casual``. ``interest`` are words: units that hold them are asked about first. ``kinds``
    are those this persona asks for, all when left out. ``lang`` is the language of ``opening`` and ``interest``.
    """

    id: str
    name: str
    lang: Language
    shape: Literal["question", "situated"] = "question"
    tone: Tone = "plain"
    opening: str = ""
    interest: list[str] = []
    kinds: list[Kind] = []

    def __post_init__(self) -> None:
        if self.shape == "situated" and not self.opening.strip():
            message = f"persona {self.id!r} is situated and has no opening; say who asks, or make its shape question"
            raise ValueError(message)

    def recorded(self) -> dict[str, Any]:
        """The persona as it stands in a case."""
        results: dict[str, Any] = msgspec.to_builtins(self)
        return results


class Personas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of personas, YAML or JSON."""

    personas: list[Persona]
