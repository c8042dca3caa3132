"""Whether a short answer without a value names what its question asks for: a list, a thing, a person, a place."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.judges.rules.asked.cells import MOST
from turnmark.judges.rules.asked.wanted import Wanted, is_former, read_wanted, without_measures
from turnmark.judges.rules.decision import Decision, Read
from turnmark.judges.rules.plain.limits import is_taken_back
from turnmark.judges.rules.plain.matching import match_all, names
from turnmark.judges.rules.plain.scope import leaves_out
from turnmark.judges.rules.plain.statements import Statement, Token, asked_words, pattern, read_statement, word_list

_UNITS = 20
"""Units of a short answer, at most."""
_SHORT = 10
"""Telling words of a short answer that its question does not hold, at most; of Chinese twice as many."""
_ABOUT = 0.6
"""Share of a question's words that must stand in the clauses that hold the answer, or open their sentence."""


def by_name(read: Read) -> Decision | None:  # noqa: PLR0911 - one return a ground
    """Supported or contradicted by the words beside those of a short answer; None where nothing tells."""
    if read.question is None or len(read.claim.sentences) != 1 or len(read.material.sentences) > MOST:
        return None
    if len(read.claim.units) > _UNITS:
        return None
    wanted = read_wanted(read.question)
    if wanted.kind in ("none", "yes_no", "reason") or any(own.signals.negations for own in read.claim.sentences):
        return None
    told = [
        each
        for each in read_statement(read.claim, read.claim.sentences[0]).telling
        if not _is_said(each, wanted, read.claim.language)
    ]
    if not told or len(told) > _SHORT * (2 if read.claim.language == "zh" else 1) or any(each.value for each in told):
        return None
    for number, sentence in enumerate(read.material.sentences):
        statement = read_statement(read.material.readings[read.material.place(number)], sentence)
        span = _stretch(told, statement)
        if span is None:
            continue
        place = (read.material.place(number), sentence.start, sentence.end)
        text = " ".join(each.key for each in span)
        if is_former(statement.folded, span[0].start, span[-1].end):
            alone = (
                sum(
                    [
                        all(names(each, _telling(read, at)) for each in told)
                        for at in range(len(read.material.sentences))
                    ]
                )
                == 1
            )
            if wanted.now and not wanted.old and alone and wanted.kind in ("person", "place", "open"):
                return Decision("contradicted", f"it was {text} before", place)
            return None
        if _is_about(wanted, statement, span) and not _is_bound(
            read, statement, span, number, asked_words(read.question.compact)
        ):
            return Decision("supported", "stands in the clause that the question asks for", place)
    return None


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
    there = [*_telling(read, read.measured.closest[0]), *told]
    return not any(names(each, there) for each in (*wanted.topic, *wanted.naming))


_BRIEF = 3
"""Telling words of an answer that says nothing by itself, at most; of Chinese twice as many."""


def _is_said(token: Token, wanted: Wanted, language: str) -> bool:
    return (
        token.key in word_list("openers", language)
        or names(token, wanted.topic)
        or not without_measures(token.key).strip()
    )


def _telling(read: Read, number: int) -> Sequence[Token]:
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
    here = [each for each in statement.telling if each not in span and first <= each.clause <= last]
    if not wanted.topic:
        return False
    held = sum([names(each, here) for each in wanted.topic])
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
