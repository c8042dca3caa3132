"""The literals of constraint packs, found in one pass over a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import ahocorasick_rs

from turnmark.language.match.patterns import Compiled, compile_pattern
from turnmark.language.match.phrases import latin_ends, whole_word
from turnmark.language.text.fold import fold_text
from turnmark.packs.rules import ConstraintKind, RulePack

WORD_ROLES = ("topic", "faint", "preferred", "aside")
PATTERN_ROLES = ("violates", "respects")


class Entry(NamedTuple):
    """What a literal stands for: a word or pattern of a kind in a role, or a word of a measure (kind "")."""

    kind: str
    role: str
    pattern: Compiled | None = None


class Hit(NamedTuple):
    """A literal found in folded text."""

    start: int
    end: int
    entry: Entry


class ConstraintWords:
    """The words and patterns of all kinds, and the measure words, in one automaton.

    Raises: PackError for a pattern that is wrong.
    """

    def __init__(
        self, packs: Sequence[RulePack], words: Mapping[str, Sequence[str]], measures: Mapping[str, Sequence[str]]
    ) -> None:
        literals: dict[str, list[Entry]] = {}
        for pack in packs:
            for kind in pack.constraints:
                _add(literals, kind, words)
        for measure, spelled in measures.items():
            for word in spelled:
                if len(word) > 1:  # shorter ones are too common to look for; they only name what a number measures
                    literals.setdefault(fold_text(word), []).append(Entry("", measure))
        self._entries = list(literals.values())
        self._latin = [latin_ends(literal) for literal in literals]
        self._automaton = ahocorasick_rs.AhoCorasick(list(literals)) if literals else None

    def find(self, text: str, kinds: frozenset[str]) -> list[Hit]:
        """Every literal of these kinds in a folded text; the kind "" stands for the measures."""
        if self._automaton is None:
            return []
        entries, latin = self._entries, self._latin
        return [
            Hit(start, end, entry)
            for literal, start, end in self._automaton.find_matches_as_indexes(text, overlapping=True)
            if not latin[literal] or whole_word(text, start, end)
            for entry in entries[literal]
            if entry.kind in kinds
        ]


def _add(literals: dict[str, list[Entry]], kind: ConstraintKind, words: Mapping[str, Sequence[str]]) -> None:
    for role in (*WORD_ROLES, *PATTERN_ROLES):
        for written in getattr(kind, role):
            if " " in written or role in PATTERN_ROLES:
                compiled = compile_pattern(written, words)
                for anchor in compiled.anchors:
                    literals.setdefault(anchor, []).append(Entry(kind.id, role, compiled))
                continue
            named = written.startswith("<") and written.endswith(">")
            for word in words[written[1:-1]] if named else (written,):
                literals.setdefault(fold_text(word), []).append(Entry(kind.id, role))
