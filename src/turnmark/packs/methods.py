"""Rules that belong to no pack: methods, each with the page on which it is laid down."""

from __future__ import annotations

import functools

import msgspec

from turnmark.packs.loading import parse, shipped

_FILE = "methods.yaml"


class Method(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A method; ``rules`` is the id of its rule, or the part before a dot that the ids of its rules share."""

    rules: str
    version: str
    source: str


class _Methods(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    methods: list[Method]


def method_of(rule: str) -> Method | None:
    """The method behind a rule id without its version, or None when a pack holds the rule."""
    return next((each for each in _methods() if rule == each.rules or rule.startswith(f"{each.rules}.")), None)


@functools.cache
def _methods() -> tuple[Method, ...]:
    return tuple(parse(shipped(_FILE), f"turnmark:{_FILE}", _Methods).methods)
