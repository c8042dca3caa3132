"""What a bare reply names beyond a constraint without holding anything against it.

Words of approval are an open class (rounds things out, 마음이 갑니다, 投它一票); what a speaker leaves out is not.
A reply of few words that speaks as adviser or of the user, names what is ruled out, and denies, warns of, refuses, asks
and only tells nothing offers it.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnmark.detectors.finance.contextual.constraints.acts import Acts
from turnmark.detectors.finance.contextual.constraints.speech_act import WEAK, ActVerdict
from turnmark.detectors.finance.contextual.constraints.words import Hit
from turnmark.language.values import read_polarity

BARE = 160
"""A reply up to this length is all offer."""


def speaks_for(acts: Acts, language: str, *, of_falls: bool) -> bool:
    """Whether a bare reply speaks in its own voice and holds nothing against anything.

    Args:
        acts: What the reply does.
        language: Its language, by which its denials are read.
        of_falls: Whether falls are what is asked about, so that to tell one is no warning.

    """
    if len(acts.text) > BARE or acts.asks_for_facts or not acts.says("act_voice") or acts.says("act_against"):
        return False
    if read_polarity(acts.text, language).denials:
        return False  # who denies anything may hold it against the topic
    warns = not of_falls and any(act.kind == "warn" for act in acts.colour)
    return not (warns or any(each.asks or each.recalls or each.refuses for each in acts.sentences))


def named(acts: Acts, hits: Sequence[Hit]) -> ActVerdict | None:
    """The first topic that such a reply names and means of this user."""
    meant = (hit for hit in hits if hit.entry.role == "topic" and acts.meant(hit.start, hit.end))
    first = next(meant, None)
    return ActVerdict(1, WEAK, first.start, first.end, "named") if first else None
