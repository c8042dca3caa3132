"""The lexicon of scope (``language/scope.*.yaml``): cue words by kind and language, which suites add theirs to."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from turnmark.packs.loading import digest, parse, shipped

LANGUAGES = ("zh", "ko", "en")

Kind = Literal[
    "skip", "neg", "prohibit", "warn", "reject", "recommend", "replace", "permit", "refuse", "condition", "suppose",
    "possible", "report", "report_before", "example", "example_after", "other", "self", "question",
]  # fmt: skip


class ScopeWords(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The cues of one language.

    Attributes:
        kinds: Cue words by kind, parted by commas; ``language/scope/cues.py`` says how they are matched.
        between: What may stand between two negations of one chain (不是…不能).
        existential: Negations of existence, which also deny a permission further on (没有人可以, nobody may).
        advisers: Who advises: where such a negation speaks of one, nobody advises what follows (没有医生建议).
        continues: What opens a clause that goes on with the list of the clause before.
        contrast: What opens a clause that says something else than the one before.
        asks: What ends a clause that asks though no question mark stands there.
        tail: What may stand behind the last word of a clause.
        plan: Korean: endings of an item of a plan (걷기, 물 마시기).
        no_topic: Korean: words with the particle of a topic that are none (지금은).

    """

    pack: str
    version: str
    language: str
    kinds: dict[Kind, str]
    between: list[str]
    continues: list[str]
    existential: list[str] = []
    advisers: list[str] = []
    contrast: list[str] = []
    asks: list[str] = []
    tail: list[str] = []
    plan: list[str] = []
    no_topic: list[str] = []

    def words(self) -> dict[str, list[str]]:
        """The cue words by kind."""
        return {kind: [word.strip() for word in listed.split(",")] for kind, listed in self.kinds.items()}


@cache
def scope_pack(language: str) -> tuple[ScopeWords, str]:
    """The shipped lexicon of a language and its digest. Raises: PackError that names line and field of a fault."""
    name = f"language/scope.{language}.yaml"
    raw = shipped(name)
    return parse(raw, name, ScopeWords), digest(raw)
