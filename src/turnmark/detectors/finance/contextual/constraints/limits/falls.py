"""Falls that a reply tells the user to bear, held against how far the user's money may fall."""

from __future__ import annotations

from turnmark.detectors.finance.contextual.constraints.acts import Acts
from turnmark.detectors.finance.contextual.constraints.clauses import clause, denied
from turnmark.detectors.finance.contextual.constraints.plans import Plan
from turnmark.detectors.finance.contextual.constraints.speech_act import STRONG, ActVerdict
from turnmark.detectors.finance.contextual.constraints.stance import ConstraintStanceReader

_FLOORS = frozenset(("at_least", "more_than"))
_EVEN = ("도", "라도", "也", "都", "even", "as much as")
_NEAR = 4


def borne(plan: Plan, limit: float, language: str) -> ActVerdict | None:
    """The first fall beyond a limit that a short reply calls bearable (낙폭 10% 이상도 감수, 回撤超过10%也可以接受).

    A number that bounds from below goes beyond a limit of the same number. What is only supposed counts where the reply
    says that even so much is to be borne.

    Args:
        plan: The numbers of the reply.
        limit: How far the user's money may fall, in percent.
        language: That of the reply, by which its denials are read.

    """
    if not plan.acts.short or any(each.recalls or each.refuses for each in plan.acts.sentences):
        return None
    head_final = plan.acts.words.head_final
    comparators = {value.start: value.comparator for value in plan.values}
    for fall, start, end in plan.falls():
        open_ended = comparators.get(start) in _FLOORS
        if not (fall > limit or (open_ended and fall >= limit)):
            continue
        first, last = clause(plan.text, start, end)
        asks = any(each.asks for each in plan.acts.sentences if each.start <= start < each.end)
        # What a Korean verb governs stands before it; behind its own words it tells of what the user can bear.
        word = plan.acts.words.phrases["fall_borne"].first(plan.text, end if head_final else first, last)
        if asks or word is None or denied(plan.text, (first, last), word, language):
            continue
        even = any(each in plan.text[start : end + _NEAR] or each in plan.text[first:start] for each in _EVEN)
        if even or plan.acts.meant(start, end):
            return ActVerdict(1, STRONG, min(start, word[0]), max(end, word[1]), "borne")
    return None


def told_only(acts: Acts, reader: ConstraintStanceReader) -> bool:
    """Whether a short reply tells of a past fall and offers nothing: it neither urges, praises nor proposes any act."""
    if not acts.short or not acts.says("fall_past") or acts.urging or any(act.kind == "praise" for act in acts.colour):
        return False
    return reader.overall() <= 0 and reader.acts(0, len(reader.text)) is None
