"""Whether an answer declines to answer: "I don't know", 资料中没有提到, 확인할 수 없습니다.

Only what speaks of knowing, finding, answering or of the material counts: "I'm sorry to hear that" and 환불받을 수
없습니다 (no refund is possible) are no abstentions. Beside a sentence that declines, one that sends somewhere else
("please ask your pharmacist") states nothing either.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import ahocorasick_rs
import msgspec

from turnmark.language.text.clauses import sentence_language
from turnmark.language.text.fold import fold
from turnmark.language.text.segment import segment
from turnmark.packs.loading import parse, shipped
from turnmark.schemas.judging.judgement import Claim

Span = tuple[int, int]

FILE = "rag/abstention.yaml"


class _Ways(msgspec.Struct, frozen=True):
    """One language of ``packs/rag/abstention.yaml``."""

    phrases: str
    inability: str
    telling: str
    source: str
    silence: str
    silent: str
    referral: str


class _Patterns(NamedTuple):
    """How one language declines, and how it sends somewhere else."""

    declines: re.Pattern[str]
    refers: re.Pattern[str]


_GAP = r"[^.!?。！？\n]{0,40}?"
_NEAR = r"[^.!?。！？\n,]{0,12}?"


def _words(text: str) -> list[str]:
    return [word.strip().replace("·", " ") for word in text.split(",") if word.strip()]


def _any(text: str, language: str) -> str:
    results = [_GAP.join(re.escape(part) for part in word.split("…")) for word in _words(text)]
    plain = "|".join(sorted(results, key=lambda word: (-len(word), word)))
    return rf"(?<![a-z])(?:{plain})(?![a-z])" if language == "en" else f"(?:{plain})"


@cache
def _ways() -> dict[str, _Ways]:
    return parse(shipped(FILE), FILE, dict[str, _Ways])


@cache
def _patterns(language: str) -> _Patterns:
    ways = _ways()[language]
    inability, telling = _any(ways.inability, language), _any(ways.telling, language)
    pairs = f"{telling}{_NEAR}{inability}" if language == "ko" else f"{inability}{_NEAR}{telling}"
    source, silence, silent = (_any(text, language) for text in (ways.source, ways.silence, ways.silent))
    if language == "en":
        source = source.replace(")(?![a-z])", ")(?:s|'s)?(?![a-z])")
    said = f"{silent}{_NEAR}{silence}" if language == "ko" else f"{silence}{_NEAR}(?:{silent})"
    ahead, behind = f"{source}{_GAP}{said}", f"{said}{_GAP}{source}"
    declines = [_any(ways.phrases, language), pairs, ahead, *([behind] if language == "en" else [])]
    return _Patterns(re.compile("|".join(declines)), re.compile(_any(ways.referral, language)))


_TURN = re.compile(r"(?<![a-z])but(?![a-z])(?=.{12})|但是?(?=.{6})|不过(?=.{6})|지만(?=.{6})")
"""Behind a word that turns so many more characters state something after all."""


@cache
def _openings() -> ahocorasick_rs.AhoCorasick:
    """Words without one of which nothing declines: a text without any of them needs no closer look."""
    results = {
        word.split("…")[0]
        for ways in _ways().values()
        for text in (ways.phrases, ways.inability, ways.silence)
        for word in _words(text)
    }
    return ahocorasick_rs.AhoCorasick(sorted(results))


def abstaining_sentences(text: str) -> list[Span]:
    """The spans of the sentences that decline to answer, in order; code points of the text.

    With them those that only send the user somewhere else, where any sentence declines.
    """
    folded = fold(text)
    if not _openings().find_matches_as_indexes(folded.text):
        return []
    declining: list[Span] = []
    referring: list[Span] = []
    for sentence in segment(folded).sentences:
        start, end = folded.from_original(sentence.start, sentence.end)
        language = sentence_language(folded.text, start, end)
        if language not in _ways():
            continue
        known = _patterns(language)
        match = known.declines.search(folded.text, start, end)
        if match is not None:
            # "I'm not sure, but it costs 5 dollars" goes on to answer.
            turn = _TURN.search(folded.text, match.end(), end)
            last = sentence.end if turn is None else folded.to_original(start, turn.start())[1]
            declining.append((sentence.start, last))
        elif known.refers.search(folded.text, start, end):
            referring.append((sentence.start, sentence.end))
    return sorted(declining + referring) if declining else []


def without_abstentions(claims: list[Claim], spans: list[Span]) -> list[Claim]:
    """The claims that stand outside sentences that decline to answer: what the answer does say."""
    return [
        claim for claim in claims if not any(start <= claim.start < end >= claim.end - _REST for start, end in spans)
    ]


_REST = 6
"""A claim that goes on for more characters behind the words that decline still states something."""
