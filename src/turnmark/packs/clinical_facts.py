"""The words around clinical facts: what may stand beside a name (``clinical/mentions.yaml``) and cues of statements."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from turnmark.packs.loading import digest, parse, shipped

MENTIONS = "clinical/mentions.yaml"
STATEMENTS = "clinical/statements.yaml"
CueKind = Literal[
    "other",
    "agent",
    "self",
    "population",
    "generally",
    "ask",
    "suppose",
    "condition",
    "possible",
    "example",
    "report",
    "absence",
    "affirmed",
    "have",
    "course",
    "take",
    "habit",
    "stopped",
    "start",
    "avoid",
    "target",
    "norm",
    "normal",
    "own_normal",
    "span",
    "now",
    "kept",
    "corrected",
]
"""Whom it is about; what makes it no claim; conditions; medicines; values. ``detectors/clinical/statements.py`` says
what each does."""


class MentionWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Word lists of mentions, parted by commas; the file says what each is for."""

    name: str
    version: str
    korean_prefixes: str
    korean_endings: str
    not_mentions: str
    vague_medicines: str
    everyday_medicines: str
    vague_conditions: str
    vague_names: str
    everyday_names: str
    only_in_capitals: str
    dose_change_behind: str
    dose_change_before: str
    also_measured: str
    measured_behind: str
    dosage_forms: str
    dose_links: str
    dose_counts: str
    dose_leads: str
    dose_joints: str
    dose_each: str
    dose_general: str
    drug_endings: str
    disease_endings: str
    no_drugs_or_diseases: str
    male: str
    female: str
    short_male: str
    short_female: str
    aged_male: str
    aged_female: str
    general_sex: str
    age_asked: str
    age_before: str
    general_age_behind: str
    general_age_before: str
    general_sex_behind: str
    general_sex_before: str
    caregiver: str
    systolic: str
    diastolic: str
    pressure: str
    weight_change_behind: str
    weight_change_before: str


class CueWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Cues of one kind, with the side of the mention they stand on and how far they reach, at most ``within``."""

    kind: CueKind
    side: Literal["before", "after"]
    reach: int | Literal["clause", "sentence"]
    words: str
    within: Literal["clause", "sentence"] = "sentence"


class StatementCues(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """All cues of statements."""

    name: str
    version: str
    cues: list[CueWords]


def words(listed: str) -> list[str]:
    """Return the words of a list parted by commas, in order, each once; an underscore is a space that counts."""
    return list(dict.fromkeys(word.replace("_", " ") for part in listed.split(",") if (word := " ".join(part.split()))))


@cache
def mention_words() -> MentionWords:
    """Return the shipped words of mentions.

    Raises:
        PackError: The file is wrong; the message names line and field.

    """
    return parse(shipped(MENTIONS), MENTIONS, MentionWords)


@cache
def statement_cues() -> StatementCues:
    """Return the shipped cues of statements.

    Raises:
        PackError: The file is wrong; the message names line and field.

    """
    return parse(shipped(STATEMENTS), STATEMENTS, StatementCues)


def facts_digest() -> str:
    """Return the digest of both files; it enters the signature of figures that rest on facts."""
    return digest(shipped(MENTIONS) + shipped(STATEMENTS))
