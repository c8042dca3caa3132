"""Finds scope cues: the words of ``cues_zh``, ``cues_ko`` and ``cues_en`` in one pass over a folded text."""

from functools import cache
from typing import NamedTuple

import ahocorasick_rs

from turnmark.language.scope import cues_en, cues_ko, cues_zh
from turnmark.language.text.fold import fold_text


class Cue(NamedTuple):
    """A cue word found: folded offsets and all its kinds."""

    start: int
    end: int
    kinds: frozenset[str]


_ASKED = frozenset(("question",))


@cache
def _automaton() -> tuple[ahocorasick_rs.AhoCorasick, list[frozenset[str]], list[str]]:
    kinds: dict[str, set[str]] = {}
    for module, separator in ((cues_zh, None), (cues_ko, ","), (cues_en, ",")):
        for kind, words in module.CUES.items():
            for raw in words.split(separator):
                word = fold_text(" ".join(raw.split()))
                if word:
                    kinds.setdefault(word, set()).add(kind)
    words = list(kinds)
    automaton = ahocorasick_rs.AhoCorasick(words, matchkind=ahocorasick_rs.MatchKind.LeftmostLongest)
    asking = [
        "skip"
        if "skip" in kinds[word]
        else "latin"
        if word[0].isascii() and word[0].isalpha()
        else "not"
        if word[0] == "不"
        else ""
        for word in words
    ]
    return automaton, [frozenset(kinds[word]) for word in words], asking


# Half the cost of the constructor, which counts here.
_cue = tuple.__new__


def find_cues(text: str, offset: int = 0) -> list[Cue]:
    """Return the scope cues of a folded text in order, without overlap; the longest cue wins.

    Args:
        text: Folded text, or a part of one.
        offset: Where the part begins; added to all offsets.

    """
    automaton, kinds, asking = _automaton()
    cues: list[Cue] = []
    size = len(text)
    for word, start, end in automaton.find_matches_as_indexes(text):
        asks, found = asking[word], kinds[word]
        if asks:
            if asks == "skip":
                continue
            if asks == "latin":
                if start and (text[start - 1].isascii() and text[start - 1].isalnum()):
                    continue
                if end < size and text[end].isascii() and (text[end].isalnum() or text[end] == "'"):
                    continue
            elif start and text[start - 1] == text[start + 1 : start + 2]:
                # 加不加, 能不能: a question, no negation.
                found = _ASKED
        cues.append(_cue(Cue, (start + offset, end + offset, found)))
    return cues
