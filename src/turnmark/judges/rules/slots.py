"""The name that is asked for, in a claim and in its material: who, or where, in the clause that speaks of the same.

Several names may stand in one passage. The one that answers stands in the clause that holds the words which question
and claim share; a claim that gives a name of another clause says something else of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnmark.judges.rules import words
from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.directness import focus_units, told
from turnmark.judges.rules.names import is_name
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.language.later import later

CLAUSES = later(
    r"[;；。!?\n]|[:：，,](?![0-9])|\s(?:while|whereas|but|and|although|though|except|unless)\s"
    r"|(?<=고)\s|(?<=며)\s|(?<=지만)\s|(?<=는데)\s|(?<=으나)\s"
)
"""Where a sentence goes on to something else."""
_JOINED = later(r"[;；。!?\n]|[:：，,](?![0-9])|\s(?:while|whereas|but)\s|(?<=고)\s|(?<=며)\s|(?<=지만)\s|(?<=는데)\s")
"""The same, but a list of names stays whole."""
_NAMED = ("person", "place")
_MOST = 4
"""A claim that gives a name holds no more new telling units, at most."""
_FEW = 8
_CAPITALISED = later(r"[A-Z][A-Za-z\u00c0-\u024f]+")


class OtherName(NamedTuple):
    """The name that a claim gives, what stands in its place, and where that stands in the sentence's text."""

    mine: str
    theirs: str
    text: int
    start: int
    end: int


class _Clause(NamedTuple):
    text: int
    sentence: Sentence
    words: str
    units: frozenset[str]


def other_name(claim: Reading, texts: list[Reading], question: Reading) -> OtherName | None:
    """What stands in the place of the name that a claim gives to a question for a person or a place.

    None where the claim denies, where no single clause holds the words that question and claim share, where the new
    words of the claim stand in that clause, or where they do not all stand in another one.
    """
    shared = (claim.content & question.content) - focus_units()
    new = given_name(claim, question)
    if not shared or not new or any(own.signals.negations for own in claim.sentences):
        return None
    clauses = list(_clauses(texts))
    held = [sum([words.weight(unit) for unit in shared & clause.units]) for clause in clauses]
    if not held or not max(held) or held.count(max(held)) > 1:
        return None
    anchor = clauses[held.index(max(held))]
    if anchor.sentence.signals.negations or not new.isdisjoint(anchor.units):
        return None
    if not _names_one(anchor, question, texts[anchor.text], person="person" in told(question.compact)):
        return None
    if not any(new <= other.units for other in clauses if other is not anchor):
        return None
    return OtherName(
        " ".join([unit for unit in claim.units if unit in new]),
        anchor.words.strip(),
        anchor.text,
        anchor.sentence.start,
        anchor.sentence.end,
    )


def given_name(claim: Reading, question: Reading) -> frozenset[str]:
    """The few telling units by which a claim answers a question for a person or a place; none where it says more."""
    if told(question.compact).isdisjoint(_NAMED):
        return frozenset()
    new = claim.content - question.content - focus_units()
    return new if len(new) <= (_MOST if claim.language == "en" else _FEW) else frozenset()


def other_person(claim: Reading, other: Reading, question: Reading) -> bool:
    """Whether claim and other answer give two persons who share no letter of their names."""
    if "person" not in told(question.compact):
        return False
    mine, theirs = given_name(claim, question), given_name(other, question)
    if not mine or not theirs or claim.language != other.language:
        return False
    named = all(_is_person(reading) for reading in (claim, other))
    if claim.language == "en":
        return named and mine.isdisjoint(theirs)
    return named and set("".join(sorted(mine))).isdisjoint("".join(sorted(theirs)))


def _is_person(text: Reading) -> bool:
    if text.language == "en":
        found = [words.stem(word.lower()) for word in _CAPITALISED.findall(text.text)]
        return any(words.weight(unit) >= words.UNSEEN for unit in found)
    return any(is_name(word, text.language) for word in _candidates(text.compact, text.language))


