"""What the demo adviser hears and says: the packs ``packs/demo/adviser.{zh,ko,en}.yaml``."""

from __future__ import annotations

import functools

import msgspec

from turnmark.packs.loading import digest, parse, shipped

LANGUAGES = ("zh", "ko", "en")


class Value(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One value of a profile field: how it is shown, and what users say when they mean it."""

    shown: str
    words: list[str]


class Field(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A profile field with its values, by the name that a snapshot gives them (low, medium, high; short …)."""

    label: str
    values: dict[str, Value]


class Limit(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A limit in percent: what it is about, and how it is shown. ``least``: the number is the least, not the most."""

    words: list[str]
    shown: str
    least: bool = False


class Topic(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Something that users ask about: the words that tell it, what there is to say, and what can go wrong."""

    name: str
    words: list[str]
    brief: str
    facts: list[str]
    risks: list[str]


class Sentences(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The forms of a reply; names in braces are filled in."""

    about: str
    compare: str
    compare_item: str
    profile: str
    fit: dict[str, str]
    limits: str
    avoid: str
    recalled: str
    mix: str
    within: str
    mix_items: dict[str, str]
    steps: list[str]
    summary: str
    risk: str
    closing: list[str]
    joiner: str
    item_joiner: str
    gap: str


class AdviserWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One language of the adviser. ``asks`` are the words by which a request of a kind is known."""

    pack: str
    version: str
    language: str
    roles: dict[str, str]
    labels: dict[str, str]
    levels: dict[str, Field]
    plans: list[str]
    not_plans: list[str]
    limits: dict[str, Limit]
    limit_cues: list[str]
    refusals: list[str]
    likes: list[str]
    assets: dict[str, list[str]]
    topics: list[Topic]
    general: Topic
    asks: dict[str, list[str]]
    sentences: Sentences


@functools.cache
def adviser_words(language: str) -> tuple[AdviserWords, str]:
    """The words of a language and the digest of their file. Raises: PackError when the file is wrong."""
    name = f"demo/adviser.{language}.yaml"
    raw = shipped(name)
    return parse(raw, f"turnmark:{name}", AdviserWords), digest(raw)
