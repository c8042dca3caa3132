"""Whether what a question asks is so: the clause about the same thing, and on which side it stands.

Question, clause and answer are read alike: the class of what is said (it holds, it costs, one must, it changed, another
may do it) with its side, the words of which it is said, and the days and values for which. A clause answers where it
is of the same words, and where what binds it is decided by what question and answer say. A value or a day beyond the
limits of a clause that says yes makes of it a no.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.plain.bounds import measures_alike, place_values
from turnmark.judges.rules.plain.comparisons import COMPARES
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import names
from turnmark.judges.rules.plain.only import rules_out
from turnmark.judges.rules.plain.scope import LISTED
from turnmark.judges.rules.plain.statements import (
    Token,
    denies,
    mode,
    pattern,
    plain_words,
    read_statement,
    word_list,
)
from turnmark.judges.rules.reading import Reading
from turnmark.language.values import Value, compare_values
from turnmark.language.values.measures import dimension
from turnmark.language.values.stances import HOLDS, Stances, read_stances
from turnmark.language.values.weekdays import Days, read_days

_MOST = 60
"""Sentences of material among which the clause is looked for, at most."""
_HELD = 0.6
"""Share of the words of a Chinese question, whose words are single ideographs, that a clause holds to be about it."""
_SEVERAL = 2
"""Words that tell of a thing without doubt, at least; of Chinese twice as many."""
_NEW, _NEW_ZH = 1, 2
"""Words of an answer that may stand nowhere: the predicate in another word."""
_BEGINNING = 4
"""Letters of an English word that opens another one of the same meaning: regist, registration."""
_LEADING = {"en": 2, "zh": 4, "ko": 2}
"""Words that open a clause and may be what the next ones are about."""
_LIMITED = {HOLDS: 1, "need": 1, "cost": -1}
"""The side of a class that turns beyond the limits of a clause: free up to two hours, and for a fee from then on."""
_MEANT = "the clause about what is asked"


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


class Found(NamedTuple):
    """On which side a clause stands.

    Attributes:
        side: 1 where it says so, -1 where it denies it, 0 where it may.
        number: The sentence.
        tokens: All words of the sentence, as far as the clause.
        beyond: Whether what is asked lies beyond its limits.
        held: How many words of the question it holds.

    """

    side: int
    number: int
    phrase: Phrase
    tokens: Sequence[Token]
    beyond: bool = False
    held: int = 0


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
    return Phrase(text, language, tuple(tokens), read_stances(text, language), read_days(text, reading.passage.values))


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
    if not all(phrase.stances.parity(each) == 1 for each in phrase.stances.kinds()) or language not in plain_words().light or COMPARES.search(question.compact):
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


def whether(read: Read, opening: int, rest: str) -> Decision | None:
    """What a clause about the same thing says of a yes (1) or a no (-1) with what stands behind it.

    ``opening`` is 0 for a text that opens with neither. None where no clause tells.
    """
    asked = read_asked(read.question) if read.question is not None else None
    if asked is None or len(read.material.sentences) > _MOST:
        return None
    answer = read_phrase(rest, asked.phrase.language)
    said = _side_of(answer, asked)
    if not opening and _is_bound(answer, asked.kind):
        return None
    if opening and said and said != opening * asked.side:
        return None
    side = opening * asked.side or said
    clauses = list(_clauses(read, asked, answer))
    if not side:
        return _stated(read, asked, answer, clauses)
    found = [each for each in clauses if not each.beyond] or clauses
    found = [each for each in found if each.held == max([one.held for one in found])]
    if {each.side for each in found} not in ({1}, {-1}):
        return _instead(read, asked, answer) if opening < 0 and not found else None
    told = next((each for each in found if _restates(answer, each, asked)), found[0])
    if told.side != side and (not told.held and asked.topic or _is_bound(answer, asked.kind)):
        return None
    if told.side != side:
        return Decision("contradicted", f"yes ≠ no: {told.phrase.text.strip()}", _place(read, told.number))
    if _restates(answer, told, asked):
        return Decision("supported", _MEANT, _place(read, told.number))
    return Decision("not_decided", PARAPHRASE)


def _is_bound(answer: Phrase, kind: str) -> bool:
    """Whether an answer makes a condition."""
    return pattern("conditions", answer.language).search(f"{answer.without_stances(kind)} ") is not None


def _stated(read: Read, asked: Asked, answer: Phrase, clauses: Sequence[Found]) -> Decision | None:
    """Supported where a text that takes no side says what a clause about what is asked does, in its words."""
    for each in clauses:
        side = -each.side if each.beyond else each.side
        said = [one for one in answer.topic(asked.kind) if _is_said(one, each.tokens)]
        tells = len(said) >= _SEVERAL or any(one.value is not None for one in said)
        if side == answer.stances.parity(asked.kind) and tells and _restates(answer, each, asked):
            return Decision("supported", _MEANT, _place(read, each.number))
    return None


def _instead(read: Read, asked: Asked, answer: Phrase) -> Decision | None:
    """Supported where a no goes on with what a clause says of the same thing instead: First come? No, by lot."""
    mine = answer.topic(HOLDS)
    if asked.kind != HOLDS or asked.phrase.stances.of(HOLDS) or answer.stances.of(HOLDS) or answer.stances.denials:
        return None
    for number, sentence in enumerate(read.material.sentences):
        for part in read_statement(read.material.readings[read.material.place(number)], sentence).parts:
            clause = read_phrase(part.words, sentence.language)
            own = clause.topic(HOLDS)
            held = [each for each in asked.topic if _named(each, own)]
            told = Found(1, number, clause, own, beyond=True)
            several = _SEVERAL * (2 if clause.language == "zh" else 1)
            if (
                0 < len(held) < len(asked.topic)
                and len(mine) >= several
                and clause.stances.sign(HOLDS) > 0
                and _rewords(answer, asked, own)
                and _restates(answer, told, asked)
            ):
                return Decision("supported", _MEANT, _place(read, number))
    return None


def _side_of(answer: Phrase, asked: Asked) -> int:
    """The side that an answer takes by itself; 0 where it takes none."""
    kind = asked.kind
    topic = answer.topic(kind)
    shares = not topic or any(_named(each, asked.topic) for each in topic)
    if answer.stances.of(kind) or (kind == HOLDS and answer.stances.denials and shares):
        return answer.stances.sign(kind)
    restates = all(_named(each, asked.topic) for each in topic) and (topic or mode(answer.text, answer.language) == "may")
    whole = asked.topic and all(_named(each, topic) for each in asked.topic)
    return answer.stances.parity(kind) if kind == HOLDS and (restates or whole) else 0


def _clauses(read: Read, asked: Asked, answer: Phrase) -> Iterator[Found]:
    """The clauses about what is asked that answer it."""
    for number, sentence in enumerate(read.material.sentences):
        if sentence.language != asked.phrase.language or sentence.text.rstrip().endswith(("?", "？")):
            continue
        clauses: list[Phrase] = []
        for part in read_statement(read.material.readings[read.material.place(number)], sentence).parts:
            phrase = read_phrase(part.words, sentence.language)
            if clauses and (_only_adds(phrase, asked.kind) or _goes_on(clauses[-1], sentence.folded, part.words)):
                phrase = read_phrase(f"{clauses.pop().text}, {part.words}", sentence.language)
            clauses.append(phrase)
        for at in range(len(clauses)):
            found = _found(read, asked, answer, clauses[: at + 1], number)
            if found is not None:
                yield found


def _goes_on(before: Phrase, sentence: str, words: str) -> bool:
    """Whether a clause is but the first of several subjects or members: Food and drinks are prohibited."""
    if before.language == "ko":
        parted = f"{before.text},{words}" in sentence or f"{before.text}, {words}" in sentence
        return parted and not before.days.days and _KOREAN_VERB.search(before.text.rstrip()) is None and all(each.value is None for each in before.tokens)
    joined = before.language == "en" and f"{before.text} and {words}" in sentence
    return joined and len(before.tokens) <= _SEVERAL and not before.stances.found and _ENGLISH_VERB.search(before.text) is None


_KOREAN_VERB = re.compile("(?:고|며|면|서|지만|는데|으나|나|니|다|요|까|죠)$")
_ENGLISH_VERB = re.compile(r"\b(?:is|are|was|were|be|been|can|may|must|will|shall|should|has|have|had|do|does|did|cannot)\b")


def _only_adds(clause: Phrase, kind: str) -> bool:
    """Whether a clause gives but values to what the one before it says: at most three months."""
    topic = clause.topic(kind)
    if kind == "cost" and any(map(_is_money, topic)):
        return False
    return bool(topic) and all(each.value is not None for each in topic) and not (clause.days.days or clause.stances.of(kind))


def _found(read: Read, asked: Asked, answer: Phrase, before: Sequence[Phrase], number: int) -> Found | None:
    clause = before[-1]
    language, kind = clause.language, asked.kind
    own = clause.topic(kind)
    tokens = list(own)
    if not any(form.role == "topic" for each in own for form in each.forms if form.stem):
        tokens += chain.from_iterable(each.topic(kind)[: _LEADING[language]] for each in before[:-1])
    carried = all(each.value is not None for each in own)
    speaking = next((each for each in reversed(before) if each.stances.of(kind)), clause) if carried else clause
    side = clause.stances.sign(kind) if speaking is clause else speaking.stances.sign(kind) * clause.stances.parity(kind)
    if kind == HOLDS and rules_out(asked.phrase.text, clause.text, language) and _shares(asked, own):
        return Found(-1, number, clause, tokens, beyond=True, held=len(asked.topic))
    if kind == "cost" and not clause.stances.of(kind) and any(map(_is_money, own)):
        side = 1
    elif asked.phrase.stances.of(kind) and not speaking.stances.of(kind):
        side = 0
    if kind == "rise" and clause.stances.sign("change") < 0:
        side = -asked.side
    if not side or _only_hours(clause, kind):
        return None
    days, wanted = clause.days.days, asked.phrase.days.days
    values = [each for each in asked.phrase.topic(kind) if each.value is not None and not _is_article(each.value)]
    placed = place_values(values, own, asked.phrase.text, clause.text, may=mode(clause.text, language) == "may")
    if not _is_about(read, asked, answer, clause, tokens, placed.used, number):
        return None
    held = sum([_named(each, tokens) for each in asked.topic])
    beyond = placed.side < 0 or (bool(days) and bool(wanted) and not wanted & days)
    if placed.side == 0 or (days and wanted and not (wanted <= days or not wanted & days)):
        return None
    given = [*chain.from_iterable(each.topic(kind) for each in before)]
    if not all(_is_measured(each, placed.used, given) for each in values):
        return None
    if beyond:
        return Found(-side, number, clause, tokens, beyond=True, held=held) if side == _LIMITED.get(kind, 0) else None
    covers = bool(days & wanted) and (not asked.topic or any(_named(each, own) for each in asked.topic))
    unasked = days and not wanted and not days <= answer.days.days and not days >= frozenset(range(7))
    narrow = _narrowing(asked, answer, clause, speaking, [each for each in own if each not in placed.used], side)
    conditions = pattern("conditions", language)
    leads = " ".join([_ONLY.sub(" ", each.text) for each in before[:-1]])
    text = _REPORTED.sub(" ", f"{leads} {_COUNTED_ONLY.sub(' ', clause.without_stances(kind))}") + " "
    bound = conditions.search(text) is not None and not placed.used and conditions.search(f"{answer.text} ") is None
    bound = bound or _TAKES_BACK.search(read.material.sentences[number].folded.partition(clause.text.strip())[2]) is not None
    if (narrow and not placed.used) or unasked or bound or is_taken_back(read, number):
        return Found(0, number, clause, tokens, held=held) if covers else None
    return Found(side, number, clause, tokens, held=held)


def _is_about(
    read: Read,
    asked: Asked,
    answer: Phrase,
    clause: Phrase,
    tokens: Sequence[Token],
    used: Sequence[Token],
    number: int,
) -> bool:
    """Whether a clause is about what is asked.

    It holds the words of the question; or some, and measures a value or a day of it; or the answer says what it does.
    """
    kind = asked.kind
    own = clause.topic(kind)
    wanted, persons = _persons(asked.phrase), _persons(clause)
    if wanted and persons and wanted.isdisjoint(persons):
        return False
    leading = _leading(read, number)
    lacking = [each for each in asked.topic if not _named(each, [*tokens, *leading])]
    held = len(asked.topic) - len(lacking)
    if _rewords(answer, asked, tokens):
        return True
    if not asked.topic:
        pairs = {each.pair for each in (*asked.phrase.stances.of(kind), *clause.stances.of(kind)) if each.pair}
        return len(pairs) < 2 and bool(clause.stances.of(kind) or clause.days.days)  # noqa: PLR2004 - both sides of one
    mine = answer.topic(kind)
    days = bool(asked.phrase.days.days and clause.days.days)
    if not any(_named(each, own) for each in asked.topic) and not (used or days or wanted & persons):
        return False
    if not lacking or (clause.language == "zh" and held >= _HELD * len(asked.topic)):
        return True
    if _stands(read, lacking) or any(each.key.isdigit() for each in lacking):
        return False
    bridged = any(_is_said(each, own) for each in mine)
    if used or days:
        says_value = any(each.value is not None and _is_said(each, own) for each in mine)
        return 2 * held >= len(asked.topic) or says_value or (days and bridged)
    return clause.language != "zh" and len(lacking) == 1 and (held >= _SEVERAL or (held > 0 and bridged))


def _shares(asked: Asked, own: Sequence[Token]) -> bool:
    """Whether a question and a clause are of the same matter: pay and payment share their beginning."""
    beginnings = {each.key[:3] for each in own if each.key[:3].isalpha()}
    if asked.phrase.language == "en":
        return any(each.key[:3] in beginnings for each in asked.topic)
    return any(_named(each, own) for each in asked.topic)


def _persons(phrase: Phrase) -> set[str]:
    """The kinds of persons that a phrase names."""
    words = word_list("persons", phrase.language)
    return {each for each in words if re.search(rf"(?<![a-z]){each}" if each.isascii() else each, phrase.text)}


def _is_article(value: Value) -> bool:
    """Whether a value is but a word for one thing of many: one block, 一个孩子."""
    return value.low == value.high == 1 and not value.comparator and value.kind in ("number", "quantity") and value.unit in ("", "item")


def _is_measured(asked: Token, used: Sequence[Token], own: Sequence[Token]) -> bool:
    """Whether a clause limits the value of a question, or gives it."""
    limits = [each.value for each in used if each.value is not None]
    return _is_said(asked, own) or (asked.value is not None and any(measures_alike(asked.value, each) for each in limits))


def _narrowing(
    asked: Asked, answer: Phrase, clause: Phrase, speaking: Phrase, own: Sequence[Token], side: int
) -> list[Token]:
    """The words of a clause by which it may hold for less than what is asked, that the answer does not say either."""
    kind, language = asked.kind, clause.language
    said = [*asked.phrase.topic(kind), *answer.topic(kind)]
    acts = word_list("acts", language)
    narrow = [
        each
        for each in own
        if not _is_said(each, said)
        and not _is_listed(each, own, clause.text)
        and not (each.key in acts or any(form.stem in acts for form in each.forms))
    ]
    if language == "zh" and "、" in clause.text:
        narrow = [each for each in narrow if not _is_member(each, said, own, clause.text)]
    if kind == "cost":
        more = clause.topic(HOLDS)
        last = max([each.end for each in clause.stances.of(kind)], default=len(clause.text))
        narrow = [each for each in narrow if each in more and not _is_money(each) and each.start < last]
    if kind in ("change", "rise"):
        becomes = {"by", "from"}
        narrow = [each for each in narrow if each.value is None and not any(form.role in becomes for form in each.forms)]
        narrow = [each for each in narrow if each.start < max([one.end for one in clause.stances.of(kind)], default=0)]
        return narrow if len(narrow) > 1 else []
    if not asked.topic and own and narrow[:1] == [own[0]]:
        narrow = narrow[1:]  # what the house is called
    is_open = any(each.pair == "open_closed" for each in speaking.stances.of(kind))
    extents = _EXTENTS | {"time"} if is_open or not asked.topic else _EXTENTS
    if side > 0 and all(each.value is not None and each.value.kind in extents for each in narrow):
        return []
    if language == "zh" and len(narrow) < 2:
        return [each for each in narrow if each.value is not None]
    return narrow


def _is_listed(token: Token, others: Sequence[Token], text: str) -> bool:
    """Whether a word stands in a list, whose members hold one by one."""
    before = max([each.end for each in others if each.end <= token.start], default=0)
    behind = min([each.start for each in others if each.start >= token.end], default=len(text))
    return any(LISTED.match(words) is not None for words in (text[before : token.start], text[token.end : behind]))


def _is_member(token: Token, said: Sequence[Token], own: Sequence[Token], text: str) -> bool:
    """Whether a Chinese word stands in a list of which a member is said, or calls what kind of things these are."""
    start = text.rfind("、", 0, token.start) + 1
    end = text.find("、", token.start)
    if not start and end < 0:
        return False
    if "等" in text:
        return True
    return not any(start <= each.start and (end < 0 or each.end <= end) and _is_said(each, said) for each in own)


_EXTENTS = frozenset(("quantity", "duration", "number"))
_ONLY = re.compile(r"\bonly\b|\bwithout\b|[只仅]|에 한하여|없이|(?<=[가-힣])만(?=[ 은을이])")
_TAKES_BACK = re.compile(
    r"^\W*(?:unless|except|if|provided|only if|otherwise|否则|除非|[^,.;，。；]{0,8}(?:除外|例外)|그렇지 않|[^,.;]{0,10}(?:제외|예외))"
)
_REPORTED = re.compile("다고 *(?=$|밝|전했|전하|발표|말했|설명|알렸)")
_COUNTED_ONLY = re.compile("(?<=[0-9])[가-힣]{1,2}에 한하여")


def _only_hours(clause: Phrase, kind: str) -> bool:
    """Whether a clause says at what hour something closes, and not that it is closed."""
    closing = any(each.pair == "open_closed" and each.side < 0 for each in clause.stances.of(kind))
    return closing and any(each.value is not None and each.value.kind == "time" for each in clause.tokens)


def _leading(read: Read, number: int) -> Sequence[Token]:
    """The words that open the sentences before one in its text: what these are about."""
    place = read.material.place(number)
    results: list[Token] = []
    for at in range(number - 1, -1, -1):
        if read.material.place(at) != place:
            break
        sentence = read.material.sentences[at]
        results += read_statement(read.material.readings[place], sentence).telling[: _LEADING[sentence.language]]
    return results


def _stands(read: Read, tokens: Sequence[Token]) -> bool:
    """Whether one of some words stands anywhere in the material."""
    return any(
        _named(each, read_statement(read.material.readings[read.material.place(number)], sentence).telling)
        for number, sentence in enumerate(read.material.sentences)
        for each in tokens
    )


def _named(token: Token, others: Sequence[Token]) -> bool:
    """Whether a word stands among others; a Korean one as a part of another one too: 제주, 제주도."""
    if names(token, others):
        return True
    if token.value is None and len(token.key) >= _BEGINNING and token.key.isascii():
        return any(each.key.startswith(token.key) or (len(each.key) >= _BEGINNING and token.key.startswith(each.key)) for each in others)
    stems = {form.stem for form in token.forms if len(form.stem) > 1}
    theirs = {form.stem for each in others for form in each.forms if len(form.stem) > 1}
    return any(one in other or other in one for one in stems for other in theirs)


def _is_said(token: Token, said: Sequence[Token]) -> bool:
    if token.value is None:
        return _named(token, said)
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


def _is_money(token: Token) -> bool:
    return token.value is not None and token.value.low > 0 and dimension(token.value.unit) == "currency"


def _rewords(answer: Phrase, asked: Asked, tokens: Sequence[Token]) -> bool:
    """Whether an answer says what a clause does, in its words but for one of several."""
    mine = answer.topic(asked.kind)
    new = [each for each in mine if not _is_said(each, tokens)]
    several = _SEVERAL * (2 if answer.language == "zh" else 1)
    spare = (_NEW_ZH if answer.language == "zh" else _NEW) if len(mine) - len(new) >= several else 0
    return bool(mine) and len(new) <= spare and all(each.value is None for each in new)


def _restates(answer: Phrase, told: Found, asked: Asked) -> bool:
    """Whether all that an answer says stands in the clause or in the question, but for the predicate."""
    known = [*told.tokens, *asked.phrase.tokens]
    new = [each for each in answer.topic(asked.kind) if not _is_said(each, known)]
    if any(each.value is not None for each in new):
        return False
    if not answer.days.days <= told.phrase.days.days | asked.phrase.days.days:
        return False
    conditions = pattern("conditions", answer.language)
    mine, theirs = answer.without_stances(asked.kind), told.phrase.text
    if told.side < 0:
        mine = _ONLY.sub(" ", mine)
    if not told.beyond and conditions.search(f"{mine} ") and not conditions.search(f"{theirs} "):
        return False
    return len(new) <= (_NEW_ZH if answer.language == "zh" else _NEW)


def _place(read: Read, number: int) -> tuple[int, int, int]:
    sentence = read.material.sentences[number]
    return read.material.place(number), sentence.start, sentence.end
