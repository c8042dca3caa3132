"""What the readers of stance know of one answer: its cues, and the words of the pack that are asked for by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.language.analysis import Analysis
from turnmark.language.match.patterns import AnyOf, compile_any
from turnmark.language.match.phrases import Phrases
from turnmark.language.scope.cues import Cue, CuesOfText, Lexicon, starting
from turnmark.language.text.segment import Clause
from turnmark.packs.stance import StanceWords, stance_pack

_POLAR = frozenset(("frees_after", "frees_before", "in_place_of", "advises_after", "advises_before", "command"))
"""Of these the longer word counts: 해롭 in 해롭지 않, 要 in 不要."""
_BESIDE = 24
"""Characters beside a thing in which what lacks it is told."""
_MANY = 80
_CLAUSES = 8
_REACH = 300
"""A text without stops is one sentence; then only the cues near a passage are read."""


class Verdict(NamedTuple):
    """Whether the thing is advised, the word or reading that decided, and whether it is warned against."""

    advised: bool
    reason: str
    warned: bool = False


class Asked(NamedTuple):
    """The words of one language that are asked for by name; ``packs/clinical/stance.yaml`` says what each is for."""

    supposes: Phrases
    parts: Phrases
    no_harm: Phrases
    head_rest: Phrases
    objects: Phrases
    topics: Phrases
    opens_clause: Phrases
    verb_ends: tuple[str, ...]
    served: AnyOf
    without_before: tuple[str, ...]
    without_after: tuple[str, ...]
    keeps: tuple[str, ...]
    kept_little: tuple[str, ...]


@cache
def stance_words(language: str) -> tuple[Lexicon, Asked]:
    """The cues of stance of a language, and the words that are asked for around them."""
    words: StanceWords = getattr(stance_pack()[0], language)
    asked = words.phrases
    return Lexicon(words.kinds(), shared=answer_words(), rivals=_POLAR), Asked(
        Phrases(asked.supposes),
        Phrases(asked.parts),
        Phrases(asked.no_harm),
        Phrases(asked.head_rest),
        Phrases(asked.objects),
        Phrases(asked.topics),
        Phrases(asked.opens_clause),
        tuple(asked.verb_ends),
        compile_any(asked.served, {}),
        tuple(asked.without_before),
        tuple(asked.without_after),
        tuple(asked.keeps),
        tuple(asked.kept_little),
    )


class StanceText:
    """One answer; its cues are found once. All offsets are those of the original text."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.text = analysis.text
        self.language = analysis.language if analysis.language in ("ko", "en", "zh") else "en"
        lexicon, self.asked = stance_words(self.language)
        self._cues = CuesOfText(lexicon, analysis.folded, original=True)
        self._by_sentence: dict[int, list[Cue]] = {}

    @property
    def plain(self) -> str:
        """The text as words are looked for in it, with the offsets of the original."""
        folded = self.analysis.folded
        return folded.text if folded.same_length else self.text

    @property
    def cues(self) -> list[Cue]:
        """All cues of the text."""
        return self.within(0, len(self.text))

    def within(self, start: int, end: int) -> list[Cue]:
        """The cues that stand inside a span."""
        within = self._cues.within(start, end)
        return [cue for cue in within if cue.end <= end]

    def around(self, index: int, start: int, end: int) -> list[Cue]:
        """The cues of a sentence that a passage is read with; in one of very many, those near it."""
        result = self._by_sentence.get(index)
        if result is None:
            sentence = self.analysis.sentences[index]
            result = self._by_sentence[index] = self.within(sentence.start, sentence.end)
        return result if len(result) <= _MANY else starting(result, start - _REACH, end + _REACH)

    def word(self, cue: Cue) -> str:
        """The words of a cue as the text has them."""
        return self.text[cue.start : cue.end]

    def lacks(self, start: int, end: int) -> bool:
        """Whether the words right beside a span speak of what lacks it: peanut-free, 不含花生, 땅콩이 안 든."""
        before = self.plain[max(0, start - _BESIDE) : start].rstrip(" ")
        behind = self.plain[end : end + _BESIDE].lstrip(" ")
        return before.endswith(self.asked.without_before) or behind.startswith(self.asked.without_after)

    def denies_harm(self, cue: Cue) -> bool:
        """Whether a cue that advises does so by denying harm: 지장 없습니다, won't do any harm, 没关系."""
        return "advises_after" in cue.kinds and self.asked.no_harm.within(self.plain, cue.start, cue.end)


def clauses_from(analysis: Analysis, start: int, end: int) -> Iterable[Clause]:
    """The clauses between two positions of a sentence, the first of them only."""
    for _ in range(_CLAUSES):
        while start < end and analysis.text[start].isspace():
            start += 1
        if start >= end:
            return
        clause = analysis.clause_at(start)
        if clause.end <= start:
            return
        yield clause
        start = clause.end
