"""English: the words of questions and answers over attributes, articles and tones."""

from __future__ import annotations

import re

from turnmark.synth.documents.model import Unit
from turnmark.synth.questions.amounts import measure
from turnmark.synth.questions.en import patterns as shapes
from turnmark.synth.questions.model import Agent, Attribute, Fact, Kind, Language, Wording
from turnmark.synth.questions.wordlists import lists, words


class EnglishWording:
    """What English questions are made with."""

    language: Language = "en"

    def __init__(self) -> None:
        self._own = lists("en")

    def _who(self, agent: str, deed: str) -> str:
        """How the doer is asked for; "" when it is no one."""
        if shapes.ORGANISATION.search(agent):
            return "Which organisation"
        if deed in shapes.HUMAN_DEEDS and shapes.PERSON.fullmatch(agent):
            return "Who"
        return ""

    def _lower(self, subject: str) -> str:
        """A subject inside of a sentence: its article or common first word in small letters."""
        first, _, rest = subject.partition(" ")
        following = rest.split(" ")[0] if rest else ""
        if first in ("The", "A", "An") or (first[1:].islower() and following[:1].islower()):
            return subject[0].lower() + subject[1:]
        return (
            subject
            if rest
            else (subject[0].lower() + subject[1:] if first.endswith(("s", "ing")) and first[1:].islower() else subject)
        )

    def _with_article(self, owner: str) -> str:
        """A name as it stands in a sentence: the Harbor Card, the K17, the adult ticket; but Riverton, Dolarin 200."""
        parts = owner.split()
        if parts[0].lower() in ("the", "a", "an"):
            return owner[0].lower() + owner[1:]
        if re.search(r"[A-Za-z]-?[0-9]", parts[-1]) or parts[-1].lower() in words(self._own.self_reference):
            return f"the {owner}"
        return f"the {self._small(owner)}" if len(parts) > 1 and parts[-1].islower() else owner

    def _fact(  # noqa: PLR0913, PLR0917 - the parts of one question
        self,
        unit: Unit,
        kind: Kind,
        question: str,
        polite: str,
        core: str,
        answer: str,
        subject: str,
        agent: Agent | None = None,
    ) -> Fact:
        said = answer[0].upper() + answer[1:].rstrip(".")
        return Fact(unit, kind, self.wording(question, polite), core, f"{said}.", subject, None, agent)

    def wording(self, question: str, polite: str) -> Wording:
        """A question in three tones; ``polite`` is the same question in the order of a statement."""
        casual = f"Quick question: {question[0].lower()}{question[1:]}"
        return Wording(question, f"Could you tell me {polite}?", casual)

    # ---- attributes

    def attribute_fact(self, attribute: Attribute, unit: Unit, statement: str = "") -> Fact:
        """The question for an attribute."""
        attribute = attribute._replace(owner=self._with_article(attribute.owner), attribute=_of_number(attribute))
        thing, be = self._thing(attribute.attribute, attribute.owner)
        asked = "What"
        if (
            attribute.quantity is None
            and re.search(r"\b(?:date|hours)$", attribute.attribute.lower())
            and "hours" not in attribute.attribute.lower()
        ):
            asked = "When"
        answer = statement or f"{thing[0].upper()}{thing[1:]} {be} {attribute.value}"
        kind: Kind = "fact" if attribute.quantity is None else "number"
        wording = self.wording(f"{asked} {be} {thing}?", f"{asked.lower()} {thing} {be}")
        return Fact(unit, kind, wording, attribute.value, f"{answer}.", thing, attribute)

    def _thing(self, attribute: str, owner: str) -> tuple[str, str]:
        """``the annual fee of the Harbor Card`` and the verb that goes with it."""
        name = self._small(attribute)
        last = name.split(" of ")[0].split()[-1]
        be = "are" if last.endswith("s") and not last.endswith(("ss", "us", "is")) else "is"
        return f"the {name} of {owner}", be

    def _small(self, attribute: str) -> str:
        first, _, rest = attribute.partition(" ")
        return f"{first.lower()} {rest}".strip() if first[1:].islower() else attribute

    def comparison(self, more: Attribute, less: Attribute, flip: bool) -> tuple[Wording, str] | None:
        """Which of two things has more of an attribute; ``flip`` names the lesser first."""
        if more.quantity is None:
            return None
        result, other = self._with_article(more.owner), self._with_article(less.owner)
        first, second = (other, result) if flip else (result, other)
        word, name = self._adjective(more), self._small(more.attribute)
        be = self._thing(name, "")[1]
        question = f"Which has the {word} {name}, {first} or {second}?"
        polite = f"which has the {word} {name}, {first} or {second}"
        answer = (
            f"{result[0].upper()}{result[1:]} has the {word} {name}: the {name} of {result} {be} {more.value}, "
            f"and the {name} of {other} {be} {less.value}."
        )
        return self.wording(question, polite), answer

    def _adjective(self, attribute: Attribute) -> str:
        assert attribute.quantity is not None  # noqa: S101 - comparisons have one
        if attribute.attribute.lower().endswith(("weight", "capacity", "area", "limit", "size", "length", "distance")):
            return "greater" if not attribute.attribute.lower().endswith("capacity") else "larger"
        return self._own.adjectives.get(measure(attribute.quantity), self._own.adjectives["other"])

    def two_attributes(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """Two attributes of one thing."""
        owner = self._with_article(one.owner)
        names = f"the {self._small(one.attribute)} and the {self._small(other.attribute)} of {owner}"
        answers = (
            f"The {self._small(one.attribute)} of {owner} {self._thing(one.attribute, '')[1]} {one.value}, "
            f"and the {self._small(other.attribute)} {self._thing(other.attribute, '')[1]} {other.value}."
        )
        return self.wording(f"What are {names}?", f"what {names} are"), answers

    def two_owners(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """One attribute of two things."""
        name = self._small(one.attribute)
        owners = [self._with_article(attribute.owner) for attribute in (one, other)]
        be = self._thing(name, "")[1]
        names = (
            f"the {name} of {owners[0]} and that of {owners[1]}"
            if be == "is"
            else f"the {name} of {owners[0]} and {owners[1]}"
        )
        answer = f"The {name} of {owners[0]} {be} {one.value}, and the {name} of {owners[1]} {be} {other.value}."
        return self.wording(f"What are {names}?", f"what {names} are"), answer

    def bridge(self, agent: Agent, fact: Fact) -> tuple[Wording, str] | None:
        """A question about whoever does something, as the organisation that issues the Harbor Card."""
        name = agent.agent
        question = fact.wording.plain
        pattern = re.compile(rf"\b(?:the )?{re.escape(re.sub('^the ', '', name))}\b")
        if len(pattern.findall(question)) != 1 or not shapes.ORGANISATION.search(name):
            return None
        verb, _, deed = agent.deed.partition(" ")
        who = f"the organisation by which {agent.thing} {verb} {deed}"
        if verb in ("is", "are") and deed in self._own.deeds:
            who = f"the organisation that {self._own.deeds[deed]} {agent.thing}"
        polite = fact.wording.formal.removeprefix("Could you tell me ").rstrip("?")
        thing = agent.thing[0].upper() + agent.thing[1:]
        answer = f"{thing} {agent.deed} by {name}. {fact.answer}"
        return self.wording(pattern.sub(who, question), pattern.sub(who, polite)), answer

    def absent(self, owner: str, attribute: str, asked: str = "") -> tuple[Wording, str]:
        """A question that nothing answers, and the answer that says so."""
        thing, be = self._thing(attribute.replace("_", " "), self._with_article(owner))
        opening = asked.replace("_", " ") or f"What {be}"
        word, _, verb = opening.partition(" ")
        return self.wording(
            f"{opening} {thing}?", f"{word.lower()} {thing} {verb}"
        ), f"The documents do not mention {thing}."

    def unknown(self) -> str:
        """The answer to a question that the documents do not answer."""
        return "The documents do not mention this."

    # ---- places

    def names(self, subject: str) -> bool:
        """Whether a subject opens with a name of its own."""
        return re.search(r"(?<!^)\b[A-Z][a-z]+", subject) is not None

    def in_document(self, question: str, title: str) -> str:
        """A question that names the document it is about."""
        return f"{question.removesuffix('?')}, according to “{title}”?"

    def situated(self, opening: str, question: str) -> str:
        """A question after the words of who asks."""
        return f"{opening} {question}"


def _of_number(attribute: Attribute) -> str:
    """Ports: 4 is the number of ports."""
    name, quantity = attribute.attribute, attribute.quantity
    counted = quantity is not None and quantity.kind == "amount" and quantity.unit == "" and attribute.value.isdigit()
    return f"number of {name.lower()}" if counted and name.endswith("s") and " of " not in name else name
