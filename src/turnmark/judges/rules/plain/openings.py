"""An answer that opens with a yes or a no and goes on: what stands behind it is a statement of its own.

"No, payment is by card only" is right where its statement is and the no goes with it; "Yes, by card only" is not.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from turnmark.judges.rules.decision import PARAPHRASE, Decision, Read
from turnmark.judges.rules.plain.matching import Words
from turnmark.judges.rules.plain.only import rules_out, says_only
from turnmark.judges.rules.plain.statements import Statement, asked_words, pattern, read_statement
from turnmark.judges.rules.plain.tokens import Token
from turnmark.judges.rules.reading import Reading


class Opening(NamedTuple):
    """1 for a yes, -1 for a no, and the words behind it."""

    polarity: int
    rest: str


_APART = " ,，、.。;；!！\n"
_ECHO = re.compile(
    r"^(?P<no>不|没有?|未)?(?:会|用|需要?|能|可以?|得)?(?P<verb>[\u3400-\u9fff]{0,2}?)(?:得了|不了)?[的了过呢啊哦]?[,，。]"
)
"""A Chinese yes or no that repeats the verb of the question: 收费吗？不收，…"""
_REGRET = re.compile(
    r"^(?:(?:unfortunately|sorry|sadly|regrettably|i'm afraid|i am afraid|afraid|better|best)\b[, ]*"
    r"(?P<not>not\b(?! [a-z]))?"
    r"|(?:很遗憾|遗憾的是|很抱歉|抱歉|不好意思|对不起|恐怕|暂时|目前)[,，]?\s*"
    r"|(?:죄송하지만|죄송합니다만|죄송해요|아쉽지만|아쉽게도|안타깝지만|안타깝게도)[, ]*)"
)
_FOUR = re.compile("네 (?:시간|개|명|번|살|배|가지|달|식구|마리|장|권|분|사람|곳|대|잔|병)")
_HELD = 0.6
"""Share of the words of a question that a statement holds for a yes to go with it."""
_FREE = re.compile(r"\bfree\b|\bwaived\b|免|무료|면제|공짜")


def read_opening(claim: Reading, question: Reading) -> Opening | None:
    """The yes or no that opens a text and parts from what follows; None where there is none, or nothing follows."""
    regret = _REGRET.match(claim.compact)
    if regret is not None and claim.folded.same_length:
        rest = claim.text[regret.end() :]
        if regret["not"]:
            return _opening(-1, rest)
        return read_opening(Reading(rest), question) if rest.strip() else None
    text = claim.text
    if _FOUR.match(claim.compact):
        return None
    value = next((each for each in claim.passage.values if each.kind == "truth"), None)
    if value is not None and not text[: value.start].strip() and text[value.end : value.end + 1] in _marks(claim):
        return _opening(1 if value.low > 0 else -1, text[value.end :])
    echo = _ECHO.match(text) if claim.language == "zh" else None
    if echo is None or not echo.group().strip(_APART) or echo["verb"] not in question.compact:
        return None
    return _opening(-1 if echo["no"] or "不了" in echo.group() else 1, text[echo.end() :])


def echoes(claim: Reading, question: Reading) -> int:
    """1 or -1 for a Chinese text that is but a verb of the question, or its denial: 算。 不收。 0 for any other."""
    found = _ECHO.match(f"{claim.compact.strip(_APART)},") if claim.language == "zh" else None
    if found is None or found.end() <= len(claim.compact.strip(_APART)):
        return 0
    verb = found["verb"]
    if not found.group().strip(_APART) or verb not in question.compact or (not verb and not found["no"]):
        return 0
    return -1 if found["no"] or "不了" in found.group() else 1


def _opening(polarity: int, behind: str) -> Opening | None:
    rest = behind.lstrip(_APART + "-–—")
    return Opening(polarity, rest) if any(each.isalpha() for each in rest) else None


def _marks(claim: Reading) -> str:
    return _APART if claim.language == "ko" else _APART[1:]


def with_opening(rest: Read, told: Decision, opening: Opening) -> Decision | None:
    """What is said of a text whose statement ``rest`` was ``told`` about; None where that was not decided."""
    if told.label == "contradicted":
        return told
    if told.label != "supported" or rest.question is None:
        return None
    asked = asked_words(rest.question.compact)
    if not asked or pattern("denied", rest.question.language).search(rest.question.compact):
        return Decision("not_decided", PARAPHRASE)
    number = _number(rest, told)
    claim = read_statement(rest.claim, rest.claim.sentences[0])
    source = read_statement(rest.material.readings[rest.material.place(number)], rest.material.sentences[number])
    said = Words([*source.telling, *claim.telling])
    lacking = [each for each in asked if not said.hold(each)]
    if rules_out(rest.question.compact, claim.folded, claim.language):
        goes: bool | None = opening.polarity < 0
    else:
        goes = _goes_with(opening.polarity, claim, asked, lacking, free=_is_free(rest))
    if goes is None:
        return Decision("not_decided", PARAPHRASE)
    return told if goes else Decision("contradicted", "yes ≠ no", told.place)


def unless_supported(read: Read, told: Decision) -> Decision:
    """A decision on a whole text whose statement could not be told by itself: it is supported word for word alone."""
    if told.label == "supported" and not read.measured.values["verbatim"]:
        return Decision("not_decided", PARAPHRASE)
    return told


def _number(read: Read, told: Decision) -> int:
    """The number of the sentence that decided."""
    if told.place is None:
        return read.measured.closest[0]
    text, start, _ = told.place
    numbers = range(len(read.material.sentences))
    return next(
        (at for at in numbers if read.material.place(at) == text and start < read.material.sentences[at].end),
        read.measured.closest[0],
    )


def _goes_with(
    polarity: int, claim: Statement, asked: tuple[Token, ...], lacking: list[Token], *, free: bool
) -> bool | None:
    """Whether a yes or a no goes with the statement behind it, which is right by itself; None where nothing tells."""
    language = claim.language
    denied = pattern("denied", language).search(claim.folded) is not None
    only = says_only(claim.folded, language)
    if polarity < 0:
        return True if denied or free or (only and lacking) else None
    if denied:
        return None if lacking else False
    return True if len(lacking) <= (1 - _HELD) * len(asked) and not (only and lacking) else None


def _is_free(read: Read) -> bool:
    """Whether a statement says that something is free, of whose price was asked."""
    asked = read.question.compact if read.question is not None else ""
    return _FREE.search(read.claim.compact) is not None and _FREE.search(asked) is None
