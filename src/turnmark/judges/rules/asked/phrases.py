"""A question, a clause or an answer as a phrase: the words that tell, its sides, its days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.plain.comparisons import COMPARES
from turnmark.judges.rules.plain.matching import BEGINNING, Words
from turnmark.judges.rules.plain.statements import denies, mode, plain_words, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Reading
from turnmark.language.computed import computed
from turnmark.language.values import Value, compare_values
from turnmark.language.values.measures import dimension
from turnmark.language.values.opposition.stances import HOLDS, Stances, read_stances
from turnmark.language.values.weekdays import Days, read_days

SEVERAL = 2
"""Words that tell of a thing without doubt, at least; of Chinese twice as many."""
NEW, NEW_ZH = 1, 2
"""Words of an answer that may stand nowhere: the predicate in another word."""


class Phrase:
    """A question, a clause or an answer: the words that tell, the sides that it takes, the days that it names."""

    def __init__(self, text: str, language: str, tokens: Words) -> None:
        self.text, self.language, self.tokens = text, language, tokens
        self._topics: dict[str, Words] = {}

    @computed
    def stances(self) -> Stances:
        """The words of all classes, and what denies."""
        return read_stances(self.text, self.language)

    @computed
    def days(self) -> Days:
        """The days that are named."""
        return read_days(self.text)

    @computed
    def persons(self) -> frozenset[str]:
        """The kinds of persons that are named."""
        words = [each for each in word_list("persons", self.language) if each in self.text]
        return frozenset([each for each in words if not each.isascii() or re.search(f"(?<![a-z]){each}", self.text)])

    def topic(self, kind: str) -> Words:
        """The words and values of which a class is said."""
        result = self._topics.get(kind)
        if result is None:
            spans = [(each.start, each.end) for each in self.stances.of(kind)] + list(self.days.spans)
            result = self._topics[kind] = Words([each for each in self.tokens if not _is_within(each, spans)])
        return result

    def without_stances(self, kind: str) -> str:
        """The text with the words of a class blanked."""
        letters = list(self.text)
        for each in self.stances.of(kind):
            letters[each.start : each.end] = " " * (each.end - each.start)
        return "".join(letters)


def _is_within(token: Token, spans: Sequence[tuple[int, int]]) -> bool:
    return any(token.start < end and start < token.end for start, end in spans)


@lru_cache(maxsize=512)
def read_phrase(text: str, language: str) -> Phrase:
    """A folded text as a phrase."""
    text = text.replace("에 한해", "에 한하여")
    for number, counted in _COUNTS.get(language, ()):
        text = counted.sub(number, text)
    reading = Reading(text)
    free = [match.span() for match in _anyone(language).finditer(text)]
    tokens = []
    for sentence in reading.sentences:
        for each in read_statement(reading, sentence).telling:
            at = replace(each, start=each.start + sentence.start, end=each.end + sentence.start)
            if each.value is None and (
                denies(each, language)
                or any(start <= at.start and at.end <= end for start, end in free)
                or any(form.stem in word_list("anyone", language) for form in each.forms)
            ):
                continue
            tokens.append(at)
    return Phrase(text, language, Words(tokens))


_COUNTS = {
    "en": [("1", re.compile(r"(?<!no )\bone\b(?! of)"))],
    "zh": [
        (str(at), re.compile(f"{word}(?=[门本册张位名只条件份台辆间])"))
        for at, word in enumerate("两三四五六七八九", start=2)
    ],
    "ko": [("1", re.compile(r"(?<![가-힣])한 (?=마리|명|개(?!월)|권|장|대|병|잔)"))],
}
"""Counts in words that no reader takes for a value, as they are not told from other words everywhere."""


@cache
def _anyone(language: str) -> re.Pattern[str]:
    """The words of `anyone` and those that open a phrase, where they stand in a text."""
    if language == "ko":
        return re.compile("(?!)")
    words = word_list("anyone", language) | word_list("openers", language)
    text = "|".join(sorted(map(re.escape, words), key=lambda each: (-len(each), each)))
    return re.compile(rf"\b(?:{text})(?:e?s|e?d|ing)?\b" if language == "en" else text)


class Asked(NamedTuple):
    """What a question asks: the class, the side that a yes takes, and the words of which it asks."""

    kind: str
    side: int
    phrase: Phrase
    topic: Words


def read_asked(question: Reading) -> Asked | None:
    """A question for yes or no; None for any other, and for one that denies or is of two classes."""
    if len(question.sentences) != 1 or asks_for(question) != "yes_no":
        return None
    language = question.language
    phrase = read_phrase(question.compact.strip(" ?？"), language)
    if (
        not all(phrase.stances.parity(each) == 1 for each in phrase.stances.kinds())
        or language not in plain_words().light
        or COMPARES.search(question.compact)
    ):
        return None
    strong = {each.kind for each in phrase.stances.found if each.side}
    if not any(each.side > 0 for each in phrase.stances.of("proxy")):
        strong.discard("proxy")
    if mode(question.compact, language) == "may":
        strong -= {"change", "rise"}
    kind = next((each for each in ("proxy", "cost", "need", "rise", "change") if each in strong), HOLDS)
    if kind == HOLDS and HOLDS not in strong:
        kind = next((each for each in ("cost", "need") if phrase.stances.of(each)), HOLDS)
    side = phrase.stances.sign(kind)
    topic = Words([each for each in phrase.topic(kind) if each.value is None])
    return Asked(kind, side, phrase, topic) if side else None


def named(token: Token, others: Words) -> bool:
    """Whether a word stands among others; a Korean one as a part of another one too: 제주, 제주도."""
    if others.hold(token):
        return True
    if token.value is None and len(token.key) >= BEGINNING and token.key.isascii():
        return others.hold_beginning(token)
    return bool(token.forms) and others.hold_part(token)


def is_said(token: Token, said: Words) -> bool:
    """Whether a word or a value stands among others, whatever bounds the value."""
    if token.value is None:
        return named(token, said)
    return any(_alike(token.value, each) or _alike(each, token.value) for each in said.values)


def _alike(one: Value, other: Value) -> bool:
    """Whether two values are of one number, whatever bounds it."""
    if one.kind == "number" and other.kind == "time":
        return any((each - 60 * one.low) % 720 == 0 for each in (other.low, other.high))
    if one.kind == "number" and not one.unit and other.kind in ("quantity", "duration"):
        return one.low == other.low
    if one.kind == other.kind == "time" and one.low == one.high:
        half = 720 if one.parts else 1440  # morning and evening are not always told apart
        return any((each - one.low) % half == 0 for each in (other.low, other.high))
    plain = [each._replace(comparator="", name=each.name if each.kind == "code" else "") for each in (one, other)]
    return compare_values(*plain).relation == "equal"


def is_money(token: Token) -> bool:
    """Whether a token is an amount of money."""
    return token.value is not None and token.value.low > 0 and dimension(token.value.unit) == "currency"
