"""Korean: the words of questions and answers over attributes, particles and tones."""

from __future__ import annotations

import re

from turnmark.language.text.particles import with_particle
from turnmark.synth.documents.model import Unit
from turnmark.synth.questions.amounts import Amount, amounts, measure
from turnmark.synth.questions.ko.endings import polite_question
from turnmark.synth.questions.model import Agent, Attribute, Fact, Kind, Language, Wording
from turnmark.synth.questions.wordlists import any_of, lists

_BY_PEOPLE = ("설계", "창작", "집필", "저술", "발명", "설립", "창립", "디자인", "감독", "작곡", "번역", "발견", "기증")
LIMIT = re.compile(
    r"^(?P<near>\s?(?:이상|이하|이내|미만|초과|까지|동안|안에|이내에|간|마다|씩|부터|전까지|전에|후에|후|전))?"
)


class KoreanWording:
    """What Korean questions are made with."""

    language: Language = "ko"

    def __init__(self) -> None:
        self._own = lists("ko")

    def _who(self, agent: str, deed: str = "") -> str:
        """How the doer is asked for; "" when it is neither an organisation nor somebody."""
        results = [ending for ending in self._own.agents if agent.endswith(ending)]
        if results:
            return self._own.agents[max(results, key=len)]
        return "누구" if deed in _BY_PEOPLE else ""

    def _how_much(self, amount: Amount, limit: str, *, copula: bool) -> str:
        kind, unit = measure(amount.quantity), amount.unit.strip()
        if kind == "money" or not unit or (kind == "percent" and copula) or kind in ("weight", "volume", "length"):
            return f"얼마{limit}입니까"
        if amount.quantity.unit == "day" and unit == "일":
            return f"며칠{limit}입니까"
        return f"몇 {unit}{limit}입니까"

    def _fact(
        self, unit: Unit, kind: Kind, question: str, core: str, answer: str, subject: str, agent: Agent | None = None
    ) -> Fact:
        return Fact(unit, kind, self.wording(question), core, f"{answer.rstrip('. ')}.", subject, None, agent)

    def wording(self, question: str) -> Wording:
        """A formal question without its mark, in three tones."""
        polite = polite_question(question)
        return Wording(f"{polite}?", f"{question}?", f"혹시 {polite}?")

    # ---- attributes

    def attribute_fact(self, attribute: Attribute, unit: Unit, statement: str = "") -> Fact:
        """The question for an attribute."""
        thing = f"{attribute.owner}의 {attribute.attribute}"
        answer = statement or f"{with_particle(thing, '은/는')} {attribute.value}입니다"
        kind: Kind = "fact" if attribute.quantity is None else "number"
        question = f"{with_particle(thing, '은/는')} {self._asked(attribute)}"
        return Fact(unit, kind, self.wording(question), attribute.value, f"{answer}.", thing, attribute)

    def _asked(self, attribute: Attribute) -> str:
        result = amounts(attribute.value)
        name = attribute.attribute
        if attribute.quantity is None:
            if name.endswith(("시간", "일시", "날짜", "기간")):
                return "언제입니까"
            if name.endswith(("장소", "위치", "원산지", "소재지", "제조국")):
                return "어디입니까"
            return (
                "누구입니까"
                if name.endswith(("자", "인", "감독", "원장", "관장", "대표")) and len(attribute.value) <= 10
                else "무엇입니까"
            )
        if attribute.quantity.kind == "date" or not result:
            return "언제입니까"
        limit = LIMIT.match(attribute.value[result[0].quantity.end :])
        return self._how_much(result[0], (limit["near"] or "") if limit else "", copula=True)

    def comparison(self, more: Attribute, less: Attribute, flip: bool) -> tuple[Wording, str] | None:
        """Which of two things has more of an attribute; ``flip`` names the lesser first."""
        if more.quantity is None:
            return None
        first, second = (less, more) if flip else (more, less)
        name, adjective = more.attribute, self._adjective(more)
        asked = f"{with_particle(name, '이/가')} 더 {adjective} 것은"
        question = f"{with_particle(first.owner, '과/와')} {second.owner} 중 {asked} 무엇입니까"
        answer = (
            f"{asked} {more.owner}입니다. {with_particle(f'{more.owner}의 {name}', '은/는')} {more.value}이고 "
            f"{with_particle(f'{less.owner}의 {name}', '은/는')} {less.value}입니다."
        )
        return self.wording(question), answer

    def _adjective(self, attribute: Attribute) -> str:
        assert attribute.quantity is not None  # noqa: S101 - comparisons have one
        if attribute.attribute.endswith(("용량", "면적", "크기", "규모")):
            return "큰"
        return self._own.adjectives.get(measure(attribute.quantity), self._own.adjectives["other"])

    def two_attributes(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """Two attributes of one thing."""
        asked = "얼마입니까" if _is_price(one) and _is_price(other) else "어떻게 됩니까"
        names = f"{with_particle(one.attribute, '과/와')} {with_particle(other.attribute, '은/는')}"
        question = f"{one.owner}의 {names} 각각 {asked}"
        answer = (
            f"{with_particle(f'{one.owner}의 {one.attribute}', '은/는')} {one.value}이고, "
            f"{with_particle(other.attribute, '은/는')} {other.value}입니다."
        )
        return self.wording(question), answer

    def two_owners(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """One attribute of two things."""
        asked = "얼마입니까" if _is_price(one) else "어떻게 됩니까"
        question = (
            f"{with_particle(one.owner, '과/와')} {other.owner}의 {with_particle(one.attribute, '은/는')} 각각 {asked}"
        )
        answer = (
            f"{with_particle(f'{one.owner}의 {one.attribute}', '은/는')} {one.value}이고, "
            f"{with_particle(f'{other.owner}의 {other.attribute}', '은/는')} {other.value}입니다."
        )
        return self.wording(question), answer

    def bridge(self, agent: Agent, fact: Fact) -> tuple[Wording, str] | None:
        """A question on whoever does something, without the name, as 안녕카드를 발행하는 은행."""
        question = fact.wording.formal.rstrip("?")
        deed = re.sub(r"(?:합니다|한다|하였다|했다|했습니다|하였습니다)$", "", agent.deed)
        if not question.startswith(agent.agent) or deed == agent.deed:
            return None
        past = re.search(r"(?:였|했)", agent.deed) is not None
        who = self._who(agent.agent).removeprefix("어느 ") or "곳"
        name = f"{with_particle(agent.thing, '을/를')} {deed}{'한' if past else '하는'} {who}"
        rest = question.removeprefix(agent.agent)
        particle = re.match(r"[은는]", rest)
        asked = with_particle(name, "은/는") + rest[1:] if particle else name + rest
        answer = (
            f"{with_particle(agent.thing, '은/는')} {with_particle(agent.agent, '이/가')} {agent.deed}. {fact.answer}"
        )
        return self.wording(asked), answer

    def absent(self, owner: str, attribute: str, asked: str = "") -> tuple[Wording, str]:
        """A question that nothing answers, and the answer that says so."""
        thing = f"{owner}의 {attribute}"
        question = f"{with_particle(thing, '은/는')} {f'{asked}입니까' if asked else '어떻게 됩니까'}"
        return self.wording(question), f"제공된 자료에는 {thing}에 대한 정보가 없습니다."

    def unknown(self) -> str:
        """The answer to a question that the documents do not answer."""
        return "제공된 자료에는 이에 대한 정보가 없습니다."

    # ---- places

    def names(self, subject: str) -> bool:
        """Whether a subject opens with a name of its own."""
        return (
            re.match(rf"[가-힣]{{2,10}}(?:{any_of(ending for ending in self._own.agents if len(ending) > 1)})", subject)
            is not None
        )

    def in_document(self, question: str, title: str) -> str:
        """A question that names the document it is about."""
        opening = "혹시 "
        named = f"「{title}」에 따르면 "
        return (
            f"{opening}{named}{question.removeprefix(opening)}"
            if question.startswith(opening)
            else f"{named}{question}"
        )

    def situated(self, opening: str, question: str) -> str:
        """A question after the words of who asks."""
        return f"{opening} {question}"


def _is_price(attribute: Attribute) -> bool:
    """Whether an attribute is asked for by 얼마."""
    return attribute.quantity is not None and measure(attribute.quantity) in (
        "money",
        "percent",
        "weight",
        "volume",
        "length",
    )
