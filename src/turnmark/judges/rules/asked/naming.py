"""Whether a short answer without a value names what its question asks for: a list, a thing, a person, a place."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules.asked.cells import MOST
from turnmark.judges.rules.asked.wanted import Wanted, is_former, read_wanted, tells_change, without_measures
from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import Words, match_all
from turnmark.judges.rules.plain.scope import leaves_out
from turnmark.judges.rules.plain.statements import Statement, asked_words, pattern, read_statement, word_list
from turnmark.judges.rules.plain.tokens import Token, is_ideograph

_UNITS = 20
"""Units of a short answer, at most."""
_SHORT = 10
"""Telling words of a short answer that its question does not hold, at most; of Chinese twice as many."""
_ABOUT = 0.6
"""Share of a question's words that must stand in the clauses that hold the answer, or open their sentence."""


def by_name(read: Read) -> Decision | None:  # noqa: PLR0911 - one return a ground
    """Supported or contradicted by the words beside those of a short answer; None where nothing tells."""
    if read.question is None or len(read.claim.sentences) != 1 or len(read.claim.units) > _UNITS:
        return None
    if len(read.material.sentences) > MOST:
        return None
    wanted = read_wanted(read.question)
    told = _telling_words(read, wanted)
    if not 0 < len(told) <= _SHORT * (2 if read.claim.language == "zh" else 1):
        return None
    sought = _Sought(told, wanted)
    for number, sentence in enumerate(read.material.sentences):
        statement = read_statement(read.material.readings[read.material.place(number)], sentence)
        span = _stretch(told, statement) if sought.may_stand_in(statement) else None
        if span is None:
            continue
        place = (read.material.place(number), sentence.start, sentence.end)
        text = " ".join(each.key for each in span)
        if is_former(statement.folded, span[0].start, span[-1].end):
            now = wanted.now and not wanted.old and wanted.kind in ("person", "place", "open")
            if now and _stands_once(read, told):
                return Decision("contradicted", f"it was {text} before", place)
            return None
        if _is_about(wanted, statement, span) and not _is_bound(
            read, statement, span, number, asked_words(read.question.compact)
        ):
            return Decision("supported", "stands in the clause that the question asks for", place)
    return None


class _Sought:
    """What is looked for in sentences: the words of an answer, and those of its question about it."""

    def __init__(self, told: Sequence[Token], wanted: Wanted) -> None:
        self._letters = frozenset([each.key for each in told if is_ideograph(each.key)])
        self._words = [each.known_by() for each in told if not is_ideograph(each.key)]
        self._topic = [each.known_by() for each in wanted.topic]

    def may_stand_in(self, statement: Statement) -> bool:
        """Whether a sentence may hold the answer, and most words of the question or what something was before."""
        if not self._letters.issubset(statement.folded) or any(map(statement.keys.isdisjoint, self._words)):
            return False
        held = len(self._topic) - sum(map(statement.keys.isdisjoint, self._topic))
        return held >= max(1, _ABOUT * len(self._topic)) or tells_change(statement.folded)


def _telling_words(read: Read, wanted: Wanted) -> Sequence[Token]:
    """What a short answer without a value says beside the words of its question; nothing of any other answer."""
    if wanted.kind in ("none", "yes_no", "reason") or any(own.signals.negations for own in read.claim.sentences):
        return ()
    said = read_statement(read.claim, read.claim.sentences[0]).telling
    return () if said.values else [each for each in said if not _is_said(each, wanted.topic, read.claim.language)]


def _stands_once(read: Read, told: Sequence[Token]) -> bool:
    """Whether all of some words stand in one sentence of the material, and in no other one."""
    sentences = [_telling(read, number) for number in range(len(read.material.sentences))]
    return sum([all(sentence.hold(each) for each in told) for sentence in sentences]) == 1


def is_astray(read: Read) -> bool:
    """Whether a short answer stands in a sentence that holds no word of its question."""
    if read.question is None or len(read.claim.sentences) != 1:
        return False
    wanted = read_wanted(read.question)
    told = [each for each in read_statement(read.claim, read.claim.sentences[0]).telling if not each.light]
    if (
        wanted.kind in ("none", "yes_no")
        or not wanted.topic
        or len(told) > _BRIEF * (2 if read.claim.language == "zh" else 1)
    ):
        return False
    there = Words([*_telling(read, read.measured.closest[0]), *told])
    return not any(there.hold(each) for each in (*wanted.topic, *wanted.naming))


_BRIEF = 3
"""Telling words of an answer that says nothing by itself, at most; of Chinese twice as many."""


def _is_said(token: Token, topic: Words, language: str) -> bool:
    return token.key in word_list("openers", language) or topic.hold(token) or not without_measures(token.key).strip()


def _telling(read: Read, number: int) -> Words:
    return read_statement(read.material.readings[read.material.place(number)], read.material.sentences[number]).telling


def _stretch(told: Sequence[Token], statement: Statement) -> Sequence[Token] | None:
    """The tokens of a sentence that are those of an answer, side by side; a list may be parted by its marks."""
    used = match_all(told, statement.telling, statement.language)
    if used is None:
        return None
    places = [place for place, held in enumerate(used) if held]
    if places[-1] - places[0] != len(places) - 1:
        return None
    return statement.telling[places[0] : places[-1] + 1]


def _is_about(wanted: Wanted, statement: Statement, span: Sequence[Token]) -> bool:
    """Whether the clauses that hold an answer, with what opens the sentence, hold the words of the question."""
    first, last = span[0].clause, span[-1].clause
    if not wanted.topic:
        return False
    here = Words([each for each in statement.telling if each not in span and first <= each.clause <= last])
    held = sum([here.hold(each) for each in wanted.topic])
    return held >= _ABOUT * len(wanted.topic)


def _is_bound(read: Read, statement: Statement, span: Sequence[Token], number: int, asked: Sequence[Token]) -> bool:
    """Whether the clauses that hold an answer deny it or bind it to a condition."""
    first, last = statement.clauses[span[0].clause], statement.clauses[span[-1].clause]
    text = f"{statement.folded[first[0] : last[1]]} "
    language = statement.language
    said = (*span, *asked)
    if any(leaves_out(part, said) for part in statement.parts if span[0].clause <= part.clause <= span[-1].clause):
        return True
    found = any(pattern(kind, language).search(text) for kind in ("limits", "denied", "conditions"))
    return found or is_taken_back(read, number)
