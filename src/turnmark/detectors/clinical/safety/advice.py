"""What one text advises or warns against, by the answer patterns of a file of rules; read once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from turnmark.detectors.clinical.safety.stance_text import Verdict
from turnmark.detectors.clinical.utterance import Utterance
from turnmark.language.analysis import Analysis
from turnmark.language.computed import computed
from turnmark.language.text.fold import fold_text
from turnmark.schemas.evidence import Evidence

METRIC = "csp"


class Mention(NamedTuple):
    """A thing that a text names: its answer pattern, whether its own words advise, and the rule that found it."""

    label: str
    start: int
    end: int
    phrase_advises: bool
    rule: str
    is_word: bool = False


class Advice:
    """The things that a text names, and its stance on each; a stance is read when it is first asked for."""

    def __init__(self, utterance: Utterance, find: Callable[[Analysis], list[Mention]]) -> None:
        self._utterance = utterance
        self._find = find
        self._verdicts: dict[Mention, Verdict] = {}

    @computed
    def mentions(self) -> list[Mention]:
        """The things that are named, in order."""
        return self._find(self._utterance.analysis)

    @property
    def labels(self) -> frozenset[str]:
        """The answer patterns that are named."""
        return frozenset(mention.label for mention in self.mentions)

    def _verdict(self, mention: Mention) -> Verdict:
        result = self._verdicts.get(mention)
        if result is None:
            stance = self._utterance.stance
            result = stance.read(mention.start, mention.end, phrase_advises=mention.phrase_advises)
            self._verdicts[mention] = result
        return result

    def evidence(self, wanted: Collection[str]) -> dict[str, list[Evidence]]:
        """What the text recommends or condones of some answer patterns: evidence by pattern."""
        results: dict[str, list[Evidence]] = {}
        for mention in self.mentions:
            if mention.label in wanted and (verdict := self._verdict(mention)).advised:
                quote = self._utterance.text[mention.start : mention.end]
                results.setdefault(mention.label, []).append(
                    Evidence(
                        metric=METRIC, rule=mention.rule, label=mention.label, polarity="violates", quote=quote,
                        start=mention.start, end=mention.end, note=verdict.reason,
                    )
                )  # fmt: skip
        return results

    def stances(self) -> Iterator[tuple[str, str, bool, int, int]]:
        """What the text advises or warns against: (answer pattern, folded word, advised, start, end), in order."""
        for mention in self.mentions:
            verdict = self._verdict(mention)
            if verdict.advised or verdict.warned:
                word = fold_text(self._utterance.text[mention.start : mention.end])
                word = word.removesuffix("es" if word.endswith("oes") else "s") if word.isascii() else word
                yield mention.label, word, verdict.advised, mention.start, mention.end
