"""Whether a reply really uses what a required key stands for."""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.detectors.finance.contextual.key_text import Texts
from turnmark.detectors.finance.contextual.memory.agreement import value_state
from turnmark.detectors.finance.contextual.memory.mentions import Mention
from turnmark.detectors.finance.protocol import Reading
from turnmark.language.analysis import Analysis
from turnmark.packs.profile import ProfilePack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.turn_eval import ResolvedKey

# Shares of content: of an earlier utterance, and of the one that the reply answers.
_SHARE, _ANSWER, _WINDOW = 0.385, 0.2, 600


class KeyUseDetector:
    """Finds where a reply uses or refers to the values and utterances that keys stand for."""

    def __init__(self, packs: Sequence[ProfilePack]) -> None:
        self._texts = Texts(packs, uses_only=True)

    def detect(self, reading: Reading, keys: Sequence[ResolvedKey]) -> list[Evidence]:
        """Evidence for each key that is used (label: the key), in the order of the keys."""
        results = []
        for key in keys:
            if key.target_text:
                span = self._used(reading, key.target_text)
                if span is not None:
                    results.append(_evidence(key.key, *span, reading.reply))
        return results

    def _used(self, reading: Reading, target: str) -> tuple[str, int, int] | None:
        analysis = reading.analysis
        mentions = self._texts.find(target, analysis)
        if mentions is not None:
            return _agreeing(target, analysis, mentions)
        for stated in self._texts.embedded(target, analysis):
            if span := _value(self._texts.find(stated, analysis) or ()):
                return span
        share, start, end = self._texts.topic(target).best(analysis, window=_WINDOW)
        enough = _ANSWER if target.strip() == reading.user_text.strip() else _SHARE
        if share < enough or value_state(target, reading.reply[start:end]) == "conflicting":
            return None
        return "key_use.topic", start, end


def _agreeing(target: str, analysis: Analysis, mentions: Sequence[Mention]) -> tuple[str, int, int] | None:
    """The first mention that uses a target, unless its sentence states another amount (5천억 for 5천만)."""
    for mention in mentions:
        if not mention.use:
            continue
        sentence = analysis.segments.sentence_at(mention.start)
        around = analysis.text[sentence.start : sentence.end]
        if mention.exact or value_state(target, around) != "conflicting":
            return "key_use.value", mention.start, mention.end
    return None


def _value(mentions: Sequence[Mention]) -> tuple[str, int, int] | None:
    for mention in mentions:
        if mention.use:
            return "key_use.value", mention.start, mention.end
    return None


def _evidence(key: str, rule: str, start: int, end: int, reply: str) -> Evidence:
    return Evidence(metric="m1b_reply_key_use", rule=rule, label=key, start=start, end=end, quote=reply[start:end])
