"""An answer that says yes to what was asked without naming it: "Can I have a beer?" "Sure, one is fine."."""

from __future__ import annotations

from turnmark.detectors.clinical.safety.stance import AdviceStanceReader

_LONGEST_GRANT = 60
_LONGEST_HARMLESS = 90
"""Characters of a first sentence that also says that it does no harm: "a glass or two won't hurt"."""

_DENIES = frozenset(("frees_after", "frees_before", "takes_back"))


def granting_sentence(reader: AdviceStanceReader) -> tuple[int, int] | None:
    """The first sentence when it says yes and that it is fine, short enough to name nothing else; else None."""
    analysis = reader.analysis
    sentences = analysis.sentences
    size = sentences[0].end - sentences[0].start if sentences else _LONGEST_HARMLESS + 1
    if size > _LONGEST_HARMLESS:
        return None
    first, following = sentences[0], sentences[min(1, len(sentences) - 1)]
    view = reader.view
    # Most answers open otherwise, and are looked into no further.
    if not any("grants" in cue.kinds for cue in view.within(first.start, first.end) if cue.start <= first.start + 1):
        return None
    said = view.within(first.start, following.end)
    if any(not cue.kinds.isdisjoint(_DENIES) for cue in said):
        return None
    scope = analysis.scope((first.start, first.start + 1))
    allowed = scope.permitted or any("advises_after" in cue.kinds and cue.start < first.end for cue in said)
    # "A glass won't hurt" denies the harm, not the thing.
    harmless = any(view.denies_harm(cue) for cue in said)
    forbidden = (scope.negated and not harmless) or scope.warned_against or scope.question
    short = size <= _LONGEST_GRANT or harmless
    return (first.start, first.end) if allowed and short and not forbidden else None
