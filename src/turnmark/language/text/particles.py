"""Korean particles that depend on the end of the word before them: 은/는, 이/가, 을/를, 과/와, 으로/로, 이라/라.

What counts is how a word is read: ``7.2%`` ends like 퍼센트, in a vowel, and ``500mg`` like 밀리그램, in a consonant.
"""

from __future__ import annotations

import re

_UNITS = {
    "/min": "분",
    "mmol/mol": "몰",
    "%": "트",
    "℃": "도",
    "°c": "도",
    "/l": "터",
    "/dl": "터",
    "/ml": "터",
    "/ul": "터",
    "/μl": "터",
    "/g": "램",
    "/mmol": "몰",
    "mmhg": "지",
    "m2": "터",
    "m²": "터",
    "ml": "터",
    "cm": "터",
    "mm": "터",
    "mg": "램",
    "kg": "램",
    "μg": "램",
    "mcg": "램",
    "g": "램",
}
"""The last syllable with which a unit behind a number is read: 밀리그램, 퍼센트, 데시리터, 분."""

_UNIT = re.compile(r"\d[^\d가-힣]*?(" + "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True)) + ")$")
_DIGITS = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
_LETTER_NAMES = {"L": "엘", "M": "엠", "N": "엔", "R": "알"}
_WORD_ENDS = {"l": "일", **dict.fromkeys("bckmnpt", "은")}
"""How Latin words end in Hangul: 알로푸리놀, 메트포르민, 캡; all others end in a vowel (아스피린 aside, 크레스토)."""

_PARENTHESIS = re.compile(r"\s*\([^()]*\)$")
_SILENT = re.compile(r"[\s)\]}>\"'”’」』.,!?]+$")
_RIEUL = 8
"""The place of ㄹ among the 28 final consonants of a syllable; none is 0."""


def final_consonant(word: str) -> int:
    """The number of the final consonant (0 for none, 8 for ㄹ) with which a word is read.

    A closing parenthesis with its content, quotation marks and punctuation are not read.
    """
    read = _SILENT.sub("", _PARENTHESIS.sub("", word)) or word
    last = _last_syllable(read)
    return (ord(last) - 0xAC00) % 28 if "가" <= last <= "힣" else 0


def _last_syllable(word: str) -> str:
    unit = _UNIT.search(word.lower())
    if unit:
        return _UNITS[unit[1]]
    last = word[-1:]
    if last.isdigit():
        return _DIGITS.get(last, last)
    # After a digit, as in HbA1c, a letter is read by its name too.
    if last.isupper() or re.search(r"\d[a-z]$", word):
        return _LETTER_NAMES.get(last.upper(), "")
    return _WORD_ENDS.get(last, last)


def with_particle(word: str, particle: str) -> str:
    """The word with a particle, written as a pair: ``with_particle("당뇨병", "은/는")`` is 당뇨병은.

    The first of the pair follows a consonant, the second a vowel; of ``으로/로`` ㄹ takes 로, as in 서울로.
    """
    after_consonant, _, after_vowel = particle.partition("/")
    final = final_consonant(word)
    vowel_form = final == 0 or (final == _RIEUL and after_consonant == "으로")
    return word + (after_vowel if vowel_form else after_consonant)
