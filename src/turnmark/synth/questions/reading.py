"""The facts of a unit: entries and table cells as attributes of things, sentences by the rules of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from turnmark.synth.documents.model import Unit
from turnmark.synth.documents.units import Line, Passage
from turnmark.synth.questions.amounts import amounts
from turnmark.synth.questions.model import Agent, Attribute, Fact, Language, Wording
from turnmark.synth.questions.topics import Topic, entry_of
from turnmark.synth.questions.wordlists import any_of, lists, words

_KEY_MOST = {"en": 40}
_KEY_MOST_DENSE = 14
_VALUE_MOST = 100
_MOSTLY = 0.5
"""An entry is a number when the number's words are at least this part of it."""
_NO_KEY = re.compile(
    r"[0-9?？!！。“”\"]|^(?:注|例|q|a|问|答|note|tip|example|warning|提示|注意|警告|주의|참고|예)$", re.IGNORECASE
)


_NOTHING = re.compile(r"(?:해당 )?없음|无|無|不适用|none|n/?a|nil", re.IGNORECASE)
"""Values that say that there is none: 年费为无 is no sentence."""


class Speaker(Protocol):
    """What a language offers: facts of sentences, and questions over attributes."""

    language: Language

    def facts(self, line: Line, unit: Unit, topic: Topic) -> Iterator[Fact]:
        """The questions that one sentence answers."""
        ...

    def attribute_fact(self, attribute: Attribute, unit: Unit, statement: str = "") -> Fact:
        """The question for an attribute; ``statement`` is what the unit says, where that is a sentence."""
        ...

    def comparison(self, more: Attribute, less: Attribute, flip: bool) -> tuple[Wording, str] | None:
        """Which of two things has more of an attribute, and the answer; ``flip`` names the lesser first."""
        ...

    def two_attributes(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """Two attributes of one thing, and the answer."""
        ...

    def two_owners(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """One attribute of two things, and the answer."""
        ...

    def bridge(self, agent: Agent, fact: Fact) -> tuple[Wording, str] | None:
        """A question about whoever does something, and the answer; None when the fact does not open with the name."""
        ...

    def absent(self, owner: str, attribute: str, asked: str = "") -> tuple[Wording, str]:
        """A question that nothing answers, and the answer that says so."""
        ...

    def unknown(self) -> str:
        """The answer to a question that the documents do not answer."""
        ...

    def names(self, subject: str) -> bool:
        """Whether a subject opens with a name of its own: of an organisation, a person, a place."""
        ...

    def in_document(self, question: str, title: str) -> str:
        """A question that names the document it is about."""
        ...

    def situated(self, opening: str, question: str) -> str:
        """A question after the words of who asks."""
        ...


def unit_facts(passage: Passage, topic: Topic, speaker: Speaker) -> Iterator[Fact]:
    """The facts of one unit, in its order."""
    cells = _Cells(passage.lines, speaker.language)
    for line in passage.lines:
        if line.kind == "table_cell":
            attribute = cells.attribute(line, topic)
        elif line.lone and (entry := entry_of(line.text)):
            attribute = _attribute(topic.owner, *entry, speaker.language)
        else:
            yield from speaker.facts(line, passage.unit, topic)
            continue
        if attribute is not None:
            yield speaker.attribute_fact(attribute, passage.unit)


class _Cells:
    """The table cells of one unit."""

    def __init__(self, lines: list[Line], language: Language) -> None:
        self._language = language
        own = lists(language)
        self._attributes = re.compile(f"(?:{any_of(words(own.attribute_endings))})$")
        self._values, items = frozenset(words(own.value_headers)), words(own.item_headers)
        cells = [line for line in lines if line.kind == "table_cell"]
        heads = {cell.text.lower() for cell in cells if not cell.column}
        self._of_entries = len(heads) == 2 and not heads.isdisjoint(items)
        self._units: dict[str, dict[str, list[str]]] = {}
        for cell in cells:
            if cell.row and cell.column:
                units = [amount.quantity.unit for amount in amounts(cell.text)]
                self._units.setdefault(cell.row, {})[cell.column] = units

    def attribute(self, cell: Line, topic: Topic) -> Attribute | None:
        """The attribute in a cell: of the row's thing, or, in a table of entries, of the section's thing."""
        if not cell.row or not cell.column or self._is_category(cell):
            return None
        if self._of_entries or cell.column.lower() in self._values:
            return _attribute(topic.owner, cell.row, cell.text, self._language)
        return _attribute(cell.row, cell.column, cell.text, self._language)

    def _is_category(self, cell: Line) -> bool:
        """Whether columns are things and no attributes: prices by age and plan, where every cell has the same unit.

        A column that is named as an attribute (费率, fee, 수수료) is one all the same.
        """
        if self._attributes.search(cell.column.lower()):
            return False
        row = self._units[cell.row]
        own = row[cell.column]
        return len(own) == 1 and any(units == own for column, units in row.items() if column != cell.column)


def _attribute(owner: str, key: str, value: str, language: Language) -> Attribute | None:
    value = value.strip().rstrip(".。;；")
    if not owner or not 2 <= len(key) <= _KEY_MOST.get(language, _KEY_MOST_DENSE) or _NO_KEY.search(key):
        return None
    if (
        not value
        or _NOTHING.fullmatch(value)
        or len(value) > _VALUE_MOST
        or not re.search(r"\w", value)
        or key in owner
        or "？" in value
        or "?" in value
    ):
        return None
    results = [amount for amount in amounts(value) if amount.quantity.kind != "time"]
    number = results[0] if len(results) == 1 and len(results[0].words) >= _MOSTLY * len(value) else None
    return Attribute(owner, key, value, number.quantity if number else None)
