"""Words that tell whether an answer advises a thing (``clinical/stance.yaml``); the file says what each list is for."""

from __future__ import annotations

from functools import cache

import msgspec

from turnmark.packs.loading import digest, parse, shipped

FILE = "clinical/stance.yaml"


class StancePhrases(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Words of one language that are asked for where they matter; the file says what each list is for."""

    supposes: list[str] = []
    parts: list[str] = []
    no_harm: list[str] = []
    head_rest: list[str] = []
    objects: list[str] = []
    topics: list[str] = []
    opens_clause: list[str] = []
    verb_ends: list[str] = []
    served: list[str] = []
    without_before: list[str] = []
    without_after: list[str] = []
    keeps: list[str] = []
    kept_little: list[str] = []


class StanceWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The cue lists of one language."""

    frees_after: list[str]
    frees_before: list[str]
    advises_after: list[str]
    advises_before: list[str]
    in_place_of: list[str]
    takes_back: list[str]
    another_time: list[str]
    urges: list[str]
    carefree: list[str]
    avoid_label: list[str]
    avoid_head: list[str]
    others: list[str]
    this_patient: list[str]
    patient_too: list[str]
    patient_not: list[str]
    wishes: list[str]
    grants: list[str]
    company: list[str]
    own_words: list[str]
    contrast: list[str]
    small_amount: list[str]
    exchange_before: list[str]
    exchange_after: list[str]
    exchange_link: list[str]
    command: list[str] = []
    phrases: StancePhrases = StancePhrases()

    def kinds(self) -> dict[str, list[str]]:
        """The cue words by kind."""
        return {name: getattr(self, name) for name in self.__struct_fields__ if name != "phrases"}


class StancePack(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file."""

    name: str
    version: str
    ko: StanceWords
    en: StanceWords
    zh: StanceWords


@cache
def stance_pack() -> tuple[StancePack, str]:
    """The shipped pack and its digest. Raises: PackError that names line and field when the file is wrong."""
    raw = shipped(FILE)
    return parse(raw, FILE, StancePack), digest(raw)
