"""A sentence as the words and values that say something, in order: what two statements are laid side by side by.

English words are stems, Chinese ones single ideographs, Korean ones every form that a word may have without its
particle or ending, with the role that the particle gives it. A value is one token, whatever it is written in.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby, zip_longest
from operator import attrgetter
from typing import NamedTuple

import msgspec

from turnmark.judges.rules import words
from turnmark.judges.rules.directness import focus_units, without_question_words
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.tokens import Form, Token, is_ideograph
from turnmark.judges.rules.reading import Reading, Sentence
from turnmark.language.computed import computed
from turnmark.language.values import Value
from turnmark.packs.loading import parse, shipped

_JOINTS = re.compile(
    r"[;；。!?\n]|\s/\s|:(?![0-9])|(?<![0-9]),|,(?![0-9])|\s(?:while|whereas|but|and|although|though|except|unless)\s"
    r"|(?<=고)\s|(?<=며)\s|(?<=지만)\s|(?<=는데)\s|(?<=으나)\s|(?<=[가-힣]하나)\s"
)
"""Where a sentence goes on to something else."""
_WORD = re.compile(
    r"[a-z\u00c0-\u024f]+(?:'[a-z]{1,2})?|[0-9]+(?:[.,:][0-9]+)*|[\u3400-\u9fff]|[\uac00-\ud7a3]+|[%$€¥£+]"
)


class PlainWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``packs/rag/plain.yaml``: what may be left out of a statement, and what may not, by language."""

    light: dict[str, str]
    may: dict[str, str]
    must: dict[str, str]
    limits: dict[str, str]
    denied: dict[str, str]
    conditions: dict[str, str]
    goes_on: dict[str, str]
    back: dict[str, str]
    exceptions: dict[str, str]
    rest: dict[str, str]
    selves: dict[str, str]
    persons: dict[str, str]
    anyone: dict[str, str]
    acts: dict[str, str]
    openers: dict[str, str]
    since: dict[str, str]
    when: dict[str, str]
    widens: dict[str, str]
    together: dict[str, str]
    roles: dict[str, str]
    endings: str
    channels: dict[str, str]
    payments: dict[str, str]


@cache
def plain_words() -> PlainWords:
    """The shipped lists."""
    return parse(shipped("rag/plain.yaml"), "rag/plain.yaml", PlainWords)


@cache
def pattern(kind: str, language: str) -> re.Pattern[str]:
    """One of the patterns of the lists; one that never matches in a language without it."""
    text = getattr(plain_words(), kind).get(language, "(?!)")
    return re.compile(re.sub(r"\s*\n\s*|(?<=\w) (?=\|)", "", text))


@cache
def word_list(kind: str, language: str) -> frozenset[str]:
    """One of the lists of words."""
    return frozenset(getattr(plain_words(), kind).get(language, "").split())


_LONGEST = 1000
"""A longer sentence is no plain statement: it is not taken apart."""


