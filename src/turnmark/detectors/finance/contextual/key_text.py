"""Texts as the finders of memory and key use read them: in the languages that stand in them."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from turnmark.detectors.finance.contextual.memory.mentions import Finder, Mention, Reader
from turnmark.detectors.finance.contextual.memory.spoken import Spoken
from turnmark.detectors.finance.contextual.memory.values import Values
from turnmark.detectors.finance.contextual.profile.words import HORIZON_CODES, LIQUIDITY_CODES, RISK_CODES
from turnmark.detectors.finance.contextual.topic import Topic, filler_pattern
from turnmark.language.analysis import Analysis
from turnmark.packs.profile import ProfilePack

_HANGUL, _HAN = re.compile("[가-힣]"), re.compile("[一-鿿]")
_MOST_TARGETS = 4096


class Texts:
    """What finds a target in the texts of each language.

    A level or a horizon has one name in every language and is looked for in those of the text; a constraint or an
    asset class is written in the language of its dialogue.
    """

    def __init__(self, packs: Sequence[ProfilePack], *, uses_only: bool = False) -> None:
        self._values = {pack.language: Values(pack, packs, uses_only=uses_only) for pack in packs}
        self._filler = tuple(word for pack in packs for word in pack.filler)
        self._common = frozenset(word for pack in packs for word in pack.common)
        self.topic = functools.lru_cache(maxsize=_MOST_TARGETS)(self._topic)

    def find(self, target: str, analysis: Analysis) -> list[Mention] | None:
        """The places of a text that speak of a target; None when the target is no canonical value."""
        result: list[Mention] | None = None
        for values in self.readers(target, analysis):
            finder: Finder | None = values.finder(target)
            if finder is not None:
                result = (result or []) + finder(analysis)
        return result

    def readers(self, target: str, analysis: Analysis) -> list[Values]:
        """The vocabularies in which a target is looked for in a text."""
        if target in RISK_CODES or target in LIQUIDITY_CODES or target in HORIZON_CODES:
            languages = _languages(analysis)
        else:
            languages = _language_of(target)
        return [self._values[language] for language in languages if language in self._values]

    def embedded(self, target: str, analysis: Analysis) -> list[str]:
        """The canonical values that an utterance states."""
        return [value for values in self.readers(target, analysis) for value in values.embedded(target)]

    def spoken(self, analysis: Analysis) -> list[tuple[Reader, Spoken]]:
        """The text as the languages that stand in it read the turns of the user."""
        read = [self._values[language] for language in _languages(analysis) if language in self._values]
        return [(values.reader(analysis), values.spoken) for values in read]

    def _topic(self, utterance: str) -> Topic:
        return Topic(utterance, filler_pattern(self._filler), self._common)


@functools.lru_cache(maxsize=4096)
def _language_of(target: str) -> tuple[str, ...]:
    if _HANGUL.search(target):
        return ("ko",)
    return ("zh",) if _HAN.search(target) else ("en", "zh")


def _languages(analysis: Analysis) -> tuple[str, ...]:
    """Chinese is read wherever it stands, English where nothing else does."""
    text = analysis.text
    korean, chinese = _HANGUL.search(text), _HAN.search(text)
    if not korean and not chinese:
        return ("en", "zh")
    return tuple(language for language, there in (("zh", chinese), ("ko", korean)) if there)
