"""A question, a clause or an answer as a phrase: the words that tell, its sides, its days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.plain.comparisons import COMPARES
from turnmark.judges.rules.plain.matching import names
from turnmark.judges.rules.plain.statements import Token, denies, mode, plain_words, read_statement, word_list
from turnmark.judges.rules.reading import Reading
from turnmark.language.values import Value, compare_values
from turnmark.language.values.measures import dimension
from turnmark.language.values.opposition.stances import HOLDS, Stances, read_stances
from turnmark.language.values.weekdays import Days, read_days

SEVERAL = 2
"""Words that tell of a thing without doubt, at least; of Chinese twice as many."""
NEW, NEW_ZH = 1, 2
"""Words of an answer that may stand nowhere: the predicate in another word."""
_BEGINNING = 4
"""Letters of an English word that opens another one of the same meaning: regist, registration."""


class Phrase(NamedTuple):
    """A question, a clause or an answer: the words that tell, the sides that it takes, the days that it names."""

    text: str
    language: str
    tokens: tuple[Token, ...]
    stances: Stances
    days: Days

    def topic(self, kind: str) -> list[Token]:
        """The words and values of which a class is said."""
        spans = [(each.start, each.end) for each in self.stances.of(kind)] + list(self.days.spans)
        return [each for each in self.tokens if not any(each.start < end and start < each.end for start, end in spans)]

    def without_stances(self, kind: str) -> str:
        """The text with the words of a class blanked."""
        letters = list(self.text)
        for each in self.stances.of(kind):
            letters[each.start : each.end] = " " * (each.end - each.start)
        return "".join(letters)


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
            at = each._replace(start=each.start + sentence.start, end=each.end + sentence.start)
            if each.value is None and (
                denies(each, language)
                or any(start <= at.start and at.end <= end for start, end in free)
                or any(form.stem in word_list("anyone", language) for form in each.forms)
            ):
                continue
            tokens.append(at)
    return Phrase(text, language, tuple(tokens), read_stances(text, language), read_days(text))


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
    topic: Sequence[Token]


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
    topic = [each for each in phrase.topic(kind) if each.value is None]
    return Asked(kind, side, phrase, topic) if side else None


def named(token: Token, others: Sequence[Token]) -> bool:
    """Whether a word stands among others; a Korean one as a part of another one too: 제주, 제주도."""
    if names(token, others):
        return True
    if token.value is None and len(token.key) >= _BEGINNING and token.key.isascii():
        return any(
            each.key.startswith(token.key) or (len(each.key) >= _BEGINNING and token.key.startswith(each.key))
            for each in others
        )
    stems = {form.stem for form in token.forms if len(form.stem) > 1}
    theirs = {form.stem for each in others for form in each.forms if len(form.stem) > 1}
    return any(one in other or other in one for one in stems for other in theirs)


def is_said(token: Token, said: Sequence[Token]) -> bool:
    """Whether a word or a value stands among others, whatever bounds the value."""
    if token.value is None:
        return named(token, said)
    values = [each.value for each in said if each.value is not None]
    return any(_alike(token.value, each) or _alike(each, token.value) for each in values)


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
