"""The form of a vocabulary for the literal detectors, and the one that is shipped."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import msgspec

from turnmark.packs.loading import digest, parse, read, shipped


class ProfileVocabulary(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """How profile values are spelled, and the words from which a value is guessed when no snapshot gives it.

    ``fallback_…`` lists are tried in order; the first value with a word in the replies wins.
    """

    risk: dict[str, str] = {}
    horizon: dict[str, str] = {}
    liquidity: dict[str, str] = {}
    fallback_risk: list[dict[str, list[str]]] = []
    fallback_horizon: list[dict[str, list[str]]] = []
    fallback_liquidity: list[dict[str, list[str]]] = []


class LiteralPack(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Keywords of the literal detectors: a tag, element or contradiction is found when a keyword is a substring."""

    pack: str
    version: str
    language: str
    source: str = ""
    risk_aliases: dict[str, list[str]] = {}
    risk_keywords: dict[str, list[str]] = {}
    rubric_keywords: dict[str, list[str]] = {}
    constraint_keywords: dict[str, list[str]] = {}
    guard_words: list[str] = []
    severe_types: list[str] = []
    severe_severities: list[str] = []
    forbidden_phrases: list[str] = []
    profile: ProfileVocabulary = msgspec.field(default_factory=ProfileVocabulary)


@functools.cache
def _shipped() -> tuple[LiteralPack, str]:
    raw = shipped("finance/literal.yaml")
    return parse(raw, "turnmark:finance/literal.yaml", LiteralPack), digest(raw)


def literal_packs(paths: tuple[Path, ...] = ()) -> tuple[LiteralPack, dict[str, str]]:
    """The shipped vocabulary with the user's laid over it, and ``{pack@version: digest}`` of all that took part.

    A mapping of the user's adds its keys and replaces those that exist already; a list of the user's is appended.

    Raises: PackError when a file cannot be read or is wrong.
    """
    base, hashed = _shipped()
    taken = {f"{base.pack}@{base.version}": hashed}
    for path in paths:
        extra, hashed = read(path, LiteralPack)
        taken[f"{extra.pack}@{extra.version}"] = hashed
        base = _merged(base, extra)
    return base, taken


def _merged(base: Any, extra: Any) -> Any:
    changes: dict[str, Any] = {}
    for field in base.__struct_fields__:
        ours, theirs = getattr(base, field), getattr(extra, field)
        if isinstance(ours, dict):
            changes[field] = {**ours, **theirs}
        elif isinstance(ours, list):
            changes[field] = [*ours, *(entry for entry in theirs if entry not in ours)]
        elif isinstance(ours, msgspec.Struct):
            changes[field] = _merged(ours, theirs)
    return msgspec.structs.replace(base, **changes)
