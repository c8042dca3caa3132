"""Why a metric has no figure, in the words of the interface.

Rows and summaries hold reasons in English, whatever page is made of them: they are data. A page words the common ones
in its own language; one that is not listed here (the message of an error, say) is shown as it stands.
"""

from __future__ import annotations

import re
from functools import cache

from turnmark.locale.texts import Texts, worded

REASONS = (
    "no resolvable memory key is required",
    "no risk disclosure is required",
    "no element of explanation is required",
    "no ground-truth profile",
    "the turn was not judged",
    "judge_score_1_5 is {value}",
    "the dialogue is not valid: {value}",
    "turn_status is {value}",
    "the row holds no mark for it",
    "the event holds no answer",
    "the event holds no slots_truth",
    "the event has no retrieved_contexts",
    "the answer states nothing about the patient",
    "no safety rule applies",
    "the turn requires no slot that the record fills",
    "the turn asks for no element that is known",
    "the question tells nothing new",
    "no claim of the answer speaks of what is known",
    "the answer shares no matter with earlier answers",
    "{value} of {whole} rules were not judged: {reason}",
    "the answer abstains",
    "the reference answer abstains",
    "the answer does not abstain",
    "there are neither reference nor contexts to tell whether the answer was there",
    "no context was retrieved",
    "the text states nothing that could be supported",
    "the case has no retrieved_ids and relevant_ids",
    "the case has no {value}",
    "no id is relevant",
    "the extra rag, which ranks ids, is not installed: {value}",
    "no verdict could be had",
    "the model was not asked for it: run turnmark judge without --metric",
    "it was not judged: run turnmark judge on these cases again, it asks only for what is missing",
    "its claims were not asked for: run turnmark judge on these cases again, it asks only for what is missing",
)
"""Reasons as rows hold them (parts in braces stand for what differs). Their wordings are in the catalogues."""

_NAMED = re.compile(r"([\w-]+): (.+)", re.DOTALL)


def reason_in(text: str, texts: Texts) -> str:
    """A reason as the interface words it; ``METRIC: reason`` keeps its name."""
    return _listed(text, texts) or _listed_behind_a_name(text, texts) or text


def _listed_behind_a_name(text: str, texts: Texts) -> str:
    named = _NAMED.fullmatch(text)
    found = _listed(named[2], texts) if named else ""
    return f"{named[1]}: {found}" if named and found else ""


def _listed(text: str, texts: Texts) -> str:
    """The wording; "" for a reason that is not listed."""
    for pattern, template in _compiled():
        found = pattern.fullmatch(text)
        if found:
            parts = found.groupdict()
            if "reason" in parts:
                parts["reason"] = _listed(parts["reason"], texts) or parts["reason"]
            return worded(texts, template, parts)
    return ""


@cache
def _compiled() -> list[tuple[re.Pattern[str], str]]:
    """The reasons as patterns, those without parts first: of two that fit, the one that says more is meant."""
    ordered = sorted(REASONS, key=lambda reason: "{" in reason)
    return [
        (re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(reason)), re.DOTALL), reason)
        for reason in ordered
    ]
