"""How directly a statement answers a question: is it about the question's subject, and does it bring what is asked for.

A question about an amount or a time is answered by a statement that holds one; a yes-or-no question by a polarity or by
a statement of the question's own words; any other by something that the question does not hold itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import ahocorasick_rs
import msgspec

from turnmark.judges.rules import words
from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.wording import wording
from turnmark.language.later import later
from turnmark.packs.loading import parse, shipped

_EDGE = " \n.,!?;:\"'()*_-。、~"
INDIRECT = 0.6
"""Degree of a statement that keeps to the subject and does not bring what is asked for."""
_ON_TOPIC = 0.3
_NEW = 0.25
_BARE = 4
_TOUCHED = 0.15
"""Of an answer that holds more of the question's subject a value of the asked kind answers it."""
_SHORT = 1
"""An answer of so few telling words beside its values brings what is asked for and nothing else."""


class _Questions(msgspec.Struct, frozen=True):
    """``packs/rag/questions.yaml``."""

    quantity: dict[str, str]
    time: dict[str, str]
    length: dict[str, str]
    yes_no: dict[str, str]
    affirmation: str
    denial: str
    acknowledgement: str
    focus_words: dict[str, str]
    pronouns: dict[str, str]
    person: dict[str, str]
    place: dict[str, str]
    reason: dict[str, str]
    place_marks: dict[str, str]
    reason_marks: dict[str, str]


class Degree(NamedTuple):
    """How directly a statement answers, from 0 (not at all) to 1 (directly), and why; whether anything tells that."""

    degree: float
    reason: str
    decided: bool = True


@cache
def _lists() -> _Questions:
    return parse(shipped("rag/questions.yaml"), "rag/questions.yaml", _Questions)


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


_KINDS = (
    *("time", "quantity", "length", "yes_no", "focus_words", "pronouns"),
    *("person", "place", "reason", "place_marks", "reason_marks"),
)


class _Phrase(NamedTuple):
    """A phrase, what it tells, and where it counts: at the opening of a text only, as whole English words only."""

    text: str
    kind: str
    opening: bool
    whole: bool


@cache
def _phrases() -> tuple[ahocorasick_rs.AhoCorasick, list[_Phrase]]:
    results = []
    for kind in _KINDS:
        for language, text in getattr(_lists(), kind).items():
            for word in _split(text):
                opening = kind == "pronouns" or word.startswith("^")
                results.append(_Phrase(word.removeprefix("^"), kind, opening, language == "en"))
    return ahocorasick_rs.AhoCorasick([phrase.text for phrase in results]), results


def _found(text: str) -> Iterator[tuple[_Phrase, int, int]]:
    automaton, phrases = _phrases()
    for number, start, end in automaton.find_matches_as_indexes(text, overlapping=True):
        phrase = phrases[number]
        if phrase.opening and start:
            continue
        if phrase.whole and (_LATIN.match(text, start - 1, start) or _LATIN.match(text, end)):
            continue
        yield phrase, start, end


def told(text: str) -> frozenset[str]:
    """The kinds of which a phrase stands in a folded text."""
    return frozenset([phrase.kind for phrase, _, _ in _found(text)])


def without_question_words(text: str) -> str:
    """A folded question with its Chinese and Korean question words blanked, which touch the words beside them."""
    letters = list(text)
    for phrase, start, end in _found(text):
        if not phrase.whole and phrase.kind in _ASKING:
            letters[start:end] = " " * (end - start)
    return "".join(letters)


_ASKING = frozenset(("time", "quantity", "focus_words", "person", "place", "reason"))
_LATIN = re.compile("[a-z]")


@cache
def _answers() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(_split(_lists().affirmation)), frozenset(_split(_lists().denial))


@cache
def focus_units() -> frozenset[str]:
    """The units of words of questions that say nothing about their subject."""
    return frozenset(
        unit for text in _lists().focus_words.values() for word in _split(text) for unit in words.units(word)
    )


def polarity_of(text: str) -> int:
    """1 for a bare yes, -1 for a bare no, 0 for anything else; in three languages."""
    plain = words.folded(text).strip(_EDGE) if len(text) < 24 else ""
    yes, no = _answers()
    return (plain in yes) - (plain in no)


