"""Korean sentence endings: statements to questions, formal and polite."""

from __future__ import annotations

import re

_FIRST, _FINALS = 0xAC00, 28
_NIEUN, _RIEUL, _BIEUP, _SSANG_SIOT = 4, 8, 17, 20
_COPULA = re.compile(r"(?:입니다|이다)$")
_FORMAL = re.compile(r"니다$")
_COMMAND = re.compile(r"(?:십시오|세요|바랍니다|합니다|(?:해야|하여야|아야|어야) 한다)$")
_ADJECTIVES = (
    *("높", "낮", "많", "적", "길", "짧", "넓", "좁", "좋", "크", "작"),
    *("다르", "빠르", "느리", "같", "무겁", "가볍", "어렵", "쉽"),
)


def _final(syllable: str) -> int:
    return (ord(syllable) - _FIRST) % _FINALS if "가" <= syllable <= "힣" else -1


def _with_final(syllable: str, final: int) -> str:
    return chr(ord(syllable) - _final(syllable) + final)


def formal_question(statement: str) -> str | None:
    """The statement as a formal question without its mark (합니다, 한다 → 합니까); None when its ending is another."""
    text = statement.rstrip(". ")
    if _FORMAL.search(text):
        return text[:-1] + "까"
    if not text.endswith("다") or len(text) < 2:
        return None
    return text[:-2] + "입니까" if text.endswith("이다") else _of_stem(text[:-1])


def _of_stem(stem: str) -> str | None:
    """The question of a plain statement without its 다: 한 → 합니까, 먹는 → 먹습니까, 높 → 높습니까, 했 → 했습니까."""
    last = stem[-1]
    final = _final(last)
    if last == "는":
        return stem[:-1] + "습니까"
    if final == _NIEUN:
        return stem[:-1] + _with_final(last, _BIEUP) + "니까"
    adjective = stem.endswith(_ADJECTIVES)
    if final == _SSANG_SIOT or last in "있없" or (adjective and final > 0):
        return stem + "습니까"
    if final == 0:
        # An adjective that ends in a vowel, or a noun with the copula without 이.
        return stem[:-1] + _with_final(last, _BIEUP) + "니까" if adjective else stem + "입니까"
    return None


def polite_question(formal: str) -> str:
    """A formal question as it is asked in speech: 합니까 → 하나요, 입니까 → 인가요."""
    if formal.endswith("입니까"):
        return formal[:-3] + "인가요"
    if formal.endswith("습니까"):
        stem = formal[:-3]
        return stem + ("은가요" if stem.endswith(_ADJECTIVES) else "나요")
    if formal.endswith("니까") and _final(formal[-3]) == _BIEUP:
        bare = _with_final(formal[-3], 0)
        return formal[:-3] + (_with_final(bare, _NIEUN) + "가요" if bare in "크르" else bare + "나요")
    return formal


def is_command(text: str) -> bool:
    """Whether a sentence says what to do."""
    return _COMMAND.search(text.rstrip(". ")) is not None


def noun_of_copula(text: str) -> str | None:
    """What stands before 입니다 or 이다; None for other endings."""
    match = _COPULA.search(text.rstrip(". "))
    return text.rstrip(". ")[: match.start()] if match else None
