"""Why a metric has no figure: a code with its parts, and what each code says in English.

Rows keep code and parts beside the English, summaries and exports are English, and a page words a reason in its own
language by the template of its code (the catalogues hold the wordings under the msgctxt ``reason``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

ERROR = "error"
"""The code of a message that is shown as it stands: that of an error, or of a suite of another package."""

TEMPLATES: Mapping[str, str] = MappingProxyType({
    ERROR: "{message}",
    # finance
    "no_memory_key": "no resolvable memory key is required",
    "no_constraint": "the user has no constraint that replies are held to",
    "no_disclosure": "no risk disclosure is required",
    "no_explanation": "no element of explanation is required",
    "no_profile": "no ground-truth profile",
    "no_turn_answered": "no turn was answered",
    "profile_not_told": "no snapshot and no reply says who the user is",
    "one_column": "this set of detectors has one column only",
    "turn_not_judged": "the turn was not judged",
    "score_not_finite": "judge_score_1_5 is {score}",
    "dialog_not_valid": "the dialogue is not valid: {skip_reason}",
    # clinical
    "no_answer": "the event holds no answer",
    "no_record": "the event holds no slots_truth",
    "no_contexts": "the event has no retrieved_contexts",
    "nothing_stated": "the answer states nothing about the patient",
    "nothing_decided": "the record fills no slot of what the answer states",
    "no_rule": "no safety rule applies",
    "no_slot": "the turn requires no slot that the record fills",
    "no_element": "the turn asks for no element that is known",
    "nothing_new": "the question tells nothing new",
    "nothing_comparable": "no claim of the answer speaks of what is known",
    "nothing_shared": "the answer shares no matter with earlier answers",
    "rules_not_judged": "{failed} of {total} rules were not judged: {reason}",
    # rag
    "answer_abstains": "the answer abstains",
    "reference_abstains": "the reference answer abstains",
    "answer_not_abstaining": "the answer does not abstain",
    "nothing_to_tell_by": "there are neither reference nor contexts to tell whether the answer was there",
    "nothing_retrieved": "no context was retrieved",
    "no_claim": "the text states nothing that could be supported",
    "no_ids": "the case has no retrieved_ids and relevant_ids",
    "field_missing": "the case has no {field}",
    "no_relevant_id": "no id is relevant",
    "extra_missing": "the extra rag, which ranks ids, is not installed: {install}",
    # judgements
    "no_verdict": "no verdict was returned",
    "not_asked": "the model was not asked for it: run turnmark judge without --metric",
    "not_judged": "it was not judged: run turnmark judge on these cases again, it asks only for what is missing",
    "claims_not_asked": (
        "its claims were not asked for: run turnmark judge on these cases again, it asks only for what is missing"
    ),
    # rows
    "turn_status": "turn_status is {status}",
    "not_marked": "the row holds no mark for it",
})  # fmt: skip
"""What each code says in English; braces stand for the parts. Codes stay what they are: rows hold them."""

_PARTS = {code: parts for code, text in TEMPLATES.items() if (parts := frozenset(re.findall(r"\{(\w+)\}", text)))}
_CODES = {text: code for code, text in TEMPLATES.items() if code not in _PARTS}


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Why a metric has no figure; ``str`` says it in English.

    ``code`` is a key of `TEMPLATES`, ``parts`` fills the braces of its text. A part named ``reason`` is a reason in
    English itself. A code of a later version is kept, and said by its name. Raises: ValueError when a part is lacking.
    """

    code: str
    parts: dict[str, str] = {}

    def __post_init__(self) -> None:
        if self.code in _PARTS and not _PARTS[self.code] <= self.parts.keys():
            message = f"reason {self.code}: expected the parts {sorted(_PARTS[self.code])}, found {sorted(self.parts)}"
            raise ValueError(message)

    def __str__(self) -> str:
        return self.template.format_map(self.parts)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.parts.items())))

    @property
    def template(self) -> str:
        """What its code says in English, with braces for the parts."""
        return TEMPLATES.get(self.code, self.code)

    @classmethod
    def text(cls, message: str) -> Reason:
        """The reason that a text is: one of the sentences without parts, else a message.

        Judges, and rows of earlier versions, say in English why they have nothing.
        """
        code = _CODES.get(message)
        return cls(ERROR, {"message": message}) if code is None else cls(code)

    @classmethod
    def error(cls, error: Exception) -> Reason:
        """The message of an error, with its type."""
        return cls(ERROR, {"message": f"{type(error).__name__}: {error}"})
