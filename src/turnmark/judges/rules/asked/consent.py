"""What a source makes something wait for: no subletting without the landlord's consent, only with it, it is required.

All of these deny twice or not at all, and so does an answer that says what is needed: No, you need the consent; Only
with it; Yes, if you have it. Whether it opens with a yes or a no tells nothing. One that denies once does without.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnmark.judges.rules.asked.phrases import Phrase, is_said, named, read_phrase
from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.directness import asks_for
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.statements import Part, read_statement
from turnmark.judges.rules.plain.tokens import Token
from turnmark.language.later import later
from turnmark.language.values.opposition.stances import HOLDS, read_stances

_MOST = 60
"""Sentences of material among which the one that makes something wait is looked for, at most."""
_AFTER = {
    "en": later(r"\b(?:without|unless|only (?:with|if|after)|subject to|requires?|needs?|must (?:have|get|obtain))\b"),
    "zh": later("未经过?|未征得|未取得|未获得?|没有|除非|[须需](?:要|经过?|征得|取得|获得?|由)"),
}
"""What stands before the thing that is waited for."""
_BEFORE_KO = later("(?<=[가-힣]) ?(?:없이|없으면|[을를] ?(?:받|얻|구하)[지아어]?야|[이가] ?(?:있어야|필요))")
"""What stands behind it in Korean."""
_UNLESS = later(r"\bunless\b|除非")
_REACH_KO = 3
"""Words of a Korean clause that say what is waited for, at most."""
_NAMED = {"zh": 2}
"""Words of what is waited for, and of what waits, that tell of it; an ideograph is half of one."""


class _Waiting(NamedTuple):
    """A clause that makes something wait, or says that it does not (``needs``), and the words of what is waited for."""

    number: int
    text: str
    tokens: Words
    things: Words
    needs: bool


def on_condition(read: Read, opening: int, rest: str) -> Decision | None:
    """What is said of an answer that names what a source makes something wait for; None for any other answer.

    ``opening`` is 1 for a yes, -1 for a no, 0 for neither, and ``rest`` what stands behind it.
    """
    question = read.question
    if question is None or asks_for(question) != "yes_no" or len(read.material.sentences) > _MOST:
        return None
    language = question.language
    asked, answer = read_phrase(question.compact.strip(" ?？"), language), read_phrase(rest, language)
    mine = _topic(answer)
    if any(each.value is not None for each in mine):
        return None
    least = _NAMED.get(language, 1)
    for each in _waiting(read, language):
        waits = Words([one for one in each.tokens if one not in each.things])
        if sum([named(one, waits) for one in (*_topic(asked), *mine)]) < least:
            continue
        names_it = [one for one in mine if named(one, each.things)]
        told = Words((*each.tokens, *asked.tokens))
        new = [one for one in mine if not is_said(one, told)]
        if len(new) >= least:
            continue
        needs = _needs(asked, answer, each, opening, says=len(names_it) >= least)
        if needs is None:
            continue
        sentence = read.material.sentences[each.number]
        place = (read.material.place(each.number), sentence.start, sentence.end)
        if needs == each.needs:
            return Decision("supported", "the clause about what is asked", place)
        return Decision("contradicted", f"negated: {each.text.strip()}", place)
    return None


def _needs(asked: Phrase, answer: Phrase, told: _Waiting, opening: int, *, says: bool) -> bool | None:
    """Whether an answer says that the thing is needed; None where it says nothing of it."""
    if says:
        return _turns(answer.text, answer.language) % 2 == 0
    least = _NAMED.get(asked.language, 1)
    about = sum([named(one, told.things) for one in _topic(asked)]) >= least
    if not about or not opening or not _turns(asked.text, asked.language) % 2 or answer.text.strip():
        return None
    return opening < 0


def _waiting(read: Read, language: str) -> Iterator[_Waiting]:
    """The clauses of a source that make something wait, or say that it does not."""
    for number, sentence in enumerate(read.material.sentences):
        if sentence.language != language or sentence.text.rstrip().endswith(("?", "？")):
            continue
        parts = read_statement(read.material.readings[read.material.place(number)], sentence).parts
        for at, part in enumerate(parts):
            things = _things(part, language)
            if not things:
                continue
            text, tokens = part.words, Words(part.tokens)
            if _turns(text, language) == 1 and len(parts) > at + 1:
                text, tokens = f"{text}, {parts[at + 1].words}", Words((*tokens, *parts[at + 1].tokens))
            yield _Waiting(number, text, tokens, things, needs=_turns(text, language) % 2 == 0)


def _things(part: Part, language: str) -> Words:
    """The words of a clause that say what is waited for."""
    start = part.sentence.folded.find(part.words)
    if language == "ko":
        found = _BEFORE_KO.search(part.words)
        last = -1 if found is None else start + found.start() + 1
        return Words([each for each in part.tokens if each.end <= last][-_REACH_KO:])
    found = _AFTER[language].search(part.words) if language in _AFTER else None
    return Words(() if found is None else [each for each in part.tokens if each.start >= start + found.end()])


def _topic(phrase: Phrase) -> list[Token]:
    """The words of a phrase that say neither that something is so nor that it is needed."""
    return [each for each in phrase.topic("need") if each in phrase.topic(HOLDS)]


def _turns(text: str, language: str) -> int:
    """How often a folded text denies: by words that deny, forbid or make an exception."""
    stances = read_stances(text, language)
    forbids = [
        each
        for each in stances.of(HOLDS)
        if each.side < 0 and not any(start < each.end and each.start < end for start, end in stances.denials)
    ]
    return len(stances.denials) + len(forbids) + len(_UNLESS.findall(text))