class Statement:
    """A sentence taken apart: its values, its clauses and its tokens, each when first asked for."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.folded, self.language = sentence.folded, sentence.language

    @computed
    def _values(self) -> list[tuple[int, int, Value]]:
        """The values with their places; none in a sentence that is too long."""
        return [] if len(self.folded) > _LONGEST else list(_values(self.sentence))

    @computed
    def _gaps(self) -> list[tuple[int, int]]:
        """The stretches before, between and behind the values, where words stand."""
        if len(self.folded) > _LONGEST:
            return []
        starts = [start for start, _, _ in self._values]
        ends = [end for _, end, _ in self._values]
        return list(zip([0, *ends], [*starts, len(self.folded)], strict=True))

    @computed
    def clauses(self) -> list[tuple[int, int]]:
        """The folded stretches that coordination and commas part."""
        return [(0, len(self.folded))] if len(self.folded) > _LONGEST else _clauses(self.folded, self._values)

    @computed
    def keys(self) -> frozenset[str]:
        """What any word of the sentence may be known by, whatever it says."""
        words = [_WORD.findall(self.folded, first, last) for first, last in self._gaps]
        return frozenset(chain.from_iterable(map(_keys, chain.from_iterable(words))))

    @computed
    def tokens(self) -> list[Token]:
        """All words and values; what stands before the first clause belongs to it."""
        starts = [start for start, _ in self.clauses]
        results: list[Token] = []
        for (first, last), value in zip_longest(self._gaps, self._values):
            results += _words(self.sentence, first, last, starts)
            if value is not None:
                results.append(_of_value(self.sentence, value, starts))
        return results

    @computed
    def telling(self) -> Words:
        """The tokens that say something; what only says that one may or must is told apart, by `mode`."""
        modal = [
            match.span()
            for kind in ("may", "must", "selves")
            for match in pattern(kind, self.language).finditer(self.folded)
        ]
        if not modal:
            return Words([each for each in self.tokens if not each.light])
        results: list[Token] = []
        after_modal = False
        for each in self.tokens:
            is_modal = each.value is None and _is_within(each, modal) and not denies(each, self.language)
            if not (each.light or is_modal or (after_modal and each.key == "to")):
                results.append(each)
            after_modal = is_modal
        return Words(results)

    @computed
    def parts(self) -> list[Part]:
        """The clauses that hold a telling token."""
        grouped = groupby(self.telling, key=attrgetter("clause"))
        return [
            Part(self.sentence, clause, self.folded[slice(*self.clauses[clause])], Words(tokens))
            for clause, tokens in grouped
        ]


class Part(NamedTuple):
    """One clause of a sentence: its folded words and its telling tokens."""

    sentence: Sentence
    clause: int
    words: str
    tokens: Words


def read_statement(reading: Reading, sentence: Sentence) -> Statement:
    """One sentence of a text, taken apart once for all rules and claims that ask for it."""
    try:
        return reading.statements[sentence.start]
    except KeyError:
        result = reading.statements[sentence.start] = Statement(sentence)
        return result


_DENYING = {
    "en": frozenset(("not", "no", "never", "nor", "neither")),
    "zh": frozenset("不没无未非"),
    "ko": frozenset(("없", "않", "안", "못", "못하", "아니", "말")),
}


def denies(token: Token, language: str) -> bool:
    """Whether a token denies what it stands with; 수 없습니다 is more than a modal word."""
    known = _DENYING.get(language, frozenset())
    return token.key in known or any(form.stem in known for form in token.forms)


def _is_within(each: Token, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a token belongs to a modal word; a Korean verb in which one begins says more: 제출해야 합니다."""
    for start, end in spans:
        if start <= each.start < end if each.forms else start < each.end and each.start < end:
            return True
    return False


def mode(text: str, language: str) -> str:
    """What a folded text says that one may ("may") or must do ("must"); "" where it only says so."""
    if pattern("must", language).search(text):
        return "must"
    return "may" if pattern("may", language).search(text) else ""


def _values(sentence: Sentence) -> Iterator[tuple[int, int, Value]]:
    """The values of a sentence with their places in it; words that only turn a statement are words."""
    whole = sentence.whole
    plain = whole.same_length
    offset = sentence.start if plain else whole.from_original(sentence.start, sentence.end)[0]
    last = 0
    for value in sentence.values:
        if value.kind in ("polarity", "truth"):
            continue
        first, end = (value.start, value.end) if plain else whole.from_original(value.start, value.end)
        if value.name and value.kind == "quantity":
            first, end = _with_period(whole.text, first, end)
        if first - offset >= last:
            yield first - offset, end - offset, value
            last = end - offset


def _with_period(text: str, first: int, end: int) -> tuple[int, int]:
    """The place of an amount with the words behind or before it that say what it is per: 88元一个月, 한 달에 3만 원."""
    behind = _PERIOD_BEHIND.match(text, end)
    before = _PERIOD_BEFORE.search(text, max(0, first - 8), first)
    return before.start() if before else first, behind.end() if behind else end


