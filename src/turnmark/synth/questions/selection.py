"""From facts to the questions of a set: pairs of facts, questions without an answer, and which of all are kept."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeVar

import ahocorasick_rs
from rapidfuzz.distance import Levenshtein

from turnmark.language.text.fold import fold_text
from turnmark.synth.documents.model import Unit
from turnmark.synth.questions.amounts import greater
from turnmark.synth.questions.model import KINDS, Attribute, Candidate, Fact, Kind, Language, Persona
from turnmark.synth.questions.reading import Speaker
from turnmark.synth.questions.topics import Topic
from turnmark.synth.questions.wordlists import lists

VERSION = "1.0.0"
"""Of the generator: rules, words and choice. Another version may ask other questions of the same documents."""

_PAIRS_EACH = 12
"""Pairs that one attribute is asked for in at most: many things with one attribute make very many pairs."""
_LOOKED_AT = 24
"""Things with one attribute among which pairs are made."""
_MOST_OWNERS = 400
"""Things for which questions without an answer are made."""
_SHORTEST, _LONGEST = 6, 240
_ALIKE = 0.92

T = TypeVar("T")

Supported = Callable[[str, str, Sequence[str]], bool]
"""Whether contexts support an answer: (question, answer, contexts)."""
Answered = Callable[[str, str], bool]
"""Whether anything in the documents answers a question: (question, its subject)."""


class Known(NamedTuple):
    """A fact, with what its unit stands under."""

    fact: Fact
    topic: Topic


def plain_candidates(facts: Sequence[Known], speaker: Speaker) -> Iterator[Candidate]:
    """Questions of one fact each."""
    for known in facts:
        fact = known.fact
        title = "" if _knows(known, fact.subject, speaker) else known.topic.title
        yield Candidate(
            fact.kind, fact.wording, fact.answer, fact.core, (fact.unit,), speaker.language, fact.subject, title
        )


def _knows(known: Known, subject: str, speaker: Speaker) -> bool:
    """Whether a subject names what it belongs to, so that the question can be asked without its document."""
    name = known.topic.name
    return bool(name and name.lower() in subject.lower()) or known.topic.owner == subject or speaker.names(subject)


def pair_candidates(facts: Sequence[Known], speaker: Speaker, choice: random.Random) -> Iterator[Candidate]:
    """Comparisons, and questions that need two units."""
    yield from _by_attribute(facts, speaker, choice)
    yield from _by_owner(facts, speaker, choice)
    yield from _bridges(facts, speaker)


def _key(text: str) -> str:
    return re.sub(r"\s+", " ", fold_text(text)).strip()


def _attributes(facts: Sequence[Known]) -> Iterator[tuple[Known, Attribute]]:
    for known in facts:
        if known.fact.attribute is not None:
            yield known, known.fact.attribute


def _by_attribute(facts: Sequence[Known], speaker: Speaker, choice: random.Random) -> Iterator[Candidate]:
    """Two things and one attribute: which has more, or both of them."""
    groups: dict[str, dict[str, tuple[Known, Attribute]]] = defaultdict(dict)
    for known, attribute in _attributes(facts):
        groups[_key(attribute.attribute)].setdefault(_key(attribute.owner), (known, attribute))
    for name in sorted(groups):
        things = _some(list(groups[name].values()), choice)
        pairs = [(item, other) for index, item in enumerate(things) for other in things[index + 1 :]]
        choice.shuffle(pairs)
        for item, other in pairs[:_PAIRS_EACH]:
            yield from _two_things(item, other, speaker, choice)


def _two_things(
    one: tuple[Known, Attribute], other: tuple[Known, Attribute], speaker: Speaker, choice: random.Random
) -> Iterator[Candidate]:
    (known, first), (known_other, second) = one, other
    if _key(first.value) == _key(second.value) or first.owner in second.owner or second.owner in first.owner:
        return
    units = _units(known.fact.unit, known_other.fact.unit)
    language = speaker.language
    title = _shared_title(known, first.owner, known_other, second.owner, speaker)
    if title is None:
        return
    flip = choice.random() < 0.5
    if first.quantity is not None and second.quantity is not None:
        more = greater(first.quantity, second.quantity)
        greatest, least = (first, second) if more else (second, first)
        made = None if more is None else speaker.comparison(greatest, least, flip)
        if made is not None:
            subject = f"{first.owner} {second.owner} {first.attribute}"
            yield Candidate("comparison", made[0], made[1], greatest.value, units, language, subject, title)
    if len(units) > 1 and (first.quantity is None) == (second.quantity is None):
        if first.quantity is not None and second.quantity is not None and first.quantity.unit != second.quantity.unit:
            return
        wording, answer = speaker.two_owners(second, first) if flip else speaker.two_owners(first, second)
        subject = f"{first.owner} {second.owner} {first.attribute}"
        core = f"{first.value} {second.value}"
        yield Candidate("multi_hop", wording, answer, core, units, language, subject, title)


def _shared_title(one: Known, thing: str, other: Known, other_thing: str, speaker: Speaker) -> str | None:
    """The title that two things need to be named by: "" when they name themselves, None when no one title does."""
    if _knows(one, thing, speaker) and _knows(other, other_thing, speaker):
        return ""
    return one.topic.title if one.fact.unit.file == other.fact.unit.file else None


def _by_owner(facts: Sequence[Known], speaker: Speaker, choice: random.Random) -> Iterator[Candidate]:
    """One thing and two attributes that stand in two units."""
    groups: dict[str, dict[str, tuple[Known, Attribute]]] = defaultdict(dict)
    for known, attribute in _attributes(facts):
        groups[_key(attribute.owner)].setdefault(_key(attribute.attribute), (known, attribute))
    for name in sorted(groups):
        own = list(groups[name].values())
        pairs = [
            (item, other)
            for index, item in enumerate(own[:60])
            for other in own[index + 1 : 60]
            if item[0].fact.unit != other[0].fact.unit and (item[1].quantity is None) == (other[1].quantity is None)
        ]
        choice.shuffle(pairs)
        for (known, first), (known_other, second) in pairs[:_PAIRS_EACH]:
            wording, answer = speaker.two_attributes(first, second)
            units = _units(known.fact.unit, known_other.fact.unit)
            subject = f"{first.owner} {first.attribute} {second.attribute}"
            title = _shared_title(known, first.owner, known_other, second.owner, speaker)
            if title is not None:
                core = f"{first.value} {second.value}"
                yield Candidate("multi_hop", wording, answer, core, units, speaker.language, subject, title)


def _bridges(facts: Sequence[Known], speaker: Speaker) -> Iterator[Candidate]:
    """A fact of whoever does something, asked without the name; one unit says who it is, another what is asked."""
    doers = {known.fact.agent.agent: None for known in facts if known.fact.agent is not None}
    if not doers:
        return
    names = list(doers)
    search = ahocorasick_rs.AhoCorasick(names)
    about: dict[str, list[Fact]] = defaultdict(list)
    for known in facts:
        if known.fact.agent is None:
            for index in {
                find_matches_as_index[0]
                for find_matches_as_index in search.find_matches_as_indexes(known.fact.subject, overlapping=True)
            }:
                if len(about[names[index]]) < _PAIRS_EACH:
                    about[names[index]].append(known.fact)
    for known in facts:
        agent = known.fact.agent
        for fact in about[agent.agent] if agent is not None else ():
            made = speaker.bridge(agent, fact) if agent is not None and fact.unit != known.fact.unit else None
            if made is not None:
                units = _units(known.fact.unit, fact.unit)
                yield Candidate("multi_hop", made[0], made[1], fact.core, units, speaker.language, made[0].plain)


def _units(one: Unit, other: Unit) -> tuple[Unit, ...]:
    return (one,) if one == other else (one, other)


def absent_candidates(facts: Sequence[Known], speaker: Speaker, choice: random.Random) -> Iterator[Candidate]:
    """Questions after what other things of the kind have and this one lacks, then after what documents seldom say."""
    owners: dict[str, tuple[str, str]] = {}
    attributes: dict[str, dict[str, Attribute]] = defaultdict(dict)
    for known, attribute in _attributes(facts):
        title = "" if _knows(known, attribute.owner, speaker) else known.topic.title
        owners.setdefault(_key(attribute.owner), (attribute.owner, title))
        attributes[_key(attribute.owner)][_key(attribute.attribute)] = attribute
    made: dict[tuple[str, str], Candidate] = {}
    some = _some(sorted(owners), choice, _MOST_OWNERS)
    for key in some:
        owner, title = owners[key]
        own = attributes[key]
        for other in _some(some, choice):
            alike = own.keys() & attributes[other].keys()
            if other == key or not _of_one_kind(alike, named=not (title or owners[other][1])):
                continue
            for name, attribute in attributes[other].items():
                if name not in own and attribute.quantity is not None and attribute.quantity.kind == "amount":
                    made[key, name] = _absent(speaker, owner, attribute.attribute, "", title)
    plausible = list(made.values())
    choice.shuffle(plausible)
    yield from plausible
    rare = [
        _absent(speaker, owner, attribute, asked, title)
        for owner, title in (owners[key] for key in some)
        if not title
        for attribute, asked in lists(speaker.language).generic_absent.items()
    ]
    choice.shuffle(rare)
    yield from rare


def _some(items: list[T], choice: random.Random, most: int = _LOOKED_AT) -> list[T]:
    """The items, or some of them by chance when there are many: pairs grow with the square of their number."""
    return items if len(items) <= most else choice.sample(items, most)


def _of_one_kind(shared: AbstractSet[str], *, named: bool) -> bool:
    """Whether two things that share attributes are alike, so that what one has may well be asked of the other.

    Things with a name of their own need one attribute in common, parts and sections two: many things have a price.
    """
    return len(shared) >= (1 if named else 2)


def _absent(speaker: Speaker, owner: str, attribute: str, asked: str, title: str) -> Candidate:
    wording, answer = speaker.absent(owner, attribute, asked)
    name = attribute.replace("_", " ")
    return Candidate("unanswerable", wording, answer, "", (), speaker.language, f"{owner}\n{name}", title)


class Chooser:
    """Takes candidates kind by kind until there are enough; says why others were left out."""

    def __init__(self, supported: Supported, answered: Answered) -> None:
        self._supported = supported
        self._answered = answered
        self._asked: dict[str, str] = {}
        self._cores: set[tuple[str, str]] = set()
        self._kinds: Counter[tuple[Language, Kind]] = Counter()
        self.left: Counter[str] = Counter()

    def choose(self, language: Language, by_kind: dict[Kind, Iterator[Candidate]], wanted: int) -> list[Candidate]:
        """At most ``wanted`` candidates, of each kind as many as of the others while there are any."""
        chosen: list[Candidate] = []
        open_kinds = [kind for kind in KINDS if kind in by_kind]
        while open_kinds and len(chosen) < wanted:
            for kind in list(open_kinds):
                if kind == "unanswerable" and len(by_kind) > 1 and self._many_unanswerable(language):
                    open_kinds.remove(kind)
                    continue
                result = next((item for item in by_kind[kind] if self.accepts(item)), None)
                if result is None:
                    open_kinds.remove(kind)
                elif len(chosen) < wanted:
                    chosen.append(result)
        return chosen

    def _many_unanswerable(self, language: Language) -> bool:
        """Whether there are as many questions without an answer as of any other kind: they could go on for ever."""
        others = [self._kinds[language, kind] for kind in KINDS if kind != "unanswerable"]
        return self._kinds[language, "unanswerable"] >= max(others)

    def accepts(self, candidate: Candidate) -> bool:
        """Whether a candidate becomes a case; it is remembered then, so that it is not asked again."""
        reason = self._fault(candidate)
        if reason:
            self.left[reason] += 1
            return False
        self._kinds[candidate.language, candidate.kind] += 1
        self._asked[_bare(candidate.wording.plain)] = candidate.answer
        if candidate.core:
            self._cores.add((_place(candidate), _bare(candidate.core)))
        return True

    def _fault(self, candidate: Candidate) -> str:
        question = candidate.wording.plain
        if not _SHORTEST <= len(question) <= _LONGEST:
            return "too short or too long"
        if self._again(candidate):
            return "asked already"
        if _holds(question, candidate.core):
            return "the question holds its answer"
        if candidate.kind == "unanswerable":
            return "the documents may answer it" if self._answered(question, candidate.subject) else ""
        if not self._supported(question, candidate.answer, candidate.contexts):
            return "the judge does not see the answer in its unit"
        return ""

    def _again(self, candidate: Candidate) -> bool:
        key = _bare(candidate.wording.plain)
        if key in self._asked:
            return True
        if (
            candidate.core
            and candidate.kind in ("fact", "number")
            and (_place(candidate), _bare(candidate.core)) in self._cores
        ):
            return True
        numbers = re.findall(r"\d+", key)
        return any(
            abs(len(other) - len(key)) < len(key) * (1 - _ALIKE)
            and numbers == re.findall(r"\d+", other)
            and Levenshtein.normalized_similarity(key, other, score_cutoff=_ALIKE) >= _ALIKE
            and self._asked[other] == candidate.answer
            for other in self._asked
        )


def _place(candidate: Candidate) -> str:
    return " ".join(unit.id for unit in candidate.units)


def _holds(question: str, core: str) -> bool:
    """Whether a question says its own answer; 5 is not said by 15, nor car by card."""
    words = re.findall(r"\w+", fold_text(core))
    pattern = r"\W*".join(map(re.escape, words))
    return bool(words) and re.search(rf"(?<![0-9a-z.]){pattern}(?![0-9a-z])", fold_text(question)) is not None


def _bare(text: str) -> str:
    """A text without spaces, marks and case."""
    return re.sub(r"[\W_]+", "", fold_text(text))


def by_interest(candidates: Sequence[Candidate], personas: Sequence[Persona], choice: random.Random) -> list[Candidate]:
    """Candidates in an order by chance, those that speak of what personas are interested in first half of the time."""
    order = list(candidates)
    choice.shuffle(order)
    wanted = [word.lower() for persona in personas for word in persona.interest]
    if not wanted:
        return order
    first = deque(item for item in order if _interesting(item, wanted))
    rest = deque(item for item in order if not _interesting(item, wanted))
    mixed: list[Candidate] = []
    while first or rest:
        mixed += [part.popleft() for part in (first, rest) if part]
    return mixed


def _interesting(candidate: Candidate, wanted: Sequence[str]) -> bool:
    text = f"{candidate.wording.plain} {candidate.answer}".lower()
    return any(word in text for word in wanted)
