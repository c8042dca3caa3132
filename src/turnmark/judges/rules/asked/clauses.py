"""The clauses about what is asked, and on which side each stands.

A value or a day beyond the limits of a clause that says yes makes of it a no; a clause that holds for less than what is
asked, or on a condition, tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from turnmark.judges.rules.asked.about import LEADING, is_about, shares
from turnmark.judges.rules.asked.bounds import is_limit, measures_alike, place_values
from turnmark.judges.rules.asked.phrases import SEVERAL, Asked, Phrase, is_money, is_said, named, read_phrase
from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.only import rules_out
from turnmark.judges.rules.plain.scope import LISTED
from turnmark.judges.rules.plain.statements import mode, pattern, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.values import Value
from turnmark.language.values.opposition.stances import HOLDS

_LIMITED = {HOLDS: 1, "need": 1, "cost": -1}
"""The side of a class that turns beyond the limits of a clause: free up to two hours, and for a fee from then on."""


class Found(NamedTuple):
    """On which side a clause stands.

    Attributes:
        side: 1 where it says so, -1 where it denies it, 0 where it may.
        number: The sentence.
        tokens: All words of the sentence, as far as the clause.
        beyond: Whether what is asked lies beyond its limits.
        held: How many words of the question it holds.
        limited: Whether it says how much or how long, which neither question nor answer does.

    """

    side: int
    number: int
    phrase: Phrase
    tokens: Words
    beyond: bool = False
    held: int = 0
    limited: bool = False


def clauses(read: Read, asked: Asked, answer: Phrase) -> Iterator[Found]:
    """The clauses about what is asked that answer it."""
    for number, sentence in enumerate(read.material.sentences):
        if sentence.language != asked.phrase.language or sentence.text.rstrip().endswith(("?", "？")):
            continue
        parts: list[Phrase] = []
        for part in read_statement(read.material.readings[read.material.place(number)], sentence).parts:
            phrase = read_phrase(part.words, sentence.language)
            if parts and (_only_adds(phrase, asked.kind) or _goes_on(parts[-1], sentence.folded, part.words)):
                phrase = read_phrase(f"{parts.pop().text}, {part.words}", sentence.language)
            parts.append(phrase)
        for at in range(len(parts)):
            found = _found(read, asked, answer, parts[: at + 1], number)
            if found is not None:
                yield found


def _goes_on(before: Phrase, sentence: str, words: str) -> bool:
    """Whether a clause is but the first of several subjects or members: Food and drinks are prohibited."""
    if before.language == "ko":
        parted = f"{before.text},{words}" in sentence or f"{before.text}, {words}" in sentence
        return (
            parted
            and not before.days.days
            and _KOREAN_VERB.search(before.text.rstrip()) is None
            and all(each.value is None for each in before.tokens)
        )
    joined = before.language == "en" and f"{before.text} and {words}" in sentence
    return (
        joined
        and len(before.tokens) <= SEVERAL
        and not before.stances.found
        and _ENGLISH_VERB.search(before.text) is None
    )


_KOREAN_VERB = re.compile("(?:고|며|면|서|지만|는데|으나|나|니|다|요|까|죠)$")
_ENGLISH_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|can|may|must|will|shall|should|has|have|had|do|does|did|cannot)\b"
)


def _only_adds(clause: Phrase, kind: str) -> bool:
    """Whether a clause gives but values to what the one before it says: at most three months."""
    topic = clause.topic(kind)
    if kind == "cost" and any(map(is_money, topic)):
        return False
    return (
        bool(topic)
        and all(each.value is not None for each in topic)
        and not (clause.days.days or clause.stances.of(kind))
    )


def _found(  # noqa: PLR0911 - one return a ground
    read: Read, asked: Asked, answer: Phrase, before: Sequence[Phrase], number: int
) -> Found | None:
    """What the last of some clauses of a sentence says of what is asked; None where it is not about that."""
    clause, kind = before[-1], asked.kind
    own = clause.topic(kind)
    if kind == HOLDS and rules_out(asked.phrase.text, clause.text, clause.language) and shares(asked.phrase, clause):
        return Found(-1, number, clause, _with_leads(before, kind), beyond=True, held=len(asked.topic))
    speaking = _speaking(before, own, kind)
    side = _side(asked, clause, speaking, own)
    if not side or _only_hours(clause, kind):
        return None
    values = [each for each in asked.phrase.topic(kind) if each.value is not None and not _is_article(each.value)]
    may = bool(values) and mode(clause.text, clause.language) == "may"
    placed = place_values(values, own, asked.phrase.text, clause.text, may=may)
    tokens = _with_leads(before, kind)
    if not is_about(read, asked, answer, clause, tokens, placed.used, number):
        return None
    given = Words(chain.from_iterable([each.topic(kind) for each in before]))
    if not all(_is_measured(each, placed.used, given) for each in values):
        return None
    told = Found(-1, number, clause, tokens, held=sum([named(each, tokens) for each in asked.topic]))
    days, wanted = clause.days.days, asked.phrase.days.days
    apart = bool(days) and bool(wanted) and not wanted & days
    if placed.side < 0 or apart:
        return told._replace(side=-side, beyond=True) if side == _LIMITED.get(kind, 0) else None
    if placed.side == 0 or (days and not wanted <= days):
        return None
    narrow: Sequence[Token] = [] if placed.used else _narrowing(asked, answer, clause, speaking, own, side)
    limited = bool(narrow) and side == _LIMITED.get(kind) and _are_extents(asked, speaking, narrow)
    narrow = [] if limited else narrow
    bound = not placed.used and _is_conditional(before, answer, kind)
    every = frozenset(range(7))
    unasked = bool(days) and not (wanted or days <= answer.days.days or days >= every)
    if narrow or unasked or bound or _is_of_others(asked, answer, clause) or _is_taken_back(read, clause, number):
        covers = bool(wanted) and bool(days) and (not asked.topic or any(named(each, own) for each in asked.topic))
        return told._replace(side=0) if covers else None
    return told._replace(side=side, limited=limited)


def _with_leads(before: Sequence[Phrase], kind: str) -> Words:
    """The words of the last of some clauses, and what leads those before it, unless it has a topic of its own."""
    own = before[-1].topic(kind)
    if len(before) == 1 or "topic" in own.roles:
        return own
    leads = [each.topic(kind)[: LEADING[each.language]] for each in before[:-1]]
    return Words(chain(own, chain.from_iterable(leads)))


def _is_of_others(asked: Asked, answer: Phrase, clause: Phrase) -> bool:
    """Whether a clause is of persons of whom neither question nor answer is: members, students."""
    own = clause.persons - word_list("anyone", clause.language)
    return not own <= asked.phrase.persons | answer.persons


def _are_extents(asked: Asked, speaking: Phrase, narrow: Sequence[Token]) -> bool:
    """Whether words of a clause are but values that say how much or how long."""
    is_open = any(each.pair == "open_closed" for each in speaking.stances.of(asked.kind))
    kinds = _EXTENTS | {"time"} if is_open or not asked.topic else _EXTENTS
    return all(each.value is not None and each.value.kind in kinds for each in narrow)


def _speaking(before: Sequence[Phrase], own: Sequence[Token], kind: str) -> Phrase:
    """The clause that holds the predicate: one that gives but values goes on with that of an earlier one."""
    if any(each.value is None for each in own):
        return before[-1]
    return next((each for each in reversed(before) if each.stances.of(kind)), before[-1])


def _side(asked: Asked, clause: Phrase, speaking: Phrase, own: Sequence[Token]) -> int:
    """The side that a clause takes of what is asked, before its limits are looked at; 0 for none."""
    kind = asked.kind
    if kind == "rise" and clause.stances.sign("change") < 0:
        return -asked.side
    if kind == "cost" and not clause.stances.of(kind) and any(map(is_money, own)):
        return 1
    if asked.phrase.stances.of(kind) and not speaking.stances.of(kind):
        return 0
    if speaking is clause:
        return clause.stances.sign(kind)
    return speaking.stances.sign(kind) * clause.stances.parity(kind)


def _is_conditional(before: Sequence[Phrase], answer: Phrase, kind: str) -> bool:
    """Whether a condition binds the last of some clauses that the answer does not name."""
    conditions = pattern("conditions", answer.language)
    leads = " ".join([ONLY.sub(" ", each.text) for each in before[:-1]])
    own = _COUNTED_ONLY.sub(" ", before[-1].without_stances(kind))
    text = _REPORTED.sub(" ", f"{leads} {own}")
    return conditions.search(f"{text} ") is not None and conditions.search(f"{answer.text} ") is None


def _is_taken_back(read: Read, clause: Phrase, number: int) -> bool:
    """Whether what stands behind a clause takes something out of it."""
    behind = read.material.sentences[number].folded.partition(clause.text.strip())[2]
    return _TAKES_BACK.search(behind) is not None or is_taken_back(read, number)


def _is_article(value: Value) -> bool:
    """Whether a value is but a word for one thing of many: one block, 一个孩子."""
    return (
        value.low == value.high == 1
        and not value.comparator
        and value.kind in ("number", "quantity")
        and value.unit in ("", "item")
    )


def _is_measured(asked: Token, used: Sequence[Token], own: Words) -> bool:
    """Whether a clause limits the value of a question, or gives it."""
    limits = [each.value for each in used if each.value is not None]
    return is_said(asked, own) or (
        asked.value is not None and any(measures_alike(asked.value, each) for each in limits)
    )


def _narrowing(
    asked: Asked, answer: Phrase, clause: Phrase, speaking: Phrase, own: Sequence[Token], side: int
) -> list[Token]:
    """The words of a clause by which it may hold for less than what is asked, that the answer does not say either."""
    kind, language = asked.kind, clause.language
    said = Words([*asked.phrase.topic(kind), *answer.topic(kind)])
    acts = word_list("acts", language)
    wide = [match.span() for match in pattern("widens", language).finditer(clause.text)]
    narrow = [
        each
        for each in own
        if not is_said(each, said)
        and not any(start <= each.start < end for start, end in wide)
        and not _is_listed(each, own, clause.text)
        and not (each.key in acts or any(form.stem in acts for form in each.forms))
    ]
    if language == "zh" and "、" in clause.text:
        narrow = [each for each in narrow if not _is_member(each, said, own, clause.text)]
    if kind == "cost":
        more = clause.topic(HOLDS)
        last = max([each.end for each in clause.stances.of(kind)], default=len(clause.text))
        priced = [each for each in narrow if not is_money(each) or is_limit(each, clause.text)]
        narrow = [each for each in priced if each in more and (each.start < last or each.value is not None)]
    if kind in ("change", "rise"):
        becomes = {"by", "from"}
        narrow = [
            each for each in narrow if each.value is None and not any(form.role in becomes for form in each.forms)
        ]
        narrow = [each for each in narrow if each.start < max([one.end for one in clause.stances.of(kind)], default=0)]
        return narrow if len(narrow) > 1 else []
    if not asked.topic and own and narrow[:1] == [own[0]]:
        narrow = narrow[1:]  # what the house is called
    limits = any(is_limit(each, clause.text) for each in narrow)
    if side > 0 and kind != "cost" and not limits and _are_extents(asked, speaking, narrow):
        return []
    if language == "zh" and len(narrow) < 2:
        return [each for each in narrow if each.value is not None]
    return narrow


def _is_listed(token: Token, others: Sequence[Token], text: str) -> bool:
    """Whether a word stands in a list, whose members hold one by one."""
    before = max([each.end for each in others if each.end <= token.start], default=0)
    behind = min([each.start for each in others if each.start >= token.end], default=len(text))
    return any(LISTED.match(words) is not None for words in (text[before : token.start], text[token.end : behind]))


def _is_member(token: Token, said: Words, own: Sequence[Token], text: str) -> bool:
    """Whether a Chinese word stands in a list of which a member is said, or calls what kind of things these are."""
    start = text.rfind("、", 0, token.start) + 1
    end = text.find("、", token.start)
    if not start and end < 0:
        return False
    if "等" in text:
        return True
    return not any(start <= each.start and (end < 0 or each.end <= end) and is_said(each, said) for each in own)


_EXTENTS = frozenset(("quantity", "duration", "number"))
ONLY = re.compile(r"\bonly\b|\bwithout\b|[只仅]|에 한하여|없이|(?<=[가-힣])만(?=[ 은을이])")
_TAKES_BACK = re.compile(
    r"^\W*(?:unless|except|if|provided|only if|otherwise|否则|除非|[^,.;，。；]{0,8}(?:除外|例外)"
    r"|그렇지 않|[^,.;]{0,10}(?:제외|예외))"
)
_REPORTED = re.compile("다고 *(?=$|밝|전했|전하|발표|말했|설명|알렸)")
_COUNTED_ONLY = re.compile("(?<=[0-9])[가-힣]{1,2}에 한하여")


def _only_hours(clause: Phrase, kind: str) -> bool:
    """Whether a clause says at what hour something closes, and not that it is closed."""
    closing = any(each.pair == "open_closed" and each.side < 0 for each in clause.stances.of(kind))
    return closing and any(each.value is not None and each.value.kind == "time" for each in clause.tokens)