_PERIOD_BEHIND = re.compile("一个?[月年天周晚]")
_PERIOD_BEFORE = re.compile("(?<![가-힣])(?:한 ?달|1개월|1년|일 년|하루|일주일)에 $")


def _clauses(text: str, values: Sequence[tuple[int, int, Value]]) -> list[tuple[int, int]]:
    """The stretches between joints; a joint within a value parts nothing."""
    results, position = [], 0
    for match in _JOINTS.finditer(text):
        first, behind = match.span()
        if any(start < behind and first < end for start, end, _ in values) or _joins_bounds(text, first):
            continue
        if first > position:
            results.append((position, first))
        position = behind
    if position < len(text):
        results.append((position, len(text)))
    return results or [(0, len(text))]


def _joins_bounds(text: str, at: int) -> bool:
    """Whether a joint at a place stands between both bounds of one range: over 30 days and up to 60 days."""
    return _UPPER_BOUND.match(text, at) is not None and _LOWER_BOUND.search(text, max(0, at - 40), at) is not None


_UPPER_BOUND = re.compile(
    r"\s(?:and|but)\s(?:up to|at most|under|below|(?:no |not )?(?:less|more|fewer) than)\s[^a-z]?[0-9]"
)
_LOWER_BOUND = re.compile(r"\b(?:over|above|from|at least|more than)\s[^a-z]?[0-9][0-9.,]*(?:\s[a-z]+)?$")


def _of_value(sentence: Sentence, placed: tuple[int, int, Value], starts: Sequence[int]) -> Token:
    start, end, value = placed
    clause = bisect_right(starts, start, 1) - 1
    return Token(f"#{value.kind}{value.text}", start, end, clause, value, _roles_behind(sentence, end))


def _words(sentence: Sentence, first: int, last: int, starts: Sequence[int]) -> Iterator[Token]:
    """The words of a stretch; one that does not open the sentence follows a value."""
    text, language = sentence.folded, sentence.language
    light, several = word_list("light", language), len(starts) > 1
    for match in _WORD.finditer(text, first, last):
        start, end = match.span()
        word, clause = text[start:end], bisect_right(starts, start, 1) - 1 if several else 0
        if "\uac00" <= word[0] <= "\ud7a3":
            before = text[start - 1 : start]
            if ((first and start == first) or (before.isascii() and before.isalnum())) and _is_ending(word):
                continue  # what hangs on a value or a name: its particle, or the copula
            yield Token(word, start, end, clause, None, _forms(word), _is_light(word, language))
        elif word[0] >= "\u3400":
            yield Token(word, start, end, clause, None, (), word in light)
        else:
            roles = _roles_behind(sentence, end)
            for key in _english(word):
                yield Token(key, start, end, clause, None, roles, key in light and language == "en")


@lru_cache(maxsize=1 << 14)
def _is_light(word: str, language: str) -> bool:
    """Whether a Korean word is one that may be left out, whatever particle or ending it has."""
    return not word_list("light", language).isdisjoint([form.stem for form in _forms(word)])


@lru_cache(maxsize=1 << 14)
def _keys(word: str) -> tuple[str, ...]:
    """What a word is known by: itself and each stem of a Korean one, the stem of an English one."""
    if "\uac00" <= word[0] <= "\ud7a3":
        return tuple([form.stem for form in _forms(word)])
    return (word,) if is_ideograph(word) else _english(word)


def _english(word: str) -> tuple[str, ...]:
    if word.endswith("n't") or word == "cannot":
        return words.stem(word if word != "cannot" else "can"), "not"
    if word in word_list("light", "en"):
        return (word,)
    return (_ABBREVIATION.sub("", words.stem(word)),)


_ABBREVIATION = re.compile("(?<=[^aeiouys]{3})s$")
"""What makes many of one abbreviation: DVDs."""


