"""What notes of evidence say, in the reader's language: what the record holds, and which safety rule was broken.

Detectors write a few English words of few forms; a note of another form is shown as it is.
"""

from __future__ import annotations

import re

from turnmark.locale.texts import Texts, filled, named
from turnmark.schemas.evidence import Evidence

_FORMS = (
    (re.compile(r"the record holds another stage"), "note_other_stage"),
    (re.compile(r"the record holds (?P<value>.+)", re.DOTALL), "note_holds"),
    (re.compile(r"the record says (?P<value>.+)", re.DOTALL), "note_says"),
    (re.compile(r"the patient said (?P<value>.+)", re.DOTALL), "note_patient"),
    (re.compile(r"not in the record"), "note_not_there"),
    (re.compile(r"the record does not say"), "note_silent"),
)
_CAUSE = re.compile(r"(?P<cause>[a-z][a-z ]*): (?P<rest>the record .+|not in the record)", re.DOTALL)
_LACKING = "nothing in the answer: "


def worded_note(note: str, texts: Texts) -> str:
    """A note in the language of the texts. What decided stands before it where there is a word for that."""
    cause, rest = "", note
    if match := _CAUSE.fullmatch(note):
        cause, rest = _unless(named(texts, "note_cause", match["cause"]), match["cause"]), match["rest"]
    for pattern, key in _FORMS:
        if found := pattern.fullmatch(rest):
            said = filled(texts, key, **found.groupdict())
            return f"{cause}{texts['colon']}{said}" if cause else said
    return note


def worded_breach(piece: Evidence, turn: int, texts: Texts, quote: str = "") -> str:
    """How an answer breaks a safety rule: the words and the rule; of what is missing, why it was asked for at all.

    ``quote`` are the words as they are shown; those of the evidence where it is left out.
    """
    rule = "" if piece.label is None else _unless(named(texts, "safety_rule", piece.label), piece.label)
    if piece.polarity == "missing":
        name = rule or (piece.note or "").removeprefix(_LACKING) or piece.label
        return filled(texts, "note_missing", rule=name, id=piece.label, turn=turn)
    words = quote or piece.quote
    return f"{words} ({rule})" if rule and words else words or piece.note or piece.label


def _unless(word: str, name: str) -> str:
    """The word; empty where it is but the name, since the catalogues have no word for that."""
    return "" if word == name else word