def roles_exchanged(claim: Reading, sentence: Sentence) -> bool:
    """Whether who acts in a Korean claim is acted on in a sentence, and the other way round: A가 B를, B가 A를."""
    if claim.language != "ko":
        return False
    mine, theirs = _roles(claim.compact), _roles(sentence.folded)
    return bool(mine.acting & theirs.acted_on) and bool(mine.acted_on & theirs.acting)


class _Roles(NamedTuple):
    acting: frozenset[str]
    acted_on: frozenset[str]


def _roles(text: str) -> _Roles:
    return _Roles(frozenset(_ACTING.findall(text)), frozenset(_ACTED_ON.findall(text)))


_ACTING = later("([가-힣]{2,})(?:이|가)(?![가-힣])")
_ACTED_ON = later("([가-힣]{2,})(?:을|를)(?![가-힣])")


def _names_one(clause: _Clause, question: Reading, text: Reading, *, person: bool) -> bool:
    """Whether a clause holds a name that the question does not, or for a place any other telling word."""
    if "?" in clause.sentence.text or "？" in clause.sentence.text:
        return False
    rest = [unit for unit in clause.units - question.content - focus_units() if words.weight(unit) > words.LIGHT]
    if text.language == "en":
        return any(unit in text.name_set for unit in rest)
    if not person:
        return bool(rest)
    return any(is_name(word, text.language) for word in _candidates(clause.words, text.language))


def _candidates(text: str, language: str) -> list[str]:
    """The words of a clause that may be names: Korean ones without particles, runs of two and three ideographs."""
    if language == "ko":
        return [words.korean_stem(word) for word in re.findall("[\uac00-\ud7a3]+", text)]
    return [text[first : first + size] for first in range(len(text)) for size in (3, 2)]


def _clauses(texts: list[Reading]) -> Iterator[_Clause]:
    for place, reading in enumerate(texts):
        for sentence in reading.sentences:
            for part in _JOINED.split(sentence.folded):
                if part.strip():
                    yield _Clause(place, sentence, part, frozenset(words.units(part)))


def names_another_first(answer: Reading, reference: Reading) -> bool:
    """Whether the name that a reference gives is but what someone else acts on in an answer: "Moss beat Valdra"."""
    wanted = reference.compact.strip(" .。")
    place = answer.compact.find(wanted)
    if place <= 0 or len(reference.units) > _MOST:
        return False
    before, behind = answer.compact[:place], answer.compact[place + len(wanted) :]
    if answer.language == "ko":
        return _ACTS_KO.search(before) is not None and _OBJECT.match(behind) is not None
    return (_ACTS_ZH if answer.language == "zh" else _ACTS).match(before) is not None


_ACTS = later(
    r"(?:[a-z]+ ){1,2}(?:beat|defeated|overcame|replaced|succeeded|hired|appointed|bought|acquired|sued|followed|met) $"
)
_ACTS_ZH = later("[^，。是由为被]{2,8}(?:击败|打败|战胜|取代|接替|收购|聘请|任命|赢|胜)了?$")
_ACTS_KO = later("[가-힣]+(?:이|가|은|는) ")
_OBJECT = later("(?:을|를|에게|한테)(?![가-힣])")


def named_otherwise(read: Read) -> Decision | None:
    """Contradicted where a person or a place is asked for and another one stands in the clause that tells it."""
    sentence = read.material.sentences[read.measured.closest[0]]
    if roles_exchanged(read.claim, sentence):
        place = read.material.place(read.measured.closest[0])
        return Decision(
            "contradicted", "who acts and who is acted on are exchanged", (place, sentence.start, sentence.end)
        )
    if read.question is None:
        return None
    found = other_name(read.claim, list(read.material.readings), read.question)
    if found is None:
        return None
    reason = f"name: {found.mine} is said of something else; {found.theirs}"
    return Decision("contradicted", reason, (found.text, found.start, found.end))
