"""Whether an answer declines to answer: "I don't know", 资料中没有提到, 확인할 수 없습니다.

Only phrases that speak of knowing, finding, answering or of the material count: "I'm sorry to hear that" and
환불받을 수 없습니다 (no refund is possible) are no abstentions.
"""

from __future__ import annotations

import re
from functools import cache

import ahocorasick_rs

from turnmark.language.text.fold import fold
from turnmark.language.text.segment import segment
from turnmark.packs.loading import parse, shipped
from turnmark.schemas.judging.judgement import Claim

Span = tuple[int, int]


@cache
def _openings() -> ahocorasick_rs.AhoCorasick:
    """The first words of all phrases: a text without any of them needs no closer look."""
    found = parse(shipped("rag/abstention.yaml"), "rag/abstention.yaml", dict[str, str])
    return ahocorasick_rs.AhoCorasick(
        sorted({phrase.strip().split("…")[0] for text in found.values() for phrase in text.split(",")})
    )


_GAP = r"[^.!?。！？\n]{0,40}?"


@cache
def _pattern() -> re.Pattern[str]:
    found = []
    for language, text in parse(shipped("rag/abstention.yaml"), "rag/abstention.yaml", dict[str, str]).items():
        for phrase in text.split(","):
            plain = _GAP.join(re.escape(part) for part in phrase.strip().split("…"))
            found.append(rf"(?<![a-z]){plain}(?![a-z])" if language == "en" else plain)
    return re.compile("|".join(found))


def abstaining_sentences(text: str) -> list[Span]:
    """The spans of the sentences that decline to answer, in order; code points of the text."""
    folded = fold(text)
    if not _openings().find_matches_as_indexes(folded.text) or not _pattern().search(folded.text):
        return []
    found = []
    for sentence in segment(folded).sentences:
        start, end = folded.from_original(sentence.start, sentence.end)
        if _pattern().search(folded.text, start, end):
            found.append((sentence.start, sentence.end))
    return found


def without_abstentions(claims: list[Claim], spans: list[Span]) -> list[Claim]:
    """The claims that stand outside sentences that decline to answer: what the answer does say."""
    return [claim for claim in claims if not any(start <= claim.start < end for start, end in spans)]