_PARTICLES_OF_VALUES = re.compile(
    "(?:씩|간|동안|이내|안|쯤|정도)?(?:에서|에게|한테|부터|까지|으로|마다|보다|이랑|께서|이|가|은|는|을|를|의|에|로|도|만|과|와|씩|당|께|랑)*"
    "(?:이고|이며|이지만|인데|입니다|이다|이에요|예요|이면|여야|고|며)?$"
)


@lru_cache(maxsize=1 << 12)
def _is_ending(word: str) -> bool:
    return _PARTICLES_OF_VALUES.match(word) is not None


def _roles_behind(sentence: Sentence, end: int) -> tuple[Form, ...]:
    if sentence.language != "ko":
        return ()
    roles = _roles()
    for size in _SIZES:
        found = roles.get(sentence.folded[end : end + size])
        if found is not None:
            return found
    return _NO_ROLE


_SIZES = range(4, 0, -1)
"""Letters of a particle behind a value or a name, the longest first."""
_NO_ROLE = (Form("", ""),)


@cache
def _roles() -> dict[str, tuple[Form, ...]]:
    """The role that each particle gives."""
    return {particle: (Form("", role),) for particle, role in reversed(_particles())}


@cache
def _particles() -> tuple[tuple[str, str], ...]:
    found = [(particle, role) for role, text in plain_words().roles.items() for particle in text.split()]
    return tuple(sorted(found, key=lambda each: (-len(each[0]), each[0])))


@cache
def _verb_endings() -> tuple[str, ...]:
    endings = [unicodedata.normalize("NFD", each) for each in plain_words().endings.split()]
    return tuple(sorted(dict.fromkeys(endings), key=lambda each: (-len(each), each)))


@lru_cache(maxsize=1 << 14)
def _forms(word: str) -> tuple[Form, ...]:
    """A Korean word as it stands, without each particle that it may end in, and as a verb without its ending."""
    results = [Form(word, "")]
    results += [
        Form(word[: -len(particle)], role)
        for particle, role in _particles()
        if len(word) > len(particle) and word.endswith(particle)
    ]
    verb = _verb(word)
    results.append(Form(verb, "verb"))
    # A noun with its light verb is told by the noun: 환불되, 환불하.
    results += [Form(verb[:-1], "verb") for light in "하되" if len(verb) > 1 and verb.endswith(light)]
    return tuple(dict.fromkeys(results))


_PAST = re.compile("(?:\u110b[\u1161\u1165])?\u11bb$")
"""What makes a past of a Korean verb: 되었, 했, 갔."""
_HONOURS = re.compile(unicodedata.normalize("NFD", "(?<=하|되|으)시$"))
"""What honours who acts: 이용하실 says what 이용할 does."""
_CONTRACTED = ((unicodedata.normalize("NFD", "해"), "하"), (unicodedata.normalize("NFD", "돼"), "되"))


def _verb(word: str) -> str:
    """A Korean verb without its ending: 엽니다 and 열고 are one; without any, the word."""
    letters = unicodedata.normalize("NFD", word)
    for ending in _verb_endings():
        if letters.endswith(ending) and len(letters) - len(ending) > 1:
            letters = _HONOURS.sub("", letters[: -len(ending)])
            break
    letters = _PAST.sub("", letters)
    for contracted, plain in _CONTRACTED:
        if letters.endswith(contracted):
            letters = letters[: -len(contracted)] + unicodedata.normalize("NFD", plain)
    return unicodedata.normalize("NFC", letters.removesuffix("\u11af"))


@lru_cache(maxsize=256)
def asked_words(question: str) -> Words:
    """The words of a folded question that say what it is about."""
    reading = Reading(without_question_words(question).strip(" ?？"))
    telling = read_statement(reading, reading.sentences[0]).telling
    return Words([each for each in telling if each.value is not None or each.key not in focus_units()])
