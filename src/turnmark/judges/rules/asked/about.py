"""Whether a clause is about what is asked: by its words, by a day or a value that it measures, or by the answer."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules.asked.phrases import NEW, NEW_ZH, SEVERAL, Asked, Phrase, is_said, named
from turnmark.judges.rules.decision import Read
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import read_statement
from turnmark.judges.rules.plain.tokens import Token

_HELD = 0.6
"""Share of the words of a Chinese question, whose words are single ideographs, that a clause holds to be about it."""
LEADING = {"en": 2, "zh": 4, "ko": 2}
"""Words that open a clause and may be what the next ones are about."""


def is_about(  # noqa: PLR0911 - one return a ground
    read: Read,
    asked: Asked,
    answer: Phrase,
    clause: Phrase,
    tokens: Words,
    used: Sequence[Token],
    number: int,
) -> bool:
    """Whether a clause is about what is asked.

    It holds the words of the question; or some, and measures a value or a day of it; or the answer says what it does.
    ``tokens`` are its words with those that lead it, ``used`` those that measure a value of the question.
    """
    kind = asked.kind
    own = clause.topic(kind)
    wanted, there = asked.phrase.persons, clause.persons
    if wanted and there and wanted.isdisjoint(there):
        return False
    if rewords(answer, asked, tokens):
        return True
    if not asked.topic:
        pairs = {each.pair for each in (*asked.phrase.stances.of(kind), *clause.stances.of(kind)) if each.pair}
        return len(pairs) <= 1 and bool(clause.stances.of(kind) or clause.days.days)
    measured = bool(used) or bool(asked.phrase.days.days and clause.days.days)
    if not (measured or wanted & there or any(named(each, own) for each in asked.topic)):
        return False
    known = Words([*tokens, *leading(read, number)])
    lacking = [each for each in asked.topic if not named(each, known)]
    held = len(asked.topic) - len(lacking)
    if not lacking or (clause.language == "zh" and held >= _HELD * len(asked.topic)):
        return True
    if stands(read, lacking) or any(each.key.isdigit() for each in lacking):
        return False
    return _is_enough(asked, answer, own, held, used, measured=measured)


def _is_enough(asked: Asked, answer: Phrase, own: Words, held: int, used: Sequence[Token], *, measured: bool) -> bool:
    """Whether some of the words of a question, with what is measured and what the answer says, tell of a clause."""
    mine = [each for each in answer.topic(asked.kind) if is_said(each, own)]
    if measured:
        says_value = any(each.value is not None for each in mine)
        return 2 * held >= len(asked.topic) or says_value or (not used and bool(mine))
    one_lacks = asked.phrase.language != "zh" and len(asked.topic) - held == 1
    return one_lacks and (held >= SEVERAL or (held > 0 and bool(mine)))


def shares(asked: Phrase, clause: Phrase) -> bool:
    """Whether a question and a clause are of the same matter: pay and payment share their beginning."""
    if asked.language == "zh":
        return any(asked.text[at : at + 2] in clause.text for at in range(len(asked.text) - 1))
    if asked.language == "en":
        beginnings = {each.key[:3] for each in clause.tokens if each.key[:3].isalpha()}
        return any(each.key[:3] in beginnings for each in asked.tokens)
    return any(named(each, clause.tokens) for each in asked.tokens)


def leading(read: Read, number: int) -> Sequence[Token]:
    """The words that open the sentences before one in its text: what these are about."""
    place = read.material.place(number)
    results: list[Token] = []
    for at in range(number - 1, -1, -1):
        if read.material.place(at) != place:
            break
        sentence = read.material.sentences[at]
        results += read_statement(read.material.readings[place], sentence).telling[: LEADING.get(sentence.language, 2)]
    return results


def stands(read: Read, tokens: Sequence[Token]) -> bool:
    """Whether one of some words stands anywhere in the material."""
    return any(
        named(each, read_statement(read.material.readings[read.material.place(number)], sentence).telling)
        for number, sentence in enumerate(read.material.sentences)
        for each in tokens
    )


def rewords(answer: Phrase, asked: Asked, tokens: Words) -> bool:
    """Whether an answer says what a clause does, in its words but for one of several."""
    mine = answer.topic(asked.kind)
    new = [each for each in mine if not is_said(each, tokens)]
    several = SEVERAL * (2 if answer.language == "zh" else 1)
    spare = (NEW_ZH if answer.language == "zh" else NEW) if len(mine) - len(new) >= several else 0
    return bool(mine) and len(new) <= spare and all(each.value is None for each in new)
