"""What a statement rules out that leaves but one way open: by card only, 온라인으로만, 周末只看急诊."""

from __future__ import annotations

import re
from collections.abc import Sequence

from turnmark.judges.rules.plain.statements import Statement, pattern, plain_words
from turnmark.judges.rules.plain.tokens import Token

ONLY = {
    "en": re.compile(r"\bonly\b"),
    "zh": re.compile("[只仅]"),
    "ko": re.compile(r"(?<=[가-힣])(?<!지)만(?=[\s은이을]|$)"),
}
_VERB = re.compile("[只仅](?P<verb>[\u3400-\u9fff])(?P<what>[\u3400-\u9fff]{2})")
_NO_VERBS = frozenset("能可限有是在需要会为")


def says_only(text: str, language: str) -> bool:
    """Whether a folded text says that something alone holds."""
    return language in ONLY and ONLY[language].search(text) is not None


def rules_out(said: str, source: str, language: str, sentence: str = "") -> bool:
    """Whether a folded statement, of a ``sentence``, leaves another way open only than what is said or asked for.

    Ways are told by their kinds: what is open online only is not so on site; 网上 is online too.
    """
    if not says_only(source, language) or pattern("denied", language).search(source):
        return False
    words = plain_words()
    for kinds in (words.channels, words.payments):
        mine = {kind for kind, text in kinds.items() if re.search(text, said)}
        theirs = {kind for kind, text in kinds.items() if re.search(text, source)}
        if mine and theirs and mine.isdisjoint(theirs):
            return not any(re.search(kinds[kind], sentence) for kind in mine)
    return language == "zh" and _of_another_object(said, source)


def shares_words(one: Sequence[Token], statement: Statement) -> bool:
    """Whether some words and a statement are of the same matter: pay and payment share their beginning."""
    beginnings = {each.key[:_BEGINNING] for each in statement.telling if each.key[:_BEGINNING].isalpha()}
    if statement.language == "en":
        return any(len(each.key) >= _BEGINNING and each.key[:_BEGINNING] in beginnings for each in one)
    return any(statement.telling.hold(each) for each in one)


_BEGINNING = 3


def _of_another_object(said: str, source: str) -> bool:
    """Whether a text says of something else what a source says of one thing only: 看普通门诊 where 只看急诊 stands."""
    match = _VERB.search(source)
    if match is None or match["verb"] in _NO_VERBS:
        return False
    other = re.search(match["verb"] + "(?P<what>[\u3400-\u9fff]{2})", said)
    return other is not None and other["what"] not in source and match["what"] not in said and "只" not in said