def acknowledges(text: str) -> bool:
    """Whether an answer only takes note of the question: 好的, okay, 네, 알겠습니다."""
    parts = [part.strip(_EDGE) for part in _PARTS.split(words.folded(text))] if len(text) < _OPENING * 2 else []
    said = [part for part in parts if part]
    yes, _ = _answers()
    known = _acknowledgements()
    return any(part in known for part in said) and all(part in known or part in yes for part in said)


@cache
def _acknowledgements() -> frozenset[str]:
    return frozenset(_split(_lists().acknowledgement))


_PARTS = re.compile("[,.!。、，！]")


def asks_for(question: Reading) -> str:
    """``quantity``, ``time``, ``yes_no``, ``open`` for any other question, ``none`` when nothing is asked."""
    asked = told(question.compact)
    for kind in ("time", "quantity", "yes_no"):
        # A Korean question for a thing or a person ends as one for yes or no does.
        if kind in asked and (kind != "yes_no" or not _asks_for_a_thing(question, asked)):
            return kind
    if "?" not in question.compact:
        return "open" if "focus_words" in asked else "none"
    # A Korean question without a question word asks for yes or no, whatever its ending; one with a choice does not.
    plain = question.language == "ko" and asked.isdisjoint(("focus_words", "person", "place", "reason"))
    plain = plain and _KO_NAMES.search(question.compact) is None
    return "yes_no" if plain and "," not in question.compact else "open"


def _asks_for_a_thing(question: Reading, asked: frozenset[str]) -> bool:
    return question.language == "ko" and (
        not asked.isdisjoint(("person", "place", "reason")) or _KO_ASKING.search(question.compact) is not None
    )


_KO_NAMES = re.compile("(?<=[가-힣])(?<!나)(?<!인가)(?:은|는|면)요?[?]")
"""What ends a Korean question that only names what it asks about: 요금은요? 늦으면요?"""
_KO_ASKING = re.compile("무엇|무슨|어떤|어떻게|어느|(?<![가-힣])(?:뭐|뭘|뭔)")


def delivers(statement: Reading, question: Reading, kind: str) -> bool:
    """Whether a statement brings something of the asked kind that the question does not hold itself."""
    if kind == "quantity":
        asked = {round(each.low, 6) for each in question.quantities}
        return any(each.kind == "amount" and round(each.low, 6) not in asked for each in statement.quantities)
    if kind == "time":
        return any(each.kind != "amount" or each.unit in _PERIODS for each in statement.quantities)
    if kind == "yes_no" or (_names_an_amount(question) and delivers(statement, question, "quantity")):
        return True
    weights = statement.weights
    return sum([weights[unit] for unit in statement.unit_set - question.unit_set]) >= _NEW * statement.weight


def _names_an_amount(question: Reading) -> bool:
    """Whether a question for something asks for an amount by its name: a discount, the late fee."""
    return question.language == "en" and _AMOUNT_NAMED.search(question.compact) is not None


_AMOUNT_NAMED = later(
    r"\bwhat(?:'s| is| was| would be| will be)?(?: (?:the|my|our|your|an?))?(?: [a-z-]+){0,2} (?:fee|price|cost|rate"
    r"|discount|charge|surcharge|fare|rent|deposit|premium|salary|penalty|tax|amount|balance|payment|allowance|percentage"
    r"|limit|deductible|excess|weight|height|length|width|capacity)\b"
)
_PERIODS = frozenset(("year", "month", "week", "day", "hour", "minute"))
_ASKED_VALUES = {
    "quantity": ("number", "quantity", "ratio", "duration"),
    "time": ("date", "time", "duration", "number"),
    "length": ("duration", "date", "time", "number"),
}


def lacks_asked(statement: Reading, question: Reading, kind: str) -> bool:
    """Whether a value is asked for and a statement holds none that could be meant, however it is written."""
    if kind not in _ASKED_VALUES:
        return False
    if "length" in told(question.compact):
        kind = "length"
    elif delivers(statement, question, kind):
        return False
    return not any(value.kind in _ASKED_VALUES[kind] for value in statement.passage.values)


def last_turn(question: str) -> str:
    """What is asked now: the last line that says something, where a question comes with the turns before it."""
    lines = [line for line in question.splitlines() if len(words.units(words.folded(line))) > 1]
    return lines[-1] if lines else question


