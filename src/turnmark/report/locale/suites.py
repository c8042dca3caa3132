"""What a suite calls its parts: of RAG a dialogue is a case, and its one turn is an answer that needs no number.

The words are exchanged in the finished texts of the interface, so that a text is written once and holds for all suites.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

# Korean: both pairs end alike (a vowel, an ㄴ), so that the particles after them stay right.
_WORDS: Mapping[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("rag", "en"): (
        (r"\bDialogue(s?)\b", r"Case\1"),
        (r"\bdialogue(s?)\b", r"case\1"),
        (r"\bTurn(s?)\b", r"Answer\1"),
        (r"(?<!\{)\bturn(s?)\b(?!\})", r"answer\1"),
    ),
    ("rag", "zh"): (
        ("对话", "案例"),
        (r"第 (\{\w+\}) 轮", r"回答 \1"),
        (r"(\{\w+\}) 轮", r"\1 个回答"),
        ("轮次", "回答"),
        ("任何一轮", "任何回答"),
        ("这一轮", "这个回答"),
        ("一轮", "一个回答"),
        ("^轮$", "个回答"),
    ),
    ("rag", "ko"): (
        ("대화", "사례"),
        (r"(\{\w+\})번째 턴", r"답변 \1"),
        (r"(\{\w+\})턴 중 (\{\w+\})턴이", r"답변 \1개 중 \2개가"),
        (r"(\{\w+\})턴 중 (\{\w+\})턴", r"답변 \1개 중 \2개"),
        (r"(\{\w+\})턴", r"답변 \1개"),
        ("(?<!패)턴", "답변"),
    ),
}


_INSTEAD: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("rag", "en"): {"user": "Question", "turn": ""},
    ("rag", "zh"): {"user": "问题", "turn": ""},
    ("rag", "ko"): {"user": "질문", "turn": ""},
}


_OF_PACKAGES: dict[tuple[str, str], Mapping[str, str]] = {}


def join(suite: str, words: Mapping[str, Mapping[str, str]]) -> None:
    """Let pages of a suite of another package have its own texts, by language and name of the text."""
    _OF_PACKAGES.update({(suite, language): texts for language, texts in words.items()})


def in_suite(texts: Mapping[str, str], language: str, suite: str | None) -> Mapping[str, str]:
    """A table of texts in the words of a suite; the table itself where the suite has no words of its own."""
    words = _compiled().get((suite or "", language), ())
    if not words:
        own = _OF_PACKAGES.get((suite or "", language), {})
        return {**texts, **{name: text for name, text in own.items() if name in texts}} if own else texts
    changed = {}
    for name, text in texts.items():
        for pattern, word in words:
            text = pattern.sub(word, text)  # noqa: PLW2901 - one exchange after the other
        changed[name] = text
    return changed | {name: text for name, text in _INSTEAD[suite or "", language].items() if name in texts}


@cache
def _compiled() -> dict[tuple[str, str], tuple[tuple[re.Pattern[str], str], ...]]:
    return {key: tuple((re.compile(old), new) for old, new in words) for key, words in _WORDS.items()}
