"""Words of an answer that stand for something of a record: classes, procedures, symptoms, what reflects a condition."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.language.analysis import Analysis
from turnmark.language.match.matcher import Hit, Matcher
from turnmark.packs.clinical_context import context_pack
from turnmark.packs.clinical_facts import words
from turnmark.packs.terminology import terminology

_PARTICLES = "은는을를도이가만과와로의에까부나랑라며고보한"


class ContextCue(NamedTuple):
    """What a word of the context pack or the terminology stands for: its kind, and ids or codes."""

    kind: str
    ids: tuple[str, ...] = ()


@cache
def context_cues() -> Matcher[ContextCue]:
    """Finds the words of the context pack and the names of classes, procedures and symptoms."""
    pack = context_pack()[0]
    results: list[tuple[str, ContextCue]] = []
    for condition in pack.conditions:
        results.extend((word, ContextCue("condition", tuple(condition.codes))) for word in words(condition.words))
    for value in pack.values:
        results.extend((word, ContextCue("value", tuple(value.values))) for word in words(value.words))
    for procedure in pack.procedures:
        results.extend((word, ContextCue("procedure", tuple(procedure.ids))) for word in words(procedure.words))
    for sex, listed in pack.sexes.items():
        results.extend((word, ContextCue("sex", (sex,))) for word in words(listed))
    for group, listed in pack.circumstances.items():
        results.extend((word, ContextCue("circumstance", (group,))) for word in words(listed))
    results.extend((word, ContextCue("operation")) for word in words(pack.operations))
    results.extend((word, ContextCue("medicine")) for word in words(pack.medicines))
    for kind in ("medication_class", "procedure", "symptom"):
        for entry in terminology().of_kind(kind):
            results.extend((name.folded, ContextCue(kind, (entry.id,))) for name in entry.names if name.folded.strip())
    return Matcher(results, shared=answer_words())


def find_cues(analysis: Analysis) -> list[Hit[ContextCue]]:
    """The context cues of a text that are words of their own."""
    text = analysis.text
    return [
        hit for hit in context_cues().find(analysis.folded) if hit.end - hit.start > 1 or _stands_alone(text, hit.start)
    ]


def _stands_alone(text: str, start: int) -> bool:
    """Whether a Korean word of one syllable stands alone (간, 폐) rather than inside another (시간, 폐지)."""
    if not "가" <= text[start] <= "힣":
        return True
    before, after = text[start - 1 : start], text[start + 1 : start + 2]
    return not "가" <= before <= "힣" and (not "가" <= after <= "힣" or after in _PARTICLES)