def degrees(
    statements: Sequence[Reading], links: Sequence[bool], question: Reading, near: Sequence[float] = ()
) -> list[Degree]:
    """How directly each statement of one answer answers a question.

    ``links[i]`` is true when statement i goes on in the sentence of the one before it: it then keeps that one's
    subject, which clauses and list items seldom repeat. A statement that shares content words with an earlier one
    on the subject, or opens with a pronoun, keeps to it too. ``near`` is how near each one is to the question in
    meaning, from 0 to 1, where that is known: it keeps to the subject at least as far.
    """
    kind = asks_for(question)
    focus = focus_units()
    weights = question.weights
    subject = frozenset([unit for unit in question.content if unit not in focus])
    about = sum([weights[unit] for unit in subject])
    whole = frozenset().union(*[statement.content for statement in statements])
    shared = sum([weights[unit] for unit in subject & whole]) / about if about else 1.0
    answers = shared > _TOUCHED or (kind != "yes_no" and sum(map(_beside_values, statements)) <= _SHORT)
    known: set[str] = set()
    result: list[Degree] = []
    topic = 0.0
    for statement, linked, meaning in zip(statements, links, near or [0.0] * len(statements), strict=True):
        content = statement.content
        own = sum([weights[unit] for unit in subject & content]) / about if about else 1.0
        kept = topic if linked else 0.0
        if (known and not known.isdisjoint(content)) or _opens_with_pronoun(statement.compact):
            kept = max(kept, _ON_TOPIC)
        topic = max(own, _asked_share(statement, question), kept, meaning)
        if topic >= _ON_TOPIC:
            known.update(content)
        if kind == "yes_no" and not result and says_yes_or_no(statement):
            result.append(Degree(1.0, "opens with yes or no"))
        else:
            result.append(_degree(statement, question, kind, topic, answers=answers))
    if len(statements) == 1 and kind == "open" and _is_bare(statements[0]):
        return [Degree(1.0, "a bare answer")]
    return result


def _opens_with_pronoun(text: str) -> bool:
    return text.startswith(_pronouns()) and "pronouns" in told(text[:_OPENING])


@cache
def _pronouns() -> tuple[str, ...]:
    return tuple([phrase.text for phrase in _phrases()[1] if phrase.kind == "pronouns"])


_OPENING = 16
"""Longer than any pronoun and the letter behind it."""


def _asked_share(statement: Reading, question: Reading) -> float:
    """Share of the weight of a statement's content words that the question holds."""
    weights = statement.weights
    total = sum([weights[unit] for unit in statement.content])
    return sum([weights[unit] for unit in statement.content & question.unit_set]) / total if total else 0.0


def _is_bare(statement: Reading) -> bool:
    """Whether an answer is no sentence but only the words that were asked for: ``12 dollars``, 首尔."""
    return len(statement.units) <= _BARE and not statement.compact.endswith((".", "。", "!", "다", "요"))


def _beside_values(statement: Reading) -> float:
    """How many telling words a statement holds beside its values."""
    return wording(statement.passage.masked, (), ()).told


def says_yes_or_no(statement: Reading) -> bool:
    """Whether a statement opens with a yes or a no."""
    return any(value.kind == "truth" for value in statement.passage.values)


def _degree(statement: Reading, question: Reading, kind: str, topic: float, *, answers: bool) -> Degree:
    if polarity_of(statement.text):
        return Degree(1.0, "yes or no") if kind == "yes_no" else Degree(0.0, f"yes or no to a question: {kind}")
    brings = kind != "none" and delivers(statement, question, kind)
    short = kind in ("quantity", "time") and _beside_values(statement) <= _SHORT
    if brings and (topic >= _ON_TOPIC or short or (answers and kind != "open")):
        return Degree(1.0, f"brings what is asked for: {kind}")
    if kind == "none":
        return Degree(min(1.0, 2 * topic), "nothing is asked: how far it keeps to the subject")
    if topic >= _ON_TOPIC:
        return Degree(INDIRECT, f"on the subject without what is asked for: {kind}")
    return Degree(INDIRECT * topic / _ON_TOPIC, "hardly on the subject")
