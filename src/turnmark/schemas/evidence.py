"""Evidence: the words that earned a mark (``evidence.jsonl``)."""

from __future__ import annotations

import msgspec

POSSIBLE = "possible"
"""The polarity of what is only likely: shown to reviewers, counted in no figure."""


class Evidence(msgspec.Struct, kw_only=True, omit_defaults=True, gc=False):
    """One fired rule (or one verdict of a judge) on one span of one text.

    ``start`` and ``end`` are code-point offsets into the original text that ``source`` names (``reply``, ``user``,
    ``recall.short_term_context``, ``recall.items[2].content``, ``compliance.violations[0].match`` …):
    ``text[start:end] == quote``. ``label`` is what the evidence is about (a risk tag, a memory key, a constraint, a
    rubric element); ``polarity`` is what it says about it (``present``, ``violates``, ``severe``, ``minor`` …;
    `POSSIBLE` only where that was asked for). The ``source_…`` fields name the span of the material that supports it,
    where there is one. ``turn_pair_id`` is None for evidence about the dialogue as a whole.
    """

    run_id: str = ""
    dialog_id: str = ""
    turn_pair_id: int | None = None
    metric: str
    rule: str
    label: str = ""
    polarity: str = "present"
    source: str = "reply"
    quote: str = ""
    start: int = 0
    end: int = 0
    source_quote: str | None = None
    source_start: int | None = None
    source_end: int | None = None
    note: str | None = None


def is_possible(piece: Evidence) -> bool:
    """Whether evidence is what a learned model finds likely: shown by itself, among no marks."""
    return piece.polarity == POSSIBLE and piece.rule.startswith("possible.")
