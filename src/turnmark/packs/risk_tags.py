"""Required risk tags as ground truths write them, brought to canonical names."""

from __future__ import annotations

import functools

import msgspec

from turnmark.language.text.fold import fold_text
from turnmark.packs.loading import parse, shipped


class Alias(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A string that a ground truth requires, the tag it stands for, and why."""

    required: str
    tag: str
    why: str


class RiskTags(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The table of aliases (``finance/risk_tags.yaml``)."""

    pack: str
    version: str
    source: str
    effective: str
    reviewer: str
    aliases: list[Alias]


@functools.cache
def risk_tags() -> RiskTags:
    """The shipped table."""
    return parse(shipped("finance/risk_tags.yaml"), "turnmark:finance/risk_tags.yaml", RiskTags)


@functools.cache
def _table() -> dict[str, str]:
    return {_key(alias.required): alias.tag for alias in risk_tags().aliases}


@functools.cache
def _tags() -> frozenset[str]:
    return frozenset(_table().values())


def known_tags() -> frozenset[str]:
    """Every string that a ground truth may require: the tags and their aliases."""
    return _tags() | frozenset(alias.required for alias in risk_tags().aliases)


def canonical_tag(required: str) -> str:
    """The canonical name of a required risk tag; an unknown one stays as it is, in lower case."""
    return _table().get(_key(required)) or required.strip().lower()


def own_words(required: str) -> str | None:
    """The folded words by which a tag that no rule knows is matched; None for a known tag."""
    key = _key(required)
    return None if not key or key in _table() or key in _tags() else key


def _key(required: str) -> str:
    return fold_text(required.strip())
