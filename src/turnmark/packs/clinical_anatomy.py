"""Parts of the body, what is done to them, and adjectives of conditions (``clinical/anatomy.yaml``)."""

from __future__ import annotations

from functools import cache

import msgspec

from turnmark.packs.loading import parse, shipped

FILE = "clinical/anatomy.yaml"


class Organ(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A part of the body: its names and combining forms, the part that holds it, the broad condition of its trouble."""

    words: str
    stems: str = ""
    within: str = ""
    condition: str = ""


class Act(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What is done to a part: words behind the part and before it, endings of names, whether it is an operation."""

    behind: str
    before: str
    endings: str = ""
    surgical: bool = False


class Anatomy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The whole file; it says what each field is for. Word lists are parted by commas."""

    name: str
    version: str
    organs: dict[str, Organ]
    acts: dict[str, Act]
    procedures: dict[str, list[str]]
    adjectives: dict[str, str]
    sides: dict[str, str]


@cache
def anatomy() -> Anatomy:
    """The shipped file. Raises: PackError when it is wrong; the message names line and field."""
    return parse(shipped(FILE), FILE, Anatomy)
